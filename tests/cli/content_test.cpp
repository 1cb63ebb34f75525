// Scenarios and lessons that say something wrong: one line a fault, with its place in the file.
#include <algorithm>

#include "catch.h"
#include "cli/process.h"

using namespace lockstep::cli_tests;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// What is said about a scenario, from the pointer on.
std::string about(const std::string& scenario) {
  const Scratch scratch;
  const std::string path = scratch.file("s.json", scenario);
  const std::string said = complaint(run({"play", path}), 2);
  CHECK_THAT(said, StartsWith(path));
  return said.substr(path.size());
}

/// A scenario with one client and these members beside.
std::string with(const std::string& members) {
  return R"({"clients": [{"id": "A"}], )" + members + "}";
}

/// A lesson of the course with the first `from` become `to`.
std::string changed(const std::string& name, const std::string& from, const std::string& to) {
  std::string text = bytes_of(lesson(name));
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

Outcome check(const std::string& text) {
  const Scratch scratch;
  return run({"check", "--lang", "en", scratch.file("L.json", text)});
}

}  // namespace

TEST_CASE("a misspelt key is answered with the one that was meant, and with nothing else") {
  CHECK(about(with(R"("sede": 3)")) == "#/sede: unknown key; did you mean \"seed\"?");
  CHECK(about(R"({"cleints": [{"id": "A"}]})") ==
        "#/cleints: unknown key; did you mean \"clients\"?");
  CHECK(about(R"({"clients": [{"id": "A", "option": {}}]})") ==
        "#/clients/0/option: unknown key; did you mean \"options\"?");
  CHECK_THAT(about(with(R"("zebra": 1, "quagga": 2)")),
             StartsWith("#/quagga: unknown key (and 1 more); known here: "));
}

TEST_CASE("values of the wrong type or size are named with what was expected") {
  CHECK(about(with(R"("seed": "7")")) ==
        "#/seed: is \"7\"; expected a whole number from 0; the same seed gives the same run");
  CHECK_THAT(about(with(R"("seed": 1e300)")),
             StartsWith("#/seed: is 1e+300; expected a whole number"));
  CHECK_THAT(about(with(R"("seed": 18446744073709551616)")),
             StartsWith("#/seed: is 1.8446744073709552e+19; expected"));
  CHECK_THAT(about(with(R"("seed": 9223372036854775808)")), Contains("is too large"));
  CHECK_THAT(about(with(R"("tick_ms": -1)")),
             StartsWith("#/tick_ms: is -1; expected the servers' tick, 1 to 60000"));
  CHECK_THAT(about(with(R"("time_max_ms": 1e18)")),
             StartsWith("#/time_max_ms: is 1e+18; expected milliseconds"));
  CHECK_THAT(about(with(R"("resource": [])")), StartsWith("#/resource: is empty; expected"));
  CHECK_THAT(about(R"({"clients": {"id": "A"}})"),
             StartsWith("#/clients: is an object; expected a list of clients"));
  CHECK_THAT(about(with(R"("steps": [{"do": ["pause B"]}])")),
             StartsWith("#/steps/0/do/0: there is no client and no server \"B\"; expected \"A\""));
  CHECK_THAT(about(with(R"("steps": [{"do": ["pauze A"]}])")),
             StartsWith("#/steps/0/do/0: \"pauze A\" is no intervention"));
  CHECK_THAT(
      about(
          with(R"("steps": [{"when": [{"at": "/clients/A/beleif", "is": "holding"}], "do": []}])")),
      StartsWith("#/steps/0/when/0/at: ") && Contains("belief"));
}

TEST_CASE("times in which nothing can happen are refused") {
  for (const char* none : {"0", "-5", "0.5"}) {
    const std::string is = std::string(": is ") + none;
    CHECK_THAT(
        about(std::string(R"({"clients": [{"id": "A", "session_timeout_ms": )") + none + "}]}"),
        StartsWith("#/clients/0/session_timeout_ms" + is) && Contains("milliseconds, 1 to"));
    CHECK_THAT(about(with(std::string(R"("time_max_ms": )") + none)),
               StartsWith("#/time_max_ms" + is));
    CHECK_THAT(about(with(std::string(R"("tick_ms": )") + none)), StartsWith("#/tick_ms" + is));
  }
}

TEST_CASE("a run with nobody in it is refused") {
  CHECK(about(R"({"clients": []})") ==
        "#/clients: is empty; expected a list of clients, one at least");
  CHECK_THAT(about(R"({"clients": [{"ids": {"prefix": "C", "count": 0}}]})"),
             StartsWith("#/clients/0/ids/count: is 0; expected"));
}

TEST_CASE("more clients than can be played are refused, however they come in") {
  CHECK_THAT(about(R"({"clients": [{"ids": {"prefix": "C", "count": 10000}}, {"id": "A"}]})"),
             Contains("10001 clients; at most 10000"));
  CHECK_THAT(
      about(
          R"({"clients": [{"ids": {"prefix": "C", "count": 10000}}], "steps": [{"do": ["add A"]}]})"),
      Contains("10001 clients; at most 10000"));
  std::string many = R"({"clients": [{"id": "A0"})";
  for (int i = 1; i <= 10000; ++i) many += ", {\"id\": \"A" + std::to_string(i) + "\"}";
  CHECK_THAT(about(many + "]}"), Contains("10001 clients; at most 10000"));
}

TEST_CASE("of very many faults the first are told, and how many more there are") {
  const Scratch scratch;
  std::string text = R"({"clients": [{"id": "A"})";
  for (int i = 0; i < 500; ++i) text += R"(, {"id": 5})";
  const Outcome refused = run({"play", scratch.file("s.json", text + "]}")});
  CHECK(refused.code == 2);
  CHECK(std::count(refused.err.begin(), refused.err.end(), '\n') == 11);
  CHECK_THAT(refused.err, Contains("#/clients/1/id: is 5; expected an id") &&
                              Contains("lockstep: and 490 more\n"));
}

// ---- Lessons -----------------------------------------------------------------------------------

TEST_CASE("check holds every claim of every lesson") {
  const Outcome all = run({"check", "--lang", "en"});
  INFO(all.out << all.err);
  CHECK(all.code == 0);
  CHECK(all.err.empty());
  CHECK_THAT(all.out, Contains("L03") && Contains("L08") && Contains("L18") && Contains("L19") &&
                          Contains(" 0 failed"));
}

TEST_CASE("check takes a folder for the lessons in it") {
  const Scratch scratch;
  scratch.file("L03.json", bytes_of(lesson("L03-five-steps")));
  scratch.file("notes.txt", "{");
  const Outcome checked = run({"check", "--lang", "en", scratch.folder()});
  CHECK(checked.code == 0);
  CHECK_THAT(checked.out, Contains("1 lesson, 0 failed"));
}

TEST_CASE("a claim that does not hold is named, and the exit code is 1") {
  const Outcome broken = check(changed("L18-gc-pause", R"("at": "/resources/db/value", "is": 40
    })",
                                       R"("at": "/resources/db/value", "is": 41
    })"));
  INFO(broken.out << broken.err);
  CHECK(broken.code == 1);
  CHECK_THAT(broken.out, Contains("\"final-value\" does not hold in the lesson itself") &&
                             Contains("FAILED") && Contains("1 failed"));
}

TEST_CASE("a variant that breaks nothing is named, and the exit code is 1") {
  const Outcome harmless = check(
      changed("L18-gc-pause", R"({"op": "replace", "path": "/resource/rule", "value": "none"})",
              R"({"op": "replace", "path": "/resource/rule", "value": "greater"})"));
  INFO(harmless.out << harmless.err);
  CHECK(harmless.code == 1);
  CHECK_THAT(harmless.out,
             Contains("variant \"no-check\" does not break \"no-stale-write\", which it names"));
}

TEST_CASE("a missing translation is bad input, with its place") {
  const Outcome missing =
      check(changed("L18-gc-pause", R"({"zh": "GC 停顿与双写", "en": "A GC pause, two writers"})",
                    R"({"zh": "GC 停顿与双写"})"));
  CHECK_THAT(complaint(missing, 2), Contains("#/title: lacks \"en\": the English text, not empty"));
  const Outcome empty =
      check(changed("L18-gc-pause", R"("en": "A GC pause, two writers")", R"("en": "")"));
  CHECK_THAT(complaint(empty, 2),
             Contains("#/title/en: is \"\"; expected the English text, not empty"));
}

TEST_CASE("an unreadable lesson does not keep the others from being checked") {
  const Scratch scratch;
  const Outcome some =
      run({"check", "--lang", "en", scratch.file("L.json", "{"), lesson("L03-five-steps")});
  CHECK(some.code == 2);
  CHECK_THAT(some.out,
             Contains("L03") && Contains("1 lesson, 0 failed; files that cannot be read: 1"));
  CHECK_THAT(some.err, Contains("L.json: line 1, column"));
}

TEST_CASE("a patch that leads nowhere is named by its place") {
  const std::string rule = R"({"op": "replace", "path": "/resource/rule", "value": "none"})";
  const std::vector<std::pair<std::string, std::string>> patches = {
      {R"({"op": "replace", "path": "/resource/role", "value": "none"})",
       "\"/resource/role\" leads nowhere"},
      {R"({"op": "add", "path": "/seed/x", "value": 1})", "\"/seed/x\" leads nowhere"},
      {R"({"op": "add", "path": "/clients/4000000000/id", "value": "Z"})", "leads nowhere"},
      {R"({"op": "add", "path": "/clients/4000000000", "value": {"id": "Z"}})", "leads nowhere"},
      {R"({"op": "add", "path": "/clients/01", "value": {"id": "Z"}})", "leads nowhere"},
      {R"({"op": "remove", "path": ""})", "leads nowhere"},
      {R"({"op": "remove", "path": "/clients/-"})", "leads nowhere"},
      {R"({"op": "add", "path": "clients", "value": 1})", "leads nowhere"},
      {R"({"op": "add", "path": "/a~2b", "value": 1})", "leads nowhere"},
      {R"({"op": "replace", "path": "", "value": []})", "gives a scenario that is refused"},
      {R"({"op": "replace", "path": "/clients", "value": []})", "gives a scenario that is refused"},
      {R"({"op": "replace", "path": "/seed", "value": 18})", "changes nothing"},
      {R"({"op": "add", "path": "/seed"})", "lacks \"value\", which \"add\" needs"},
      {R"({"op": "move", "path": "/seed", "value": 1})",
       "is \"move\"; expected \"add\", \"remove\" or \"replace\""},
      {R"({"op": "add", "path": "/seed", "from": "/name", "value": 1})", "unknown key"},
  };
  for (const auto& [patch, said] : patches) {
    INFO(patch);
    const std::string complained = complaint(check(changed("L18-gc-pause", rule, patch)), 2);
    CHECK_THAT(complained, Contains("#/variants/0/patch") && Contains(said));
  }
}

TEST_CASE("patches that pile up what no file may hold are refused") {
  std::string op = R"({"op": "add", "path": "/x", "value": {}})";
  std::string path = "/x";
  std::string ops = op;
  for (int i = 0; i < 40; ++i) {  // each two levels deeper
    path += "/a";
    ops += R"(, {"op": "add", "path": ")" + path + R"(", "value": {"a": {}}})";
    path += "/a";
  }
  const std::string rule = R"({"op": "replace", "path": "/resource/rule", "value": "none"})";
  CHECK_THAT(complaint(check(changed("L18-gc-pause", rule, ops)), 2),
             Contains("deeper than 64 levels"));
}

TEST_CASE("in a folder every JSON file is checked, whatever its name, and nothing else is looked at") {
  const Scratch scratch;
  scratch.file("copy.json", changed("L03-five-steps", "\"is\": 4", "\"is\": 5"));
  scratch.file("README.md", "How to write a lesson");
  scratch.file(".unfinished.json", "{");
  const Outcome failed = run({"check", "--lang", "en", scratch.folder()});
  CHECK(failed.code == 1);
  CHECK_THAT(failed.out, Contains("1 lesson, 1 failed"));
  const std::string stranger = scratch.file("other.json", with("\"seed\": 1"));
  const Outcome refused = run({"check", "--lang", "en", scratch.folder()});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.out, Contains("1 lesson"));
  CHECK_THAT(refused.err, Contains(stranger + ": is a scenario; expected a lesson"));
}
