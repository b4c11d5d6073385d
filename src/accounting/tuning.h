// The best of several runs: what choosing hyper-parameters by private runs costs.
//
// Holds for  the relation of the base mechanism; every run is a fresh draw of it on one random candidate, and only the
//            best run's output, by a score that is part of the output, is shown. The number of runs K is drawn from the
//            truncated negative binomial law of `shape` > -1 (1 is geometric, 0 logarithmic) and `stop` in (0, 1), and
//            is not shown either. A fixed number of runs has no such theorem: it is charged as that many releases.
// Refuses    shape <= -1 (no-theorem), stop outside (0, 1) (bad-probability).
// Spec       B-27: Liu, Talwar (2019); Papernot, Steinke (2022), theorem 2 and corollary 3.
#pragma once

#include <functional>

#include "base/rational.h"

namespace dither::accounting {

// An epsilon-DP base becomes (2 + shape) epsilon-DP, whatever `stop`. epsilon >= 0 (bad-number).
Rational tuned_epsilon(const Rational& epsilon, const Rational& shape);

// The mean of K: shape (1 - stop) / (stop (1 - stop^shape)), and (1/stop - 1) / ln(1/stop) at shape 0. Rounded up.
double expected_runs_up(const Rational& shape, const Rational& stop);

// The Renyi divergence at `order` from the curve of the base (upper bounds at orders above 1), rounded up:
//   curve(order) + (1 + shape)(1 - 1/b) curve(b) + (1 + shape) ln(1/stop) / b + ln(E K) / (order - 1)
// for the best b > 1 found; every b is sound.
double tuned_renyi_up(double order, const std::function<double(double order)>& curve, const Rational& shape,
                      const Rational& stop);

}  // namespace dither::accounting
