#include "trace/sentences.h"

#include "recipes/bug.h"

namespace lockstep::trace {
namespace {

using K = EventKind;

// Each language is written for itself; ZooKeeper's names stay as they are in both. Of one kind, the forms
// with a `what` come first.
constexpr SentenceForm kForms[] = {
    {K::kStarted, "", "{lane} 启动", "{lane} starts"},
    {K::kLine, "", "{lane} 执行第 {line} 行[（{what}）]", "{lane} runs line {line}[ ({what})]"},

    {K::kInput, "Connected", "{lane} 得知：已连接", "{lane} hears that it is connected"},
    {K::kInput, "Disconnected", "{lane} 得知：连接断开，会话是否还在尚不清楚",
     "{lane} hears that its connection is lost; its session may still live"},
    {K::kInput, "Expired", "{lane} 得知：会话已过期", "{lane} hears that its session has expired"},
    {K::kInput, "accepted", "{lane} 得知：写入被接受", "{lane} hears that its write was accepted"},
    {K::kInput, "refused", "{lane} 得知：写入被拒绝", "{lane} hears that its write was refused"},
    {K::kInput, "release", "{lane} 被要求释放锁", "{lane} is asked to release the lock"},
    {K::kInput, "cancel", "{lane} 被要求放弃等待", "{lane} is asked to give up waiting"},
    {K::kInput, "reply", "{lane} 得到答复：{rest}", "{lane} takes the reply: {rest}"},
    {K::kInput, "", "{lane} 处理 {what}[（{path}）]", "{lane} takes {what}[ ({path})]"},

    {K::kSent, "write", "{lane} 向 {peer} 写入 {value}[，令牌 {token}]",
     "{lane} sends the write of {value} to {peer}[, token {token}]"},
    {K::kSent, "FIN", "{lane} 关闭到 {peer} 的 TCP 连接（FIN），这与会话是否结束无关",
     "{lane} closes its TCP connection to {peer} (FIN), which says nothing of the session"},
    {K::kSent, "", "{lane} 向 {peer} 发出 {what}[（{path}）]",
     "{lane} sends {what}[ ({path})] to {peer}"},
    {K::kArrived, "FIN", "FIN[ 从 {peer}] 到达 {lane}：这条 TCP 连接已关闭",
     "FIN[ from {peer}] arrives at {lane}: the TCP connection is closed"},
    {K::kArrived, "", "{lane} 收到[ {peer} 发来的] {what}[（{path}）]",
     "{what}[ ({path})][ from {peer}] arrives at {lane}"},
    {K::kDropped, "no answer", "{lane} 的连接请求一直没有回音，放弃",
     "{lane} gives up on a connection that nobody answers"},
    {K::kDropped, "connection refused", "{lane} 没有进程在监听，{peer} 的连接请求被拒绝",
     "nobody listens at {lane}: the connection that {peer} asks for is refused"},
    {K::kDropped, "", "{lane} 丢弃 {what}：它属于已关闭的连接",
     "{what} is thrown away at {lane}: its connection is closed"},
    {K::kRead, "FIN", "{lane} 的客户端库读到 FIN：TCP 连接已关闭",
     "{lane}'s library reads FIN: the TCP connection is closed"},
    {K::kRead, "", "{lane} 的客户端库读到 {what}[（{path}）]",
     "{lane}'s library reads {what}[ ({path})]"},

    {K::kCommitted, "create", "{lane} 提交：[{peer} ]创建 {path}[，zxid {zxid}]",
     "{lane} commits[ {zxid}]: [{peer} creates ]{path}"},
    {K::kCommitted, "delete", "{lane} 提交：[{peer} ]删除 {path}[，zxid {zxid}]",
     "{lane} commits[ {zxid}]: [{peer} deletes ]{path}"},
    {K::kCommitted, "setData", "{lane} 提交：[{peer} ]修改 {path}[，zxid {zxid}]",
     "{lane} commits[ {zxid}]: [{peer} sets the data of ]{path}"},
    {K::kCommitted, "closeSession", "{lane} 提交：会话[ {session}] 结束[，节点 {path} 随之删除]",
     "{lane} commits[ {zxid}]: session[ {session}] ends[; its node {path} is deleted]"},
    {K::kCommitted, "", "{lane} 提交：{what}[ {path}][，zxid {zxid}]",
     "{lane} commits[ {zxid}]: {what}[ {path}]"},
    {K::kFailedRequest, "", "{lane} 不执行[ {peer} 的] {what}[（{path}）][：{error}]",
     "{lane} does not carry out[ {peer}'s] {what}[ ({path})][: {error}]"},
    {K::kWatchFired, "", "{path} 上的监视触发，{lane} 通知[ {peer}]：{what}",
     "The watch[ of {peer}] on {path} fires: {what}"},

    {K::kSessionOpened, "", "{lane} 为[ {peer}] 建立会话[ {session}][，超时 {seconds}]",
     "{lane} opens a session[ for {peer}][: {session}][, timeout {seconds}]"},
    {K::kSessionReattached, "", "[{peer} ]带着会话[ {session}] 重新连上 {lane}",
     "[{peer}'s ]session[ {session}] is attached to {lane} again"},
    {K::kSessionExpired, "", "[{peer} 的]会话[ {session}] 在 {lane} 上过期[，节点 {path} 随之删除]",
     "[{peer}'s ]session[ {session}] expires on {lane}[; its node {path} is deleted]"},
    {K::kSessionClosed, "", "[{peer} 的]会话[ {session}] 在 {lane} 上关闭[，节点 {path} 随之删除]",
     "[{peer}'s ]session[ {session}] is closed on {lane}[; its node {path} is deleted]"},
    {K::kConnectionClosed, "", "{lane} 关闭与[ {peer}] 的连接；那条连接上的监视也没有了",
     "{lane} closes the connection[ of {peer}], and the watches that it had are gone"},
    {K::kConnected, "", "{lane} 已连接[，会话 {session}][，超时 {seconds}]",
     "{lane} is connected[, session {session}][, timeout {seconds}]"},
    {K::kDisconnected, "silence", "{lane} 太久没有听到回音，断开连接；会话可能还在",
     "{lane} has heard nothing for too long and drops its connection; its session may still live"},
    {K::kDisconnected, "", "{lane} 的连接断开；会话可能还在",
     "{lane} loses its connection; its session may still live"},
    {K::kExpired, "", "{lane} 被告知：会话[ {session}] 已过期",
     "{lane} is told that its session[ {session}] has expired"},

    {K::kAcquired, "", "{lane} 得到锁[，令牌 {token}]",
     "{lane} acquires the lock[, token {token}]"},
    {K::kSuspended, "", "{lane} 持锁时失去连接，不能确定自己是否仍持有锁",
     "{lane} has lost its connection while holding the lock, and is not sure any more"},
    {K::kConfirmed, "", "{lane} 重新查看，确认自己仍持有锁[，令牌 {token}]",
     "{lane} has looked again: it still holds the lock[, token {token}]"},
    {K::kLost, "", "{lane} 失去锁", "{lane} has lost the lock"},
    {K::kReleased, "", "{lane} 释放锁", "{lane} has released the lock"},
    {K::kTimedOut, "", "{lane} 等待超时，不再等锁", "{lane} has waited too long and gives up"},
    {K::kCancelled, "", "{lane} 取消等待", "{lane} gives up waiting, as it was asked to"},
    {K::kFailed, "", "{lane} 失败[：{error}]", "{lane} fails[: {error}]"},

    {K::kWriteAccepted, "",
     "{lane} 接受[ {peer} 的]写入 {value}[，令牌 {token}][。{stale}但这是过时的写入：{peer} "
     "已不持有锁]",
     "{lane} accepts[ {peer}'s] write of {value}[, token {token}][; it is stale:{stale} {peer} "
     "does not hold the lock]"},
    {K::kWriteRefused, "",
     "{lane} 拒绝[ {peer} 的]写入 {value}[，令牌 {token}][。{stale}这是过时的写入：{peer} "
     "已不持有锁]",
     "{lane} refuses[ {peer}'s] write of {value}[, token {token}][; it is stale:{stale} {peer} "
     "does not hold the lock]"},
    {K::kResourceRead, "", "[{peer} ]读取 {lane}：值 {value}[，最大令牌 {token}]",
     "[{peer} reads ]{lane}: value {value}[, highest token {token}]"},

    {K::kIntervened, "pause", "干预：暂停 {rest}", "Intervention: {rest} is paused"},
    {K::kIntervened, "resume", "干预：{rest} 恢复运行", "Intervention: {rest} goes on"},
    {K::kIntervened, "hang", "干预：{rest} 的应用卡住，客户端库照常运行",
     "Intervention: {rest}'s application hangs; its library goes on"},
    {K::kIntervened, "free", "干预：{rest} 的应用不再卡住",
     "Intervention: {rest}'s application goes on"},
    {K::kIntervened, "crash", "干预：{rest} 崩溃", "Intervention: {rest} crashes"},
    {K::kIntervened, "restart", "干预：{rest} 重新启动", "Intervention: {rest} starts anew"},
    {K::kIntervened, "cut", "干预：切断 {rest}", "Intervention: {rest} is cut"},
    {K::kIntervened, "heal all", "干预：所有链路恢复连通", "Intervention: all links are healed"},
    {K::kIntervened, "heal", "干预：{rest} 恢复连通", "Intervention: {rest} is healed"},
    {K::kIntervened, "partition", "干预：{rest} 与其余的服务器和客户端被网络分区隔开",
     "Intervention: a partition cuts {rest} off from all other servers and clients"},
    {K::kIntervened, "hold", "干预：扣住 {rest} 上的消息",
     "Intervention: the messages on {rest} are held back"},
    {K::kIntervened, "let go", "干预：放行 {rest} 上的消息",
     "Intervention: the messages on {rest} may go on"},
    {K::kIntervened, "release", "干预：要求 {rest} 释放锁",
     "Intervention: {rest} is asked to release the lock"},
    {K::kIntervened, "cancel", "干预：要求 {rest} 放弃等待",
     "Intervention: {rest} is asked to give up waiting"},
    {K::kIntervened, "expire", "干预：服务器不再听到会话 {rest}",
     "Intervention: the server hears nothing more of session {rest}"},
    {K::kIntervened, "deliver", "干预：立即送达 {rest} 上的第一条消息",
     "Intervention: the first message on {rest} is delivered now"},
    {K::kIntervened, "rule", "干预：资源的检查规则改为 {rest}",
     "Intervention: the resource's rule is now {rest}"},
    {K::kIntervened, "add", "干预：{rest} 加入", "Intervention: {rest} joins"},
    {K::kIntervened, "", "干预：{what}", "Intervention: {what}"},
    {K::kDeadline, "work done", "{lane} 做完一段工作", "{lane} has done a stretch of work"},
    {K::kDeadline, "acquire timeout", "{lane} 等锁的期限已到", "{lane}'s time for waiting is up"},
    {K::kDeadline, "", "{lane} 的期限已到[：{what}]", "A deadline of {lane} has passed[: {what}]"},
    {K::kRoleChanged, "LOOKING", "{lane} 进入 LOOKING：没有领导者，开始选举",
     "{lane} is LOOKING: it has no leader and votes for one"},
    {K::kRoleChanged, "FOLLOWING", "{lane} 进入 FOLLOWING[，跟随 {peer}]", "{lane} is FOLLOWING[ {peer}]"},
    {K::kRoleChanged, "LEADING", "{lane} 进入 LEADING", "{lane} is LEADING"},
    {K::kRoleChanged, "OBSERVING", "{lane} 进入 OBSERVING[，观察 {peer}]", "{lane} is OBSERVING[ {peer}]"},
    {K::kRoleChanged, "", "{lane} 进入 {what}", "{lane} is {what}"},
    {K::kServing, "", "{lane} 开始为客户端服务", "{lane} begins to serve clients"},
    {K::kLogged, "", "{lane} 把提案[ {zxid}]写入日志：{what}[ {path}]",
     "{lane} logs the proposal[ {zxid}]: {what}[ {path}]"},
    {K::kTruncated, "", "{lane} 从日志中截去从未提交的提案[，末尾退回 {zxid}]",
     "{lane} truncates its log[ to {zxid}]: what came after was never committed"},
    {K::kApplied, "SNAP", "{lane} 用领导者的快照替换自己的数据[，到 {zxid} 为止]",
     "{lane} takes the leader's snapshot[, up to {zxid}]"},
    {K::kApplied, "", "{lane} 应用已提交的事务[ {zxid}]：{what}[ {path}]",
     "{lane} applies the committed transaction[ {zxid}]: {what}[ {path}]"},
    {K::kEnded, "", "运行结束[：{what}]", "The run is over[: {what}]"},
};

bool fits(const SentenceForm& form, const Event& event) {
  if (form.kind != event.kind) return false;
  const std::string_view what = event.data.what;
  return form.what.empty() || what == form.what ||
         (what.size() > form.what.size() && what.substr(0, form.what.size()) == form.what &&
          what[form.what.size()] == ' ');
}

}  // namespace

std::span<const SentenceForm> sentence_forms() { return kForms; }

const SentenceForm& form_of(const Event& event) {
  for (const SentenceForm& form : kForms) {
    if (fits(form, event)) return form;
  }
  bug("an event's kind has no sentence: it was added to event.h but not to sentences.cpp");
}

}  // namespace lockstep::trace
