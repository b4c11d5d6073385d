#include "calculus/domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "base/error.h"

namespace dither::calculus {

namespace {

// A fact that the wide domain asks for is kept by the narrow one.
template <class T>
bool keeps(const std::optional<T>& narrow, const std::optional<T>& wide) {
  return !wide || narrow == wide;
}
bool keeps_limit(const std::optional<std::uint64_t>& narrow, const std::optional<std::uint64_t>& wide) {
  return !wide || (narrow && *narrow <= *wide);
}
bool within(const std::optional<Bounds>& narrow, const std::optional<Bounds>& wide) {
  return !wide || (narrow && wide->low <= narrow->low && narrow->high <= wide->high);
}
bool within(const Rational& value, const std::optional<Bounds>& bounds) {
  return !bounds || (bounds->low <= value && value <= bounds->high);
}

bool strictly_ascending(const std::vector<std::string>& keys) {
  return std::adjacent_find(keys.begin(), keys.end(), std::greater_equal<>()) == keys.end();
}

bool same_cell(const Cell& a, const Cell& b) { return canonical(a) == canonical(b); }

bool implies(const Column& narrow, const Column& wide) {
  if (narrow.type != wide.type || (narrow.nullable && !wide.nullable) || (wide.finite && !narrow.finite)) return false;
  if (!within(narrow.bounds, wide.bounds)) return false;
  if (wide.categories.empty()) return true;
  return !narrow.categories.empty() &&
         std::all_of(narrow.categories.begin(), narrow.categories.end(), [&](const Cell& cell) {
           return std::any_of(wide.categories.begin(), wide.categories.end(),
                              [&](const Cell& other) { return same_cell(cell, other); });
         });
}

struct Contains {
  bool operator()(const TableDomain& domain, const Table& table) const {
    if (domain.rows && table.size() != *domain.rows) return false;
    std::map<std::string, std::uint64_t> rows;
    std::map<std::string, std::set<std::string>> keys;
    for (const Row& row : table) {
      if (row.size() != domain.columns.size()) return false;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (!member(domain.columns[i], row[i])) return false;
      }
      const std::string unit = row.empty() ? "" : canonical(row[0]);  // no cell, no name: all such rows are one unit's
      if (++rows[unit] > domain.rows_per_unit.value_or(~std::uint64_t{0})) return false;
      if (row.size() > 1 && domain.keys_per_unit) {
        keys[unit].insert(canonical(row[1]));
        if (keys[unit].size() > *domain.keys_per_unit) return false;
      }
    }
    return true;
  }
  bool operator()(const TablesDomain& domain, const Tables& tables) const {
    if (tables.size() != domain.tables.size()) return false;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (!(*this)(domain.tables[i], tables[i])) return false;
    }
    return true;
  }
  bool operator()(const VectorDomain& domain, const Integers& vector) const {
    return (!domain.dimension || vector.size() == *domain.dimension) &&
           std::all_of(vector.begin(), vector.end(), [&](Int128 x) { return within(Rational(x), domain.bounds); });
  }
  bool operator()(const RealsDomain& domain, const Reals& vector) const {
    return (!domain.dimension || vector.size() == *domain.dimension) &&
           std::all_of(vector.begin(), vector.end(), [&](double x) {
             if (!std::isfinite(x)) return !domain.finite && !(domain.bounds && !std::isnan(x));
             return within(Rational::from_double(x), domain.bounds);
           });
  }
  bool operator()(const KeyedDomain& domain, const Keyed& keyed) const {
    return strictly_ascending(keyed.keys) && keyed.keys.size() == keyed.values.size() &&
           (!domain.keys || keyed.keys == *domain.keys);
  }
  template <class D, class T>
  bool operator()(const D&, const T&) const {
    return false;
  }
};

// What of the data anybody may know: which carrier, how many coordinates or tables.
struct SameShape {
  bool operator()(const TableDomain&, const Table&) const { return true; }
  bool operator()(const TablesDomain& domain, const Tables& tables) const {
    return tables.size() == domain.tables.size();
  }
  bool operator()(const VectorDomain& domain, const Integers& vector) const {
    return !domain.dimension || vector.size() == *domain.dimension;
  }
  bool operator()(const RealsDomain& domain, const Reals& vector) const {
    return !domain.dimension || vector.size() == *domain.dimension;
  }
  bool operator()(const KeyedDomain&, const Keyed&) const { return true; }
  bool operator()(const KeyedDomain&, const Integers&) const { return true; }  // in the order of keys that a step lists
  template <class D, class T>
  bool operator()(const D&, const T&) const {
    return false;
  }
};

struct Implies {
  bool operator()(const TableDomain& narrow, const TableDomain& wide) const {
    return std::equal(narrow.columns.begin(), narrow.columns.end(), wide.columns.begin(), wide.columns.end(),
                      [](const Column& a, const Column& b) { return implies(a, b); }) &&
           keeps(narrow.rows, wide.rows) && keeps_limit(narrow.rows_per_unit, wide.rows_per_unit) &&
           keeps_limit(narrow.keys_per_unit, wide.keys_per_unit);
  }
  bool operator()(const TablesDomain& narrow, const TablesDomain& wide) const {
    return std::equal(narrow.tables.begin(), narrow.tables.end(), wide.tables.begin(), wide.tables.end(), *this);
  }
  bool operator()(const VectorDomain& narrow, const VectorDomain& wide) const {
    return narrow.step == wide.step && keeps(narrow.dimension, wide.dimension) && within(narrow.bounds, wide.bounds);
  }
  bool operator()(const RealsDomain& narrow, const RealsDomain& wide) const {
    return keeps(narrow.dimension, wide.dimension) && (narrow.finite || !wide.finite) &&
           within(narrow.bounds, wide.bounds);
  }
  bool operator()(const KeyedDomain& narrow, const KeyedDomain& wide) const {
    return narrow.step == wide.step && keeps(narrow.keys, wide.keys);
  }
  template <class A, class B>
  bool operator()(const A&, const B&) const {
    return false;
  }
};

struct Describe {
  std::string operator()(const TableDomain& domain) const {
    std::string text = fmt::format("a table of {} columns", domain.columns.size());
    if (domain.rows) text += fmt::format(", {} rows", *domain.rows);
    if (domain.rows_per_unit) text += fmt::format(", at most {} rows per unit", *domain.rows_per_unit);
    if (domain.keys_per_unit) text += fmt::format(", at most {} keys per unit", *domain.keys_per_unit);
    return text;
  }
  std::string operator()(const TablesDomain& domain) const { return fmt::format("{} tables", domain.tables.size()); }
  std::string operator()(const VectorDomain& domain) const {
    const std::string dimension = domain.dimension ? std::to_string(*domain.dimension) : "any number of";
    return fmt::format("{} integers in steps of {}{}", dimension, domain.step.str(), range(domain.bounds));
  }
  std::string operator()(const RealsDomain& domain) const {
    const std::string dimension = domain.dimension ? std::to_string(*domain.dimension) : "any number of";
    return fmt::format("{}{} reals{}", dimension, domain.finite ? " finite" : "", range(domain.bounds));
  }
  std::string operator()(const KeyedDomain& domain) const {
    const std::string keys = domain.keys ? fmt::format("{} public keys", domain.keys->size()) : "private keys";
    return fmt::format("numbers by {} in steps of {}", keys, domain.step.str());
  }
  static std::string range(const std::optional<Bounds>& bounds) {
    return bounds ? fmt::format(" in [{}, {}]", bounds->low.str(), bounds->high.str()) : "";
  }
};

struct Require {
  void operator()(const TableDomain& domain) const {
    for (const Column& column : domain.columns) in_order(column.bounds);
  }
  void operator()(const TablesDomain& domain) const {
    for (const TableDomain& table : domain.tables) (*this)(table);
  }
  void operator()(const VectorDomain& domain) const {
    positive(domain.step);
    in_order(domain.bounds);
  }
  void operator()(const RealsDomain& domain) const { in_order(domain.bounds); }
  void operator()(const KeyedDomain& domain) const {
    positive(domain.step);
    if (!domain.keys || strictly_ascending(*domain.keys)) return;
    throw Error{Code::duplicate_key, "the public keys are not ascending, each once", "sort them and drop doubles"};
  }
  static void in_order(const std::optional<Bounds>& given) {
    if (given) bounds(given->low, given->high);
  }
  static void positive(const Rational& step) {
    if (step.sign() > 0) return;
    throw Error{Code::bad_grid, fmt::format("the step {} of the grid is not positive", step.str()),
                "give a positive step, such as 1"};
  }
};

}  // namespace

std::string_view cell_type_name(CellType type) {
  switch (type) {
    case CellType::boolean:
      return "boolean";
    case CellType::integer:
      return "integer";
    case CellType::real:
      return "real";
    case CellType::text:
      return "text";
  }
  return "";
}

Bounds bounds(const Rational& low, const Rational& high) {
  if (low > high) {
    throw Error{Code::bad_bounds, fmt::format("the lower bound {} is above the upper bound {}", low.str(), high.str()),
                "write the smaller number first"};
  }
  return {low, high};
}

std::size_t TableDomain::column(std::string_view name) const {
  const auto at =
      std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
  if (at != columns.end()) return static_cast<std::size_t>(at - columns.begin());
  std::string known;
  for (const Column& column : columns) known += fmt::format("{}{}", known.empty() ? "" : ", ", column.name);
  throw Error{Code::unknown_key, fmt::format("the table has no column \"{}\"", name), "its columns are: " + known};
}

bool member(const Column& column, const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return column.nullable;
  if (!column.categories.empty() && std::none_of(column.categories.begin(), column.categories.end(),
                                                 [&](const Cell& other) { return same_cell(cell, other); })) {
    return false;
  }
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    return column.type == CellType::integer && within(Rational(*whole), column.bounds);
  }
  if (const auto* real = std::get_if<double>(&cell)) {
    if (column.type != CellType::real) return false;
    if (std::isnan(*real)) return !column.finite;
    if (std::isinf(*real)) return !column.finite && !column.bounds;
    return within(Rational::from_double(*real), column.bounds);
  }
  return column.type == (std::holds_alternative<bool>(cell) ? CellType::boolean : CellType::text);
}

bool member(const Domain& domain, const Data& data) { return std::visit(Contains{}, domain, data); }

bool implies(const Domain& narrow, const Domain& wide) { return std::visit(Implies{}, narrow, wide); }

void require_domain(const Domain& domain) { std::visit(Require{}, domain); }

void require_shape(const Domain& domain, const Data& data) {
  if (std::visit(SameShape{}, domain, data)) return;
  throw Error{
      Code::wrong_type,
      fmt::format("this step takes {}, but was given {} of another shape", describe(domain), carrier_name(data)),
      "give as many numbers or tables as the domain declares"};
}

std::string describe(const Domain& domain) { return std::visit(Describe{}, domain); }

}  // namespace dither::calculus
