// Mechanisms whose privacy loss takes finitely many values, as exact pairs for the numerical engines.
//
// Promise    of every function here: numbers within 2^-51, relative to them, of the exact pair, which dominates the
//            mechanism in both directions (all pairs here are symmetric) and, unless said otherwise, is attained.
//            Masses below 2^-900 are moved up to the next loss, which changes no delta by more than 10^-270.
// Cost       microseconds, unless said otherwise.
// Spec       B-01, B-31.
#pragma once

#include <cstdint>
#include <vector>

#include "accounting/loss.h"
#include "base/rational.h"

namespace dither::accounting {

// A release that says nothing: the pair to put below a mechanism of which no attained pair is known.
AtomLoss no_loss();

// With probability `weight` binary randomised response of this epsilon, otherwise nothing; which of the two is known.
// Losses +-epsilon and 0. Binary response (weight 1) dominates everything that is epsilon-DP.
//
// Refuses    epsilon < 0 (bad-number), weight outside [0, 1] (bad-probability).
AtomLoss lazy_response(const Rational& epsilon, const Rational& weight);

// k-ary randomised response: the true answer with probability e^epsilon / (e^epsilon + categories - 1), else another.
// It is lazy_response with weight (e^epsilon + 1) / (e^epsilon + categories - 1).
//
// Holds for  neighbours that differ in one person's answer (replace-one; the local model).
// Refuses    epsilon < 0 (bad-number), fewer than two categories (bad-count).
AtomLoss k_ary_response(const Rational& epsilon, std::uint64_t categories);

// The worst (epsilon, delta)-DP mechanism: loss infinite with probability delta, otherwise binary randomised response.
//
// Holds for  the relation for which (epsilon, delta) holds.
// Refuses    epsilon < 0 (bad-number), delta outside [0, 1] (bad-probability).
// Spec      .
AtomLoss black_box(const Rational& epsilon, const Rational& delta);

// Staircase noise: density a exp(-epsilon level(x)), level(x) = floor(|x| / sensitivity + 1 - gamma).
//
// Holds for  neighbours whose values lie at most one sensitivity apart.
// Proof      Shifted by s <= 1 (in sensitivities) levels differ by at most 1, so losses are +-epsilon and 0; by
//            symmetry Q(loss = epsilon) = P(loss = -epsilon), so the pair is lazy_response with some weight, and
//            delta(0), the total variation, is weight * tanh(epsilon / 2). The density falls in |x|, so its translate
//            by s exceeds it exactly beyond s / 2, and the total variation is P(|X| <= s / 2), which grows with s: the
//            largest shift dominates. (The set of outcomes with loss epsilon need not grow when gamma < 1/2; its
//            probability does.)
// Refuses    epsilon <= 0 (bad-number), gamma outside [0, 1] (bad-probability).
AtomLoss staircase(const Rational& epsilon, const Rational& gamma);

// One of several mechanisms, chosen by a coin that ignores the data and whose outcome is known: the losses mix.
//
// Promise    adds at most two units of 2^-53 to the relative error of the parts: mixtures of mixtures still keep the
//            2^-50 of loss.h, deeper ones need not.
// Refuses    weights that are negative, do not sum to 1 or are not as many as the parts (bad-weights).
AtomLoss mixture(const std::vector<Rational>& weights, const std::vector<AtomLoss>& parts);

// Discrete Laplace (two-sided geometric) noise, P(k) proportional to exp(-|k| / scale), on integers that move by at
// most `sensitivity`: the losses (2 y - sensitivity) / scale, y = 0 ... sensitivity.
//
// Promise    exact up to `most_atoms` losses; with more, neighbouring losses are moved apart to the ends of their group
//            above (which keeps both masses) and merged below.
// Holds for  neighbours whose values lie at most `sensitivity` apart. The law is log-concave, so the best event is
//            {value > t}; its probability grows with the shift, hence the largest shift dominates the others.
// Refuses    scale <= 0 (bad-scale), sensitivity 0 or above 10^15 (bad-count), most_atoms < 4 (bad-count).
// Spec       F-67.
Step discrete_laplace(const Rational& scale, std::uint64_t sensitivity, std::size_t most_atoms = 4096);

// Discrete Gaussian noise, P(k) proportional to exp(-k^2 / (2 sigma^2)), on integers that move by at most
// `sensitivity`, as steps to be composed together.
//
// Promise    while 106 sigma values fit into `most_atoms`, one step of exact atoms. The tails beyond 26.5 sigma, of
//            mass below 10^-150, count as infinite loss above and as no loss below.
//            Otherwise a sandwich: Gaussian noise of variance sigma^2 - t^2 and an infinite loss of mass 10^-150 above,
//            Gaussian noise of variance sigma^2 + t^2 below, t = 17/4: relative width 36 / sigma^2 in mu^2.
// Holds for  neighbours whose values lie at most `sensitivity` apart (log-concave, as above).
// Refuses    sigma <= 0 or above 10^15 (bad-scale), sensitivity 0 or above 10^15 (bad-count), most_atoms outside
//            1000 ... 2^24 (bad-count).
// Cost       about 30 ns an atom.
// Spec       F-70. The proof of the sandwich stands in native_gaussian.cc.
std::vector<Step> discrete_gaussian(const Rational& sigma, std::uint64_t sensitivity, std::size_t most_atoms = 65536);

// Renyi divergences at an order alpha > 1, rounded up; they are those of the pairs above.
// Refuses    as above, and orders that are not finite or not above 1.
// Spec       B-11.
double lazy_response_rdp(const Rational& epsilon, const Rational& weight, double order);
double k_ary_response_rdp(const Rational& epsilon, std::uint64_t categories, double order);
double staircase_rdp(const Rational& epsilon, const Rational& gamma, double order);
double discrete_laplace_rdp(const Rational& scale, std::uint64_t sensitivity, double order);
// alpha d^2 / (2 sigma^2): exact where alpha d is whole; elsewhere above the truth, for sigma >= 1 by less than
// 8 exp(-2 pi^2 sigma^2) / (alpha - 1).
double discrete_gaussian_rdp(const Rational& sigma, std::uint64_t sensitivity, double order);
// Of a mixture whose parts have these divergences, infinite when a part with weight is.
double mixture_rdp(const std::vector<Rational>& weights, const std::vector<double>& divergences, double order);

}  // namespace dither::accounting
