#include <cairo.h>
#include "scene/scene.h"
#include "gui/window.h"  // breach: layer
#include "live/tail.h"   // breach: layer
