#include "calculus/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"

namespace dither::calculus {

namespace {

constexpr std::array<std::pair<MetricKind, std::string_view>, 14> kNames = {{
    {MetricKind::symmetric, "symmetric"},
    {MetricKind::change_one, "change-one"},
    {MetricKind::insert_delete, "insert-delete"},
    {MetricKind::hamming, "hamming"},
    {MetricKind::discrete, "discrete"},
    {MetricKind::units_added, "units-added"},
    {MetricKind::units_replaced, "units-replaced"},
    {MetricKind::units_changed, "units-changed"},
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

// As units_replaced, but a unit may also be replaced by nothing, and nothing by a unit.
Rational units_changed(const Tables& a, const Tables& b) {
  const Changed changed = changed_units(a, b);
  return count(std::max(changed.left, changed.right) + changed.both);
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
    case MetricKind::units_changed:
      return units_changed({a}, {b});
    default:
      return std::nullopt;
  }
}

std::optional<Rational> between(const Metric& metric, const Tables& a, const Tables& b) {
  if (metric.kind == MetricKind::units_added) return units_added(a, b);
  if (metric.kind == MetricKind::units_replaced) return units_replaced(a, b);
  if (metric.kind == MetricKind::units_changed) return units_changed(a, b);
  if (metric.kind == MetricKind::discrete) {
    const auto same = [](const Table& x, const Table& y) { return rows_of(x) == rows_of(y); };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same) ? 0 : 1;
  }
  if (!has_inner(metric.kind) || a.size() != b.size()) return std::nullopt;
  Rational all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::optional<Rational> one = between(metric.inner, a[i], b[i]);
    if (!one) return std::nullopt;
    all = metric.kind == MetricKind::sum ? all + *one : std::max(all, *one);
  }
  return all;
}

// |x_i - y_i| for every coordinate that is not the same; a difference that is no number is nothing.
using Differences = std::vector<std::optional<Rational>>;

// By key, what one does not have counts as 0: a key that only one has, with the number 0, is a difference of 0.
Differences differences(const Keyed& a, const Keyed& b) {
  std::map<std::string, std::array<std::optional<Rational>, 2>> numbers;
  for (std::size_t i = 0; i < a.keys.size(); ++i) numbers[a.keys[i]][0] = Rational(a.values[i]);
  for (std::size_t i = 0; i < b.keys.size(); ++i) numbers[b.keys[i]][1] = Rational(b.values[i]);
  Differences result;
  for (const auto& [key, pair] : numbers) {
    if (pair[0] != pair[1]) result.emplace_back(abs(pair[0].value_or(Rational(0)) - pair[1].value_or(Rational(0))));
  }
  return result;
}

Differences differences(const Integers& a, const Integers& b) {
  Differences result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) result.emplace_back(abs(Rational(a[i]) - Rational(b[i])));
  }
  return result;
}

Differences differences(const Reals& a, const Reals& b) {
  Differences result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (canonical(Cell(a[i])) == canonical(Cell(b[i]))) continue;
    const bool numbers = std::isfinite(a[i]) && std::isfinite(b[i]);
    result.push_back(numbers ? std::optional(abs(Rational::from_double(a[i]) - Rational::from_double(b[i])))
                             : std::nullopt);
  }
  return result;
}

// As T; nothing when they are not both T.
template <class T>
std::optional<Differences> differences_of(const Data& a, const Data& b) {
  const T* const x = std::get_if<T>(&a);
  const T* const y = std::get_if<T>(&b);
  if (x == nullptr || y == nullptr) return std::nullopt;
  if constexpr (!std::is_same_v<T, Keyed>) {
    if (x->size() != y->size()) return std::nullopt;
  }
  return differences(*x, *y);
}

// Nothing when they are not vectors of one kind and size.
std::optional<Differences> vector_differences(const Data& a, const Data& b) {
  if (std::holds_alternative<Keyed>(a)) return differences_of<Keyed>(a, b);
  if (std::holds_alternative<Integers>(a)) return differences_of<Integers>(a, b);
  return differences_of<Reals>(a, b);
}

std::optional<CellsDistance> cells_between(const Differences& moved) {
  CellsDistance d;
  for (const std::optional<Rational>& one : moved) {
    if (!one) return std::nullopt;
    d.cells += 1;
    d.l1 += *one;
    d.l2_squared += *one * *one;
    d.largest = std::max(d.largest, *one);
  }
  return d;
}

// In a metric between vectors.
std::optional<Distance> between(MetricKind kind, const Differences& moved) {
  if (kind == MetricKind::discrete) return moved.empty() ? Rational(0) : Rational(1);
  const std::optional<CellsDistance> all = cells_between(moved);
  if (!all) return std::nullopt;
  if (kind == MetricKind::cells) return *all;
  // A norm sees no key that is there with the number 0, so no number of its steps leads there.
  if (std::any_of(moved.begin(), moved.end(), [](const auto& one) { return one->sign() == 0; })) return std::nullopt;
  if (kind == MetricKind::l1) return all->l1;
  if (kind == MetricKind::l2) return all->l2_squared;
  if (kind == MetricKind::linf) return all->largest;
  return std::nullopt;
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
    case MetricKind::units_changed:
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
  const std::optional<Differences> moved = vector_differences(a, b);
  return moved ? between(metric.kind, *moved) : std::nullopt;
}

std::string str(const Distance& distance) {
  if (const auto* one = std::get_if<Rational>(&distance)) return one->str();
  const CellsDistance& four = cells_of(distance);
  return fmt::format("({} cells, l1 {}, l2 squared {}, largest {})", four.cells.str(), four.l1.str(),
                     four.l2_squared.str(), four.largest.str());
}

}  // namespace dither::calculus
