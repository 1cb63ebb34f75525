// What one trace says about a lesson: where its beats stand, whether its claims hold, what the answers to
// its questions are. It grows with the trace, so that it can be asked while a run is still going on.
//
// Beats are looked for in their order, each from where the one before it stands. One that a whole run
// never reaches (a variant may leave it out), or that is told in other variants only, is passed over. All positions are indexes of events, meaning
// just after that event; trace::kNoEvent is the start.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "course/lesson.h"
#include "trace/trace.h"

namespace lockstep::course {

enum class Verdict : uint8_t {
  kHolds,  ///< "always": so far
  kBroken,
  kOpen,  ///< nothing has decided it yet
};

/// A claim's verdict, the position that decided it, and the value that stood there.
struct Finding {
  Verdict verdict = Verdict::kOpen;
  std::optional<int64_t> at;
  scenario::Value value;

  bool operator==(const Finding&) const = default;
};

/// The answer to a prediction.
struct Answer {
  int64_t at = trace::kNoEvent;  ///< the position where it was read
  scenario::Value value;
  /// The event that decided it, if the prediction names kinds: the last of them until then or in the very
  /// step that was looked at, but none older than the answer itself.
  std::optional<int64_t> event;

  bool operator==(const Answer&) const = default;
};

class Evidence {
 public:
  /// `variant`: which the traces are of; nullopt: the lesson as it is.
  Evidence(std::shared_ptr<const Lesson> lesson, std::optional<size_t> variant);

  /// Reads what is new in the trace; `ended` says that nothing more will come. A trace that is not a
  /// continuation of what was read (another branch) is read from its start.
  void read(const trace::Trace& trace, bool ended);
  /// Forgets everything.
  void restart();

  /// Where the beat stands; nullopt: not reached (so far, or never: see whole()).
  std::optional<int64_t> beat_at(size_t beat) const { return beats_[beat]; }
  /// True: the run has ended, and what is not there will not come.
  bool whole() const { return ended_; }

  /// The claim as it stands when one looks at `position`.
  Finding claim(size_t claim, int64_t position) const;
  /// The claim over all that was read.
  Finding claim(size_t claim) const;
  /// The answer to the beat's prediction, as soon as the trace has it.
  const std::optional<Answer>& answer(size_t beat) const { return answers_[beat]; }

 private:
  /// A line that some moment waits for, and how often its client has come to it.
  struct LineVisits {
    std::string client;
    std::string line;
    int32_t number = 0;
    bool there = false;
    int32_t visits = 0;
  };
  /// What a claim's condition was, where that decides the claim.
  struct Decision {
    std::optional<int64_t> at;
    scenario::Value value;
  };

  void look(const trace::Trace& trace, int64_t index, const trace::Snapshot& snapshot);
  void look_for_answers(const trace::Trace& trace, int64_t index, const trace::Snapshot& snapshot);
  bool is_there(const Prediction& predict, const trace::Snapshot& snapshot) const;
  void finish(const trace::Trace& trace);
  void find_remaining_beats(const trace::Trace& trace);
  std::optional<int64_t> first_after(const trace::Trace& trace, int64_t from,
                                     const std::function<bool(const trace::Snapshot&)>& is_it);
  std::optional<int64_t> first_answered(const trace::Trace& trace, const Prediction& predict,
                                        int64_t asked);
  void find_beats(int64_t index, const trace::Snapshot& snapshot);
  bool reached(const Moment& moment, const trace::Snapshot& snapshot) const;
  void start_counting(const scenario::Scenario& scenario);
  void count_lines(const trace::Snapshot& snapshot);
  Answer read_answer(const Prediction& predict, const trace::Trace& trace, int64_t index) const;
  std::optional<int64_t> deciding_event(const Prediction& predict, const trace::Trace& trace,
                                        int64_t index) const;
  int64_t last_change(const std::string& pointer, const trace::Trace& trace, int64_t from,
                      int64_t to) const;
  bool continues(const trace::Trace& trace) const;

  std::shared_ptr<const Lesson> lesson_;
  std::optional<size_t> variant_;
  std::string lock_path_;
  int64_t next_ = trace::kNoEvent;  // the position that is read next
  std::optional<trace::Event> last_event_;
  bool ended_ = false;
  std::vector<std::optional<int64_t>> beats_;
  size_t next_beat_ = 0;
  std::vector<Decision> decisions_;  // of claims that are always or sometimes
  std::vector<Decision> at_end_;     // every claim's condition after the last event; at: it held
  std::vector<std::optional<Answer>> answers_;
  std::vector<bool> comes_to_be_;  // by beat: when it asked, nothing stood where the answer will
  std::vector<LineVisits> lines_;
};

}  // namespace lockstep::course
