#include <algorithm>

#include "plan/detail/project_read.h"
#include "plan/detail/ranges.h"

namespace dither::plan {

namespace {

constexpr std::uint64_t kMostBytesEach = 4;  // of a character

bool has_range(Type type) { return type != Type::boolean && type != Type::text; }

// All keys and, where it stays, NULL; ascending by canonical bytes.
std::vector<Cell> values_of(const std::vector<Cell>& keys, bool nullable) {
  std::vector<Cell> values = keys;
  if (nullable) values.emplace_back(std::monostate{});
  std::sort(values.begin(), values.end(), [](const Cell& a, const Cell& b) { return canonical(a) < canonical(b); });
  return values;
}

Range range_of(const std::vector<Cell>& keys) {
  Range range{*detail::exact(keys.front()), *detail::exact(keys.front())};
  for (const Cell& key : keys) {
    range.low = std::min(range.low, *detail::exact(key));
    range.high = std::max(range.high, *detail::exact(key));
  }
  return range;
}

}  // namespace

Facts declared_facts(const ColumnDeclaration& column) {
  Facts facts;
  facts.type = column.type;
  // A NULL is outside keys, so `other` takes it; unreadable cells, NaN and infinities too, are NULL before either applies.
  facts.nullable = !column.null_as && !(column.keys && column.outside == Outside::other);
  facts.finite = true;
  facts.range = detail::declared_range(column);
  facts.grid = column.grid;
  if (column.max_length) facts.longest = *column.max_length * kMostBytesEach;
  if (column.keys) {
    if (has_range(column.type)) facts.range = range_of(*column.keys);
    facts.values = values_of(*column.keys, facts.nullable);
    facts.longest = detail::facts_of_values(column.type, *facts.values).longest;
  }
  if (column.null_as && column.type == Type::text) {
    facts.longest = std::max<std::uint64_t>(facts.longest, std::get<std::string>(*column.null_as).size());
  }
  return with_values(std::move(facts));
}

}  // namespace dither::plan
