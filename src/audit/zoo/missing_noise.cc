// Noise that is made from the wrong parameters, or from none. Claim: epsilon 1, one person more.
#include <algorithm>
#include <cmath>
#include <optional>

#include "audit/zoo/make.h"

namespace dither::audit::zoo {

namespace {

// A count, and a sum of values between two bounds, half of epsilon each. A sum that is said to be moved by 0 gets no
// noise.
Target count_and_sum(std::string name, double low, double high, const Rational& moved_by, const Neighbours& pair) {
  const Laplace of_count(2);
  std::optional<Laplace> of_sum;
  if (moved_by > 0) of_sum.emplace(moved_by * 2);
  return target(std::move(name), Promise::pure(1), numbers(2),
                [=](auto input, auto row, auto& source) {
                  double sum = 0;
                  for (const double x : input) sum += std::clamp(x, low, high);
                  row[0] = static_cast<double>(input.size()) + of_count.draw(source);
                  row[1] = sum + (of_sum ? of_sum->draw(source) : 0);
                },
                {pair});
}

// All values are declared to be 1. The bounds are 0 apart, so no noise; but a row more moves the sum by 1.
Target equal_bounds(bool right) {
  return count_and_sum(twin_name("equal-bounds", right), 1, 1, right ? 1 : 0, {{1, 1}, {1, 1, 1}});
}

// A column for which nothing is declared: its range is taken for 0, and so is the noise.
Target missing_bounds(bool right) {
  return count_and_sum(twin_name("missing-bounds", right), right ? 0 : -kInfinite, right ? 1 : kInfinite, right ? 1 : 0,
                       {{0.25, 0.5}, {0.25, 0.5, 0.75}});
}

// Sums of values in [-1, 4] and in [0, 4], half of epsilon each. The largest absolute bound is taken from the lower
// bound twice: 1 instead of 4, and 0 instead of 4. Input: pairs of both values.
Target lower_bound_twice(bool right) {
  const Laplace first(right ? 8 : 2), second(8);
  return target(twin_name("lower-bound-twice", right), Promise::pure(1), numbers(2),
                [first, second, right](auto input, auto row, auto& source) {
                  double sums[2] = {0, 0};
                  for (std::size_t i = 0; i + 1 < input.size(); i += 2) {
                    sums[0] += std::clamp(input[i], -1.0, 4.0);
                    sums[1] += std::clamp(input[i + 1], 0.0, 4.0);
                  }
                  row[0] = sums[0] + first.draw(source);
                  row[1] = sums[1] + (right ? second.draw(source) : 0);
                },
                {{{1, 1}, {1, 1, 4, 4}, "[(1, 1)]", "[(1, 1), (4, 4)]"}});
}

constexpr double kDeclared = 8;  // the upper bound of values

// Values are clamped at a share of the number of rows, all of it here: clamp and noise tell the size of the table.
Target share_of_size(bool right) {
  const Laplace unit(1);
  return target(twin_name("share-of-size", right), Promise::pure(1), numbers(1),
                [unit, right](auto input, auto row, auto& source) {
                  const double high = right ? kDeclared : std::min(kDeclared, static_cast<double>(input.size()));
                  double sum = 0;
                  for (const double x : input) sum += std::clamp(x, 0.0, high);
                  row[0] = sum + high * unit.draw(source);
                },
                {{{8}, {8, 8}}});
}

constexpr double kRows = 4;  // a person

// Half of epsilon buys the upper bound: the largest of 2, 4 and 8 with five values in the half below it, or 1, by noisy
// counts, whose noise is made for one row. The other half is for the sum, and right. True epsilon: with four rows of 8
// the bound is 8 when noise of scale 2 is at least 1, without them when it is at least 5, which is e^2 times less
// likely; the sum moves by half of its scale. "Bound 8, sum at least 32" reaches 2 + 1/2.
Target implicit_bounds(bool right) {
  const Laplace of_bins(right ? 8 : 2), unit(1);
  return target(twin_name("implicit-bounds", right), Promise::pure(1), numbers(2),
                [of_bins, unit](auto input, auto row, auto& source) {
                  double high = 1;
                  for (const double edge : {2.0, 4.0, 8.0}) {
                    const auto rows =
                        std::count_if(input.begin(), input.end(), [&](double x) { return edge / 2 < x && x <= edge; });
                    if (static_cast<double>(rows) + of_bins.draw(source) >= 5) high = edge;
                  }
                  double sum = 0;
                  for (const double x : input) sum += std::clamp(x, 0.0, high);
                  row[0] = high;
                  row[1] = sum + 2 * kRows * high * unit.draw(source);
                },
                {{{}, {8, 8, 8, 8}, "no rows", "one person's four rows of 8"}});
}

}  // namespace

void add_missing_noise(std::vector<Entry>& to) {
  plant<equal_bounds>(to, {"equal-bounds",
                           "no noise where both bounds are the same",
                           "noise for the larger bound",
                           kInfinite,
                           {"peers 23"}});
  plant<missing_bounds>(
      to, {"missing-bounds", "no noise where bounds are missing", "bounds are declared", kInfinite, {"peers 30"}});
  plant<lower_bound_twice>(to, {"lower-bound-twice",
                                "the lower bound is taken for the upper one too",
                                "the larger bound counts",
                                kInfinite,
                                {"peers 42"}});
  plant<share_of_size>(to, {"share-of-size",
                            "values are clamped at a share of the true size",
                            "at a declared bound",
                            kInfinite,
                            {"peers 37"}});
  plant<implicit_bounds>(
      to, {"implicit-bounds", "bounds are bought as if a person had one row", "as for four rows", 2.5, {"peers 22"}});
}

}  // namespace dither::audit::zoo
