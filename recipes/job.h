// What a client does while it holds a lock: work for a while, write to the external resource, again
// for each write, and then let go. A recipe that grants ownership carries one of these.
#pragma once

#include <cstdint>
#include <vector>

#include "recipes/machine.h"

namespace lockstep::recipes {

/// The plan, as a scenario gives it.
struct JobPlan {
  TimeUs work_us = 500 * kMillisecond;  ///< before each write; without writes, once
  std::vector<int64_t> writes;          ///< the values to write, in order

  bool operator==(const JobPlan&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("work_us", self.work_us);
    visit("writes", self.writes);
  }
};

/// Where a job stands. kWork, kCheck and kWrite are about to run; the others wait for an answer.
enum class JobStep : uint8_t { kNone, kWork, kWorking, kCheck, kChecking, kWrite, kWriting, kFinished };

class Job {
 public:
  /// `check_first` reads the resource's highest token before each write and compares it here, in the
  /// client: the mistake, since the answer is old when the write is sent.
  void begin(bool check_first);
  void stop() { step_ = JobStep::kNone; }

  JobStep step() const { return step_; }
  bool ready() const;
  /// How many writes have been sent so far, over all rounds.
  int32_t writes_sent() const { return serial_; }

  /// Runs the next line. Requires ready().
  void next_line(const JobPlan& plan, TimeUs now, int64_t token, Outputs& out);
  /// Without writes the job is finished then.
  void work_done(const JobPlan& plan);

  enum class Verdict : uint8_t { kGoOn, kRefused };
  /// Takes the resource's answer. kRefused: the token is out of date, ownership is over.
  Verdict replied(const JobPlan& plan, const ResourceReplied& reply, int64_t token);

  bool operator==(const Job&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("step", self.step_);
    visit("check_first", self.check_first_);
    visit("next_write", self.next_write_);
    visit("serial", self.serial_);
  }

 private:
  JobStep step_ = JobStep::kNone;
  bool check_first_ = false;
  uint32_t next_write_ = 0;
  int32_t serial_ = 0;
};

}  // namespace lockstep::recipes
