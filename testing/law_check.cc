#include "testing/law_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rational.h"
#include "random/pmf.h"
#include "testing/statistical.h"

namespace dither::testing {

namespace {

bool cells_fit(const ScaledLaw& law, const std::vector<Int128>& sample, double false_alarm) {
  std::vector<Int128> edges;  // cell i is (edges[i-1], edges[i]]
  for (int i = -32; i <= 32; ++i) {
    const auto edge = static_cast<Int128>(std::floor(i * law.scale / 4));
    if (edges.empty() || edge > edges.back()) edges.push_back(edge);
  }
  std::vector<double> probabilities = {law.cdf(edges.front())};
  for (std::size_t i = 1; i < edges.size(); ++i) probabilities.push_back(law.cdf(edges[i]) - law.cdf(edges[i - 1]));
  probabilities.push_back(1 - law.cdf(edges.back()));
  std::vector<std::int64_t> counts(probabilities.size(), 0);
  for (Int128 k : sample) {
    ++counts[static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), k) - edges.begin())];
  }
  return chi_square_accepts(counts, probabilities, false_alarm);
}

bool low_bits_fit(const std::vector<Int128>& sample, double false_alarm) {
  std::vector<std::int64_t> counts(64, 0);
  for (Int128 k : sample) ++counts[static_cast<std::size_t>(k & 63)];
  return chi_square_accepts(counts, std::vector<double>(64, 1.0 / 64), false_alarm);
}

}  // namespace

bool fits(const ScaledLaw& law, std::int64_t n, double false_alarm) {
  std::vector<Int128> sample(static_cast<std::size_t>(n));
  for (Int128& k : sample) k = law.draw();
  if (law.scale > 0x1p14 && !low_bits_fit(sample, false_alarm)) return false;
  return cells_fit(law, sample, false_alarm) && ks_accepts(sample, law.cdf, false_alarm);
}

double discrete_laplace_cdf(double scale, Int128 k) {
  const double q = std::exp(-1 / scale);
  const auto x = static_cast<double>(k);
  return k < 0 ? std::exp(x / scale) / (1 + q) : 1 - std::exp(-(x + 1) / scale) / (1 + q);
}

double discrete_gaussian_cdf(double sigma, Int128 k) {
  // From sigma = 10^4 on the law is a normal one at half-integers to better than 1e-9.
  if (sigma >= 1e4) return std::erfc(-(static_cast<double>(k) + 0.5) / sigma / std::sqrt(2.0)) / 2;
  double total = 0;
  for (auto i = static_cast<Int128>(-40 * sigma - 40); i <= k; ++i) {
    total += std::exp(-static_cast<double>(i * i) / (2 * sigma * sigma));
  }
  const double c = 1 / (2 * sigma * sigma);
  return std::min(1.0, total / random::theta(BigInterval(Rational::from_double(c), 128)).low_double());
}

}  // namespace dither::testing
