#include "engine/detail/on_disk_numbers.h"

#include <algorithm>
#include <limits>

#include "engine/bounded_sql.h"
#include "engine/detail/bounding.h"
#include "engine/detail/content.h"
#include "engine/detail/on_disk_keys.h"
#include "engine/detail/on_disk_values.h"

namespace dither::engine::detail {
namespace {

// All keys and numbers in memory.
ExactNumbers::Content held(ExactNumbers::Content content) {
  if (!content.open) return content;
  ExactNumbers::Content result;
  result.numbers.resize(content.numbers.size());
  result.histograms.resize(content.numbers.size());
  content.each([&](const ExactNumbers::Row& row) {
    result.keys.push_back(row.key);
    result.units.push_back(row.units);
    for (std::size_t i = 0; i < row.numbers.size(); ++i) result.numbers[i].push_back(row.numbers[i]);
  });
  return result;
}

}  // namespace

ExactNumbers::Content numbers_on_disk(Opened& opened, const plan::Project& project,
                                      const plan::BoundedAggregate& aggregate, const Limits& limits,
                                      const Watch& watch) {
  OnDisk on_disk(opened, project, limits, watch, aggregate.rows);
  const std::string rows = on_disk.rows_sql();
  const plan::BoundedAggregate summed = without_values(aggregate);
  if (!bounding_takes(summed)) {
    constexpr std::uint64_t kAll = std::numeric_limits<std::int64_t>::max();
    return content_by_sql(opened.database(), aggregate, bounded_sql(aggregate, plan::Dialect::duckdb, rows), kAll,
                          watch);
  }
  ExactNumbers::Content content;
  if (aggregate.keys == 0) {
    content = run_bounding(opened.database(), rows, summed, limits, watch);
  } else {
    const auto [keys, sql] = coded_rows(on_disk, summed, rows, limits.spill, watch);
    content = run_bounding(opened.database(), sql, summed, limits, watch, {}, keys);
  }
  if (std::any_of(aggregate.measures.begin(), aggregate.measures.end(), is_of_values))
    content = held(std::move(content));
  for (std::size_t i = 0; i < aggregate.measures.size(); ++i) {
    if (is_of_values(aggregate.measures[i])) add_values(on_disk, aggregate, i, rows, watch, content);
  }
  return content;
}

}  // namespace dither::engine::detail
