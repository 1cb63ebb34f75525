#include "recipes/fair_lock.h"

#include <iterator>

namespace lockstep::recipes {
namespace {

ListingLine line(FairLockLine number, std::string pseudo, std::string java, bool mistake = false) {
  const int n = static_cast<int>(number);
  return {n, std::string(fair_lock_line_id(n)), std::move(pseudo), std::move(java), mistake};
}

std::string watch_pseudo(const FairLockOptions& options) {
  if (options.watch == WatchTarget::kChildren) return "  (the list itself has set the watch)";
  const std::string node = options.watch == WatchTarget::kSmallest ? "names[0]" : "names[i-1]";
  const std::string read = "  getData(" + node + ", watch); NoNode: ";
  switch (options.vanished_predecessor) {
    case VanishedPredecessor::kLookAgain: return read + "goto 3";
    case VanishedPredecessor::kTakeForLock: return read + "goto 7";
    case VanishedPredecessor::kIgnore: return read + "goto 6";
  }
  return {};
}

std::string wait_pseudo(const FairLockOptions& options) {
  std::string text = options.forget_early_events ? "  wait for an event from now on" : "  wait for an event";
  text += options.believe_wake_up ? "; goto 7" : "; goto 3";
  if (options.acquire_timeout_us > 0) {
    text += options.leave_node_on_timeout ? "; timeout: give up" : "; timeout: delete(node)";
  }
  return text;
}

std::string wait_java(const FairLockOptions& options) {
  const std::string then = options.believe_wake_up ? " break;" : " continue;";
  const std::string late = options.leave_node_on_timeout ? "return false;" : "{ zk.delete(node, -1); return false; }";
  if (options.forget_early_events) {
    const bool timed = options.acquire_timeout_us > 0;
    return std::string("  synchronized (this) { wait(") + (timed ? "left" : "") + "); }" +
           (timed ? " if (!notified) " + late : "") + then;
  }
  if (options.acquire_timeout_us == 0) return "  wake.await();" + then;
  return "  if (!wake.await(left, MILLISECONDS)) " + late + then;
}

std::string watch_java(const FairLockOptions& options) {
  if (options.watch == WatchTarget::kChildren) return "  // getChildren(path, wake) has set it";
  const std::string node = options.watch == WatchTarget::kSmallest ? "names.get(0)" : "names.get(i - 1)";
  std::string vanished;
  switch (options.vanished_predecessor) {
    case VanishedPredecessor::kLookAgain: vanished = "continue;"; break;
    case VanishedPredecessor::kTakeForLock: vanished = "break;"; break;
    case VanishedPredecessor::kIgnore: vanished = "/* ignored */"; break;
  }
  return "  try { zk.getData(path + \"/\" + " + node + ", wake, null); } catch (NoNodeException e) { " + vanished +
         " }";
}

}  // namespace

std::string_view fair_lock_line_id(int number) {
  constexpr std::string_view kIds[] = {"",     "create", "find",  "list",  "look",   "watch",
                                       "wait", "work",   "check", "write", "release"};
  return number >= 0 && number < static_cast<int>(std::size(kIds)) ? kIds[number] : std::string_view();
}

namespace {

std::string token_name(TokenSource source) {
  switch (source) {
    case TokenSource::kCzxid: return "czxid";
    case TokenSource::kSequence: return "number";
    case TokenSource::kUuid: return "UUID";
    case TokenSource::kClock: return "clock";
  }
  return {};
}

std::string token_java(TokenSource source) {
  switch (source) {
    case TokenSource::kCzxid: return "stat.getCzxid()";
    case TokenSource::kSequence: return "sequenceOf(node)";
    case TokenSource::kUuid: return "guid.getMostSignificantBits()";
    case TokenSource::kClock: return "System.currentTimeMillis()";
  }
  return {};
}

ListingLine look_line(const FairLockOptions& options) {
  const bool by_name = options.queue_order == QueueOrder::kWholeName;
  const std::string sort = by_name ? "sort by name; " : "sort by number; ";
  const std::string sort_java = by_name ? "names.sort(naturalOrder()); " : "names.sort(bySequence); ";
  return line(FairLockLine::kLook,
              sort + "i = place of node; i == 0: token = " + token_name(options.token) + ", goto 7",
              sort_java + "i = names.indexOf(node); if (i == 0) { token = " + token_java(options.token) + "; break; }",
              by_name || options.token == TokenSource::kUuid || options.token == TokenSource::kClock);
}

ListingLine find_line(const FairLockOptions& options) {
  if (options.lost_create_reply == LostCreateReply::kCreateAgain)
    return line(FairLockLine::kFind, "  outcome unknown: goto 1", "  // on ConnectionLoss: the create once more", true);
  return line(FairLockLine::kFind, "  outcome unknown: node = child with my GUID, else goto 1",
              "  // on ConnectionLoss: for (String c : zk.getChildren(path, false)) if (c.contains(guid)) node = c;");
}

ListingLine work_line(const FairLockOptions& options) {
  if (options.ignore_session_events) return line(FairLockLine::kWork, "work", "work();", true);
  if (options.after_reconnect == AfterReconnect::kBelieve)
    return line(FairLockLine::kWork, "work (while connected)", "session.awaitConnected(); work();", true);
  return line(FairLockLine::kWork, "work (not while disconnected)",
              "session.awaitConnectedAndStillFirst(); work();");
}

ListingLine release_line(const FairLockOptions& options) {
  if (options.released_node == ReleasedNode::kSmallest)
    return line(FairLockLine::kRelease, "delete(names[0])", "zk.delete(path + \"/\" + names.get(0), -1);", true);
  return line(FairLockLine::kRelease, "delete(node)", "zk.delete(node, -1);  // again until the outcome is known");
}

}  // namespace

Listing fair_lock_listing(const FairLockOptions& options) {
  const bool children = options.watch == WatchTarget::kChildren;
  Listing listing;
  listing.push_back(line(FairLockLine::kCreate,
                         "node = create(path/GUID-lock-, EPHEMERAL_SEQUENTIAL)",
                         "node = zk.create(path + \"/_c_\" + guid + \"-lock-\", data, acl, EPHEMERAL_SEQUENTIAL, stat);"));
  listing.push_back(find_line(options));
  listing.push_back(line(FairLockLine::kList,
                         children ? "names = getChildren(path, watch)" : "names = getChildren(path)",
                         children ? "names = zk.getChildren(path, wake);" : "names = zk.getChildren(path, false);",
                         children));
  listing.push_back(look_line(options));
  listing.push_back(line(FairLockLine::kWatch, watch_pseudo(options), watch_java(options),
                         options.watch == WatchTarget::kSmallest ||
                             options.vanished_predecessor != VanishedPredecessor::kLookAgain));
  listing.push_back(line(FairLockLine::kWait, wait_pseudo(options), wait_java(options),
                         options.believe_wake_up || options.leave_node_on_timeout || options.forget_early_events));
  listing.push_back(work_line(options));
  if (options.check_in_client) {
    listing.push_back(line(FairLockLine::kCheck, "if resource.maxToken() > token: stop",
                           "if (resource.maxToken() > token) return;", true));
  }
  listing.push_back(line(FairLockLine::kWrite, "write(value, token)",
                         "resource.write(value, token);"));
  listing.push_back(release_line(options));
  return listing;
}

}  // namespace lockstep::recipes
