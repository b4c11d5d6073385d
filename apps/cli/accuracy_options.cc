#include "cli/accuracy_options.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "base/text.h"
#include "cli/numbers.h"
#include "cli/releases.h"

namespace dither::cli {

namespace {

using accounting::Accuracy;

const std::array kOptions = {
    Option{"error", "W", "the noise for this error: no value is off by more, but for a probability of --beta"},
    Option{"beta", "B", "that probability; without --error the error of the noise found is shown"},
    Option{"coordinates", "K", "how many values get independent noise (1)"},
};

struct Rule {
  const char* mechanism;
  double most_error;
  double (*noise_for)(double error, const Accuracy& accuracy);
  double (*error_of)(double noise, const Accuracy& accuracy);
};

double discrete_noise(double error, const Accuracy& accuracy) {
  return accounting::discrete_laplace_scale_for(static_cast<std::uint64_t>(error), accuracy);  // errors are whole
}
double discrete_error(double scale, const Accuracy& accuracy) {
  return static_cast<double>(accounting::discrete_laplace_error(scale, accuracy));
}

constexpr std::array kRules = {
    Rule{"gaussian", 1e100, accounting::gaussian_sigma_for, accounting::gaussian_error_up},
    Rule{"laplace", 1e100, accounting::laplace_scale_for, accounting::laplace_error_up},
    Rule{"discrete-laplace", 0x1p53 - 1, discrete_noise, discrete_error},
};

const Rule& find_rule(const std::string& mechanism) {
  for (const Rule& rule : kRules) {
    if (rule.mechanism == mechanism) return rule;
  }
  throw Error{Code::bad_argument, fmt::format("no formula for the error of {} is known here", mechanism),
              "leave --error and --beta out, or take gaussian, laplace or discrete-laplace"};
}

}  // namespace

std::span<const Option> accuracy_options() { return kOptions; }

std::optional<Accuracy> read_accuracy(const Given& given) {
  if (!given.contains("beta")) {
    if (!given.contains("error") && !given.contains("coordinates")) return std::nullopt;
    throw Error{Code::bad_argument, "an accuracy is asked for without --beta, the probability of missing it",
                "write e.g. --error 30 --beta 0.05"};
  }
  Accuracy accuracy{1, loss_number("beta", given.at("beta")).to_double_down()};
  if (given.contains("coordinates")) {
    accuracy.coordinates =
        static_cast<std::uint64_t>(whole_number("coordinates", given.at("coordinates"), 1, Int128{1} << 53));
  }
  return accuracy;
}

std::optional<std::string> noise_for_error(const std::string& mechanism, const std::string& parameter,
                                           const Given& given, int digits) {
  const auto accuracy = read_accuracy(given);
  if (!given.contains("error")) return std::nullopt;
  if (given.contains(parameter)) {
    throw Error{Code::bad_argument, fmt::format("--error and --{} are both given", parameter), "leave one out"};
  }
  const Rational error = loss_number("error", given.at("error"));
  const Rule& rule = find_rule(mechanism);
  if (error > Rational::from_double(rule.most_error)) {
    throw Error{Code::out_of_range,
                fmt::format("--error is {}, but for {} must be at most {}", echo(given.at("error")), mechanism,
                            digits_down(rule.most_error, 16)),
                "use another unit"};
  }
  const double noise = rule.noise_for(error.to_double_down(), *accuracy);
  return digits_down(noise, digits);
}

double error_of(const std::string& mechanism, const Rational& noise, const Accuracy& accuracy) {
  return find_rule(mechanism).error_of(noise.to_double_up(), accuracy);
}

}  // namespace dither::cli
