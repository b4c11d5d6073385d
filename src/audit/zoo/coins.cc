// Answers that people randomise by coins: outputs so few that the exact examiner sees all of them.
#include <cmath>
#include <cstdint>

#include "audit/zoo/make.h"
#include "random/bernoulli.h"
#include "random/uniform.h"

namespace dither::audit::zoo {

namespace {

constexpr long kAnswers = 10, kOthers = kAnswers - 1;

// The truth, or one of the other answers. Numbers of others leave out the own one.
double other_answer(std::uint64_t number, double own) {
  const auto answer = static_cast<double>(number);
  return answer + (answer >= own ? 1 : 0);
}

// e / (e + others), rounded down.
Rational truth_among(long others) {
  return Rational::from_double(std::exp(1.0) / (std::exp(1.0) + static_cast<double>(others)) - 1e-12);
}

// Ten answers, and the coin that is right for two: e / (1 + e).
Target coin_for_two(bool right) {
  const random::Bernoulli truth = random::Bernoulli::with_probability(truth_among(right ? kOthers : 1));
  return target(twin_name("coin-for-two", right), Promise::pure(1), {Reading::word},
                [truth](auto input, auto row, auto& source) {
                  row[0] =
                      truth.draw(source) ? input[0] : other_answer(random::uniform_below(kOthers, source), input[0]);
                },
                {{{2}, {7}}});
}

Channel coin_for_two_channel(bool right) {
  const Rational truth = truth_among(right ? kOthers : 1);
  const auto law = [&](double own) {
    Law made;
    for (double answer = 0; answer < kAnswers; ++answer) made[{answer}] = (Rational(1) - truth) / kOthers;
    made[{own}] = truth;
    return made;
  };
  return written_out(coin_for_two(right), {law(2), law(7)});
}

// The other answer is what four random bits leave when divided by nine: the last two come half as often as the rest.
Target modulo_bias(bool right) {
  const random::Bernoulli truth = random::Bernoulli::with_probability(truth_among(kOthers));
  return target(twin_name("modulo-bias", right), Promise::pure(1), {Reading::word},
                [truth, right](auto input, auto row, auto& source) {
                  const std::uint64_t other = right ? random::uniform_below(kOthers, source) : source.bits(4) % kOthers;
                  row[0] = truth.draw(source) ? input[0] : other_answer(other, input[0]);
                },
                {{{0}, {9}}});
}

Channel modulo_bias_channel(bool right) {
  const Rational truth = truth_among(kOthers);
  const auto law = [&](double own) {
    Law made{{{own}, truth}};
    for (std::uint64_t other = 0; other < kOthers; ++other) {
      const Rational share = right ? Rational(1, kOthers) : Rational(other < 16 - kOthers ? 2 : 1, 16);
      made[{other_answer(other, own)}] = (Rational(1) - truth) * share;
    }
    return made;
  };
  return written_out(modulo_bias(right), {law(0), law(9)});
}

// "Heads: the truth. Tails: toss again and say whether it is heads." The planted one looks at the first coin again, so
// that who has nothing to hide never says yes.
Target one_coin(bool right) {
  return target(twin_name("one-coin", right), Promise::pure(Rational::parse("1.0987")), {Reading::word},  // ln 3
                [right](auto input, auto row, auto& source) {
                  const std::uint64_t heads = source.bits(1), again = right ? source.bits(1) : heads;
                  row[0] = heads == 1 ? input[0] : static_cast<double>(again);
                },
                {{{0}, {1}}});
}

Channel one_coin_channel(bool right) {
  const Rational yes = right ? Rational(1, 4) : Rational(0);  // without reason
  const Law no_law{{{0}, Rational(1) - yes}, {{1}, yes}};
  const Law yes_law{{{0}, Rational(1, 2) - yes}, {{1}, Rational(1, 2) + yes}};
  return written_out(one_coin(right), {no_law, yes_law});
}

// One of three bits is 1, each is flipped with probability 1/4, and two bits differ: 2 ln 3. Who is asked on two days
// says the same again; or flips anew, and an average over days has no noise in the end.
Target fresh_each_day(bool right) {
  const random::Bernoulli flip = random::Bernoulli::with_probability({1, 4});
  return target(twin_name("fresh-each-day", right), Promise::pure(Rational::parse("2.1973")), numbers(6),
                [flip, right](auto input, auto row, auto& source) {
                  for (std::size_t i = 0; i < 3; ++i) {
                    row[i] = flip.draw(source) ? 1 - input[i] : input[i];
                    row[i + 3] = right ? row[i] : flip.draw(source) ? 1 - input[i] : input[i];
                  }
                },
                {{{1, 0, 0}, {0, 1, 0}}});
}

Channel fresh_each_day_channel(bool right) {
  const auto law = [&](const std::vector<double>& bits) {
    Law made;
    for (unsigned said = 0; said < 64; ++said) {
      Rational likely = 1;
      std::vector<double> row;
      for (unsigned i = 0; i < 6; ++i) {
        row.push_back(said >> i & 1);
        const bool kept = row[i] == bits[i % 3], repeats = row[i] == row[i % 3];
        likely = likely * (!right || i < 3 ? Rational(kept ? 3 : 1, 4) : Rational(repeats ? 1 : 0));
      }
      made[row] = likely;
    }
    return made;
  };
  return written_out(fresh_each_day(right), {law({1, 0, 0}), law({0, 1, 0})});
}

}  // namespace

void add_coins(std::vector<Entry>& to) {
  const double odds = std::exp(1.0);
  plant<coin_for_two, coin_for_two_channel>(to,
                                            {"coin-for-two",
                                             "the coin for two answers keeps one of ten",
                                             "the coin for ten",
                                             std::log(odds * kOthers),
                                             {"W-69", "T-56"}},
                                            1);
  // The truth against the rarest lie: e / (e + 9) over 9 / (e + 9) / 16.
  plant<modulo_bias, modulo_bias_channel>(to,
                                          {"modulo-bias",
                                           "other answers are four random bits modulo nine",
                                           "all others are equally likely",
                                           std::log(odds * 16 / kOthers),
                                           {"W-69", "W-74"},
                                           all_but({"kernel"})},
                                          1);
  plant<one_coin, one_coin_channel>(
      to, {"one-coin", "the first coin is used again", "a second coin", kInfinite, {"W-69", "T-56"}}, std::log(3.0));
  plant<fresh_each_day, fresh_each_day_channel>(
      to, {"fresh-each-day", "flips anew on the second day", "repeats what it said", 4 * std::log(3.0), {"T-51"}},
      2 * std::log(3.0));
}

}  // namespace dither::audit::zoo
