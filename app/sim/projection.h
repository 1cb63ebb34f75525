// The world as the rows of a snapshot, and the recorder that writes a trace of it.
#pragma once

#include <cstdint>
#include <string>

#include "sim/world.h"
#include "trace/snapshot.h"
#include "trace/trace.h"
#include "trace/writer.h"

namespace lockstep::sim {

/// The whole world as a snapshot, all but the ledger and the counters, which only the past knows. Costs what
/// the world holds.
trace::Snapshot project(const World& world);

/// A trace that starts from this world.
trace::Trace trace_of(const World& world);

/// Writes every event with the rows that it has touched.
class Recorder : public Observer {
 public:
  explicit Recorder(trace::Trace& trace) : writer_(trace) {}
  void on_event(const World& world, trace::Event event, const Touched& touched,
                const Judged& judged) override;

 private:
  void put_rows(const World& world, const Touched& touched);

  trace::Writer writer_;
};

}  // namespace lockstep::sim
