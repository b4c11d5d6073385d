#include "ledger/outlook.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "accounting/charge.h"
#include "accounting/gaussian.h"
#include "base/error.h"

namespace dither::ledger {
namespace {

using namespace accounting;  // NOLINT: written in the words of the accountant

// A number that a rule adds up, and its limit.
struct Part {
  std::string name;
  Rational limit;
  Rational spent;
  std::string limit_text;
  std::string spent_text;
  std::string left_text;
};

template <int places>
Part part(std::string name, Amount<places> limit, Amount<places> spent) {
  return {std::move(name), limit.value(), spent.value(), limit.str(), spent.str(), without(limit, spent).str()};
}

template <typename RenyiRule>
std::vector<Part> renyi_parts(const RenyiRule& rule, const Spent& sums) {
  std::vector<Part> all;
  for (std::size_t i = 0; i < rule.orders.size(); ++i) {
    all.push_back(part(fmt::format("order {}", rule.orders[i].str()), rule.limits[i], sums.losses[i]));
  }
  all.push_back(part("delta", rule.delta, sums.delta));
  return all;
}

// The last part is delta, where there is one.
std::vector<Part> parts(const FilterRule& rule, const Spent& given) {
  const Spent sums = plus(nothing_spent(rule), given);  // refuses sums of another rule
  if (const auto* r = std::get_if<PureRule>(&rule)) {
    return {part("epsilon", r->epsilon, sums.losses[0]), part("delta", DeltaAmount(), sums.delta)};
  }
  if (const auto* r = std::get_if<BasicRule>(&rule)) {
    return {part("epsilon", r->epsilon, sums.losses[0]), part("delta", r->delta, sums.delta)};
  }
  if (const auto* r = std::get_if<AdvancedRule>(&rule)) {
    return {part("squares", most_squares(*r), sums.squares), part("delta", r->delta, sums.delta)};
  }
  if (const auto* r = std::get_if<ZcdpRule>(&rule)) {
    return {part("rho", r->rho, sums.losses[0]), part("delta", r->delta, sums.delta)};
  }
  if (const auto* r = std::get_if<RenyiAllRule>(&rule)) return renyi_parts(*r, sums);
  if (const auto* r = std::get_if<RenyiAnyRule>(&rule)) return renyi_parts(*r, sums);
  return {part("mu_squared", std::get<GdpRule>(rule).mu_squared, sums.losses[0])};
}

double share(const Part& part) {
  if (part.limit.sign() > 0) return (part.spent / part.limit).to_double_up();
  return part.spent.sign() > 0 ? std::numeric_limits<double>::infinity() : 0;
}

// Shows one text of every part, and the epsilon of advanced before them.
Shown show(const std::vector<Part>& parts, std::string Part::*text, const std::optional<LossAmount>& epsilon = {}) {
  Shown shown;
  if (epsilon) shown.emplace_back("epsilon", epsilon->str());
  for (const Part& part : parts) shown.emplace_back(part.name, part.*text);
  return shown;
}

// The largest amount that fits, found by halving: it was tried itself. An amount that fits follows from a larger one.
LossAmount largest(const std::function<bool(LossAmount)>& fits) {
  Int128 beyond = 1'000'000'000'000'000'000;  // 1, in steps
  while (fits(LossAmount::of_steps(beyond))) beyond *= 2;
  Int128 within = beyond / 2;
  while (within > 0 && !fits(LossAmount::of_steps(within))) beyond = std::exchange(within, within / 2);
  while (beyond - within > 1) {
    const Int128 middle = within + (beyond - within) / 2;
    (fits(LossAmount::of_steps(middle)) ? within : beyond) = middle;
  }
  return LossAmount::of_steps(within);
}

// The largest amount for which the event that `event_of` makes of it fits; none when the rule cannot charge such events.
std::optional<LossAmount> largest_event(const FilterRule& rule, const Spent& sums,
                                        const std::function<Event(const Rational&)>& event_of) {
  const FilterState empty(rule);
  const auto price_of = [&](const Rational& amount) { return price(rule, event_of(amount), Neighbours::add_remove); };
  const auto fits = [&](LossAmount amount) {
    try {
      return can_afford(empty, plus(sums, price_of(amount.value())));
    } catch (const Error& error) {
      if (error.code() != Code::out_of_range) throw;  // a price beyond the range is over every budget
      return false;
    }
  };
  try {
    price_of(1);
  } catch (const Error& error) {
    if (error.code() != Code::no_theorem) throw;
    return {};
  }
  return largest(fits);
}

}  // namespace

Charge left(const FilterRule& rule, const Spent& sums) { return remaining(rule, sums); }

std::optional<FilterValue> largest_laplace(const FilterRule& rule, const Spent& sums) {
  const auto laplace = [](const Rational& epsilon) { return Event{{}, Laplace{Rational(1) / epsilon}, 1}; };
  const auto epsilon = largest_event(rule, sums, laplace);
  if (!epsilon) return {};
  return FilterValue{*epsilon, {}};
}

std::optional<FilterValue> largest_gaussian(const FilterRule& rule, const Spent& sums, DeltaAmount delta) {
  if (delta == DeltaAmount() || delta.value() >= 1) {
    throw Error{Code::bad_probability, fmt::format("delta is {}, but must be above 0 and below 1", delta.str()),
                "give a small probability such as 1e-6"};
  }
  if (std::holds_alternative<BasicRule>(rule) || std::holds_alternative<AdvancedRule>(rule)) {
    const auto stated = [&](const Rational& epsilon) { return Event{{}, BlackBox{epsilon, delta.value()}, 1}; };
    return FilterValue{largest_event(rule, sums, stated).value(), delta};
  }
  const auto noise = [](const Rational& mu) { return Event{{}, Gaussian{Rational(1) / mu}, 1}; };
  const auto mu = largest_event(rule, sums, noise);
  if (!mu) return {};
  // An epsilon that is not above that of mu is calibrated to mu or less, hence fits.
  const double epsilon = gaussian_epsilon_down(mu->value().to_double_down(), delta.value().to_double_up());
  return FilterValue{LossAmount::down(Rational::from_double(epsilon)), delta};
}

std::uint64_t how_many_fit(const FilterRule& rule, const Spent& sums, const Spent& price) {
  const FilterState empty(rule);
  const auto fits = [&](std::uint64_t count) { return can_afford(empty, plus(sums, times(price, count))); };
  if (fits(kUnlimited)) return kUnlimited;
  std::uint64_t within = 0;  // none is the answer when not even none fits
  std::uint64_t beyond = kUnlimited;
  while (beyond - within > 1) {
    const std::uint64_t middle = within + (beyond - within) / 2;
    (fits(middle) ? within : beyond) = middle;
  }
  return within;
}

double share_spent(const FilterRule& rule, const Spent& sums) {
  std::vector<double> shares;
  for (const Part& part : parts(rule, sums)) shares.push_back(share(part));
  if (!std::holds_alternative<RenyiAnyRule>(rule)) return *std::max_element(shares.begin(), shares.end());
  return std::max(*std::min_element(shares.begin(), shares.end() - 1), shares.back());
}

Shown shown(const FilterRule& rule, const Spent& sums) {
  const auto* advanced = std::get_if<AdvancedRule>(&rule);
  return show(parts(rule, sums), &Part::spent_text,
              advanced ? std::optional(least_epsilon(sums.squares, advanced->slack)) : std::nullopt);
}

Shown shown_limits(const FilterRule& rule) {
  const auto* advanced = std::get_if<AdvancedRule>(&rule);
  return show(parts(rule, nothing_spent(rule)), &Part::limit_text,
              advanced ? std::optional(advanced->epsilon) : std::nullopt);
}

Shown shown_left(const FilterRule& rule, const Spent& sums) { return show(parts(rule, sums), &Part::left_text); }

std::string in_words(const Shown& shown) {
  std::string words;
  for (const auto& [name, number] : shown) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name, number);
  return words;
}

}  // namespace dither::ledger
