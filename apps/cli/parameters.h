// The numbers of a law, as typed and exactly.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/rational.h"
#include "cli/arguments.h"

namespace dither::cli {

// Every option that is a parameter of some law.
std::span<const Option> parameter_options();

// The parameters of one law, read exactly as typed. Every refusal names the option and its value.
class Parameters {
 public:
  // Takes what `names` lists out of what was given. bad-argument when one is missing, or when one is given that belongs
  // to other laws only.
  Parameters(const std::string& law, const std::vector<std::string>& names, const Given& given);

  // bad-number for text that is no number, out-of-range for numbers of more than 100 digits.
  Rational number(const std::string& name) const;
  // A whole number from 0 to the given largest one; bad-count otherwise.
  Int128 whole(const std::string& name, Int128 largest) const;
  // Numbers between commas.
  std::vector<Rational> list(const std::string& name) const;
  std::vector<Int128> whole_list(const std::string& name, Int128 smallest, Int128 largest) const;

  // Names and values as typed, in the order of the law.
  const std::vector<std::pair<std::string, std::string>>& as_typed() const { return typed_; }
  // "--scale 100 --grid 0.1".
  std::string str() const;

 private:
  const std::string& text(const std::string& name) const;

  std::vector<std::pair<std::string, std::string>> typed_;
};

}  // namespace dither::cli
