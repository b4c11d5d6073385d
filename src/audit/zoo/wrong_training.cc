// Training with noise: who is in a batch, what an update weighs, updates of nothing.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "audit/zoo/make.h"

namespace dither::audit::zoo {

namespace {

constexpr std::size_t kRecords = 4;

// Two batches of four records, normal noise of sigma 1/4 on the sum of each. The claim is that of Poisson sampling: each
// record is in each batch by a coin of its own, so that in a quarter of the runs it is in none. Then the least delta at
// epsilon 1 is 0.6862 (numeric integration over both noisy sums; one record more, or less). Of a shuffle's halves each
// record is in one, always: 0.9014.
Target shuffled_batches(bool right) {
  const Gaussian noise({1, 4});
  return target(twin_name("shuffled-batches", right), Promise::approximate(1, {687, 1000}), numbers(2),
                [noise, right](auto gradients, auto row, auto& source) {
                  double rest[kRecords];
                  std::copy(gradients.begin(), gradients.end(), rest);
                  double sums[2] = {0, 0};
                  for (std::size_t i = 0; i < kRecords; ++i) {
                    if (right) {
                      const std::uint64_t coins = source.word();
                      sums[0] += (coins & 1) != 0 ? rest[i] : 0;
                      sums[1] += (coins & 2) != 0 ? rest[i] : 0;
                    } else {
                      std::swap(rest[i], rest[i + source.word() % (kRecords - i)]);
                      sums[i < kRecords / 2 ? 0 : 1] += rest[i];
                    }
                  }
                  for (std::size_t i = 0; i < 2; ++i) row[i] = sums[i] + noise.draw(source);
                },
                {{{1, 0, 0, 0}, {0, 0, 0, 0}, "[one record of 1 and three of 0]", "[four records of 0]"}});
}

// The mean of eight clients' updates in [0, 1], with noise for a mean in which each counts for an eighth. One client has
// 1017 of 1024 examples, and updates are weighed by examples.
Target weighed_updates(bool right) {
  constexpr double clients = 8, examples = 1024, of_the_first = 1017;
  const Laplace noise({1, 8});
  return target(twin_name("weighed-updates", right), Promise::pure(1), numbers(1),
                [noise, right](auto updates, auto row, auto& source) {
                  double mean = 0;
                  for (std::size_t i = 0; i < updates.size(); ++i) {
                    const double weight = right ? 1 / clients : (i == 0 ? of_the_first : 1) / examples;
                    mean += weight * std::clamp(updates[i], 0.0, 1.0);
                  }
                  row[0] = mean + noise.draw(source);
                },
                {{{1, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}}});
}

// Updates are scaled to length 1; an update of nothing is divided by its length too, or stays nothing.
Target empty_update(bool right) {
  const Laplace noise(1);
  return target(twin_name("empty-update", right), Promise::pure(1), numbers(1),
                [noise, right](auto updates, auto row, auto& source) {
                  double sum = 0;
                  for (const double update : updates) sum += right && update == 0 ? 0 : update / std::abs(update);
                  row[0] = sum + noise.draw(source);
                },
                {{{2, 3}, {2, 0}}});
}

}  // namespace

void add_wrong_training(std::vector<Entry>& to) {
  plant<shuffled_batches>(to, {"shuffled-batches",
                               "shuffled batches at the price of Poisson sampling",
                               "Poisson sampling",
                               kInfinite,
                               {"peers 54"},
                               all_but({"kernel", "stochastic"})});
  plant<weighed_updates>(to, {"weighed-updates",
                              "updates weighed by examples, noise for equal weights",
                              "equal weights",
                              1017.0 / 128,
                              {"peers 55"}});
  plant<empty_update>(
      to,
      {"empty-update", "an update of nothing is divided by its length", "it stays nothing", kInfinite, {"peers 55"}});
}

}  // namespace dither::audit::zoo
