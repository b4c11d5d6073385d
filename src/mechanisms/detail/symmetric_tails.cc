#include "mechanisms/detail/symmetric_tails.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/directed.h"
#include "base/error.h"

namespace dither::mechanisms::detail {

SymmetricTails::SymmetricTails(std::span<const BigInterval> ratios) {
  std::vector<BigInterval> weights = {BigInterval(1, kRatioBits)};
  for (const BigInterval& ratio : ratios) weights.push_back(weights.back() * ratio);
  // Past the table each weight is at most `last` times the one before: together w last / (1 - last).
  const BigInterval last(0, ratios.back().high_rational(), kRatioBits);
  BigInterval tail = weights.back() * last / (BigInterval(1, kRatioBits) - last);
  const BigInterval rest = tail;
  std::vector<BigInterval> sums;
  for (std::size_t k = weights.size(); k-- > 0;) sums.push_back(tail += weights[k]);
  // All weights but that of 0 are there twice.
  const BigInterval total = tail + tail - weights.front();
  beyond_ = (rest / total).high_double();
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const BigInterval share = sums[weights.size() - 1 - k] / total;
    low_.push_back(share.low_double());
    high_.push_back(share.high_double());
  }
}

double SymmetricTails::up(Int128 k) const {
  if (k <= 0) return sub_up(1, down(1 - k));  // P(K >= k) = 1 - P(K >= 1 - k)
  return k < static_cast<Int128>(high_.size()) ? high_[static_cast<std::size_t>(k)] : beyond_;
}

double SymmetricTails::down(Int128 k) const {
  if (k <= 0) return sub_down(1, up(1 - k));
  return k < static_cast<Int128>(low_.size()) ? low_[static_cast<std::size_t>(k)] : 0;
}

Rational SymmetricTails::delta(const Rational& epsilon, const Rational& distance) const {
  const auto reach = static_cast<Int128>(low_.size());
  if (distance > Rational(2 * reach)) return 1;
  const Int128 shift = distance.floor();  // values are whole numbers
  if (shift == 0) return 0;
  const double factor = exp_down(epsilon.to_double_down());
  double worst = 0;
  for (Int128 t = 0; t <= reach; ++t) {
    worst = std::max(worst, sub_up(up(t - shift), mul_down(factor, down(t))));
  }
  return Rational::from_double(std::min(worst, 1.0));
}

std::uint64_t SymmetricTails::radius(double failure) const {
  std::uint64_t r = 0;
  while (2 * up(static_cast<Int128>(r) + 1) > failure) ++r;
  return r;
}

void require_epsilon(const Rational& epsilon) {
  if (epsilon.sign() >= 0 && epsilon <= SymmetricTails::kMostEpsilon) return;
  throw Error{Code::bad_scale,
              fmt::format("epsilon is {}, but it must lie in [0, {}]", epsilon.str(), SymmetricTails::kMostEpsilon),
              "give the epsilon at which delta is wanted, e.g. 1"};
}

void require_target(const Rational& delta, const Rational& distance) {
  if (delta.sign() <= 0 || delta >= 1) {
    throw Error{Code::bad_probability, fmt::format("delta is {}, but it must lie in (0, 1)", delta.str()),
                "give e.g. 1e-6; without a delta use discrete Laplace noise"};
  }
  if (distance < 1) {
    throw Error{Code::bad_distance,
                fmt::format("the distance is {}, but whole numbers move by 1 at least", distance.str()),
                "give how far the value moves between neighbours, in steps"};
  }
}

std::uint64_t least_count(const std::function<Rational(std::uint64_t)>& delta_of, const Rational& delta,
                          std::uint64_t most) {
  std::uint64_t enough = 1;
  while (enough < most && delta_of(enough) > delta) enough = std::min(2 * enough, most);
  if (enough == most && delta_of(most) > delta) {
    throw Error{Code::unreachable, fmt::format("not even the most noise allowed here reaches delta {}", delta.str()),
                "give a larger epsilon or delta, or use discrete Gaussian noise"};
  }
  std::uint64_t too_few = enough / 2;
  while (enough - too_few > 1) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (delta_of(middle) <= delta ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace dither::mechanisms::detail
