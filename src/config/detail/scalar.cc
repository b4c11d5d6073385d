#include "config/detail/scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace dither::config::detail {

namespace {

constexpr long kLargestExponent = 10'000;  // what Rational::parse takes
constexpr std::size_t kMostDigits = 10'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// [+-] digits [. digits] [e [+-] digits], with digits on one side of the point at least.
struct Number {
  bool valid = false;
  std::string_view before, after, exponent;
};

Number split_number(std::string_view word) {
  Number number;
  if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
  number.before = word.substr(0, count_digits(word));
  word.remove_prefix(number.before.size());
  if (word.starts_with('.')) {
    number.after = word.substr(1, count_digits(word.substr(1)));
    word.remove_prefix(1 + number.after.size());
  }
  if (number.before.empty() && number.after.empty()) return number;
  if (word.starts_with('e') || word.starts_with('E')) {
    number.exponent = word.substr(1);
    std::string_view digits = number.exponent;
    if (digits.starts_with('+') || digits.starts_with('-')) digits.remove_prefix(1);
    number.valid = !digits.empty() && count_digits(digits) == digits.size();
  } else {
    number.valid = word.empty();
  }
  return number;
}

bool exponent_is_too_large(std::string_view exponent) {
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  long value = 0;
  const auto [end, error] = std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
  return error == std::errc::result_out_of_range || value > kLargestExponent || value < -kLargestExponent;
}

Plain refused(std::string complaint, std::string hint) {
  return {Kind::text, std::move(complaint), std::move(hint), Code::bad_syntax};
}

Plain read_number(std::string_view word, const Number& number) {
  if (number.before.size() > 1 && number.before.front() == '0') {
    return refused(fmt::format("{} begins with 0, which some readers take as octal", echo(word)),
                   "write the number without leading zeros, or quote it if it is text");
  }
  if (exponent_is_too_large(number.exponent) || number.before.size() + number.after.size() > kMostDigits) {
    return {Kind::number, fmt::format("the number {} is too large, too small or too long", echo(word)),
            "write a number between 1e-10000 and 1e10000 with at most 10000 digits", Code::out_of_range};
  }
  return {Kind::number, "", "", Code::bad_syntax};
}

bool consists_of(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

// 2024-1-31, alone or with a time behind.
bool is_date(std::string_view word) {
  for (const std::size_t most : {4, 2, 2}) {
    const std::size_t digits = count_digits(word);
    if (digits == 0 || digits > most || (most == 4 && digits < 4)) return false;
    word.remove_prefix(digits);
    if (word.starts_with('-')) word.remove_prefix(1);
  }
  return word.empty() || word.front() == 't' || word.front() == ' ';
}

// Words (in small letters) that some reader of YAML takes for something else than text.
Plain read_lookalike(std::string_view word, std::string_view small) {
  std::string_view body = small;
  if (body.starts_with('+') || body.starts_with('-')) body.remove_prefix(1);
  const auto is = [&](const char* what, const char* hint) {
    return refused(fmt::format("{} is {}", echo(word), what), hint);
  };
  if (small == "<<" || small == "=") {
    return is("a word with a special meaning", "write the keys out where they belong, or quote it if it is text");
  }
  if (body == ".inf" || body == ".nan") return is("not a finite number", "write a finite number");
  if (body.empty() || !(is_digit(body[0]) || body[0] == '.')) return {};
  const bool has_base = body.starts_with("0x") || body.starts_with("0o") || body.starts_with("0b");
  if (has_base && body.size() > 2 && consists_of(body.substr(2), "0123456789abcdef_.+-p")) {
    return is("a number that is not decimal", "write it in decimal digits, or quote it if it is text");
  }
  if (body.find('_') != std::string_view::npos && consists_of(body, "0123456789_.e+-:")) {
    return is("a number with underscores", "write the digits without underscores, or quote it if it is text");
  }
  if (body.find(':') != std::string_view::npos && consists_of(body, "0123456789.:")) {
    return is("a number to base 60 for some readers", "quote it");
  }
  if (is_date(body)) return is("a date for some readers", "quote it");
  return {};
}

}  // namespace

Plain read_plain(std::string_view word) {
  if (word == "true" || word == "false") return {Kind::boolean, "", "", Code::bad_syntax};
  if (word == "null") return {Kind::null, "", "", Code::bad_syntax};
  if (const Number number = split_number(word); number.valid) return read_number(word, number);
  const std::string small = lower(word);
  constexpr std::array<std::string_view, 4> yes = {"true", "yes", "on", "y"};
  constexpr std::array<std::string_view, 4> no = {"false", "no", "off", "n"};
  const bool means_yes = std::find(yes.begin(), yes.end(), small) != yes.end();
  if (means_yes || std::find(no.begin(), no.end(), small) != no.end()) {
    return refused(fmt::format("{} is true or false for some readers and text for others", word),
                   fmt::format("write {}, or \"{}\" if it is text", means_yes ? "true" : "false", word));
  }
  if (small == "null" || small == "~") {
    return refused(fmt::format("{} is empty for some readers and text for others", word),
                   fmt::format("write null, or \"{}\" if it is text", word));
  }
  return read_lookalike(word, small);
}

}  // namespace dither::config::detail
