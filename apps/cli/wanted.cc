#include "cli/wanted.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "base/text.h"
#include "cli/numbers.h"
#include "cli/releases.h"

namespace dither::cli {

namespace {

const std::array kOptions = {
    Option{"epsilon", "E", "price at this epsilon (there is no default)"},
    Option{"rho", "R", "price at this rho of zero-concentrated privacy instead"},
    Option{"error", "WANTED",
           "the other way round: the epsilon that buys +-200 at 95%; 5% needs a public size (`expected:`)"},
    Option{"delta", "D", "a delta for what needs one: keys that nobody listed, Gaussian noise under epsilon"},
    Option{"expect", "N", "about so many rows, instead of `expected:`; a public guess"},
    Option{"cut-units", "", "one column more, paid for: how many units are cut, by key"},
};

std::optional<Rational> read_number(const Given& given, const std::string& name) {
  if (!given.contains(name)) return {};
  return loss_number(name, given.at(name));
}

sql::WantedError read_error(const std::string& text) {
  const bool relative = text.ends_with("%");
  const Rational amount = exact_number("error", relative ? text.substr(0, text.size() - 1) : text);
  if (amount.sign() > 0) return {relative ? amount / Rational(100) : amount, relative};
  throw Error{Code::bad_number, fmt::format("--error is {}, but must be above 0", echo(text)),
              "write half the width of a 95% interval: 200, or 5% of the expected value"};
}

}  // namespace

std::span<const Option> wanted_options() { return kOptions; }

sql::Wanted read_wanted(const Given& given) {
  sql::Wanted wanted;
  wanted.epsilon = read_number(given, "epsilon");
  wanted.rho = read_number(given, "rho");
  wanted.delta = read_number(given, "delta");
  if (given.contains("error")) wanted.error = read_error(given.at("error"));
  if (given.contains("expect")) {
    wanted.expect =
        static_cast<std::uint64_t>(whole_number("expect", given.at("expect"), 1, Int128{1'000'000'000'000'000}));
  }
  wanted.cut_units = given.contains("cut-units");
  return wanted;
}

bool has_price(const sql::Wanted& wanted) { return wanted.epsilon || wanted.rho || wanted.error; }

}  // namespace dither::cli
