// Leaks that show in parts of texts, in rare outputs, or in what two columns say together. Claim: epsilon 1.
#include <algorithm>
#include <functional>
#include <string>

#include "audit/text_parts.h"
#include "audit/zoo/make.h"
#include "random/uniform.h"

namespace dither::audit::zoo {

namespace {

constexpr std::int64_t kFewSearch = 8'000, kFew = 40'000;  // runs, of leaks that are in every output
constexpr std::int64_t kRareSearch = 100'000;

// The input is shown; or a coin that knows nothing of it.
bool shown(double input, bool right, random::Source& source) { return right ? source.bits(1) == 1 : input != 0; }

std::uint64_t six_digits(random::Source& source) { return 100'000 + random::uniform_below(900'000, source); }

// One text, with its parts as columns, as texts of other people's mechanisms have them.
Target text_target(const std::string& name, const std::function<std::string(double input, random::Source&)>& say) {
  Shape shape = text_parts_shape();
  shape.insert(shape.begin(), Reading::word);
  Words words;
  Target made = target(name, Promise::pure(1), shape,
                       [say, words](auto input, auto row, auto& source) mutable {
                         const std::string text = say(input[0], source);
                         row[0] = words.code(text);
                         write_text_parts(text, words, row.subspan(1));
                       },
                       {{{0}, {1}}});
  made.words = words;
  made.parts = kTextParts;
  return made;
}

// A record's number, of which none comes twice, ends in a letter.
Target text_end(bool right) {
  return text_target(twin_name("text-end", right), [right](double input, auto& source) {
    const std::string digits = std::to_string(six_digits(source)) + std::to_string(six_digits(source));
    return digits + (shown(input, right, source) ? "a" : "b");
  });
}

// Two groups in one text, the larger one first; or in an order that means nothing.
Target text_order(bool right) {
  return text_target(twin_name("text-order", right), [right](double input, auto& source) {
    const std::uint64_t one = six_digits(source), other = six_digits(source);
    const auto [least, most] = std::minmax(one, other);
    const bool rises = shown(input, right, source);
    return "of " + std::to_string(rises ? least : most) + ", " + std::to_string(rises ? most : least);
  });
}

// Debug output is left on for three answers of a thousand.
Target rare_leak(bool right) {
  const Laplace noise(1);
  return target(twin_name("rare-leak", right), Promise::pure(1), numbers(1),
                [noise, right](auto input, auto row, auto& source) {
                  const bool rare = random::uniform_below(1000, source) < 3;
                  row[0] = rare ? 1000 + (shown(input[0], right, source) ? 1 : 0) : input[0] + noise.draw(source);
                },
                {{{0}, {1}}});
}

// Two random names, which are one and the same where the input is 1.
Target equal_words(bool right) {
  return target(twin_name("equal-words", right), Promise::pure(1), {Reading::word, Reading::word},
                [right](auto input, auto row, auto& source) {
                  row[0] = static_cast<double>(six_digits(source));
                  row[1] = shown(input[0], right, source) ? row[0] : static_cast<double>(six_digits(source));
                },
                {{{0}, {1}}});
}

}  // namespace

void add_blind_spots(std::vector<Entry>& to) {
  plant<text_end>(to,
                  {"text-end",
                   "a random text ends in a letter of the input",
                   "in a letter that means nothing",
                   kInfinite,
                   {"W-69"},
                   all_but({"kernel"}),
                   "",
                   kFewSearch,
                   kFew},
                  0);
  plant<text_order>(to,
                    {"text-order",
                     "a text lists two groups by their true order",
                     "by no order",
                     kInfinite,
                     {"W-69"},
                     all_but({}),
                     "",
                     kFewSearch,
                     kFew},
                    0);
  plant<rare_leak>(to,
                   {"rare-leak",
                    "shows the input in 0.3% of its outputs",
                    "shows a coin there",
                    kInfinite,
                    {"W-69"},
                    {"likelihood"},
                    "",
                    kRareSearch},
                   1);
  plant<equal_words>(to,
                     {"equal-words",
                      "two random words are the same for one input",
                      "by chance",
                      kInfinite,
                      {"W-69"},
                      {"hockey-stick", "renyi", "stochastic", "histogram", "likelihood"},
                      "",
                      kFewSearch,
                      kFew},
                     0);
}

}  // namespace dither::audit::zoo
