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
  std::string text = options.believe_wake_up ? "  wait for an event; goto 7" : "  wait for an event; goto 3";
  if (options.acquire_timeout_us > 0) {
    text += options.leave_node_on_timeout ? "; timeout: give up" : "; timeout: delete(node)";
  }
  return text;
}

std::string wait_java(const FairLockOptions& options) {
  const std::string then = options.believe_wake_up ? " break;" : " continue;";
  if (options.acquire_timeout_us == 0) return "  wake.await();" + then;
  const std::string late = options.leave_node_on_timeout ? "return false;" : "{ zk.delete(node, -1); return false; }";
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

Listing fair_lock_listing(const FairLockOptions& options) {
  const bool children = options.watch == WatchTarget::kChildren;
  const std::string token = options.token == TokenSource::kCzxid ? "czxid" : "number";
  Listing listing;
  listing.push_back(line(FairLockLine::kCreate,
                         "node = create(path/GUID-lock-, EPHEMERAL_SEQUENTIAL)",
                         "node = zk.create(path + \"/_c_\" + guid + \"-lock-\", data, acl, EPHEMERAL_SEQUENTIAL, stat);"));
  listing.push_back(line(FairLockLine::kFind,
                         "  outcome unknown: node = child with my GUID, else goto 1",
                         "  // on ConnectionLoss: for (String c : zk.getChildren(path, false)) if (c.contains(guid)) node = c;"));
  listing.push_back(line(FairLockLine::kList,
                         children ? "names = getChildren(path, watch)" : "names = getChildren(path)",
                         children ? "names = zk.getChildren(path, wake);" : "names = zk.getChildren(path, false);",
                         children));
  listing.push_back(line(FairLockLine::kLook,
                         "sort by number; i = place of node; i == 0: token = " + token + ", goto 7",
                         "names.sort(bySequence); i = names.indexOf(node); if (i == 0) { token = " + token + "; break; }"));
  listing.push_back(line(FairLockLine::kWatch, watch_pseudo(options), watch_java(options),
                         options.watch == WatchTarget::kSmallest ||
                             options.vanished_predecessor != VanishedPredecessor::kLookAgain));
  listing.push_back(line(FairLockLine::kWait, wait_pseudo(options), wait_java(options),
                         options.believe_wake_up || options.leave_node_on_timeout));
  listing.push_back(line(FairLockLine::kWork,
                         options.ignore_session_events ? "work" : "work (not while disconnected)",
                         options.ignore_session_events ? "work();" : "session.awaitConnectedAndStillFirst(); work();",
                         options.ignore_session_events));
  if (options.check_in_client) {
    listing.push_back(line(FairLockLine::kCheck, "if resource.maxToken() > token: stop",
                           "if (resource.maxToken() > token) return;", true));
  }
  listing.push_back(line(FairLockLine::kWrite, "write(value, token)",
                         "resource.write(value, token);"));
  listing.push_back(line(FairLockLine::kRelease, "delete(node)",
                         "zk.delete(node, -1);  // again until the outcome is known"));
  return listing;
}

}  // namespace lockstep::recipes
