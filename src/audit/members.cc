#include "audit/members.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace dither::audit {

using namespace calculus;  // NOLINT: members are written in the words of the calculus

namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(),
                       kMost = std::numeric_limits<std::int64_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The first ones come most often.
std::vector<Cell> candidates(const Column& column) {
  std::vector<Cell> all;
  if (!column.categories.empty()) {
    all = column.categories;
  } else if (column.type == CellType::boolean) {
    all = {false, true};
  } else if (column.type == CellType::integer) {
    for (const std::int64_t x : {std::int64_t{1}, std::int64_t{2}, std::int64_t{0}, std::int64_t{3}, std::int64_t{-1},
                                 std::int64_t{7}, kLeast, kMost, kMost - 1}) {
      all.emplace_back(x);
    }
  } else if (column.type == CellType::real) {
    for (const double x :
         {1.0, 0.5, 0.0, 1.5, -1.0, 2.5, std::nan(""), kInfinity, -kInfinity, 5e-324, 1.7e308, -1.7e308, 0x1p53,
          16777216.0, 16777217.0, 0.1, -0.0, 1e8 + 1.4901161193847656e-08, 0x1p50 + 0.25}) {
      all.emplace_back(x);
    }
  } else {
    for (const char* x :
         {"a", "b", "a,b", "", "c", "a,b,c,d,e", "1", "-7", "2.5", "true", "nan", "1e999", " 3", "\xff"}) {
      all.emplace_back(std::string(x));
    }
  }
  if (column.bounds && column.type == CellType::real) {
    all.insert(all.begin(), {column.bounds->low.to_double_up(), column.bounds->high.to_double_down()});
  }
  if (column.bounds && column.type == CellType::integer) {
    all.insert(all.begin(), {static_cast<std::int64_t>(column.bounds->low.ceil()),
                             static_cast<std::int64_t>(column.bounds->high.floor())});
  }
  if (column.nullable) all.emplace_back();
  std::vector<Cell> members;
  for (const Cell& one : all) {
    if (calculus::member(column, one)) members.push_back(one);
  }
  return members;
}

bool units(const Metric& metric) {
  return metric.kind == MetricKind::units_added || metric.kind == MetricKind::units_replaced ||
         metric.kind == MetricKind::units_changed;
}

bool order_counts(const Metric& metric) {
  return metric.inner == MetricKind::insert_delete || metric.inner == MetricKind::hamming;
}

// The limits per unit alone: the size comes at the end.
TableDomain any_size(TableDomain domain) {
  domain.rows = std::nullopt;
  return domain;
}

std::set<std::string> units_of(const Tables& tables) {
  std::set<std::string> all;
  for (const Table& one : tables) {
    for (const Row& row : one) all.insert(canonical(row[0]));
  }
  return all;
}

void remove_unit(Tables& tables, const std::string& unit) {
  for (Table& one : tables) {
    std::erase_if(one, [&](const Row& row) { return canonical(row[0]) == unit; });
  }
}

constexpr Int128 kValues[] = {0,          1,         -1, 5, Int128{1} << 62, -(Int128{1} << 62), Int128{1} << 100,
                              kInt128Max, kInt128Min};

Int128 within(Int128 x, const std::optional<Bounds>& bounds) {
  if (!bounds) return x;
  return std::clamp(x, bounds->low.ceil(), bounds->high.floor());
}

}  // namespace

const std::vector<Cell>& Members::cells_of(const Column& column) {
  const auto [at, fresh] = cells_.try_emplace(&column);
  if (fresh) at->second = candidates(column);
  return at->second;
}

Cell Members::cell(const Column& column) {
  const std::vector<Cell>& all = cells_of(column);
  if (below(10) < 6) return all[below(std::min<std::size_t>(all.size(), 3))];
  return all[below(all.size())];
}

Row Members::row(const TableDomain& domain, const Table& like) {
  if (!like.empty() && below(3) == 0) return like[below(like.size())];
  Row cells;
  for (const Column& column : domain.columns) cells.push_back(cell(column));
  return cells;
}

// Tries a few rows; a full table stays as it is.
void Members::add_row(const TableDomain& domain, Table& table, const Table& like) {
  for (int tries = 0; tries < 20; ++tries) {
    Table larger = table;
    larger.insert(larger.begin() + static_cast<std::ptrdiff_t>(below(table.size() + 1)), row(domain, like));
    if (calculus::member(any_size(domain), larger)) {
      table = std::move(larger);
      return;
    }
  }
}

// Half of the time with rows of another table, so that the two have some in common.
Table Members::table(const TableDomain& domain, const Table& like) {
  Table rows;
  if (coin()) {
    for (const Row& one : like) {
      rows.push_back(one);
      const bool fits = rows.size() <= domain.rows.value_or(rows.size()) && calculus::member(any_size(domain), rows);
      if (!fits || below(4) == 0) rows.pop_back();
    }
  }
  const std::uint64_t wanted = domain.rows.value_or(below(4) == 0 ? below(2) : below(8));
  for (std::uint64_t i = domain.rows ? rows.size() : 0; i < wanted; ++i) add_row(domain, rows, rows);
  return rows;
}

Data Members::member() {
  if (const auto* one = std::get_if<TableDomain>(&domain_)) return table(*one);
  if (const auto* several = std::get_if<TablesDomain>(&domain_)) {
    Tables all;
    for (const TableDomain& one : several->tables) all.push_back(table(one, all.empty() ? Table{} : all.back()));
    return all;
  }
  if (const auto* vector = std::get_if<VectorDomain>(&domain_)) {
    Integers x(vector->dimension.value_or(below(5)));
    for (Int128& one : x) one = within(kValues[below(below(3) == 0 ? std::size(kValues) : 4)], vector->bounds);
    return x;
  }
  if (const auto* reals = std::get_if<RealsDomain>(&domain_)) {
    Reals x(reals->dimension.value_or(below(5)));
    const std::vector<Cell> all = candidates({"", CellType::real, false, reals->finite, reals->bounds});
    for (double& one : x)
      one = std::get<double>(all[below(coin() ? std::min<std::size_t>(all.size(), 3) : all.size())]);
    return x;
  }
  const auto& keys = std::get<KeyedDomain>(domain_).keys;
  Keyed keyed;
  for (const std::string& key : keys.value_or(std::vector<std::string>{"b0", "i1", "i2", "n", "ta", "tb"})) {
    if (!keys && coin()) continue;
    keyed.keys.push_back(key);
    keyed.values.push_back(kValues[below(5)]);
  }
  return keyed;
}

void Members::step(const TableDomain& domain, MetricKind kind, Table& table, const Table& like) {
  const bool replace = kind == MetricKind::change_one || kind == MetricKind::hamming || domain.rows.has_value();
  if (table.empty() || (!replace && coin())) {
    if (!replace) add_row(domain, table, like);
    return;
  }
  const std::size_t at = below(table.size());
  Table other = table;
  if (replace) {
    other[at] = row(domain, like);
  } else {
    other.erase(other.begin() + static_cast<std::ptrdiff_t>(at));
  }
  if (calculus::member(any_size(domain), other)) table = std::move(other);
}

Cell Members::new_unit(const Tables& tables) {
  const auto& first = std::holds_alternative<TableDomain>(domain_) ? std::get<TableDomain>(domain_)
                                                                   : std::get<TablesDomain>(domain_).tables[0];
  const std::set<std::string> taken = units_of(tables);
  std::vector<Cell> free;
  for (const Cell& one : cells_of(first.columns[0])) {
    if (!taken.contains(canonical(one))) free.push_back(one);
  }
  return free.empty() ? Cell{} : free[below(free.size())];
}

void Members::add_unit(Tables& tables, const Cell& unit) {
  const std::size_t must = below(tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const auto& domain = std::holds_alternative<TableDomain>(domain_) ? std::get<TableDomain>(domain_)
                                                                      : std::get<TablesDomain>(domain_).tables[i];
    const std::uint64_t wanted = (i == must ? 1 : 0) + below(3);
    for (std::uint64_t k = 0; k < wanted; ++k) {
      Table larger = tables[i];
      larger.push_back(row(domain, tables[i]));
      larger.back()[0] = unit;
      if (calculus::member(any_size(domain), larger)) tables[i] = std::move(larger);
    }
  }
}

void Members::step_units(Tables& tables) {
  const std::set<std::string> present = units_of(tables);
  const bool replace =
      metric_.kind == MetricKind::units_replaced || (metric_.kind == MetricKind::units_changed && coin());
  if (present.empty() || (!replace && coin())) {
    const Cell fresh = new_unit(tables);
    if (!replace && !units_of(tables).contains(canonical(fresh))) add_unit(tables, fresh);
    return;
  }
  auto chosen = present.begin();
  std::advance(chosen, static_cast<std::ptrdiff_t>(below(present.size())));
  Cell unit = new_unit(tables);
  if (coin() || present.contains(canonical(unit))) {  // it stays, with other rows
    for (const Table& one : tables) {
      for (const Row& row : one) unit = canonical(row[0]) == *chosen ? row[0] : unit;
    }
  }
  remove_unit(tables, *chosen);
  if (replace) add_unit(tables, unit);
}

void Members::move(Integers& vector, const std::optional<Bounds>& bounds, int steps) {
  if (vector.empty()) return;
  const std::uint64_t mode = below(3);
  const Int128 far = coin() ? steps : -steps;
  const std::size_t at = below(vector.size());
  for (std::size_t i = 0; i < vector.size(); ++i) {
    const Int128 by = mode == 0 ? (i == at ? far : 0) : mode == 1 ? far : static_cast<Int128>(below(3)) - 1;
    vector[i] = within(add_saturating(vector[i], by), bounds);
  }
}

void Members::move(Reals& vector, int steps) {
  if (vector.empty()) return;
  const bool all = coin();
  const std::size_t at = below(vector.size());
  const double by = (coin() ? 1 : -1) * steps * (coin() ? 1.0 : below(2) == 0 ? 0.5 : 0x1p-40);
  for (std::size_t i = 0; i < vector.size(); ++i) vector[i] += all || i == at ? by : 0;
}

void Members::move(Keyed& keyed, int steps) {
  const bool is_public = std::get<KeyedDomain>(domain_).keys.has_value();
  if (keyed.keys.empty()) return;
  const auto at = static_cast<std::ptrdiff_t>(below(keyed.keys.size()));
  if (!is_public && coin()) {
    keyed.keys.erase(keyed.keys.begin() + at);
    keyed.values.erase(keyed.values.begin() + at);
    return;
  }
  move(keyed.values, std::nullopt, steps);
}

Data Members::neighbour(const Data& data, int steps) {
  Data result = data;
  if (auto* vector = std::get_if<Integers>(&result)) move(*vector, std::get<VectorDomain>(domain_).bounds, steps);
  if (auto* reals = std::get_if<Reals>(&result)) move(*reals, steps);
  if (auto* keyed = std::get_if<Keyed>(&result)) move(*keyed, steps);
  for (int i = 0; i < steps; ++i) {
    auto* one = std::get_if<Table>(&result);
    auto* several = std::get_if<Tables>(&result);
    if (one != nullptr && units(metric_)) {
      Tables alone = {*one};
      step_units(alone);
      *one = alone[0];
    } else if (several != nullptr && units(metric_)) {
      step_units(*several);
    } else if (one != nullptr) {
      step(std::get<TableDomain>(domain_), metric_.kind, *one, Table(*one));
    } else if (several != nullptr) {
      const std::size_t at = below(several->size());
      for (std::size_t k = 0; k < several->size(); ++k) {
        if (metric_.kind != MetricKind::largest && k != at) continue;
        const Table like = (*several)[below(several->size())];
        step(std::get<TablesDomain>(domain_).tables[k], metric_.inner, (*several)[k], like);
      }
    }
  }
  return same(result);
}

void Members::respell(Table& table) {
  for (Row& row : table) {
    for (Cell& one : row) {
      auto* real = std::get_if<double>(&one);
      if (real != nullptr && *real == 0 && coin()) *real = -*real;
      if (real != nullptr && std::isnan(*real) && coin()) *real = std::copysign(std::nan("7"), coin() ? 1.0 : -1.0);
    }
  }
  if (!order_counts(metric_)) std::shuffle(table.begin(), table.end(), random_);
}

Data Members::same(const Data& data) {
  Data result = data;
  if (auto* one = std::get_if<Table>(&result)) respell(*one);
  if (auto* several = std::get_if<Tables>(&result))
    std::for_each(several->begin(), several->end(), [&](Table& t) { respell(t); });
  return result;
}

}  // namespace dither::audit
