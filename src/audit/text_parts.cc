#include "audit/text_parts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>

namespace dither::audit {

namespace {

constexpr std::size_t kFlags = 52;            // that fit into the fraction of a double
constexpr std::size_t kClasses = 2 * kFlags;  // two numbers hold their flags

struct Part {
  std::string_view name;
  Reading reading;
};
constexpr std::array<Part, kTextParts> kParts = {{
    {"the length of", Reading::number},
    {"the digits in", Reading::number},
    {"the capitals in", Reading::number},
    {"the spaces in", Reading::number},
    {"the marks in", Reading::number},
    {"the different characters of", Reading::number},
    {"the descents between characters of", Reading::number},
    {"the place of the first mark in", Reading::number},
    {"the first number in", Reading::number},
    {"the second number in", Reading::number},
    {"the last number in", Reading::number},
    {"the place in the order of texts of", Reading::number},
    {"the first character of", Reading::word},
    {"the first two characters of", Reading::word},
    {"the first three characters of", Reading::word},
    {"the last character of", Reading::word},
    {"the last two characters of", Reading::word},
    {"the last three characters of", Reading::word},
    {"the order of the parts of", Reading::word},
    {"the characters from space to S of", Reading::number},
    {"the characters from T of", Reading::number},
    {"the neighbouring characters (1) of", Reading::number},
    {"the neighbouring characters (2) of", Reading::number},
}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_capital(c) || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80; }
bool is_mark(char c) { return !is_digit(c) && !is_letter(c) && c != ' '; }

template <class Is>
double count(std::string_view text, const Is& is) {
  return static_cast<double>(std::count_if(text.begin(), text.end(), is));
}

double descents(std::string_view text) {
  double count = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    count += static_cast<unsigned char>(text[i]) < static_cast<unsigned char>(text[i - 1]) ? 1 : 0;
  }
  return count;
}

double different(std::string_view text) {
  std::array<bool, 256> seen{};
  for (const char c : text) seen[static_cast<unsigned char>(c)] = true;
  return static_cast<double>(std::count(seen.begin(), seen.end(), true));
}

double first_mark(std::string_view text) {
  const auto found = std::find_if(text.begin(), text.end(), is_mark);
  return found == text.end() ? absent() : static_cast<double>(found - text.begin());
}

// The first, the second and the last number that is written in it.
struct Numbers {
  double first = absent(), second = absent(), last = absent();
};
Numbers numbers_in(std::string_view text) {
  Numbers found;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    if (!is_digit(*at)) {
      ++at;
      continue;
    }
    const bool negative = at > text.data() && at[-1] == '-';
    double number = 0;
    const char* const stop = std::from_chars(negative ? at - 1 : at, end, number).ptr;
    if (is_absent(found.first)) {
      found.first = number;
    } else if (is_absent(found.second)) {
      found.second = number;
    }
    found.last = number;
    at = std::max(stop, at + 1);
  }
  return found;
}

// The first six bytes as a number: texts that come earlier in a dictionary have a smaller one.
double place_in_order(std::string_view text) {
  std::uint64_t place = 0;
  for (std::size_t i = 0; i < 6; ++i) place = place << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  return static_cast<double>(place);
}

std::optional<double> whole_number(std::string_view part) {
  double number = 0;
  const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (part.empty() || error != std::errc{} || stop != part.data() + part.size()) return std::nullopt;
  return number;
}

// As numbers where both are, else as texts.
int compared(std::string_view one, std::string_view other) {
  const auto a = whole_number(one), b = whole_number(other);
  if (a && b) return *a < *b ? -1 : *a > *b ? 1 : 0;
  return one.compare(other);
}

// Parts lie between marks and spaces; a point, and a sign before a digit, belong to a number.
std::string order_of_parts(std::string_view text) {
  const auto divides = [&](std::size_t i) {
    if (text[i] == '.' || text[i] == '-') return i + 1 == text.size() || !is_digit(text[i + 1]);
    return text[i] == ' ' || is_mark(text[i]);
  };
  bool rises = false, falls = false;
  std::optional<std::string_view> before;
  for (std::size_t from = 0; from < text.size();) {
    std::size_t to = from;
    while (to < text.size() && !divides(to)) ++to;
    if (to > from) {
      const std::string_view part = text.substr(from, to - from);
      const int order = before ? compared(*before, part) : 0;
      rises = rises || order < 0;
      falls = falls || order > 0;
      before = part;
    }
    from = to + 1;
  }
  return rises && falls ? "mixed" : rises ? "rising" : falls ? "falling" : "level";
}

// 95 printable characters, one class for those that are not, eight for what is not ASCII.
std::size_t class_of(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x80) return 96 + (byte & 7U);
  return byte >= ' ' && byte <= '~' ? byte - ' ' : 95U;
}
std::size_t class_of(char c, char next) {
  const std::uint64_t both = 256U * static_cast<unsigned char>(c) + static_cast<unsigned char>(next) + 1U;
  return both * 0x9E37'79B1U % 65'537U % kClasses;
}

using Flags = std::uint64_t;
double number_of(Flags flags) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(1.0) | flags); }

// Of single characters, then of neighbours.
std::array<Flags, 4> flags_of(std::string_view text) {
  std::array<Flags, 4> flags{};
  const auto set = [&](std::size_t from, std::size_t place) {
    flags[from + place / kFlags] |= Flags{1} << place % kFlags;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    set(0, class_of(text[i]));
    if (i > 0) set(2, class_of(text[i - 1], text[i]));
  }
  return flags;
}

}  // namespace

Shape text_parts_shape() {
  Shape shape;
  for (const Part& part : kParts) shape.push_back(part.reading);
  return shape;
}

std::vector<std::string> text_part_names(const std::string& text_name) {
  std::vector<std::string> names;
  for (const Part& part : kParts) names.push_back(std::string(part.name) + ' ' + text_name);
  return names;
}

void write_text_parts(std::string_view text, Words& words, std::span<double> cells) {
  const Numbers numbers = numbers_in(text);
  const std::array<Flags, 4> flags = flags_of(text);
  const auto begins = [&](std::size_t size) { return words.code(std::string(text.substr(0, size))); };
  const auto ends = [&](std::size_t size) {
    return words.code(std::string(text.substr(text.size() - std::min(size, text.size()))));
  };
  const std::array<double, kTextParts> parts = {static_cast<double>(text.size()),
                                                count(text, is_digit),
                                                count(text, is_capital),
                                                count(text, [](char c) { return c == ' '; }),
                                                count(text, is_mark),
                                                different(text),
                                                descents(text),
                                                first_mark(text),
                                                numbers.first,
                                                numbers.second,
                                                numbers.last,
                                                place_in_order(text),
                                                begins(1),
                                                begins(2),
                                                begins(3),
                                                ends(1),
                                                ends(2),
                                                ends(3),
                                                words.code(order_of_parts(text)),
                                                number_of(flags[0]),
                                                number_of(flags[1]),
                                                number_of(flags[2]),
                                                number_of(flags[3])};
  std::copy(parts.begin(), parts.end(), cells.begin());
}

}  // namespace dither::audit
