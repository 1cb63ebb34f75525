// breach: name
#include "scenario/scenario.h"
#include <imgui.h>  // breach: foreign

void f() {
  std::ifstream text(path);  // breach: binary
  std::ifstream bytes(path, std::ios::binary);
  std::ofstream(path) << 1;  // breach: binary
  std::ofstream later;
  open("/work/here");  // breach: machine
}
