// The estimate from canaries that are random directions in a long vector, such as a model's update.
//
// For whoever trains models on many devices and wants a first idea of epsilon from one ordinary training: it costs no
// extra runs, and proves nothing. A library function, called where the updates are.
#pragma once

#include <cstdint>
#include <span>

namespace dither::audit {

// delta(epsilon) between two normal laws, the larger of both directions: max over sets S of P(S) - e^epsilon Q(S).
// Refuses deviations that are not positive and finite (bad-scale). Error below 1e-12.
struct NormalLaw {
  double mean = 0;
  double deviation = 1;
};
double normal_pair_delta(const NormalLaw& p, const NormalLaw& q, double epsilon);

// An ESTIMATE, with no confidence (Andrew and others, 2023): the cosines of included canaries with the released vector
// are taken to be normal with the mean and deviation found here; those of others are, in so many dimensions, close to
// normal with mean 0 and deviation 1 / sqrt(dimensions). Answers the epsilon that tells these two laws apart at
// `delta`. The word for it in reports is "estimate"; a claim is never refuted by it.
//
// Refuses    fewer than 2 cosines, dimensions below 2 (bad-count); a cosine outside [-1, 1] (out-of-range); delta
//            outside (0, 1) (bad-probability).
// Spec       T-39.
double cosine_canary_estimate(std::span<const double> cosines, std::int64_t dimensions, double delta);

}  // namespace dither::audit
