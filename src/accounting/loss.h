// What the numerical engines see of a release: the law of its privacy loss, one ordered pair at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace dither::accounting {

// Each of the four structs names an ordered pair (P, Q) of laws that dominates a mechanism (B-01): the hockey-stick
// divergence of P from Q is at least that of the mechanism's outputs on neighbours, at every real epsilon. The loss is
// Z = ln dP/dQ (Y), Y ~ P.
//
// Promise    of whoever builds one: every number lies within 2^-50, relative to it, of the one in the exact pair.
//            Engines promise results for the exact pair, so their certificates cover that much besides their own
//            rounding.

// P = N(mu, 1), Q = N(0, 1): Gaussian noise, mu = sensitivity / sigma. The same in both directions.
struct GaussianLoss {
  double mu;
  friend bool operator==(const GaussianLoss&, const GaussianLoss&) = default;
};

// P = Laplace(0, 1) + epsilon, Q = Laplace(0, 1): Laplace noise, epsilon = sensitivity / scale. The same in both
// directions.
struct LaplaceLoss {
  double epsilon;
  friend bool operator==(const LaplaceLoss&, const LaplaceLoss&) = default;
};

// Gaussian noise after random sampling. With R(y) = sum over j of weights[j] exp(j mu y - (j mu)^2 / 2), the likelihood
// ratio of the mixture of N(j mu, 1), j = 0, 1, ..., with those weights against N(0, 1):
//   remove   P = mixture, Q = N(0, 1)                    (P has the extra record)
//   add      P = N(0, 1), Q = mixture
//   replace  P = mixture, Q = the mixture mirrored at 0  (N(-j mu, 1)); the same in both directions
// Poisson sampling at rate q: weights {1 - q, q}. Groups of k: the binomial weights of k and q (B-26).
struct MixtureLoss {
  enum class Direction { remove, add, replace };
  double mu;
  std::vector<double> weights;  // positive (the first may be 0), summing to 1
  Direction direction;
  friend bool operator==(const MixtureLoss&, const MixtureLoss&) = default;
};

// A loss that takes finitely many values: P gives `mass` to each atom and `infinite_mass` to outcomes that Q cannot
// produce. The masses sum to 1, and the sum of mass * exp(-loss), the mass under Q, is at most 1.
struct LossAtom {
  double loss;
  double mass;
  friend bool operator==(const LossAtom&, const LossAtom&) = default;
};
struct AtomLoss {
  std::vector<LossAtom> atoms;  // by increasing loss, all different
  double infinite_mass = 0;
  friend bool operator==(const AtomLoss&, const AtomLoss&) = default;
};

using Loss = std::variant<GaussianLoss, LaplaceLoss, MixtureLoss, AtomLoss>;

// One kind of release, made `times` times.
struct Step {
  Loss above;                 // dominates the mechanism: what upper bounds are computed from
  std::optional<Loss> below;  // a pair that it dominates, for lower bounds; absent when `above` is attained
  std::uint64_t times = 1;
};

}  // namespace dither::accounting
