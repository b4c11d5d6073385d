// The ledger beside a short reference: whatever is done, both say the same.
#include <gtest/gtest.h>

#include <cstdlib>

#include "ledger/planted_check.h"
#include "ledger/walk_check.h"
#include "testing/seed.h"

namespace dither::ledger {
namespace {

using namespace check;

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

// Stores that share one memory, as ledgers share one file.
template <class S = Through>
OpenStore in_memory() {
  return [memory = std::shared_ptr<Store>(std::make_shared<MemoryStore>())] { return std::make_unique<S>(memory); };
}

// A planted bug shows in the first few walks; that a thousand miss it has not been seen.
template <class Bug>
std::string found() {
  return difference(in_memory<Bug>, 1000, dither::testing::run_seed(), false);
}

// Spec: F-33, A-01, A-68, B-20, B-23, D-62, D-79, P-33, R-28, W-20, W-24
TEST(Model, AgreesInMemory) {
  Seen seen;
  EXPECT_EQ(difference(in_memory<>, nightly() ? 3'000 : 200, dither::testing::run_seed(), true, &seen), "");
  // The walks reach what they are meant to compare.
  for (const char* what : {"reserve ticket ",
                           "reserve answer ",
                           "reserve busy",
                           "reserve over-budget",
                           "reserve frozen",
                           "reserve revoked",
                           "reserve expired",
                           "reserve answer-lost",
                           "reserve wrong-state",
                           "reserve unknown-budget",
                           "batch busy",
                           "batch over-budget",
                           "batch ticket ticket ticket ",
                           "batch duplicate-key",
                           "open done",
                           "open frozen",
                           "open wrong-state",
                           "commit done",
                           "commit wrong-state",
                           "drop done",
                           "give_back done",
                           "give_back wrong-state",
                           "create done",
                           "create duplicate-key",
                           "create unknown-budget",
                           "grant done",
                           "freeze done",
                           "thaw done",
                           "revoke done",
                           "fresh_version done",
                           "continue_version done",
                           "reopen done"}) {
    EXPECT_GT(seen[what], 0) << what;
  }
}

// Spec: F-33, D-62
TEST(Model, AgreesInAFile) {
  const Folder folder;
  int files = 0;
  const auto fresh = [&]() -> OpenStore {
    const std::string file = folder.file(std::to_string(++files));
    return [file, there = false]() mutable -> std::unique_ptr<Store> {
      const Opening opening = std::exchange(there, true) ? Opening::existing : Opening::fresh;
      return std::make_unique<SqliteStore>(file, opening);
    };
  };
  EXPECT_EQ(difference(fresh, nightly() ? 100 : 12, dither::testing::run_seed(), true), "");
}

TEST(Model, PlantedLostAncestorChargeIsCaught) { EXPECT_NE(found<planted::LosesAncestorCharge>(), ""); }
TEST(Model, PlantedFloatAmountsAreCaught) { EXPECT_NE(found<planted::KeepsFloats>(), ""); }
TEST(Model, PlantedRedrawOnRereadIsCaught) { EXPECT_NE(found<planted::RedrawsOnReread>(), ""); }
TEST(Model, PlantedFreeHitUnderAnotherBudgetIsCaught) { EXPECT_NE(found<planted::SharesForFree>(), ""); }
TEST(Model, PlantedRefundAfterOpenIsCaught) { EXPECT_NE(found<planted::RefundsAfterOpen>(), ""); }
TEST(Model, PlantedChargeDroppedOnRenewalIsCaught) { EXPECT_NE(found<planted::ForgetsOnRenewal>(), ""); }

}  // namespace
}  // namespace dither::ledger
