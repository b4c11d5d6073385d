// Noisy gradient descent that shows its last iterate alone: records used early are hidden by the noise added later.
//
// The theorem (Feldman, Mironov, Talwar, Thakurta 2018, theorem 23) is about steps
//   w <- project(w - step_size (gradient of loss(w, record) + N(0, sigma^2 I))),
// one record a step, in an order fixed beforehand. What it needs of the loss and of the release is stated in types that
// cannot be made without saying it.
#pragma once

#include <cstdint>

#include "accounting/neighbours.h"
#include "base/rational.h"

namespace dither::accounting {

// Statements about a training run. Each refuses (no-theorem) to exist when the statement is not made.
class ConvexLoss {
 public:
  explicit ConvexLoss(bool stated);  // the loss is convex in w, for every record
};
class LastIterateOnly {
 public:
  explicit LastIterateOnly(bool stated);  // no checkpoint, average or curve of earlier iterates is ever shown
};
class OnePass {
 public:
  explicit OnePass(bool stated);  // each record enters exactly one step
};

struct SmoothLoss {
  Rational lipschitz;   // the gradient's norm is at most this, for every w and record
  Rational smoothness;  // and its own Lipschitz constant at most this
};

struct NoisyDescent {
  Rational step_size;
  Rational sigma;
  std::uint64_t iterations;
};

// rho of zCDP for records that enter at step `position` (from 1) or earlier: 2 lipschitz^2 / (sigma^2 (iterations -
// position + 1)). Exact; the Renyi divergence at every order a > 1 is at most a rho.
//
// Holds for  replace-one, all positions fixed. With step_size <= 2 / smoothness a step on a convex loss moves no two
//            points further apart, so the one difference, 2 step_size lipschitz, is spread over all later noise.
// Refuses    step_size > 2 / smoothness (no-theorem), the other relations (no-theorem: a record less shifts the steps),
//            numbers that are not positive (bad-scale), position outside 1..iterations (bad-count).
// Spec       B-25.
Rational hidden_state_rho(const NoisyDescent& descent, const SmoothLoss& loss, std::uint64_t position,
                          Neighbours neighbours, ConvexLoss convex, LastIterateOnly last, OnePass once);

}  // namespace dither::accounting
