#include "stats/detail/durbin.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace dither::stats::detail {

namespace {

// A square matrix times 2^exponent.
struct ScaledMatrix {
  std::size_t side;
  std::vector<double> entries;
  int exponent = 0;

  explicit ScaledMatrix(std::size_t n) : side(n), entries(n * n, 0.0) {}
  double& at(std::size_t row, std::size_t column) { return entries[row * side + column]; }
  double at(std::size_t row, std::size_t column) const { return entries[row * side + column]; }
};

ScaledMatrix product(const ScaledMatrix& a, const ScaledMatrix& b) {
  ScaledMatrix result(a.side);
  for (std::size_t i = 0; i < a.side; ++i) {
    for (std::size_t k = 0; k < a.side; ++k) {
      const double factor = a.at(i, k);
      for (std::size_t j = 0; j < a.side; ++j) result.at(i, j) += factor * b.at(k, j);
    }
  }
  result.exponent = a.exponent + b.exponent;
  int shift = 0;
  std::frexp(result.at(a.side / 2, a.side / 2), &shift);
  for (double& entry : result.entries) entry = std::ldexp(entry, -shift);
  result.exponent += shift;
  return result;
}

ScaledMatrix power(ScaledMatrix base, std::int64_t n) {
  ScaledMatrix result(base.side);
  for (std::size_t i = 0; i < base.side; ++i) result.at(i, i) = 1;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = product(result, base);
    if (n > 1) base = product(base, base);
  }
  return result;
}

double inverse_factorial(std::size_t n) {
  double result = 1;
  for (std::size_t i = 2; i <= n; ++i) result /= static_cast<double>(i);
  return result;
}

// With k = ceil(n d) and h = k - n d: 1/(i-j+1)! on and below the superdiagonal, less corrections by powers of h in the
// first column, the last row and their corner.
ScaledMatrix transitions(std::size_t side, double h) {
  ScaledMatrix matrix(side);
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < std::min(i + 2, side); ++j) matrix.at(i, j) = inverse_factorial(i + 1 - j);
  }
  for (std::size_t i = 0; i < side; ++i) {
    const double correction = std::pow(h, static_cast<double>(i + 1)) * inverse_factorial(i + 1);
    matrix.at(i, 0) -= correction;
    matrix.at(side - 1, side - 1 - i) -= correction;
  }
  if (2 * h > 1) matrix.at(side - 1, 0) += std::pow(2 * h - 1, static_cast<double>(side)) * inverse_factorial(side);
  return matrix;
}

}  // namespace

double durbin_cdf(std::int64_t n, double distance) {
  const double reach = static_cast<double>(n) * distance;
  const double steps = std::floor(reach) + 1;
  const auto k = static_cast<std::size_t>(steps);
  const ScaledMatrix result = power(transitions(2 * k - 1, steps - reach), n);
  double value = result.at(k - 1, k - 1);
  int exponent = result.exponent;
  for (std::int64_t i = 1; i <= n; ++i) {  // times n! / n^n
    value *= static_cast<double>(i) / static_cast<double>(n);
    int shift = 0;
    value = std::frexp(value, &shift);
    exponent += shift;
  }
  return std::ldexp(value, exponent);
}

}  // namespace dither::stats::detail
