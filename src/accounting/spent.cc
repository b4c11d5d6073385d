#include "accounting/spent.h"

#include <fmt/format.h>

#include <algorithm>

#include "accounting/detail/match.h"
#include "base/big_interval.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

using detail::Match;

std::size_t losses_of(const FilterRule& rule) {
  if (const auto* all = std::get_if<RenyiAllRule>(&rule)) return all->orders.size();
  if (const auto* any = std::get_if<RenyiAnyRule>(&rule)) return any->orders.size();
  return std::holds_alternative<AdvancedRule>(rule) ? 0 : 1;
}

void require_losses(std::size_t given, std::size_t wanted) {
  if (given == wanted) return;
  throw Error{Code::bad_count, fmt::format("{} losses meet sums of {}", given, wanted),
              "give one for each order of the filter, in their order, as price() does"};
}

Spent summed(const FilterRule& rule, const Charge& charge) {
  return std::visit(Match{
                        [](const PureCharge& c) {
                          return Spent{{c.epsilon}, {}, {}};
                        },
                        [&](const ApproximateCharge& c) {
                          if (!std::holds_alternative<AdvancedRule>(rule)) return Spent{{c.epsilon}, {}, c.delta};
                          return Spent{{}, square_up(c.epsilon), c.delta};
                        },
                        [](const ZcdpCharge& c) {
                          return Spent{{c.rho}, {}, c.delta};
                        },
                        [](const RenyiCharge& c) {
                          return Spent{c.divergences, {}, c.delta};
                        },
                        [](const GdpCharge& c) {
                          return Spent{{c.mu_squared}, {}, {}};
                        },
                    },
                    charge);
}

template <int places>
Amount<places> exactly_without(Amount<places> all, Amount<places> part) {
  if (part <= all) return without(all, part);
  throw Error{Code::out_of_range, fmt::format("{} is taken from {}, which is less", part.str(), all.str()),
              "take off only what was added before"};
}

// A number of equal amounts; beyond the range the end of it.
template <int places>
Amount<places> times(Amount<places> amount, std::uint64_t count) {
  return Amount<places>::of_steps(mul_saturating(amount.steps(), static_cast<Int128>(count)));
}

// 2 ln(1/slack).
BigInterval twice_log_of(DeltaAmount slack, long bits) {
  return BigInterval(Rational(-2), bits) * log(BigInterval(slack.value(), bits));
}

}  // namespace

Spent nothing_spent(const FilterRule& rule) { return {std::vector<LossAmount>(losses_of(rule)), {}, {}}; }

Spent price(const FilterRule& rule, const Charge& charge) {
  if (measure_name(rule) != measure_name(charge)) {
    throw Error{Code::no_theorem,
                fmt::format("a charge in {} meets a {} filter, which adds up {}", measure_name(charge), rule_name(rule),
                            measure_name(rule)),
                "convert the charge by a proven conversion first, or create the filter with another rule"};
  }
  Spent price = summed(rule, charge);
  require_losses(price.losses.size(), losses_of(rule));
  return price;
}

Spent plus(const Spent& a, const Spent& b) {
  require_losses(b.losses.size(), a.losses.size());
  Spent sum{a.losses, add_saturating(a.squares, b.squares), add_saturating(a.delta, b.delta)};
  for (std::size_t i = 0; i < b.losses.size(); ++i) sum.losses[i] = add_saturating(sum.losses[i], b.losses[i]);
  return sum;
}

Spent minus(const Spent& a, const Spent& b) {
  require_losses(b.losses.size(), a.losses.size());
  Spent rest{a.losses, exactly_without(a.squares, b.squares), exactly_without(a.delta, b.delta)};
  for (std::size_t i = 0; i < b.losses.size(); ++i) rest.losses[i] = exactly_without(rest.losses[i], b.losses[i]);
  return rest;
}

Spent larger(const Spent& a, const Spent& b) {
  require_losses(b.losses.size(), a.losses.size());
  Spent most{a.losses, std::max(a.squares, b.squares), std::max(a.delta, b.delta)};
  for (std::size_t i = 0; i < b.losses.size(); ++i) most.losses[i] = std::max(most.losses[i], b.losses[i]);
  return most;
}

Spent times(const Spent& one, std::uint64_t count) {
  Spent all{one.losses, times(one.squares, count), times(one.delta, count)};
  for (LossAmount& loss : all.losses) loss = times(loss, count);
  return all;
}

// The largest S with sqrt(2 S ln(1/slack)) + S/2 <= epsilon: (sqrt(2 L + 2 epsilon) - sqrt(2 L))^2, cut to the grid.
// L is transcendental, so S is on no grid and more digits always decide.
SquareAmount most_squares(const AdvancedRule& rule) {
  const Rational steps_per_one = Rational(1) / SquareAmount::of_steps(1).value();
  Int128 steps = 0;
  for (long bits = 256; bits <= 4096; bits *= 2) {
    const BigInterval twice_log = twice_log_of(rule.slack, bits);
    const BigInterval root = sqrt(twice_log + BigInterval(2 * rule.epsilon.value(), bits)) - sqrt(twice_log);
    const BigInterval most = root * root * BigInterval(steps_per_one, bits);
    steps = std::max(Int128{0}, most.low_rational().floor());
    if (Int128 decided = 0; most.floor_is_decided(&decided)) break;
  }
  return SquareAmount::of_steps(steps);
}

// sqrt(2 S ln(1/slack)) + S/2, rounded up. An end that is not decided is the larger one: still a rule that holds.
LossAmount least_epsilon(SquareAmount squares, DeltaAmount slack) {
  constexpr long kBits = 512;
  const BigInterval sum(squares.value(), kBits);
  return LossAmount::up(
      (sqrt(twice_log_of(slack, kBits) * sum) + sum / BigInterval(Rational(2), kBits)).high_rational());
}

bool keeps(const FilterRule& rule, const Spent& sums) {
  require_valid(rule);
  const auto* advanced = std::get_if<AdvancedRule>(&rule);
  return keeps(rule, advanced != nullptr ? most_squares(*advanced) : SquareAmount(), sums);
}

// What a rule does not add up must be 0.
bool keeps(const FilterRule& rule, SquareAmount most_squares, const Spent& sums) {
  require_losses(sums.losses.size(), losses_of(rule));
  if (sums.squares > most_squares) return false;
  const auto within = [&](const std::vector<LossAmount>& limits, std::size_t i) { return sums.losses[i] <= limits[i]; };
  return std::visit(Match{
                        [&](const PureRule& r) { return sums.losses[0] <= r.epsilon && sums.delta == DeltaAmount(); },
                        [&](const BasicRule& r) { return sums.losses[0] <= r.epsilon && sums.delta <= r.delta; },
                        [&](const AdvancedRule& r) { return sums.delta <= r.delta; },
                        [&](const ZcdpRule& r) { return sums.losses[0] <= r.rho && sums.delta <= r.delta; },
                        [&](const RenyiAllRule& r) {
                          bool all = sums.delta <= r.delta;
                          for (std::size_t i = 0; all && i < r.limits.size(); ++i) all = within(r.limits, i);
                          return all;
                        },
                        [&](const RenyiAnyRule& r) {
                          bool any = false;
                          for (std::size_t i = 0; !any && i < r.limits.size(); ++i) any = within(r.limits, i);
                          return any && sums.delta <= r.delta;
                        },
                        [&](const GdpRule& r) { return sums.losses[0] <= r.mu_squared && sums.delta == DeltaAmount(); },
                    },
                    rule);
}

}  // namespace dither::accounting
