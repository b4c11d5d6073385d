#include "audit/search_inputs.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "base/error.h"

namespace dither::audit {

namespace {

// The pairs that one coordinate leads to.
std::vector<InputPair> around(const InputPair& pair, std::size_t at, double far, const InputRules& rules) {
  std::vector<InputPair> all;
  const auto try_values = [&](double first, double second) {
    InputPair next{"searched", pair.first, pair.second};
    next.first[at] = std::clamp(first, rules.low, rules.high);
    next.second[at] = std::clamp(second, rules.low, rules.high);
    if (next.first != next.second && are_neighbours(next, rules)) all.push_back(std::move(next));
  };
  for (const double sign : {1.0, -1.0}) try_values(pair.first[at] + sign * far, pair.second[at] + sign * far);
  for (const double move : {-1.0, 0.0, 1.0}) {
    const double moved = pair.first[at] + move * rules.step;
    if (moved != pair.second[at]) try_values(pair.first[at], moved);
  }
  return all;
}

}  // namespace

FoundInputs improve_inputs(const InputPair& start, const InputRules& rules, const Worth& worth, int tries,
                           std::uint64_t seed) {
  if (!are_neighbours(start, rules)) {
    throw Error{Code::bad_argument, "the inputs to start from are not neighbours under the rules",
                "start from pattern_inputs or random_inputs of the same rules"};
  }
  std::mt19937_64 random(seed);
  std::vector<std::size_t> order(rules.length);
  std::iota(order.begin(), order.end(), 0);
  FoundInputs best{start, worth(start)};
  for (double far = 4 * rules.step; tries > 0 && far >= rules.step;) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    bool better = false;
    for (const std::size_t at : order) {
      for (InputPair& next : around(best.inputs, at, far, rules)) {
        if (tries-- <= 0) return best;
        const double found = worth(next);
        if (found > best.worth) {
          best = {std::move(next), found};
          better = true;
          break;  // the others started from what is left behind
        }
      }
    }
    if (!better) far /= 2;
  }
  return best;
}

}  // namespace dither::audit
