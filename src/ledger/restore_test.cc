#include <gtest/gtest.h>

#include <fstream>

#include "ledger/backup.h"
#include "ledger/every_record_check.h"
#include "ledger/verify.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::refusal;

// A ledger with a copy of an earlier state.
class RestoreTest : public ::testing::Test {
 protected:
  RestoreTest() {
    DatasetTerms terms = pure_dataset("visits", "10");
    made.ledger->create_dataset(terms, steward());
    made.ledger->create_budget("visits/study", BudgetKind::project, with(pure("1")), steward());
    pay(*made.ledger, laplace("visits/study", "0.25", "before"));
    at_copy = made.ledger->head();
    back_up(made.file, copy);
  }

  // Opened as `dither budget restore` does.
  Ledger open_to_restore(const std::string& path) {
    LedgerOptions options = made.options;
    options.path = path;
    options.to_restore = true;
    return {std::make_unique<SqliteStore>(path, Opening::existing), made.key, options};
  }
  std::optional<Code> opening(const std::string& path) {
    return refusal([&] { Ledger::open(path, made.key); });
  }

  Made made{true};
  std::string copy = made.folder.file("copy.db");
  SignedHead at_copy;
};

// Spec: W-79
TEST_F(RestoreTest, TheSameHeadTakesTheCopyUpWithoutALoss) {
  {
    Ledger ledger = open_to_restore(copy);
    EXPECT_EQ(refusal([&] { ledger.grant("visits", pure("1"), steward()); }), Code::ledger_frozen);
    EXPECT_FALSE(ledger.restore(at_copy, steward()).gap);
    EXPECT_EQ(epsilon_spent(ledger, "visits"), "0.25");
    pay(ledger, laplace("visits/study", "0.25", "after"));
  }
  EXPECT_EQ(epsilon_spent(*std::make_unique<Ledger>(Ledger::open(copy, made.key)), "visits"), "0.5");
  EXPECT_EQ(verify_file(copy, {}), std::vector<Finding>{});
}

TEST_F(RestoreTest, AnOlderHeadDoesToo) {
  const SignedHead first = sign_head(made.key, made.ledger->id(), {});
  EXPECT_FALSE(open_to_restore(copy).restore(first, steward()).gap);
  EXPECT_EQ(opening(copy), std::nullopt);
}

// A copy under another name lies beside the original, whose head file knows more than the head that is given.
// Spec: P-26
TEST_F(RestoreTest, AnOlderHeadDoesNotOutweighALaterOneBesideTheCopy) {
  pay(*made.ledger, laplace("visits/study", "0.5", "unknown to the copy"));
  const SignedHead newest = made.ledger->head();
  const auto restoring = [&](const SignedHead& head) {
    return refusal([&] { open_to_restore(copy).restore(head, steward()); });
  };
  EXPECT_EQ(restoring(at_copy), Code::ledger_behind);
  Ledger frozen = Ledger::open(copy, made.key);  // only the original spends
  EXPECT_EQ(refusal([&] { frozen.reserve(laplace("visits", "0.1", "twice")); }), Code::ledger_frozen);
  for (const SignedHead& other : {sign_head(SigningKey::make(), made.ledger->id(), {newest.head.number + 5, {}}),
                                  sign_head(made.key, "00ff", {newest.head.number + 5, {}})}) {
    write_head_file(made.folder.file("a.head"), other, true);  // vouches for another ledger
    EXPECT_EQ(restoring(at_copy), Code::ledger_behind);
    std::filesystem::remove(made.folder.file("a.head"));
  }
  put_bytes(made.folder.file("b.head"), "damaged");
  EXPECT_EQ(restoring(newest), std::nullopt);
  EXPECT_EQ(epsilon_spent(*std::make_unique<Ledger>(Ledger::open(copy, made.key)), "visits/study"), "1");
}

// What was booked as spent once stands in the chain; the old head file of the original says nothing new then.
TEST_F(RestoreTest, AHeadThatWasBookedBeforeStandsInNoWay) {
  for (int i = 0; i < 5; ++i) pay(*made.ledger, laplace("visits/study", "0.05", std::to_string(i).c_str()));
  const std::string second = made.folder.file("second.db");
  SignedHead last;
  {
    Ledger ledger = open_to_restore(copy);
    EXPECT_TRUE(ledger.restore(made.ledger->head(), steward()).gap);
    last = ledger.head();
    back_up(copy, second);
  }
  EXPECT_LT(last.head.number, made.ledger->head().head.number);
  EXPECT_FALSE(open_to_restore(second).restore(last, steward()).gap);
}

// What was spent after the copy was made nobody knows: all of it, then.
TEST_F(RestoreTest, AGapIsBookedAsSpentInFull) {
  pay(*made.ledger, laplace("visits/study", "0.5", "unknown to the copy"));
  Ledger ledger = open_to_restore(copy);
  EXPECT_TRUE(ledger.restore(made.ledger->head(), steward()).gap);
  EXPECT_EQ(epsilon_spent(ledger, "visits"), "10");
  EXPECT_EQ(epsilon_spent(ledger, "visits/study"), "1");
  EXPECT_EQ(ledger.budget("visits").lifetime.losses.at(0).str(), "10");
  const Request smallest = laplace("visits/study", "0.000000000000000001", "one more");
  EXPECT_EQ(refusal([&] { ledger.reserve(smallest); }), Code::over_budget);
  EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve(laplace("visits/study", "0.25", "before"))).bytes, "answer");

  ledger.grant("visits", pure("0.1"), steward());
  ledger.grant("visits/study", pure("0.1"), steward());
  pay(ledger, laplace("visits/study", "0.1", "after a grant"));
  EXPECT_EQ(epsilon_spent(ledger, "visits"), "10.1");
  EXPECT_EQ(refusal([&] { ledger.reserve(smallest); }), Code::over_budget);
  EXPECT_EQ(verify_file(copy, {}), std::vector<Finding>{});
}

// Every rule is used up by a gap, also where nothing was spent before.
TEST(Restore, AGapUsesUpEveryRule) {
  using accounting::DeltaAmount;
  using accounting::LossAmount;
  const auto loss = [](const char* text) { return LossAmount::down(Rational::parse(text)); };
  const auto delta = [](const char* text) { return DeltaAmount::down(Rational::parse(text)); };
  const std::vector<Rational> orders = {Rational(2), Rational(8)};
  const std::vector<accounting::FilterRule> rules = {
      accounting::PureRule{loss("1")},
      accounting::BasicRule{loss("1"), delta("0.000001")},
      accounting::AdvancedRule{loss("1"), delta("0.000001"), delta("0.000001")},
      accounting::ZcdpRule{loss("0.5"), delta("0.000001")},
      accounting::RenyiAllRule{orders, {loss("1"), loss("3")}, delta("0.000001")},
      accounting::RenyiAnyRule{orders, {loss("1"), loss("3")}, delta("0.000001")},
      accounting::GdpRule{loss("1")},
  };
  for (const accounting::FilterRule& rule : rules) {
    Made made(false);
    DatasetTerms terms = pure_dataset("visits", "1");
    terms.budget.rule = rule;
    made.ledger->create_dataset(terms, steward());
    Request request = laplace("visits", "0.01", "more");
    if (std::holds_alternative<accounting::GdpRule>(rule)) {
      request.price.events = {{{}, accounting::Gaussian{Rational(100), Rational(1)}, 1}};
    }
    EXPECT_NO_THROW(std::get<Ticket>(made.ledger->reserve(request)).give_back("it fits")) << rule_name(rule);
    const Head beyond{made.ledger->head().head.number + 1, sha256("lost")};
    EXPECT_TRUE(made.ledger->restore(sign_head(made.key, made.ledger->id(), beyond), steward()).gap);
    EXPECT_EQ(refusal([&] { made.ledger->reserve(request); }), Code::over_budget) << rule_name(rule);
    Request tiny = laplace("visits", "0.0000000001", "a little more");
    if (std::holds_alternative<accounting::GdpRule>(rule)) {
      tiny.price.events = {{{}, accounting::Gaussian{Rational(1'000'000'000), Rational(1)}, 1}};
    }
    EXPECT_EQ(refusal([&] { made.ledger->reserve(tiny); }), Code::over_budget) << rule_name(rule);
  }
}

// A budget that renews may have been spent in every period since the copy, the current one included.
TEST_F(RestoreTest, AGapOverPeriodsUsesUpAllOfThem) {
  const std::string old = made.folder.file("old.db");
  BudgetTerms monthly;
  monthly.rule = pure("1");
  monthly.renews = Period::month;
  made.ledger->create_budget("visits/monthly", BudgetKind::project, monthly, steward());
  pay(*made.ledger, laplace("visits/monthly", "0.25", "in November"));
  back_up(made.file, old);
  made.ledger->grant("visits", pure("10"), steward());
  *made.now = time_from_text("2027-01-15");
  Ledger ledger = open_to_restore(old);
  EXPECT_TRUE(ledger.restore(made.ledger->head(), steward()).gap);
  ledger.grant("visits", pure("10"), steward());
  EXPECT_EQ(refusal([&] { ledger.reserve(laplace("visits/monthly", "0.1", "in January")); }), Code::over_budget);
  EXPECT_EQ(ledger.budget("visits/monthly").lifetime.losses.at(0).str(), "3");  // November, December, January
  *made.now = time_from_text("2027-02-01");
  pay(ledger, laplace("visits/monthly", "0.1", "in February"));
  EXPECT_EQ(ledger.budget("visits/monthly").lifetime.losses.at(0).str(), "3.1");
  EXPECT_EQ(verify_file(old, {}), std::vector<Finding>{});
}

// To end what a dead process held writes records of today: the gap began before them.
TEST_F(RestoreTest, AGapOverPeriodsWithSomethingHeldUsesUpAllOfThemToo) {
  const std::string old = made.folder.file("old.db");
  BudgetTerms monthly;
  monthly.rule = pure("1");
  monthly.renews = Period::month;
  made.ledger->create_budget("visits/monthly", BudgetKind::project, monthly, steward());
  made.ledger.reset();
  ASSERT_EQ(ended(in_child([&] {
              Ledger ledger(std::make_unique<SqliteStore>(made.file, Opening::existing), made.key, made.options);
              const auto held = ledger.reserve(laplace("visits/monthly", "0.25", "in November"));
              back_up(made.file, old);
              _exit(0);
            })),
            0);
  *made.now = time_from_text("2027-01-15");
  Ledger original(std::make_unique<SqliteStore>(made.file, Opening::existing), made.key, made.options);
  original.grant("visits", pure("1"), steward());
  Ledger ledger = open_to_restore(old);
  EXPECT_TRUE(ledger.restore(original.head(), steward()).gap);
  ledger.grant("visits", pure("10"), steward());
  EXPECT_EQ(refusal([&] { ledger.reserve(laplace("visits/monthly", "0.1", "in January")); }), Code::over_budget);
  EXPECT_EQ(ledger.budget("visits/monthly").lifetime.losses.at(0).str(), "3");
  EXPECT_EQ(verify_file(old, {}), std::vector<Finding>{});
}

// Who holds it in the original is nobody here, also while alive: given back later it would come out of what was booked.
TEST_F(RestoreTest, NothingStaysHeld) {
  const std::string old = made.folder.file("old.db");
  auto reserved = made.ledger->reserve(laplace("visits/study", "0.25", "reserved"));
  auto opened = made.ledger->reserve(laplace("visits/study", "0.25", "opened"));
  std::get<Ticket>(opened).open();
  back_up(made.file, old);
  std::get<Ticket>(reserved).open();
  Ledger ledger = open_to_restore(old);
  EXPECT_TRUE(ledger.restore(made.ledger->head(), steward()).gap);
  EXPECT_EQ(ledger.release(std::get<Ticket>(reserved).release()).state, State::voided);
  EXPECT_EQ(ledger.release(std::get<Ticket>(opened).release()).state, State::lost);
  EXPECT_EQ(epsilon_spent(ledger, "visits/study"), "1");
  EXPECT_EQ(verify_file(old, {}), std::vector<Finding>{});
}

// The period of the copy's last record counts, also for a budget that had not begun it, and while the clock is behind.
TEST_F(RestoreTest, AGapBeginsInThePeriodOfTheLastRecord) {
  const std::string old = made.folder.file("old.db");
  BudgetTerms monthly;
  monthly.rule = pure("1");
  monthly.renews = Period::month;
  made.ledger->create_budget("visits/monthly", BudgetKind::project, monthly, steward());
  *made.now = time_from_text("2026-12-31T23:00:00Z");
  made.ledger->grant("visits", pure("10"), steward());
  back_up(made.file, old);
  made.ledger->grant("visits", pure("10"), steward());
  for (const char* today : {"2026-12-01", "2027-01-01T12:00:00Z"}) {
    const Folder own;  // beside another that was taken up it would be refused
    const std::string copied = own.file("copy.db");
    back_up(old, copied);
    *made.now = time_from_text(today);
    Ledger ledger = open_to_restore(copied);
    EXPECT_TRUE(ledger.restore(made.ledger->head(), steward()).gap);
    ledger.grant("visits", pure("10"), steward());
    EXPECT_EQ(refusal([&] { ledger.reserve(laplace("visits/monthly", "0.1", "now")); }), Code::over_budget) << today;
    EXPECT_EQ(ledger.budget("visits/monthly").periods, today < std::string("2027") ? 2u : 3u);
  }
}

TEST_F(RestoreTest, HeadsThatDoNotBelongAreRefusedAndChangeNothing) {
  const Head head = at_copy.head;
  const SigningKey other = SigningKey::make();
  SignedHead wrong_signature = at_copy;
  wrong_signature.head.number += 1;
  Ledger ledger = open_to_restore(copy);
  EXPECT_EQ(refusal([&] { ledger.restore(sign_head(other, made.ledger->id(), head), steward()); }),
            Code::ledger_damaged);
  EXPECT_EQ(refusal([&] { ledger.restore(wrong_signature, steward()); }), Code::ledger_damaged);
  EXPECT_EQ(refusal([&] { ledger.restore(sign_head(made.key, "00ff", head), steward()); }), Code::other_ledger);
  const Head forked{head.number, sha256("another record")};
  EXPECT_EQ(refusal([&] { ledger.restore(sign_head(made.key, made.ledger->id(), forked), steward()); }),
            Code::ledger_behind);
  EXPECT_EQ(refusal([&] { ledger.restore(at_copy, {"Ada", "", ""}); }), Code::missing_reason);
  EXPECT_TRUE(ledger.is_copy());
  EXPECT_EQ(ledger.head(), at_copy);
}

// Two copies that were both written to cannot both be right.
TEST_F(RestoreTest, AForkIsRefused) {
  Ledger(open_to_restore(copy)).restore(at_copy, steward());
  pay(*made.ledger, laplace("visits", "0.1", "in the original"));
  Ledger ledger = open_to_restore(copy);
  pay(*made.ledger, laplace("visits", "0.1", "and once more"));
  const Head common{at_copy.head.number + 1, made.ledger->head().head.hash};
  EXPECT_EQ(refusal([&] { ledger.restore(sign_head(made.key, made.ledger->id(), common), steward()); }),
            Code::ledger_behind);
  SqliteStore a(made.file, Opening::read_only);
  SqliteStore b(copy, Opening::read_only);
  EXPECT_EQ(compare(a, b), (Comparison{Comparison::Kind::forked, 0, at_copy.head.number + 1}));
}

// The ledger's own file, without its log, as somebody copies it who knows nothing about ledgers.
class CopiedFile : public RestoreTest {
 protected:
  CopiedFile() { made.ledger.reset(); }

  void put_back(const std::string& from) {
    std::filesystem::copy(from, made.file, std::filesystem::copy_options::overwrite_existing);
  }
  std::string plain = made.folder.file("plain.db");
};

TEST_F(CopiedFile, WithoutItsHeadFileItIsFrozen) {
  std::filesystem::copy(made.file, plain);
  EXPECT_EQ(opening(plain), Code::ledger_frozen);
  EXPECT_FALSE(open_to_restore(plain).restore(at_copy, steward()).gap);
  EXPECT_EQ(opening(plain), std::nullopt);
}

// Spec: P-26
TEST_F(CopiedFile, AnOlderFilePutBackIsBehindItsHeadFile) {
  std::filesystem::copy(made.file, plain);
  SignedHead newest;
  {
    Ledger ledger = Ledger::open(made.file, made.key);
    pay(ledger, laplace("visits", "0.1", "later"));
    newest = ledger.head();
  }
  put_back(plain);
  EXPECT_EQ(opening(made.file), Code::ledger_behind);
  const std::vector<Finding> findings = verify_file(made.file, {});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].record, at_copy.head.number + 1);
  EXPECT_TRUE(open_to_restore(made.file).restore(newest, steward()).gap);
  EXPECT_EQ(opening(made.file), std::nullopt);
}

// An old head does not hide what files know that vouch for the ledger: they are not thrown away for it.
// Spec: P-26
TEST_F(CopiedFile, AnOlderHeadDoesNotOutweighTheHeadFileOrTheAnchor) {
  const Folder volume;
  const std::string anchor = volume.file("visits.head");
  Ledger::open(made.file, made.key).set_anchor(anchor, steward());
  std::filesystem::copy(made.file, plain);
  SignedHead newest;
  {
    Ledger ledger = Ledger::open(made.file, made.key);
    pay(ledger, laplace("visits", "0.1", "later"));
    newest = ledger.head();
  }
  put_back(plain);
  const auto restoring = [&](const SignedHead& head) {
    return refusal([&] { open_to_restore(made.file).restore(head, steward()); });
  };
  EXPECT_EQ(restoring(at_copy), Code::ledger_behind);
  std::filesystem::remove(head_file_of(made.file));
  EXPECT_EQ(restoring(at_copy), Code::ledger_behind);
  EXPECT_EQ(read_head_file(anchor), newest);
  EXPECT_EQ(restoring(newest), std::nullopt);
  Ledger ledger = Ledger::open(made.file, made.key);
  EXPECT_EQ(epsilon_spent(ledger, "visits"), "10");
}

// Whoever puts the head file back too is found by the anchor, which lies on another volume.
TEST_F(CopiedFile, AnOlderFileWithItsHeadFileIsBehindItsAnchor) {
  const Folder volume;
  const std::string anchor = volume.file("visits.head");
  Ledger::open(made.file, made.key).set_anchor(anchor, steward());
  std::filesystem::copy(made.file, plain);
  std::filesystem::copy(head_file_of(made.file), head_file_of(plain));
  {
    Ledger ledger = Ledger::open(made.file, made.key);
    pay(ledger, laplace("visits", "0.1", "later"));
  }
  put_back(plain);
  std::filesystem::copy(head_file_of(plain), head_file_of(made.file),
                        std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(opening(made.file), Code::ledger_behind);
  std::filesystem::rename(anchor, volume.file("gone"));
  EXPECT_EQ(opening(made.file), Code::ledger_frozen);
  EXPECT_EQ(verify_file(made.file, {}).size(), 1u);
}

// A ledger from before it had an anchor does not know of it; whoever opens it does.
TEST_F(CopiedFile, AnOlderFileThatNamesNoAnchorIsBehindTheOneExpected) {
  const Folder volume;
  const std::string anchor = volume.file("visits.head");
  std::filesystem::copy(made.file, plain);
  std::filesystem::copy(head_file_of(made.file), head_file_of(plain));
  Ledger::open(made.file, made.key).set_anchor(anchor, steward());
  EXPECT_EQ(refusal([&] { Ledger::open(made.file, made.key, anchor); }), std::nullopt);
  put_back(plain);
  std::filesystem::copy(head_file_of(plain), head_file_of(made.file),
                        std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(refusal([&] { Ledger::open_to_read(made.file, anchor); }), Code::ledger_behind);
  EXPECT_EQ(refusal([&] { Ledger::open(made.file, made.key, anchor); }), Code::ledger_behind);
  EXPECT_EQ(refusal([&] { Ledger::open(made.file, made.key, volume.file("none")); }), Code::ledger_frozen);
}

}  // namespace
}  // namespace dither::ledger
