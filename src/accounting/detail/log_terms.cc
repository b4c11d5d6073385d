#include "accounting/detail/log_terms.h"

#include <algorithm>
#include <cmath>

#include "base/directed.h"
#include "base/ulps.h"

namespace dither::accounting::detail {

double LogTerms::log1p_up() const {
  if (logs_.empty()) return 0;
  const double most = *std::max_element(logs_.begin(), logs_.end());
  if (most == kInfinity) return kInfinity;
  const double shift = most > 600 ? most : 0;
  double sum = 0;
  for (const double log : logs_) sum = add_up(sum, exp_up(sub_up(log, shift)));
  if (shift == 0) return dither::log1p_up(sum);
  return add_up(add_up(shift, log_up(sum)), 1e-260);  // ln(1 + s) <= ln s + 1/s
}

namespace {

std::vector<double> small_log_binomials_up(std::uint64_t n) {
  std::vector<double> logs(n + 1, 0);
  double coefficient = 1;
  for (std::uint64_t k = 1; k < n; ++k) {
    coefficient = coefficient * static_cast<double>(n - k + 1) / static_cast<double>(k);
    logs[k] = log_up(steps_up(coefficient, static_cast<std::int64_t>(2 * k + 1)));
  }
  return logs;
}

}  // namespace

std::vector<double> log_binomials_up(std::uint64_t n) {
  if (n <= 1020) return small_log_binomials_up(n);
  std::vector<double> factorials(n + 1);
  for (std::uint64_t k = 0; k <= n; ++k) factorials[k] = lgamma_down(static_cast<double>(k) + 1);
  const double all = lgamma_up(static_cast<double>(n) + 1);
  std::vector<double> logs(n + 1, 0);
  for (std::uint64_t k = 1; k < n; ++k) logs[k] = sub_up(sub_up(all, factorials[k]), factorials[n - k]);
  return logs;
}

// Below 1 in size, Taylor's series x^2/2 (1 + x/3 (1 + x/4 (...))) to x^18: the rest is below 2 |x|^19/19!, a 1e-16th
// part. Each of the brackets lies between 2/3 and 3/2, so the roundings sum to less than 8u.
double expm1_less_x_up(double x) {
  if (std::fabs(x) >= 1) return sub_up(expm1_up(x), x);
  double bracket = 1;
  for (int k = 18; k >= 3; --k) bracket = 1 + x / k * bracket;
  return steps_up(0.5 * x * x * bracket, 16);
}

}  // namespace dither::accounting::detail
