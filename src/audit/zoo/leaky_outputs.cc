// Outputs that show something beside the noisy answer. Claim: epsilon 1.
#include <algorithm>
#include <cmath>

#include "audit/zoo/make.h"

namespace dither::audit::zoo {

namespace {

// Ten teachers vote on two labels with Laplace noise of scale 2. The epsilon of this very vote depends on the votes, and is
// printed as it is; or the one that holds for all votes is.
Target vote_price(bool right) {
  const Laplace noise(2);
  return target(twin_name("vote-price", right), Promise::pure(1), {Reading::word, Reading::number},
                [noise, right](auto votes, auto row, auto& source) {
                  const double gap = std::abs(votes[0] - votes[1]) / 2;
                  row[0] = votes[1] + noise.draw(source) > votes[0] + noise.draw(source) ? 1 : 0;
                  row[1] = right ? 1 : std::min(1.0, 2 * (2 + gap) / (4 * std::exp(gap)));
                },
                {{{8, 2}, {7, 3}}});
}

// A noisy mean is moved into the range of the data; or of what was declared.
Target clamp_to_data(bool right) {
  const Laplace noise(1);
  return target(twin_name("clamp-to-data", right), Promise::pure(1), numbers(1),
                [noise, right](auto input, auto row, auto& source) {
                  const auto [least, most] = std::minmax_element(input.begin(), input.end());
                  double sum = 0;
                  for (const double x : input) sum += std::clamp(x, 0.0, 1.0);
                  const double noisy = sum + noise.draw(source);
                  row[0] = right ? std::clamp(noisy, 0.0, 1.0) : std::clamp(noisy, *least, *most);
                },
                {{{0, 0}, {0, 0, 1}}});
}

// The answer without noise for the log, rounded "so that it says nothing".
Target rounded_truth(bool right) {
  const Laplace noise(1);
  return target(twin_name("rounded-truth", right), Promise::pure(1), numbers(2),
                [noise, right](auto input, auto row, auto& source) {
                  row[0] = input[0] + noise.draw(source);
                  row[1] = 10 * std::floor((right ? row[0] : input[0]) / 10);
                },
                {{{19}, {20}}});
}

// Groups are written in the order of their true counts; or in the order of their names.
Target order_of_groups(bool right) {
  const Laplace noise(1);
  return target(twin_name("order-of-groups", right), Promise::pure(1),
                {Reading::word, Reading::number, Reading::word, Reading::number},
                [noise, right](auto counts, auto row, auto& source) {
                  const std::size_t first = !right && counts[1] > counts[0] ? 1 : 0;
                  for (std::size_t i = 0; i < 2; ++i) {
                    const std::size_t group = i == 0 ? first : 1 - first;
                    row[2 * i] = static_cast<double>(group);
                    row[2 * i + 1] = counts[group] + noise.draw(source);
                  }
                },
                {{{5, 5}, {5, 6}}});
}

}  // namespace

void add_leaky_outputs(std::vector<Entry>& to) {
  plant<vote_price>(to, {"vote-price",
                         "prints the epsilon of these very votes",
                         "prints that of all votes",
                         kInfinite,
                         {"W-69", "W-77"}});
  plant<clamp_to_data>(
      to,
      {"clamp-to-data", "moves answers into the range of the data", "into the declared range", kInfinite, {"W-69"}});
  plant<rounded_truth>(
      to, {"rounded-truth", "logs the rounded answer without noise", "rounds the noisy one", kInfinite, {"W-69"}});
  plant<order_of_groups>(
      to,
      {"order-of-groups", "groups in the order of true counts", "in the order of names", kInfinite, {"W-69", "W-76"}});
}

}  // namespace dither::audit::zoo
