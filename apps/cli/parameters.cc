#include "cli/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"
#include "cli/numbers.h"

namespace dither::cli {

namespace {

const std::array kOptions = {
    Option{"alpha", "A", "first shape of a beta law"},
    Option{"below", "N", "draw from 0 .. N-1"},
    Option{"beta", "B", "second shape of a beta law"},
    Option{"degrees", "N", "degrees of freedom of Student's t"},
    Option{"exponent", "X", "true with probability exp(-X)"},
    Option{"grid", "G", "round real noise to multiples of G"},
    Option{"mu", "M", "mean of the logarithm"},
    Option{"rate", "R", "mean of a Poisson law; factor of the scores of a weighted choice"},
    Option{"rate-minus", "R", "mean of the Poisson number taken away in a Skellam law"},
    Option{"rate-plus", "R", "mean of the Poisson number added in a Skellam law"},
    Option{"scale", "S", "width of the noise"},
    Option{"scores", "K,K,...", "a whole number for each candidate"},
    Option{"shape", "A", "shape of a gamma law"},
    Option{"sigma", "S", "width of Gaussian noise; spread of the logarithm"},
    Option{"success", "P", "probability of success"},
    Option{"trials", "N", "number of trials"},
    Option{"upper", "N", "largest possible count"},
    Option{"value", "K", "the count that noise is added to"},
    Option{"weights", "W,W,...", "a weight for each candidate"},
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::vector<std::string> with_dashes(std::vector<std::string> names) {
  for (std::string& name : names) name.insert(0, "--");
  return names;
}

}  // namespace

std::span<const Option> parameter_options() { return kOptions; }

Parameters::Parameters(const std::string& law, const std::vector<std::string>& names, const Given& given) {
  const std::string needs = fmt::format("{} takes {}", law, fmt::join(with_dashes(names), " "));
  for (const Option& option : kOptions) {
    const bool mine = std::find(names.begin(), names.end(), option.name) != names.end();
    if (const auto at = given.find(option.name); at != given.end() && !mine) {
      throw Error{Code::bad_argument,
                  fmt::format("--{} is {}, but {} has no such parameter", option.name, echo(at->second), law), needs};
    }
  }
  for (const std::string& name : names) {
    const auto at = given.find(name);
    if (at == given.end()) throw Error{Code::bad_argument, fmt::format("{} needs --{}", law, name), needs};
    typed_.emplace_back(*at);
  }
}

const std::string& Parameters::text(const std::string& name) const {
  return std::find_if(typed_.begin(), typed_.end(), [&](const auto& entry) { return entry.first == name; })->second;
}

Rational Parameters::number(const std::string& name) const { return exact_number(name, text(name)); }

Int128 Parameters::whole(const std::string& name, Int128 largest) const {
  return whole_number(name, text(name), 0, largest);
}

std::vector<Rational> Parameters::list(const std::string& name) const {
  std::vector<Rational> numbers;
  for (const std::string& part : split(text(name))) numbers.push_back(exact_number(name, part));
  return numbers;
}

std::vector<Int128> Parameters::whole_list(const std::string& name, Int128 smallest, Int128 largest) const {
  std::vector<Int128> numbers;
  for (const std::string& part : split(text(name))) numbers.push_back(whole_number(name, part, smallest, largest));
  return numbers;
}

std::string Parameters::str() const {
  std::string result;
  for (const auto& [name, value] : typed_) {
    result += fmt::format("{}--{} {}", result.empty() ? "" : " ", name, echo(value));
  }
  return result;
}

}  // namespace dither::cli
