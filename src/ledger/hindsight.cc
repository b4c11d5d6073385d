#include "ledger/hindsight.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "accounting/tradeoff.h"
#include "base/directed.h"
#include "base/error.h"

namespace dither::ledger {
namespace {

using namespace accounting;  // NOLINT: written in the words of the accountant

// The kinds of release that an accountant can take in about a second.
std::size_t most_kinds(Accountant accountant) {
  if (accountant == Accountant::lattice) return 16;
  return accountant == Accountant::fourier ? 100 : std::numeric_limits<std::size_t>::max();
}

TotalIfFixed total_by(Accountant accountant, const Composition& composition, const Rational& delta) {
  if (const std::size_t most = most_kinds(accountant); composition.list().events.size() > most) {
    return {accountant, {}, fmt::format("there are more than {} different kinds of release", most)};
  }
  try {
    const Guarantee guarantee = composition.epsilon_by(accountant, delta);
    const std::string method = fmt::format("{}, if fixed in advance", accountant_name(accountant));
    return {accountant, Estimate{guarantee.epsilon.upper, method}, ""};
  } catch (const Error& error) {
    if (error.code() != Code::no_theorem) throw;
    return {accountant, {}, error.what()};
  }
}

}  // namespace

std::vector<Event> grouped(const std::vector<Event>& events) {
  std::vector<Event> kinds;
  std::unordered_map<std::string, std::size_t> kind_of;
  for (const Event& event : events) {
    Event one = event;
    one.times = 0;
    const auto [place, is_new] = kind_of.try_emplace(canonical_json(one), kinds.size());
    if (!is_new && kinds[place->second].times + event.times <= kMostTimes) {
      kinds[place->second].times += event.times;
    } else {
      place->second = kinds.size();
      kinds.push_back(event);
    }
  }
  return kinds;
}

std::vector<TotalIfFixed> totals_if_fixed(Neighbours neighbours, const PrivacyUnit& unit,
                                          const std::vector<Event>& events, const Rational& delta) {
  const Composition composition(EventList{neighbours, unit, 1, grouped(events)});
  std::vector<TotalIfFixed> totals;
  for (const Accountant accountant : all_accountants()) totals.push_back(total_by(accountant, composition, delta));
  return totals;
}

// The promises at all deltas hold together, so each gives a bound and the least of them counts.
AttackOdds attack_odds(const FilterRule& rule, const Rational& delta) {
  constexpr double kFalseAlarms = 0.01;
  constexpr double kSuspicion = 0.01;
  AttackOdds odds{promised_epsilon(rule, delta), 1, 1, {}};
  std::vector<Rational> deltas{0, delta};
  for (Rational power(1, 10); power > Rational(1, 10'000'000'000); power /= 10) deltas.push_back(power);
  for (const Rational& at : deltas) {
    const double epsilon = promised_epsilon(rule, at);
    if (!std::isfinite(epsilon)) continue;
    odds.accuracy = std::min(odds.accuracy, attack_accuracy_up(epsilon, at.to_double_up()));
    odds.hits = std::min(odds.hits, true_positive_rate_up(epsilon, at.to_double_up(), kFalseAlarms));
    if (at.sign() == 0) odds.posterior = posterior_up(epsilon, kSuspicion);
  }
  if (const auto* gdp = std::get_if<GdpRule>(&rule)) {
    const double mu = gdp_mu_up(gdp->mu_squared.value());
    odds.accuracy = std::min(odds.accuracy, gaussian_attack_accuracy_up(mu));
    odds.hits = std::min(odds.hits, sub_up(1, gaussian_tradeoff_down(mu, kFalseAlarms)));
  }
  return odds;
}

}  // namespace dither::ledger
