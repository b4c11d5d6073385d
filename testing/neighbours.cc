#include "testing/neighbours.h"

#include <algorithm>
#include <limits>
#include <map>
#include <ostream>
#include <random>

namespace dither::testing {

namespace {

using Units = std::map<std::int64_t, Table>;

Units by_unit(Table table) {
  std::sort(table.begin(), table.end());  // so that equal multisets of rows compare equal
  Units units;
  for (const Row& row : table) units[row.unit].push_back(row);
  return units;
}

rc::Gen<std::int64_t> values() {
  using Limits = std::numeric_limits<std::int64_t>;
  return rc::gen::weightedOneOf<std::int64_t>(
      {{9, rc::gen::inRange<std::int64_t>(-10, 11)}, {1, rc::gen::element(Limits::min(), Limits::max())}});
}

rc::Gen<Table> rows_of(std::int64_t unit) {
  return rc::gen::nonEmpty(rc::gen::container<Table>(rc::gen::build<Row>(
      rc::gen::set(&Row::unit, rc::gen::just(unit)), rc::gen::set(&Row::key, rc::gen::inRange<std::int64_t>(0, 6)),
      rc::gen::set(&Row::value, values()))));
}

Table some_units() {
  const auto ids = *rc::gen::unique<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 40));
  Table table;
  for (const std::int64_t id : ids) {
    const Table rows = *rows_of(id);
    table.insert(table.end(), rows.begin(), rows.end());
  }
  return table;
}

Table with(Table table, const Table& rows) {
  table.insert(table.end(), rows.begin(), rows.end());
  return table;
}

template <typename T>
std::vector<T> shuffled(std::vector<T> items) {
  std::mt19937_64 engine(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
  std::shuffle(items.begin(), items.end(), engine);
  return items;
}

template <typename T>
std::pair<T, T> in_either_order(T x, T y) {
  const bool swap = *rc::gen::arbitrary<bool>();
  return swap ? std::pair{std::move(y), std::move(x)} : std::pair{std::move(x), std::move(y)};
}

std::size_t index_into(const Vector& vector) { return *rc::gen::inRange<std::size_t>(0, vector.size()); }

Vector counts(std::size_t at_least) {
  return *rc::gen::suchThat(rc::gen::container<Vector>(rc::gen::inRange<std::int64_t>(0, 30)),
                            [at_least](const Vector& v) { return v.size() >= at_least; });
}

}  // namespace

std::int64_t units_added_or_removed(const Table& x, const Table& y) {
  const Units in_x = by_unit(x);
  const Units in_y = by_unit(y);
  std::int64_t distance = 0;
  for (const auto& [unit, rows] : in_x) {
    const auto other = in_y.find(unit);
    if (other == in_y.end())
      distance += 1;
    else if (other->second != rows)
      distance += 2;
  }
  for (const auto& [unit, rows] : in_y) distance += in_x.contains(unit) ? 0 : 1;
  return distance;
}

std::optional<std::int64_t> units_replaced(const Table& x, const Table& y) {
  const Units in_x = by_unit(x);
  const Units in_y = by_unit(y);
  if (in_x.size() != in_y.size()) return std::nullopt;
  std::int64_t distance = 0;
  for (const auto& [unit, rows] : in_x) {
    const auto other = in_y.find(unit);
    if (other == in_y.end()) return std::nullopt;
    distance += other->second == rows ? 0 : 1;
  }
  return distance;
}

std::int64_t l1_distance(const Vector& x, const Vector& y) {
  RC_ASSERT(x.size() == y.size());
  std::int64_t distance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) distance += x[i] > y[i] ? x[i] - y[i] : y[i] - x[i];
  return distance;
}

rc::Gen<TablePair> tables_one_unit_apart() {
  return rc::gen::exec([] {
    const Table without = some_units();
    const Table unit = *rows_of(100);  // an id that some_units never gives
    return in_either_order(shuffled(without), shuffled(with(without, unit)));
  });
}

rc::Gen<TablePair> tables_one_unit_replaced() {
  return rc::gen::exec([] {
    const Table others = some_units();
    const Table before = *rows_of(100);
    const auto differs = [&](const Table& after) { return by_unit(after) != by_unit(before); };
    const Table after = *rc::gen::suchThat(rows_of(100), differs);
    return TablePair{shuffled(with(others, before)), shuffled(with(others, after))};
  });
}

rc::Gen<VectorPair> vectors_one_apart() {
  return rc::gen::exec([] {
    const Vector x = *rc::gen::nonEmpty(rc::gen::container<Vector>(rc::gen::inRange<std::int64_t>(-1000, 1001)));
    Vector y = x;
    y[index_into(y)] += *rc::gen::element(-1, 1);
    return VectorPair{x, y};
  });
}

rc::Gen<VectorPair> histograms_one_apart() {
  return rc::gen::exec([] {
    const Vector x = counts(1);
    Vector y = x;
    y[index_into(y)] += 1;
    return in_either_order(x, y);
  });
}

rc::Gen<VectorPair> histograms_one_moved() {
  return rc::gen::exec([] {
    const Vector without = counts(2);
    Vector x = without;
    Vector y = without;
    const std::size_t from = index_into(x);
    const std::size_t step = *rc::gen::inRange<std::size_t>(1, x.size());
    x[from] += 1;
    y[(from + step) % y.size()] += 1;
    return VectorPair{x, y};
  });
}

void showValue(const Row& row, std::ostream& os) {
  os << "{unit " << row.unit << ", key " << row.key << ", value " << row.value << "}";
}

}  // namespace dither::testing
