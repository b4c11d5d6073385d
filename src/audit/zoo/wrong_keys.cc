// Keys that are released when enough people have them: a threshold needs its delta. Noise is whole, epsilon 1.
#include "audit/zoo/make.h"

namespace dither::audit::zoo {

namespace {

// With q = e^-1, whole noise is at least k with probability q^k / (1 + q): .0364 for 3, .0134 for 4.
Mechanism keys_from(const Rational& scale, double least) {
  const random::DiscreteLaplace noise(scale);
  return [noise, least](auto counts, auto row, auto& source) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double noisy = counts[i] + static_cast<double>(noise.draw(source));
      if (counts[i] > 0 && noisy >= least) row[i] = noisy;
    }
  };
}

const std::vector<Neighbours> kOneKey = {{{0}, {1}, "nobody has the key", "one person has the key"}};

Target threshold_without_delta(bool right) {
  return target(twin_name("threshold-without-delta", right),
                right ? Promise::approximate(1, {365, 10000}) : Promise::pure(1), numbers(1), keys_from(1, 4), kOneKey);
}

// delta is counted for more than 4, and 4 is released.
Target threshold_atom(bool right) {
  return target(twin_name("threshold-atom", right), Promise::approximate(1, {134, 10000}), numbers(1),
                keys_from(1, right ? 5 : 4), kOneKey);
}

// Three keys a person, so scale 3 and three chances: .0290 each at a threshold of 10, .0077 each at 14.
Target threshold_for_one(bool right) {
  return target(twin_name("threshold-for-one", right), Promise::approximate(1, {291, 10000}), numbers(3),
                keys_from(3, right ? 14 : 10),
                {{{0, 0, 0}, {1, 1, 1}, "nobody has the keys", "one person has the three keys"}});
}

// Answers about few people are withheld, by their true number; or by the noisy one.
Target small_count_withheld(bool right) {
  const Laplace noise(1);
  return target(twin_name("small-count-withheld", right), Promise::pure(1), numbers(1),
                [noise, right](auto input, auto row, auto& source) {
                  const double noisy = input[0] + noise.draw(source);
                  if ((right ? noisy : input[0]) >= 5) row[0] = noisy;
                },
                {{{4}, {5}}});
}

}  // namespace

void add_wrong_keys(std::vector<Entry>& to) {
  plant<threshold_without_delta>(to, {"threshold-without-delta",
                                      "keys above a threshold at delta 0",
                                      "with the threshold's delta",
                                      kInfinite,
                                      {"W-69"},
                                      all_but({"kernel", "histogram"})});
  plant<threshold_atom>(to, {"threshold-atom",
                             "releases at the threshold, delta counted above it",
                             "releases above it",
                             kInfinite,
                             {"peers 2"},
                             all_but({"hockey-stick", "kernel", "histogram"})});
  plant<threshold_for_one>(to, {"threshold-for-one",
                                "the delta of one key for three",
                                "a third of it for each",
                                kInfinite,
                                {"peers 25"},
                                all_but({"kernel"})});
  plant<small_count_withheld>(to, {"small-count-withheld",
                                   "withheld when the true count is small",
                                   "when the noisy count is",
                                   kInfinite,
                                   {"W-69", "W-73"}});
}

}  // namespace dither::audit::zoo
