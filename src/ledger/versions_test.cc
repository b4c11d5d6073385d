// Versions of the data: what continues, what begins anew, and whose data are other ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ledger/ledger_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::refusal;

constexpr const char* kSource = "visits.csv 1200 bytes 2026-11-01";
constexpr const char* kOther = "visits.csv 1300 bytes 2026-11-20";

// False is in memory, true in a file.
class VersionsTest : public ::testing::TestWithParam<bool> {
 protected:
  void make(const accounting::FilterRule& rule, const std::string& source = "",
            accounting::Neighbours neighbours = accounting::Neighbours::add_remove) {
    DatasetTerms terms = pure_dataset("visits", "1");
    terms.budget.rule = rule;
    terms.source = source;
    terms.neighbours = neighbours;
    ledger.create_dataset(terms, steward());
    BudgetTerms below;
    below.rule = rule;
    ledger.create_budget("visits/anna", BudgetKind::analyst, below, steward());
  }
  std::optional<Code> declaring(const std::string& label, const std::string& source, bool fresh) {
    return refusal([&] { ledger.declare_version("visits", label, source, fresh, steward()); });
  }
  std::string spent(const std::string& path) { return epsilon_spent(ledger, path); }
  Request from(Request request, const std::string& source) {
    request.source = source;
    return request;
  }

  Made made{GetParam()};
  Ledger& ledger = *made.ledger;
};
INSTANTIATE_TEST_SUITE_P(Stores, VersionsTest, ::testing::Bool());

// Spec: B-23
TEST_P(VersionsTest, ANewVersionContinuesTheBudgetAndIsAnotherQuestion) {
  make(pure("1"));
  pay(ledger, laplace("visits/anna", "0.4", "a"), "of the first");
  ledger.declare_version("visits", "2", "", false, steward());
  EXPECT_EQ(spent("visits/anna"), "0.4");
  pay(ledger, laplace("visits/anna", "0.4", "a"), "of the second");
  EXPECT_EQ(spent("visits"), "0.8");
  EXPECT_EQ(refusal([&] { ledger.reserve(laplace("visits/anna", "0.4", "b")); }), Code::over_budget);
  const Dataset dataset = ledger.dataset("visits");
  EXPECT_EQ(dataset.version().label, "2");
  EXPECT_FALSE(dataset.version().fresh);
  EXPECT_EQ(dataset.versions.front().closed, std::nullopt);
}

// Spec: B-23
TEST_P(VersionsTest, AFreshVersionBeginsAnewAndTheOldTotalStays) {
  make(pure("1"));
  pay(ledger, laplace("visits/anna", "0.9", "a"));
  ledger.declare_version("visits", "2027", "", true, {"Ada", "another cohort: no person recurs", "protocol 7"});
  for (const char* path : {"visits", "visits/anna"}) {
    const Budget budget = ledger.budget(path);
    EXPECT_EQ(spent(path), "0");
    EXPECT_EQ(budget.lifetime.losses.at(0).str(), "0");
    EXPECT_EQ(budget.epoch, 2u);
  }
  const Dataset dataset = ledger.dataset("visits");
  ASSERT_TRUE(dataset.versions.front().closed);
  EXPECT_EQ(dataset.versions.front().closed->losses.at(0).str(), "0.9");
  EXPECT_TRUE(dataset.version().fresh);
  pay(ledger, laplace("visits/anna", "0.9", "a"));  // drawn anew: it is about other people
  EXPECT_EQ(spent("visits"), "0.9");
}

// What was reserved before and is given back after belongs to the version that is closed.
// Spec: B-23
TEST_P(VersionsTest, AVoidAfterAFreshStartTakesNothingFromIt) {
  make(pure("1"));
  auto held = ledger.reserve(laplace("visits/anna", "0.4", "a"));
  ledger.declare_version("visits", "2", "", true, steward());
  pay(ledger, laplace("visits/anna", "0.3", "b"));
  std::get<Ticket>(held).give_back("not needed");
  EXPECT_EQ(spent("visits/anna"), "0.3");
  EXPECT_EQ(ledger.budget("visits").lifetime.losses.at(0).str(), "0.3");
  EXPECT_EQ(ledger.budget("visits").charges, 1u);
}

// Whoever has opened may read at any time until it commits, also the new data: that would be free for those people.
// Spec: B-23
TEST_P(VersionsTest, AFreshStartWaitsForWhatIsOpened) {
  make(pure("1"));
  auto held = ledger.reserve(laplace("visits/anna", "0.4", "a"));
  std::get<Ticket>(held).open();
  EXPECT_EQ(declaring("2", "", true), Code::wrong_state);
  EXPECT_EQ(ledger.dataset("visits").version().label, "1");
  std::get<Ticket>(held).commit("1");
  EXPECT_EQ(declaring("2", "", true), std::nullopt);
  auto other = ledger.reserve(laplace("visits/anna", "0.4", "a"));
  std::get<Ticket>(other).open();
  EXPECT_EQ(declaring("3", "", false), std::nullopt);  // the budget goes on, and was charged
}

// Two processes: one saw the new file and was about to say so when the steward declared it.
TEST(Versions, ASourceThatWasDeclaredMeanwhileIsNotNotedAsAnother) {
  struct Interrupted : SqliteStore {
    using SqliteStore::SqliteStore;
    void begin(Access access) override {
      if (access == Access::write && ++writes == 2) meanwhile();
      SqliteStore::begin(access);
    }
    int writes = 0;
    std::function<void()> meanwhile;
  };
  Made made(true);
  DatasetTerms terms = pure_dataset("visits", "1");
  terms.source = kSource;
  made.ledger->create_dataset(terms, steward());
  auto store = std::make_unique<Interrupted>(made.file, Opening::existing);
  store->meanwhile = [&] { made.ledger->declare_version("visits", "2", kOther, false, steward()); };
  Ledger slow(std::move(store), made.key, made.options);
  Request request = laplace("visits", "0.1", "a");
  request.source = kOther;
  EXPECT_EQ(refusal([&] { slow.reserve(request); }), Code::bad_source);
  EXPECT_EQ(made.ledger->dataset("visits").version().label, "2");
  EXPECT_EQ(made.ledger->dataset("visits").changed_source, std::nullopt);
  pay(slow, request);
}

TEST_P(VersionsTest, ALabelIsUsedOnce) {
  make(pure("1"));
  EXPECT_EQ(declaring("1", "", false), Code::duplicate_key);
  EXPECT_EQ(declaring("2", "", false), std::nullopt);
  EXPECT_EQ(declaring("2", "", true), Code::duplicate_key);
  EXPECT_EQ(declaring("1", "", false), Code::duplicate_key);  // nor one that is long gone
  EXPECT_EQ(declaring("", "", false), Code::bad_name);
  EXPECT_EQ(declaring("a/b", "", false), Code::bad_name);
}

// Spec: B-23
TEST_P(VersionsTest, ReplaceOneAllowsNoFreshStart) {
  make(pure("1"), kSource, accounting::Neighbours::replace_one);
  EXPECT_EQ(declaring("2", kOther, true), Code::no_theorem);
  EXPECT_EQ(declaring("2", kOther, false), std::nullopt);
}

// Spec: B-23
TEST_P(VersionsTest, BudgetsThatAreNotPureNeedVersionsThatAreHeldFixed) {
  make(accounting::ZcdpRule{accounting::LossAmount::parse("1"), {}});
  EXPECT_EQ(declaring("2", "", true), Code::no_theorem);
  EXPECT_EQ(declaring("2", kOther, true), Code::no_theorem);  // the first has no fingerprint
  EXPECT_EQ(declaring("2", kSource, false), std::nullopt);
  EXPECT_EQ(declaring("3", kOther, true), Code::no_theorem);  // the first shares its budget with the second
}

// Spec: B-23
TEST_P(VersionsTest, VersionsThatAreHeldFixedMayBeginAfresh) {
  make(accounting::ZcdpRule{accounting::LossAmount::parse("1"), {}}, kSource);
  EXPECT_EQ(declaring("2", "", true), Code::no_theorem);
  EXPECT_EQ(declaring("2", kOther, true), std::nullopt);
  EXPECT_EQ(declaring("3", "", false), std::nullopt);
  EXPECT_EQ(declaring("4", kSource, true), Code::no_theorem);
}

// Spec: B-23
TEST_P(VersionsTest, OtherDataAreRefusedAloneUntilAVersionIsDeclared) {
  make(pure("1"), kSource);
  pay(ledger, from(laplace("visits/anna", "0.1", "a"), kSource), "42");
  EXPECT_EQ(refusal([&] { ledger.reserve(from(laplace("visits/anna", "0.1", "b"), kOther)); }), Code::bad_source);
  EXPECT_EQ(ledger.dataset("visits").changed_source, kOther);
  EXPECT_EQ(ledger.budget("visits").standing, Standing::active);
  EXPECT_EQ(spent("visits"), "0.1");
  // Whoever asks about the right data goes on, and so does whoever names none.
  pay(ledger, from(laplace("visits/anna", "0.1", "b"), kSource));
  pay(ledger, laplace("visits", "0.1", "c"));
  EXPECT_EQ(refusal([&] { ledger.reserve(from(laplace("visits", "0.1", "d"), kOther)); }), Code::bad_source);
  EXPECT_EQ(spent("visits"), "0.3");
  // What was answered before is answered again.
  EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve(from(laplace("visits/anna", "0.1", "a"), kOther))).bytes, "42");
  ledger.declare_version("visits", "2", kOther, false, steward());
  EXPECT_EQ(ledger.dataset("visits").changed_source, std::nullopt);
  pay(ledger, from(laplace("visits/anna", "0.1", "b"), kOther));
  EXPECT_EQ(refusal([&] { ledger.reserve(from(laplace("visits/anna", "0.1", "c"), kSource)); }), Code::bad_source);
}

TEST_P(VersionsTest, OtherDataLeaveWhatIsReserved) {
  make(pure("1"), kSource);
  auto held = ledger.reserve(from(laplace("visits/anna", "0.1", "a"), kSource));
  EXPECT_EQ(refusal([&] { ledger.reserve(from(laplace("visits/anna", "0.1", "b"), kOther)); }), Code::bad_source);
  std::get<Ticket>(held).open();
  std::get<Ticket>(held).commit("42");
  EXPECT_EQ(spent("visits"), "0.1");
}

// The steward finds every refusal, and every other fingerprint once in a row.
// Spec: F-33
TEST_P(VersionsTest, OtherDataAreRecordedForTheSteward) {
  make(pure("1"), kSource);
  for (const char* seen : {kOther, kOther, "a third", kOther, kSource}) {
    const auto ask = [&] { ledger.reserve(from(laplace("visits/anna", "0.1", "a"), seen)); };
    EXPECT_EQ(refusal(ask), seen == std::string(kSource) ? std::nullopt : std::optional(Code::bad_source));
  }
  std::string kinds;
  ledger.records(1, [&](const Record& record) {
    for (const char* kind : {"source", "refused", "reserved"}) {
      if (record.body.find(fmt::format("\"kind\":\"{}\"", kind)) != std::string::npos)
        kinds += fmt::format("{} ", kind);
    }
    return true;
  });
  EXPECT_EQ(kinds, "source refused refused source refused source refused reserved ");
  EXPECT_EQ(ledger.dataset("visits").changed_source, kOther);
}

// Whoever asks learns whether the data are the declared ones, and nothing about these; the steward sees the fingerprint.
// Spec: F-33
TEST_P(VersionsTest, OnlyTheStewardSeesFingerprints) {
  make(pure("1"), kSource);
  for (int i = 0; i < 2; ++i) {
    try {
      ledger.reserve(from(laplace("visits/anna", "0.1", "a"), kOther));
      FAIL() << "the data has changed";
    } catch (const Error& error) {
      const std::string text = std::string(error.what()) + error.hint();
      for (const char* word : {"csv", "bytes", "1300", "1200"}) {
        EXPECT_EQ(text.find(word), std::string::npos) << text;
      }
    }
  }
  std::size_t noted = 0;
  ledger.records(1, [&](const Record& record) {
    const bool names = record.body.find(kOther) != std::string::npos;
    noted += names ? 1 : 0;
    EXPECT_EQ(names, record.body.find("\"kind\":\"source\"") != std::string::npos) << record.body;
    return true;
  });
  EXPECT_EQ(noted, 1u);
}

TEST_P(VersionsTest, WithoutADeclaredFingerprintNoneIsCompared) {
  make(pure("1"));
  pay(ledger, from(laplace("visits", "0.1", "a"), kSource));
  pay(ledger, from(laplace("visits", "0.1", "b"), kOther));
  EXPECT_EQ(spent("visits"), "0.2");
}

// Of tables in memory: the first charge of a version notes it, durably and for good.
TEST_P(VersionsTest, AFingerprintThatIsHeldIsNotedWithTheFirstCharge) {
  make(pure("1"));
  const auto held = [&](const char* name, const char* source) {
    Request request = from(laplace("visits", "0.1", name), source);
    request.holds_source = true;
    return request;
  };
  EXPECT_EQ(ledger.dataset("visits").version().source, "");
  pay(ledger, held("a", kSource), "42");
  EXPECT_EQ(ledger.dataset("visits").version().source, kSource);
  EXPECT_TRUE(ledger.dataset("visits").version().noted);
  EXPECT_EQ(ledger.dataset("visits").changed_source, std::nullopt);
  pay(ledger, held("b", kSource));
  EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve(held("a", kSource))).bytes, "42");
  EXPECT_EQ(refusal([&] { ledger.reserve(held("a", kOther)); }), Code::bad_source) << "not even what is stored";
  EXPECT_EQ(ledger.dataset("visits").changed_source, kOther);
  EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve(held("a", kSource))).bytes, "42") << "refused alone";
  EXPECT_EQ(spent("visits"), "0.2");
  EXPECT_EQ(declaring("2", "", false), std::nullopt);
  pay(ledger, held("a", kOther));
  EXPECT_EQ(ledger.dataset("visits").version().source, kOther);
  EXPECT_EQ(refusal([&] { ledger.reserve(held("c", kSource)); }), Code::bad_source);
}

// Neither the budget nor the source of a version is for data of another.
// Spec: B-23, F-33
TEST_P(VersionsTest, WhoAsksAboutAnotherVersionIsRefusedAndBindsNothing) {
  make(pure("1"));
  Request old = from(laplace("visits/anna", "0.4", "a"), kSource);
  old.holds_source = true;
  old.version = "1";
  pay(ledger, old, "42");
  EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve(old)).bytes, "42");
  for (const bool fresh : {false, true}) {
    EXPECT_EQ(declaring(fresh ? "3" : "2", "", fresh), std::nullopt);
    const std::string before = spent("visits");
    EXPECT_EQ(refusal([&] { ledger.reserve(old); }), Code::budget_differs);
    EXPECT_EQ(spent("visits"), before);
    EXPECT_EQ(ledger.dataset("visits").version().source, "");
  }
  std::size_t recorded = 0;
  ledger.records(1, [&](const Record& record) {
    recorded += record.body.find("budget-differs") != std::string::npos ? 1 : 0;
    return true;
  });
  EXPECT_EQ(recorded, 2u);
  Request now = from(laplace("visits/anna", "0.4", "a"), kOther);
  now.holds_source = true;
  now.version = "3";
  pay(ledger, now);
  EXPECT_EQ(ledger.dataset("visits").version().source, kOther);
}

// What was answered before it was noted may be about other data.
// Spec: B-23
TEST_P(VersionsTest, AFingerprintThatCameLaterHoldsNothingFixed) {
  make(accounting::ZcdpRule{accounting::LossAmount::parse("1"), {}});
  Request request = from(laplace("visits", "0.1", "a"), kSource);
  request.holds_source = true;
  pay(ledger, request);
  EXPECT_EQ(declaring("2", kOther, true), Code::no_theorem);
}

Price cells(std::initializer_list<const char*> epsilons) {
  Price price;
  for (const char* epsilon : epsilons) price.cells.push_back(laplace("", epsilon, "").price.events);
  return price;
}

// Spec: F-33, B-23
TEST_P(VersionsTest, OfCellsTheMostExpensiveCounts) {
  make(pure("1"));
  EXPECT_EQ(ledger.cost("visits", cells({"0.3", "0.5", "0.2"})).losses.at(0).str(), "0.5");
  Price both = cells({"0.3", "0.5", "0.2"});
  both.events = laplace("", "0.1", "").price.events;
  both.cells[0].push_back(both.events[0]);
  both.cells[0].push_back(both.events[0]);
  both.cells[0].push_back(both.events[0]);
  Request request = laplace("visits/anna", "0.1", "a");
  request.price = both;
  pay(ledger, request);
  EXPECT_EQ(spent("visits"), "0.7");  // 0.1, and 0.3 + 3 x 0.1 of the first cell
}

// A unit that is replaced may leave one cell and enter another.
// Spec: F-33, B-23
TEST_P(VersionsTest, UnderReplaceOneTheTwoLargestAdd) {
  make(pure("1"), "", accounting::Neighbours::replace_one);
  EXPECT_EQ(ledger.cost("visits", cells({"0.3", "0.5", "0.2"})).losses.at(0).str(), "0.8");
  EXPECT_EQ(ledger.cost("visits", cells({"0.3"})).losses.at(0).str(), "0.3");
}

// Spec: F-33
TEST_P(VersionsTest, CellsUnderZcdpToo) {
  make(accounting::ZcdpRule{accounting::LossAmount::parse("1"), {}});
  Price price;
  for (const int sigma : {5, 10, 2}) {
    price.cells.push_back({{{}, accounting::Gaussian{Rational(sigma)}, 1}});
  }
  EXPECT_EQ(ledger.cost("visits", price).losses.at(0).str(), "0.125");
}

}  // namespace
}  // namespace dither::ledger
