// Which paths a server and a client library take for one.
#pragma once

#include <string_view>

namespace lockstep::zk {

/// As the server checks a final name, and the Java library whatever it is given.
bool is_valid_path(std::string_view path);

/// As the C library checks a path before it sends it: it lets control characters from 0x1f on pass, and a
/// slash or dots at the end of a sequential name, to which the number is still to come.
bool is_valid_for_c(std::string_view path, bool sequential);

}  // namespace lockstep::zk
