// The window, driven by scripts (drives/*.json): clicks and keys go the way of a person's, and what is
// expected is read from the snapshot, from what is on the screen, and from its pixels.
#include <fstream>

#include "catch.h"
#include "scenario/reading.h"
#include "screen.h"

using namespace lockstep::gui_test;

namespace {

const std::string kDrives = lockstep::scenario::data_folder() + "/tests/gui/drives/";

void drive(const Screen& screen, const std::string& script) {
  REQUIRE(screen.ok());
  const Outcome outcome = screen.run({LOCKSTEP_BINARY, "drive", kDrives + script}, 100);
  INFO(outcome.errors);
  CHECK(outcome.exit_code == 0);
}

/// What becomes of a script with these steps.
Outcome drive_steps(const Screen& screen, const std::string& steps) {
  char name[] = "/tmp/lockstep-drive-XXXXXX";
  const int file = mkstemp(name);
  REQUIRE(file >= 0);
  std::ofstream(name, std::ios::binary) << "{\"steps\": " << steps << "}";
  const Outcome outcome = screen.run({LOCKSTEP_BINARY, "drive", name}, 60);
  remove(name);
  return outcome;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("every intervention by key") { drive(Screen(), "by_key.json"); }
TEST_CASE("every intervention by button") { drive(Screen(), "by_button.json"); }
TEST_CASE("every intervention by menu") { drive(Screen(), "by_menu.json"); }
TEST_CASE("servers: crash, pause, cut and partition by menu") { drive(Screen(), "servers.json"); }
TEST_CASE("time: playing, stepping, jumping, dragging") { drive(Screen(), "time.json"); }
TEST_CASE("a lesson from its first part to its summary") { drive(Screen(), "lesson.json"); }
TEST_CASE("tabs, in both languages and both themes") { drive(Screen(), "looks.json"); }
TEST_CASE("interfering in the past forks, and the old future is kept") {
  drive(Screen(), "forks.json");
}
TEST_CASE("a lesson that was interfered with says so, and one click leads back") {
  drive(Screen(), "own.json");
}

#if LOCKSTEP_WITH_LIVE
TEST_CASE("a lesson on a real server, played in the window and scrubbed afterwards") {
  drive(Screen(), "live.json");
}
#endif

TEST_CASE("a drive that fails says where and why") {
  const Screen screen;
  REQUIRE(screen.ok());
  SECTION("an item that is not there") {
    const Outcome outcome = drive_steps(screen, R"([{"click": "transport/plya"}])");
    CHECK(outcome.exit_code == 1);
    CHECK(holds(outcome.errors, "#/steps/0: there is no item \"transport/plya\""));
  }
  SECTION("an expectation that does not hold") {
    const Outcome outcome =
        drive_steps(screen, R"([{"frames": 1}, {"expect": {"at": "/facts/holders", "is": 7}}])");
    CHECK(outcome.exit_code == 1);
    CHECK(holds(outcome.errors, "#/steps/1: at /facts/holders there is 0"));
  }
  SECTION("an item under another") {
    const Outcome outcome = drive_steps(screen, R"([{"key": "?"}, {"click": "client/B"}])");
    CHECK(outcome.exit_code == 1);
    CHECK(holds(outcome.errors, "#/steps/1: \"client/B\" is covered by"));
  }
  SECTION("a file that is not there is bad input, and named as it was given") {
    const Outcome outcome = drive_steps(screen, R"([{"open": "no-such-lesson.json"}])");
    CHECK(outcome.exit_code == 2);
    CHECK(holds(outcome.errors, "#/steps/0: no-such-lesson.json: there is no such file"));
  }
  SECTION("a picture that cannot be written") {
    const Outcome nowhere = drive_steps(screen, R"([{"picture": "/nowhere/p.png"}])");
    CHECK(nowhere.exit_code == 2);
    CHECK(holds(nowhere.errors, "#/steps/0: /nowhere/p.png: cannot be written"));
    CHECK(drive_steps(screen, R"([{"picture": "/dev/full"}])").exit_code == 3);
  }
  SECTION("a step that does not exist") {
    const Outcome outcome = drive_steps(screen, R"([{"clikc": "x"}])");
    CHECK(outcome.exit_code == 2);
    CHECK(holds(outcome.errors, "#/steps/0/clikc: expected one of the steps"));
  }
}

TEST_CASE("without a display the window says how to get one") {
  for (const char* display : {"DISPLAY=", "DISPLAY=:4711"}) {
    const Outcome outcome =
        run_program({LOCKSTEP_BINARY, "open"}, {display, "WAYLAND_DISPLAY="}, 20);
    CHECK(outcome.exit_code == 3);
    CHECK(holds(outcome.errors, "no display to open a window on"));
    CHECK(holds(outcome.errors, "xvfb-run"));
  }
}
