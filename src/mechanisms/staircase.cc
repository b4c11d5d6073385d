#include "mechanisms/staircase.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/error.h"
#include "mechanisms/detail/noise.h"
#include "mechanisms/detail/one_number.h"
#include "random/discrete_laplace.h"
#include "random/uniform.h"
#include "random/weighted_choice.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

constexpr long kBits = 128;
constexpr std::uint64_t kMostSensitivity = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostTried = std::uint64_t{1} << 20;

Rational whole(std::uint64_t x) { return Rational(static_cast<Int128>(x)); }

void require(const StaircaseLaw& law) {
  if (law.epsilon < Rational::power_of_two(-20) || law.epsilon > 100) {
    throw Error{Code::bad_scale, fmt::format("epsilon is {}, but it must lie in [2^-20, 100]", law.epsilon.str()),
                "give e.g. epsilon 1"};
  }
  if (law.sensitivity < 1 || law.sensitivity > kMostSensitivity) {
    throw Error{Code::bad_count, fmt::format("the sensitivity is {}, outside 1 .. 2^40", law.sensitivity),
                "give how far the value moves between neighbours, in steps"};
  }
  if (law.first < 1 || law.first > law.sensitivity) {
    throw Error{Code::bad_count,
                fmt::format("the first stair is {} wide, but must be 1 .. {}", law.first, law.sensitivity),
                "let best_staircase find it"};
  }
}

// The weights, relative to P(0), in intervals.
class Weights {
 public:
  Weights(const StaircaseLaw& law, long bits)
      : law_(law), bits_(bits), one_(1, bits), fall_(exp(BigInterval(-law.epsilon, bits))) {}

  // Of all k together: both sides, and 0 only once.
  BigInterval total() const {
    const BigInterval side = stair() / (one_ - fall_);
    return side + side - one_;
  }
  // Of one number at this distance.
  BigInterval at(UInt128 distance) const { return falls(distance, distance % law_.sensitivity >= law_.first); }
  // Of all k >= from, from >= 1.
  BigInterval from(UInt128 from) const {
    const auto m = static_cast<std::uint64_t>(from % law_.sensitivity);
    const std::uint64_t high = m < law_.first ? law_.first - m : 0;
    const std::uint64_t low = law_.sensitivity - std::max(m, law_.first);
    const BigInterval here = big(high) + big(low) * fall_;
    return falls(from, 0) * (here + fall_ / (one_ - fall_) * stair());
  }

 private:
  BigInterval big(std::uint64_t x) const { return {whole(x), bits_}; }
  BigInterval stair() const { return big(law_.first) + big(law_.sensitivity - law_.first) * fall_; }
  BigInterval falls(UInt128 distance, int more) const {
    const Rational count = Rational(static_cast<Int128>(distance / law_.sensitivity)) + more;
    return exp(BigInterval(-law_.epsilon * count, bits_));
  }

  StaircaseLaw law_;
  long bits_;
  BigInterval one_;
  BigInterval fall_;
};

// The least r with P(|K| > r) <= 5%.
std::uint64_t radius(const StaircaseLaw& law) {
  const Weights weights(law, kBits);
  const BigInterval limit = weights.total() * BigInterval(Rational(1, 40), kBits);  // on each side
  const auto holds = [&](std::uint64_t r) { return weights.from(UInt128{r} + 1).surely_below(limit); };
  if (holds(0)) return 0;
  std::uint64_t enough = 1;
  while (!holds(enough)) enough *= 2;
  std::uint64_t too_few = enough / 2;
  while (enough - too_few > 1) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (holds(middle) ? enough : too_few) = middle;
  }
  return enough;
}

// How many falls, which part of the stair, where on it, which side; zero is kept on one side only.
class Noise {
 public:
  explicit Noise(const StaircaseLaw& law)
      : falls_(Rational(1) / law.epsilon),
        sizes_{law.first, law.sensitivity - law.first},
        part_(sizes_, std::array<Int128, 2>{0, -1}, law.epsilon),
        law_(law) {}

  void fill(std::span<Int128> out, random::Source& source) const {
    for (Int128& value : out) value = draw(source);
  }

 private:
  Int128 draw(random::Source& source) const {
    for (;;) {
      const Int128 falls = falls_.draw(source);
      const std::uint64_t part = part_.draw(source);
      const std::uint64_t place = random::uniform_below(sizes_[part], source) + part * law_.first;
      const bool negative = source.bits(1) != 0;
      const Int128 distance = falls * static_cast<Int128>(law_.sensitivity) + place;
      // Of two-sided draws those that are not negative are geometric: proportional to e^(-epsilon falls).
      const bool kept = falls >= 0 && !(negative && distance == 0);
      if (kept) return negative ? -distance : distance;
    }
  }

  random::DiscreteLaplace falls_;
  std::array<std::uint64_t, 2> sizes_;
  random::WeightedChoice part_;
  StaircaseLaw law_;
};

// Sums of m and of m^2 over 0 <= m < n.
double sum_of(double n) { return n * (n - 1) / 2; }
double sum_of_squares(double n) { return n * (n - 1) * (2 * n - 1) / 6; }

}  // namespace

Measurement<L1, Pure> make_staircase(const VectorDomain& domain, const StaircaseLaw& law) {
  require(law);
  detail::require_one_number(domain, "staircase");
  const auto epsilon = [law](const Distance& d) {
    const Rational falls = number(d) / whole(law.sensitivity);
    // Beyond 128 bits of falls one more than the quotient is rounded up well enough.
    return law.epsilon * (falls < Rational(kInt128Max) ? Rational(falls.ceil()) : falls + 1);
  };
  return Measurement<L1, Pure>(AnyMeasurement({
      .recipe = {"staircase",
                 {{"epsilon", law.epsilon}, {"sensitivity", whole(law.sensitivity)}, {"first", whole(law.first)}}},
      .input = domain,
      .from = {MetricKind::l1},
      .measure = Measure::pure(),
      .loss = [epsilon](const Distance& d) { return pure(epsilon(d)); },
      // The accountant's staircase is the law of real numbers; this one is charged as any release with its epsilon.
      .events = [epsilon](const Distance& d) -> std::vector<accounting::Event> {
        return {{{}, accounting::BlackBox{epsilon(d)}}};
      },
      .function = [noise = Noise(law)](const Data& data, random::Source& source) -> Data {
        return detail::add_noise(noise, as<Integers>(data), source);
      },
      .error = detail::symmetric_error(std::sqrt(staircase_error(law).variance), radius(law)),
  }));
}

BigInterval staircase_pmf(const StaircaseLaw& law, Int128 k, long precision_bits) {
  require(law);
  const Weights weights(law, precision_bits);
  return weights.at(magnitude(k)) / weights.total();
}

// With b = e^-epsilon: sums over j of b^j, j b^j and j^2 b^j, times those over one stair of 1, m and m^2.
StaircaseError staircase_error(const StaircaseLaw& law) {
  require(law);
  const double epsilon = law.epsilon.to_double_up();
  const double b = std::exp(-epsilon);
  const double gap = -std::expm1(-epsilon);
  const auto width = static_cast<double>(law.sensitivity);
  const auto first = static_cast<double>(law.first);
  const double w0 = first + b * (width - first);
  const double w1 = sum_of(first) + b * (sum_of(width) - sum_of(first));
  const double w2 = sum_of_squares(first) + b * (sum_of_squares(width) - sum_of_squares(first));
  const double s0 = 1 / gap;
  const double s1 = b / (gap * gap);
  const double s2 = b * (1 + b) / (gap * gap * gap);
  const double total = 2 * s0 * w0 - 1;
  return {.variance = 2 * (width * width * s2 * w0 + 2 * width * s1 * w1 + s0 * w2) / total,
          .mean_absolute = 2 * (width * s1 * w0 + s0 * w1) / total};
}

StaircaseLaw best_staircase(const Rational& epsilon, std::uint64_t sensitivity, StaircaseGoal goal) {
  if (sensitivity > kMostTried) {
    throw Error{Code::bad_count, fmt::format("the sensitivity is {}, and all first stairs are tried", sensitivity),
                "use a coarser grid, so that the sensitivity is at most 2^20 steps"};
  }
  const auto error = [&](std::uint64_t first) {
    const StaircaseError of = staircase_error({epsilon, sensitivity, first});
    return goal == StaircaseGoal::variance ? of.variance : of.mean_absolute;
  };
  std::uint64_t best = 1;
  double least = error(best);
  for (std::uint64_t first = 2; first <= sensitivity; ++first) {
    const double here = error(first);
    if (here < least) best = first, least = here;
  }
  return {epsilon, sensitivity, best};
}

}  // namespace dither::mechanisms
