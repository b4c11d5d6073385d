// Requests and decisions that make no sense: each has its name, and changes nothing at all.
#include <gtest/gtest.h>

#include <fstream>

#include "ledger/detail/checked_vfs.h"
#include "ledger/ledger_check.h"
#include "ledger/store_check.h"
#include "testing/plain_sqlite.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using namespace accounting;
using dither::testing::refusal;

// False is in memory, true in a file. The tables are looked at from behind.
class BadInputTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    options.path = file;
    Ledger::begin(*store, key, options);
    ledger.emplace(std::make_unique<Through>(store), key, options);
    ledger->create_dataset(pure_dataset("visits", "1"), steward());
    BudgetTerms below;
    below.rule = pure("0.5");
    ledger->create_budget("visits/anna", BudgetKind::analyst, below, steward());
    pay(*ledger, laplace("visits/anna", "0.1", "paid"));
  }
  // The code of what is refused; nothing in the store may differ afterwards.
  std::optional<Code> harmless(const std::function<void()>& act) {
    const std::string before = everything_in(*store);
    const std::optional<Code> code = refusal(act);
    EXPECT_EQ(everything_in(*store), before);
    return code;
  }
  std::optional<Code> reserving(const Request& request) {
    return harmless([&] { ledger->reserve(request); });
  }
  std::optional<Code> priced(const Mechanism& mechanism, std::uint64_t times = 1) {
    Request request = laplace("visits", "0.1", "a");
    request.price.events = {{{}, mechanism, times}};
    return reserving(request);
  }
  std::optional<Code> creating(const std::string& path, const FilterRule& rule, BudgetKind kind = BudgetKind::project) {
    BudgetTerms terms;
    terms.rule = rule;
    return harmless([&] { ledger->create_budget(path, kind, terms, steward()); });
  }

  Folder folder;
  std::string file = GetParam() ? folder.file("ledger.db") : "";
  std::shared_ptr<Store> store = make_store(file);
  SigningKey key = SigningKey::make();
  LedgerOptions options;
  std::optional<Ledger> ledger;
};
INSTANTIATE_TEST_SUITE_P(Stores, BadInputTest, ::testing::Bool());

TEST_P(BadInputTest, UnknownBudgets) {
  for (const char* path :
       {"", "/", "visit", "visits/", "/visits", "visits/ben", "visits/anna/more", "VISITS", "\xff"}) {
    EXPECT_EQ(reserving(laplace(path, "0.1", "a")), Code::unknown_budget) << path;
    EXPECT_EQ(harmless([&] { ledger->budget(path); }), Code::unknown_budget) << path;
    EXPECT_EQ(harmless([&] { ledger->grant(path, pure("1"), steward()); }), Code::unknown_budget) << path;
    EXPECT_EQ(harmless([&] { ledger->freeze(path, steward()); }), Code::unknown_budget) << path;
    EXPECT_EQ(harmless([&] { ledger->revoke(path, steward()); }), Code::unknown_budget) << path;
    EXPECT_EQ(harmless([&] { ledger->review(path, 0, steward()); }), Code::unknown_budget) << path;
    EXPECT_EQ(harmless([&] { ledger->declare_version(path, "2", "", false, steward()); }), Code::unknown_budget)
        << path;
  }
  EXPECT_EQ(creating("nowhere/study", pure("1")), Code::unknown_budget);
  EXPECT_EQ(creating("visits/nobody/study", pure("1")), Code::unknown_budget);
  EXPECT_EQ(harmless([&] { ledger->release("000000000001"); }), Code::unknown_release);
  EXPECT_EQ(harmless([&] { ledger->answer("../../secret"); }), Code::unknown_release);
}

// Amounts typed by people are exact decimals: what is no number, or below 0, never becomes one.
TEST_P(BadInputTest, NegativeZeroAndNanAmounts) {
  for (const char* text : {"nan", "NaN", "inf", "-inf", "", "one", "1e", "0x1", "1.0.0"}) {
    EXPECT_EQ(harmless([&] { pure(text); }), Code::bad_number) << text;
  }
  EXPECT_EQ(harmless([&] { pure("-0.1"); }), Code::out_of_range);
  EXPECT_EQ(creating("visits/a", pure("0")), Code::out_of_range);
  EXPECT_EQ(creating("visits/a", pure("1e-19")), Code::out_of_range);  // rounds down to nothing
  EXPECT_EQ(creating("visits/a", pure("1e18")), Code::out_of_range);
  EXPECT_EQ(harmless([&] { ledger->create_dataset(pure_dataset("none", "0"), steward()); }), Code::out_of_range);
  EXPECT_EQ(harmless([&] { ledger->grant("visits", pure("0"), steward()); }), Code::out_of_range);
  EXPECT_EQ(harmless([&] { ledger->grant("visits", pure("1e18"), steward()); }), Code::out_of_range);
  for (const int scale : {0, -1}) {
    EXPECT_EQ(priced(Laplace{Rational(scale), Rational(1)}), Code::bad_scale);
    EXPECT_EQ(priced(Gaussian{Rational(scale), Rational(1)}), Code::bad_scale);
  }
  EXPECT_NE(priced(Laplace{Rational(1), Rational(-1)}), std::nullopt);
  EXPECT_NE(priced(BlackBox{Rational(-1), Rational(0)}), std::nullopt);
  EXPECT_NE(priced(BlackBox{Rational(1), Rational(-1)}), std::nullopt);
  EXPECT_NE(priced(BlackBox{Rational(1), Rational(2)}), std::nullopt);
}

TEST_P(BadInputTest, ChargesOfNothing) {
  Request nothing = laplace("visits", "0.1", "a");
  nothing.price.events.clear();
  nothing.price.cells = {{}, {}};
  EXPECT_EQ(reserving(nothing), Code::bad_count);
  EXPECT_EQ(priced(Laplace{Rational(10), Rational(1)}, 0), Code::bad_count);
  EXPECT_EQ(priced(Laplace{Rational(10), Rational(1)}, kMostTimes + 1), Code::bad_count);
}

TEST_P(BadInputTest, WhatTheRuleCannotHold) {
  EXPECT_EQ(priced(Gaussian{Rational(10)}), Code::no_theorem);
  EXPECT_EQ(priced(BlackBox{Rational(1, 10), Rational(1, 1000000)}), Code::no_theorem);
  EXPECT_EQ(priced(Zcdp{Rational(1, 10)}), Code::no_theorem);
  EXPECT_EQ(creating("visits/a", ZcdpRule{LossAmount::parse("1"), {}}), Code::no_theorem);
  EXPECT_EQ(creating("visits/a", BasicRule{LossAmount::parse("1"), {}}), Code::no_theorem);
  EXPECT_EQ(harmless([&] { ledger->grant("visits", GdpRule{LossAmount::parse("1")}, steward()); }), Code::no_theorem);
}

// Relations and units belong to the data set, and a price is made for them alone: a request has no way to bring others.
TEST_P(BadInputTest, MixedRelationsAndUnits) {
  EXPECT_EQ(harmless([&] { neighbours_from("swap"); }), Code::unknown_neighbours);
  DatasetTerms again = pure_dataset("visits", "1");
  again.neighbours = Neighbours::replace_one;
  EXPECT_EQ(harmless([&] { ledger->create_dataset(again, steward()); }), Code::duplicate_key);
  again = pure_dataset("visits", "1");
  again.unit = {"household"};
  EXPECT_EQ(harmless([&] { ledger->create_dataset(again, steward()); }), Code::duplicate_key);
  again.name = "more";
  again.unit = {""};
  EXPECT_EQ(harmless([&] { ledger->create_dataset(again, steward()); }), Code::bad_name);
}

TEST_P(BadInputTest, NamesAndTexts) {
  const std::string long_name(101, 'x');
  for (const std::string& name : {std::string(), std::string("a/b"), std::string(" a"), std::string("a "), long_name,
                                  std::string("a\nb"), std::string("a\0b", 3), std::string("\xc3\x28"),
                                  std::string("\xc2\x85"), std::string("vis\u200bits"), std::string("\u202estisiv")}) {
    EXPECT_EQ(harmless([&] { ledger->create_dataset(pure_dataset(name, "1"), steward()); }), Code::bad_name) << name;
  }
  EXPECT_EQ(creating("visits/" + long_name, pure("1")), Code::bad_name);
  EXPECT_EQ(creating("visits/", pure("1")), Code::bad_name);
  EXPECT_EQ(creating("more", pure("1")), Code::bad_name);
  EXPECT_EQ(creating("visits/a", pure("1"), BudgetKind::dataset), Code::bad_name);
  EXPECT_EQ(creating("visits/anna", pure("1")), Code::duplicate_key);
  for (const std::string& text : {std::string("\xff"), std::string("a\0b", 3), std::string(100'001, 'x')}) {
    Request request = laplace("visits", "0.1", "a");
    request.title = text;
    EXPECT_EQ(reserving(request), Code::bad_name);
    request = laplace("visits", "0.1", text);
    EXPECT_EQ(reserving(request), Code::bad_name);
    request = laplace("visits", "0.1", "a");
    request.by = text;
    EXPECT_EQ(reserving(request), Code::bad_name);
    request.by = "Bob";
    request.source = text;
    EXPECT_EQ(reserving(request), Code::bad_name);
    EXPECT_EQ(harmless([&] { ledger->freeze("visits", {"Ada", text, ""}); }), Code::bad_name);
    EXPECT_EQ(harmless([&] { ledger->freeze("visits", {"Ada", "why", text}); }), Code::bad_name);
  }
}

// Broken on purpose, so no answer may ever come from there; a name that only sounds like it is as good as any.
TEST_P(BadInputTest, MechanismsOfTheZoo) {
  Request request = laplace("visits", "0.1", "a");
  request.question.mechanism = "zoo.half-scale";
  EXPECT_EQ(reserving(request), Code::bad_name);
  request = laplace("visits", "0.1", "a");
  request.statistic = "zoo.laplace";
  EXPECT_EQ(reserving(request), Code::bad_name);
  for (const char* name : {"Zoo.count", " zoo.count", "\tZOO.count", "\"zoo.count\""}) {
    request = laplace("visits", "0.1", "a");
    request.statistic = name;
    EXPECT_EQ(reserving(request), Code::bad_name) << name;
    request = laplace("visits", "0.1", "a");
    request.title = name;
    EXPECT_EQ(reserving(request), Code::bad_name) << name;
    request = laplace("visits", "0.1", "a");
    request.question.plan = name;
    EXPECT_EQ(reserving(request), Code::bad_name) << name;
  }
  request = laplace("visits", "0.1", "a");
  request.title = "zoo";
  request.question.mechanism = "zoology 1";
  request.statistic = "visits to the zoo.";
  EXPECT_NO_THROW(ledger->reserve(request));
}

TEST_P(BadInputTest, AForeignKey) {
  const auto open_with = [&](std::optional<SigningKey> other) {
    return Ledger(std::make_unique<Through>(store), std::move(other), options);
  };
  EXPECT_EQ(harmless([&] { open_with(SigningKey::make()); }), Code::foreign_key);
  Ledger reader = open_with(std::nullopt);
  EXPECT_EQ(harmless([&] { reader.reserve(laplace("visits", "0.1", "a")); }), Code::wrong_state);
  EXPECT_EQ(harmless([&] { reader.freeze("visits", steward()); }), Code::wrong_state);
  EXPECT_EQ(epsilon_spent(reader, "visits"), "0.1");
  EXPECT_EQ(harmless([&] { Ledger::begin(*store, key, options); }), Code::duplicate_key);
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Opens a file that holds these bytes; it must stay as it is.
std::optional<Code> opening(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  const std::optional<Code> code = refusal([&] { Ledger::open(path, SigningKey::make()); });
  EXPECT_EQ(bytes_of(path), bytes);
  EXPECT_EQ(refusal([&] { Ledger::open_to_read(path); }), code);
  EXPECT_NE(refusal([&] { Ledger::create(path, SigningKey::make()); }), std::nullopt);
  EXPECT_EQ(bytes_of(path), bytes);
  return code;
}

TEST(BadFile, WhatIsNotOursIsLeftAsItIs) {
  const Folder folder;
  EXPECT_EQ(opening(folder.file("empty"), ""), Code::not_a_ledger);
  EXPECT_EQ(opening(folder.file("text"), "city,count\nBonn,3\n"), Code::not_a_ledger);
  EXPECT_EQ(opening(folder.file("long text"), std::string(10000, 'x')), Code::not_a_ledger);
  {
    dither::testing::PlainSqlite db(folder.file("plain.db"), nullptr);
    db.run("CREATE TABLE visits(city)");
  }
  EXPECT_EQ(opening(folder.file("copy of plain.db"), bytes_of(folder.file("plain.db"))), Code::not_a_ledger);
  EXPECT_EQ(refusal([&] { Ledger::open(folder.file("missing"), SigningKey::make()); }), Code::cannot_read);
  EXPECT_FALSE(std::filesystem::exists(folder.file("missing")));
}

TEST(BadFile, ANewerVersionIsLeftAsItIs) {
  const Folder folder;
  const std::string path = folder.file("ledger.db");
  const SigningKey key = SigningKey::make();
  Ledger::create(path, key);
  dither::testing::PlainSqlite(path, detail::checked_vfs_name()).run("PRAGMA user_version = 1000");
  const std::string before = bytes_of(path);
  EXPECT_EQ(refusal([&] { Ledger::open(path, key); }), Code::ledger_newer);
  EXPECT_EQ(refusal([&] { Ledger::open_to_read(path); }), Code::ledger_newer);
  EXPECT_EQ(bytes_of(path), before);
}

}  // namespace
}  // namespace dither::ledger
