// The world as the rows of a snapshot, and the recorder that writes a trace of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

/// Writes every event with the rows that it has touched. The trace must stay where it is meanwhile.
class Recorder : public Observer {
 public:
  explicit Recorder(trace::Trace& trace) : writer_(trace) {}
  void on_event(const World& world, trace::Event& event, const Touched& touched,
                const Judged& judged) override;

 private:
  void put_clients(const World& world, const Touched& touched);
  void put_truth(const World& world, const Touched& touched);
  void put_network(const World& world, const Touched& touched);
  void put_ledger(const World& world, const Touched& touched, const Judged& judged);

  trace::Writer writer_;
  std::vector<trace::Place<trace::ClientRow>> client_places_;    // by client
  std::vector<trace::Place<trace::SessionRow>> session_places_;  // by session
  std::vector<trace::LanePlace> lane_places_;                    // by Touched::lane
  // What is about to be put; kept from one event to the next for the memory of their strings.
  std::string id_;
  trace::ClientRow client_;
  trace::SessionRow session_;
  trace::ServerRow server_;
  trace::ZnodeRow znode_;
  trace::WatchRow watch_;
  trace::LinkRow link_;
  trace::MessageRow message_;
  trace::ResourceRow resource_;
  trace::LedgerRow ledger_;
};

}  // namespace lockstep::sim
