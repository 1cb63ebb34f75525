// What is open: a lesson, a scenario or a trace, being played. Panels read it; only commands change it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "course/session.h"
#include "gui/tape.h"
#include "scenario/problem.h"
#include "scene/timeline_index.h"

namespace lockstep::gui {

enum class World : uint8_t { kSimulated, kExplored, kLive, kRecorded };

class Document {
 public:
  /// Any FILE that the command line names.
  static scenario::Result<std::unique_ptr<Document>> open(const std::string& path);

  const std::string& file() const { return file_; }
  std::string id() const;  ///< "L18"; the scenario's name if it is no lesson
  std::string title(bool chinese) const;
  World world() const;

  Tape& tape() { return *tape_; }
  const Tape& tape() const { return *tape_; }
  const trace::Trace& trace() const { return tape_->trace(); }
  const trace::Snapshot& snapshot() const { return tape_->snapshot(); }
  const scenario::Scenario& scenario() const { return tape_->scenario(); }
  /// The event just after which we look; nullopt at the start.
  const std::optional<trace::Event>& event() const { return event_; }
  const scene::TimelineIndex& index() const { return index_; }
  /// nullptr if no lesson is open, or it is being played for real.
  course::Session* session() { return session_ ? &*session_ : nullptr; }
  const course::Session* session() const { return session_ ? &*session_ : nullptr; }
  const course::Lesson* lesson() const { return lesson_.get(); }

  /// Brings index, facts and session up to the tape: after whatever was done to it. Changes revision() if
  /// anything is different.
  void refresh();
  uint64_t revision() const { return revision_; }

  /// Plays the lesson's variant (nullopt: as it is), from the start.
  void play_variant(std::optional<size_t> variant);
  std::optional<size_t> variant() const;
  /// Plays the same scenario on real servers, or again in the simulator.
  [[nodiscard]] std::optional<scenario::Problem> play_live();
  void play_simulated();

  /// Ids of clients that are not the scenario's: they have joined since, each like the last of the scenario.
  std::vector<std::string> joined() const;
  /// Number of a client, for its hue, with those who have joined; -1 if it is none.
  int32_t number_of(const std::string& client) const;

 private:
  Document(std::string file, std::unique_ptr<Tape> tape);

  struct Seen {
    int32_t branch = -1;
    int64_t position = trace::kNoEvent;
    int64_t events = -1;
    bool ended = false;

    bool operator==(const Seen&) const = default;
  };

  std::string file_;
  scenario::Scenario scenario_;
  std::shared_ptr<const course::Lesson> lesson_;
  std::optional<course::Session> session_;
  std::unique_ptr<Tape> tape_;
  bool live_ = false;
  scene::TimelineIndex index_;
  Seen seen_;
  std::optional<trace::Event> event_;
  uint64_t revision_ = 0;
};

}  // namespace lockstep::gui
