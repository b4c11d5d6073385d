#include "calculus/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/error.h"

namespace dither::calculus {

namespace {

constexpr std::array<std::pair<MetricKind, std::string_view>, 13> kNames = {{
    {MetricKind::symmetric, "symmetric"},
    {MetricKind::change_one, "change-one"},
    {MetricKind::insert_delete, "insert-delete"},
    {MetricKind::hamming, "hamming"},
    {MetricKind::discrete, "discrete"},
    {MetricKind::units_added, "units-added"},
    {MetricKind::units_replaced, "units-replaced"},
    {MetricKind::sum, "sum"},
    {MetricKind::largest, "largest"},
    {MetricKind::l1, "l1"},
    {MetricKind::l2, "l2"},
    {MetricKind::linf, "linf"},
    {MetricKind::cells, "cells"},
}};

std::string_view kind_name(MetricKind kind) {
  const auto at = std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.first == kind; });
  return at->second;
}

std::optional<MetricKind> kind_from(std::string_view name) {
  const auto at = std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.second == name; });
  if (at == kNames.end()) return std::nullopt;
  return at->first;
}

bool has_inner(MetricKind kind) { return kind == MetricKind::sum || kind == MetricKind::largest; }

// Rows and whole tables by their canonical bytes, so that NaN equals NaN and -0.0 equals 0.0.
std::multiset<std::string> rows_of(const Table& table) {
  std::multiset<std::string> rows;
  for (const Row& row : table) rows.insert(canonical(std::span(row)));
  return rows;
}

Rational count(std::size_t number) { return Rational(static_cast<Int128>(number)); }

std::size_t added_or_removed(const std::multiset<std::string>& a, const std::multiset<std::string>& b) {
  std::vector<std::string> changed;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(changed));
  return changed.size();
}

std::optional<Rational> symmetric(const Table& a, const Table& b) {
  return count(added_or_removed(rows_of(a), rows_of(b)));
}

std::optional<Rational> change_one(const Table& a, const Table& b) {
  if (a.size() != b.size()) return std::nullopt;
  return count(added_or_removed(rows_of(a), rows_of(b)) / 2);
}

std::optional<Rational> hamming(const Table& a, const Table& b) {
  if (a.size() != b.size()) return std::nullopt;
  std::size_t differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differ += canonical(std::span(a[i])) != canonical(std::span(b[i])) ? 1 : 0;
  return count(differ);
}

// Insertions and deletions from one to the other: what is not in a longest common subsequence.
std::optional<Rational> insert_delete(const Table& a, const Table& b) {
  std::vector<std::string> left, right;
  for (const Row& row : a) left.push_back(canonical(std::span(row)));
  for (const Row& row : b) right.push_back(canonical(std::span(row)));
  std::vector<std::size_t> common(right.size() + 1, 0);
  for (const std::string& row : left) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t above = common[j + 1];
      common[j + 1] = row == right[j] ? diagonal + 1 : std::max(above, common[j]);
      diagonal = above;
    }
  }
  return count(left.size() + right.size() - 2 * common.back());
}

using Units = std::map<std::string, std::vector<std::multiset<std::string>>>;

// Each unit's rows, table by table. Rows without a first cell have no unit and count as one unit of their own.
Units units_of(const Tables& tables) {
  Units units;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (const Row& row : tables[i]) {
      auto& rows = units[row.empty() ? "" : canonical(row.front())];
      rows.resize(tables.size());
      rows[i].insert(canonical(std::span(row)));
    }
  }
  return units;
}

// Units that only a has, that only b has, and that both have with other rows.
struct Changed {
  std::size_t left = 0, right = 0, both = 0;
};

Changed changed_units(const Tables& a, const Tables& b) {
  const Units left = units_of(a), right = units_of(b);
  Changed changed;
  for (const auto& [unit, rows] : left) {
    const auto other = right.find(unit);
    if (other == right.end()) {
      ++changed.left;
    } else if (other->second != rows) {
      ++changed.both;
    }
  }
  for (const auto& [unit, rows] : right) changed.right += left.contains(unit) ? 0 : 1;
  return changed;
}

std::optional<Rational> units_added(const Tables& a, const Tables& b) {
  const Changed changed = changed_units(a, b);
  return count(changed.left + changed.right + 2 * changed.both);
}

// A unit may be replaced by another one, or by itself with other rows.
std::optional<Rational> units_replaced(const Tables& a, const Tables& b) {
  const Changed changed = changed_units(a, b);
  if (changed.left != changed.right) return std::nullopt;
  return count(changed.left + changed.both);
}

std::optional<Rational> between(MetricKind kind, const Table& a, const Table& b) {
  switch (kind) {
    case MetricKind::symmetric:
      return symmetric(a, b);
    case MetricKind::change_one:
      return change_one(a, b);
    case MetricKind::insert_delete:
      return insert_delete(a, b);
    case MetricKind::hamming:
      return hamming(a, b);
    case MetricKind::discrete:
      return rows_of(a) == rows_of(b) ? 0 : 1;
    case MetricKind::units_added:
      return units_added({a}, {b});
    case MetricKind::units_replaced:
      return units_replaced({a}, {b});
    default:
      return std::nullopt;
  }
}

std::optional<Rational> between(const Metric& metric, const Tables& a, const Tables& b) {
  if (metric.kind == MetricKind::units_added) return units_added(a, b);
  if (metric.kind == MetricKind::units_replaced) return units_replaced(a, b);
  if (!has_inner(metric.kind) || a.size() != b.size()) return std::nullopt;
  Rational all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::optional<Rational> one = between(metric.inner, a[i], b[i]);
    if (!one) return std::nullopt;
    all = metric.kind == MetricKind::sum ? all + *one : std::max(all, *one);
  }
  return all;
}

// |x_i - y_i| for every coordinate; by key, what a vector does not have counts as 0.
std::optional<std::vector<Rational>> differences(const Data& a, const Data& b) {
  std::vector<Rational> result;
  if (const auto* x = std::get_if<Keyed>(&a)) {
    const auto* y = std::get_if<Keyed>(&b);
    if (y == nullptr) return std::nullopt;
    std::map<std::string, Rational> moved;
    for (std::size_t i = 0; i < x->keys.size(); ++i) moved[x->keys[i]] += Rational(x->values[i]);
    for (std::size_t i = 0; i < y->keys.size(); ++i) moved[y->keys[i]] -= Rational(y->values[i]);
    for (const auto& [key, difference] : moved) result.push_back(abs(difference));
    return result;
  }
  if (const auto* x = std::get_if<Integers>(&a)) {
    const auto* y = std::get_if<Integers>(&b);
    if (y == nullptr || x->size() != y->size()) return std::nullopt;
    for (std::size_t i = 0; i < x->size(); ++i) result.push_back(abs(Rational((*x)[i]) - Rational((*y)[i])));
    return result;
  }
  const auto* x = std::get_if<Reals>(&a);
  const auto* y = std::get_if<Reals>(&b);
  if (x == nullptr || y == nullptr || x->size() != y->size()) return std::nullopt;
  for (std::size_t i = 0; i < x->size(); ++i) {
    if (canonical(Cell((*x)[i])) == canonical(Cell((*y)[i]))) {
      result.emplace_back(0);
    } else if (std::abs((*x)[i]) < 1e308 * 10 && std::abs((*y)[i]) < 1e308 * 10) {
      result.push_back(abs(Rational::from_double((*x)[i]) - Rational::from_double((*y)[i])));
    } else {
      return std::nullopt;
    }
  }
  return result;
}

CellsDistance cells_between(const std::vector<Rational>& moved) {
  CellsDistance d;
  for (const Rational& one : moved) {
    if (one.sign() == 0) continue;
    d.cells += 1;
    d.l1 += one;
    d.l2_squared += one * one;
    d.largest = std::max(d.largest, one);
  }
  return d;
}

[[noreturn]] void bad_distance(const Metric& metric, const Distance& distance, std::string_view rule) {
  throw Error{Code::bad_distance,
              fmt::format("the distance {} in the metric {}: {}", str(distance), metric_name(metric), rule),
              "give a distance of this metric, such as 1 for tables that are neighbours"};
}

}  // namespace

std::string metric_name(const Metric& metric) {
  if (!has_inner(metric.kind)) return std::string(kind_name(metric.kind));
  return fmt::format("{} of {}", kind_name(metric.kind), kind_name(metric.inner));
}

Metric metric_from(std::string_view name) {
  const std::size_t of = name.find(" of ");
  const std::optional<MetricKind> kind = kind_from(name.substr(0, of));
  const std::optional<MetricKind> inner = of == std::string_view::npos ? kind : kind_from(name.substr(of + 4));
  if (!kind || !inner || has_inner(*kind) != (of != std::string_view::npos) ||
      (has_inner(*kind) && has_inner(*inner))) {
    std::string known;
    for (const auto& [other, word] : kNames) known += fmt::format("{}{}", known.empty() ? "" : ", ", word);
    throw Error{Code::unknown_metric, fmt::format("there is no metric \"{}\"", name), "write one of: " + known};
  }
  return {*kind, *inner};
}

std::optional<accounting::Neighbours> neighbours_of(const Metric& metric) {
  switch (has_inner(metric.kind) ? metric.inner : metric.kind) {
    case MetricKind::symmetric:
    case MetricKind::insert_delete:
    case MetricKind::units_added:
      return accounting::Neighbours::add_remove;
    case MetricKind::change_one:
    case MetricKind::hamming:
    case MetricKind::units_replaced:
      return accounting::Neighbours::replace_one;
    default:
      return std::nullopt;
  }
}

Distance one_step(const Metric& metric) {
  if (metric.kind == MetricKind::cells) return CellsDistance{1, 1, 1, 1};
  return Rational(1);
}

Distance zero(const Metric& metric) {
  if (metric.kind == MetricKind::cells) return CellsDistance{};
  return Rational(0);
}

const Rational& number(const Distance& distance) {
  if (const auto* one = std::get_if<Rational>(&distance)) return *one;
  throw Error{Code::wrong_type, "a distance of cells has four numbers, but one was asked for",
              "choose a norm first: chain with cells-to-l1, cells-to-l2 or cells-to-linf"};
}

const CellsDistance& cells_of(const Distance& distance) {
  if (const auto* four = std::get_if<CellsDistance>(&distance)) return *four;
  throw Error{Code::wrong_type, "a distance of one number, but the four of cells were asked for",
              "chain behind a step whose output is measured in cells"};
}

bool at_most(const Distance& a, const Distance& b) {
  const auto* x = std::get_if<CellsDistance>(&a);
  const auto* y = std::get_if<CellsDistance>(&b);
  if (x == nullptr && y == nullptr) return number(a) <= number(b);
  const CellsDistance& left = cells_of(a);
  const CellsDistance& right = cells_of(b);
  return left.cells <= right.cells && left.l1 <= right.l1 && left.l2_squared <= right.l2_squared &&
         left.largest <= right.largest;
}

void require_distance(const Metric& metric, const Distance& distance) {
  const auto* four = std::get_if<CellsDistance>(&distance);
  if ((four != nullptr) != (metric.kind == MetricKind::cells)) bad_distance(metric, distance, "of another metric");
  if (four == nullptr) {
    if (number(distance).sign() < 0) bad_distance(metric, distance, "negative");
    return;
  }
  for (const Rational* one : {&four->cells, &four->l1, &four->l2_squared, &four->largest}) {
    if (one->sign() < 0) bad_distance(metric, distance, "negative");
  }
}

std::optional<Distance> distance(const Metric& metric, const Data& a, const Data& b) {
  const auto* x = std::get_if<Table>(&a);
  const auto* y = std::get_if<Table>(&b);
  if (x != nullptr && y != nullptr) return between(metric.kind, *x, *y);
  const auto* xs = std::get_if<Tables>(&a);
  const auto* ys = std::get_if<Tables>(&b);
  if (xs != nullptr && ys != nullptr) return between(metric, *xs, *ys);
  const std::optional<std::vector<Rational>> moved = differences(a, b);
  if (!moved) return std::nullopt;
  const CellsDistance all = cells_between(*moved);
  switch (metric.kind) {
    case MetricKind::discrete:
      return all.cells.sign() == 0 ? Rational(0) : Rational(1);
    case MetricKind::l1:
      return all.l1;
    case MetricKind::l2:
      return all.l2_squared;
    case MetricKind::linf:
      return all.largest;
    case MetricKind::cells:
      return all;
    default:
      return std::nullopt;
  }
}

std::string str(const Distance& distance) {
  if (const auto* one = std::get_if<Rational>(&distance)) return one->str();
  const CellsDistance& four = cells_of(distance);
  return fmt::format("({} cells, l1 {}, l2 squared {}, largest {})", four.cells.str(), four.l1.str(),
                     four.l2_squared.str(), four.largest.str());
}

}  // namespace dither::calculus
