#include "ledger/store.h"

#include <array>

namespace dither::ledger {

std::string_view table_name(Table table) {
  constexpr std::array<std::string_view, kTables> kNames = {"facts", "datasets", "budgets", "releases",
                                                            "draws", "held",     "answers"};
  return kNames.at(static_cast<std::size_t>(table));
}

}  // namespace dither::ledger
