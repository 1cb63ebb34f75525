#include "gui/strings.h"

#include <array>

#include "scene/strings.h"

namespace lockstep::gui {
namespace {

struct Row {
  Word word = Word::kWords_;
  std::string_view zh;
  std::string_view en;
};

// In the order of Word; a row out of its place does not compile.
constexpr std::array kRows = {
    Row{Word::kSimulated, "模拟", "Simulated"},
    Row{Word::kExplored, "穷举", "Explored"},
    Row{Word::kLiveWorld, "真实", "Live"},
    Row{Word::kRecorded, "录像", "Recorded"},
    Row{Word::kWorldTip, "换到真实的 ZooKeeper 上运行，或回到模拟",
        "Play on a real ZooKeeper, or go back to the simulator"},
    Row{Word::kStep, "第 {0} / {1} 步", "Step {0} of {1}"},
    Row{Word::kStart, "起点", "Start"},
    Row{Word::kFencingOn, "令牌检查 开", "Fencing on"},
    Row{Word::kFencingOff, "令牌检查 关", "Fencing off"},
    Row{Word::kFencingTip, "数据库是否检查写入所带的令牌",
        "Does the database check the token of each write"},
    Row{Word::kLanguageTip, "Switch to English", "切换到中文"},
    Row{Word::kThemeTip, "深色 / 浅色", "Dark or light"},
    Row{Word::kFontTip, "字号", "Text size"},
    Row{Word::kCourseTip, "显示或收起课程", "Show or hide the course"},
    Row{Word::kKeysTip, "所有按键", "All keys"},
    Row{Word::kPlay, "播放", "Play"},
    Row{Word::kPausePlaying, "暂停播放", "Pause playing"},
    Row{Word::kStepForward, "下一步", "One step forward"},
    Row{Word::kStepBack, "上一步", "One step back"},
    Row{Word::kJumpForward, "下一个标记", "Next mark"},
    Row{Word::kJumpBack, "上一个标记", "Previous mark"},
    Row{Word::kToStart, "回到起点", "To the start"},
    Row{Word::kToEnd, "运行到底", "Run to the end"},
    Row{Word::kFaster, "快一倍", "Twice as fast"},
    Row{Word::kSlower, "慢一倍", "Half as fast"},
    Row{Word::kSpeed, "速度", "Speed"},
    Row{Word::kEnded, "已结束", "Ended"},
    Row{Word::kZoomIn, "放大时间轴", "Zoom the timeline in"},
    Row{Word::kZoomOut, "缩小时间轴", "Zoom the timeline out"},
    Row{Word::kZoomAll, "看全程", "Show the whole run"},
    Row{Word::kPause, "停顿", "Pause"},
    Row{Word::kResume, "恢复", "Resume"},
    Row{Word::kHang, "卡住", "Hang"},
    Row{Word::kFree, "解开", "Free"},
    Row{Word::kCrash, "崩溃", "Crash"},
    Row{Word::kRestartClient, "重启", "Restart"},
    Row{Word::kExpire, "过期", "Expire"},
    Row{Word::kCut, "断网", "Cut"},
    Row{Word::kHeal, "接通", "Heal"},
    Row{Word::kRelease, "放锁", "Release"},
    Row{Word::kCancel, "放弃", "Cancel"},
    Row{Word::kHold, "扣写", "Hold"},
    Row{Word::kLetGo, "放行", "Let go"},
    Row{Word::kDeliver, "送达", "Deliver"},
    Row{Word::kCutLink, "切断这个方向", "Cut this direction"},
    Row{Word::kHealLink, "恢复这个方向", "Heal this direction"},
    Row{Word::kPauseServer, "暂停这台服务器", "Pause this server"},
    Row{Word::kResumeServer, "让它继续", "Let it go on"},
    Row{Word::kCrashServer, "让它崩溃", "Crash it"},
    Row{Word::kRestartServer, "重新启动", "Start it again"},
    Row{Word::kPartition, "用分区把它隔开", "Partition it from all others"},
    Row{Word::kHealAll, "恢复所有链路", "Heal all links"},
    Row{Word::kCutPeer, "切断与 {0} 的链路", "Cut it from {0}"},
    Row{Word::kHealPeer, "恢复与 {0} 的链路", "Heal its link with {0}"},
    Row{Word::kRuleNone, "不检查令牌", "Check nothing"},
    Row{Word::kRuleGreater, "令牌必须更大", "Token must be greater"},
    Row{Word::kRuleGreaterOrEqual, "令牌不能更小", "Token must not be smaller"},
    Row{Word::kAddClient, "加客户端", "Add"},
    Row{Word::kUndo, "撤销", "Undo"},
    Row{Word::kPauseTip, "整个进程停住，像一次长 GC：收到的都排队，醒来从同一行继续",
        "The whole process stops, as in a long GC pause: what arrives piles up, and it goes on at "
        "the very line"},
    Row{Word::kHangTip, "只有应用线程卡住：心跳照发，会话一直活着",
        "Only the application is stuck: heartbeats go on, the session lives"},
    Row{Word::kCrashTip, "进程消失，会话要到超时才过期",
        "The process is gone; its session lives on until it times out"},
    Row{Word::kExpireTip, "立即结束它的会话，节点随之删除",
        "Ends its session at once; its nodes go with it"},
    Row{Word::kCutTip, "它和 ZooKeeper 之间什么也过不去",
        "Nothing passes between it and ZooKeeper"},
    Row{Word::kReleaseTip, "请它放掉锁", "Asks it to let go of the lock"},
    Row{Word::kCancelTip, "请它不再等待，删掉自己的节点",
        "Asks it to give up waiting and delete its node"},
    Row{Word::kHoldTip, "发往数据库的写入留在网络里",
        "Its writes to the database stay in the network"},
    Row{Word::kDeliverTip, "网络里最前面的一次写入立即到达",
        "The first write in the network arrives now"},
    Row{Word::kAddTip, "多一个一样的客户端", "One more client of the same kind"},
    Row{Word::kOwnRun,
        "从第 {0} "
        "步起，这次运行由你改动，不再是课程原来的那一次：讲解可能对不上，断言仍按实际发生的来判定"
        "。",
        "From step {0} on this run is yours and no longer the lesson's: the story may not fit it, "
        "and the claims "
        "go by what happens."},
    Row{Word::kBackToLesson, "回到课程的运行", "Back to the lesson's run"},
    Row{Word::kUndoTip, "撤回上一次干预", "Takes back the last intervention"},
    Row{Word::kNotNow, "此刻不能：{0}", "Not possible now: {0}"},
    Row{Word::kChooseFirst, "先选中一个客户端：点它的卡片，或按 Tab",
        "Choose a client first: click its card, or press Tab"},
    Row{Word::kNothingToUndo, "没有可以撤销的干预", "Nothing to undo"},
    Row{Word::kForked, "从这里分出新的历史，原来的保留在“历史”里",
        "A new history begins here; the old one is kept under History"},
    Row{Word::kShowInspect, "在“检视”里查看", "Show under Inspect"},
    Row{Word::kFocus, "选中它", "Choose it"},
    Row{Word::kCourse, "课程", "Course"},
    Row{Word::kMinutes, "{0} 分钟", "{0} min"},
    Row{Word::kNoLesson, "打开的不是课程，而是一个场景。可以随意干预；想听讲解，从左边选一课。",
        "This is a plain scenario, not a lesson. Interfere as you like, or pick a lesson at the "
        "left."},
    Row{Word::kLesson, "课程", "Lesson"},
    Row{Word::kCode, "代码", "Code"},
    Row{Word::kInspect, "检视", "Inspect"},
    Row{Word::kWhy, "为什么", "Why"},
    Row{Word::kTranscript, "文字", "Text"},
    Row{Word::kHistory, "历史", "History"},
    Row{Word::kNext, "继续", "Continue"},
    Row{Word::kPrevious, "上一段", "Back"},
    Row{Word::kPlayThere, "正在播放到下一段…", "Playing to the next part…"},
    Row{Word::kPredict, "预测", "Predict"},
    Row{Word::kRight, "答对了", "Right"},
    Row{Word::kWrong, "不是这样", "Not so"},
    Row{Word::kNotYetKnown, "运行到那一刻，答案就会揭晓", "The run will tell, once it gets there"},
    Row{Word::kDecidedBy, "决定它的事件：", "Decided by event "},
    Row{Word::kAnswerIs, "运行结果：", "The run says: "},
    Row{Word::kClaims, "断言", "Claims"},
    Row{Word::kClaimsNote, "每一步都在验证", "held against every step"},
    Row{Word::kHolds, "成立", "holds"},
    Row{Word::kBroken, "不成立", "broken"},
    Row{Word::kOpen, "未定", "open"},
    Row{Word::kVariants, "只改一处", "Change one thing"},
    Row{Word::kVariantsNote, "然后看哪条断言不再成立", "and see which claim breaks"},
    Row{Word::kAsItIs, "原样", "As it is"},
    Row{Word::kBeat, "第 {0} / {1} 段", "Part {0} of {1}"},
    Row{Word::kSummary, "小结", "In short"},
    Row{Word::kObjectives, "学完你能够", "You will be able to"},
    Row{Word::kAskFirst, "先选一个答案，或者直接继续", "Pick an answer, or just go on"},
    Row{Word::kPseudo, "伪代码", "Pseudo-code"},
    Row{Word::kJava, "Java", "Java"},
    Row{Word::kMistake, "错误", "mistake"},
    Row{Word::kStandsHere, "● 将要执行这一行", "● about to run this line"},
    Row{Word::kWaitsHere, "○ 已执行，在等结果", "○ has run it, waits for the outcome"},
    Row{Word::kNoLine, "不在清单中", "not in the listing"},
    Row{Word::kCodeNote, "同一份清单，每个圆点是一个客户端", "One listing; each disc is a client"},
    Row{Word::kZnodes, "节点", "Znodes"},
    Row{Word::kSessions, "会话", "Sessions"},
    Row{Word::kWatches, "监视", "Watches"},
    Row{Word::kLinks, "连接", "Links"},
    Row{Word::kServers, "服务器", "Servers"},
    Row{Word::kServer, "服务器", "server"},
    Row{Word::kApplied, "已应用", "applied"},
    Row{Word::kLogged, "已写日志", "logged"},
    Row{Word::kNone, "无", "none"},
    Row{Word::kCut_, "切断", "cut"},
    Row{Word::kHeld, "扣住", "held"},
    Row{Word::kOpenLink, "畅通", "open"},
    Row{Word::kQuietLinks, "另有 {0} 个方向畅通，没有消息",
        "{0} more [direction is|directions are] open and empty"},
    Row{Word::kPersistent, "持久", "persistent"},
    Row{Word::kOwner, "归属", "owner"},
    Row{Word::kWatcher, "谁", "who"},
    Row{Word::kKind, "种类", "kind"},
    Row{Word::kPath, "路径", "path"},
    Row{Word::kFor, "超时", "timeout"},
    Row{Word::kState, "状态", "state"},
    Row{Word::kExpires, "到期", "expires"},
    Row{Word::kMessages, "在途消息", "In flight"},
    Row{Word::kResource, "数据库", "Resource"},
    Row{Word::kWhyClient, "{0}：为什么", "{0}: why"},
    Row{Word::kWhyHolds, "它持有锁，自己也知道：它的节点最小，会话活着。",
        "It holds the lock and knows it: its node is the smallest and its session lives."},
    Row{Word::kWhyBelieves, "它认为自己持有锁，令牌 {0}。",
        "It believes that it holds the lock, with token {0}."},
    Row{Word::kWhyDanger, "事实上持有者是 {0}。没有人能替它更正：它要等到收到消息才会知道。",
        "In truth {0} holds it. Nobody can tell it so until a message reaches it."},
    Row{Word::kWhyDangerNot, "事实上没有人持有锁：它的会话已经结束，节点已经删除。",
        "In truth nobody holds the lock: its session is over and its node is gone."},
    Row{Word::kWhyBehind, "它还没听说最新的事实；这很正常，消息总要走一会儿。",
        "It has not heard the news yet. That is normal: messages take their time."},
    Row{Word::kWhyWaits, "它在等锁。", "It waits for the lock."},
    Row{Word::kWhyBehindNode, "排在它前面的是 {0}。", "Before it in the queue stands {0}."},
    Row{Word::kWhyOwnedBy, "那是 {0} 的节点。", "That node is {0}'s."},
    Row{Word::kWakes, "什么能唤醒它", "What would wake it"},
    Row{Word::kWakeWatch, "它的监视挂在 {0} 上，触发一次就用掉。",
        "Its watch is set on {0}; it fires once and is used up."},
    Row{Word::kWakeRelease, "{0} 放锁，删除那个节点。", "{0} releases and deletes that node."},
    Row{Word::kWakeExpiry, "{0} 的会话过期 (最早 {1})，服务器删除那个节点。",
        "{0}'s session expires ({1} at the earliest) and the server deletes that node."},
    Row{Word::kWakeUnread, "{0} 个数据包已经到达，它还没读。",
        "{0} [packet has arrived and is|packets have arrived and are] not read yet."},
    Row{Word::kWakeInputs, "{0} 个事件已经告诉应用，应用还没看。",
        "{0} [event waits|events wait] for the application to look."},
    Row{Word::kWakeReattach, "它的客户端库会重新连接：会话还在，就把监视重新登记，错过的变化当场告诉它；会话已过期，就得知过期。",
        "Its library connects again: if the session lives, it sets its watches again and is told at once what it has missed; if not, it hears that it has expired."},
    Row{Word::kWakePaused, "但是进程停住了：先要恢复运行。",
        "But the process stands still: it has to go on first."},
    Row{Word::kWakeNothing, "什么也没有：没有监视，没有在途的消息。它会永远等下去。",
        "Nothing: no watch, no message on its way. It will wait for ever."},
    Row{Word::kWhyIdle, "它此刻没有在等锁。", "It is not waiting for the lock now."},
    Row{Word::kWhyEnded, "它已经做完了。", "It is done."},
    Row{Word::kCauses, "怎么走到这一步", "How it came to this"},
    Row{Word::kWhyRefused, "第 {0} 次写入为什么被拒绝", "Why write {0} was refused"},
    Row{Word::kWhyRefusedToken, "它带的令牌 {0} 小于已接受过的最大令牌 {1}。",
        "It carried token {0}, less than {1}, the highest accepted before."},
    Row{Word::kWhyRaised, "把最大令牌抬到 {0} 的写入：",
        "The write that raised the highest token to {0}: "},
    Row{Word::kWhyStale, "写入到达时，{0} 已经不是持有者：",
        "When it arrived, {0} no longer held the lock: "},
    Row{Word::kWhyAcceptedStale, "第 {0} 次写入：陈旧却被接受", "Write {0}: stale, and accepted"},
    Row{Word::kNoRefusals, "目前没有被拒绝的写入。", "No write has been refused so far."},
    Row{Word::kWhyCrashed, "它的进程已经崩溃。", "Its process has crashed."},
    Row{Word::kNow, "此刻", "Now"},
    Row{Word::kEvents, "到这里发生过什么", "What has happened so far"},
    Row{Word::kOriginal, "最初的历史", "Original history"},
    Row{Word::kRecording, "录像", "Recording"},
    Row{Word::kLeftAt, "从第 {0} 步分出", "left at step {0}"},
    Row{Word::kHistoryNote, "在过去干预会分出新的历史。旧的未来都保留在这里，点一下就能回去。",
        "Interfering in the past begins a new history. Every old future is kept here: click to go "
        "back."},
    Row{Word::kOnlyBranch, "还没有分叉。往回走几步，再对某个客户端做点什么。",
        "No forks yet. Go back a few steps and do something to a client."},
    Row{Word::kKeys, "按键", "Keys"},
    Row{Word::kKeysTime, "时间", "Time"},
    Row{Word::kKeysDo, "干预选中的客户端", "Interfere with the chosen client"},
    Row{Word::kKeysLook, "查看", "Looking"},
    Row{Word::kKeysLesson, "课程", "Lesson"},
    Row{Word::kNextClient, "选下一个客户端", "Choose the next client"},
    Row{Word::kPreviousClient, "选上一个客户端", "Choose the previous client"},
    Row{Word::kToggleTheme, "深色 / 浅色", "Dark or light"},
    Row{Word::kToggleLanguage, "中文 / English", "English / 中文"},
    Row{Word::kLarger, "字大一点", "Larger text"},
    Row{Word::kSmaller, "字小一点", "Smaller text"},
    Row{Word::kShowTab, "右边的页签", "The tabs at the right"},
    Row{Word::kAnswerKey, "选预测的答案", "Pick an answer"},
    Row{Word::kCloseKey, "关掉浮层", "Close what lies on top"},
    Row{Word::kRestart, "从头开始", "Start over"},
    Row{Word::kUnfold, "展开 / 折叠所有客户端", "Unfold or fold all clients"},
    Row{Word::kNoChineseFont, "没有找到中文字体：请安装 fonts-noto-cjk",
        "No Chinese font found: install fonts-noto-cjk"},
    Row{Word::kLiveStarting, "正在启动真实的 ZooKeeper…", "Starting a real ZooKeeper…"},
    Row{Word::kLiveLesson,
        "真实的 ZooKeeper "
        "正在运行这一课的场景：真的服务器，真的进程，真的停住。可以随时干预，结束后可以来回拖动。讲"
        "解在模拟里：点上面的“真实”回去。",
        "Real ZooKeeper servers and real processes are playing this scenario; a pause really stops "
        "one. Interfere as you like, and scrub once it is over. The story is told in the "
        "simulator: click Live above to go back."},
    Row{Word::kYourPrediction, "你的预测", "Your prediction"},
    Row{Word::kLiveFailed, "真实运行失败：{0}", "The real run failed: {0}"},
    Row{Word::kEndReached, "运行已结束：{0}", "The run has ended: {0}"},
    Row{Word::kMoreOf, "还有 {0} 个", "{0} more"},
};

constexpr bool in_order() {
  if (kRows.size() != static_cast<size_t>(Word::kWords_)) return false;
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].word != static_cast<Word>(i)) return false;
  }
  return true;
}
static_assert(in_order(), "a row for each Word, in the order of Word");

}  // namespace

std::string_view word(Word word, trace::Language language) {
  const Row& row = kRows[static_cast<size_t>(word)];
  return language == trace::Language::kZh ? row.zh : row.en;
}

std::string say(Word what, trace::Language language,
                std::initializer_list<std::string_view> values) {
  std::string text =
      scene::counted(word(what, language), values.size() > 0 && *values.begin() == "1");
  int number = 0;
  for (const std::string_view value : values) {
    const std::string mark = "{" + std::to_string(number++) + "}";
    const size_t at = text.find(mark);
    if (at != std::string::npos) text.replace(at, mark.size(), value);
  }
  return text;
}

}  // namespace lockstep::gui
