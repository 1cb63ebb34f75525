// The external resource: one row with a value and the highest token that it has accepted, judged and
// written in one step, as a conditional UPDATE does.
#pragma once

#include <cstdint>

#include "recipes/machine.h"
#include "scenario/scenario.h"

namespace lockstep::sim {

struct Register {
  scenario::RegisterRule rule = scenario::RegisterRule::kNone;
  int64_t value = 0;
  int64_t token_max = -1;  // -1: none accepted yet, so that a first token of 0 passes
  uint32_t last_writer = 0;
  bool written = false;
  uint32_t rows = 0;  // of the ledger

  bool operator==(const Register&) const = default;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("rule", self.rule);
    visit("value", self.value);
    visit("token_max", self.token_max);
    visit("last_writer", self.last_writer);
    visit("written", self.written);
    visit("rows", self.rows);
  }
};

/// Judges a write and, if it is accepted, does it.
inline bool judge(Register& row, int64_t token, int64_t value) {
  switch (row.rule) {
    case scenario::RegisterRule::kNone: break;
    case scenario::RegisterRule::kGreater:
      if (token <= row.token_max) return false;
      break;
    case scenario::RegisterRule::kGreaterOrEqual:
      if (token < row.token_max) return false;
      break;
  }
  row.value = value;
  if (token > row.token_max) row.token_max = token;
  return true;
}

}  // namespace lockstep::sim
