#include "sql/detail/contribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"

namespace dither::sql::detail {
namespace {

using plan::Relation;
using Positions = std::set<std::size_t>;  // of columns that a key is made of

constexpr std::uint64_t kMost = std::uint64_t{1} << 40;

constexpr std::uint64_t kUnknown = ~std::uint64_t{0};

enum class Counted { keys, rows, rows_in_all };

class Walk {
 public:
  Walk(const plan::Project& project, Counted counted) : project_(project), counted_(counted) {}

  std::uint64_t of(const Relation& relation, const Positions& keyed) {
    const plan::Node::Step& step = relation->step();
    if (const auto* table = std::get_if<plan::Scan>(&step)) return scan(project_.table(table->table), !keyed.empty());
    if (const auto* filtered = std::get_if<plan::Filter>(&step)) return of(filtered->input, keyed);
    if (const auto* once = std::get_if<plan::Distinct>(&step)) return of(once->input, keyed);
    if (const auto* projected = std::get_if<plan::Projection>(&step)) {
      Positions below;
      for (const std::size_t at : keyed) {
        for (const std::size_t read : columns_of(projected->columns[at])) below.insert(read);
      }
      return of(projected->input, below);
    }
    if (const auto* joined = std::get_if<plan::Join>(&step)) return join(*joined, keyed);
    std::uint64_t sum = 0;
    for (const Relation& input : std::get<plan::Union>(step).inputs) sum = plus(sum, of(input, keyed));
    return sum;
  }

  const std::vector<std::string>& sources() const { return sources_; }

 private:
  std::uint64_t scan(const plan::TableDeclaration& table, bool keyed) {
    if (std::holds_alternative<plan::UnitRow>(table.unit) || std::holds_alternative<plan::UnitRows>(table.unit)) {
      return noted(fmt::format("every row of {} is a unit", table.name), 1);
    }
    const plan::ContributionBounds& bounds = table.bounds;
    if (!keyed) return counted_ == Counted::keys ? 1 : least(table, {{"rows_per_unit", bounds.rows_per_unit}});
    if (counted_ != Counted::rows_in_all) {
      const Declared own = counted_ == Counted::keys ? Declared{"keys_per_unit", bounds.keys_per_unit}
                                                     : Declared{"rows_per_key", bounds.rows_per_key};
      return least(table, {own, {"rows_per_unit", bounds.rows_per_unit}});
    }
    // Where rows_per_unit is not declared, the other two say as much as they can.
    if (bounds.rows_per_unit || !bounds.keys_per_unit || !bounds.rows_per_key) {
      return least(table, {{"rows_per_unit", bounds.rows_per_unit}});
    }
    return times(least(table, {{"keys_per_unit", bounds.keys_per_unit}}),
                 least(table, {{"rows_per_key", bounds.rows_per_key}}));
  }

  // The least of what is declared, the first of equals; where nothing is declared, the first is what is missing.
  using Declared = std::pair<std::string_view, std::optional<std::uint64_t>>;
  std::uint64_t least(const plan::TableDeclaration& table, const std::vector<Declared>& bounds) {
    const Declared* best = nullptr;
    for (const Declared& one : bounds) {
      if (one.second && (best == nullptr || *one.second < *best->second)) best = &one;
    }
    if (best != nullptr) {
      return at_most(noted(fmt::format("{}.{} = {}", table.name, best->first, *best->second), *best->second));
    }
    if (counted_ == Counted::rows_in_all) return kUnknown;
    const std::string_view name = bounds.front().first;
    throw Error{Code::missing_bounds, fmt::format("table \"{}\" has no declared {}", table.name, name),
                fmt::format("add `bounds: {{{}: N}}` to \"{}\" in the project file", name, table.name)};
  }

  std::uint64_t at_most(std::uint64_t value) const {
    if (value <= kMost) return value;
    if (counted_ == Counted::rows_in_all) return kUnknown;
    throw Error{Code::bad_limit, "a unit may contribute more than 2^40 rows or keys by the declared bounds",
                "declare smaller bounds per unit in the project file"};
  }
  // Of numbers up to 2^40, or unknown ones.
  std::uint64_t plus(std::uint64_t a, std::uint64_t b) const {
    return a == kUnknown || b == kUnknown ? kUnknown : at_most(a + b);
  }
  std::uint64_t times(std::uint64_t a, std::uint64_t b) const {
    if (a == kUnknown || b == kUnknown) return kUnknown;
    return at_most(b != 0 && a > kMost / b ? kMost + 1 : a * b);
  }

  std::uint64_t join(const plan::Join& step, const Positions& keyed) {
    const std::size_t left_columns = step.left->columns().size();
    Positions left;
    Positions right;
    for (const std::size_t at : keyed)
      (at < left_columns ? left : right).insert(at < left_columns ? at : at - left_columns);
    if (step.right->is_private()) return times(of(step.left, left), of(step.right, right));
    // What is found in a public table follows from the columns it is found by.
    const bool key_is_public = !right.empty();
    if (key_is_public) {
      for (const auto& pair : step.equal) left.insert(pair.first);
    }
    const std::uint64_t matches = most_matches(step).value_or(1);
    const std::uint64_t from_left = of(step.left, left);
    if (matches == 1 || (counted_ == Counted::keys && !key_is_public)) return from_left;
    noted(fmt::format("times {} rows of a public table", matches), matches);
    return times(from_left, at_most(matches));
  }

  std::uint64_t noted(std::string source, std::uint64_t value) {
    if (std::find(sources_.begin(), sources_.end(), source) == sources_.end()) sources_.push_back(std::move(source));
    return value;
  }

  const plan::Project& project_;
  Counted counted_;
  std::vector<std::string> sources_;
};

Limit limit_of(Counted counted, const plan::Project& project, const plan::Flat& rows,
               const std::vector<plan::Expression>& keys) {
  Positions keyed;
  for (const plan::Expression& key : keys) {
    if (facts(key, rows.base->columns()).of_unit) continue;
    for (const std::size_t at : columns_of(key)) keyed.insert(at);
  }
  Walk walk(project, counted);
  const std::uint64_t most = walk.of(rows.base, keyed);
  return {counted == Counted::keys && keyed.empty() ? 1 : most, walk.sources()};
}

}  // namespace

Limit keys_per_unit(const plan::Project& project, const plan::Flat& rows, const std::vector<plan::Expression>& keys) {
  return limit_of(Counted::keys, project, rows, keys);
}

Limit rows_per_key(const plan::Project& project, const plan::Flat& rows, const std::vector<plan::Expression>& keys) {
  return limit_of(Counted::rows, project, rows, keys);
}

std::optional<Limit> rows_per_unit(const plan::Project& project, const plan::Flat& rows,
                                   const std::vector<plan::Expression>& keys) {
  Limit limit = limit_of(Counted::rows_in_all, project, rows, keys);
  if (limit.most == kUnknown) return std::nullopt;
  return limit;
}

}  // namespace dither::sql::detail
