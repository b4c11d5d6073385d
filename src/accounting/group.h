// Groups of k units, and datasets k steps apart: what a guarantee for neighbours says about them.
#pragma once

#include <cstdint>
#include <functional>

#include "base/rational.h"

namespace dither::accounting {

// Each measure grows by its own rule: epsilon and mu by k, rho by k^2, delta as below; never one factor for all (W-14,
// F-25, F-32). k lies in 1..10^12 (bad-count).
Rational group_epsilon(const Rational& epsilon, std::uint64_t k);
Rational group_rho(const Rational& rho, std::uint64_t k);
Rational group_squared_mu(const Rational& squared_mu, std::uint64_t k);
// delta (e^(k epsilon) - 1) / (e^epsilon - 1), at most 1: it goes with k epsilon. Rounded up. (A-50, F-32)
double group_delta_up(double epsilon, double delta, std::uint64_t k);

// rho of a pair that is rho1 and then rho2 apart: (sqrt rho1 + sqrt rho2)^2, rounded up.
double triangle_rho_up(double first, double second);
// The divergence at an order > 1 of P from R, from the curves of P to Q and of Q to R at real orders above 1:
// for every c > order it is at most c / (c - 1) first(order (c - 1) / (c - order)) + second(c); the best of many c.
// (A-50; the order inside is the one that Hoelder's inequality gives, C-03.)
double triangle_renyi_up(double order, const std::function<double(double order)>& first,
                         const std::function<double(double order)>& second);

}  // namespace dither::accounting
