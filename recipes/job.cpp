#include "recipes/job.h"

#include "recipes/bug.h"

namespace lockstep::recipes {

void Job::begin(bool check_first) {
  check_first_ = check_first;
  next_write_ = 0;
  step_ = JobStep::kWork;
}

bool Job::ready() const {
  return step_ == JobStep::kWork || step_ == JobStep::kCheck || step_ == JobStep::kWrite;
}

void Job::next_line(const JobPlan& plan, TimeUs now, int64_t token, Outputs& out) {
  require(ready(), "a job was told to go on while it waits; ask ready() first");
  if (step_ == JobStep::kWork) {
    out.push_back(SetDeadline{DeadlineId::kWorkDone, now + plan.work_us});
    step_ = JobStep::kWorking;
    return;
  }
  if (step_ == JobStep::kCheck) {
    out.push_back(SendToResource{.read_only = true});
    step_ = JobStep::kChecking;
    return;
  }
  out.push_back(SendToResource{.token = token, .value = plan.writes[next_write_], .serial = ++serial_});
  step_ = JobStep::kWriting;
}

void Job::work_done(const JobPlan& plan) {
  if (step_ != JobStep::kWorking) return;  // The job was stopped meanwhile.
  if (plan.writes.empty()) {
    step_ = JobStep::kFinished;
  } else {
    step_ = check_first_ ? JobStep::kCheck : JobStep::kWrite;
  }
}

Job::Verdict Job::replied(const JobPlan& plan, const ResourceReplied& reply, int64_t token) {
  if (step_ == JobStep::kChecking) {
    if (reply.token_max > token) return Verdict::kRefused;
    step_ = JobStep::kWrite;
    return Verdict::kGoOn;
  }
  if (step_ != JobStep::kWriting) return Verdict::kGoOn;
  if (!reply.accepted) return Verdict::kRefused;
  ++next_write_;
  step_ = next_write_ < plan.writes.size() ? JobStep::kWork : JobStep::kFinished;
  return Verdict::kGoOn;
}

}  // namespace lockstep::recipes
