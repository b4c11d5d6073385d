#include "random/detail/real_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace dither::random::detail {

namespace {

using Kind = RealLaw::Kind;

// With the error of a draw about 2^reach * 2^-bits grid steps, 56 bits more than the reach keep undecided draws below
// 2^-45: what is spare covers the average of 1/u over uniform u (7 bits) and the steps of the formula.
constexpr int kSpareBits = 56;

struct Need {
  double reach;  // log2 of a typical large |Z|, beyond which the law has little weight
  double lost;   // bits that the formula cancels
};

// Public parameters only, and only speed depends on it: doubles will do.
Need need_of(const RealLaw& law) {
  const double first = law.first.to_double_up();
  const double second = law.second.to_double_up();
  switch (law.kind) {
    case Kind::cauchy:
      return {7, 0};
    case Kind::gamma:
      return {std::log2(first + 8), std::log2(first + 1)};
    case Kind::beta:
      return {3, std::log2(first + second + 1)};
    case Kind::log_normal:
      return {(first + second * second / 2) * 1.4427 + std::log2(1 + second) + 3, 3};
    // Below 3/2 degrees of freedom draws of every size up to 2^127 count.
    case Kind::student_t:
      return {first < 1.5 ? 127.0 : 5.0, std::log2(first + 1)};
    default:
      return {3, 0};
  }
}

double checked_log2(const Rational& ratio) {
  if (ratio < Rational(1, 1000) || ratio > Rational::power_of_two(60)) {
    throw Error{Code::bad_scale, fmt::format("scale / grid is {}, but must lie in [1/1000, 2^60]", ratio.str()),
                "choose a positive scale, and a grid between 2^-60 and 1000 times the scale"};
  }
  return std::max(0.0, std::log2(ratio.to_double_up()));
}

int bits_needed(const RealLaw& law, const Rational& ratio) {
  const double reach = std::clamp(checked_log2(ratio) + need_of(law).reach, 3.0, 127.0);
  const int bits = static_cast<int>(std::ceil(reach)) + kSpareBits;
  if (law.kind != Kind::gamma && law.kind != Kind::beta) return bits;
  // Acceptance is decided at any scale; its ball is wider by the root of the shape, since y^3 and 3 ln y come apart.
  const Rational& shape = std::max(law.first, law.second);
  return std::max(bits, 74 + static_cast<int>(std::ceil(std::log2(shape.to_double_up() + 1) / 2)));
}

bool two_limbs_do(const RealLaw& law, const Rational& ratio) {
  return bits_needed(law, ratio) + need_of(law).lost <= 120.5;
}

template <int N>
RealNumbers<Ball<N>> balls(const RealLaw& law, const Rational& ratio) {
  return {law, ratio, [](const Rational& x) { return Ball<N>(x); }};
}

// Two limbs where they hold the bits needed and those lost, three otherwise.
std::variant<RealNumbers<Ball<2>>, RealNumbers<Ball<3>>> choose(const RealLaw& law, const Rational& ratio, int bits) {
  if (two_limbs_do(law, ratio) && bits <= 120) return balls<2>(law, ratio);
  return balls<3>(law, ratio);
}

// Balls of three limbs are unknown from errors of 2^-68 of them on, so they are given numbers that are far better
// known.
RealPrecision completed(RealPrecision precision, const RealLaw& law, const Rational& ratio) {
  if (precision.prefix_bits != 0) return precision;
  const bool rejects = law.kind == Kind::gamma || law.kind == Kind::beta;
  const int least = two_limbs_do(law, ratio) ? 64 : rejects ? 160 : 136;
  precision.prefix_bits = std::max(least, (bits_needed(law, ratio) + 7) / 8 * 8);
  return precision;
}

// Plays back a prefix, first bits first.
struct PrefixSource {
  Limbs<3> prefix;
  int left;

  std::uint64_t bits(int count) {
    left -= count;
    return shift_right<3>(prefix, static_cast<std::uint64_t>(left))[0] & (~std::uint64_t{0} >> (64 - count));
  }
};

}  // namespace

RealEngine::RealEngine(const RealLaw& law, const Rational& scale_over_grid, RealPrecision precision)
    : law_(law),
      ratio_(scale_over_grid),
      precision_(completed(precision, law, scale_over_grid)),
      takes_two_(law.kind == Kind::normal || law.kind == Kind::log_normal || law.kind == Kind::student_t),
      signed_(law.kind == Kind::laplace || law.kind == Kind::cauchy),
      uniform_bits_(precision_.prefix_bits - (signed_ ? 1 : 0)),
      numbers_(choose(law, scale_over_grid, precision_.prefix_bits)) {}

LazyUniform& RealEngine::refine(RealUniform* uniform) const {
  if (!uniform->refined) {
    uniform->refined = std::make_unique<LazyUniform>();
    PrefixSource prefix{uniform->prefix, uniform_bits_};
    while (prefix.left > 0) uniform->refined->extend(std::min(prefix.left, 64), prefix);
  }
  return *uniform->refined;
}

RealNumbers<BigInterval> RealEngine::numbers_at(long precision) const {
  return {law_, ratio_, [precision](const Rational& x) { return BigInterval(x, precision); }};
}

std::optional<bool> RealEngine::acceptance(int which, RealSample::Part* part, RealUniform* w) const {
  const LazyUniform& u = refine(&part->u);
  const LazyUniform& v = refine(&part->v);
  const LazyUniform& coin = refine(w);
  const long precision = u.precision();
  const RealNumbers<BigInterval> numbers = numbers_at(precision);
  const auto proposal = propose_gamma(numbers, which, u.interval(precision), v.interval(precision));
  if (proposal.y.surely_below(Rational(0))) return false;
  if (!proposal.y.surely_above(Rational(0))) return std::nullopt;
  const BigInterval margin = gamma_margin(numbers, which, proposal, coin.interval(precision));
  if (margin.contains(Rational(0))) return std::nullopt;
  return margin.surely_above(Rational(0));
}

std::optional<BigInterval> RealEngine::gamma_interval(const RealNumbers<BigInterval>& numbers, int which,
                                                      RealSample::Part* part, long precision) const {
  const auto proposal =
      propose_gamma(numbers, which, refine(&part->u).interval(precision), refine(&part->v).interval(precision));
  if (!proposal.y.surely_above(Rational(0))) return std::nullopt;
  if (!numbers.gammas[which].boosted) return gamma_of(numbers, which, proposal.y, numbers.one);
  return gamma_of(numbers, which, proposal.y, refine(&part->boost).interval(precision));
}

std::optional<Int128> RealEngine::rounding(RealSample* sample, const GridValue& value) const {
  const LazyUniform& u = refine(&sample->parts[0].u);
  const long precision = u.precision();
  const RealNumbers<BigInterval> numbers = numbers_at(precision);
  if (law_.kind == Kind::gamma || law_.kind == Kind::beta) {
    const auto a = gamma_interval(numbers, 0, &sample->parts[0], precision);
    if (!a) return std::nullopt;
    if (law_.kind == Kind::gamma) return round_interval(numbers.ratio * *a, value, false);
    const auto b = gamma_interval(numbers, 1, &sample->parts[1], precision);
    if (!b || !(*a + *b).surely_above(Rational(0))) return std::nullopt;
    const bool reflected = mpfr_cmp(a->high(), b->high()) > 0;
    const BigInterval share = (reflected ? -*b : *a) / (*a + *b);
    return round_interval(numbers.ratio * share, value, reflected);
  }
  // The cotangent cannot be taken at the ends of [0, 1]; with probability one more bits leave them.
  const bool at_end = u.low().sign() == 0 || u.high() == Rational(1);
  if (law_.kind == Kind::cauchy && at_end) return std::nullopt;
  const BigInterval v = takes_two_ ? refine(&sample->parts[0].v).interval(precision) : numbers.one;
  const BigInterval noise = numbers.ratio * real_of(numbers, u.interval(precision), v);
  return round_interval(sample->negative ? -noise : noise, value, false);
}

}  // namespace dither::random::detail
