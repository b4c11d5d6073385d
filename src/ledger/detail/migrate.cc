#include "ledger/detail/migrate.h"

#include <fmt/format.h>

#include "ledger/detail/replay.h"
#include "ledger/detail/sqlite.h"

namespace dither::ledger::detail {

const std::vector<Migration>& migrations() {
  static const std::vector<Migration> kSteps;
  return kSteps;
}

int version_after(const std::vector<Migration>& steps) { return 1 + static_cast<int>(steps.size()); }

void migrate(Store& store, sqlite3* database, const std::string& path, const std::vector<Migration>& steps) {
  Transaction transaction(store, Access::write);
  Statement version(database, path, "PRAGMA user_version", false);
  std::size_t at = version.step() ? static_cast<std::size_t>(version.integer(0)) : 1;
  version.reset();
  bool replays = false;
  for (; at <= steps.size(); ++at) {
    steps[at - 1].change(database);
    replays = replays || steps[at - 1].replays;
  }
  if (replays) {
    Replay replay;
    replay_all(store, replay);
    replace_tables(store, replay);
  }
  execute(database, path, fmt::format("PRAGMA user_version = {}", version_after(steps)).c_str());
  transaction.commit();
}

}  // namespace dither::ledger::detail
