#include "ledger/ledger.h"

#include <gtest/gtest.h>

#include "ledger/ledger_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::refusal;

// Everything here holds for every store: false is in memory, true in a file.
class LedgerTest : public ::testing::TestWithParam<bool> {
 protected:
  Made made{GetParam()};
  Ledger& ledger = *made.ledger;
};
INSTANTIATE_TEST_SUITE_P(Stores, LedgerTest, ::testing::Bool());

// Spec: B-20, D-62, R-28
TEST_P(LedgerTest, AnAnswerIsPaidOnceAndReadAgainBitForBit) {
  ledger.create_dataset(pure_dataset("visits", "1"), steward());
  {
    auto first = ledger.reserve(laplace("visits", "0.1", "count"));
    Ticket& ticket = std::get<Ticket>(first);
    EXPECT_EQ(epsilon_spent(ledger, "visits"), "0.1");
    ticket.open();
    ticket.commit(std::string("42\0!", 4));
  }
  auto second = ledger.reserve(laplace("visits", "0.1", "count"));
  EXPECT_EQ(std::get<StoredAnswer>(second).bytes, std::string("42\0!", 4));
  EXPECT_EQ(epsilon_spent(ledger, "visits"), "0.1");
}

// Spec: W-20
TEST_P(LedgerTest, ABudgetOfOneTakesExactlyTenChargesOfOneTenth) {
  ledger.create_dataset(pure_dataset("visits", "1"), steward());
  for (int i = 0; i < 10; ++i) pay(ledger, laplace("visits", "0.1", std::to_string(i)));
  EXPECT_EQ(epsilon_spent(ledger, "visits"), "1");
  EXPECT_EQ(refusal([&] { ledger.reserve(laplace("visits", "0.000000000000000001", "one more")); }), Code::over_budget);
  EXPECT_EQ(epsilon_spent(ledger, "visits"), "1");
}

}  // namespace
}  // namespace dither::ledger
