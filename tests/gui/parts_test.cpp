// The window's parts that need no screen: input, keys, where lines break, layout, pacing, reasons.
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <set>

#include "catch.h"
#include "gui/flow.h"
#include "gui/input.h"
#include "gui/interventions.h"
#include "gui/keys.h"
#include "gui/layout.h"
#include "gui/playback.h"
#include "gui/time_range.h"
#include "gui/why.h"
#include "trace/facts.h"

using namespace lockstep;
using namespace lockstep::gui;

namespace {

/// Dear ImGui without a window: only its input is looked at.
class Imgui {
 public:
  Imgui() { ImGui::CreateContext(); }
  ~Imgui() { ImGui::DestroyContext(); }
};

scenario::Scenario three_clients() {
  scenario::Scenario scenario;
  scenario.name = "three";
  scenario.servers = {{"zk1"}};
  for (const char* id : {"A", "B", "C"}) {
    scenario::ClientSpec client;
    client.id = id;
    client.start_us = (id[0] - 'A') * 200 * kMillisecond;
    client.options.job.work_us = 2 * kSecond;
    scenario.clients.push_back(client);
  }
  return scenario;
}

std::string joined(const std::vector<std::string>& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += (text.empty() ? "" : "|") + piece;
  return text;
}

bool any(const std::vector<Reason>& reasons, const std::string& text) {
  for (const Reason& reason : reasons) {
    if (reason.text.find(text) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a click that comes within one frame is seen by two frames") {
  const Imgui imgui;
  ImGuiIO& io = ImGui::GetIO();
  Input input;
  input.mouse_at({10, 20});
  input.mouse_button(MouseButton::kLeft, true);
  input.mouse_button(MouseButton::kLeft, false);
  input.mouse_at({99, 99});
  input.next_frame(io);
  CHECK(io.MouseDown[0]);
  CHECK(io.MousePos.x == 10);
  input.next_frame(io);
  CHECK_FALSE(io.MouseDown[0]);
  CHECK(io.MousePos.x == 10);  // the release happens where the press was
  CHECK(input.pending());
  input.next_frame(io);
  CHECK(io.MousePos.x == 99);
  CHECK_FALSE(input.pending());
}

TEST_CASE("keys have names both ways") {
  KeyPress press;
  REQUIRE(key_named("ctrl+shift+z", press));
  CHECK(press == KeyPress{.key = GLFW_KEY_Z, .ctrl = true, .shift = true});
  CHECK(shown_name(press) == "Ctrl+Shift+Z");
  REQUIRE(key_named("?", press));
  CHECK(press.character == '?');
  CHECK(press.key == 0);
  REQUIRE(key_named("f12", press));
  CHECK(press.key == GLFW_KEY_F12);
  for (const char* wrong : {"", "f13", "f0", "ctrl+", "spce", "ß"}) {
    INFO(wrong);
    CHECK_FALSE(key_named(wrong, press));
  }
}

TEST_CASE("every binding is a key, and no key is bound twice") {
  std::set<std::string> seen;
  for (const BindingGroup& group : binding_groups()) {
    for (const Binding& binding : group.bindings) {
      const std::string name = shown_name(binding.press);
      INFO(name);
      CHECK((binding.press.key != 0 || binding.press.character != 0));
      KeyPress read;
      CHECK(key_named(name, read));  // as it is shown
      CHECK(read == binding.press);
      CHECK(seen.insert(name).second);
    }
  }
}

TEST_CASE("Chinese breaks between characters, but not before closing or after opening marks") {
  CHECK(joined(breakable_pieces("锁过期，了")) == "锁|过|期，|了");
  CHECK(joined(breakable_pieces("读“锁”吧")) == "读|“锁”|吧");
  CHECK(joined(breakable_pieces("two words")) == "two |words");
  CHECK(joined(breakable_pieces("令牌 0x101 小")) == "令|牌 |0x101 |小");
  CHECK(joined(breakable_pieces("")).empty());
}

TEST_CASE("panels fill the window, and do not lie on each other") {
  for (const scene::Size size : {scene::Size{1280, 800}, {1920, 1080}, {3840, 2160}, {640, 480}}) {
    for (const float px : {12.0f, 16.0f, 24.0f, 40.0f}) {
      for (const bool course : {false, true}) {
        const Layout layout =
            layout_of({.size = size, .px = px, .course_open = course, .timeline_wanted = 300});
        INFO(size.w << "x" << size.h << " at " << px);
        CHECK(layout.top.bottom() == layout.stage.y);
        CHECK(layout.course.right() == layout.stage.x);
        CHECK(layout.stage.right() == layout.side.x);
        CHECK(layout.side.right() == size.w);
        CHECK(layout.stage.bottom() == layout.actions.y);
        CHECK(layout.actions.bottom() == layout.transport.y);
        CHECK(layout.transport.bottom() == layout.timeline.y);
        CHECK(layout.stage.w > 0);
      }
    }
  }
}

TEST_CASE("zooming keeps the time under the mouse in its place") {
  const TimeRange range = zoomed({false, 1000000, 3000000}, 1500000, 0.5);
  CHECK(range.to_us - range.from_us == 1000000);
  CHECK(range.from_us == 1250000);
  CHECK(panned({false, 1000, 2000}, -5000).from_us == 0);
  CHECK(zoomed({false, 0, 3000}, 0, 0.001).to_us >= 2 * kMillisecond);
}

TEST_CASE("playing shows every event, and takes longer over a longer quiet") {
  CHECK(wall_seconds(0) == 0);
  CHECK(wall_seconds(5 * kMillisecond) > 0.1);  // long enough to see a message fly
  CHECK(wall_seconds(6 * kSecond) < 1.5);       // short enough to wait for an expiry
  CHECK(wall_seconds(6 * kSecond) > wall_seconds(5 * kMillisecond));

  const auto tape = tape_of(play::Run(three_clients()));
  Playback playback{.playing = true};
  std::vector<int64_t> positions;
  TimeUs before = 0;
  for (int frame = 0; frame < 2000 && playback.playing; ++frame) {
    playback.advance(*tape, 1.0 / 60);
    CHECK(playback.now_us >= before);
    CHECK(playback.now_us >= tape->snapshot().time_us);
    before = playback.now_us;
    if (positions.empty() || positions.back() != tape->position())
      positions.push_back(tape->position());
  }
  CHECK(positions.size() > 50);
}

TEST_CASE("verbs come in pairs: the one that makes sense is offered") {
  const auto tape = tape_of(play::Run(three_clients()));
  const auto pause_of = [&] {
    const OfferInput input = {tape->snapshot(), tape->scenario(), tape->possible()};
    for (const Offer& offer : offers_for_client(input, "A")) {
      if (offer.key == "P") return offer;
    }
    return Offer{};
  };
  CHECK_FALSE(pause_of().possible);  // it has not started
  while (tape->snapshot().clients.at("A").process == trace::Process::kNotStarted) {
    REQUIRE(tape->grow());
    tape->seek(tape->position() + 1);
  }
  CHECK(pause_of().name == "pause A");
  CHECK(pause_of().possible);
  REQUIRE_FALSE(tape->intervene("pause A", 0));
  CHECK(pause_of().name == "resume A");
  const OfferInput input = {tape->snapshot(), tape->scenario(), tape->possible()};
  CHECK(offers_for_region(input, "ledger/1").empty());
  CHECK(offers_for_region(input, "resource/db").size() == 3);
  CHECK(offers_for_region(input, "link/A>zk1").size() == 3);
}

TEST_CASE("why: a waiter knows before whom it stands and what would wake it") {
  play::Run run(three_clients());
  while (run.snapshot().clients.count("C") == 0 || run.snapshot().clients.at("C").line != 6)
    REQUIRE(run.step_forward());
  for (const bool chinese : {true, false}) {
    const Why why = why_of({.trace = run.trace(),
                            .snapshot = run.snapshot(),
                            .position = run.position(),
                            .language = chinese ? trace::Language::kZh : trace::Language::kEn,
                            .chosen = "C"});
    REQUIRE(why.clients.size() == 2);  // C, and B, which waits too
    CHECK(any(why.clients[0].state, "lock-0000000001"));
    CHECK(any(why.clients[0].wakes, chinese ? "B 放锁" : "B releases"));
    CHECK_FALSE(why.clients[0].causes.empty());
    CHECK(why.writes.empty());
  }
}

TEST_CASE("why: a waiter without a connection is woken by its library, which connects again") {
  play::Run run(three_clients());
  while (run.snapshot().clients.count("B") == 0 || run.snapshot().clients.at("B").line != 6)
    REQUIRE(run.step_forward());
  REQUIRE_FALSE(run.intervene("cut B-zk1"));
  while (run.snapshot().clients.at("B").connection == trace::Connection::kConnected) REQUIRE(run.step_forward());
  const Why why = why_of({.trace = run.trace(),
                          .snapshot = run.snapshot(),
                          .position = run.position(),
                          .language = trace::Language::kEn,
                          .chosen = "B"});
  REQUIRE_FALSE(why.clients.empty());
  CHECK(any(why.clients[0].wakes, "connects again"));
  CHECK_FALSE(any(why.clients[0].wakes, "for ever"));
}

TEST_CASE("why: a paused holder whose session is over is in danger, and told why") {
  play::Run run(three_clients());
  while (!trace::believes_to_hold(run.snapshot().clients.at("A"))) REQUIRE(run.step_forward());
  REQUIRE_FALSE(run.intervene("pause A"));
  while (run.snapshot().sessions.at("A#1").life == trace::SessionLife::kLive)
    REQUIRE(run.step_forward());
  const Why why = why_of({.trace = run.trace(),
                          .snapshot = run.snapshot(),
                          .position = run.position(),
                          .language = trace::Language::kEn,
                          .chosen = "A"});
  REQUIRE(why.clients.front().state.size() >= 2);
  CHECK(why.clients.front().state[0].tone == Reason::Tone::kDanger);
  const int64_t event = why.clients.front().state[1].event;
  REQUIRE(event != trace::kNoEvent);
  CHECK(run.trace().kind_at(event) == trace::EventKind::kSessionExpired);
}
