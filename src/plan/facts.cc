#include "plan/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "plan/detail/ranges.h"

namespace dither::plan {

namespace {

constexpr long kShortRange = 1000;  // whole numbers in a range that is written out

std::vector<Cell> sorted_once(std::vector<Cell> cells) {
  std::map<std::string, Cell> by_bytes;
  for (Cell& cell : cells) by_bytes.emplace(canonical(cell), std::move(cell));
  std::vector<Cell> sorted;
  for (auto& [bytes, cell] : by_bytes) sorted.push_back(std::move(cell));
  return sorted;
}

bool has_type(Type type, const Cell& cell) {
  switch (type) {
    case Type::boolean:
      return std::holds_alternative<bool>(cell);
    case Type::real:
      return std::holds_alternative<double>(cell);
    case Type::text:
      return std::holds_alternative<std::string>(cell);
    case Type::integer:
    case Type::date:
    case Type::timestamp:
      return std::holds_alternative<std::int64_t>(cell);
  }
  return false;
}

bool in_range(const Range& range, const Cell& cell) {
  if (const auto* real = std::get_if<double>(&cell)) {
    if (std::isnan(*real)) return true;
    return std::isfinite(*real) && range.low <= Rational::from_double(*real) &&
           Rational::from_double(*real) <= range.high;
  }
  const auto* whole = std::get_if<std::int64_t>(&cell);
  return whole == nullptr || (range.low <= Rational(*whole) && Rational(*whole) <= range.high);
}

// Reals by the shorter of the doubles on both sides: 1/100 is 0.01.
std::string bound_text(Type type, const Rational& bound) {
  if (type != Type::real) return str(Constant{type, Cell{std::int64_t{to_int64_saturating(bound.floor())}}});
  const std::string below = fmt::format("{}", bound.to_double_down()), above = fmt::format("{}", bound.to_double_up());
  return below.size() < above.size() ? below : above;
}

}  // namespace

// The grid of a real constant is the decimal that was meant: 0.1 steps by 1/10, though the double beside it is no such
// number.
Facts facts_of(const Constant& constant) {
  Facts facts = detail::facts_of_values(constant.type, {constant.value});
  const auto* real = std::get_if<double>(&constant.value);
  if (real != nullptr && std::isfinite(*real) && *real != 0)
    facts.grid = Rational::parse(fmt::format("{}", std::abs(*real)));
  return facts;
}

bool keeps(const Facts& facts, const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) {
    if (!facts.nullable) return false;
  } else if (!has_type(facts.type, cell)) {
    return false;
  }
  if (const auto* real = std::get_if<double>(&cell); real != nullptr && facts.finite && !std::isfinite(*real))
    return false;
  const auto* text = std::get_if<std::string>(&cell);
  if (text != nullptr && text->size() > facts.longest) return false;
  if (facts.range && !in_range(*facts.range, cell)) return false;
  if (!facts.values) return true;
  const auto same = [bytes = canonical(cell)](const Cell& other) { return canonical(other) == bytes; };
  return std::any_of(facts.values->begin(), facts.values->end(), same);
}

Facts either(const Facts& a, const Facts& b) {
  if (detail::always_null(a) || detail::always_null(b)) {
    Facts facts = detail::always_null(a) ? b : a;
    facts.of_unit = false;
    if (facts.values && !facts.nullable) {
      facts.values->emplace_back();
      facts.values = sorted_once(std::move(*facts.values));
    }
    facts.nullable = true;
    return facts;
  }
  Facts facts;
  facts.type = a.type;
  facts.nullable = a.nullable || b.nullable;
  facts.finite = a.finite && b.finite;
  if (a.range && b.range) facts.range = detail::hull(*a.range, *b.range);
  facts.grid = detail::shared_grid(a, b);
  facts.longest = std::max(a.longest, b.longest);
  if (a.values && b.values && a.values->size() + b.values->size() <= kMostValues) {
    std::vector<Cell> all = *a.values;
    all.insert(all.end(), b.values->begin(), b.values->end());
    facts.values = sorted_once(std::move(all));
  }
  return facts;
}

Facts with_values(Facts facts) {
  if (facts.values) return facts;
  std::vector<Cell> values;
  if (facts.type == Type::boolean) {
    values = {false, true};
  } else if ((facts.type == Type::integer || facts.type == Type::date) && facts.range &&
             facts.range->high - facts.range->low < Rational(kShortRange)) {
    const Int128 high = facts.range->high.floor();
    for (Int128 v = facts.range->low.ceil(); v <= high; ++v) values.emplace_back(static_cast<std::int64_t>(v));
  } else {
    return facts;
  }
  if (facts.nullable) values.emplace_back();
  facts.values = sorted_once(std::move(values));
  return facts;
}

std::string describe(const Facts& facts) {
  std::string text(type_name(facts.type));
  text += facts.nullable ? ", may be NULL" : ", not NULL";
  if (facts.type == Type::real && !facts.finite) text += ", may be NaN";
  if (facts.range) {
    text +=
        fmt::format(", {} to {}", bound_text(facts.type, facts.range->low), bound_text(facts.type, facts.range->high));
  }
  if (facts.type == Type::text && !facts.values && facts.longest < kLongestText)
    text += fmt::format(", at most {} bytes", facts.longest);
  if (facts.grid) text += fmt::format(", on steps of {}", bound_text(Type::real, *facts.grid));
  if (facts.values)
    text += fmt::format(", one of {} {}", facts.values->size(), facts.values->size() == 1 ? "value" : "values");
  return text;
}

namespace detail {

Facts facts_of_values(Type type, std::vector<Cell> values) {
  Facts facts;
  facts.type = type;
  facts.nullable = false;
  facts.finite = facts.of_unit = true;
  if (type == Type::text) facts.longest = 0;
  bool bounded = true;
  for (const Cell& cell : values) {
    const std::optional<Rational> number = exact(cell);
    if (std::holds_alternative<std::monostate>(cell)) facts.nullable = true;
    if (const auto* text = std::get_if<std::string>(&cell))
      facts.longest = std::max<std::uint64_t>(facts.longest, text->size());
    if (const auto* real = std::get_if<double>(&cell); real != nullptr && !std::isfinite(*real)) {
      facts.finite = false;
      bounded = bounded && std::isnan(*real);
    }
    if (number) facts.range = facts.range ? hull(*facts.range, {*number, *number}) : Range{*number, *number};
  }
  if (!bounded) facts.range.reset();
  facts.values = sorted_once(std::move(values));
  return facts;
}

bool always_null(const Facts& facts) {
  return facts.values && facts.values->size() == 1 && std::holds_alternative<std::monostate>(facts.values->front());
}

std::optional<Rational> exact(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return Rational(*whole);
  if (const auto* real = std::get_if<double>(&cell); real != nullptr && std::isfinite(*real)) {
    return Rational::from_double(*real);
  }
  return std::nullopt;
}

}  // namespace detail

}  // namespace dither::plan
