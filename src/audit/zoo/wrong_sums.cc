// Sums whose arithmetic moves further than the noise is made for. Claim: epsilon 1, one row added.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "audit/zoo/make.h"

namespace dither::audit::zoo {

namespace {

double on_grid(double x) { return std::nearbyint(x / kStep) * kStep; }

// Adds Laplace noise of scale 1 to answers that were found before.
Target noisy_answer(std::string name, double first, double second, std::string first_words, std::string second_words) {
  const Laplace noise(1);
  return target(std::move(name), Promise::pure(1), numbers(1),
                [noise](auto input, auto row, auto& source) { row[0] = input[0] + noise.draw(source); },
                {{{first}, {second}, std::move(first_words), std::move(second_words)}});
}

// Values in [0, 1] in single precision. From 4096 on the last bit is worth 2^-11, so that a little more than half of it
// counts double; below, it counts once. The twin puts every value on the grid and adds exactly.
double single_precision_sum(std::size_t ones, bool right) {
  std::vector<float> values(ones, 1.0F);
  values.insert(values.end(), 4095, 0x1p-12F * (1 + 0x1p-20F));
  float single = 0;
  double exact = 0;
  for (const float value : values) {
    single += value;
    exact += on_grid(value);
  }
  return right ? exact : on_grid(single);
}

Target float_sum(bool right) {
  return noisy_answer(twin_name("float-sum", right), single_precision_sum(4096, right),
                      single_precision_sum(4095, right), "4096 ones and 4095 values near 2^-12",
                      "4095 ones and 4095 values near 2^-12");
}

// Values up to 2^30 in 32 bits, counted in units of 2^30: two of them are 2^31, which wraps to -2^31.
Target whole_sum_wraps(bool right) {
  const auto sum = [right](std::uint32_t rows) {
    const std::uint32_t bits = rows << 30;
    const double wrapped = static_cast<double>(static_cast<std::int32_t>(bits)) / 0x1p30;
    return right ? static_cast<double>(rows) : wrapped;
  };
  return noisy_answer(twin_name("whole-sum-wraps", right), sum(1), sum(2), "[2^30]", "[2^30, 2^30]");
}

// The sum of squared deviations of values in [10^8, 10^8 + 1]: as a difference of two large numbers, whose last bit is
// worth 2 to 8; or from the lower bound.
Target cancelled_squares(bool right) {
  const auto squares = [right](const std::vector<double>& values) {
    double sum = 0, of_squares = 0;
    for (const double value : values) {
      const double x = right ? value - 1e8 : value;
      sum += x;
      of_squares += x * x;
    }
    return of_squares - sum * sum / static_cast<double>(values.size());
  };
  return noisy_answer(twin_name("cancelled-squares", right), squares({1e8 + 1, 1e8 + 1}),
                      squares({1e8 + 1, 1e8 + 1, 1e8 + 1}), "two rows of 10^8 + 1", "three rows of 10^8 + 1");
}

// Values in [-10^38, 10^38] in single precision, added up by four: what doubles hold a million times over is infinite
// here from the fourth on, and infinity less infinity is no number. Answers in units of 10^38.
double single_precision_units(int above, int below, bool right) {
  float total = 0, part = 0;
  for (int i = 0; i < above + below; ++i) {
    part += i < above ? 1e38F : -1e38F;
    if (i % 4 != 3 && i + 1 < above + below) continue;
    total += part;
    part = 0;
  }
  return right ? above - below : on_grid(total / 1e38F);
}

Target float_overflow(bool right) {
  return noisy_answer(twin_name("float-overflow", right), single_precision_units(3, 4, right),
                      single_precision_units(4, 4, right), "three times 10^38 and four times -10^38",
                      "four times 10^38 and four times -10^38");
}

}  // namespace

void add_wrong_sums(std::vector<Entry>& to) {
  plant<float_sum>(to, {"float-sum", "a sum in single precision", "exact, on a grid", 2, {"W-69", "W-71"}});
  plant<float_overflow>(to, {"float-overflow",
                             "a sum of large values in single precision",
                             "in wider numbers",
                             kInfinite,
                             {"W-69", "peers 9", "W-71"}});
  plant<whole_sum_wraps>(to, {"whole-sum-wraps", "a sum in 32 bits wraps", "wide enough", 3, {"peers 27", "W-71"}});
  plant<cancelled_squares>(to, {"cancelled-squares",
                                "squared deviations by a difference of large numbers",
                                "from the declared lower bound",
                                4,
                                {"peers 8"}});
}

}  // namespace dither::audit::zoo
