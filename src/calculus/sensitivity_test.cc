#include "calculus/sensitivity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "accounting/gaussian.h"
#include "calculus/toy_check.h"
#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither::calculus {
namespace {

using accounting::Neighbours;
using testing::refusal;

constexpr Neighbours kAddRemove = Neighbours::add_remove, kReplaceOne = Neighbours::replace_one;

SmallUniverse values(std::initializer_list<std::int64_t> all, std::size_t least = 0, std::size_t most = 3) {
  return {toy::rows(all), least, most};
}
std::int64_t value(const Row& row) { return std::get<std::int64_t>(row[0]); }

// The numbers of rows for which each predicate holds.
using Predicate = std::function<bool(std::int64_t)>;
ExactFunction counts(std::vector<Predicate> predicates) {
  return [predicates = std::move(predicates)](const Table& table) {
    Vector all;
    for (const Predicate& holds : predicates) {
      all.emplace_back(static_cast<long>(
          std::count_if(table.begin(), table.end(), [&](const Row& row) { return holds(value(row)); })));
    }
    return all;
  };
}
Vector sum(const Table& table) {
  Rational total;
  for (const Row& row : table) total += Rational(long{value(row)});
  return {total};
}
Vector mean(const Table& table) {
  return {table.empty() ? Rational(0) : sum(table)[0] / Rational(static_cast<long>(table.size()))};
}

void expect(const SmallUniverse& universe, Neighbours relation, const ExactFunction& f, const Rational& l1,
            const Rational& l2_squared) {
  const Sensitivity found = global_sensitivity(universe, relation, f);
  EXPECT_EQ(found.l1, l1);
  EXPECT_EQ(found.l2_squared, l2_squared);
  EXPECT_LE(found.linf, found.l1);
}

// Spec: F-35
TEST(Sensitivity, CountsOverThreeValues) {
  const auto is_1 = [](std::int64_t x) { return x == 1; };
  const auto is_1_or_2 = [](std::int64_t x) { return x <= 2; };
  EXPECT_EQ(all_tables(values({1, 2, 3})).size(), 20u);  // multisets of at most 3 out of 3
  expect(values({1, 2, 3}), kAddRemove, counts({is_1}), 1, 1);
  expect(values({1, 2, 3}), kAddRemove, counts({is_1, is_1_or_2}), 2, 2);
  expect(values({1, 2, 3}), kReplaceOne, counts({is_1, is_1_or_2}), 2, 2);
}

// Spec: F-36
TEST(Sensitivity, NormsAreOrdered) {
  // k counts over n, all of which one replaced row may move: k / n and sqrt(k) / n.
  const auto normalised = [](std::size_t k, long n) -> ExactFunction {
    return [=](const Table& table) { return Vector(k, sum(table)[0] / Rational(n)); };
  };
  for (const long n : {1L, 2L, 3L}) {
    for (const long k : {1L, 4L, 9L}) {
      const auto rows = static_cast<std::size_t>(n);
      expect(values({0, 1}, rows, rows), kReplaceOne, normalised(static_cast<std::size_t>(k), n), Rational(k, n),
             Rational(k, n * n));
    }
  }
  // k = 100, n = 10^4 from one pair that attains it.
  Table before(10'000, Row{std::int64_t{0}}), after = before;
  after[0] = {std::int64_t{1}};
  Rational l1, squared;
  const Vector x = normalised(100, 10'000)(before), y = normalised(100, 10'000)(after);
  for (std::size_t i = 0; i < x.size(); ++i) l1 += abs(x[i] - y[i]), squared += (x[i] - y[i]) * (x[i] - y[i]);
  EXPECT_EQ(l1, Rational(1, 100));
  EXPECT_EQ(squared, Rational(1, 1000) * Rational(1, 1000));
  EXPECT_LE(squared, l1 * l1);
  EXPECT_LE(l1 * l1, 100 * squared);
}

// Spec: F-37
TEST(Sensitivity, TheWholeCatalogue) {
  const auto every = [](std::int64_t) { return true; };
  const SmallUniverse people = values({0, 1, 2, 3});  // bit 0: male, bit 1: blond
  const auto male = [](std::int64_t x) { return (x & 1) != 0; };
  const auto blond = [](std::int64_t x) { return (x & 2) != 0; };
  expect(people, kAddRemove, counts({male}), 1, 1);
  expect(people, kReplaceOne, counts({male}), 1, 1);
  expect(people, kAddRemove, counts({every}), 1, 1);
  expect(people, kReplaceOne, counts({every}), 0, 0);  // the size is public there
  expect(people, kAddRemove, counts({male, blond}), 2, 2);
  expect(people, kReplaceOne, counts({male, blond}), 2, 2);
  std::vector<Predicate> colours;
  for (std::int64_t colour = 0; colour < 4; ++colour)
    colours.emplace_back([colour](std::int64_t x) { return x == colour; });
  expect(people, kAddRemove, counts(colours), 1, 1);
  expect(people, kReplaceOne, counts(colours), 2, 2);
  expect(values({0, 1}), kAddRemove, sum, 1, 1);
  expect(values({0, 1}), kReplaceOne, sum, 1, 1);
  // A sum in [l, u]: max(|l|, |u|), and u - l.
  expect(values({-2, 0, 1, 5}), kAddRemove, sum, 5, 25);
  expect(values({-2, 0, 1, 5}), kReplaceOne, sum, 7, 49);
  expect(values({-5, 0, 1, 2}), kAddRemove, sum, 5, 25);
  expect(values({3, 4, 5, 6}), kAddRemove, sum, 6, 36);
  expect(values({3, 4, 5, 6}), kReplaceOne, sum, 3, 9);
  expect(values({-2, 0, 1, 5}, 3, 3), kReplaceOne, mean, Rational(7, 3), Rational(49, 9));
  // An average without bounds grows with what there may be: no number bounds it.
  for (const long most : {1'000L, 1'000'000L, 1'000'000'000L}) {
    expect(values({0, most}, 2, 2), kReplaceOne, mean, Rational(most, 2), Rational(most, 2) * Rational(most, 2));
  }
}

TEST(Sensitivity, PlantedAddRemoveHistogramUnderReplaceOneIsCaught) {
  std::vector<Predicate> colours;
  for (std::int64_t colour = 0; colour < 4; ++colour)
    colours.emplace_back([colour](std::int64_t x) { return x == colour; });
  const Rational declared = 1;  // right for add-remove
  EXPECT_LE(global_sensitivity(values({0, 1, 2, 3}), kAddRemove, counts(colours)).l1, declared);
  EXPECT_GT(global_sensitivity(values({0, 1, 2, 3}), kReplaceOne, counts(colours)).l1, declared);
}

std::vector<Vector> at_all(const SmallUniverse& universe, const ExactFunction& f) {
  std::vector<Vector> all;
  for (const Table& table : all_tables(universe)) all.push_back(f(table));
  return all;
}

// Spec: F-38
TEST(Lipschitz, OfCountsAndHistograms) {
  const SmallUniverse universe = values({0, 1, 2});
  const FiniteSpace space(universe, {MetricKind::symmetric});
  std::vector<Predicate> cells;
  for (std::int64_t cell = 0; cell < 3; ++cell) cells.emplace_back([cell](std::int64_t x) { return x == cell; });
  EXPECT_EQ(lipschitz(space, at_all(universe, counts(cells))), Rational(1));  // histogram, and the identity on them
  for (int bits = 0; bits < 8; ++bits) {
    const auto predicate = [bits](std::int64_t x) { return ((bits >> x) & 1) != 0; };
    EXPECT_EQ(lipschitz(space, at_all(universe, counts({predicate}))), Rational(bits == 0 ? 0 : 1));
  }
}

// Spec: F-39
TEST(Lipschitz, OfScores) {
  // Offers of 1.00 and 3.01 (in cents); a price earns itself from everyone who offers as much.
  const SmallUniverse universe = values({100, 301}, 0, 4);
  const FiniteSpace space(universe, {MetricKind::symmetric});
  std::vector<Vector> counted, revenue;
  for (const long price : {100L, 200L, 301L}) {
    counted.emplace_back(), revenue.emplace_back();
    for (const Table& table : all_tables(universe)) {
      const Rational buyers = counts({[price](std::int64_t x) { return x >= price; }})(table)[0];
      counted.back().push_back(buyers);
      revenue.back().push_back(buyers * Rational(price, 100));
    }
  }
  EXPECT_EQ(score_sensitivity(space, counted), Rational(1));
  EXPECT_EQ(score_sensitivity(space, revenue), Rational(301, 100));
}

FiniteSpace path(long n) {
  std::vector<std::vector<Rational>> distances;
  for (long x = 0; x < n; ++x) {
    distances.emplace_back();
    for (long y = 0; y < n; ++y) distances.back().emplace_back(std::abs(x - y));
  }
  return FiniteSpace(distances);
}

// Spec: F-40
TEST(Lipschitz, AtEachPointOfAPath) {
  const FiniteSpace space = path(4);
  const std::vector<Vector> f = {{0}, {1}, {2}, {5}};
  const std::vector<Rational> kappa = {Rational(5, 3), 2, 3, 3}, local = {1, 1, 3, 3};
  for (std::size_t x = 0; x < 4; ++x) {
    EXPECT_EQ(lipschitz_at(space, f, x), kappa[x]);
    EXPECT_EQ(local_sensitivity_at(space, f, x), local[x]);
    EXPECT_GE(kappa[x], local[x]);
  }
  EXPECT_EQ(lipschitz(space, f), Rational(3));
  const std::vector<double> tenth = {2.456192, 2.714512, 3, 3}, half = {1.103638, 1.819592, 3, 3};
  for (std::size_t x = 0; x < 4; ++x) {
    EXPECT_NEAR(smooth_sensitivity_up(space, f, x, 0.1), tenth[x], 5e-7);
    EXPECT_NEAR(smooth_sensitivity_up(space, f, x, 0.5), half[x], 5e-7);
    EXPECT_GE(smooth_sensitivity_up(space, f, x, 0.5), local[x].to_double_down());
  }
}

TEST(Lipschitz, PlantedLocalBoundThatIsNotSmoothIsCaught) {
  const FiniteSpace space = path(4);
  const std::vector<Vector> f = {{0}, {1}, {2}, {5}};
  const auto smooth = [&](const std::function<double(std::size_t)>& bound) {
    for (std::size_t x = 0; x + 1 < 4; ++x) {
      const double ratio = bound(x) / bound(x + 1);
      if (std::max(ratio, 1 / ratio) > std::exp(0.5) * (1 + 1e-12)) return false;
    }
    return true;
  };
  EXPECT_TRUE(smooth([&](std::size_t x) { return smooth_sensitivity_up(space, f, x, 0.5); }));
  EXPECT_FALSE(smooth([&](std::size_t x) { return local_sensitivity_at(space, f, x).to_double_up(); }));
}

// Spec: F-41
TEST(Sensitivity, BoundedMeanNeedsAPublicSize) {
  for (const long n : {1L, 2L, 3L}) {
    const auto rows = static_cast<std::size_t>(n);
    const Rational range(100, n);
    expect(values({0, 40, 100}, rows, rows), kReplaceOne, mean, range, range * range);
  }
  // Under add-remove the worst tables are the smallest: dividing by the true size would hide nothing.
  expect(values({0, 40, 100}), kAddRemove, mean, 100, 10'000);
  expect(values({0, 40, 100}, 2, 3), kAddRemove, mean, Rational(100, 3), Rational(100, 3) * Rational(100, 3));
  // (a) sd of Laplace noise at epsilon 1/2 for n = 10^4; (b) sum and count apart, epsilon split; centred at 50.
  const double n = 1e4, epsilon = 0.5, a = std::sqrt(2.0) * 100 / n / epsilon;
  const double of_sum = global_sensitivity(values({0, 40, 100}), kAddRemove, sum).l1.to_double_up();
  const double of_centred = global_sensitivity(values({-50, -10, 50}), kAddRemove, sum).l1.to_double_up();
  const auto apart = [&](double sensitivity, double average) {
    return std::sqrt(2.0) / (epsilon / 2) * std::hypot(sensitivity, average) / n;
  };
  EXPECT_NEAR(a, 0.0282843, 5e-8);
  EXPECT_NEAR(apart(of_sum, 40), 0.0609, 5e-5);
  EXPECT_NEAR(apart(of_centred, -10), 0.0288, 5e-5);
}

// Spec: F-42
TEST(Sensitivity, BinaryMeanInManyDimensions) {
  const auto bits = [](long d, long n) -> ExactFunction {
    return [=](const Table& table) {
      Vector all(static_cast<std::size_t>(d));
      for (const Row& row : table) {
        for (long i = 0; i < d; ++i) all[static_cast<std::size_t>(i)] += Rational((value(row) >> i) & 1, n);
      }
      return all;
    };
  };
  for (const long n : {1L, 2L, 3L}) {
    const auto rows = static_cast<std::size_t>(n);
    expect(values({0, 1, 2, 3}, rows, rows), kReplaceOne, bits(2, n), Rational(2, n), Rational(2, n * n));
    expect(values({0, 1, 2, 3, 4, 5, 6, 7}, rows, rows), kReplaceOne, bits(3, n), Rational(3, n), Rational(3, n * n));
  }
  // n = 1000, d = 100, epsilon = 1, delta = 1e-6, by the rule just confirmed; errors are rms in l2.
  const double d = 100, l1 = d / 1000, l2 = std::sqrt(d) / 1000;
  EXPECT_NEAR(l2, 0.01, 1e-15);
  EXPECT_NEAR(std::sqrt(d / 1000), 0.316228, 5e-7);  // the printed formula is another number
  EXPECT_NEAR(std::sqrt(2 * d) * l1, 1.414214, 5e-7);
  EXPECT_NEAR(std::sqrt(d) * l2 * std::sqrt(2 * std::log(1.25e6)), 0.529880, 5e-7);
  EXPECT_NEAR(std::sqrt(d) * l2 / accounting::gaussian_mu_down(1, 1e-6), 0.422468, 5e-7);
}

TEST(FiniteSpace, RefusesWhatIsNoMetric) {
  using Matrix = std::vector<std::vector<Rational>>;
  for (const Matrix& matrix : {Matrix{{0, 1}}, Matrix{{0, 1}, {2, 0}}, Matrix{{0, 0}, {0, 0}}, Matrix{{1}},
                               Matrix{{0, -1}, {-1, 0}}, Matrix{{0, 1, 3}, {1, 0, 1}, {3, 1, 0}}}) {
    EXPECT_EQ(refusal([&] { FiniteSpace{matrix}; }), Code::bad_distance);
  }
  EXPECT_EQ(refusal([] { FiniteSpace(values({0, 1}), {MetricKind::change_one}); }), Code::bad_distance);
  EXPECT_EQ(FiniteSpace(values({0, 1}, 2, 2), {MetricKind::change_one}).size(), 3u);
  const std::vector<Vector> two = {{0}, {1}};
  EXPECT_EQ(refusal([&] { lipschitz(path(3), two); }), Code::bad_count);
  EXPECT_EQ(refusal([] { all_tables(values({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0, 10)); }), Code::bad_count);
  const ExactFunction uneven = [](const Table& table) { return Vector(table.size()); };
  EXPECT_EQ(refusal([&] { global_sensitivity(values({0}), kAddRemove, uneven); }), Code::wrong_type);
}

// A mean over few rows moves further when one is replaced, a number of rows only when one is added.
TEST(Sensitivity, BothRelationsAreTheLargerOfTheTwo) {
  const ExactFunction size = [](const Table& table) -> Vector { return {Rational(static_cast<long>(table.size()))}; };
  EXPECT_EQ(global_sensitivity(values({0, 1}), kReplaceOne, size).l1, Rational(0));
  EXPECT_EQ(global_sensitivity(values({0, 1}), Neighbours::both, size).l1, Rational(1));
  EXPECT_EQ(global_sensitivity(values({-5, 5}), Neighbours::both, sum).l1, Rational(10));
}

}  // namespace
}  // namespace dither::calculus
