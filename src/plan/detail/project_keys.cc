#include <algorithm>
#include <cstdlib>

#include "plan/detail/project_read.h"

namespace dither::plan::detail {

const std::vector<MapKeys>& project_keys() {
  static const std::vector<MapKeys> kKeys = {
      {"project", {"version", "data_version", "privacy", "tables", "budgets", "deadline", "ledger", "anchor"}},
      {"privacy", {"unit", "neighbours"}},
      {"table", {"source", "public", "unit", "bounds", "expected", "columns", "unique", "multiplicity"}},
      {"source", {"path", "kind", "table"}},
      {"unit_rows", {"rows"}},
      {"unit_through", {"through", "by"}},
      {"contribution", {"rows_per_unit", "keys_per_unit", "rows_per_key"}},
      {"expected", {"rows", "units"}},
      {"column", {"type", "bounds", "grid", "keys", "max_length", "outside", "null_as"}},
      {"outside_other", {"other"}},
      {"budget", {"parent", "rule", "epsilon", "delta", "slack", "rho", "mu"}},
  };
  return kKeys;
}

const std::vector<std::string>& keys_of(std::string_view name) {
  const auto at =
      std::find_if(project_keys().begin(), project_keys().end(), [&](const MapKeys& map) { return map.name == name; });
  if (at == project_keys().end()) std::abort();
  return at->keys;
}

}  // namespace dither::plan::detail
