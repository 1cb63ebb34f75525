#include <asio.hpp>
#include <sqlite3.h>
#include <thread>
#include <zookeeper/zookeeper.h>
#include "trace/trace.h"
#include "sim/world.h"     // breach: layer
#include <CLI/CLI.hpp>     // breach: foreign
long port;
