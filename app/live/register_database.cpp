#include "live/register_database.h"

#include <sqlite3.h>

namespace lockstep::live {
namespace {

using scenario::Problem;
using scenario::RegisterRule;

constexpr const char* kTable =
    "CREATE TABLE IF NOT EXISTS register ("
    "id TEXT PRIMARY KEY, value INTEGER NOT NULL, token_max INTEGER NOT NULL)";

/// The whole of fencing is in the last line of these.
const char* update_sql(RegisterRule rule) {
  switch (rule) {
    case RegisterRule::kNone:
      return "UPDATE register SET value = ?1, token_max = max(token_max, ?2) WHERE id = ?3";
    case RegisterRule::kGreater:
      return "UPDATE register SET value = ?1, token_max = ?2 WHERE id = ?3 AND token_max < ?2";
    case RegisterRule::kGreaterOrEqual:
      return "UPDATE register SET value = ?1, token_max = ?2 WHERE id = ?3 AND token_max <= ?2";
  }
  return "";
}

}  // namespace

void RegisterDatabase::CloseDatabase::operator()(sqlite3* database) const {
  sqlite3_close(database);
}

void RegisterDatabase::FinalizeStatement::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

scenario::Result<RegisterDatabase> RegisterDatabase::open(const std::string& path,
                                                          const scenario::ResourceSpec& spec) {
  RegisterDatabase opened;
  sqlite3* database = nullptr;
  const int code = sqlite3_open(path.c_str(), &database);
  opened.database_.reset(database);
  opened.id_ = spec.id;
  opened.rule_ = spec.rule;
  bool ok = code == SQLITE_OK && opened.run("PRAGMA journal_mode=WAL") &&
            opened.run("PRAGMA synchronous=NORMAL") && opened.run(kTable);
  if (ok) {
    const Statement insert =
        opened.prepare("INSERT OR IGNORE INTO register (id, value, token_max) VALUES (?1, ?2, -1)");
    ok = insert &&
         sqlite3_bind_text(insert.get(), 1, spec.id.c_str(), -1, SQLITE_TRANSIENT) == SQLITE_OK &&
         sqlite3_bind_int64(insert.get(), 2, spec.initial_value) == SQLITE_OK &&
         sqlite3_step(insert.get()) == SQLITE_DONE;
  }
  if (!ok) {
    return Problem{path, "", "SQLite cannot keep its database here: " + opened.trouble(),
                   scenario::ProblemKind::kEnvironment};
  }
  return opened;
}

bool RegisterDatabase::run(const char* sql) {
  return sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

RegisterDatabase::Statement RegisterDatabase::prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr);
  return Statement(statement);
}

bool RegisterDatabase::read(RegisterState& state) {
  const Statement select = prepare("SELECT value, token_max FROM register WHERE id = ?1");
  if (!select) return false;
  sqlite3_bind_text(select.get(), 1, id_.c_str(), -1, SQLITE_TRANSIENT);
  if (sqlite3_step(select.get()) != SQLITE_ROW) return false;
  state = {.value = sqlite3_column_int64(select.get(), 0),
           .token_max = sqlite3_column_int64(select.get(), 1)};
  return true;
}

bool RegisterDatabase::update(const RegisterWrite& write, bool& accepted) {
  const Statement update = prepare(update_sql(rule_));
  if (!update) return false;
  sqlite3_bind_int64(update.get(), 1, write.value);
  sqlite3_bind_int64(update.get(), 2, write.token);
  sqlite3_bind_text(update.get(), 3, id_.c_str(), -1, SQLITE_TRANSIENT);
  if (sqlite3_step(update.get()) != SQLITE_DONE) return false;
  accepted = sqlite3_changes(database_.get()) == 1;
  return true;
}

bool RegisterDatabase::write(const RegisterWrite& write, bool& accepted, RegisterState& before,
                             RegisterState& after) {
  if (!run("BEGIN IMMEDIATE")) return false;
  if (read(before) && update(write, accepted) && read(after) && run("COMMIT")) return true;
  run("ROLLBACK");
  return false;
}

std::string RegisterDatabase::trouble() const {
  return database_ ? sqlite3_errmsg(database_.get()) : "out of memory";
}

}  // namespace lockstep::live
