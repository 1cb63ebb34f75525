#include "sim/acl.h"

#include <algorithm>

#include "sim/sha1.h"

namespace lockstep::sim {
namespace {

constexpr std::string_view kWorld = "world";
constexpr std::string_view kAnyone = "anyone";
constexpr std::string_view kDigest = "digest";
constexpr std::string_view kAuth = "auth";

const zk::Acl kOpen = {zk::kPermAll, {std::string(kWorld), std::string(kAnyone)}};

bool is_anyone(const zk::Id& id) { return id.scheme == kWorld && id.id == kAnyone; }

/// Two parts around a colon; colons at the very end count for nothing, as in Java's split.
bool is_valid_digest(std::string_view id) {
  while (!id.empty() && id.back() == ':') id.remove_suffix(1);
  return std::count(id.begin(), id.end(), ':') == 1;
}

void add_unless_there(Ids& ids, zk::Id id) {
  if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(std::move(id));
}

}  // namespace

std::string digest_of(std::string_view user_and_password) {
  const std::string_view user = user_and_password.substr(0, user_and_password.find(':'));
  return std::string(user) + ":" + base64(sha1(user_and_password));
}

bool authenticate(const zk::Id& credentials, Ids& known) {
  if (credentials.scheme != kDigest) return false;
  add_unless_there(known, {std::string(kDigest), digest_of(credentials.id)});
  return true;
}

bool fix_up(const Acls& asked, const Ids& asker, Acls& kept) {
  kept.clear();
  for (auto entry = asked.begin(); entry != asked.end(); ++entry) {
    if (std::find(asked.begin(), entry, *entry) != entry) continue;
    if (is_anyone(entry->id)) {
      kept.push_back(*entry);
    } else if (entry->id.scheme == kAuth) {
      if (asker.empty()) return false;
      for (const zk::Id& id : asker) kept.push_back({entry->perms, id});
    } else if (entry->id.scheme == kDigest && is_valid_digest(entry->id.id)) {
      kept.push_back(*entry);
    } else {
      return false;
    }
  }
  if (kept == Acls{kOpen}) kept.clear();
  return true;
}

bool allows(const Acls& kept, int32_t perms, const Ids& asker) {
  if (kept.empty()) return true;
  return std::any_of(kept.begin(), kept.end(), [&](const zk::Acl& entry) {
    if ((entry.perms & perms) == 0) return false;
    return is_anyone(entry.id) || std::find(asker.begin(), asker.end(), entry.id) != asker.end();
  });
}

Acls shown(const Acls& kept, const Ids& asker) {
  if (kept.empty()) return {kOpen};
  Acls list = kept;
  if (allows(kept, zk::kPermAdmin, asker)) return list;
  for (zk::Acl& entry : list) {
    const size_t colon = entry.id.id.find(':');
    if (entry.id.scheme == kDigest && colon != std::string::npos) entry.id.id.replace(colon, std::string::npos, ":x");
  }
  return list;
}

}  // namespace lockstep::sim
