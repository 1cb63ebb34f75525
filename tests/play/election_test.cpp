// How long it takes until an ensemble has a leader again. Real ones of three and four servers need 0.3 s once a
// partition is healed, and 0.2 s of it is the wait for something better (FastLeaderElection's finalizeWait).
#include "catch.h"
#include "play/run.h"

using namespace lockstep;

namespace {

scenario::Scenario idle(int servers) {
  scenario::Scenario scenario;
  scenario.tick_us = 500 * kMillisecond;
  for (int i = 1; i <= servers; ++i) scenario.servers.push_back({"zk" + std::to_string(i)});
  scenario::ClientSpec client;
  client.id = "A";
  client.session_timeout_us = 5 * kSecond;
  client.options.job.work_us = 300 * kSecond;
  scenario.clients.push_back(client);
  scenario.time_max_us = 60 * kSecond;
  return scenario;
}

scenario::Step step(TimeUs after_us, const std::vector<std::string>& actions) {
  scenario::Step step{.after_us = after_us};
  for (const std::string& action : actions) step.actions.push_back(*scenario::intervention_named(action));
  return step;
}

/// What is done to a server of an ensemble, and what mends it.
struct Break {
  const char* harm;
  const char* mend;  // of one server; "heal all": of all
};

/// From the last step of the script until a server leads; -1: none does within the run's time.
TimeUs until_led(const scenario::Scenario& scenario) {
  const trace::Trace trace = play::play_to_end(scenario);
  TimeUs mended = -1;
  for (int64_t i = 0; i < trace.size(); ++i) {
    if (trace.kind_at(i) == trace::EventKind::kIntervened) mended = trace.time_at(i);
  }
  REQUIRE(mended >= 0);
  for (int64_t i = trace.index_at(mended); i < trace.size(); ++i) {
    const trace::Event event = trace.event(i);
    if (event.kind == trace::EventKind::kRoleChanged && event.data.what == "LEADING") return event.time_us - mended;
  }
  return -1;
}

}  // namespace

TEST_CASE("once a quorum is together again, it has a leader within half a second, whatever kept it apart") {
  const Break breaks[] = {{"partition ", "heal all"}, {"crash ", "restart "}, {"pause ", "resume "}};
  for (int servers = 2; servers <= 7; ++servers) {
    for (const Break& one : breaks) {
      for (const TimeUs apart : {4 * kSecond, 9 * kSecond, 23 * kSecond}) {
        CAPTURE(servers, one.harm, apart);
        scenario::Scenario scenario = idle(servers);
        std::vector<std::string> harm;
        std::vector<std::string> mend;
        const int lost = servers - servers / 2;  // What is left is no quorum.
        for (int i = 1; i <= lost; ++i) harm.push_back(one.harm + ("zk" + std::to_string(i)));
        const bool each = std::string(one.mend) != "heal all";
        for (int i = 1; i <= (each ? lost : 1); ++i) mend.push_back(one.mend + (each ? "zk" + std::to_string(i) : ""));
        scenario.steps = {step(2 * kSecond, harm), step(apart, mend)};
        const TimeUs time = until_led(scenario);
        CHECK(time >= 0);
        CHECK(time < 500 * kMillisecond);
      }
    }
  }
}
