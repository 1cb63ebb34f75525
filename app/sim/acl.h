// Who may do what: access control lists, and the ids that a connection has given proof of.
//
// Rules (zookeeper.md A2, A8): an ACL is judged at each node by itself, nothing is inherited; one entry that
// allows what is asked to one of the asker's ids is enough; `auth` stands for the ids of whoever sets the ACL.
// Known schemes are world, digest and auth; the server's ip is left out, since no client has an address here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "recipes/zookeeper.h"

namespace lockstep::sim {

using Acls = std::vector<zk::Acl>;
using Ids = std::vector<zk::Id>;

/// "user:" and base64 of SHA-1 of the whole "user:password".
std::string digest_of(std::string_view user_and_password);

/// Adds who the credentials show somebody to be. False (AuthFailed) if the server does not know the scheme.
bool authenticate(const zk::Id& credentials, Ids& known);

/// The list as a node keeps it: entries given twice once, `auth` as the asker's own ids; empty if it is open
/// to everybody. False (InvalidACL) if an entry means nobody.
bool fix_up(const Acls& asked, const Ids& asker, Acls& kept);

/// True if one of these permissions is given to one of the asker's ids. `kept` as fix_up() gave it.
bool allows(const Acls& kept, int32_t perms, const Ids& asker);

/// What getACL shows: whoever may not change the list sees no hash of a password in it.
Acls shown(const Acls& kept, const Ids& asker);

}  // namespace lockstep::sim
