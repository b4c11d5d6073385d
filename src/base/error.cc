#include "base/error.h"

#include <array>
#include <cstdlib>

namespace dither {

namespace {

constexpr std::array kCodes = {
    Code::ambiguous_name,
    Code::answer_lost,
    Code::bad_argument,
    Code::bad_bounds,
    Code::bad_bracket,
    Code::bad_count,
    Code::bad_distance,
    Code::bad_grid,
    Code::bad_key,
    Code::bad_limit,
    Code::bad_name,
    Code::bad_number,
    Code::bad_probability,
    Code::bad_scale,
    Code::bad_source,
    Code::bad_sql,
    Code::bad_syntax,
    Code::bad_weights,
    Code::below_floor,
    Code::budget_differs,
    Code::cancelled,
    Code::cannot_read,
    Code::cannot_write,
    Code::cyclic_keys,
    Code::division_by_zero,
    Code::duplicate_key,
    Code::expired,
    Code::foreign_key,
    Code::frozen,
    Code::ledger_behind,
    Code::ledger_busy,
    Code::ledger_damaged,
    Code::ledger_frozen,
    Code::ledger_newer,
    Code::missing_bounds,
    Code::missing_key,
    Code::missing_purpose,
    Code::missing_reason,
    Code::mixed_domains,
    Code::mixed_metrics,
    Code::mixed_neighbours,
    Code::needs_delta,
    Code::needs_expected_size,
    Code::needs_grid,
    Code::needs_memory,
    Code::nested_aggregate,
    Code::network_file,
    Code::no_engine,
    Code::no_theorem,
    Code::not_a_ledger,
    Code::not_a_query,
    Code::not_allowed,
    Code::not_grouped,
    Code::not_supported,
    Code::other_ledger,
    Code::out_of_range,
    Code::over_budget,
    Code::private_join,
    Code::private_rows,
    Code::review_overdue,
    Code::revoked,
    Code::run_failed,
    Code::too_deep,
    Code::too_long,
    Code::two_owners,
    Code::unknown_budget,
    Code::unknown_column,
    Code::unknown_function,
    Code::unknown_key,
    Code::unknown_law,
    Code::unknown_measure,
    Code::unknown_mechanism,
    Code::unknown_metric,
    Code::unknown_neighbours,
    Code::unknown_release,
    Code::unknown_table,
    Code::unknown_type,
    Code::unreachable,
    Code::wrong_state,
    Code::wrong_type,
    Code::wrong_unit,
};

}  // namespace

std::string_view code_name(Code code) {
  switch (code) {  // no default: the compiler reports a code without a word
    case Code::ambiguous_name:
      return "ambiguous-name";
    case Code::answer_lost:
      return "answer-lost";
    case Code::bad_argument:
      return "bad-argument";
    case Code::bad_bounds:
      return "bad-bounds";
    case Code::bad_bracket:
      return "bad-bracket";
    case Code::bad_count:
      return "bad-count";
    case Code::bad_distance:
      return "bad-distance";
    case Code::bad_grid:
      return "bad-grid";
    case Code::bad_key:
      return "bad-key";
    case Code::bad_limit:
      return "bad-limit";
    case Code::bad_name:
      return "bad-name";
    case Code::bad_number:
      return "bad-number";
    case Code::bad_probability:
      return "bad-probability";
    case Code::bad_scale:
      return "bad-scale";
    case Code::bad_source:
      return "bad-source";
    case Code::bad_sql:
      return "bad-sql";
    case Code::bad_syntax:
      return "bad-syntax";
    case Code::bad_weights:
      return "bad-weights";
    case Code::below_floor:
      return "below-floor";
    case Code::budget_differs:
      return "budget-differs";
    case Code::cancelled:
      return "cancelled";
    case Code::cannot_read:
      return "cannot-read";
    case Code::cannot_write:
      return "cannot-write";
    case Code::cyclic_keys:
      return "cyclic-keys";
    case Code::division_by_zero:
      return "division-by-zero";
    case Code::duplicate_key:
      return "duplicate-key";
    case Code::expired:
      return "expired";
    case Code::foreign_key:
      return "foreign-key";
    case Code::frozen:
      return "frozen";
    case Code::ledger_behind:
      return "ledger-behind";
    case Code::ledger_busy:
      return "ledger-busy";
    case Code::ledger_damaged:
      return "ledger-damaged";
    case Code::ledger_frozen:
      return "ledger-frozen";
    case Code::ledger_newer:
      return "ledger-newer";
    case Code::missing_bounds:
      return "missing-bounds";
    case Code::missing_key:
      return "missing-key";
    case Code::missing_purpose:
      return "missing-purpose";
    case Code::missing_reason:
      return "missing-reason";
    case Code::mixed_domains:
      return "mixed-domains";
    case Code::mixed_metrics:
      return "mixed-metrics";
    case Code::mixed_neighbours:
      return "mixed-neighbours";
    case Code::needs_delta:
      return "needs-delta";
    case Code::needs_expected_size:
      return "needs-expected-size";
    case Code::needs_grid:
      return "needs-grid";
    case Code::needs_memory:
      return "needs-memory";
    case Code::nested_aggregate:
      return "nested-aggregate";
    case Code::network_file:
      return "network-file";
    case Code::no_engine:
      return "no-engine";
    case Code::no_theorem:
      return "no-theorem";
    case Code::not_a_ledger:
      return "not-a-ledger";
    case Code::not_a_query:
      return "not-a-query";
    case Code::not_allowed:
      return "not-allowed";
    case Code::not_grouped:
      return "not-grouped";
    case Code::not_supported:
      return "not-supported";
    case Code::other_ledger:
      return "other-ledger";
    case Code::out_of_range:
      return "out-of-range";
    case Code::over_budget:
      return "over-budget";
    case Code::private_join:
      return "private-join";
    case Code::private_rows:
      return "private-rows";
    case Code::review_overdue:
      return "review-overdue";
    case Code::revoked:
      return "revoked";
    case Code::run_failed:
      return "run-failed";
    case Code::too_deep:
      return "too-deep";
    case Code::too_long:
      return "too-long";
    case Code::two_owners:
      return "two-owners";
    case Code::unknown_budget:
      return "unknown-budget";
    case Code::unknown_column:
      return "unknown-column";
    case Code::unknown_function:
      return "unknown-function";
    case Code::unknown_key:
      return "unknown-key";
    case Code::unknown_law:
      return "unknown-law";
    case Code::unknown_measure:
      return "unknown-measure";
    case Code::unknown_mechanism:
      return "unknown-mechanism";
    case Code::unknown_metric:
      return "unknown-metric";
    case Code::unknown_neighbours:
      return "unknown-neighbours";
    case Code::unknown_release:
      return "unknown-release";
    case Code::unknown_table:
      return "unknown-table";
    case Code::unknown_type:
      return "unknown-type";
    case Code::unreachable:
      return "unreachable";
    case Code::wrong_state:
      return "wrong-state";
    case Code::wrong_type:
      return "wrong-type";
    case Code::wrong_unit:
      return "wrong-unit";
  }
  std::abort();
}

std::span<const Code> all_codes() { return kCodes; }

std::string Error::str() const {
  return "error: " + std::string(code_name(code_)) + ": " + what() + "\nhint:  " + hint_;
}

}  // namespace dither
