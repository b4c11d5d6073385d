#include "cli/numbers.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace dither::cli {

Rational exact_number(const std::string& name, const std::string& text, std::size_t most_digits) {
  const auto refuse = [&](Code code, const std::string& rule, const std::string& hint) {
    return Error{code, fmt::format("--{} is \"{}\", {}", name, echo(text), rule), hint};
  };
  try {
    Rational value = Rational::parse(text);
    if (value.str().size() <= most_digits) return value;
  } catch (const Error& error) {
    if (error.code() != Code::out_of_range) throw refuse(error.code(), "which is not a number", error.hint());
  }
  throw refuse(Code::out_of_range, fmt::format("which has more than {} digits as an exact fraction", most_digits),
               "give a number with fewer digits and a smaller exponent");
}

Int128 whole_number(const std::string& name, const std::string& text, Int128 smallest, Int128 largest) {
  const Rational value = exact_number(name, text);
  if (value.is_integer() && value >= Rational(smallest) && value <= Rational(largest)) return value.floor();
  throw Error{Code::bad_count,
              fmt::format("--{} is {}, but must be a whole number from {} to {}", name, echo(text), to_string(smallest),
                          to_string(largest)),
              "give a whole number in that range"};
}

}  // namespace dither::cli
