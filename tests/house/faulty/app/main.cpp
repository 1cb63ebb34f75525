#include <CLI/CLI.hpp>
#include "gui/window.h"
#include "live/servers.h"
#include <GLFW/glfw3.h>  // breach: foreign
