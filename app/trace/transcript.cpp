// One snapshot in words: belief, truth, ledger, and what lies between them.
#include <utility>

#include "trace/facts.h"
#include "trace/text.h"

namespace lockstep::trace {
namespace {

/// Writes one transcript; everything is said in one language.
class Transcript {
 public:
  Transcript(const Snapshot& snapshot, std::string_view lock_path, Language language)
      : snapshot_(snapshot),
        truth_(truth_of(snapshot, lock_path)),
        zh_(language == Language::kZh) {}

  std::string write() {
    line(time_text(snapshot_.time_us));
    head("信念", "Belief");
    for (const auto& [id, client] : snapshot_.clients) write_client(id, client);
    head("事实", "Truth");
    write_queue();
    for (const auto& [id, session] : snapshot_.sessions) write_session(id, session);
    write_watches();
    for (const auto& [id, server] : snapshot_.servers) write_server(id, server);
    head("网络", "Network");
    write_network();
    head("账本", "Ledger");
    for (const auto& [id, resource] : snapshot_.resources) write_resource(id, resource);
    for (const auto& [id, row] : snapshot_.ledger) write_judgement(id, row);
    return std::move(text_);
  }

 private:
  std::string say(std::string_view zh, std::string_view en) const {
    return std::string(zh_ ? zh : en);
  }
  void line(const std::string& words) { text_ += words + "\n"; }
  void head(std::string_view zh, std::string_view en) { line(say(zh, en)); }
  void item(const std::string& id, const std::string& words) {
    line("  " + id + say("：", ": ") + words);
  }
  std::string comma() const { return say("，", ", "); }

  // ---- Belief ----------------------------------------------------------------------------------

  std::string process_words(const ClientRow& client) const {
    const std::string since = time_text(client.process_since_us);
    switch (client.process) {
      case Process::kNotStarted: return say("尚未启动", "not started");
      case Process::kRunning: return say("运行中", "running");
      case Process::kPaused: return say("自 " + since + " 起暂停", "paused since " + since);
      case Process::kHung:
        return say("自 " + since + " 起应用卡住", "application hung since " + since);
      case Process::kCrashed: return say("已于 " + since + " 崩溃", "crashed at " + since);
    }
    return {};
  }

  std::string connection_words(const ClientRow& client) const {
    switch (client.connection) {
      case Connection::kNone: return say("无连接", "no connection");
      case Connection::kConnecting: return say("正在连接", "connecting");
      case Connection::kConnected: return say("已连接", "connected");
      case Connection::kExpired: return say("知道会话已过期", "told that its session has expired");
      case Connection::kClosed: return say("连接已关闭", "connection closed");
    }
    return {};
  }

  std::string belief_words(const ClientRow& client) const {
    switch (client.belief) {
      case Belief::kIdle: return say("还没有开始", "has not begun");
      case Belief::kAcquiring: return say("正在取锁", "is asking for the lock");
      case Belief::kWaiting:
        return client.waits_for.empty()
                   ? say("认为自己在排队", "believes that it waits")
                   : say("认为自己在等 " + short_name(client.waits_for),
                         "believes that it waits for " + short_name(client.waits_for));
      case Belief::kHolding: return say("认为自己持有锁", "believes that it holds the lock");
      case Belief::kSuspended:
        return say("曾持有锁，现在不能确定", "held the lock and is not sure any more");
      case Belief::kReleasing: return say("正在释放", "is releasing");
      case Belief::kReleased: return say("已释放", "has released");
      case Belief::kLost: return say("知道自己失去了锁", "knows that it has lost the lock");
      case Belief::kTimedOut: return say("等待超时，已放弃", "has given up after its time-out");
      case Belief::kCancelled: return say("已取消等待", "has given up as it was asked to");
      case Belief::kFailed: return say("已失败", "has failed");
    }
    return {};
  }

  std::string danger_words(Danger danger) const {
    switch (danger) {
      case Danger::kNone: return say("与事实相符", "as it is in truth");
      case Danger::kBehind: return say("落后于事实", "behind the truth");
      case Danger::kDangerous:
        return say("危险：事实上它不持有锁", "DANGER: in truth it does not hold it");
    }
    return {};
  }

  void write_client(const std::string& id, const ClientRow& client) {
    std::string words =
        process_words(client) + comma() + connection_words(client) + comma() + belief_words(client);
    if (client.token != -1) words += comma() + say("令牌 ", "token ") + token_text(client.token);
    words += comma() + danger_words(danger_of(snapshot_, truth_, id));
    if (client.line != 0) {
      const std::string number = std::to_string(client.line);
      words += comma() + (client.at_line
                              ? say("即将执行第 " + number + " 行", "about to run line " + number)
                              : say("在第 " + number + " 行等待结果",
                                    "at line " + number + " for its outcome"));
    }
    if (client.unread != 0) {
      const std::string count = std::to_string(client.unread);
      words += comma() + say(count + " 个未读的包", "packets unread: " + count);
    }
    if (client.inputs != 0) {
      const std::string count = std::to_string(client.inputs);
      words += comma() + say(count + " 个未处理的通知", "inputs not looked at: " + count);
    }
    item(id, words);
  }

  // ---- Truth -----------------------------------------------------------------------------------

  void write_queue() {
    const std::string nobody = say("无人", "nobody");
    item(say("持有者", "Holder"), truth_.holder.empty() ? nobody : truth_.holder);
    if (truth_.queue.empty()) item(say("队列", "Queue"), say("空", "empty"));
    int64_t place = 0;
    for (const std::string& name : truth_.queue) {
      const std::string path = truth_.lock_path == "/" ? "/" + name : truth_.lock_path + "/" + name;
      const ZnodeRow* znode = find(snapshot_.znodes, path);
      if (!znode) continue;
      const std::string owner = znode->owner.empty() ? say("无会话", "no session") : znode->owner;
      item(std::to_string(++place), short_name(name) + comma() + say("属于 ", "of ") + owner +
                                        comma() + "czxid " + token_text(znode->stat.czxid));
    }
  }

  void write_session(const std::string& id, const SessionRow& session) {
    const std::string at = time_text(session.expires_us);
    std::string words;
    switch (session.life) {
      case SessionLife::kLive:
        words = say("有效，再无音讯则于 " + at + " 过期",
                    "live, expires at " + at + " if it stays silent");
        break;
      case SessionLife::kExpired: words = say("已于 " + at + " 过期", "expired at " + at); break;
      case SessionLife::kClosed: words = say("已于 " + at + " 关闭", "closed at " + at); break;
    }
    if (session.life == SessionLife::kLive && session.server.empty()) {
      words += comma() + say("没有连接", "not connected");
    }
    item(say("会话 ", "Session ") + id, words);
  }

  void write_watches() {
    for (const auto& [id, watch] : snapshot_.watches) {
      const std::string node = watch.path == truth_.lock_path ? watch.path : short_name(watch.path);
      const bool children = watch.table == WatchTable::kChildren;
      item(say("监视", "Watch"),
           watch.session + " → " + node + (children ? say("（子节点）", " (children)") : ""));
    }
  }

  void write_server(const std::string& id, const ServerRow& server) {
    std::string words = server.process == Process::kRunning  ? say("运行中", "up")
                        : server.process == Process::kPaused ? say("停顿", "paused")
                                                             : say("停机", "down");
    if (server.role != ServerRole::kStandalone) {
      words += comma() + std::string(name_of(server.role)) + comma() + "epoch " + std::to_string(server.epoch);
      if (!server.leader.empty()) words += comma() + say("领导者 ", "leader ") + server.leader;
      if (!server.vote.empty()) words += comma() + say("投 ", "votes for ") + server.vote;
      if (!server.serving) words += comma() + say("不服务", "serves nobody");
    }
    words += comma() + "zxid " + token_text(server.zxid);
    if (server.logged > server.zxid) words += comma() + say("日志到 ", "logged up to ") + token_text(server.logged);
    item(say("服务器 ", "Server ") + id, words);
  }

  // ---- Network and ledger ----------------------------------------------------------------------

  void write_network() {
    for (const auto& [id, link] : snapshot_.links) {
      if (link.cut) item(id, say("已切断", "cut"));
      if (link.held) item(id, say("消息被扣住", "messages are held back"));
    }
    for (const auto& [id, message] : snapshot_.messages) {
      std::string words = message.what;
      if (!message.path.empty()) words += " " + short_name(message.path);
      if (message.token != -1)
        words += comma() + say("令牌 ", "token ") + token_text(message.token);
      item(message.link, words + comma() + say("发出于 ", "sent at ") + time_text(message.sent_us));
    }
  }

  std::string rule_words(RegisterRule rule) const {
    switch (rule) {
      case RegisterRule::kNone: return say("不检查令牌", "no check of tokens");
      case RegisterRule::kGreater: return say("令牌必须更大", "a token must be greater");
      case RegisterRule::kGreaterOrEqual: return say("令牌不得更小", "a token must not be smaller");
    }
    return {};
  }

  void write_resource(const std::string& id, const ResourceRow& resource) {
    item(id, say("值 ", "value ") + std::to_string(resource.value) + comma() +
                 say("最大令牌 ", "highest token ") + token_text(resource.token_max) + comma() +
                 rule_words(resource.rule));
  }

  void write_judgement(const std::string& id, const LedgerRow& row) {
    std::string words = time_text(row.time_us) + comma() + row.client + say(" 写入 ", " writes ") +
                        std::to_string(row.value) + comma() + say("令牌 ", "token ") +
                        token_text(row.token) + comma() +
                        (row.accepted ? say("接受", "accepted") : say("拒绝", "refused"));
    if (row.stale) {
      words += row.accepted ? say("：危险，过时的写入", ": DANGER, a stale write")
                            : say("：过时的写入", ": a stale write");
    }
    item("#" + id, words);
  }

  const Snapshot& snapshot_;
  const Truth truth_;
  const bool zh_;
  std::string text_;
};

}  // namespace

std::string transcript(const Snapshot& snapshot, std::string_view lock_path, Language language) {
  return Transcript(snapshot, lock_path, language).write();
}

}  // namespace lockstep::trace
