// The words of the stage: each function says one row of the snapshot. See stage_model.h for what they fill.
#pragma once

#include <string>
#include <string_view>

#include "scene/stage_census.h"
#include "scene/stage_model.h"
#include "scene/strings.h"

namespace lockstep::scene {

ClientView client_view(const StageInput& input, const Census& census, const Member& member);

/// Without its column, hue and direction.
MessageView message_view(const StageInput& input, const std::string& id,
                         const trace::MessageRow& message, const trace::LinkRow& link);

ServerView server_view(const StageInput& input, const std::string& id,
                       const trace::ServerRow& server);

/// Fills in what makes servers an ensemble: roles, logs, cuts, whom they serve, and what they send each other
/// (stage_ensemble_view.cpp). Nothing for a server alone.
void add_ensemble(const StageInput& input, const Census& census, StageModel& model);
/// How far a server has fallen behind what is committed, in words; empty: it has not.
std::string lag_of(const StageInput& input, const std::string& server);

LedgerView ledger_view(const StageInput& input, const Census& census);

bool is_resource(const StageInput& input, std::string_view id);

/// What a server is, as a word.
Word role_word(trace::ServerRole role);

/// Adds a part to a text, with a dot between; nothing if it is empty.
void add_part(std::string& text, std::string_view more);

/// input.now_us, or the snapshot's time.
TimeUs now_of(const StageInput& input);

}  // namespace lockstep::scene
