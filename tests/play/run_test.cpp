#include "play/run.h"

#include <sstream>

#include "../sim/worlds.h"
#include "catch.h"
#include "play/history.h"
#include "trace/facts.h"
#include "trace/json.h"

using namespace lockstep;
using trace::EventKind;

namespace {

/// The GC pause: A stops before its second write, until B has written; then it goes on.
scenario::Scenario gc_pause(scenario::RegisterRule rule) {
  scenario::Scenario scenario = toy::clients(3);
  scenario.resource.rule = rule;
  scenario.clients[0].options.job.writes = {70, 60};
  scenario.clients[1].options.job.writes = {40};
  scenario.clients[2].options.job.writes = {};
  scenario::Step pause;
  pause.client = "A";
  pause.at_line = "write";
  pause.visit = 2;
  pause.actions = {toy::action("pause A")};
  scenario::Step resume;
  resume.when = {{"/resources/db/value", scenario::Test::kIs, int64_t{40}}};
  resume.actions = {toy::action("resume A")};
  scenario.steps = {pause, resume};
  return scenario;
}

std::string bytes_of(const trace::Trace& trace) {
  std::ostringstream out;
  trace::write_json_lines(trace, out);
  return out.str();
}

}  // namespace

TEST_CASE(
    "the GC pause comes out of the rules: with no check the stale write is accepted, with one "
    "refused") {
  const trace::Trace open = play::play_to_end(gc_pause(scenario::RegisterRule::kNone));
  CHECK(open.last().counters.stale_writes_accepted == 1);
  CHECK(open.last().resources.at("db").value == 60);
  const trace::Trace fenced = play::play_to_end(gc_pause(scenario::RegisterRule::kGreaterOrEqual));
  CHECK(fenced.last().counters.stale_writes_accepted == 0);
  CHECK(fenced.last().counters.stale_writes_refused == 1);
  CHECK(fenced.last().resources.at("db").value == 40);
  for (const trace::Trace* trace : {&open, &fenced}) {
    CHECK(trace->last().counters.believers_max == 2);
    for (int64_t i = 0; i < trace->size(); ++i) {
      CHECK(trace::facts_of(trace->snapshot(i), trace->lock_path()).holders <= 1);
    }
  }
}

TEST_CASE("the same scenario gives the same bytes, another seed gives others") {
  scenario::Scenario scenario = gc_pause(scenario::RegisterRule::kNone);
  const std::string first = bytes_of(play::play_to_end(scenario));
  CHECK(first == bytes_of(play::play_to_end(scenario)));
  scenario.seed = 2;
  CHECK(first != bytes_of(play::play_to_end(scenario)));
}

TEST_CASE("flipping one thing does not shift what comes before it") {
  const trace::Trace open = play::play_to_end(gc_pause(scenario::RegisterRule::kNone));
  const trace::Trace fenced = play::play_to_end(gc_pause(scenario::RegisterRule::kGreaterOrEqual));
  // Up to the stale write's verdict both are the same story.
  for (int64_t i = 0; i < open.size(); ++i) {
    if (open.event(i).kind == EventKind::kWriteAccepted && open.event(i).data.stale) {
      CHECK(fenced.event(i).kind == EventKind::kWriteRefused);
      return;
    }
    CHECK(open.event(i) == fenced.event(i));
  }
  FAIL("no stale write was accepted");
}

TEST_CASE("a restored world equals the one that was there, at the end of every choice") {
  scenario::Scenario scenario = gc_pause(scenario::RegisterRule::kGreaterOrEqual);
  scenario.clients[2].options.rounds = 60;  // long enough for several kept worlds
  play::History history(scenario);
  std::vector<sim::World> worlds;
  while (history.step()) worlds.push_back(history.world());
  REQUIRE(history.trace().size() > 1500);
  for (size_t i = 0; i < worlds.size(); i += 7) {
    const play::Moment moment = history.restore(worlds[i].events - 1);
    REQUIRE(moment.world == worlds[i]);
    REQUIRE(hash_of(moment.world) == hash_of(worlds[i]));
  }
}

TEST_CASE("played on from any restored moment, the future is the same, script and all") {
  const scenario::Scenario scenario = gc_pause(scenario::RegisterRule::kNone);
  play::History history(scenario);
  while (history.step()) continue;
  const std::string whole = bytes_of(history.trace());
  for (int64_t after = 0; after < history.trace().size(); after += 11) {
    play::History again = history.fork(after);
    while (again.step()) continue;
    REQUIRE(bytes_of(again.trace()) == whole);
  }
}

TEST_CASE("the scheduler always picks what comes due first") {
  scenario::Scenario scenario = toy::clients(5);
  for (scenario::ClientSpec& client : scenario.clients) client.options.rounds = 3;
  play::History history(scenario);
  sim::World world = sim::initial_world(scenario);
  while (history.step()) {
    TimeUs earliest = sim::kNever;
    for (const sim::Enabled& one : sim::enabled(world)) earliest = std::min(earliest, one.due_us);
    sim::apply(world, history.choices().back());
    REQUIRE(world.now_us == earliest);
  }
}

TEST_CASE("position and frontier: looking around changes nothing") {
  play::Run run(gc_pause(scenario::RegisterRule::kNone));
  CHECK(run.position() == trace::kNoEvent);
  CHECK_FALSE(run.step_back());
  run.seek_time(kSecond);
  const int64_t there = run.position();
  CHECK(run.trace().time_at(there) <= kSecond);
  CHECK(run.step_forward());
  CHECK(run.step_back());
  CHECK(run.position() == there);
  run.seek(1'000'000);  // simulates to the end, and stops there
  CHECK(run.ended());
  CHECK(run.position() == run.trace().size() - 1);
  CHECK_FALSE(run.step_forward());
  CHECK(run.ending() == trace::Ending{trace::EndKind::kDone});
  run.seek(trace::kNoEvent);
  CHECK(run.snapshot() == run.trace().snapshot(trace::kNoEvent));
}

TEST_CASE("marks are jumped to in both directions") {
  play::Run run(gc_pause(scenario::RegisterRule::kGreaterOrEqual));
  std::vector<EventKind> kinds;
  while (run.jump_forward()) kinds.push_back(run.trace().kind_at(run.position()));
  REQUIRE_FALSE(kinds.empty());
  CHECK(kinds.front() == EventKind::kAcquired);
  CHECK(std::count(kinds.begin(), kinds.end(), EventKind::kWriteRefused) == 1);
  size_t back = 1;
  while (run.jump_back()) ++back;
  CHECK(back == kinds.size());
}

TEST_CASE("interfering in the past forks, keeps the old future, and can be undone") {
  play::Run run(gc_pause(scenario::RegisterRule::kNone));
  run.simulate_to_end();
  const std::string original = bytes_of(run.trace());
  run.seek_time(700 * kMillisecond);
  const int64_t position = run.position();
  REQUIRE_FALSE(run.intervene("rule db greater_or_equal"));
  CHECK(run.branches().size() == 2);
  CHECK(run.branch() == 1);
  CHECK(run.branches()[1].parent == 0);
  CHECK(run.branches()[1].forked_after == position);
  run.simulate_to_end();
  CHECK(run.trace().last().counters.stale_writes_accepted == 0);
  run.switch_to(0);
  CHECK(bytes_of(run.trace()) == original);
  run.switch_to(1);
  REQUIRE(run.undo());
  CHECK(run.branch() == 0);
  CHECK(run.position() == position);
  CHECK_FALSE(run.undo());
}

TEST_CASE("interfering at the frontier goes on in the same branch, at the time that is asked for") {
  play::Run run(toy::clients(2));
  run.seek_time(100 * kMillisecond);
  REQUIRE_FALSE(run.intervene("pause A", 110 * kMillisecond));
  CHECK(run.branches().size() == 1);
  CHECK(run.snapshot().clients.at("A").process == trace::Process::kPaused);
  REQUIRE(run.undo());
  CHECK(run.snapshot().clients.at("A").process == trace::Process::kRunning);
  CHECK(run.position() == run.trace().size() - 1);
}

TEST_CASE("a run knows from where on it is no longer the scenario's own") {
  play::Run run(gc_pause(scenario::RegisterRule::kNone));
  run.simulate_to_end();  // with the script's own interventions
  run.seek_time(700 * kMillisecond);
  CHECK_FALSE(run.own_after());
  const int64_t position = run.position();
  REQUIRE_FALSE(run.intervene("rule db greater"));
  CHECK(run.own_after() == position);
  const int64_t later = run.position();
  REQUIRE_FALSE(run.intervene("rule db none"));  // at the frontier of the fork
  CHECK(run.own_after() == position);
  CHECK(later > position);
  run.switch_to(0);
  CHECK_FALSE(run.own_after());
  run.switch_to(1);
  REQUIRE(run.undo());
  REQUIRE(run.undo());
  CHECK_FALSE(run.own_after());
  run.simulate_to_end();
  run.seek(run.trace().size() - 1);
  REQUIRE_FALSE(run.intervene("rule db greater"));  // in place
  CHECK(run.own_after().has_value());
}

TEST_CASE("amid the last choice nothing is in the past") {
  play::Run run(toy::clients(2));
  while (run.trace().size() < 2 || run.trace().ends_moment(run.trace().size() - 2)) {
    REQUIRE(run.simulate_step());
  }
  run.seek(run.trace().size() - 2);
  REQUIRE_FALSE(run.intervene("hold A>db"));
  CHECK(run.branches().size() == 1);
}

TEST_CASE("the time of what comes next is known before it is simulated") {
  play::Run run(gc_pause(scenario::RegisterRule::kNone));
  while (const std::optional<TimeUs> time = run.next_time()) {
    const int64_t events = run.trace().size();
    if (!run.step_forward()) break;  // the end
    REQUIRE(run.snapshot().time_us == *time);
    REQUIRE(run.position() <= events);
  }
  CHECK(run.ended());
}

TEST_CASE("what is not possible is refused in words, and nothing changes") {
  play::Run run(toy::clients(2));
  run.seek_time(100 * kMillisecond);
  const std::string before = bytes_of(run.trace());
  for (const char* name :
       {"resume A", "pause nobody", "dance A", "", "cut A-zk7", "rule db sometimes"}) {
    CAPTURE(name);
    const auto problem = run.intervene(name);
    REQUIRE(problem);
    CHECK_FALSE(problem->message.empty());
  }
  CHECK(bytes_of(run.trace()) == before);
  CHECK(run.branches().size() == 1);
  CHECK_FALSE(run.undo());
}

TEST_CASE("everything that is offered can be done") {
  play::Run run(gc_pause(scenario::RegisterRule::kNone));
  run.simulate_to_end();
  for (const TimeUs time : {TimeUs{0}, 300 * kMillisecond, 2 * kSecond, 9 * kSecond}) {
    run.switch_to(0);
    run.seek_time(time);
    for (const std::string& name : run.possible()) {
      CAPTURE(name, time);
      run.switch_to(0);
      run.seek_time(time);
      CHECK_FALSE(run.intervene(name));
    }
  }
}

TEST_CASE("a script whose moment never comes is said to have waited in vain") {
  scenario::Scenario scenario = toy::clients(1);
  scenario.time_max_us = 5 * kSecond;
  scenario::Step never;
  never.when = {{"/resources/db/value", scenario::Test::kIs, int64_t{12345}}};
  never.actions = {toy::action("pause A")};
  scenario.steps = {never};
  trace::Ending ending;
  (void)play::play_to_end(scenario, &ending);
  CHECK(ending == trace::Ending{trace::EndKind::kTimeUp, 1});
}

TEST_CASE("a recording can be looked at, and not interfered with") {
  play::Run run(play::play_to_end(gc_pause(scenario::RegisterRule::kNone)));
  CHECK_FALSE(run.can_intervene());
  CHECK(run.ended());
  CHECK(run.jump_forward());
  CHECK(run.possible().empty());
  CHECK(run.intervene("pause A"));
}

TEST_CASE("a client added while the run goes on joins the queue") {
  scenario::Scenario scenario = toy::clients(1);
  scenario.clients[0].options.job.work_us = 3 * kSecond;
  play::Run run(scenario);
  run.seek_time(kSecond);
  REQUIRE_FALSE(run.intervene("add Z"));
  run.simulate_to_end();
  CHECK(run.trace().last().clients.at("Z").belief == recipes::Belief::kReleased);
  CHECK(run.trace().last().counters.grants == 2);
}
