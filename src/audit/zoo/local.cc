// Reports that people randomise themselves.
#include <algorithm>
#include <array>
#include <cmath>

#include "audit/zoo/make.h"
#include "random/bernoulli.h"
#include "random/subset.h"
#include "random/uniform.h"

namespace dither::audit::zoo {

namespace {

constexpr std::size_t kBits = 20;                 // of a Bloom filter
constexpr std::size_t kValues = 10, kChosen = 3;  // of a subset

// Bits of a Bloom filter are kept with probability 1 - f and else tossed; then each bit is reported as 1 with probability
// q or p. Inputs are the filter's bits: four hashes each, none in common, which is the worst case.
Target rappor(std::string name, const Rational& f, const Rational& p, const Rational& q, const Rational& claim) {
  const auto coin = [&](bool bit) {
    const Rational kept = bit ? Rational(1) - f / 2 : f / 2;
    return random::Bernoulli::with_probability(kept * q + (Rational(1) - kept) * p);
  };
  const std::array<random::Bernoulli, 2> coins = {coin(false), coin(true)};
  Input first(kBits), second(kBits);
  for (const std::size_t bit : {1, 6, 11, 16}) first[bit] = second[bit + 2] = 1;
  return target(std::move(name), Promise::pure(claim), numbers(kBits),
                [coins](auto input, auto row, auto& source) {
                  for (std::size_t i = 0; i < row.size(); ++i)
                    row[i] = coins[input[i] == 1 ? 1 : 0].draw(source) ? 1 : 0;
                },
                {{first, second}});
}

// 2 h ln(q* / p*) with h = 4: .4001 and .8007.
Target rappor_daily() { return rappor("zoo.rappor", {3, 4}, {9, 20}, {11, 20}, {4002, 10000}); }
Target rappor_once() { return rappor("zoo.rappor-once", {19, 20}, 0, 1, {8007, 10000}); }

// Six bits, each flipped with probability 1 / (1 + e^(1/4)): 2 bits may differ. The loop begins at 1 and counts down, so
// that the bit at the end is reported as it is.
Target last_bit(bool right) {
  const random::Bernoulli flip = random::Bernoulli::with_probability(Rational::parse("0.43783"));  // rounded up
  return target(twin_name("last-bit", right), Promise::pure({1, 2}), numbers(6),
                [flip, right](auto input, auto row, auto& source) {
                  for (std::size_t i = 0; i < row.size(); ++i) row[i] = input[i] == 1 ? 1 : 0;
                  for (std::size_t i = right ? 0 : 1; i < row.size(); ++i) {
                    if (flip.draw(source)) row[i] = 1 - row[i];
                  }
                },
                {{{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}}});
}

Channel last_bit_channel(bool right) {
  const Rational flip = Rational::parse("0.43783");
  const auto law = [&](unsigned own) {
    Law made;
    for (unsigned said = 0; said < 64; ++said) {
      std::vector<double> row;
      Rational likely = 1;
      for (unsigned i = 0; i < 6; ++i) {
        const bool same = (said >> i & 1) == (i == own ? 1 : 0);
        row.push_back(said >> i & 1);
        likely = likely * (i == 0 && !right ? Rational(same ? 1 : 0) : same ? Rational(1) - flip : flip);
      }
      made[row] = likely;
    }
    return made;
  };
  return written_out(last_bit(right), {law(0), law(1)});
}

// A set of 3 of 10 values, the own one in it with probability 3 e / (3 e + 7), rounded down; epsilon 1. Written in the
// order in which it was made: the own value comes first.
Rational own_in_set() {
  const double own = 3 * std::exp(1.0) / (3 * std::exp(1.0) + 7);
  return Rational::from_double(own - 1e-12);
}

Target subset_order(bool right) {
  const random::Bernoulli coin = random::Bernoulli::with_probability(own_in_set());
  return target(twin_name("subset-order", right), Promise::pure(1), Shape(kChosen, Reading::word),
                [coin, right](auto input, auto row, auto& source) {
                  const bool keep = coin.draw(source);
                  const std::size_t others = kChosen - (keep ? 1 : 0);
                  std::size_t at = 0;
                  if (keep) row[at++] = input[0];
                  for (const std::uint64_t other : random::choose(others, kValues - 1, source)) {
                    row[at++] = static_cast<double>(other) + (static_cast<double>(other) >= input[0] ? 1 : 0);
                  }
                  if (right) std::sort(row.begin(), row.end());
                },
                {{{2}, {7}}});
}

// 36 sets hold the own value, 84 do not.
Channel subset_order_channel(bool right) {
  const auto law = [&](double own) {
    Law made;
    for (double a = 0; a < kValues; ++a) {
      for (double b = a + 1; b < kValues; ++b) {
        for (double c = b + 1; c < kValues; ++c) {
          std::vector<double> set{a, b, c};
          const auto found = std::find(set.begin(), set.end(), own);
          const Rational likely = found != set.end() ? own_in_set() / 36 : (Rational(1) - own_in_set()) / 84;
          if (!right && found != set.end()) std::rotate(set.begin(), found, found + 1);
          made[set] = likely;
        }
      }
    }
    return made;
  };
  return written_out(subset_order(right), {law(2), law(7)});
}

// Half of the outputs of each side are the other's never: what a division of whole numbers counts as nothing.
Target disjoint_half(bool right) {
  return target(twin_name("disjoint-half", right), Promise::pure(Rational::parse("1.0987")),
                {Reading::word},  // ln 3, rounded up
                [right](auto input, auto row, auto& source) {
                  const std::uint64_t four = random::uniform_below(4, source);
                  row[0] = right ? (four == 0 ? 1 - input[0] : input[0]) : (four < 2 ? 2 : input[0]);
                },
                {{{0}, {1}}});
}

Channel disjoint_half_channel(bool right) {
  const auto law = [&](double own) {
    return right ? Law{{{own}, {3, 4}}, {{1 - own}, {1, 4}}} : Law{{{own}, {1, 2}}, {{2}, {1, 2}}};
  };
  return written_out(disjoint_half(right), {law(0), law(1)});
}

}  // namespace

void add_local(std::vector<Entry>& to) {
  to.push_back({"zoo.rappor",
                "a Bloom filter, randomised twice",
                rappor_daily,
                false,
                "",
                0.4001,
                {},
                "",
                {"T-51"},
                100'000,
                1'000'000});
  to.push_back({"zoo.rappor-once",
                "a Bloom filter, randomised once",
                rappor_once,
                false,
                "",
                0.8007,
                {},
                "",
                {"T-51"},
                100'000,
                1'000'000});
  plant<last_bit, last_bit_channel>(
      to,
      {"last-bit", "the loop that flips bits leaves one out", "every bit is flipped", kInfinite, {"peers 5", "W-69"}},
      2 * std::log(0.56217 / 0.43783));
  plant<subset_order, subset_order_channel>(
      to,
      {"subset-order", "the own value comes first in the reported set", "the set is sorted", kInfinite, {"peers 56"}},
      1);
  plant<disjoint_half, disjoint_half_channel>(to,
                                              {"disjoint-half",
                                               "half of the outputs belong to one input alone",
                                               "randomised response",
                                               kInfinite,
                                               {"peers 29"},
                                               all_but({}),
                                               "histogram"},
                                              std::log(3.0));
}

}  // namespace dither::audit::zoo
