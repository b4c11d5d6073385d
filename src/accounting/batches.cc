#include "accounting/batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "accounting/detail/require.h"
#include "accounting/detail/require_exact.h"
#include "accounting/group.h"
#include "accounting/native_atoms.h"
#include "base/big_interval.h"
#include "base/directed.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

void require_both(double epsilon, double rate) {
  detail::require_not_negative("epsilon", epsilon);
  detail::require_probability("the rate", rate);
}

struct Missing {
  Neighbours neighbours;

  [[noreturn]] static void refuse(const std::string& message, const std::string& hint) {
    throw Error{Code::no_theorem, message, hint};
  }
  void need(Neighbours needed, const char* batches) const {
    if (neighbours == needed) return;
    refuse(fmt::format("{} amplify privacy for {}, not for {}", batches, neighbours_name(needed),
                       neighbours_name(neighbours)),
           fmt::format("state the guarantee for {}, or leave the sampler out", neighbours_name(needed)));
  }

  void operator()(const Poisson&) const {
    if (neighbours != Neighbours::both) need(Neighbours::add_remove, "Poisson batches");
  }
  void operator()(const WithoutReplacement&) const { need(Neighbours::replace_one, "batches without replacement"); }
  void operator()(const WithReplacement&) const { need(Neighbours::replace_one, "batches with replacement"); }
  void operator()(const ShuffledBatches&) const {
    refuse("no theorem amplifies privacy by shuffled batches", "charge an epoch as one release without a sampler");
  }
  void operator()(const RandomAllocation&) const {
    refuse("random allocation has a theorem for Gaussian noise only", "use Gaussian noise, or leave the sampler out");
  }
  void operator()(const AllOrNothing&) const {
    refuse("taking all records or none amplifies nothing: no record can be left out alone",
           "leave the sampler out, or sample each record by its own coin");
  }
};

// P(Binomial(n, q) = k) for 1 <= k <= n, 0 < q < 1, rounded up.
double binomial_pmf_up(std::uint64_t n, const Rational& q, std::uint64_t k) {
  constexpr long kBits = 160;
  const auto exact = [](const Rational& x) { return BigInterval(x, kBits); };
  const auto whole = [&](std::uint64_t x) { return exact(static_cast<Int128>(x)); };
  BigInterval log_mass = whole(k) * log(exact(q)) + whole(n - k) * log(exact(1 - q));
  const auto log_factorial = [&](std::uint64_t x) { return x < 2 ? exact(0) : lgamma(whole(x + 1)); };
  log_mass += log_factorial(n) - log_factorial(k) - log_factorial(n - k);
  return exp(log_mass).high_double();
}

// ln(1 + (e^epsilon - 1) / rate), rounded down.
double unamplified_down(double epsilon, double rate) {
  if (epsilon < 700) return log1p_down(div_down(expm1_down(epsilon), rate));
  return epsilon;  // below it, since rate <= 1
}

}  // namespace

void require_amplification(const Sampler& sampler, Neighbours neighbours) { std::visit(Missing{neighbours}, sampler); }

double amplified_epsilon_up(double epsilon, double rate) {
  require_both(epsilon, rate);
  if (rate == 0) return 0;
  if (rate == 1) return epsilon;
  if (epsilon < 700) return log1p_up(mul_up(rate, expm1_up(epsilon)));
  const double rest = mul_up(div_up(sub_up(1, rate), rate), exp_up(-epsilon));
  return std::min(epsilon, std::max(0.0, add_up(add_up(epsilon, log_up(rate)), log1p_up(rest))));
}

double amplified_add_epsilon_up(double epsilon, double rate) {
  require_both(epsilon, rate);
  const double lost = mul_up(rate, -expm1_down(-epsilon));
  return lost >= 1 ? epsilon : std::min(epsilon, -log1p_down(-lost));
}

double amplified_add_delta_up(double epsilon, double delta, double rate) {
  detail::require_probability("delta", delta);
  const double power = exp_up(sub_up(amplified_add_epsilon_up(epsilon, rate), epsilon));
  return mul_up(power, mul_up(rate, delta));
}

double sampled_delta_up(double rate, double epsilon, const std::function<double(double)>& profile_up) {
  require_both(epsilon, rate);
  if (rate == 0) return 0;
  return std::min(rate, mul_up(rate, profile_up(unamplified_down(epsilon, rate))));
}

double with_replacement_rate_up(std::uint64_t draws, std::uint64_t population) {
  detail::require_count("draws", draws);
  detail::require_count("population", population);
  if (population == 1) return 1;
  return -expm1_down(mul_down(static_cast<double>(draws), log1p_down(-div_up(1, static_cast<double>(population)))));
}

double with_replacement_delta_up(std::uint64_t draws, std::uint64_t population, double epsilon,
                                 const std::function<double(std::uint64_t, double)>& profile_up) {
  const double rate = with_replacement_rate_up(draws, population);
  detail::require_not_negative("epsilon", epsilon);
  if (population == 1) return std::min(1.0, profile_up(draws, epsilon));
  const double inner = unamplified_down(epsilon, rate);
  const auto m = static_cast<double>(draws);
  const auto n = static_cast<double>(population);
  double mass = exp_up(mul_up(m, log1p_up(-div_down(1, n))));  // of no copy
  double sum = 0;
  for (std::uint64_t j = 1; j <= draws; ++j) {
    const double ratio = div_up(m - static_cast<double>(j) + 1, mul_down(static_cast<double>(j), n - 1));
    mass = mul_up(mass, ratio);
    sum = add_up(sum, mul_up(mass, std::min(1.0, profile_up(j, inner))));
    // Ratios fall, so all later terms together are at most mass * ratio / (1 - ratio).
    if (ratio < .5 && (mass < 1e-18 * sum || mass < 1e-300)) return std::min(rate, add_up(sum, mass));
    if (sum >= rate) return rate;
  }
  return std::min(rate, sum);
}

double group_profile_up(double epsilon, double delta, std::uint64_t group, double at_epsilon) {
  detail::require_not_negative("epsilon", epsilon);
  detail::require_probability("delta", delta);
  detail::require_count("group", group);
  const double together = mul_up(static_cast<double>(group), epsilon);
  if (together > 700) return 1;
  const double failing = group_delta_up(epsilon, delta, group);
  if (at_epsilon >= together) return failing;
  const double gap = -expm1_down(sub_down(at_epsilon, together));  // 1 - e^(at - together)
  const double seen = div_up(gap, add_down(1, exp_down(-together)));
  return std::min(1.0, add_up(failing, mul_up(sub_up(1, failing), seen)));
}

double overflow_up(std::uint64_t population, const Rational& rate, std::uint64_t max_batch) {
  detail::require_count("population", population);
  detail::require_probability("the rate", rate);
  if (max_batch >= population) return 0;
  if (rate == 0) return 0;
  const Rational mean = rate * Rational(static_cast<Int128>(population));
  if (Rational(static_cast<Int128>(max_batch)) <= mean) {
    throw Error{Code::no_theorem,
                fmt::format("batches of {} on average are cut at {}: no theorem covers batches that are mostly cut",
                            mean.str(), max_batch),
                "raise max_batch well above rate * population, or lower the rate"};
  }
  const std::uint64_t k = max_batch + 1;
  const double odds = (rate / (1 - rate)).to_double_up();
  const double first = binomial_pmf_up(population, rate, k);
  double term = 1;
  double sum = 1;
  for (std::uint64_t i = k; i < population; ++i) {
    const double ratio = mul_up(div_up(static_cast<double>(population - i), static_cast<double>(i + 1)), odds);
    term = mul_up(term, ratio);
    sum = add_up(sum, term);
    if (ratio >= 1) continue;
    const double rest = div_up(mul_up(term, ratio), sub_down(1, ratio));  // ratios fall
    if (rest < 1e-17 * sum) return std::min(1.0, mul_up(first, add_up(sum, rest)));
  }
  return std::min(1.0, mul_up(first, sum));
}

double cut_delta_up(double overflow, std::uint64_t steps, double epsilon) {
  detail::require_probability("the overflow", overflow);
  detail::require_not_negative("epsilon", epsilon);
  if (overflow == 0) return 0;
  const double both = add_up(1, exp_up(epsilon));
  return std::min(1.0, mul_up(both, mul_up(static_cast<double>(steps), overflow)));
}

Step shuffled_epoch(double mu, Neighbours neighbours) {
  detail::require_not_negative("mu", mu);
  if (neighbours != Neighbours::replace_one) {
    throw Error{Code::no_theorem,
                fmt::format("shuffled batches have a theorem for replace-one, not for {}", neighbours_name(neighbours)),
                "account for replace-one, with the sensitivity of a replaced record"};
  }
  return {GaussianLoss{mu}, no_loss(), 1};
}

double shuffled_delta_down(double sigma, std::uint64_t batches, double epsilon) {
  detail::require_positive("sigma", sigma);
  detail::require_count("batches", batches);
  detail::require_not_negative("epsilon", epsilon);
  const double others = static_cast<double>(batches) - 1;
  const auto value = [&](double c) {  // of the event that some batch exceeds c
    const auto log_up = [&](double x) { return log_ndtr_up(div_up(sub_up(c, x), sigma)); };
    const auto log_down = [&](double x) { return log_ndtr_down(div_down(sub_down(c, x), sigma)); };
    const double with = -expm1_up(add_up(log_up(2), others == 0 ? 0 : mul_up(others, log_up(0))));
    const double without = -expm1_down(add_down(log_down(1), others == 0 ? 0 : mul_down(others, log_down(0))));
    return sub_down(with, mul_up(exp_up(epsilon), without));
  };
  double best = 0;
  double where = 0;
  double step = sigma / 8;
  const double reach = 2 + sigma * (9 + std::sqrt(2 * std::log(others + 1)));
  for (double c = -8 * sigma; c < reach; c += step) {
    if (value(c) > best) best = value(where = c);
  }
  for (; step > 1e-9 * sigma; step /= 2) {
    for (const double c : {where - step, where + step}) {
      if (value(c) > best) best = value(where = c);
    }
  }
  return best;
}

}  // namespace dither::accounting
