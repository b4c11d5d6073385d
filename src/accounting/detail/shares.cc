// Each event's part of the loss.
#include <algorithm>
#include <cmath>

#include "accounting/detail/composed.h"

namespace dither::accounting::detail {
namespace {

constexpr std::size_t kSample = 32;  // events looked at to find the order that matters

// ln E e^((order - 1) Z) of all releases of an event, or infinity.
double log_moment_of(const Cost& cost, std::uint64_t times, double order) {
  return cost.renyi ? static_cast<double>(times) * (order - 1) * cost.renyi->epsilon(order)
                    : std::numeric_limits<double>::infinity();
}

std::vector<double> normalised(std::vector<double> parts) {
  double sum = 0;
  for (const double part : parts) sum += part;
  if (!(sum > 0) || !std::isfinite(sum)) return std::vector<double>(parts.size(), 0);
  for (double& part : parts) part /= sum;
  return parts;
}

}  // namespace

// The tail of the loss beyond epsilon is about exp(K(t) - t epsilon) at the t that makes this least, where K, the log of
// the moment, is a sum over the events: so their parts of K are their parts in the tail.
std::vector<double> Composed::shares(double epsilon) const {
  std::vector<double> shares(events_, 0);
  if (parts_.empty()) return shares;
  const std::size_t stride = (parts_.size() + kSample - 1) / kSample;
  double best_order = 2;
  double least = std::numeric_limits<double>::infinity();
  for (const double order : {1.25, 1.5, 2.0, 3.0, 5.0, 9.0, 17.0, 33.0, 65.0, 129.0}) {
    double sum = -(order - 1) * epsilon;
    for (std::size_t i = 0; i < parts_.size(); i += stride) {
      sum += static_cast<double>(stride) * log_moment_of(parts_[i].cost, parts_[i].times, order);
    }
    if (sum < least) {
      least = sum;
      best_order = order;
    }
  }
  for (const Part& part : parts_) shares[part.event] = log_moment_of(part.cost, part.times, best_order);
  if (std::all_of(shares.begin(), shares.end(), [](double share) { return std::isfinite(share); })) {
    return normalised(shares);
  }
  for (const Part& part : parts_) {
    const auto& approximate = part.cost.approximate;
    shares[part.event] = approximate ? static_cast<double>(part.times) * approximate->epsilon.to_double_down() : 0;
  }
  return normalised(shares);
}

}  // namespace dither::accounting::detail
