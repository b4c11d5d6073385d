// Searches random neighbouring tables for one that a step moves further than its map says. For tests alone.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <random>

#include "calculus/rows.h"
#include "calculus/transformation.h"
#include "testing/calculus_access.h"

namespace dither::calculus::bounding_check {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min(), kMax = std::numeric_limits<std::int64_t>::max();

// (unit, key, value): whole numbers that are all there, or reals of which any may be missing or infinite.
inline TableDomain clean() {
  return {{{"unit", CellType::integer, false}, {"key", CellType::integer, false}, {"value", CellType::integer, false}}};
}
inline TableDomain dirty() { return {{{"unit", CellType::real}, {"key", CellType::text}, {"value", CellType::real}}}; }

class Neighbours {
 public:
  Neighbours(const TableDomain& domain, std::uint64_t seed) : dirty_(domain.columns[0].nullable), engine_(seed) {}

  // Two tables at most a few units apart: units are added, removed, or replaced by themselves or another one, whichever
  // the metric allows. Rows stand in any order.
  std::pair<Table, Table> pair(const Metric& metric) {
    std::vector<std::vector<Row>> left, right;
    const int common = below(4);
    int name = 0;
    for (int i = 0; i < common; ++i) left.push_back(rows_of(name++));
    right = left;
    for (int changes = 1 + below(3); changes > 0; --changes) {
      const bool replace = metric != Metric{MetricKind::units_added};
      const bool vanish = metric == Metric{MetricKind::units_changed} && below(3) == 0;
      left.push_back(rows_of(name));
      if (replace && !vanish) right.push_back(rows_of(below(2) == 0 ? name : name + 50));
      ++name;
    }
    const bool swap = below(2) == 0;
    return {joined(swap ? right : left), joined(swap ? left : right)};
  }

  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }

 private:
  // Often many rows at one bound: that is where the worst lies.
  std::vector<Row> rows_of(int unit) {
    std::vector<Row> rows;
    const bool alike = below(2) == 0;
    const Cell value = any_value(), whose = name_of(unit);
    const int first_key = below(6), keys = 1 + below(4), each = 1 + below(4);
    for (int k = 0; k < keys; ++k) {
      for (int i = 0; i < each; ++i) rows.push_back({whose, key(first_key + k), alike ? value : any_value()});
    }
    return rows;
  }
  Cell name_of(int unit) {
    if (!dirty_) return std::int64_t{unit};
    const std::array<Cell, 4> odd = {Cell(), Cell(kNan), Cell(-0.0), Cell(kInf)};
    return unit % 5 == 4 ? odd[static_cast<std::size_t>(below(4))] : Cell(static_cast<double>(unit) + 0.5);
  }
  Cell key(int k) const { return dirty_ ? Cell(std::string(1, static_cast<char>('a' + k))) : Cell(std::int64_t{k}); }
  Cell any_value() {
    const std::array<std::int64_t, 8> whole = {-1000, 1000, -3, 5, 0, 1, kMin, kMax};
    const std::array<Cell, 8> odd = {Cell(),     Cell(kNan),  Cell(kInf),   Cell(-kInf),
                                     Cell(-0.0), Cell(1e300), Cell(-1e300), Cell(0.4)};
    const auto at = static_cast<std::size_t>(below(8));
    return dirty_ ? odd[at] : Cell(whole[at]);
  }
  Table joined(const std::vector<std::vector<Row>>& units) {
    Table table;
    for (const auto& rows : units) table.insert(table.end(), rows.begin(), rows.end());
    std::shuffle(table.begin(), table.end(), engine_);
    return table;
  }

  bool dirty_;
  std::mt19937_64 engine_;
};

inline std::array<Rational, 4> numbers(const Distance& d) {
  if (const auto* one = std::get_if<Rational>(&d)) return {*one, *one, *one, *one};
  const CellsDistance& four = cells_of(d);
  return {four.cells, four.l1, four.l2_squared, four.largest};
}

// What a search found: a pair that moved further than the map says, and which of the map's numbers were attained at
// distance 1.
struct Found {
  bool exceeded = false;
  std::array<bool, 4> attained = {};
  bool tight() const { return attained[0] && attained[1] && attained[2] && attained[3]; }
};

// Stops at the first pair that moved too far, and, when asked, once everything was attained.
inline Found search(const AnyTransformation& step, int trials, std::uint64_t seed, bool until_tight = false) {
  Neighbours tables(std::get<TableDomain>(step.input()), seed);
  Found found;
  for (int i = 0; i < trials && !found.exceeded && !(until_tight && found.tight()); ++i) {
    const auto [x, y] = tables.pair(step.from());
    const auto in = distance(step.from(), x, y);
    if (!in) continue;  // odd names made one unit of two
    const auto out = distance(step.to(), testing::apply(step, x), testing::apply(step, y));
    found.exceeded = found.exceeded || !out || !at_most(*out, step.map(*in));
    if (!out || *in != Distance(Rational(1))) continue;
    const auto moved = numbers(*out), allowed = numbers(step.map(*in));
    for (std::size_t k = 0; k < 4; ++k) found.attained[k] = found.attained[k] || moved[k] == allowed[k];
  }
  return found;
}

// The step with another map or another function: what a planted bug is made of.
inline AnyTransformation with_map(const AnyTransformation& step, AnyTransformation::Map map) {
  auto parts = CombinatorAccess::parts(step);
  parts.map = std::move(map);
  return AnyTransformation(parts);
}
inline AnyTransformation with_function(const AnyTransformation& step, AnyTransformation::Function function) {
  auto parts = CombinatorAccess::parts(step);
  parts.function = std::move(function);
  return AnyTransformation(parts);
}

// Rows with a value above 0 that is a number. A unit may lose all its rows, so units-replaced becomes units-changed.
inline AnyTransformation filter(const TableDomain& table, const Metric& from) {
  return make_filter(table, from, "value", Comparison::greater, Cell(std::int64_t{0}));
}

}  // namespace dither::calculus::bounding_check
