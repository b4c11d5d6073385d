#include "engine/detail/bounding_query.h"

#include <algorithm>

namespace dither::engine::detail {

std::vector<std::size_t> columns_to_read(const plan::BoundedAggregate& aggregate, const Layout& layout, bool coded) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < (coded ? 1 : aggregate.keys); ++i) columns.push_back(i);
  columns.push_back(aggregate.unit());
  const auto before = static_cast<std::ptrdiff_t>(columns.size());
  for (const Field& field : layout.fields) {
    if (std::find(columns.begin() + before, columns.end(), field.column) == columns.end()) {
      columns.push_back(field.column);
    }
  }
  if (layout.with_digest) columns.push_back(aggregate.rows->columns().size());
  return columns;
}

std::vector<std::unique_ptr<Sink>> scan(const Database& database, const std::string& rows_sql,
                                        const std::vector<ResultColumn>& given, const SinkPlan& plan, SpillFile& file,
                                        StoreBudget& budget, const Watch& watch) {
  std::vector<Wanted> wanted;
  const std::vector<plan::Facts>& facts = plan.aggregate.rows->columns();
  for (const std::size_t column : plan.columns) {
    const bool code = plan.books == nullptr && wanted.empty();
    wanted.push_back({column, code || column == facts.size() ? plan::Type::integer : facts[column].type});
  }
  const MakeTaker make = [&] { return std::make_unique<Sink>(plan, file, budget); };
  std::vector<std::unique_ptr<Sink>> sinks;
  for (auto& taker : hand_over(database, rows_sql, given, wanted, make, watch)) {
    sinks.emplace_back(static_cast<Sink*>(taker.release()));
  }
  return sinks;
}

}  // namespace dither::engine::detail
