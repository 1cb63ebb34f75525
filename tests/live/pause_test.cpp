// The double write, for real: A process stopped by SIGSTOP believes in a lock that has moved on.
#include <sqlite3.h>
#include <unistd.h>

#include <sstream>

#include "catch.h"
#include "scenarios.h"
#include "trace/facts.h"
#include "trace/json.h"

using namespace lockstep;
using namespace lockstep::live_tests;
using scenario::RegisterRule;

namespace {

int64_t value_in(const std::string& database) {
  sqlite3* opened = nullptr;
  sqlite3_stmt* select = nullptr;
  int64_t value = -1;
  sqlite3_open_v2(database.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
  sqlite3_prepare_v2(opened, "SELECT value FROM register WHERE id = 'db'", -1, &select, nullptr);
  if (sqlite3_step(select) == SQLITE_ROW) value = sqlite3_column_int64(select, 0);
  sqlite3_finalize(select);
  sqlite3_close(opened);
  return value;
}

trace::LedgerRow row_of_value(const trace::Snapshot& end, int64_t value) {
  for (const auto& [number, row] : end.ledger) {
    if (row.value == value) return row;
  }
  return {};
}

struct Played {
  trace::Snapshot end;
  int64_t database = 0;
  int64_t believers_max = 0;
  int64_t holders_max = 0;
  bool danger = false;
};

Played play(RegisterRule rule) {
  const Scratch scratch;
  live::LiveOptions with = options();
  with.database = scratch.path() + "/db.sqlite";
  const trace::Trace trace = played(gc_pause(rule), with);
  INFO(told(trace));
  CHECK(children_of(getpid()).empty());
  CHECK(scratch.left().empty());
  // A recording is a file like any other: read back, it is the same.
  std::stringstream file;
  trace::write_json_lines(trace, file);
  const std::string bytes = file.str();
  auto again = trace::read_json_lines(file, "recording");
  if (!again) FAIL(scenario::describe(again.problems().front()));
  std::ostringstream rewritten;
  trace::write_json_lines(again.value(), rewritten);
  CHECK(rewritten.str() == bytes);
  Played played = {.database = value_in(with.database)};
  trace::Cursor cursor(trace);
  for (int64_t i = 0; i < trace.size(); ++i) {
    cursor.seek(i);
    const trace::Facts facts = trace::facts_of(cursor.snapshot(), trace.lock_path());
    played.believers_max = std::max(played.believers_max, facts.believers);
    played.holders_max = std::max(played.holders_max, facts.holders);
    played.danger = played.danger || trace::danger_of(cursor.snapshot(), trace.lock_path(), "A") ==
                                         trace::Danger::kDangerous;
  }
  played.end = cursor.snapshot();
  CHECK(trace.header().source == trace::Source::kLive);
  CHECK(trace.event(trace.size() - 1).data.what == "done");
  return played;
}

}  // namespace

TEST_CASE("without a check the stale write reaches the database", "[live]") {
  const Played played = play(RegisterRule::kNone);
  CHECK(played.holders_max == 1);
  CHECK(played.believers_max == 2);
  CHECK(played.danger);
  const trace::LedgerRow stale = row_of_value(played.end, 60);
  CHECK(stale.client == "A");
  CHECK(stale.accepted);
  CHECK(stale.stale);
  CHECK_FALSE(row_of_value(played.end, 70).stale);
  CHECK_FALSE(row_of_value(played.end, 40).stale);
  CHECK(played.end.counters.stale_writes_accepted == 1);
  // B wrote 40, then A its stale 60, and C wrote 30 before or after that.
  CHECK((played.database == 60 || played.database == 30));
  CHECK(played.end.resources.at("db").value == played.database);
}

TEST_CASE("with the check in the UPDATE the stale write is refused", "[live]") {
  const Played played = play(RegisterRule::kGreaterOrEqual);
  CHECK(played.holders_max == 1);
  CHECK(played.believers_max == 2);
  const trace::LedgerRow stale = row_of_value(played.end, 60);
  CHECK(stale.client == "A");
  CHECK_FALSE(stale.accepted);
  CHECK(stale.stale);
  CHECK(stale.token < stale.token_max_before);
  CHECK(played.end.counters.stale_writes_refused == 1);
  CHECK(played.end.counters.stale_writes_accepted == 0);
  CHECK(played.database == 30);
  CHECK(played.end.clients.at("A").belief == trace::Belief::kLost);
  CHECK(played.end.clients.at("B").belief == trace::Belief::kReleased);
  CHECK(played.end.clients.at("C").belief == trace::Belief::kReleased);
}
