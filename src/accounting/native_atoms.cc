#include "accounting/native_atoms.h"

#include <fmt/format.h>

#include <algorithm>

#include "accounting/detail/atoms.h"
#include "accounting/detail/require_exact.h"
#include "accounting/detail/response_weight.h"
#include "base/error.h"
#include "base/sum.h"

namespace dither::accounting {
namespace {

using detail::kBits;
using detail::rounded;

BigInterval exact(const Rational& value) { return {value, kBits}; }

// lazy_response scaled to `weight` and `rest`, which sum to 1 - infinite_mass.
AtomLoss response(const Rational& epsilon, const BigInterval& weight, const BigInterval& rest, double infinite_mass) {
  const BigInterval low = weight / (exact(1) + exp(exact(epsilon)));
  const double loss = rounded(exact(epsilon));
  const double up = rounded(weight / (exact(1) + exp(exact(-epsilon))));
  std::vector<LossAtom> atoms{{0 - loss, rounded(low)}, {loss, up}};
  if (const double idle = rounded(rest); idle > 0) atoms.push_back({0, idle});
  return detail::atom_loss(std::move(atoms), infinite_mass);
}

// One value of discrete Laplace noise stands for `gap - 1` more on one side, moved there from between it and its
// neighbour: r (1 - r^(gap - 1)) / ((1 + r)(1 + r^gap)) in units of r^distance. Both masses of the values in between
// are kept; the sums over them are geometric.
BigInterval moved(const BigInterval& r, const BigInterval& s, std::uint64_t gap) {
  const auto power = [&s](std::uint64_t k) { return exp(-(s * exact(static_cast<Int128>(k)))); };
  return r * (-expm1(-(s * exact(static_cast<Int128>(gap - 1))))) / ((exact(1) + r) * (exact(1) + power(gap)));
}

// The loss (2 y - d) / scale.
double loss_at(std::uint64_t twice, std::uint64_t d, const Rational& scale) {
  return rounded(exact(Rational(static_cast<Int128>(twice) - static_cast<Int128>(d)) / scale));
}

}  // namespace

AtomLoss no_loss() { return {{{0, 1}}, 0}; }

AtomLoss lazy_response(const Rational& epsilon, const Rational& weight) {
  detail::require_epsilon(epsilon);
  detail::require_probability("the weight", weight);
  return response(epsilon, exact(weight), exact(1 - weight), 0);
}

AtomLoss k_ary_response(const Rational& epsilon, std::uint64_t categories) {
  const detail::ResponseWeight weight = detail::k_ary_weight(epsilon, categories);
  return response(epsilon, weight.active, weight.idle, 0);
}

AtomLoss black_box(const Rational& epsilon, const Rational& delta) {
  detail::require_epsilon(epsilon);
  detail::require_probability("delta", delta);
  if (delta == 1) return {{}, 1};
  return response(epsilon, exact(1 - delta), exact(0), rounded(exact(delta)));
}

AtomLoss staircase(const Rational& epsilon, const Rational& gamma) {
  const detail::ResponseWeight weight = detail::staircase_weight(epsilon, gamma);
  return response(epsilon, weight.active, weight.idle, 0);
}

AtomLoss mixture(const std::vector<Rational>& weights, const std::vector<AtomLoss>& parts) {
  detail::require_weights(weights, parts.size());
  std::vector<LossAtom> atoms;
  RunningSum infinite;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double weight = rounded(exact(weights[i]));
    infinite += weight * parts[i].infinite_mass;
    for (const LossAtom& atom : parts[i].atoms) atoms.push_back({atom.loss, weight * atom.mass});
  }
  return detail::atom_loss(std::move(atoms), infinite.up());
}

Step discrete_laplace(const Rational& scale, std::uint64_t sensitivity, std::size_t most_atoms) {
  detail::require_laplace(scale, sensitivity);
  if (most_atoms < 4) {
    throw Error{Code::bad_count, fmt::format("{} atoms are too few for discrete Laplace noise", most_atoms),
                "allow at least 4"};
  }
  const std::uint64_t d = sensitivity;
  const std::uint64_t gap = (d + most_atoms - 2) / (most_atoms - 1);
  const BigInterval s = exact(1) / exact(scale);
  const BigInterval r = exp(-s);
  const BigInterval top = exact(1) / (exact(1) + r);
  const BigInterval own = -expm1(-s) * top;
  const BigInterval stride = exp(-(s * exact(static_cast<Int128>(gap))));
  const std::uint64_t odd_gap = d - (d - 1) / gap * gap;  // between 0 and the first node; the others are `gap`
  const BigInterval share = moved(r, s, gap);
  const BigInterval odd_share = moved(r, s, odd_gap);

  // Nodes d, d - gap, ..., odd_gap, 0; the power is r^(d - node).
  std::vector<LossAtom> above{{loss_at(2 * d, d, scale), rounded(top + (odd_gap == d ? odd_share : share))}};
  BigInterval power = exact(1);
  for (std::uint64_t node = d; node > odd_gap;) {
    node -= gap;
    power = power * stride;
    above.push_back(
        {loss_at(2 * node, d, scale), rounded(power * (own + share + (node == odd_gap ? odd_share : share)))});
  }
  power = power * exp(-(s * exact(static_cast<Int128>(odd_gap))));
  above.push_back({loss_at(0, d, scale), rounded(power * (top + odd_share))});
  Step step{detail::atom_loss(std::move(above), 0), std::nullopt, 1};
  if (gap == 1) return step;

  // Groups of `gap` values below d, and what is left above 0; a group of m values ends at b and weighs r^(d - b).
  std::vector<LossAtom> below{{loss_at(2 * d, d, scale), rounded(top)}};
  const auto sum_of = [&](std::uint64_t m) { return top * (-expm1(-(s * exact(static_cast<Int128>(m))))); };
  const BigInterval group = sum_of(gap);
  power = r;
  std::uint64_t last = d - 1;
  for (; last >= gap; last -= gap) {
    below.push_back({loss_at(2 * last + 1 - gap, d, scale), rounded(power * group)});
    power = power * stride;
  }
  if (last > 0) below.push_back({loss_at(last + 1, d, scale), rounded(power * sum_of(last))});
  below.push_back({loss_at(0, d, scale), rounded(exp(-(s * exact(static_cast<Int128>(d)))) * top)});
  step.below = detail::atom_loss(std::move(below), 0);
  return step;
}

}  // namespace dither::accounting
