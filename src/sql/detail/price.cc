#include "sql/detail/price.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace dither::sql::detail {
namespace {

using session::StatementPrice;

constexpr std::string_view kOnePrice = "give one of --epsilon E, --rho R and --error WANTED";

void require_positive(const Rational& value, std::string_view name) {
  if (value.sign() > 0) return;
  throw Error{Code::bad_number, fmt::format("{} is {}, but a price is more than 0", name, value.str()),
              fmt::format("give a positive {}", name)};
}

Rational delta_of(const StatementOptions& options, const Wanted& wanted) {
  if (options.delta && wanted.delta && *options.delta != *wanted.delta) {
    throw Error{Code::bad_argument,
                fmt::format("OPTIONS states delta {}, but {} was asked for", options.delta->str(), wanted.delta->str()),
                "leave one of them out"};
  }
  Rational delta = wanted.delta ? *wanted.delta : options.delta.value_or(Rational(0));
  if (delta.sign() >= 0 && delta < 1) return delta;
  throw Error{Code::bad_probability, fmt::format("delta is {}, but it lies from 0 to below 1", delta.str()),
              "give a delta such as 1e-9"};
}

void require_one_price(const StatementOptions& options, const Wanted& wanted) {
  const int given = (wanted.epsilon ? 1 : 0) + (wanted.rho ? 1 : 0) + (wanted.error ? 1 : 0);
  if (options.epsilon && (wanted.rho || wanted.error || (wanted.epsilon && *wanted.epsilon != *options.epsilon))) {
    throw Error{Code::bad_argument,
                fmt::format("OPTIONS states epsilon {}, but another price was asked for", options.epsilon->str()),
                "leave one of them out"};
  }
  if (given > 1) throw Error{Code::bad_argument, "more than one price was given", std::string(kOnePrice)};
  if (given == 0 && !options.epsilon) {
    throw Error{Code::bad_argument, "no price was given, and there is no default", std::string(kOnePrice)};
  }
}

// At most 10^exponent * 999, three digits, not below the value.
Rational three_digits_up(double value) {
  const int exponent = static_cast<int>(std::floor(std::log10(value))) - 2;
  const Rational unit = Rational::parse(fmt::format("1e{}", exponent));
  return Rational((Rational::from_double(value) / unit).ceil()) * unit;
}

StatementPrice least_epsilon(const Rational& delta, const std::function<double(const StatementPrice&)>& misses_at) {
  // A price so small that no mechanism is made for it buys nothing.
  const auto at = [&](double log_epsilon) {
    try {
      return misses_at({.epsilon = three_digits_up(std::exp(log_epsilon)), .rho = {}, .delta = delta});
    } catch (const Error& error) {
      if (error.code() == Code::bad_scale || error.code() == Code::bad_limit) return HUGE_VAL;
      throw;
    }
  };
  double low = std::log(1e-6);
  double high = std::log(1000.0);
  if (at(high) > 0) {
    throw Error{Code::unreachable, "no epsilon up to 1000 makes the answer that exact", "ask for a larger error"};
  }
  if (at(low) <= 0) return {.epsilon = three_digits_up(std::exp(low)), .rho = {}, .delta = delta};
  while (high - low > 1e-5) {
    const double middle = (low + high) / 2;
    (at(middle) <= 0 ? high : low) = middle;
  }
  return {.epsilon = three_digits_up(std::exp(high)), .rho = {}, .delta = delta};
}

}  // namespace

double misses(const std::vector<session::PredictedError>& errors, const std::vector<std::optional<double>>& magnitudes,
              const WantedError& wanted) {
  const double amount = wanted.amount.to_double_up();
  double worst = -amount;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (!errors[i].within95 || (wanted.relative && !magnitudes[i])) {
      throw Error{Code::needs_expected_size,
                  fmt::format("the error of \"{}\" depends on a size that is not public", errors[i].column),
                  "declare `expected: {rows: N}` for the table, or give --expect N (of unknown keys: the rows of one)"};
    }
    const double size = wanted.relative ? *magnitudes[i] : 1;
    worst = std::max(worst, *errors[i].within95 - amount * size);
  }
  return worst;
}

StatementPrice price_of(const StatementOptions& options, const Wanted& wanted,
                        const std::function<double(const StatementPrice&)>& misses_at) {
  require_one_price(options, wanted);
  StatementPrice price{.epsilon = {}, .rho = {}, .delta = delta_of(options, wanted)};
  if (wanted.error) {
    require_positive(wanted.error->amount, "error");
    return least_epsilon(price.delta, misses_at);
  }
  price.rho = wanted.rho;
  if (!price.rho) price.epsilon = wanted.epsilon ? wanted.epsilon : options.epsilon;
  require_positive(price.rho ? *price.rho : *price.epsilon, price.rho ? "rho" : "epsilon");
  return price;
}

}  // namespace dither::sql::detail
