#include "cli/arguments.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"

namespace dither::cli {

namespace {

[[noreturn]] void refuse_word(const std::string& verb, std::span<const Option> options, const std::string& word) {
  if (!word.starts_with("-")) {
    throw Error{Code::bad_argument, fmt::format("\"{}\" belongs to no option", echo(word)),
                fmt::format("`dither {} --help` lists the options", verb)};
  }
  std::vector<std::string> names;
  for (const Option& option : options) names.push_back("--" + option.name);
  throw Error{Code::bad_argument, fmt::format("there is no option {}", echo(word)),
              fmt::format("did you mean {}? `dither {} --help` lists the options", nearest(word, names), verb)};
}

// In our own words: the parser's text starts with the option, and goes on about its types.
std::string what_is_wrong(const std::string& parser_text, const std::vector<std::string>& words) {
  const std::string name = parser_text.substr(0, parser_text.find(':'));
  const auto times = std::count(words.begin(), words.end(), name);
  if (times > 1) return fmt::format("{} is given {} times", name, times);
  if (times == 1) return fmt::format("{} has no value", name);
  return echo(parser_text);
}

std::string left_side(const Option& option) {
  return option.value.empty() ? option.name : option.name + ' ' + option.value;
}

void add(CLI::App& app, const Option& option, Given& given) {
  const std::string flag = "--" + option.name;
  if (option.value.empty()) {
    app.add_flag_callback(flag, [&given, name = option.name] { given[name] = ""; })->disable_flag_override();
  } else {
    app.add_option_function<std::string>(flag,
                                         [&given, name = option.name](const std::string& text) { given[name] = text; });
  }
}

// The options, and whatever belongs to none.
Given parse(const std::string& verb, std::span<const Option> options, const std::vector<std::string>& words,
            std::vector<std::string>& rest) {
  Given given;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  for (const Option& option : options) add(app, option, given);
  try {
    std::vector<std::string> backwards(words.rbegin(), words.rend());
    app.parse(std::move(backwards));
  } catch (const CLI::ParseError& error) {
    throw Error{
        Code::bad_argument, what_is_wrong(error.what(), words),
        fmt::format("give each option once, with its value when it has one; `dither {} --help` lists them", verb)};
  }
  rest = app.remaining();
  return given;
}

bool is_operand(const std::string& word) { return word == "-" || !word.starts_with("-"); }

}  // namespace

Given read_options(const std::string& verb, std::span<const Option> options, const std::vector<std::string>& words,
                   const std::string& operand) {
  std::vector<std::string> rest;
  Given given = parse(verb, options, words, rest);
  for (const std::string& word : rest) {
    const bool fits = !operand.empty() && is_operand(word);
    if (!fits || !given.try_emplace(operand, word).second) refuse_word(verb, options, word);
  }
  return given;
}

Given read_options(const std::string& verb, std::span<const Option> options, const std::vector<std::string>& words,
                   std::vector<std::string>& operands) {
  Given given = parse(verb, options, words, operands);
  for (const std::string& word : operands) {
    if (!is_operand(word)) refuse_word(verb, options, word);
  }
  return given;
}

std::string options_help(std::span<const Option> options) {
  std::size_t width = 17;
  for (const Option& option : options) width = std::max(width, left_side(option).size());
  std::string text;
  for (const Option& option : options) text += fmt::format("  --{:<{}} {}\n", left_side(option), width, option.does);
  return text;
}

}  // namespace dither::cli
