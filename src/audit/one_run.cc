#include "audit/one_run.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "audit/detail/require_rate.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/roots.h"
#include "stats/binomial.h"

namespace dither::audit {

namespace {

constexpr std::int64_t kMostCanaries = 1'000'000'000;
// More than the tails err, relative to them: binomial.h, up to 10^9 guesses and logarithms down to -10^4, where every
// false alarm has long been reached.
constexpr double kMargin = 1 + 1e-8;

void require(const OneRunGuesses& guesses) {
  detail::require_count("the number of canaries", guesses.canaries, 1, kMostCanaries);
  detail::require_count("the number of guesses", guesses.guesses, 1, guesses.canaries);
  detail::require_count("the number of right guesses", guesses.right, 0, guesses.guesses);
}

// The law of wrong guesses, W = r - B: its rate 1 / (1 + e^epsilon) keeps its digits when epsilon is large. All in
// logarithms: far from the peak the probabilities are below the doubles.
class WrongGuesses {
 public:
  WrongGuesses(std::int64_t guesses, double rate) : guesses_(guesses), rate_(rate) {}

  double log_at_most(std::int64_t wrong) const { return stats::binomial_log_lower(wrong, guesses_, rate_); }
  double log_exactly(std::int64_t wrong) const { return stats::binomial_log_pmf(wrong, guesses_, rate_); }
  // log P(low < W <= high), low < high: the difference of the smaller tails.
  double log_between(std::int64_t low, std::int64_t high) const {
    const double below = log_at_most(high);
    if (below < -std::numbers::ln2) return below + log1mexp_up(std::min(0.0, log_at_most(low) - below));
    const double above = stats::binomial_log_upper(low + 1, guesses_, rate_);
    if (high == guesses_) return above;
    return above + log1mexp_up(std::min(0.0, stats::binomial_log_upper(high + 1, guesses_, rate_) - above));
  }

 private:
  std::int64_t guesses_;
  double rate_;
};

// max over 1 <= i <= most of P(wrong < W <= wrong + i) / i. The terms rise to a peak and fall after it, so their
// running mean grows until a term is below it and falls from then on: that place is found by halving.
double largest_mean(const WrongGuesses& law, std::int64_t wrong, std::int64_t most) {
  const auto log_mean = [&](std::int64_t i) {
    return law.log_between(wrong, wrong + i) - std::log(static_cast<double>(i));
  };
  std::int64_t low = 1;
  std::int64_t high = most;  // the best i lies in low..high
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (law.log_exactly(wrong + middle + 1) > log_mean(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return std::exp(log_mean(low));
}

}  // namespace

OneRunGuesses guess(std::span<const double> scores, const std::vector<bool>& included, std::int64_t in,
                    std::int64_t out) {
  const auto canaries = static_cast<std::int64_t>(scores.size());
  detail::require_count("the number of inclusions", static_cast<std::int64_t>(included.size()), canaries, canaries);
  detail::require_count("the number of canaries said to be in", in, 0, canaries);
  detail::require_count("the number of canaries said to be out", out, 0, canaries - in);
  if (std::any_of(scores.begin(), scores.end(), [](double score) { return std::isnan(score); })) {
    throw Error{Code::bad_number, "a score of a canary is NaN", "give every canary a score"};
  }
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  OneRunGuesses guesses{canaries, in + out, 0};
  for (std::int64_t i = 0; i < in; ++i) guesses.right += included[order[static_cast<std::size_t>(i)]] ? 1 : 0;
  for (std::int64_t i = canaries - out; i < canaries; ++i) {
    guesses.right += included[order[static_cast<std::size_t>(i)]] ? 0 : 1;
  }
  return guesses;
}

double one_run_p_value_up(const OneRunGuesses& guesses, double epsilon, double delta) {
  require(guesses);
  detail::require_not_negative("epsilon", epsilon);
  detail::require_probability("delta", delta);
  const WrongGuesses law(guesses.guesses, div_down(1, add_up(1, exp_up(epsilon))));
  const std::int64_t wrong = guesses.guesses - guesses.right;
  double p = std::exp(law.log_at_most(wrong));
  if (p < 1 && delta > 0 && guesses.right > 0) {
    p += 2 * static_cast<double>(guesses.canaries) * delta * largest_mean(law, wrong, guesses.right);
  }
  return std::min(1.0, p * kMargin);
}

double epsilon_lower_bound_one_run(const OneRunGuesses& guesses, double delta, double false_alarm) {
  detail::require_open_probability("the false alarm", false_alarm);
  const auto holds = [&](double epsilon) { return one_run_p_value_up(guesses, epsilon, delta) >= false_alarm; };
  if (holds(0)) return 0;
  return find_turn(holds, 0, 800).fails;  // at 800 the rate of wrong guesses is rounded to 0, and p is 1
}

}  // namespace dither::audit
