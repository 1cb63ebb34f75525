// The stage: one snapshot in three bands. Belief on top, one card a client; below it the truth, each
// client's node and session in the client's own column; below that the ledger. Messages between clients
// and servers travel between the first two bands; those to the resource go down a gutter at the right
// side, so that they cross nothing that they have no business with.
//
// The same input gives the same scene. Cost: linear in the snapshot's rows, whatever is shown of them.
#pragma once

#include <string>

#include "scenario/scenario.h"
#include "scene/scene.h"
#include "scene/text_measure.h"
#include "trace/event.h"
#include "trace/snapshot.h"
#include "trace/text.h"

namespace lockstep::scene {

struct StageInput {
  const trace::Snapshot& snapshot;
  const scenario::Scenario& scenario;  ///< labels, listings, the lock's path, the clients' order
  const TextMeasure& measure;
  Size size = {1280, 560};
  /// 12 to 40. Lowered where the stage could not hold even one client in its tightest form.
  float font_px = 14;
  trace::Language language = trace::Language::kZh;
  /// Time for messages in flight and running times; kSnapshotTime: the snapshot's own.
  TimeUs now_us = kSnapshotTime;
  std::string chosen;                   ///< id of the chosen client; empty: none
  const trace::Event* event = nullptr;  ///< what has just happened, to emphasise it; may be null
  /// All clients side by side; the scene may then be wider than `size`, for the window to scroll.
  bool unfolded = false;

  static constexpr TimeUs kSnapshotTime = -1;
};

/// Folding: if there are more clients than columns fit, shown are the first in the queue, every client in
/// danger, the chosen one and its neighbours in the queue, and the last; between them a count of the
/// others ("folded/..." regions). Columns then stand in queue order, else in the scenario's order.
Scene compose_stage(const StageInput& input);

}  // namespace lockstep::scene
