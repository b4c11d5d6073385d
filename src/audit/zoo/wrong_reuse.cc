// Noise that is used twice, or charged once for several answers.
#include <cmath>

#include "audit/zoo/make.h"

namespace dither::audit::zoo {

namespace {

// Two counts that one person is in, epsilon 1/2 each, with one draw for both or one for each.
Target reused_noise(bool right) {
  const Laplace law(2);
  return target(twin_name("reused-noise", right), Promise::pure(1), numbers(2),
                [law, right](auto input, auto row, auto& source) {
                  const double noise = law.draw(source);
                  row[0] = input[0] + noise;
                  row[1] = input[1] + (right ? law.draw(source) : noise);
                },
                {{{3, 3}, {4, 3}}, {{3, 3}, {4, 4}}});
}

// The generator is seeded with the data, "so that answers repeat": the noise says nothing that the data does not.
Target noise_from_data(bool right) {
  const Laplace law(1);
  return target(twin_name("noise-from-data", right), Promise::pure(1), numbers(1),
                [law, right](auto input, auto row, auto& source) {
                  const double seeded = std::sin(12.9898 * input[0] + 78.233) * 3;
                  row[0] = input[0] + (right ? law.draw(source) : std::round(seeded * 1024) / 1024);
                },
                {{{0}, {1}}});
}

// Listed keys that are not in the data share one draw, so that a present one stands out.
Target absent_keys(bool right) {
  const Laplace law(1);
  return target(twin_name("absent-keys", right), Promise::pure(1), numbers(3),
                [law, right](auto input, auto row, auto& source) {
                  const double shared = law.draw(source);
                  for (std::size_t i = 0; i < row.size(); ++i) {
                    row[i] = input[i] + (right || input[i] > 0 ? law.draw(source) : shared);
                  }
                },
                {{{0, 0, 0}, {0, 1, 0}}});
}

// Counts of everybody under 50 and of everybody over 30 are charged as if nobody were in both.
Target overlapping_parts(bool right) {
  const Laplace noise(1);
  return target(twin_name("overlapping-parts", right), Promise::pure(1), numbers(2),
                [noise, right](auto ages, auto row, auto& source) {
                  double young = 0, old = 0;
                  for (const double age : ages) {
                    young += age < 50 ? 1 : 0;
                    old += age >= (right ? 50 : 30) ? 1 : 0;
                  }
                  row[0] = young + noise.draw(source);
                  row[1] = old + noise.draw(source);
                },
                {{{20, 60}, {20, 60, 40}}});
}

// A person with rows in three groups moves three counts. Grouping does not make it one.
Target group_by_once(bool right) {
  const Laplace noise(right ? 3 : 1);
  return target(twin_name("group-by-once", right), Promise::pure(1), numbers(3),
                [noise](auto input, auto row, auto& source) {
                  for (std::size_t i = 0; i < row.size(); ++i) row[i] = input[i] + noise.draw(source);
                },
                {{{5, 5, 5}, {6, 6, 6}}});
}

// An answer that is made when it is read, and read twice: two draws for one charge. Or stored, and the same again.
Target lazy_noise(bool right) {
  const Laplace noise(1);
  return target(twin_name("lazy-noise", right), Promise::pure(1), numbers(2),
                [noise, right](auto input, auto row, auto& source) {
                  row[0] = input[0] + noise.draw(source);
                  row[1] = right ? row[0] : input[0] + noise.draw(source);
                },
                {{{3}, {4}}});
}

}  // namespace

void add_wrong_reuse(std::vector<Entry>& to) {
  plant<reused_noise>(
      to, {"reused-noise", "one draw for two counts", "a draw for each", kInfinite, {"W-69"}, all_but({"stat-dp"})});
  plant<noise_from_data>(to,
                         {"noise-from-data", "a generator seeded with the data", "fresh noise", kInfinite, {"W-69"}});
  plant<absent_keys>(to, {"absent-keys",
                          "keys that are not in the data share one draw",
                          "a draw for every listed key",
                          kInfinite,
                          {"peers 15"}});
  plant<overlapping_parts>(
      to, {"overlapping-parts", "parallel composition on parts that overlap", "parts that do not", 2, {"W-69"}});
  plant<group_by_once>(
      to, {"group-by-once", "grouping counted as stability 1", "three groups a person, three times", 3, {"W-69"}});
  plant<lazy_noise>(to, {"lazy-noise", "every reading draws anew", "what was drawn is kept", 2, {"peers 33"}});
}

}  // namespace dither::audit::zoo
