#include "calculus/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/directed.h"
#include "base/error.h"

namespace dither::calculus {

namespace {

constexpr std::size_t kMostTables = 100'000;

// Rows in the order of the universe, so that each multiset comes once.
void extend(const SmallUniverse& universe, std::size_t first, Table& table, std::vector<Table>& all) {
  if (table.size() >= universe.least_rows) all.push_back(table);
  if (all.size() > kMostTables) {
    throw Error{Code::bad_count, fmt::format("more than {} tables to try", kMostTables), "give fewer rows"};
  }
  if (table.size() == universe.most_rows) return;
  for (std::size_t i = first; i < universe.rows.size(); ++i) {
    table.push_back(universe.rows[i]);
    extend(universe, i, table, all);
    table.pop_back();
  }
}

CellsDistance moved(const Vector& a, const Vector& b) {
  if (a.size() != b.size()) {
    throw Error{Code::wrong_type, fmt::format("the function gives {} numbers and then {}", a.size(), b.size()),
                "give a function of one dimension"};
  }
  CellsDistance d;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Rational one = abs(a[i] - b[i]);
    d.l1 += one;
    d.l2_squared += one * one;
    d.largest = std::max(d.largest, one);
  }
  return d;
}

[[noreturn]] void no_metric(std::string_view rule) {
  throw Error{Code::bad_distance, fmt::format("these distances are no metric: {}", rule),
              "give the distances between all points, both ways"};
}

void require_values(const FiniteSpace& space, std::size_t count) {
  if (count == space.size()) return;
  throw Error{Code::bad_count, fmt::format("{} values for {} points", count, space.size()), "give one for each point"};
}

}  // namespace

std::vector<Table> all_tables(const SmallUniverse& universe) {
  std::vector<Table> all;
  Table table;
  extend(universe, 0, table, all);
  return all;
}

Sensitivity global_sensitivity(const SmallUniverse& universe, accounting::Neighbours neighbours,
                               const ExactFunction& f) {
  Sensitivity most;
  const auto look = [&](const Vector& here, const Table& other) {
    const CellsDistance d = moved(here, f(other));
    most = {std::max(most.l1, d.l1), std::max(most.l2_squared, d.l2_squared), std::max(most.linf, d.largest)};
  };
  for (const Table& table : all_tables(universe)) {
    const Vector here = f(table);
    for (const Row& row : universe.rows) {
      Table other = table;
      other.push_back(row);
      if (neighbours != accounting::Neighbours::replace_one && other.size() <= universe.most_rows) look(here, other);
      if (neighbours == accounting::Neighbours::add_remove) continue;
      for (std::size_t i = 0; i < table.size(); ++i) {
        other = table;
        other[i] = row;
        look(here, other);
      }
    }
  }
  return most;
}

FiniteSpace::FiniteSpace(std::vector<std::vector<Rational>> distances) : distances_(std::move(distances)) {
  const std::size_t n = size();
  for (const auto& row : distances_) {
    if (row.size() != n) no_metric("not as many columns as rows");
  }
  for (std::size_t x = 0; x < n; ++x) {
    for (std::size_t y = 0; y < n; ++y) {
      if (distances_[x][y] != distances_[y][x]) no_metric("not the same both ways");
      if (distances_[x][y].sign() != (x == y ? 0 : 1)) no_metric("positive between two points, 0 from one to itself");
      for (std::size_t z = 0; z < n; ++z) {
        if (distances_[x][z] > distances_[x][y] + distances_[y][z]) no_metric("a detour is shorter");
      }
    }
  }
}

FiniteSpace::FiniteSpace(const SmallUniverse& universe, const Metric& metric) {
  const std::vector<Table> tables = all_tables(universe);
  for (const Table& a : tables) {
    distances_.emplace_back();
    for (const Table& b : tables) {
      const std::optional<Distance> d = distance(metric, a, b);
      if (!d) no_metric("two tables that no number of steps connects");
      distances_.back().push_back(number(*d));
    }
  }
}

Rational lipschitz_at(const FiniteSpace& space, std::span<const Vector> values, std::size_t x) {
  require_values(space, values.size());
  Rational most;
  for (std::size_t y = 0; y < space.size(); ++y) {
    if (y != x) most = std::max(most, moved(values[x], values[y]).l1 / space(x, y));
  }
  return most;
}

Rational lipschitz(const FiniteSpace& space, std::span<const Vector> values) {
  require_values(space, values.size());
  Rational most;
  for (std::size_t x = 0; x < space.size(); ++x) most = std::max(most, lipschitz_at(space, values, x));
  return most;
}

Rational local_sensitivity_at(const FiniteSpace& space, std::span<const Vector> values, std::size_t x) {
  require_values(space, values.size());
  Rational most;
  for (std::size_t y = 0; y < space.size(); ++y) {
    if (space(x, y) == Rational(1)) most = std::max(most, moved(values[x], values[y]).l1);
  }
  return most;
}

double smooth_sensitivity_up(const FiniteSpace& space, std::span<const Vector> values, std::size_t x, double beta) {
  double most = 0;
  for (std::size_t y = 0; y < space.size(); ++y) {
    const double local = local_sensitivity_at(space, values, y).to_double_up();
    const double falls = mul_down(beta, space(x, y).to_double_down());
    most = std::max(most, mul_up(local, exp_up(-falls)));
  }
  return most;
}

Rational score_sensitivity(const FiniteSpace& space, std::span<const Vector> scores) {
  Rational most;
  for (const Vector& candidate : scores) {
    std::vector<Vector> values;
    for (const Rational& score : candidate) values.push_back({score});
    most = std::max(most, lipschitz(space, values));
  }
  return most;
}

}  // namespace dither::calculus
