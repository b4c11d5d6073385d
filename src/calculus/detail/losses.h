// Losses and distances, number by number: what combinators need besides the rules of a measure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "calculus/measurement.h"

namespace dither::calculus::detail {

// A loss that both are within: the larger of each of their numbers. no-theorem where numbers do not say so.
Loss worst_of(const Measure& measure, const Loss& a, const Loss& b);

// A release of which nothing is known but this loss. no-theorem for losses that no event describes.
accounting::Event event_of(const Loss& loss);

// k times as far: l2 keeps squares, so that they grow by k^2.
Distance times(const Metric& metric, const Distance& distance, std::uint64_t k);

// The whole steps in a distance between tables, which is a number of steps; nothing when that is more than 2^63.
std::optional<std::uint64_t> whole_steps(const Distance& distance);

// The relation that events are priced for: that of the metric, and both for vectors, where nobody says what a step is, and
// where units may be replaced as well as be there on one side only.
accounting::Neighbours relation_of(const Metric& metric);

// Refuses a measurement that is released from a local bound (wrong-type): what holds it has no bound to give.
void require_plain(const AnyMeasurement& measurement);

// Refuses measurements that do not take the same data in the same sense: none at all (bad-count), other metrics
// (mixed-metrics, mixed-neighbours), measures (mixed-metrics) or domains (mixed-domains).
void require_alike(const std::vector<AnyMeasurement>& measurements);

// The recipes of some measurements, as parts.
std::vector<std::shared_ptr<const Recipe>> parts_of(const std::vector<AnyMeasurement>& measurements);

}  // namespace dither::calculus::detail
