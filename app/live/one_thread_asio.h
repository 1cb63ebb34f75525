// asio, as this folder uses it: an io_context is run by one thread, and by no other. Its fences are then
// of no use, and the thread sanitizer does not know them.
#pragma once

#define ASIO_DISABLE_FENCED_BLOCK
#include <asio.hpp>
