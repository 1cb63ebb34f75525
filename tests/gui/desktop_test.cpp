// Real input: xdotool moves the X server's own mouse and presses its keys, one action for each panel. A script
// in the window says where things are and waits for what should come of it; the colour of the screen is read from
// the X server, not from the program.
#include <chrono>
#include <sstream>
#include <thread>

#include "catch.h"
#include "scenario/reading.h"
#include "screen.h"

using namespace lockstep::gui_test;

namespace {

struct Spot {
  std::string id;
  int x = 0;
  int y = 0;
};

/// The next item that the script says is there.
Spot next_spot(Program& program) {
  std::istringstream line(program.line(30));
  Spot spot;
  line >> spot.id >> spot.x >> spot.y;
  return spot;
}

std::vector<std::string> moved(const Spot& spot) {
  return {"xdotool", "mousemove", "--sync", std::to_string(spot.x), std::to_string(spot.y)};
}

void click(const Screen& screen, const Spot& spot) {
  INFO(spot.id);
  REQUIRE(spot.x > 0);
  std::vector<std::string> command = moved(spot);
  command.insert(command.end(), {"sleep", "0.15", "click", "1"});
  CHECK(screen.run(command, 10).exit_code == 0);
}

void drag_left(const Screen& screen, const Spot& spot) {
  REQUIRE(spot.x > 0);
  std::vector<std::string> command = moved(spot);
  command.insert(command.end(), {"sleep", "0.15", "mousedown", "1", "sleep", "0.1"});
  for (int i = 0; i < 10; ++i)
    command.insert(command.end(), {"mousemove_relative", "--", "-40", "0", "sleep", "0.05"});
  command.insert(command.end(), {"mouseup", "1"});
  CHECK(screen.run(command, 10).exit_code == 0);
}

/// Of the empty part of the course's panel, below its list.
int brightness(const Screen& screen, int x) {
  const std::array<int, 3> pixel = screen.pixel(x, 700);
  return pixel[0] + pixel[1] + pixel[2];
}

}  // namespace

TEST_CASE("real mouse and keys: one action of each panel") {
  const Screen screen;
  REQUIRE(screen.ok());
  Program window(screen, {LOCKSTEP_BINARY, "drive",
                          lockstep::scenario::data_folder() + "/tests/gui/drives/desktop.json"});

  const Spot course = next_spot(window);
  click(screen, course);
  click(screen, next_spot(window));  // transport/jump
  click(screen, next_spot(window));  // client/B
  click(screen, next_spot(window));  // action/cut
  click(screen, next_spot(window));  // tab/code
  drag_left(screen, next_spot(window));

  CHECK(brightness(screen, course.x) < 150);
  click(screen, next_spot(window));  // top/theme
  for (int i = 0; i < 100 && brightness(screen, course.x) < 600; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  CHECK(brightness(screen, course.x) > 600);

  CHECK(screen.run({"xdotool", "key", "question"}, 10).exit_code == 0);

  const Outcome outcome = window.end(40);
  INFO(outcome.errors);
  CHECK(outcome.exit_code == 0);
}
