// What can be done to a thing on the stage: the same list for the row of buttons, the keys and the context
// menus. Verbs come in pairs (pause and resume), of which the one that makes sense now is offered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gui/strings.h"
#include "trace/snapshot.h"

namespace lockstep::gui {

struct Offer {
  std::string name;  ///< as interventions are called: "pause A"
  std::string id;    ///< of its button or row, after "action/" or "menu/": "pause", "rule none"
  Word what = Word::kPause;
  std::string about = {};  ///< for the {0} in `what`: another server
  std::string key = {};  ///< empty: none
  bool possible = false;
};

struct OfferInput {
  const trace::Snapshot& snapshot;
  const scenario::Scenario& scenario;
  const std::vector<std::string>& possible;  ///< Tape::possible()
};

std::vector<Offer> offers_for_client(const OfferInput& input, const std::string& client);

/// What an offer is called.
std::string text_of(const Offer& offer, trace::Language language);

/// For a region of the stage: "client/A", "server/zk1", "link/A>zk1", "message/17", "znode/...", "session/A#1",
/// "resource/db"; empty if nothing can be done to it.
std::vector<Offer> offers_for_region(const OfferInput& input, std::string_view region);

/// The client that a region belongs to; empty if none.
std::string client_of_region(const trace::Snapshot& snapshot, std::string_view region);

/// The rule that the fencing switch would set now: "none" or "greater_or_equal".
std::string other_rule(const OfferInput& input);

}  // namespace lockstep::gui
