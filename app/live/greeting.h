// Short conversations with a ZooKeeper server, without the client library and with a time limit: is it one,
// how is it, and the end of a session of which one knows the password.
#pragma once

#include <string>
#include <vector>

#include "live/sockets.h"
#include "recipes/zookeeper.h"
#include "scenario/problem.h"

namespace lockstep::live {

/// The answer to a four-letter word ("srvr"); empty if none came in time.
std::string four_letter_word(const Address& address, const std::string& word, TimeUs patience_us);

/// Opens a session and closes it again, to learn whether a ZooKeeper answers at `address`. The problem
/// says what answered instead. `patience_us` holds for each of connecting and answering.
[[nodiscard]] std::vector<scenario::Problem> check_is_zookeeper(const Address& address,
                                                                TimeUs patience_us);

struct SessionKey {
  zk::SessionId session = 0;
  std::string password;  ///< 16 bytes
};

/// Closes a session as a second handle on it does. False if the server did not take it.
bool close_session(const Address& address, const SessionKey& key, TimeUs patience_us);

}  // namespace lockstep::live
