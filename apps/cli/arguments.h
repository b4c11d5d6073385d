// Options of a verb, as text.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

namespace dither::cli {

// "--name VALUE", or a bare "--name" when `value` is empty.
struct Option {
  std::string name;   // without the dashes
  std::string value;  // what stands for the value in the help
  std::string does;
};

// What was given: name to value, the empty text for a bare option.
using Given = std::map<std::string, std::string>;

// Reads the words after the verb. bad-argument for an option that is not listed (the hint names the nearest one), given
// twice or without its value, and for words that belong to no option. When `operand` is not empty, one such word is
// fine, and is given under that name.
Given read_options(const std::string& verb, std::span<const Option> options, const std::vector<std::string>& words,
                   const std::string& operand = "");

// The same where any number of such words is fine; they are added to `operands`, in order.
Given read_options(const std::string& verb, std::span<const Option> options, const std::vector<std::string>& words,
                   std::vector<std::string>& operands);

// One aligned line of help for each option.
std::string options_help(std::span<const Option> options);

}  // namespace dither::cli
