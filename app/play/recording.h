// A trace together with the recorder that goes on writing it. Moving it leaves both where they are; a copy has
// its own of each.
#pragma once

#include <memory>
#include <utility>

#include "sim/projection.h"
#include "trace/trace.h"

namespace lockstep::play {

class Recording {
 public:
  explicit Recording(trace::Trace trace) : parts_(std::make_unique<Parts>(std::move(trace))) {}
  Recording(const Recording& other) : Recording(other.trace()) {}
  Recording(Recording&&) noexcept = default;
  Recording& operator=(Recording&&) noexcept = default;

  const trace::Trace& trace() const { return parts_->trace; }
  trace::Trace& trace() { return parts_->trace; }
  sim::Recorder& recorder() { return parts_->recorder; }

 private:
  struct Parts {
    explicit Parts(trace::Trace made) : trace(std::move(made)), recorder(trace) {}

    trace::Trace trace;
    sim::Recorder recorder;
  };

  std::unique_ptr<Parts> parts_;
};

}  // namespace lockstep::play
