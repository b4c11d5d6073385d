#include "cli/verify_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "cli/numbers.h"
#include "random/source.h"

namespace dither::cli {

namespace {

double read_delta(const Given& given, const std::optional<audit::Promise>& claim) {
  if (given.contains("delta")) {
    const Rational delta = exact_number("delta", given.at("delta"));
    if (delta >= 0 && delta <= 1) return delta.to_double_up();
    throw Error{Code::bad_probability,
                fmt::format("--delta is {}, but must be between 0 and 1", echo(given.at("delta"))), "give e.g. 1e-6"};
  }
  if (!claim) return 0;
  const auto* one = std::get_if<accounting::ApproximateDp>(&claim->curve());
  return one == nullptr ? 0 : one->delta.to_double_up();
}

// A pair of epsilon and delta says so at its own delta, where its curve, rounded, need not.
double claimed_epsilon(const accounting::Curve& curve, double delta) {
  const double epsilon = accounting::epsilon_up(curve, delta);
  const auto* one = std::get_if<accounting::ApproximateDp>(&curve);
  return one != nullptr && delta >= one->delta.to_double_up() ? std::min(epsilon, one->epsilon.to_double_up())
                                                              : epsilon;
}

}  // namespace

double read_false_alarm(const Given& given) {
  if (!given.contains("false-alarm")) return 0.001;
  const Rational value = exact_number("false-alarm", given.at("false-alarm"));
  if (value > 0 && value < 1) return value.to_double_down();
  throw Error{Code::bad_probability,
              fmt::format("--false-alarm is {}, but must be above 0 and below 1", echo(given.at("false-alarm"))),
              "give e.g. 0.05"};
}

std::uint64_t read_seed(const Given& given) {
  if (!given.contains("seed")) return 1;
  return static_cast<std::uint64_t>(whole_number("seed", given.at("seed"), 0, Int128{1} << 62));
}

std::uint64_t fresh_seed(const Given& given) {
  return given.contains("seed") ? read_seed(given) : random::Source::this_thread().bits(32);  // short enough to type
}

Part read_part(const std::string& option, const std::string& text, Int128 most, const std::string& hint) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    throw Error{Code::bad_argument, fmt::format("--{} has \"{}\", but it takes counts as 50/1000", option, echo(text)),
                hint};
  }
  const Part read{static_cast<std::int64_t>(whole_number(option, text.substr(0, slash), 0, most)),
                  static_cast<std::int64_t>(whole_number(option, text.substr(slash + 1), 1, most))};
  if (read.part <= read.whole) return read;
  throw Error{Code::bad_count, fmt::format("--{} has {}: {} of only {}", option, echo(text), read.part, read.whole),
              hint};
}

audit::Promise read_claim(const Given& given) {
  if (given.contains("claim")) return audit::Promise::from_text(given.at("claim"));
  throw Error{Code::bad_argument, "--claim is missing: what is claimed about the mechanism",
              "write e.g. --claim 1.0, --claim eps=1,delta=1e-6, --claim rho=0.5 or --claim mu=1"};
}

AttackQuestion read_attack_question(const Given& given) {
  AttackQuestion question;
  if (given.contains("claim")) question.claim = audit::Promise::from_text(given.at("claim"));
  question.delta = read_delta(given, question.claim);
  question.false_alarm = read_false_alarm(given);
  if (!question.claim) return question;
  const accounting::Curve& curve = question.claim->curve();
  if (const auto* one = std::get_if<accounting::GaussianDp>(&curve))
    question.mu = accounting::gdp_mu_up(one->squared_mu);
  question.claimed = claimed_epsilon(curve, question.delta);
  if (std::isfinite(question.claimed)) return question;
  throw Error{Code::needs_delta,
              fmt::format("--claim {} promises no epsilon at delta {:.6g}", echo(given.at("claim")), question.delta),
              "give a --delta at which it does, such as 1e-5"};
}

}  // namespace dither::cli
