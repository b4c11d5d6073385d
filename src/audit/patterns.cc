#include "audit/patterns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.h"

namespace dither::audit {

namespace {

void require(const InputRules& rules) {
  if (rules.length == 0 || rules.length > 1'000'000) {
    throw Error{Code::bad_count, fmt::format("length of inputs is {}, but it is from 1 to 1000000", rules.length),
                "give the number of query answers that the mechanism takes"};
  }
  if (!(rules.step > 0) || !std::isfinite(rules.step)) {
    throw Error{Code::bad_scale, fmt::format("step is {}, but neighbours differ by a positive number", rules.step),
                "give how far one record can move one answer"};
  }
  if (!(rules.low <= rules.high)) {
    throw Error{Code::bad_bounds, fmt::format("the domain is [{}, {}]", rules.low, rules.high),
                "give the smaller end first"};
  }
}

struct Pattern {
  const char* name;
  std::vector<double> second;
  std::vector<double> first = {};  // no move where empty
};

// How far each coordinate lies from the middle, in steps.
std::vector<Pattern> patterns(std::size_t length) {
  const auto one = [&](double it, double rest) {
    std::vector<double> moves(length, rest);
    moves[0] = it;
    return moves;
  };
  std::vector<double> half(length, 1);
  std::fill(half.begin(), half.begin() + static_cast<std::ptrdiff_t>(length / 2), -1);
  std::vector<double> rising(length, 0);
  std::vector<double> falling(length, 0);
  for (std::size_t i = 0; i < length; ++i) (i < length / 2 ? falling : rising)[i] = 1;
  return {{"one above", one(1, 0)},
          {"one below", one(-1, 0)},
          {"one above, rest below", one(1, -1)},
          {"one below, rest above", one(-1, 1)},
          {"half half", half},
          {"all above", one(1, 1)},
          {"all below", one(-1, -1)},
          {"X shape", rising, falling}};
}

std::vector<double> placed(const std::vector<double>& moves, double middle, const InputRules& rules) {
  std::vector<double> result(rules.length, middle);
  for (std::size_t i = 0; i < moves.size(); ++i) result[i] += moves[i] * rules.step;
  for (double& value : result) value = std::clamp(value, rules.low, rules.high);
  return result;
}

// What both inputs have in common, twice as far apart, so that a move does not close the gap; the first one moves.
InputPair around_one(const Pattern& pattern, const InputRules& rules) {
  std::vector<double> moves = pattern.second;
  for (double& move : moves) move *= 2;
  InputPair pair{pattern.name, placed(moves, 2 * rules.step, rules), {}};
  pair.second = pair.first;
  pair.second[0] = std::clamp(pair.first[0] + rules.step, rules.low, rules.high);
  return pair;
}

void keep(const InputPair& pair, std::vector<InputPair>& pairs) {
  const auto alike = [&](const InputPair& other) { return other.first == pair.first && other.second == pair.second; };
  if (pair.first != pair.second && std::none_of(pairs.begin(), pairs.end(), alike)) pairs.push_back(pair);
}

double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

}  // namespace

std::vector<InputPair> pattern_inputs(const InputRules& rules) {
  require(rules);
  std::vector<InputPair> pairs;
  for (const Pattern& pattern : patterns(rules.length)) {
    const InputPair pair =
        rules.adjacent == Adjacent::one_coordinate
            ? around_one(pattern, rules)
            : InputPair{pattern.name, placed(pattern.first, 1, rules), placed(pattern.second, 1, rules)};
    keep(pair, pairs);
    if (rules.both_orders) keep({pair.name + ", exchanged", pair.second, pair.first}, pairs);
  }
  return pairs;
}

std::vector<InputPair> random_inputs(const InputRules& rules, int count, std::uint64_t seed) {
  require(rules);
  std::mt19937_64 random(seed);
  std::vector<InputPair> pairs;
  for (int tries = 0; static_cast<int>(pairs.size()) < count && tries < 100 * count; ++tries) {
    std::vector<double> first(rules.length);
    for (double& value : first)
      value = std::clamp(1 + std::round(6 * uniform(random) - 3) * rules.step, rules.low, rules.high);
    std::vector<double> second = first;
    const auto move = [&](std::size_t i) {
      second[i] = std::clamp(first[i] + rules.step * (static_cast<double>(random() % 3) - 1), rules.low, rules.high);
    };
    if (rules.adjacent == Adjacent::one_coordinate) {
      move(random() % rules.length);
    } else {
      for (std::size_t i = 0; i < rules.length; ++i) move(i);
    }
    keep({"random", std::move(first), std::move(second)}, pairs);
  }
  return pairs;
}

bool are_neighbours(const InputPair& pair, const InputRules& rules) {
  if (pair.first.size() != rules.length || pair.second.size() != rules.length) return false;
  std::size_t moved = 0;
  for (std::size_t i = 0; i < rules.length; ++i) {
    const auto inside = [&](double x) { return x >= rules.low && x <= rules.high; };
    if (!inside(pair.first[i]) || !inside(pair.second[i])) return false;
    if (std::abs(pair.first[i] - pair.second[i]) > rules.step * (1 + 1e-12)) return false;
    moved += pair.first[i] != pair.second[i] ? 1 : 0;
  }
  return rules.adjacent == Adjacent::all_coordinates || moved <= 1;
}

std::vector<InputPair> table_inputs(std::span<const double> table, std::span<const double> values, TableChange change) {
  const std::vector<double> all(table.begin(), table.end());
  std::vector<InputPair> pairs;
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (change == TableChange::add_remove) {
      std::vector<double> fewer = all;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(row));
      keep({"one row removed", all, std::move(fewer)}, pairs);
      continue;
    }
    for (const double value : values) {
      std::vector<double> other = all;
      other[row] = value;
      keep({"one row replaced", all, std::move(other)}, pairs);
    }
  }
  if (change == TableChange::add_remove) {
    for (const double value : values) {
      std::vector<double> more = all;
      more.push_back(value);
      keep({"one row added", all, std::move(more)}, pairs);
    }
  }
  return pairs;
}

std::string vector_text(std::span<const double> input) { return fmt::format("[{}]", fmt::join(input, ", ")); }

std::vector<Pair> pairs_of(const VectorMechanism& mechanism, std::span<const InputPair> inputs) {
  std::vector<Pair> pairs;
  const auto drawing = [&](const std::vector<double>& input) {
    return [draw = mechanism.draw, input](Outputs& out, std::int64_t runs, random::Source& source) {
      draw(input, out, runs, source);
    };
  };
  for (const InputPair& pair : inputs) {
    pairs.push_back({vector_text(pair.first), vector_text(pair.second), drawing(pair.first), drawing(pair.second)});
  }
  return pairs;
}

Target target_of(const VectorMechanism& mechanism, std::span<const InputPair> inputs) {
  return {mechanism.name, mechanism.promise, mechanism.shape, pairs_of(mechanism, inputs), mechanism.words};
}

}  // namespace dither::audit
