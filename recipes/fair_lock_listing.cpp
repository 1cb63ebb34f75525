#include "recipes/fair_lock.h"

#include <iterator>

namespace lockstep::recipes {
namespace {

ListingLine line(FairLockLine number, std::string pseudo, std::string java, bool mistake = false) {
  const int n = static_cast<int>(number);
  return {n, std::string(fair_lock_line_id(n)), std::move(pseudo), std::move(java), mistake};
}

std::string watch_pseudo(WatchTarget target) {
  switch (target) {
    case WatchTarget::kPredecessor: return "  getData(names[i-1], watch); NoNode: goto 3";
    case WatchTarget::kSmallest: return "  getData(names[0], watch); NoNode: goto 3";
    case WatchTarget::kChildren: return "  (the list itself has set the watch)";
  }
  return {};
}

std::string watch_java(WatchTarget target) {
  switch (target) {
    case WatchTarget::kPredecessor:
      return "  try { zk.getData(path + \"/\" + names.get(i - 1), wake, null); } catch (NoNodeException e) { continue; }";
    case WatchTarget::kSmallest:
      return "  try { zk.getData(path + \"/\" + names.get(0), wake, null); } catch (NoNodeException e) { continue; }";
    case WatchTarget::kChildren: return "  // getChildren(path, wake) has set it";
  }
  return {};
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
  listing.push_back(line(FairLockLine::kWatch, watch_pseudo(options.watch),
                         watch_java(options.watch), options.watch != WatchTarget::kPredecessor));
  listing.push_back(line(FairLockLine::kWait,
                         options.believe_wake_up ? "  wait for an event; goto 7" : "  wait for an event; goto 3",
                         options.believe_wake_up ? "  wake.await(); break;" : "  wake.await(); continue;",
                         options.believe_wake_up));
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
