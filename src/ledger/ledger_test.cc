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

// What vouches for a ledger lies beside the file itself: a head beside a link would vouch for any copy that the link is turned to.
// Spec: W-79
TEST(SymbolicLink, LeadsToALedgerWithItsHead) {
  const Folder folder;
  const std::string file = folder / "visits.ledger", link = folder / "link", copy = folder / "copy";
  const SigningKey key = SigningKey::make();
  Ledger::create(file, key);
  Ledger::open(file, key).create_dataset(pure_dataset("visits", "1"), steward());
  std::filesystem::create_symlink(file, link);
  const std::string early = bytes_of(file);
  {
    Ledger ledger = Ledger::open(link, key);
    pay(ledger, laplace("visits", "0.1", "count"), std::string(100'000, 'x'));
  }
  const std::set<std::string> all = {"link", "visits.ledger", "visits.ledger.answers", "visits.ledger.head"};
  EXPECT_EQ(folder.names(), all);
  {
    Ledger again = Ledger::open(file, key);
    EXPECT_EQ(epsilon_spent(again, "visits"), "0.1");
  }

  const std::string now = bytes_of(file);
  put_bytes(file, early);  // under its own name it went back to before what was paid through the link
  EXPECT_EQ(refusal([&] { Ledger::open(file, key); }), Code::ledger_behind);
  EXPECT_EQ(refusal([&] { Ledger::open(link, key); }), Code::ledger_behind);
  put_bytes(file, now);
  EXPECT_EQ(refusal([&] { Ledger::open(link, key); }), std::nullopt);

  put_bytes(copy, now);
  std::filesystem::remove(link);
  std::filesystem::create_symlink(copy, link);
  put_bytes(link + ".head", bytes_of(file + ".head"));  // it vouches for nothing
  EXPECT_EQ(refusal([&] { Ledger::open(link, key); }), Code::ledger_frozen);
  EXPECT_EQ(refusal([&] { Ledger::open(copy, key); }), Code::ledger_frozen);
}

}  // namespace
}  // namespace dither::ledger
