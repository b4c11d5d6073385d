// Combinators: measurements made of measurements, each with its own map.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "calculus/measurement.h"

namespace dither::calculus {

// Everything here reads no data when it is made, and gives an AnyMeasurement again, which composes as every one does; a new
// combinator is a function like these. All refuse measurements that are released from a local bound (wrong-type).
// Interactive composition, where questions follow answers, is in queryable.h and adaptive.h. Spec W-26.

// The same release seen through f, which is public: it sees the released value alone.
//
// Guarantee  the loss is that of the measurement (F-23). The error bar is `error`, or none.
// Refuses    an empty name (missing-key): the recipe says by name what was done.
AnyMeasurement post_process(const AnyMeasurement& measurement, const std::string& name,
                            std::function<Data(const Data&)> f, AnyMeasurement::ErrorFunction error = {});

// All of them on the same data, chosen in advance: Answers, in their order.
//
// Guarantee  losses add as the measure says; accounting composes the events better. (F-26, W-17)
// Refuses    none (bad-count), other domains, metrics or measures (mixed-domains, mixed-metrics, mixed-neighbours).
AnyMeasurement compose(const std::vector<AnyMeasurement>& measurements);

// One of them, by a coin that does not see the data and is not shown. `choose` gives the position that the coin
// chose, i with probability weights[i]; what draws it lives where randomness may be drawn.
//
// Guarantee  the worst of the losses, number by number (F-24). Also holds when the choice is published.
// Refuses    as compose; other than one positive weight for each, summing to 1 (bad-weights); a user's own measure, of
//            which no such rule is known (no-theorem).
AnyMeasurement mix(const std::vector<AnyMeasurement>& measurements, const std::vector<Rational>& weights,
                   std::function<std::size_t(random::Source&)> choose);

// The same release with its loss in another measure, by the best of the proven ways (W-14):
//   pure, approximate -> approximate       as it is
//   pure, approximate -> concentrated      rho = epsilon^2 / 2 of each event, or what accounting knows of it; delta stays
//   pure, approximate -> tradeoff          one line
//   gaussian          -> concentrated      rho = mu^2 / 2
//   concentrated      -> renyi             rho * order at the default orders; from pure and gaussian by rho
// Refuses    every other way (no-theorem); those that lead to approximate need fix_delta.
AnyMeasurement cast_measure(const AnyMeasurement& measurement, const Measure& to);

// The same release as (epsilon, delta)-DP at this delta: the least epsilon that accounting proves from the events or
// from the loss, rounded up. The events stay, so whoever composes it with others loses nothing.
//
// Refuses    a delta outside (0, 1) (bad-probability); at a distance at which nothing is proven: unreachable.
// Cost       of a loss: that of accounting::Composition, up to milliseconds. Spec W-14.
AnyMeasurement fix_delta(const AnyMeasurement& measurement, const Rational& delta);

// The same release with distances counted in groups of k: loss(k d) by the measurement's own map, never k times a loss.
// (F-25, F-32, W-14)
//
// Refuses    k outside 1 ... 10^12 (bad-count); at a distance that the measurement has no theorem for: what it refuses.
AnyMeasurement group(const AnyMeasurement& measurement, std::uint64_t k);

// The same release for the neighbours of another metric (W-03, A-39):
//   symmetric -> change_one, insert_delete -> hamming, units_added -> units_replaced    loss(2 d)
//   change_one -> symmetric                                                             loss(d / 2)
// The second needs a domain with a fixed number of rows: tables of one size are an even number of steps apart. Where order
// counts there is no such way: rows that move up by one place are all replaced, but two steps lead there.
// Refuses    other pairs of metrics, and the second without that fact (no-theorem).
AnyMeasurement change_relation(const AnyMeasurement& measurement, const Metric& to);

}  // namespace dither::calculus
