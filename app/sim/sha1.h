// SHA-1 (FIPS 180-4) and base64 (RFC 4648): what ZooKeeper's digest scheme makes of a password. Nothing
// that is to be kept secret is computed here.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::sim {

/// 20 bytes.
std::string sha1(std::string_view message);

std::string base64(std::string_view bytes);

}  // namespace lockstep::sim
