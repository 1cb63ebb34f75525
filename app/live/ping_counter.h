// Counts the pings in what a client sends to a ZooKeeper server. Packets have their length before them, and
// a ping is a header alone: xid -2, type 11. Bytes come in any portions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "live/jute.h"

namespace lockstep::live {

class PingCounter {
 public:
  /// How many pings these bytes complete.
  int feed(std::string_view bytes) {
    int pings = 0;
    for (const char byte : bytes) {
      if (head_.size() < kHeadBytes) head_ += byte;
      if (++count_ < 4) continue;
      JuteReader in(head_);
      const auto length = static_cast<uint32_t>(in.i32());
      if (count_ < uint64_t{4} + length) continue;
      if (length == 8 && in.i32() == kPingXid) ++pings;
      restart();
    }
    return pings;
  }
  /// A new connection begins with a new packet.
  void restart() {
    head_.clear();
    count_ = 0;
  }

 private:
  static constexpr size_t kHeadBytes = 8;
  static constexpr int32_t kPingXid = -2;

  std::string head_;  // of the packet that is under way: its length and its xid
  uint64_t count_ = 0;
};

}  // namespace lockstep::live
