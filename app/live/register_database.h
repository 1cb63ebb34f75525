// The row that clients write to, in an SQLite file. The fencing check is the conditional UPDATE itself, so
// that comparing and writing are one transaction, in the database and nowhere else.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "scenario/problem.h"
#include "scenario/scenario.h"

struct sqlite3;
struct sqlite3_stmt;

namespace lockstep::live {

struct RegisterState {
  int64_t value = 0;
  int64_t token_max = -1;  ///< the highest token accepted; -1: none
};

struct RegisterWrite {
  int64_t token = -1;
  int64_t value = 0;
};

class RegisterDatabase {
 public:
  /// Opens or makes the file, with one row `id` in table `register` if it is not there.
  static scenario::Result<RegisterDatabase> open(const std::string& path,
                                                 const scenario::ResourceSpec& spec);

  void set_rule(scenario::RegisterRule rule) { rule_ = rule; }
  /// False if the database could not be read, as for a full disk.
  [[nodiscard]] bool read(RegisterState& state);
  /// `accepted`: the UPDATE changed the row. `before` and `after` are read in the same transaction.
  [[nodiscard]] bool write(const RegisterWrite& write, bool& accepted, RegisterState& before,
                           RegisterState& after);
  /// The database's word about what went wrong last.
  std::string trouble() const;

 private:
  struct CloseDatabase {
    void operator()(sqlite3* database) const;
  };
  struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

  bool run(const char* sql);
  Statement prepare(const std::string& sql);
  bool update(const RegisterWrite& write, bool& accepted);

  std::unique_ptr<sqlite3, CloseDatabase> database_;
  std::string id_;
  scenario::RegisterRule rule_ = scenario::RegisterRule::kNone;
};

}  // namespace lockstep::live
