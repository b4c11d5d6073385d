#include "calculus/agents.h"

#include <gtest/gtest.h>

#include "testing/refusal.h"
#include "testing/seeded_source.h"
#include "testing/toy_measurements.h"

namespace dither::calculus {
namespace {

using namespace accounting;  // NOLINT

LossAmount loss(const char* text) { return LossAmount::up(Rational::parse(text)); }
FilterRule rule(const char* epsilon) { return PureRule{loss(epsilon)}; }

Queryable budget(const char* epsilon) {
  return Queryable::with_filter(Private(testing::numbers({1, 2, 3})),
                                {testing::numbers_domain(), {MetricKind::symmetric}, Rational(1)}, rule(epsilon),
                                Interleaving::sequential);
}
std::optional<Code> ask(const Queryable& view, const char* epsilon) {
  random::Source source = testing::seeded_source(1);
  return testing::refusal([&] { view.ask(testing::pure_toy(Rational::parse(epsilon)), source); });
}

// Whether three people with 0.5 each under 1.0 are stopped at 1.0 together.
bool stops_at_one(const std::vector<Queryable>& people) {
  int answered = 0;
  for (const Queryable& person : people) {
    for (int i = 0; i < 5; ++i) answered += ask(person, "0.1") ? 0 : 1;
  }
  return answered == 10;
}

// Spec: W-24
TEST(Agents, TheCommonBudgetRefusesFirst) {
  const Queryable common = budget("1.0");
  Agents agents(common);
  EXPECT_TRUE(stops_at_one(
      {agents.add("anna", rule("0.5")), agents.add("bert", rule("0.5")), agents.add("carla", rule("0.5"))}));
  EXPECT_EQ(common.spent().losses[0], loss("1.0"));
  EXPECT_EQ(agents.of("carla").spent().losses[0], LossAmount());  // refused, and nothing changed
  EXPECT_EQ(std::get<PureCharge>(agents.of("carla").remaining()).epsilon, loss("0.5"));
}
TEST(Agents, PlantedAgentThatForwardsNothingIsCaught) {
  EXPECT_FALSE(stops_at_one({budget("0.5"), budget("0.5"), budget("0.5")}));
}

TEST(Agents, AnAgentKeepsItsOwnLimit) {
  Agents agents(budget("10"));
  const Queryable anna = agents.add("anna", rule("0.5"));
  EXPECT_EQ(ask(anna, "0.6"), Code::over_budget);
  EXPECT_EQ(ask(anna.derive(testing::doubled()), "0.3"), Code::over_budget);  // 0.6 through the map
  EXPECT_EQ(ask(anna.derive(testing::doubled()), "0.25"), std::nullopt);
  EXPECT_EQ(ask(anna, "0.1"), Code::over_budget);
  EXPECT_EQ(testing::refusal([&] { agents.add("anna", rule("1")); }), Code::duplicate_key);
  EXPECT_EQ(testing::refusal([&] { agents.of("zoe"); }), Code::unknown_key);
  EXPECT_EQ(testing::refusal([&] { agents.add("a/b", rule("1")); }), Code::bad_argument);
  EXPECT_EQ(testing::refusal([&] { agents.add("zoe", ZcdpRule{loss("1"), {}}); }), Code::no_theorem);
}

// Spec: W-24
TEST(Agents, RevokedAgentsAndTheirDelegatesAreFrozen) {
  Agents agents(budget("10"));
  agents.add("anna", rule("1"));
  agents.add("carla", rule("1"));
  const Queryable bert = agents.delegate("anna", "bert", rule("5"));
  EXPECT_EQ(ask(bert, "0.4"), std::nullopt);
  EXPECT_EQ(ask(bert, "0.7"), Code::over_budget);  // bert may spend 5, but anna has 0.6 left
  agents.revoke("anna");
  EXPECT_EQ(ask(bert, "0.1"), Code::frozen);
  EXPECT_EQ(ask(agents.of("anna"), "0.1"), Code::frozen);
  EXPECT_EQ(ask(agents.of("carla"), "0.1"), std::nullopt);
}

// Spec: W-22, W-24
TEST(Agents, TheLogTellsTheTree) {
  const Queryable common = budget("10");
  Agents agents(common);
  const Queryable anna = agents.add("anna", rule("1"));
  const Queryable bert = agents.delegate("anna", "bert", rule("1"));
  const auto parts = bert.split(testing::split_by_remainder(2, MetricKind::symmetric));
  EXPECT_EQ(ask(anna, "0.1"), std::nullopt);
  EXPECT_EQ(ask(parts[0], "0.3"), std::nullopt);
  EXPECT_EQ(ask(parts[1], "0.5"), std::nullopt);  // 0.2 more
  EXPECT_EQ(ask(parts[1], "0.9"), Code::over_budget);
  agents.revoke("bert");
  const std::vector<AuditRecord> log = common.log();
  const std::vector<Account> tree = accounts(log);
  ASSERT_EQ(tree.size(), 3u);
  EXPECT_EQ(tree[0].spent, common.spent());
  EXPECT_EQ(tree[1].holder, "anna");
  EXPECT_EQ(tree[1].parent, "");
  EXPECT_EQ(tree[1].spent, anna.spent());
  EXPECT_FALSE(tree[1].closed);
  EXPECT_EQ(tree[2].holder, "anna/bert");
  EXPECT_EQ(tree[2].parent, "anna");
  EXPECT_EQ(tree[2].spent.losses[0], loss("0.5"));
  EXPECT_TRUE(tree[2].closed);
}

// The step of a join: all rows of both.
AnyTransformation concat() {
  return AnyTransformation({.recipe = {"concat"},
                            .input = TablesDomain{{testing::numbers_domain(), testing::numbers_domain()}},
                            .output = testing::numbers_domain(),
                            .from = {MetricKind::sum, MetricKind::symmetric},
                            .to = {MetricKind::symmetric},
                            .map = [](const Distance& d) { return d; },
                            .function = [](const Data& data) -> Data { return as<Tables>(data)[0]; }});
}

// Spec: W-24
TEST(Agents, EachLogOfAJoinTellsOfItsOwnBudget) {
  const Queryable left = budget("1"), right = budget("1");
  const std::vector<Queryable> both{left, right};
  EXPECT_EQ(ask(Queryable::join(both, concat()), "0.2"), std::nullopt);
  for (const Queryable& one : both) EXPECT_EQ(accounts(one.log())[0].spent, one.spent());
}

TEST(Agents, AClosedViewClosesNoBudget) {
  const Queryable common = budget("1");
  Agents agents(common);
  const Queryable view = agents.add("anna", rule("1")).derive(testing::doubled());
  view.freeze();
  EXPECT_EQ(ask(view, "0.1"), Code::frozen);
  EXPECT_EQ(ask(agents.of("anna"), "0.1"), std::nullopt);
  for (const Account& account : accounts(common.log())) EXPECT_FALSE(account.closed);
}

// The log names holders by words: one of two words would be another's name there.
TEST(Agents, ANameIsOneWord) {
  Agents agents(budget("1"));
  EXPECT_EQ(testing::refusal([&] { agents.add("anna maria", rule("1")); }), Code::bad_argument);
  EXPECT_EQ(testing::refusal([&] { agents.add("", rule("1")); }), Code::bad_argument);
}

}  // namespace
}  // namespace dither::calculus
