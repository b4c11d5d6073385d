#include "calculus/metric.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <set>

#include "calculus/toy_check.h"
#include "testing/refusal.h"

namespace dither::calculus {
namespace {

using testing::refusal;

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

Rational between(MetricKind kind, const Data& a, const Data& b) { return number(distance({kind}, a, b).value()); }

TEST(Metric, NamesReadBack) {
  for (const char* name :
       {"symmetric", "change-one", "insert-delete", "hamming", "discrete", "units-added", "units-replaced",
        "units-changed", "l1", "l2", "linf", "cells", "sum of symmetric", "largest of units-added"}) {
    EXPECT_EQ(metric_name(metric_from(name)), name);
  }
  for (const char* name : {"", "sum", "l1 of l2", "sum of sum of l1", "Symmetric", "symmetric ", "largest of "}) {
    EXPECT_EQ(refusal([&] { metric_from(name); }), Code::unknown_metric) << name;
  }
}

// Spec: W-03
TEST(Metric, KnowsItsRelation) {
  using accounting::Neighbours;
  EXPECT_EQ(neighbours_of({MetricKind::symmetric}), Neighbours::add_remove);
  EXPECT_EQ(neighbours_of({MetricKind::insert_delete}), Neighbours::add_remove);
  EXPECT_EQ(neighbours_of({MetricKind::units_added}), Neighbours::add_remove);
  EXPECT_EQ(neighbours_of({MetricKind::change_one}), Neighbours::replace_one);
  EXPECT_EQ(neighbours_of({MetricKind::hamming}), Neighbours::replace_one);
  EXPECT_EQ(neighbours_of({MetricKind::largest, MetricKind::change_one}), Neighbours::replace_one);
  EXPECT_EQ(neighbours_of({MetricKind::l1}), std::nullopt);
}

TEST(Metric, RefusesDistancesThatAreNone) {
  const CellsDistance four{1, 2, 4, 2};
  EXPECT_EQ(refusal([] { require_distance({MetricKind::l1}, Rational(-1)); }), Code::bad_distance);
  EXPECT_EQ(refusal([&] { require_distance({MetricKind::l1}, four); }), Code::bad_distance);
  EXPECT_EQ(refusal([] { require_distance({MetricKind::cells}, Rational(1)); }), Code::bad_distance);
  EXPECT_EQ(refusal([] { require_distance({MetricKind::cells}, CellsDistance{1, 1, -1, 1}); }), Code::bad_distance);
  EXPECT_EQ(refusal([&] { require_distance({MetricKind::cells}, four); }), std::nullopt);
  EXPECT_EQ(refusal([&] { number(four); }), Code::wrong_type);
  EXPECT_EQ(refusal([] { cells_of(Rational(1)); }), Code::wrong_type);
  EXPECT_EQ(refusal([&] { at_most(four, Rational(1)); }), Code::wrong_type);
}

TEST(Metric, CellsCompareInEveryNumber) {
  const CellsDistance a{1, 2, 4, 2};
  EXPECT_TRUE(at_most(a, a));
  EXPECT_TRUE(at_most(a, CellsDistance{2, 2, 4, 2}));
  EXPECT_FALSE(at_most(a, CellsDistance{0, 9, 9, 9}));
  EXPECT_FALSE(at_most(a, CellsDistance{9, 1, 9, 9}));
  EXPECT_FALSE(at_most(a, CellsDistance{9, 9, 3, 9}));
  EXPECT_FALSE(at_most(a, CellsDistance{9, 9, 9, 1}));
}

// The slow way: steps from one table to the next until the other is found. Over the rows 0, 1, 2, up to four of them.
using Values = std::vector<std::int64_t>;

std::set<Values> one_step_from(MetricKind kind, const Values& table) {
  std::set<Values> next;
  const bool ordered = kind == MetricKind::insert_delete || kind == MetricKind::hamming;
  const auto add = [&](Values one) {
    if (!ordered) std::sort(one.begin(), one.end());
    if (one.size() <= 5) next.insert(std::move(one));
  };
  const bool replaces = kind == MetricKind::change_one || kind == MetricKind::hamming;
  for (std::size_t i = 0; i <= table.size(); ++i) {
    for (std::int64_t value = 0; value < 3; ++value) {
      Values other = table;
      if (replaces && i < table.size()) other[i] = value;
      if (!replaces) other.insert(other.begin() + static_cast<std::ptrdiff_t>(i), value);
      add(other);
    }
    Values shorter = table;
    if (!replaces && i < table.size()) shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
    add(shorter);
  }
  return next;
}

std::map<Values, long> steps_from(MetricKind kind, const Values& start) {
  std::map<Values, long> found = {{start, 0}};
  std::deque<Values> todo = {start};
  for (; !todo.empty(); todo.pop_front()) {
    for (const Values& next : one_step_from(kind, todo.front())) {
      if (found.emplace(next, found.at(todo.front()) + 1).second) todo.push_back(next);
    }
  }
  return found;
}

std::vector<Values> small_tables(bool ordered) {
  std::vector<Values> all = {{}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].size() == 4) continue;
    for (std::int64_t value = 0; value < 3; ++value) {
      if (!ordered && !all[i].empty() && value < all[i].back()) continue;
      Values longer = all[i];
      longer.push_back(value);
      all.push_back(longer);
    }
  }
  return all;
}

Table table_of(const Values& values) {
  Table table;
  for (const std::int64_t value : values) table.push_back({value});
  return table;
}

// Spec: W-03
TEST(Metric, DistanceIsTheLeastNumberOfSteps) {
  for (const MetricKind kind :
       {MetricKind::symmetric, MetricKind::change_one, MetricKind::insert_delete, MetricKind::hamming}) {
    const std::vector<Values> all = small_tables(kind == MetricKind::insert_delete || kind == MetricKind::hamming);
    for (std::size_t i = 0; i < all.size(); i += 3) {
      const std::map<Values, long> steps = steps_from(kind, all[i]);
      for (const Values& other : all) {
        const std::optional<Distance> d = distance({kind}, table_of(all[i]), table_of(other));
        const auto found = steps.find(other);
        ASSERT_EQ(d.has_value(), found != steps.end());
        if (!d) continue;
        ASSERT_EQ(number(*d), Rational(found->second)) << metric_name({kind});
      }
    }
  }
}

// Spec: W-04
TEST(Metric, UnitsMoveWithAllTheirRows) {
  using Cells = std::vector<std::pair<std::int64_t, std::int64_t>>;
  const auto table = [](const Cells& cells) {
    Table rows;
    for (const auto& [unit, value] : cells) rows.push_back({unit, value});
    return rows;
  };
  const Table x = table({{1, 5}, {1, 6}, {2, 5}});
  EXPECT_EQ(between(MetricKind::units_added, x, table({{2, 5}})), Rational(1));
  EXPECT_EQ(between(MetricKind::units_added, x, table({{2, 5}, {1, 6}, {1, 5}})), Rational(0));
  EXPECT_EQ(between(MetricKind::units_added, x, table({{1, 5}, {2, 5}})), Rational(2));  // out, and in with other rows
  EXPECT_EQ(between(MetricKind::units_replaced, x, table({{1, 5}, {2, 5}})), Rational(1));
  EXPECT_EQ(between(MetricKind::units_replaced, x, table({{3, 1}, {2, 5}})), Rational(1));
  EXPECT_EQ(distance({MetricKind::units_replaced}, x, table({{2, 5}})), std::nullopt);
  // One unit in two tables is one step.
  const Tables both = {x, table({{1, 9}})}, without = {table({{2, 5}}), {}};
  EXPECT_EQ(between(MetricKind::units_added, both, without), Rational(1));
  EXPECT_EQ(number(*distance({MetricKind::sum, MetricKind::symmetric}, both, without)), Rational(3));
  EXPECT_EQ(number(*distance({MetricKind::largest, MetricKind::symmetric}, both, without)), Rational(2));
  EXPECT_EQ(distance({MetricKind::sum, MetricKind::symmetric}, both, Tables{x}), std::nullopt);
  EXPECT_EQ(between(MetricKind::discrete, both, without), Rational(1));
  EXPECT_EQ(between(MetricKind::discrete, both, both), Rational(0));
}

// Spec: W-11
RC_GTEST_PROP(Metric, NormsAreWhatTheyAreCalled, (const std::vector<std::pair<std::int16_t, std::int16_t>>& pairs)) {
  Integers a, b;
  Reals x, y;
  Rational l1, squares, largest, cells;
  for (const auto& [left, right] : pairs) {
    a.push_back(left), b.push_back(right);
    x.push_back(left), y.push_back(right);
    const Rational moved = abs(Rational(static_cast<long>(left)) - Rational(static_cast<long>(right)));
    l1 += moved, squares += moved * moved, largest = std::max(largest, moved);
    if (moved.sign() != 0) cells += 1;
  }
  for (const auto& [left, right] : {std::pair<Data, Data>(a, b), std::pair<Data, Data>(x, y)}) {
    RC_ASSERT(between(MetricKind::l1, left, right) == l1);
    RC_ASSERT(between(MetricKind::l2, left, right) == squares);
    RC_ASSERT(between(MetricKind::linf, left, right) == largest);
    RC_ASSERT(distance({MetricKind::cells}, left, right) == Distance(CellsDistance{cells, l1, squares, largest}));
    RC_ASSERT(between(MetricKind::discrete, left, right) == (l1.sign() == 0 ? Rational(0) : Rational(1)));
  }
}

// Spec: W-11
RC_GTEST_PROP(Metric, KeepsTheLawsOfAMetric, ()) {
  const auto kind = *rc::gen::element(MetricKind::symmetric, MetricKind::insert_delete, MetricKind::units_added,
                                      MetricKind::discrete);
  const auto table = [] {
    Table rows;
    for (const int value : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4))) {
      rows.push_back({std::int64_t{value % 2}, std::int64_t{value}});
    }
    return rows;
  };
  const Table a = table(), b = table(), c = table();
  RC_ASSERT(between(kind, a, a) == Rational(0));
  RC_ASSERT(between(kind, a, b) == between(kind, b, a));
  RC_ASSERT(between(kind, a, c) <= between(kind, a, b) + between(kind, b, c));
}

// Spec: W-05
TEST(Metric, SpecialNumbersHaveTheirPlace) {
  EXPECT_EQ(between(MetricKind::l1, Reals{0.0, kNan, kInf}, Reals{-0.0, -kNan, kInf}), Rational(0));
  for (const double other : {1.0, kInf, -kInf}) {
    EXPECT_EQ(distance({MetricKind::l1}, Reals{kNan}, Reals{other}), std::nullopt);
    EXPECT_EQ(between(MetricKind::discrete, Reals{kNan}, Reals{other}), Rational(1));
  }
  EXPECT_EQ(distance({MetricKind::linf}, Reals{kInf}, Reals{-kInf}), std::nullopt);
  EXPECT_EQ(distance({MetricKind::l1}, Reals{1}, Reals{1, 2}), std::nullopt);
  EXPECT_EQ(distance({MetricKind::l1}, Reals{1}, Integers{1}), std::nullopt);
  const double huge = std::numeric_limits<double>::max();
  EXPECT_EQ(between(MetricKind::l1, Reals{huge}, Reals{-huge}), 2 * Rational::from_double(huge));
  // The ends of 128 bits do not overflow: distances are rationals.
  const Int128 least = std::numeric_limits<Int128>::min(), most = std::numeric_limits<Int128>::max();
  EXPECT_EQ(between(MetricKind::l1, Integers{least}, Integers{most}), Rational(most) - Rational(least));
  const std::int64_t low = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(between(MetricKind::symmetric, Table{{low}, {kNan}, {0.0}}, Table{{-0.0}, {-kNan}, {low}}), Rational(0));
}

// Spec: W-11
TEST(Metric, AKeyThatIsThereIsMoreThanZero) {
  const Keyed a{{"a", "b"}, {3, 4}}, b{{"b", "c"}, {1, 2}};
  EXPECT_EQ(distance({MetricKind::cells}, a, b), Distance(CellsDistance{3, 8, 22, 3}));
  EXPECT_EQ(between(MetricKind::l1, a, b), Rational(8));
  // A release may show which keys there are, so a key with 0 is a cell that changed, and no norm may call it nothing.
  const Keyed none, nought{{"a"}, {0}};
  EXPECT_EQ(distance({MetricKind::cells}, none, nought), Distance(CellsDistance{1, 0, 0, 0}));
  EXPECT_EQ(distance({MetricKind::l1}, none, nought), std::nullopt);
  EXPECT_EQ(between(MetricKind::discrete, none, nought), Rational(1));
  EXPECT_EQ(between(MetricKind::l1, nought, nought), Rational(0));
}

TEST(Metric, ZeroAndOneStep) {
  EXPECT_EQ(zero({MetricKind::cells}), Distance(CellsDistance{}));
  EXPECT_EQ(one_step({MetricKind::cells}), Distance(CellsDistance{1, 1, 1, 1}));
  EXPECT_EQ(one_step({MetricKind::symmetric}), Distance(Rational(1)));
  EXPECT_EQ(str(one_step({MetricKind::cells})), "(1 cells, l1 1, l2 squared 1, largest 1)");
}

}  // namespace
}  // namespace dither::calculus
