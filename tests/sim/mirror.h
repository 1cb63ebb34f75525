// An observer that holds the trace against the world at every single event.
#pragma once

#include <nlohmann/json.hpp>

#include "catch.h"
#include "sim/projection.h"
#include "trace/json.h"

namespace lockstep::toy {

/// What the snapshot holds that a world can be projected to.
inline trace::Snapshot comparable(trace::Snapshot snapshot) {
  snapshot.ledger.clear();
  snapshot.counters = {};
  return snapshot;
}

/// Fails the test at the first event after which the folded snapshot is not the projected world.
class Mirror : public sim::Observer {
 public:
  explicit Mirror(trace::Trace& trace) : trace_(trace), recorder_(trace) {}

  void on_event(const sim::World& world, trace::Event& event, const sim::Touched& touched,
                const sim::Judged& judged) override {
    recorder_.on_event(world, event, touched, judged);
    if (comparable(trace_.last()) == sim::project(world)) return;
    const trace::Event last = trace_.event(trace_.size() - 1);
    UNSCOPED_INFO(
        nlohmann::ordered_json::diff(trace::snapshot_to_json(comparable(trace_.last()), trace_.lock_path()),
                                     trace::snapshot_to_json(sim::project(world), trace_.lock_path()))
            .dump(1));
    FAIL("event " << last.index << " (" << trace::name_of(last.kind) << " " << last.data.what << " in " << last.lane
                  << "): the folded deltas are not the world");
  }

 private:
  trace::Trace& trace_;
  sim::Recorder recorder_;
};

}  // namespace lockstep::toy
