#include "mechanisms/detail/laws.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace dither::mechanisms::detail {

namespace {

Rational whole(std::uint64_t x) { return Rational(static_cast<Int128>(x)); }

// Whether the product of the ratios, all below 1, has fallen under 2^-kTailBits.
class Falling {
 public:
  bool far_out(const BigInterval& ratio) {
    log2_ += std::log2(std::max(ratio.high_double(), 1e-300));
    return log2_ < -kTailBits;
  }

 private:
  double log2_ = 0;  // no bound depends on it: it only says where to stop
};

// Enclosures of r_0 .. r_(size-1), from r_top on downwards.
std::vector<BigInterval> skellam_ratios(const Rational& mean, std::size_t size, std::size_t top) {
  std::vector<BigInterval> ratios;
  BigInterval ratio(0, std::min(Rational(1), mean / whole(top + 1)), kRatioBits);
  const BigInterval one(1, kRatioBits);
  for (std::size_t k = top; k > 0; --k) {  // ratio is r_k
    if (k < size) ratios.push_back(ratio);
    ratio = one / (BigInterval(whole(k) / mean, kRatioBits) + ratio);
  }
  ratios.push_back(ratio);
  std::reverse(ratios.begin(), ratios.end());
  return ratios;
}

}  // namespace

SymmetricTails binomial_tails(std::uint64_t trials) {
  const std::uint64_t half = trials / 2;
  std::vector<BigInterval> ratios;
  Falling weight;
  for (std::uint64_t k = 0; k <= half; ++k) {
    ratios.emplace_back(whole(half - k) / whole(half + k + 1), kRatioBits);
    if (weight.far_out(ratios.back())) break;
  }
  return SymmetricTails(ratios);
}

SymmetricTails skellam_tails(const Rational& variance) {
  const Rational mean = variance / 2;
  const double spread = std::sqrt(variance.to_double_up());
  for (auto size = static_cast<std::size_t>(64 + 22 * spread);; size *= 2) {
    const std::vector<BigInterval> ratios = skellam_ratios(mean, size, size + size / 4);
    Falling weight;
    const bool far = std::any_of(ratios.begin(), ratios.end(), [&](const auto& r) { return weight.far_out(r); });
    if (far) return SymmetricTails(ratios);
  }
}

}  // namespace dither::mechanisms::detail
