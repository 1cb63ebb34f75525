#include "scene/strings.h"

namespace lockstep::scene {
namespace {

struct Row {
  Word word = Word::kWords_;
  std::string_view zh;
  std::string_view en;
};

constexpr Row kTable[] = {
    {Word::kBelief, "信念", "Belief"},
    {Word::kBeliefNote, "每个客户端自己以为的", "what each client thinks"},
    {Word::kTruth, "事实", "Truth"},
    {Word::kTruthNote, "ZooKeeper 已提交的", "what ZooKeeper has committed"},
    {Word::kLedger, "账本", "Ledger"},
    {Word::kLedgerNote, "外部资源收下了什么", "what the resource has taken"},

    {Word::kNotStarted, "未启动", "Not started"},
    {Word::kRunning, "运行中", "Running"},
    {Word::kResumed, "刚恢复 {0}", "Back for {0}"},
    {Word::kPaused, "停顿 {0}", "Paused for {0}"},
    {Word::kHung, "应用卡住 {0}", "Hung for {0}"},
    {Word::kCrashed, "已崩溃 {0}", "Crashed {0} ago"},
    {Word::kUnread, "收件箱 {0} 条未读", "{0} unread"},
    {Word::kInputs, "{0} 个事件待处理", "events to look at: {0}"},

    {Word::kNoConnection, "没有连接", "No connection"},
    {Word::kConnecting, "连接断开，重连中", "Disconnected, retrying"},
    {Word::kFirstConnecting, "连接中", "Connecting"},
    {Word::kConnected, "已连接", "Connected"},
    {Word::kSessionExpired, "得知会话已过期", "Told: session expired"},
    {Word::kClosed, "会话已关闭", "Session closed"},

    {Word::kSaysIdle, "我还没开始", "I have not begun"},
    {Word::kSaysAcquiring, "我正在取锁", "I ask for the lock"},
    {Word::kSaysWaiting, "我排在 {0} 后面", "I wait behind {0}"},
    {Word::kSaysQueued, "我在排队", "I am in the queue"},
    {Word::kSaysHolding, "我持有锁，令牌 {0}", "I hold the lock, token {0}"},
    {Word::kSaysHoldingBriefly, "我持有锁 {0}", "I hold it, {0}"},
    {Word::kSaysSuspended, "我不知道还持不持有", "Do I still hold it?"},
    {Word::kSaysReleasing, "我正在放开锁", "I am letting go"},
    {Word::kSaysReleased, "我已放开锁", "I have let go"},
    {Word::kSaysLost, "我失去了锁", "I have lost the lock"},
    {Word::kSaysTimedOut, "我等得太久，放弃了", "I gave up waiting"},
    {Word::kSaysCancelled, "我被叫停，不等了", "I was told to stop"},
    {Word::kSaysFailed, "我出错停下了", "An error stopped me"},
    {Word::kSaysNothing, "（不会说话了）", "(says nothing)"},
    {Word::kQuote, "“{0}”", "“{0}”"},

    {Word::kAgrees, "＝ 事实", "= truth"},
    {Word::kBehind, "尚未得知", "not heard yet"},
    {Word::kDangerous, "≠ 事实 · 危险", "≠ truth · danger"},
    {Word::kDangerousBriefly, "危险", "danger"},
    {Word::kLine, "第 {0} 行 {1}", "line {0} {1}"},
    {Word::kLineBriefly, "第 {0} 行", "line {0}"},
    {Word::kNextLine, "将运行第 {0} 行 {1}", "next: line {0} {1}"},
    {Word::kToken, "令牌 {0}", "token {0}"},

    {Word::kChildren, "{0} 个子节点", "{0} [child|children]"},
    {Word::kHolder, "持有者", "holder"},
    {Word::kPlace, "第 {0} 位", "place {0}"},
    {Word::kWaitsBehind, "监视第 {0} 位", "watches place {0}"},
    {Word::kCzxid, "czxid {0}", "czxid {0}"},
    {Word::kWatches, "监视", "watch"},
    {Word::kWatchesChildren, "监视目录", "watches the list"},
    {Word::kGoneExpired, "会话过期，已删除", "session expired, deleted"},
    {Word::kGoneClosed, "会话关闭，已删除", "session closed, deleted"},
    {Word::kGoneDeleted, "已删除", "deleted"},
    {Word::kNoNode, "没有节点", "no node"},
    {Word::kMoreNodes, "另有 {0} 个节点", "{0} more [node|nodes]"},
    {Word::kSession, "会话 {0}", "Session {0}"},
    {Word::kNoSession, "没有会话", "No session"},
    {Word::kRemaining, "还剩 {0} · 超时 {1}", "{0} left · timeout {1}"},
    {Word::kRemainingTip, "服务器每个 tick 检查一次：会话在超时之后的那个 tick 结束",
     "The server looks once a tick: a session ends at the tick after its timeout"},
    {Word::kOverdue, "时间已到，将被清除", "time is up, about to end"},
    {Word::kNoLeaderCounts, "没有领导者，不计时", "no leader: its time stands still"},
    {Word::kExpiredAt, "过期于 {0}", "expired at {0}"},
    {Word::kClosedAt, "关闭于 {0}", "closed at {0}"},
    {Word::kServerUp, "运行", "up"},
    {Word::kServerDown, "停机", "down"},
    {Word::kStandalone, "单机", "standalone"},
    {Word::kLooking, "选举中", "looking"},
    {Word::kFollowing, "跟随", "following"},
    {Word::kLeading, "领导", "leading"},
    {Word::kObserving, "观察", "observing"},
    {Word::kZxid, "zxid {0}", "zxid {0}"},
    {Word::kEpoch, "epoch {0}", "epoch {0}"},
    {Word::kVotesFor, "投 {0}", "votes for {0}"},
    {Word::kNotServing, "不服务", "not serving"},
    {Word::kServerPaused, "停顿", "paused"},
    {Word::kZxidsBehind, "落后 {0}", "{0} behind"},
    {Word::kEpochsBehind, "落后一个 epoch 以上", "an epoch behind"},
    {Word::kNotCommitted, "{0} 个未提交", "{0} not committed"},
    {Word::kQuorum, "{2} 领导，多数派 {0}/{1}", "{2} leads, quorum {0} of {1}"},
    {Word::kNoQuorum, "没有多数派，无人服务写入", "no quorum: no writes are served"},
    {Word::kCutOff, "与所有人隔开", "cut off"},
    {Word::kOn, "在 {0}", "on {0}"},
    {Word::kCut, "已切断", "cut"},
    {Word::kHeld, "被扣住", "held back"},
    {Word::kStrangers, "另有 {0} 个他人的节点", "{0} [node|nodes] of others"},

    {Word::kMoreClients, "另外 {0} 个", "{0} more"},
    {Word::kMoreDangerous, "{0} 个危险", "{0} in danger"},
    {Word::kMoreWaiting, "{0} 个在等", "{0} waiting"},

    {Word::kNumber, "#", "#"},
    {Word::kWho, "谁", "who"},
    {Word::kTokenHead, "令牌", "token"},
    {Word::kWrite, "写入", "write"},
    {Word::kVerdict, "结果", "verdict"},
    {Word::kAccepted, "接受", "accepted"},
    {Word::kAcceptedStale, "接受了陈旧写入", "accepted though stale"},
    {Word::kRefused, "拒绝：{0} < {1}", "refused: {0} < {1}"},
    {Word::kRefusedEqual, "拒绝：{0} 已用过", "refused: {0} was used"},
    {Word::kRefusedNoToken, "拒绝：没有令牌", "refused: no token"},
    {Word::kEarlierRows, "更早还有 {0} 条", "{0} earlier"},
    {Word::kNothingYet, "还没有写入", "no write yet"},
    {Word::kTokenMax, "已接受的最大令牌 {0}", "highest token accepted {0}"},
    {Word::kNone, "无", "none"},
    {Word::kValue, "{0} = {1}", "{0} = {1}"},
    {Word::kRule, "规则：{0}", "rule: {0}"},
    {Word::kRuleNone, "不检查令牌", "no check"},
    {Word::kRuleGreater, "令牌 > 最大", "token > highest"},
    {Word::kRuleGreaterOrEqual, "令牌 ≥ 最大", "token ≥ highest"},
    {Word::kToResource, "往返 {0}", "to and from {0}"},
    {Word::kMoreMessages, "另有 {0} 条", "{0} more"},
    {Word::kMoreBlocked, "另有 {0} 条受阻", "{0} more blocked"},

    {Word::kServers, "ZooKeeper", "ZooKeeper"},
    {Word::kMarkAcquired, "获得", "acquired"},
    {Word::kMarkLost, "失去", "lost"},
    {Word::kMarkExpired, "{0} 会话过期", "{0} session expired"},
    {Word::kMarkReleased, "放开", "released"},
    {Word::kMarkAccepted, "接受", "accepted"},
    {Word::kMarkAcceptedStale, "接受陈旧写入", "accepted, stale"},
    {Word::kMarkRefused, "拒绝", "refused"},
    {Word::kMarkSuspended, "断连", "suspended"},
    {Word::kMarkTold, "得知过期", "told: expired"},
    {Word::kMarkTimedOut, "等待超时", "timed out"},
    {Word::kMarkCancelled, "取消", "cancelled"},
    {Word::kMarkFailed, "出错", "failed"},
    {Word::kSpanCrashed, "崩溃", "crashed"},
    {Word::kSpanHolding, "持有", "holds"},
    {Word::kSpanDangerous, "危险：自以为持有", "danger: only thinks it holds"},
    {Word::kSpanOwned, "锁属于 {0}", "lock of {0}"},
    {Word::kSeconds, "{0} s", "{0} s"},
    {Word::kMilliseconds, "{0} ms", "{0} ms"},
    {Word::kMicroseconds, "{0} µs", "{0} µs"},
    {Word::kStep, "第 {0} / {1} 步", "step {0} of {1}"},
};

constexpr size_t kRows = static_cast<size_t>(Word::kWords_);

constexpr bool in_order() {
  if (sizeof(kTable) / sizeof(kTable[0]) != kRows) return false;
  for (size_t i = 0; i < kRows; ++i) {
    if (static_cast<size_t>(kTable[i].word) != i || kTable[i].zh.empty() || kTable[i].en.empty()) {
      return false;
    }
  }
  return true;
}
static_assert(in_order(), "the table has one row a word, in the order of Word, in both languages");

std::string with_digits(int64_t value, int64_t unit, int64_t digits_unit) {
  const int64_t whole = value / unit;
  std::string digits = std::to_string(value % unit / digits_unit);
  size_t places = 0;
  for (int64_t u = unit; u > digits_unit; u /= 10) ++places;
  digits.insert(0, places - digits.size(), '0');
  return std::to_string(whole) + "." + digits;
}

}  // namespace

std::string_view word(Word word, trace::Language language) {
  const Row& row = kTable[static_cast<size_t>(word)];
  return language == trace::Language::kZh ? row.zh : row.en;
}

std::string counted(std::string_view text, bool one) {
  std::string fitting;
  while (!text.empty()) {
    const size_t open = text.find('[');
    const size_t bar = text.find('|', std::min(open, text.size()));
    const size_t close = text.find(']', std::min(bar, text.size()));
    fitting += text.substr(0, close == std::string_view::npos ? text.size() : open);
    if (close == std::string_view::npos) break;
    fitting += one ? text.substr(open + 1, bar - open - 1) : text.substr(bar + 1, close - bar - 1);
    text.remove_prefix(close + 1);
  }
  return fitting;
}

std::string say(Word key, trace::Language language,
                std::initializer_list<std::string_view> values) {
  const std::string pattern =
      counted(word(key, language), values.size() > 0 && *values.begin() == "1");
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const bool slot = pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}';
    const size_t which = slot ? static_cast<size_t>(pattern[i + 1] - '0') : values.size();
    if (which >= values.size()) {
      text += pattern[i];
      continue;
    }
    text += *(values.begin() + which);
    i += 2;
  }
  return text;
}

std::string all_words() {
  std::string all;
  for (const Row& row : kTable) all.append(row.zh).append(row.en);
  return all;
}

std::string span_text(TimeUs span_us, trace::Language language) {
  if (span_us < 0) span_us = 0;
  if (span_us == 0) return say(Word::kMilliseconds, language, {"0"});
  if (span_us < 10 * kMillisecond) {
    return say(Word::kMilliseconds, language, {with_digits(span_us, kMillisecond, 100)});
  }
  if (span_us < kSecond) {
    return say(Word::kMilliseconds, language, {std::to_string(span_us / kMillisecond)});
  }
  return say(Word::kSeconds, language, {with_digits(span_us, kSecond, kSecond / 10)});
}

}  // namespace lockstep::scene
