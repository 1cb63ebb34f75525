// What the timeline needs to know about a trace, gathered once and sorted by time, so that any stretch of
// a long run is drawn without reading the whole run.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace lockstep::scene {

/// A message's way through the network.
struct Flight {
  TimeUs sent_us = 0;
  TimeUs arrived_us = -1;  ///< -1: it has not arrived so far
  uint32_t from = 0;       ///< lane numbers
  uint32_t to = 0;
  int64_t sent_event = 0;
  bool dropped = false;  ///< thrown away at arrived_us
  bool ping = false;     ///< keeps a session alive, nothing else; drawn faintly
  bool to_resource = false;
};

/// One event worth a mark: acquired, lost, expired, accepted, refused, ...
struct Mark {
  TimeUs time_us = 0;
  int64_t event = 0;
  uint32_t lane = 0;
  trace::EventKind kind = trace::EventKind::kStarted;
  uint32_t peer = 0;   ///< lane of the client that it is about, on a server's or resource's lane
  bool stale = false;  ///< of a write
};

enum class SpanKind : uint8_t {
  kPaused,
  kHung,
  kCrashed,
  kHolding,    ///< on a client's lane: it believes that it holds, and does
  kDangerous,  ///< on a client's lane: it believes that it holds, and does not
  kOwned,      ///< on the truth's lane: `owner` holds in truth
  kLeading,    ///< on a server's lane: it leads the ensemble
  kLooking,    ///< on a server's lane: it has no leader
};

/// A state that lasted.
struct Span {
  TimeUs from_us = 0;
  TimeUs to_us = -1;  ///< -1: it lasts
  uint32_t lane = 0;
  SpanKind kind = SpanKind::kPaused;
  uint32_t owner = 0;  ///< of kOwned: the lane of the client
};

/// Grows with its trace. After the trace was cut (a fork, another branch) call reset() first.
class TimelineIndex {
 public:
  /// Takes in the events that the trace has more than at the last call.
  void extend(const trace::Trace& trace);
  void reset();

  int64_t events() const { return events_; }
  TimeUs end_us() const { return end_us_; }

  /// Lanes by number: of an ensemble first the lock itself ("/sku-1"), then servers, the resource, and then the
  /// clients in the scenario's order; clients that join later follow.
  const std::vector<std::string>& lanes() const { return lanes_; }
  uint32_t clients() const { return static_cast<uint32_t>(lanes_.size()) - first_client_; }
  uint32_t first_client() const { return first_client_; }  ///< its lane; before it, the others
  bool is_client(uint32_t lane) const { return lane >= first_client_; }
  /// A client's number, for its hue.
  int32_t number_of(uint32_t lane) const { return static_cast<int32_t>(lane - first_client_); }
  uint32_t truth_lane() const { return truth_lane_; }  ///< of an ensemble the lock's own, else the server's
  uint32_t resource_lane() const { return resource_lane_; }
  const std::vector<Flight>& flights() const { return flights_; }  ///< by sent_us
  const std::vector<Mark>& marks() const { return marks_; }        ///< by time_us
  const std::vector<Span>& spans() const { return spans_; }        ///< by from_us

  /// A row before which no flight (or span) reaches `from_us`, near the first that does: where to begin
  /// to look. Cost: one step for each 256 rows.
  size_t first_flight(TimeUs from_us) const;
  size_t first_span(TimeUs from_us) const;

 private:
  struct LaneState {
    bool believes = false;
    int64_t belief_span = -1;  // index in spans_
    int64_t process_span = -1;
    int64_t role_span = -1;
  };

  /// A run of rows: the latest end among those that have ended, and how many have not.
  struct Block {
    TimeUs end_us = 0;
    uint32_t open = 0;
  };
  static constexpr size_t kBlockRows = 256;
  static constexpr TimeUs kForEver = INT64_MAX;

  static void raise(std::vector<Block>& blocks, size_t row, TimeUs end_us);
  static void settle(std::vector<Block>& blocks, size_t row, TimeUs end_us);
  static size_t first_row(const std::vector<Block>& blocks, TimeUs from_us);

  void begin(const trace::Trace& trace);
  void take(const trace::Event& event);
  void take_message(const trace::Event& event);
  void take_process(const trace::Event& event);
  void take_role(const trace::Event& event);
  void take_belief(const trace::Event& event);
  void take_truth(const trace::Event& event);
  void owner_may_have_changed(TimeUs time_us);
  void belief_may_have_changed(uint32_t client, TimeUs time_us);
  uint32_t lane_of(const std::string& id);
  int64_t open_span(Span span);
  void close_span(int64_t& span, TimeUs time_us);

  int64_t events_ = 0;
  TimeUs end_us_ = 0;
  std::string lock_path_;
  std::vector<std::string> lanes_;
  std::map<std::string, uint32_t, std::less<>> lane_numbers_;
  uint32_t first_client_ = 0;
  uint32_t truth_lane_ = 0;  // where kOwned spans lie
  uint32_t resource_lane_ = 0;
  std::vector<LaneState> states_;        // by lane
  std::map<int64_t, size_t> in_flight_;   // message number to row of flights_
  std::map<int32_t, std::string> queue_;  // sequence number to path, in the lock's directory
  std::map<std::string, uint32_t, std::less<>> owners_;  // path to client lane
  std::map<uint32_t, std::set<int32_t>> numbers_;        // client lane to its nodes in queue_
  int64_t owner_ = -1;                                   // client lane; -1: nobody
  int64_t owner_span_ = -1;
  std::vector<Flight> flights_;
  std::vector<Mark> marks_;
  std::vector<Span> spans_;
  std::vector<Block> flight_ends_;
  std::vector<Block> span_ends_;
};

}  // namespace lockstep::scene
