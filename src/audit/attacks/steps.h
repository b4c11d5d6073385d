// Metrics and tables that the attacks on steps share.
#pragma once

#include <string>
#include <utility>

#include "audit/attacks/attacks.h"
#include "calculus/domain.h"
#include "calculus/metric.h"

namespace dither::audit::steps {

using calculus::CellType;
using calculus::Metric;
using calculus::MetricKind;

constexpr Metric kSymmetric{MetricKind::symmetric}, kChangeOne{MetricKind::change_one}, kHamming{MetricKind::hamming},
    kInsertDelete{MetricKind::insert_delete}, kAdded{MetricKind::units_added}, kReplaced{MetricKind::units_replaced},
    kChanged{MetricKind::units_changed}, kSum{MetricKind::sum, MetricKind::symmetric},
    kLargest{MetricKind::largest, MetricKind::symmetric};
constexpr MetricKind kL1 = MetricKind::l1, kL2 = MetricKind::l2, kLinf = MetricKind::linf, kCells = MetricKind::cells;

// (who, city, age, pay), any of which may be missing.
inline calculus::TableDomain visits() {
  return {{{"who", CellType::integer}, {"city", CellType::text}, {"age", CellType::integer}, {"pay", CellType::real}}};
}
inline calculus::TablesDomain two() { return {{visits(), visits()}}; }

inline Cell text(const char* bytes) { return std::string(bytes); }
inline Cell whole(std::int64_t x) { return x; }

// One attack from each of these metrics.
template <class Make>
void add_from(Attacks& attacks, const std::string& claim, std::initializer_list<Metric> metrics, const Make& make) {
  for (const Metric& from : metrics) {
    add_step(attacks, claim, "from " + calculus::metric_name(from), [make, from] { return make(from); });
  }
}

}  // namespace dither::audit::steps
