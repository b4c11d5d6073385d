// Sums of positive terms given by their logarithms. Private to the room.
#pragma once

#include <cstdint>
#include <vector>

namespace dither::accounting::detail {

// Collects logarithms, each rounded up, of terms t_j >= 0.
class LogTerms {
 public:
  void add(double log_term) { logs_.push_back(log_term); }
  // ln(1 + sum t_j), rounded up: right for sums of 1e-300 and of e^100000 alike. Infinite when a term is.
  double log1p_up() const;

 private:
  std::vector<double> logs_;
};

// ln C(n, k) for k = 0..n, rounded up; n <= 10^6.
// Proof   up to 1020 the coefficients fit in doubles, and k products and quotients are right to 2k u. Beyond, lgamma.
std::vector<double> log_binomials_up(std::uint64_t n);

// e^x - 1 - x >= 0, rounded up: no cancellation near 0.
double expm1_less_x_up(double x);

}  // namespace dither::accounting::detail
