// Noise for a sensitivity that is not the one of the function. Claim: epsilon 1.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "accounting/curves.h"
#include "audit/zoo/make.h"

namespace dither::audit::zoo {

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kDeclared = 8;  // the upper bound of values

// The median of three values in [0, 10], with noise for how far one value moves it here, or anywhere.
Target local_sensitivity(bool right) {
  const Laplace unit(1);
  return target(twin_name("local-sensitivity", right), Promise::pure(1), numbers(1),
                [unit, right](auto input, auto row, auto& source) {
                  double sorted[3] = {input[0], input[1], input[2]};
                  std::sort(std::begin(sorted), std::end(sorted));
                  const double local = std::max(sorted[1] - sorted[0], sorted[2] - sorted[1]);
                  row[0] = sorted[1] + (right ? 10 : local) * unit.draw(source);
                },
                {{{0, 0, 10}, {0, 0, 0}}});
}

// Values in [-1, 1]: adding one moves the sum by 1, replacing one by 2. The claim is about replacing.
Target replace_as_add(bool right) {
  const Laplace noise(right ? 2 : 1);
  return target(twin_name("replace-as-add", right), Promise::pure(1), numbers(1),
                [noise](auto input, auto row, auto& source) {
                  double sum = 0;
                  for (const double x : input) sum += std::clamp(x, -1.0, 1.0);
                  row[0] = sum + noise.draw(source);
                },
                {{{0, 1}, {0, -1}}});
}

// A mean of values in [0, 1]: noise divided by the true number of rows; or half for the sum, half for the number.
Target noise_by_true_count(bool right) {
  const Laplace whole(1), half(2);
  return target(twin_name("noise-by-true-count", right), Promise::pure(1), numbers(1),
                [whole, half, right](auto input, auto row, auto& source) {
                  double sum = 0;
                  for (const double x : input) sum += std::clamp(x, 0.0, 1.0);
                  const auto count = static_cast<double>(input.size());
                  row[0] = right ? (sum + half.draw(source)) / std::max(1.0, count + half.draw(source))
                                 : sum / count + whole.draw(source) / count;
                },
                {{{1}, {1, 0}}});
}

// A mean of the values that are there, with noise for a mean of all; replacing one.
Target mean_without_nan(bool right) {
  const Laplace whole(1), half(2);
  return target(twin_name("mean-without-nan", right), Promise::pure(1), numbers(1),
                [whole, half, right](auto input, auto row, auto& source) {
                  double sum = 0, valid = 0;
                  for (const double x : input) {
                    sum += std::isnan(x) ? 0 : std::clamp(x, 0.0, 1.0);
                    valid += std::isnan(x) ? 0 : 1;
                  }
                  row[0] = right ? (sum + half.draw(source)) / std::max(1.0, valid + half.draw(source))
                                 : sum / std::max(1.0, valid) + whole.draw(source) / static_cast<double>(input.size());
                },
                {{{kNan, kNan, kNan, 0}, {kNan, kNan, kNan, 1}, "[NaN, NaN, NaN, 0]", "[NaN, NaN, NaN, 1]"}});
}

// Bounds that were not declared are read off the data.
Target bounds_from_data(bool right) {
  const Laplace unit(1);
  return target(twin_name("bounds-from-data", right), Promise::pure(1), numbers(1),
                [unit, right](auto input, auto row, auto& source) {
                  double sum = 0, most = 0;
                  for (const double x : input) {
                    sum += std::clamp(x, 0.0, kDeclared);
                    most = std::max(most, x);
                  }
                  row[0] = sum + (right ? kDeclared : most) * unit.draw(source);
                },
                {{{1, 1}, {1, 1, 8}}});
}

// Values 0 to 3 around their middle, which are at most 3/2 away: 3 / 2 is 1 in whole numbers.
Target odd_range(bool right) {
  const long range = 3;
  const Laplace noise(right ? Rational(range, 2) : Rational(range / 2));
  return target(twin_name("odd-range", right), Promise::pure(1), numbers(1),
                [noise](auto input, auto row, auto& source) {
                  double sum = 0;
                  for (const double x : input) sum += std::clamp(x, 0.0, 3.0) - 1.5;
                  row[0] = sum + noise.draw(source);
                },
                {{{1, 2}, {1, 2, 3}}});
}

// 65536 keys a person, 65537 rows a key: their product in 32 bits is 65536. Counts in units of 65536 rows.
Target product_wraps(bool right) {
  const std::uint32_t keys = 65536, rows = 65537;
  const std::uint32_t wrapped = keys * rows;
  const Laplace noise(right ? Rational(static_cast<long>(rows)) : Rational(static_cast<long>(wrapped / keys)));
  return target(twin_name("product-wraps", right), Promise::pure(1), numbers(1),
                [noise](auto input, auto row, auto& source) { row[0] = input[0] + noise.draw(source); },
                {{{0}, {65537}}});
}

// Rows are taken two by two, and an odd one is dropped: with one row more both are kept, so the count moves by 2.
Target odd_row(bool right) {
  const Laplace noise(right ? 2 : 1);
  return target(twin_name("odd-row", right), Promise::pure(1), numbers(1),
                [noise](auto input, auto row, auto& source) {
                  row[0] = static_cast<double>(input.size() - input.size() % 2) + noise.draw(source);
                },
                {{{1, 1, 1}, {1, 1, 1, 1}}});
}

// A tree of counts over eight leaves, four levels with the root. A person's four rows move one node of each level by 4:
// the squared distance is 4^2 x 4. The planted one takes it for levels times rows, 4 x 4, so that rho is 2 and not 1/2.
Target tree_distance(bool right) {
  constexpr std::size_t kLeaves = 8, kNodes = 2 * kLeaves - 1;
  const Gaussian noise(right ? 8 : 4);  // sigma^2 = squared distance / (2 rho)
  return target(twin_name("tree-distance", right), Promise(accounting::ConcentratedDp{{1, 2}, 0}), numbers(kNodes),
                [noise](auto leaves, auto row, auto& source) {
                  std::array<double, kNodes> counts;  // the root first, below i are 2 i + 1 and 2 i + 2
                  for (std::size_t i = kNodes; i-- > 0;) {
                    counts[i] = i + 1 < kLeaves ? counts[2 * i + 1] + counts[2 * i + 2] : leaves[i + 1 - kLeaves];
                    row[i] = counts[i] + noise.draw(source);
                  }
                },
                {{{5, 5, 5, 5, 5, 5, 5, 5}, {5, 5, 9, 5, 5, 5, 5, 5}}});
}

}  // namespace

void add_wrong_sensitivity(std::vector<Entry>& to) {
  plant<local_sensitivity>(to, {"local-sensitivity",
                                "a median with noise for this data",
                                "with noise for any data",
                                kInfinite,
                                {"W-69", "W-77"}});
  plant<replace_as_add>(
      to, {"replace-as-add", "replace-one with the sensitivity of add/remove", "with its own", 2, {"W-69", "W-75"}});
  plant<noise_by_true_count>(to, {"noise-by-true-count",
                                  "noise divided by the true count",
                                  "by a noisy count",
                                  kInfinite,
                                  {"W-69", "T-47"},
                                  all_but({}),
                                  "hockey-stick"});
  plant<mean_without_nan>(
      to, {"mean-without-nan", "noise divided by the length, NaN included", "by a noisy count", 4, {"peers 41"}});
  plant<bounds_from_data>(
      to, {"bounds-from-data", "bounds read off the data", "declared bounds", kInfinite, {"W-69", "peers 43"}});
  plant<odd_range>(to, {"odd-range", "an odd range halved in whole numbers", "halved in fractions", 1.5, {"peers 21"}});
  plant<odd_row>(to, {"odd-row", "drops an odd row, counted as stability 1", "as stability 2", 2, {"peers 13"}});
  plant<tree_distance>(to, {"tree-distance",
                            "a tree of counts with the wrong L2 distance",
                            "the root of its levels times the rows",
                            kInfinite,
                            {"peers 6"},
                            all_but({"stat-dp", "dp-finder", "kernel", "stochastic"})});
  plant<product_wraps>(to, {"product-wraps", "a product of two limits wraps", "it does not", 65537, {"peers 26"}});
}

}  // namespace dither::audit::zoo
