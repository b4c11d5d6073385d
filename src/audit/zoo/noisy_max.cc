// Report noisy max, right and wrong (T-51). Five answers, all of which one person may move by 1.
#include <algorithm>

#include "audit/zoo/make.h"

namespace dither::audit::zoo {

namespace {

enum class Noise { laplace, exponential };

// The index of the largest noisy answer (a word), or the noisy answer itself.
Target noisy_max(std::string name, Noise kind, bool shows_value, const std::vector<Neighbours>& pairs) {
  const Laplace noise(20);  // 2 / epsilon
  return target(
      std::move(name), Promise::pure({1, 10}), {shows_value ? Reading::number : Reading::word},
      [noise, kind, shows_value](auto input, auto row, auto& source) {
        double best = -kInfinite;
        std::size_t winner = 0;
        for (std::size_t i = 0; i < input.size(); ++i) {
          const double noisy = input[i] + (kind == Noise::laplace ? noise.draw(source) : noise.draw_positive(source));
          if (noisy > best) winner = i;
          best = std::max(best, noisy);
        }
        row[0] = shows_value ? best : static_cast<double>(winner);
      },
      pairs);
}

const Neighbours kRestBelow = {{1, 1, 1, 1, 1}, {2, 0, 0, 0, 0}};
const Neighbours kAllAbove = {{1, 1, 1, 1, 1}, {2, 2, 2, 2, 2}};

template <int kNumber>
Target make() {
  switch (kNumber) {
    case 1:
      return noisy_max("zoo.noisy-max-1", Noise::laplace, false, {kRestBelow});
    case 2:
      return noisy_max("zoo.noisy-max-2", Noise::exponential, false, {kRestBelow});
    case 3:
      return noisy_max("zoo.noisy-max-3", Noise::laplace, true, {kAllAbove});
    default:
      return noisy_max("zoo.noisy-max-4", Noise::exponential, true, {kAllAbove});
  }
}

// Index and value for the price of the index, six answers, epsilon 1.
Target max_and_value(bool right) {
  const Laplace choice(right ? 4 : 2);
  const Laplace value(2);  // half of epsilon for the value alone
  return target(twin_name("max-and-value", right), Promise::pure(1), {Reading::word, Reading::number},
                [choice, value, right](auto input, auto row, auto& source) {
                  double best = -kInfinite;
                  std::size_t winner = 0;
                  for (std::size_t i = 0; i < input.size(); ++i) {
                    const double noisy = input[i] + choice.draw(source);
                    if (noisy > best) winner = i;
                    best = std::max(best, noisy);
                  }
                  row[0] = static_cast<double>(winner);
                  row[1] = right ? input[winner] + value.draw(source) : best;
                },
                {{{0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}}});
}

}  // namespace

void add_noisy_max(std::vector<Entry>& to) {
  to.push_back({"zoo.noisy-max-1",
                "the index, Laplace noise",
                make<1>,
                false,
                "zoo.noisy-max-3",
                std::nullopt,
                {},
                "",
                {"T-51"},
                200'000,
                4'000'000});
  to.push_back({"zoo.noisy-max-2",
                "the index, exponential noise",
                make<2>,
                false,
                "zoo.noisy-max-4",
                0.1,
                {},
                "",
                {"T-51"},
                200'000,
                4'000'000});
  to.push_back({"zoo.noisy-max-3",
                "the largest noisy answer itself, Laplace noise",
                make<3>,
                true,
                "zoo.noisy-max-1",
                0.25,
                {"stat-dp", "delta-siege", "hockey-stick"},
                "stat-dp",
                {"T-51", "W-69"},
                200'000,
                4'000'000});
  to.push_back({"zoo.noisy-max-4",
                "the largest noisy answer itself, exponential noise",
                make<4>,
                true,
                "zoo.noisy-max-2",
                kInfinite,
                {"stat-dp", "delta-siege", "hockey-stick", "stochastic"},
                "stat-dp",
                {"T-51", "W-69"},
                200'000,
                4'000'000});
  plant<max_and_value>(to, {"max-and-value",
                            "index and noisy answer for the price of the index",
                            "half for the index, half for a fresh noisy answer",
                            3,
                            {"W-69"},
                            all_but({"kernel", "histogram"})});
}

}  // namespace dither::audit::zoo
