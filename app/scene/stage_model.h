// What the stage says about a snapshot, in words and numbers, before anything is placed: the columns that
// are shown, each with a client's belief, node and session, or with a count of folded clients; messages,
// servers, and the ledger. The band files draw it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scene/palette.h"
#include "scene/stage.h"
#include "trace/facts.h"

namespace lockstep::scene {

/// How a client's connection looks: solid, dashed, or grey and crossed.
enum class Tie : uint8_t { kUp, kUnsure, kOver, kNone };

struct NodeView {
  enum class Kind : uint8_t { kNone, kHolder, kQueued, kGhost };
  Kind kind = Kind::kNone;
  std::string path;
  std::string name;        ///< "lock-0000000042"
  std::string note;        ///< "holder · czxid 0x104"
  std::string watch_note;  ///< as note, for where the watch arrow has no room for its label
  std::string tooltip;
};

struct SessionView {
  std::string id;     ///< empty: none
  std::string label;  ///< "Session A#1"
  std::string text;   ///< "4.1 s left · timeout 6 s"
  float left = 0;     ///< part of its time that is left, 0 to 1
  Role role = Role::kTextDim;
  bool ended = false;
  std::string tooltip;
};

struct ClientView {
  std::string id;
  int32_t number = 0;  ///< its place in the scenario, which is its hue
  trace::Danger danger = trace::Danger::kNone;
  bool holds = false;    ///< in truth
  bool stopped = false;  ///< paused, hung or crashed
  bool chosen = false;
  bool emphasised = false;  ///< what has just happened, happened here
  Tie tie = Tie::kNone;
  std::string server;  ///< at the other end of its wires
  std::string title;   ///< its process
  std::string detail;  ///< its connection and what it has not read
  std::string server_note;  ///< of an ensemble: which server it uses, and whether that is behind
  std::string quote;
  std::string brief_quote;  ///< the same in fewer words; empty: there are none
  std::string chip;
  std::string brief_chip = {};  ///< where the line needs the room
  std::string line;
  std::string brief_line;  ///< its number only
  std::string tooltip;
  NodeView node;
  SessionView session;
};

struct FoldView {
  int64_t count = 0;
  int64_t dangerous = 0;
  int64_t waiting = 0;
};

struct ColumnView {
  bool folded = false;
  ClientView client;  ///< if not folded
  FoldView fold;      ///< if folded
};

/// A watch of a shown client.
struct WatchView {
  size_t from = 0;  ///< columns
  size_t to = 0;
  bool children = false;  ///< on the lock's directory; `to` means nothing
};

struct MessageView {
  std::string id;      ///< its number
  size_t column = 0;   ///< of its client
  int32_t number = 0;  ///< its client's hue
  bool to_client = false;
  bool with_resource = false;
  bool blocked = false;  ///< its link is cut or held
  bool ping = false;
  float progress = 0;  ///< 0: just sent; 1: due
  std::string label;
  std::string second;  ///< with a resource: token and what blocks it
  std::string tooltip;
};

/// A link that is cut or held.
struct BlockView {
  std::string link;
  size_t column = 0;
  std::string client;
  int32_t number = 0;
  bool to_client = false;
  bool with_resource = false;
  std::string text;
};

struct ServerView {
  std::string id;
  bool up = true;
  std::string text;  ///< of a server alone: what it is, and what it has applied
  // Of a member of an ensemble.
  trace::ServerRole role = trace::ServerRole::kStandalone;
  std::string title;  ///< "LEADING · epoch 2"
  std::string brief_title;  ///< "LEADING"
  std::string briefest_title;  ///< the same in the reader's language, which is shorter
  std::string zxid;   ///< "zxid 0x200000004": what it has applied
  std::string lag;    ///< "3 behind", "1 not committed"; empty: neither
  bool behind = false;
  std::string cuts;   ///< which links to other servers are cut; empty: none
  bool cut_off = false;  ///< all of them
  std::vector<std::pair<std::string, int32_t>> clients;  ///< whom it serves: ids and hues
  std::string tooltip;
};

/// A message between servers.
struct QuorumMessageView {
  std::string id;
  size_t from = 0;  ///< places in StageModel::servers
  size_t to = 0;
  bool ping = false;
  float progress = 0;  ///< 0: just sent; 1: due
  std::string label;
  std::string tooltip;
};

struct LedgerLine {
  std::string id;  ///< the row's key
  std::string who;
  int32_t number = 0;
  std::string token;
  std::string write;
  std::string verdict;
  bool accepted = false;
  bool stale = false;
  bool emphasised = false;
};

struct LedgerView {
  std::string resource;
  std::string value;
  std::string token_max;
  std::string rule;
  std::vector<LedgerLine> lines;  ///< the last `lines_max` of all, oldest first
  int64_t earlier = 0;            ///< rows before these
};

struct StageModel {
  std::vector<ColumnView> columns;
  std::vector<WatchView> watches;
  std::vector<MessageView> messages;  ///< by column, the first sent first
  std::vector<BlockView> blocks;      ///< by column
  std::vector<ServerView> servers;
  std::vector<QuorumMessageView> quorum_messages;  ///< those on their way, none that is blocked
  std::string quorum;  ///< of an ensemble: who leads, with how many; or that nobody does
  bool has_quorum = true;
  std::string directory;       ///< "/locks/sku-1"
  std::string directory_note;  ///< "3 children"
  LedgerView ledger;
};

/// How many columns there may be.
struct ColumnRoom {
  float all = 0;
  float client = 0;
  float folded = 0;
};

/// How many columns of at least this width a stage has: for its choice between wide and narrow ones.
StageModel model_of(const StageInput& input, const ColumnRoom& room);

constexpr size_t kLedgerLinesMax = 64;

}  // namespace lockstep::scene
