// The pieces from which costs are put together.
#pragma once

#include "accounting/cost.h"

namespace dither::accounting::detail {

// Refuses a combination by the name of what is missing.
[[noreturn]] void no_theorem(const std::string& missing, const std::string& hint);

// The double next to an exact number: within the 2^-50 that losses may be off.
double near(const Rational& value);

// `value * factor`, exact.
Rational times(const Rational& value, std::uint64_t factor);

// Makes every step happen `factor` times as often; bad-count when that is more than 10^12 times.
void repeat(std::vector<Step>& steps, std::uint64_t factor);

// Gaussian noise whose mu has this square; `attained` as in Cost.
Cost gaussian_cost(const Rational& squared_mu, bool attained, std::string theorem);

// An (epsilon, delta)-DP mechanism of which nothing else is known.
Cost black_box_cost(const Rational& epsilon, const Rational& delta, std::string theorem);

// A Renyi curve alone.
Cost renyi_cost(std::function<double(double)> bound, double delta, std::string theorem);

// The same steps in every view of the relation.
void set_pairs(Cost& cost, Neighbours neighbours, const std::vector<Step>& steps);

// Fills in what follows from the rest: zCDP from pure DP, the worst pair from (epsilon, delta), Renyi from pairs or zCDP.
void complete(Cost& cost, Neighbours neighbours);

// A mechanism without a sampler.
Cost plain_cost(const Mechanism& mechanism, Neighbours neighbours, std::uint64_t group);

// A mechanism under a sampler.
Cost sampled_cost(const Sampler& sampler, const Mechanism& mechanism, Neighbours neighbours, std::uint64_t group);

}  // namespace dither::accounting::detail
