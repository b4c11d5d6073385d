// How files of older versions become files of this one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ledger/store.h"

struct sqlite3;

namespace dither::ledger::detail {

// From one version to the next. Records are never changed: they are what was signed.
struct Migration {
  std::function<void(sqlite3* database)> change;  // of the schema; throws when it cannot
  bool replays = false;  // whether the tables are to be written anew from the records, since they are written otherwise
};

// Those of this program: the first one leads from version 1 to 2. None are needed yet.
const std::vector<Migration>& migrations();
// The version that these steps lead to.
int version_after(const std::vector<Migration>& steps);

// Takes the steps that a file still lacks, all of them in one transaction: a process that ends in the middle leaves the
// file as it was. Of several processes one does it.
// Refuses    records that are not a chain, when they are replayed (ledger-damaged).
void migrate(Store& store, sqlite3* database, const std::string& path, const std::vector<Migration>& steps);

}  // namespace dither::ledger::detail
