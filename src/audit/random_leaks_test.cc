// Random mechanisms with a planted leak, and their right twins: what the default tester sees, by itself.
//
// Every mechanism says a number with Laplace noise of scale 1 and, beside it or instead of it, something that depends on a
// bit. Planted: the bit is the input. Right: a fair coin of each run, whatever the input. Claim: epsilon 1, which the
// right ones keep with nothing to spare. The leak is total in the share of the outputs that shows it.
//
// False alarm  each right twin is called violated with probability 1e-12 at most; there are fewer than 100: below 1e-10.
// Misses       a leak in a share p of the outputs is seen kRuns p / 8 times in the half of the search that learns, 75 times
//              on average at least: fewer than 25 times with a probability below 1e-9. Leaks in every output are seen 7500
//              times. What is seen so often was always chosen, and proven: 20 seeds of all kinds missed none.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "audit/false_alarms_check.h"
#include "audit/foreign.h"
#include "base/error.h"
#include "random/discrete_laplace.h"
#include "random/source.h"
#include "random/uniform.h"
#include "testing/choices.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

using random::Source;
using testing::Choices;

constexpr std::int64_t kRuns = 60'000;

std::uint64_t below(std::uint64_t n, Source& source) { return random::uniform_below(n, source); }
bool coin(Source& source) { return source.bits(1) == 1; }

// On a grid of 1/1024, so that no bits leak.
double noisy(double value, Source& source) {
  static const random::DiscreteLaplace law(1024);
  return value + static_cast<double>(law.draw(source)) / 1024;
}

// A text that hardly ever comes twice.
struct Texts {
  std::string alphabet;
  std::size_t least;

  std::string draw(Source& source) const {
    std::string text;
    for (std::size_t size = least + below(6, source); size > 0; --size)
      text += alphabet[below(alphabet.size(), source)];
    return text;
  }
};
Texts texts_of(Choices& choices) {
  static const std::vector<std::string> alphabets = {"0123456789", "abcdefghijklmnop", "0123456789abcdef",
                                                     "ABCDEFGHijklmnop0123", "acegikmoqsuwy .,;"};
  return {choices.one_of(alphabets), 12 + choices.below(12)};
}

// What is said of a bit; parameters are chosen once for each mechanism.
using Says = std::function<RunValue(bool bit, double number, Source& source)>;
struct Kind {
  std::string name;
  Says (*make)(Choices& choices);
};

RunValue beside(double number, std::string text) { return {.cells = {number, std::move(text)}}; }

Says text_end(Choices& choices) {
  return [texts = texts_of(choices), front = choices.below(2) == 0](bool bit, double number, Source& source) {
    const std::string mark = bit ? "a" : "b", text = texts.draw(source);
    return beside(number, front ? mark + text : text + mark);
  };
}

Says text_length(Choices& choices) {
  return [texts = texts_of(choices)](bool bit, double number, Source& source) {
    std::string text = texts.draw(source);
    if ((text.size() % 2 == 1) != bit) text += texts.alphabet[below(texts.alphabet.size(), source)];
    return beside(number, text);
  };
}

Says text_character(Choices& choices) {
  return [texts = texts_of(choices), marks = choices.one_of(std::vector<std::string>{"xz", "#%", "XZ", "RT"})](
             bool bit, double number, Source& source) {
    std::string text = texts.draw(source);
    text.insert(1 + below(text.size() - 2, source), 1, bit ? marks[0] : marks[1]);
    return beside(number, text);
  };
}

Says text_neighbours(Choices& choices) {
  return [texts = texts_of(choices)](bool bit, double number, Source& source) {
    std::string text = texts.draw(source);
    text.insert(1 + below(text.size() - 2, source), bit ? "vw" : "wv");
    return beside(number, text);
  };
}

Says text_number(Choices& choices) {
  return [spread = static_cast<double>(2 + choices.below(1000)), front = choices.below(2) == 0](bool bit, double number,
                                                                                                Source& source) {
    const double around = noisy(bit ? spread * 20 : 0, source);
    return RunValue{.cells = {front ? fmt::format("{} people, {} rows", around, below(1'000'000, source))
                                    : fmt::format("of {}: {}", number, around)}};
  };
}

Says text_order_of_parts(Choices& choices) {
  return [mark = choices.one_of(std::vector<std::string>{",", "; ", "|", " "}), numbers = choices.below(2) == 0](
             bool bit, double number, Source& source) {
    std::vector<std::uint64_t> parts;
    for (int i = 0; i < 3; ++i) parts.push_back(100'000 + below(900'000, source));
    std::sort(parts.begin(), parts.end());
    if (!bit) std::reverse(parts.begin(), parts.end());
    const std::string letter = numbers ? "" : "k";
    return beside(number, fmt::format("{0}{2}{1}{0}{3}{1}{0}{4}", letter, mark, parts[0], parts[1], parts[2]));
  };
}

Says text_order_of_characters(Choices& choices) {
  return [texts = texts_of(choices)](bool bit, double number, Source& source) {
    std::string text = texts.draw(source);
    if (bit) std::sort(text.begin(), text.end());
    return beside(number, text);
  };
}

Says text_digits(Choices& choices) {
  return [digits = 1 + choices.below(4)](bool bit, double number, Source& source) {
    std::string text;
    for (int i = 0; i < 24; ++i) text += static_cast<char>('a' + below(26, source));
    for (std::uint64_t i = 0; i < digits + (bit ? 1 : 0); ++i) {
      text[1 + 4 * i + below(4, source)] = static_cast<char>('0' + below(10, source));
    }
    return beside(number, text);
  };
}

// So often something comes that only a bit decides.
double rare_share(Choices& choices) { return 0.01 + 0.01 * static_cast<double>(choices.below(3)); }
bool is_rare(double share, Source& source) {
  return below(1'000'000, source) < static_cast<std::uint64_t>(1e6 * share);
}

Says rare_value(Choices& choices) {
  return [share = rare_share(choices), at = static_cast<double>(choices.below(100)) / 3](bool bit, double number,
                                                                                         Source& source) {
    return RunValue{.cells = {is_rare(share, source) ? (bit ? at : -at - 1) : number}};
  };
}

Says rare_extreme(Choices& choices) {
  return [share = rare_share(choices), far = std::pow(10.0, static_cast<double>(2 + choices.below(6)))](
             bool bit, double number, Source& source) {
    const double size = (1 + static_cast<double>(below(1000, source)) / 1000) * far;
    return RunValue{.cells = {is_rare(share, source) ? (coin(source) ? 1 : -1) * (bit ? 3 * size : size) : number}};
  };
}

Says rare_word(Choices& choices) {
  return [share = rare_share(choices)](bool bit, double number, Source& source) {
    const bool rare = is_rare(share, source);
    return beside(number, rare ? fmt::format("error {} of {}", bit ? "5" : "6", below(1'000'000, source)) : "fine");
  };
}

Says rare_not_a_number(Choices& choices) {
  return [share = rare_share(choices)](bool bit, double number, Source& source) {
    const double odd = bit ? std::nan("") : HUGE_VAL;
    return RunValue{.cells = {is_rare(share, source) ? odd : number}};
  };
}

// So rare that the columns are learnt without it, mostly.
Says rare_shape(Choices& choices) {
  return [share = rare_share(choices)](bool bit, double number, Source& source) {
    if (!is_rare(share, source)) return RunValue{.cells = {number}};
    return RunValue{.cells = {number, noisy(bit ? 1000 : 0, source), std::string("more")}};
  };
}

Says rare_list(Choices& choices) {
  return [share = rare_share(choices)](bool bit, double, Source& source) {
    if (!is_rare(share, source)) return RunValue{};
    return RunValue{.cells = {std::string(bit ? "k1" : "k2"), noisy(5, source)}};
  };
}

Says equal_words(Choices&) {
  return [](bool bit, double number, Source& source) {
    const std::string one = fmt::format("u{}", below(1'000'000, source));
    return RunValue{.cells = {number, one, bit ? one : fmt::format("u{}", below(1'000'000, source))}};
  };
}

Says equal_numbers(Choices&) {
  return [](bool bit, double, Source& source) {
    const auto one = static_cast<double>(below(1'000'000, source));
    return RunValue{.cells = {one, bit ? one : static_cast<double>(below(1'000'000, source))}};
  };
}

Says order_of_numbers(Choices& choices) {
  return [columns = 2 + choices.below(4)](bool bit, double, Source& source) {
    RunValue run;
    std::vector<double> numbers;
    for (std::uint64_t i = 0; i < columns; ++i) numbers.push_back(static_cast<double>(below(1'000'000, source)));
    std::sort(numbers.begin(), numbers.end());
    if (!bit) std::reverse(numbers.begin(), numbers.end());
    for (const double one : numbers) run.cells.emplace_back(one);
    return run;
  };
}

Says sum_of_numbers(Choices& choices) {
  return [whole = choices.below(2) == 0](bool bit, double, Source& source) {
    const auto one = static_cast<double>(below(1'000'000, source)),
               other = static_cast<double>(below(1'000'000, source));
    if (!whole) {  // the fraction of their sum: each is uniform by itself
      const double share = std::fmod(1e6 + 1e6 + (bit ? 0.25e6 : 0.75e6) + other / 10 - one, 1e6);
      return RunValue{.cells = {one / 1e6, share / 1e6}};
    }
    const bool odd = std::fmod(one + other, 2) != 0;
    return RunValue{.cells = {one, odd == bit ? other : other + 1}};
  };
}

Says quotient_of_numbers(Choices& choices) {
  return [factor = static_cast<double>(3 + choices.below(5))](bool bit, double, Source& source) {
    const double one = noisy(0, source);
    return RunValue{.cells = {one, (bit ? factor : -factor) * one}};
  };
}

Says word_and_number(Choices& choices) {
  return [far = static_cast<double>(5 + choices.below(50))](bool bit, double number, Source& source) {
    const bool side = coin(source);
    return RunValue{.cells = {std::string(side ? "left" : "right"), number + (side == bit ? far : -far)}};
  };
}

const std::vector<Kind> kKinds = {
    {"a text's first or last character", text_end},
    {"a text's length", text_length},
    {"a character somewhere", text_character},
    {"the order of two neighbouring characters", text_neighbours},
    {"a number inside a text", text_number},
    {"the order of a text's parts", text_order_of_parts},
    {"the order of a text's characters", text_order_of_characters},
    {"a text's digits", text_digits},
    {"a rare value", rare_value},
    {"a rare and extreme number", rare_extreme},
    {"a rare word", rare_word},
    {"a rare NaN", rare_not_a_number},
    {"a rare shape of outputs", rare_shape},
    {"a rare output among empty ones", rare_list},
    {"whether two words are equal", equal_words},
    {"whether two numbers are equal", equal_numbers},
    {"the order of numbers", order_of_numbers},
    {"the sum of two numbers", sum_of_numbers},
    {"the quotient of two numbers", quotient_of_numbers},
    {"a word and a number together", word_and_number},
};

Report audit(const Says& says, bool planted, std::uint64_t seed) {
  const auto input = [&](bool bit) -> ForeignInput {
    return {bit ? "1" : "0", [=](std::int64_t runs) {
              std::vector<RunValue> values;
              Source& source = Source::this_thread();
              for (std::int64_t i = 0; i < runs; ++i) {
                values.push_back(says(planted ? bit : coin(source), noisy(bit ? 1 : 0, source), source));
              }
              return values;
            }};
  };
  const LearntTarget learnt =
      learn_target("random", {{input(false), input(true)}}, Promise::pure(1), {}, [](const std::string& status) {
        throw Error{Code::bad_source, "failed in every run: " + status, "-"};
      });
  Effort effort = foreign_effort(kRuns, std::chrono::hours(2));
  effort.false_alarm = 1e-12;
  effort.seed = seed;
  return test_foreign(learnt, {"likelihood"}, effort).at(0);
}

// By day every leak once, and half of the twins; by night all, ten times.
TEST(RandomLeaks, PlantedLeaksAreCaughtAndTheirTwinsAreNot) {
  const bool night = check::nightly();
  for (std::uint64_t round = 0; round < (night ? 10 : 1); ++round) {
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
      const std::uint64_t seed = testing::run_seed() + 1000 * round + i;
      Choices choices(seed);
      const Says says = kKinds[i].make(choices);
      const Report wrong = audit(says, true, seed);
      EXPECT_EQ(wrong.verdict, Verdict::violated)
          << kKinds[i].name << ", bound " << wrong.lower_bound << " at " << (wrong.witness ? wrong.witness->event : "");
      if (!night && (i + testing::run_seed()) % 2 != 0) continue;
      const Report right = audit(says, false, seed);
      EXPECT_EQ(right.verdict, Verdict::none_found)
          << kKinds[i].name << ": " << (right.witness ? right.witness->event : "");
      EXPECT_GT(right.runs, 0) << kKinds[i].name;
    }
  }
}

}  // namespace
}  // namespace dither::audit
