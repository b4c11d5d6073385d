// The whole view of an analyst, exactly: every deterministic adversary on a toy queryable, every outcome of its noise.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>

#include "calculus/adaptive.h"
#include "calculus/combinators.h"
#include "calculus/queryable.h"
#include "testing/exact_laws.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"
#include "testing/toy_measurements.h"

namespace dither::calculus {
namespace {

using namespace accounting;  // NOLINT

using testing::kLog3;
using testing::Script;

// Whether two-sided geometric noise (ratio 1/3) lifts the number of rows to 2 or more. One row changes each
// probability by a factor of at most 3, and d rows by 3^d.
Rational chance(std::size_t rows) {
  if (rows >= 2) return Rational(1) - Rational(3, 4) / pow(Rational(3), static_cast<unsigned>(rows - 1));
  return Rational(3, 4) / pow(Rational(3), static_cast<unsigned>(2 - rows));
}
AnyMeasurement at_least_two(const std::shared_ptr<Script>& script) {
  return AnyMeasurement({.recipe = {"at-least-two"},
                         .input = testing::numbers_domain(),
                         .from = {MetricKind::symmetric},
                         .measure = Measure::pure(),
                         .loss = [](const Distance& d) { return pure(kLog3 * number(d)); },
                         .events = [](const Distance& d) -> std::vector<Event> {
                           return {{{}, BlackBox{kLog3 * number(d)}}};
                         },
                         .function = [script](const Data& data, random::Source&) -> Data {
                           return Integers{script->flip(chance(as<Table>(data).size())) ? 1 : 0};
                         }});
}

// A system under test: `ask(option)` gives the answer, or nothing when it refuses.
using Asker = std::function<std::optional<bool>(int option)>;
using System = std::function<Asker(const Table&, const std::shared_ptr<Script>&)>;

constexpr int kSteps = 3, kOptions = 3;

// An adversary says what to ask after each sequence of answers so far: a number for each node of the tree of answers.
// Refusals are seen too; those of an honest system follow from the questions, so that they need no branch of their own.
using Adversary = std::vector<int>;
constexpr std::size_t kNodes = (1 << kSteps) - 1;

std::string view_of(const Asker& ask, const Adversary& adversary) {
  std::string view;
  std::size_t node = 0;
  for (int step = 0; step < kSteps; ++step) {
    const std::optional<bool> answer = ask(adversary[node]);
    view += answer ? (*answer ? '1' : '0') : '-';
    node = 2 * node + (answer == true ? 2 : 1);
  }
  return view;
}

std::map<std::string, Rational> law(const System& system, const Table& table, const Adversary& adversary) {
  const auto script = std::make_shared<Script>();
  std::map<std::string, Rational> views;
  do {
    script->start();
    const std::string view = view_of(system(table, script), adversary);
    views[view] += script->weight();
  } while (script->next());
  return views;
}

// The largest ratio of the probabilities of a view, either way; nothing when only one side can show it.
std::optional<Rational> ratio_of(const std::map<std::string, Rational>& left,
                                 const std::map<std::string, Rational>& right) {
  if (left.size() != right.size()) return std::nullopt;
  Rational worst = 1;
  for (const auto& [view, p] : left) {
    const auto q = right.find(view);
    if (q == right.end()) return std::nullopt;
    worst = std::max({worst, p / q->second, q->second / p});
  }
  return worst;
}

// Over all adversaries, on two rows and on one of them. Stops when a ratio is above what was claimed.
constexpr long kClaimed = 27;  // the budget is 3 ln 3
std::optional<Rational> worst_ratio(const System& system) {
  Rational worst = 1;
  Adversary adversary(kNodes, 0);
  for (bool more = true; more && worst <= kClaimed;) {
    const auto ratio =
        ratio_of(law(system, testing::numbers({1, 3}), adversary), law(system, testing::numbers({1}), adversary));
    if (!ratio) return std::nullopt;
    worst = std::max(worst, *ratio);
    std::size_t digit = 0;
    while (digit < kNodes && ++adversary[digit] == kOptions) adversary[digit++] = 0;
    more = digit < kNodes;
  }
  return worst;
}
bool keeps_its_promise(const System& system) {
  const auto ratio = worst_ratio(system);
  return ratio && *ratio <= kClaimed;
}

struct Views {
  Queryable root;
  Queryable doubled;
  std::vector<Queryable> parts;
};
Views views(const Table& table) {
  const Place place{testing::numbers_domain(), {MetricKind::symmetric}, Rational(1)};
  const Queryable root =
      Queryable::with_filter(Private(table), place, PureRule{LossAmount::up(kLog3 * 3)}, Interleaving::concurrent);
  return {root, root.derive(testing::doubled()), root.split(testing::split_by_remainder(2, MetricKind::symmetric))};
}

std::optional<bool> answer(const Queryable& view, const AnyMeasurement& question) {
  random::Source source = testing::seeded_source(1);
  try {
    return as<Integers>(view.ask(question, source).value())[0] == 1;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The root, its doubled child, and a part.
Asker honest(const Table& table, const std::shared_ptr<Script>& script) {
  const auto all = std::make_shared<Views>(views(table));
  return [all, question = at_least_two(script)](int option) {
    const Queryable* asked[] = {&all->root, &all->doubled, &all->parts[1]};
    return answer(*asked[option], question);
  };
}

bool released(const AnyMeasurement& question, const Table& table) {
  random::Source source = testing::seeded_source(1);
  return as<Integers>(question.release(Private(table), source).value())[0] == 1;
}

Table twice(Table table) {
  const Table once = table;
  table.insert(table.end(), once.begin(), once.end());
  return table;
}

// Spec: W-19, W-20, W-22
TEST(Views, NoAdversarySeesMoreThanTheBudgetAndOneSeesAllOfIt) { EXPECT_EQ(worst_ratio(honest), Rational(kClaimed)); }

TEST(Views, PlantedChargeAfterTheReleaseIsCaught) {
  EXPECT_FALSE(keeps_its_promise([](const Table& table, const std::shared_ptr<Script>& script) -> Asker {
    const auto all = std::make_shared<Views>(views(table));
    return [all, table, question = at_least_two(script)](int option) -> std::optional<bool> {
      const bool seen = released(question, option == 1 ? twice(table) : table);
      const Queryable* charged[] = {&all->root, &all->doubled, &all->parts[1]};
      answer(*charged[option], testing::pure_toy(kLog3));  // too late: the analyst has seen it
      return seen;
    };
  }));
}

TEST(Views, PlantedForgottenStabilityIsCaught) {
  EXPECT_FALSE(keeps_its_promise([](const Table& table, const std::shared_ptr<Script>& script) -> Asker {
    const AnyTransformation wrong({.recipe = {"doubled"},
                                   .input = testing::numbers_domain(),
                                   .output = testing::numbers_domain(),
                                   .from = {MetricKind::symmetric},
                                   .to = {MetricKind::symmetric},
                                   .map = [](const Distance& d) { return d; },
                                   .function = [](const Data& data) -> Data { return twice(as<Table>(data)); }});
    const Queryable child = views(table).root.derive(wrong);
    return [child, question = at_least_two(script)](int) { return answer(child, question); };
  }));
}

TEST(Views, PlantedFreeSecondPartIsCaught) {
  EXPECT_FALSE(keeps_its_promise([](const Table& table, const std::shared_ptr<Script>& script) -> Asker {
    const auto all = std::make_shared<Views>(views(table));
    return [all, table, question = at_least_two(script)](int option) -> std::optional<bool> {
      if (option == 2) return released(question, table);  // all rows here are in the second part
      return answer(option == 0 ? all->root : all->doubled, question);
    };
  }));
}

TEST(Views, PlantedRefusalThatSeesTheDataIsCaught) {
  EXPECT_FALSE(keeps_its_promise([](const Table& table, const std::shared_ptr<Script>& script) -> Asker {
    const auto all = std::make_shared<Views>(views(table));
    return [all, table, question = at_least_two(script)](int) -> std::optional<bool> {
      if (table.size() > 1) return std::nullopt;
      return answer(all->root, question);
    };
  }));
}

// Randomised response about a bit (whether the table has a row), with the truth shown with probability e^eps / (1 + e^eps).
AnyMeasurement response(const Rational& epsilon, bool flipped, const std::shared_ptr<Script>& script) {
  const double odds = std::exp(epsilon.to_double_up());
  const Rational truth = Rational::from_double(odds / (1 + odds));
  return AnyMeasurement({.recipe = {"response"},
                         .input = testing::numbers_domain(),
                         .from = {MetricKind::symmetric},
                         .measure = Measure::pure(),
                         .loss = [epsilon](const Distance&) { return pure(epsilon); },
                         .events = [epsilon](const Distance&) -> std::vector<Event> {
                           return {{{}, RandomisedResponse{epsilon}}};
                         },
                         .function = [truth, flipped, script](const Data& data, random::Source&) -> Data {
                           const bool bit = as<Table>(data).empty() == flipped;
                           return Integers{script->flip(bit ? truth : Rational(1) - truth) ? 1 : 0};
                         }});
}

std::map<std::string, Rational> response_law(const Table& table) {
  const auto script = std::make_shared<Script>();
  random::Source source = testing::seeded_source(1);
  std::map<std::string, Rational> views;
  do {
    script->start();
    AdaptiveComposition list(Private(table), {testing::numbers_domain(), {MetricKind::symmetric}, Rational(1)},
                             Measure::pure(), {pure(Rational(2, 5)), pure(Rational(3, 5))});
    EXPECT_EQ(list.total(), pure(1));
    const bool first = as<Integers>(list.ask(response(Rational(2, 5), false, script), source).value())[0] == 1;
    const bool second = as<Integers>(list.ask(response(Rational(3, 5), first, script), source).value())[0] == 1;
    views[std::string(first ? "1" : "0") + (second ? "1" : "0")] += script->weight();
  } while (script->next());
  return views;
}

// Spec: F-27, W-18
TEST(Views, AdaptiveResponsesLoseExactlyTheirSum) {
  const auto ratio = ratio_of(response_law(testing::numbers({1})), response_law(testing::numbers({})));
  ASSERT_TRUE(ratio);
  EXPECT_NEAR(std::log(ratio->to_double_up()), 1.0, 1e-12);
}

// One loss of 2/5 was fixed, but its place was used twice.
TEST(Views, PlantedReusedPlaceIsCaught) {
  const auto twice_law = [](const Table& table) {
    const auto script = std::make_shared<Script>();
    std::map<std::string, Rational> views;
    do {
      script->start();
      const AnyMeasurement question = response(Rational(2, 5), false, script);
      const bool first = released(question, table), second = released(question, table);
      views[std::string(first ? "1" : "0") + (second ? "1" : "0")] += script->weight();
    } while (script->next());
    return views;
  };
  const auto ratio = ratio_of(twice_law(testing::numbers({1})), twice_law(testing::numbers({})));
  EXPECT_GT(std::log(ratio->to_double_up()), 0.4 + 1e-9);
}

// One of two, by a fair coin: the first tells the truth with odds 3 to 1, the second knows nothing and says 2 or 3, so that
// the answer shows which it was. The mean of ln 3 and 0 is not what that costs.
TEST(Views, PlantedMixtureByMeansIsCaught) {
  const auto script = std::make_shared<Script>();
  const AnyMeasurement silent = post_process(response(0, false, script), "two-more", [](const Data& data) -> Data {
    return Integers{as<Integers>(data)[0] + 2};
  });
  const AnyMeasurement mixed =
      mix({testing::response_toy(script), silent}, {Rational(1, 2), Rational(1, 2)},
          [script](random::Source&) { return script->flip(Rational(1, 2)) ? std::size_t{1} : std::size_t{0}; });
  const auto holds = [&](const AnyMeasurement& one) {
    return testing::keeps_its_claim(one, script, testing::numbers({1}), Table(), Rational(1));
  };
  EXPECT_TRUE(holds(mixed));
  EXPECT_FALSE(holds(testing::claiming(mixed, pure(kLog3 / 2))));
}

// Spec: F-24
TEST(Views, AHiddenMixtureLosesLessThanItsWorstPart) {
  const auto mixed_law = [](const Table& table) {
    const auto script = std::make_shared<Script>();
    random::Source source = testing::seeded_source(1);
    const AnyMeasurement mixed =
        mix({response(kLog3, false, script), response(0, false, script)}, {Rational(1, 2), Rational(1, 2)},
            [script](random::Source&) { return script->flip(Rational(1, 2)) ? std::size_t{1} : std::size_t{0}; });
    EXPECT_EQ(mixed.loss(Rational(1)), pure(kLog3));
    std::map<std::string, Rational> views;
    do {
      script->start();
      const Data shown = mixed.release(Private(table), source).value();
      views[as<Integers>(shown)[0] == 1 ? "1" : "0"] += script->weight();
    } while (script->next());
    return views;
  };
  const auto with = mixed_law(testing::numbers({1})), without = mixed_law(testing::numbers({}));
  EXPECT_NEAR(with.at("1").to_double_up(), 0.625, 1e-12);
  EXPECT_NEAR(std::log(ratio_of(with, without)->to_double_up()), 0.510826, 1e-6);  // below ln 3, the worst part's
}

}  // namespace
}  // namespace dither::calculus
