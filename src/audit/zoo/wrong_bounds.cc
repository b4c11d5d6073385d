// Values and contributions that are not held to the bounds the noise is made for. Claim: epsilon 1.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "audit/zoo/make.h"

namespace dither::audit::zoo {

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

// A sum of values declared to lie in [0, 1], with and without the clamp.
Target missing_clamp(bool right) {
  const Laplace noise(1);
  return target(twin_name("missing-clamp", right), Promise::pure(1), numbers(1),
                [noise, right](auto input, auto row, auto& source) {
                  double sum = 0;
                  for (const double x : input) sum += right ? std::clamp(x, 0.0, 1.0) : x;
                  row[0] = sum + noise.draw(source);
                },
                {{{1, 1}, {1, 1, 4}}});
}

// Comparisons with NaN are false, so this clamp lets it through and the whole sum is NaN.
Target nan_clamp(bool right) {
  const Laplace noise(1);
  return target(twin_name("nan-clamp", right), Promise::pure(1), numbers(1),
                [noise, right](auto input, auto row, auto& source) {
                  double sum = 0;
                  for (double x : input) {
                    if (x < 0 || (right && std::isnan(x))) x = 0;
                    if (x > 1) x = 1;
                    sum += x;
                  }
                  row[0] = sum + noise.draw(source);
                },
                {{{1, 0}, {1, 0, kNan}, "[1, 0]", "[1, 0, NaN]"}});
}

// A mean that fails when it meets NaN: the error is an answer without noise.
Target error_on_nan(bool right) {
  const Laplace noise(1);
  return target(twin_name("error-on-nan", right), Promise::pure(1), {Reading::word, Reading::number},
                [noise, right](auto input, auto row, auto& source) {
                  double sum = 0;
                  for (const double x : input) sum += right && std::isnan(x) ? 0 : x;
                  row[0] = std::isnan(sum) ? 1 : 0;  // 1: "cannot impute"
                  if (!std::isnan(sum)) row[1] = sum + noise.draw(source);
                },
                {{{1, 0}, {1, 0, kNan}, "[1, 0]", "[1, 0, NaN]"}});
}

// One row of a person counts, says the noise; the sampler that keeps them stops one too late.
Target off_by_one_rows(bool right) {
  const Laplace noise(1);
  return target(twin_name("off-by-one-rows", right), Promise::pure(1), numbers(1),
                [noise, right](auto owners, auto row, auto& source) {
                  std::map<double, int> kept;
                  double count = 0;
                  for (const double owner : owners) {
                    if (kept[owner]++ < (right ? 1 : 2)) count += 1;
                  }
                  row[0] = count + noise.draw(source);
                },
                {{{7, 7, 7, 8}, {8}, "rows of 7, 7, 7, 8", "rows of 8"}});
}

// Distinct values, one a person. The planted one bounds only values that nobody else has, so that a person who repeats
// the values of another frees them all. Input: pairs of owner and value.
Target distinct_shared(bool right) {
  const Laplace noise(1);
  return target(twin_name("distinct-shared", right), Promise::pure(1), numbers(1),
                [noise, right](auto rows, auto row, auto& source) {
                  std::map<double, std::set<double>> owners_of;
                  for (std::size_t i = 0; i + 1 < rows.size(); i += 2) owners_of[rows[i + 1]].insert(rows[i]);
                  std::set<double> used, counted;
                  for (const auto& [value, owners] : owners_of) {
                    if (!right && owners.size() > 1) counted.insert(value);
                    for (const double owner : owners) {
                      if (!counted.contains(value) && used.insert(owner).second) counted.insert(value);
                    }
                  }
                  row[0] = static_cast<double>(counted.size()) + noise.draw(source);
                },
                {{{1, 1, 1, 2, 1, 3, 1, 4},
                  {1, 1, 1, 2, 1, 3, 1, 4, 2, 1, 2, 2, 2, 3, 2, 4},
                  "one person with the values 1 to 4",
                  "two persons with the values 1 to 4"}});
}

// Vectors of norm at most 1 are to be added; the planted one clips the sum, which one person can turn around.
Target clip_after(bool right) {
  const Laplace noise(1);
  return target(twin_name("clip-after", right), Promise::pure(1), numbers(1),
                [noise, right](auto input, auto row, auto& source) {
                  double sum = 0;
                  for (const double x : input) sum += right ? std::clamp(x, -1.0, 1.0) : x;
                  row[0] = (right ? sum : std::clamp(sum, -1.0, 1.0)) + noise.draw(source);
                },
                {{{1, 1, 1}, {1, 1, 1, -1000}}});
}

}  // namespace

void add_wrong_bounds(std::vector<Entry>& to) {
  plant<missing_clamp>(to, {"missing-clamp", "a sum without its clamp", "with it", 4, {"W-69"}});
  plant<nan_clamp>(
      to, {"nan-clamp", "NaN passes the clamp", "NaN is the lower bound", kInfinite, {"peers 26", "peers 40", "W-69"}});
  plant<error_on_nan>(to, {"error-on-nan", "NaN makes the run fail", "NaN counts as 0", kInfinite, {"peers 14"}});
  plant<off_by_one_rows>(to, {"off-by-one-rows",
                              "keeps one row a person too many",
                              "keeps as many as it says",
                              2,
                              {"W-69", "W-62"},
                              all_but({}),
                              "stochastic"});
  plant<distinct_shared>(to, {"distinct-shared",
                              "shared values escape the bound of distinct values",
                              "one value a person, shared or not",
                              3,
                              {"peers 24"}});
  plant<clip_after>(to, {"clip-after", "clipped after adding", "clipped before", 2, {"peers 44"}});
}

}  // namespace dither::audit::zoo
