#include <GLFW/glfw3.h>
#include <glad/gl.h>
#include <imgui.h>
#include <pango/pangocairo.h>  // breach: foreign
#include <sqlite3.h>           // breach: foreign
#include "live/servers.h"
long width;                    // breach: long
auto now = std::chrono::steady_clock::now();
