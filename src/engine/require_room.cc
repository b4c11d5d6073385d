#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "engine/bounded_sql.h"
#include "engine/detail/row_range.h"
#include "engine/detail/steps.h"

namespace dither::engine {
namespace {

using plan::Measure;
using plan::MeasureKind;

constexpr Int128 kMostSteps = Int128{1} << 62;
constexpr Int128 kMostAdded = Int128{1} << 87;  // by a row, or by a unit: 2^40 of them stay within 128 bits

[[noreturn]] void no_room(std::string_view what, std::string_view most) {
  throw Error{Code::bad_limit, fmt::format("{} is more than {}", what, most),
              "declare closer bounds or a coarser grid, or fewer rows per unit"};
}

// Steps of whole numbers are counted in whole numbers, those of reals in doubles.
void require_steps(plan::Type type, const Rational& step, Int128 low, Int128 high) {
  if (low < -kMostSteps || high > kMostSteps) no_room("a bound in steps of its grid", "2^62");
  if (type == plan::Type::real) return;
  if (detail::numerator(step) > kMostSteps || detail::denominator(step) > kMostSteps) no_room("a step", "2^62");
}

bool reads_steps(MeasureKind kind) {
  return kind == MeasureKind::sum || kind == MeasureKind::squares || kind == MeasureKind::products ||
         kind == MeasureKind::histogram;
}

// The most that a row can add.
Int128 most_added(const Measure& measure) {
  const Int128 width = measure.high - measure.low;
  if (measure.kind == MeasureKind::squares) return width * width;
  if (measure.kind == MeasureKind::products) return width * (measure.second->high - measure.second->low);
  return 2 * std::max({-measure.low, measure.high, width});
}

void require_room(const Measure& measure, const std::vector<plan::Facts>& columns) {
  if (std::max(-measure.total_low, measure.total_high) > kMostAdded) no_room("what a unit adds", "2^87");
  if (measure.cut == plan::Cut::scale && !detail::scaled_fits(measure)) no_room("what a unit adds, scaled,", "2^62");
  if (!measure.column || !reads_steps(measure.kind)) return;
  require_steps(columns[*measure.column].type, measure.step, measure.low, measure.high);
  if (const auto& other = measure.second)
    require_steps(columns[other->column].type, other->step, other->low, other->high);
  if (most_added(measure) > kMostAdded) no_room("what a row adds", "2^87");
}

}  // namespace

void require_room(const plan::BoundedAggregate& aggregate) {
  if (aggregate.rows_per_unit == 0) {
    throw Error{Code::bad_limit, "rows per unit is 0", "write `rows_per_unit: 1` or more"};
  }
  for (const Measure& measure : aggregate.measures) require_room(measure, aggregate.rows->columns());
}

}  // namespace dither::engine
