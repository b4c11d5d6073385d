// Choices among candidates that say more than they pay for.
#include <algorithm>
#include <array>
#include <cmath>

#include "accounting/curves.h"
#include "audit/zoo/make.h"
#include "random/bernoulli.h"

namespace dither::audit::zoo {

namespace {

constexpr std::size_t kCells = 8;                              // of the histogram that DAWA parts
constexpr std::array<std::size_t, 4> kLengths = {1, 2, 4, 8};  // of its intervals

// The share of the worse of two candidates.
double worse_odds(double gap, bool right) { return right ? 1 / (1 + std::exp(gap)) : std::exp(-gap) / 2; }

// Two candidates, scores that one person moves by 1, epsilon 2. The exponential mechanism has a bounded range, and
// therefore rho = epsilon^2 / 8. Permute-and-flip has none, and is charged as if it had.
Target permute_and_flip(bool right) {
  return target(twin_name("permute-and-flip", right), Promise(accounting::ConcentratedDp{{1, 2}, 0}), {Reading::word},
                [right](auto scores, auto row, auto& source) {
                  const double gap = std::abs(scores[0] - scores[1]);  // times epsilon / 2
                  const double better = scores[1] > scores[0] ? 1 : 0;
                  row[0] = uniform_double(source) < worse_odds(gap, right) ? 1 - better : better;
                },
                {{{0, 0}, {1, -1}}});
}

Channel permute_and_flip_channel(bool right) {
  const auto law = [&](double gap) {
    const Rational worse = below(worse_odds(gap, right));
    return Law{{{0}, Rational(1) - worse}, {{1}, worse}};
  };
  return written_out(permute_and_flip(right), {law(0), law(2)});
}

// The more frequent of two values, by the exponential mechanism. Weights are e^(rate count): from 1492 rows of one
// value on that is more than a double holds, no share of it is a number, and the run fails. The twin subtracts the
// larger count.
constexpr double kRate = 0.47573;  // half of epsilon

double first_odds(double first, double second, bool right) {
  const double most = right ? std::max(first, second) : 0;
  const double weight = std::exp(kRate * (first - most));
  return weight / (weight + std::exp(kRate * (second - most)));
}

Target fails_at_size(bool right) {
  return target(twin_name("fails-at-size", right), Promise::pure({9515, 10000}), {Reading::word},
                [right](auto counts, auto row, auto& source) {
                  const double first = first_odds(counts[0], counts[1], right);
                  row[0] = std::isnan(first) ? 2 : uniform_double(source) < first ? 0 : 1;  // 2: it failed
                },
                {{{1491, 1489}, {1492, 1489}}});
}

Channel fails_at_size_channel(bool right) {
  const auto law = [](double ahead) {
    const Rational first = below(1 / (1 + std::exp(-kRate * ahead)));
    return Law{{{0}, first}, {{1}, Rational(1) - first}};
  };
  return written_out(fails_at_size(right), {law(2), right ? law(3) : Law{{{2}, 1}}});
}

// Noise that is only there to break ties.
Target noise_for_ties(bool right) {
  const Laplace full(2);
  return target(twin_name("noise-for-ties", right), Promise::pure(1), {Reading::word},
                [full, right](auto scores, auto row, auto& source) {
                  double best = -kInfinite;
                  for (std::size_t i = 0; i < scores.size(); ++i) {
                    const double noise = right ? full.draw(source) : uniform_double(source) / 2;
                    if (scores[i] + noise <= best) continue;
                    best = scores[i] + noise;
                    row[0] = static_cast<double>(i);
                  }
                },
                {{{3, 3, 1}, {3, 4, 1}}});
}

// The first stage of DAWA on eight cells: intervals of length 1, 2, 4 and 8, each with the cost |x - mean| + 1 / epsilon2
// and noise; what is shown is the partition of least cost. One record moves the deviation of one interval by up to
// 2 (1 - 1/len), and the noise must cover twice that, on every interval, unclamped. Copies that circulate have
// half of it, none on single cells, and clamp costs from below.
Target dawa(bool right) {
  std::vector<Laplace> noise;
  for (const std::size_t length : kLengths) {
    const Rational half = Rational(2) - Rational(1, static_cast<long>(length)) - Rational(1, kCells);
    noise.emplace_back(right ? half * 2 : half);
  }
  return target(twin_name("dawa", right), Promise::pure(1), numbers(kCells),
                [noise, right](auto cells, auto row, auto& source) {
                  std::array<double, kCells + 1> least;
                  std::array<std::size_t, kCells + 1> taken{};
                  least.fill(kInfinite);
                  least[0] = 0;
                  for (std::size_t end = 1; end <= kCells; ++end) {
                    for (std::size_t k = 0; k < kLengths.size() && kLengths[k] <= end; ++k) {
                      const auto interval = cells.subspan(end - kLengths[k], kLengths[k]);
                      double sum = 0, deviation = 0;
                      for (const double x : interval) sum += x;
                      for (const double x : interval)
                        deviation += std::abs(x - sum / static_cast<double>(interval.size()));
                      double cost = deviation + 1 + (right || k > 0 ? noise[k].draw(source) : 0);
                      if (!right) cost = std::max(cost, 1.0);
                      if (least[end - kLengths[k]] + cost >= least[end]) continue;
                      least[end] = least[end - kLengths[k]] + cost;
                      taken[end] = kLengths[k];
                    }
                  }
                  std::fill(row.begin(), row.end(), 0.0);
                  for (std::size_t end = kCells; end > 0; end -= taken[end]) row[end - 1] = 1;  // where parts end
                },
                {{{0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 1, 0, 0, 0, 0}}});
}

}  // namespace

void add_wrong_choice(std::vector<Entry>& to) {
  plant<permute_and_flip, permute_and_flip_channel>(to,
                                                    {"permute-and-flip",
                                                     "charged as if its range were bounded",
                                                     "the exponential mechanism",
                                                     2,
                                                     {"peers 3"},
                                                     all_but({"kernel"})},
                                                    std::log((1 + std::exp(2.0)) / 2));
  // The twin: how much likelier the second value is when the first one leads by 2 than when it leads by 3.
  plant<fails_at_size, fails_at_size_channel>(
      to, {"fails-at-size", "fails from 1492 rows of a value on", "chooses whatever the size", kInfinite, {"peers 32"}},
      std::log((1 + std::exp(3 * kRate)) / (1 + std::exp(2 * kRate))));
  plant<noise_for_ties>(
      to, {"noise-for-ties", "noise that only breaks ties", "noise for the sensitivity", kInfinite, {"W-69"}});
  plant<dawa>(to, {"dawa",
                   "half of the noise, none on single cells, costs clamped",
                   "noise on every interval",
                   std::nullopt,
                   {"W-69", "R-23", "W-66"},
                   all_but({"kernel"}),
                   "",
                   100'000,
                   1'000'000});
}

}  // namespace dither::audit::zoo
