#include "random/weighted_choice.h"

#include <algorithm>

#include "base/error.h"
#include "random/detail/fraction.h"

namespace dither::random {

namespace {

constexpr std::size_t kMostCandidates = std::size_t{1} << 24;

void require(std::span<const std::uint64_t> weights, std::span<const Int128> scores, const Rational& rate) {
  if (weights.size() != scores.size()) {
    throw Error{
        Code::bad_weights,
        "there are " + std::to_string(weights.size()) + " weights for " + std::to_string(scores.size()) + " scores",
        "give each candidate one of both"};
  }
  if (weights.size() > kMostCandidates) {
    throw Error{Code::bad_count, "there are more than 2^24 candidates", "choose a group first, then a member"};
  }
  if (std::all_of(weights.begin(), weights.end(), [](std::uint64_t w) { return w == 0; })) {
    throw Error{Code::bad_weights, "all weights are zero", "give at least one candidate a positive weight"};
  }
  if (rate < 0) {
    throw Error{Code::bad_scale, "rate is " + rate.str() + ", but it must not be negative",
                "negate the scores to prefer small ones"};
  }
}

}  // namespace

WeightedChoice::WeightedChoice(std::span<const std::uint64_t> weights, std::span<const Int128> scores,
                               const Rational& rate, int width)
    : weights_(weights.begin(), weights.end()),
      scores_(scores.begin(), scores.end()),
      rate_(rate),
      width_(width),
      sums_((require(weights, scores, rate), detail::exp_sums(weights, scores, rate))) {}

WeightedChoice::Place WeightedChoice::locate(UInt128 x) const {
  // The uniform lies in [x, x + 1) / 2^(2 width), and the index is the first whose running sum exceeds uniform * total.
  const UInt128 aligned = x << (128 - 2 * width_);
  const UInt128 least = detail::mul_down(aligned, sums_.low.back());
  const UInt128 most = detail::mul_down(aligned, sums_.high.back()) + (sums_.high.back() >> (2 * width_)) + 2;
  std::uint64_t surely_before = 0;
  std::uint64_t possibly_before = 0;
  for (std::size_t i = 0; i < sums_.low.size(); ++i) {
    surely_before += static_cast<std::uint64_t>(sums_.high[i] <= least);
    possibly_before += static_cast<std::uint64_t>(sums_.low[i] < most);
  }
  return {surely_before, possibly_before};
}

WeightedChoice::Place WeightedChoice::locate_exactly(const detail::LazyUniform& uniform) const {
  const long precision = uniform.precision() + 64;
  std::vector<BigInterval> sums;
  BigInterval sum(precision);
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (weights_[i] != 0) {
      const Rational exponent = (Rational(scores_[i]) - Rational(sums_.best)) * rate_;
      sum += BigInterval(Rational(static_cast<Int128>(weights_[i])), precision) * exp(BigInterval(exponent, precision));
    }
    sums.push_back(sum);
  }
  const BigInterval target = uniform.interval(precision) * sum;
  Place place{0, 0};
  for (const BigInterval& s : sums) {
    if (mpfr_lessequal_p(s.high(), target.low())) ++place.first;
    if (mpfr_less_p(s.low(), target.high())) ++place.last;
  }
  return place;
}

// A draw is undecided if the end of some candidate's share lies where the uniform times the total may be.
double WeightedChoice::fallback_probability() const {
  const UInt128 total = sums_.low.back();
  const UInt128 reach = sums_.high.back() - total + (sums_.high.back() >> (2 * width_)) + 4;
  double sum = 0;
  for (std::size_t i = 0; i < sums_.low.size(); ++i) sum += static_cast<double>(sums_.high[i] - sums_.low[i] + reach);
  return sum / static_cast<double>(total);
}

void WeightedChoice::fill(std::span<std::uint64_t> out, Source& source) const {
  for (std::uint64_t& index : out) index = draw(source);
}

}  // namespace dither::random
