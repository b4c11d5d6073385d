#include "accounting/filter_rule.h"

#include <fmt/format.h>

#include <array>

#include "accounting/detail/match.h"
#include "base/big_interval.h"
#include "base/error.h"

// Proofs. Fix neighbours and an analyst. Let P and Q be the laws of the answers, L_n the sum of the first n privacy
// losses ln dP/dQ, each given the answers before, and T the time the analyst stops: the view is what came up to T.
//
// No delta events.  At a fixed order a, with t = a - 1, exp(t L_n - t (sum of the divergences)) is a supermartingale
// under P: each factor has conditional mean at most 1, whatever was chosen from the past. Prices are known before the
// answer, so with T bounded and the sum at most B, E exp(t L_T) <= exp(t B): the view is (a, B)-Renyi DP (Feldman and
// Zrnic 2021). For all a at once with divergences a rho this is zCDP. Pure: L_T <= sum of the epsilons.
//
// Delta events.  Given the past, P_n = (1 - d_n) P'_n + d_n P''_n, likewise Q_n, where P'_n, Q'_n have the guarantee
// . The product of the (1 - d_n) along a path is at least 1 - delta when the d_n sum to at most delta, so P and
// Q dominate w P' and w Q' with the same weight w <= 1 of mass at least 1 - delta, and P', Q' are a view without
// events: the view is delta-approximate, and (e, delta + d)-DP wherever P', Q' are (e, d)-close (Whitehouse, Ramdas,
// Rogers and Wu 2023, Theorem 1).
//
// Basic and advanced.  An (e_n, d_n) pair mixes e_n-close laws with weight 1 - d_n. These are e_n^2/2-zCDP
// so with rho = S/2 the tail conversion rho + 2 sqrt(rho ln(1/slack)) gives the rule.
//
// All orders.  The rule keeps the rule of every single order. The best of the promises may be taken afterwards.
//
// Any order, delta split.  Let T_a be the last time up to T at which order a is within its limit, which is a stopping
// time because prices are known in advance. At T one order at least is within, so T = T_a for one a. Split the worst
// event S for the view by the first such a into parts S_a; each is an event of the view stopped at T_a. Hence
// P(S) - e^e Q(S) <= sum over a of (P - e^e Q)(S_a) <= sum of the deltas of the orders, and the delta events, common to
// all orders, count once. Without the split the bound is wrong: the order that survives depends on the answers.
// The argument is for hockey-stick divergences, so the sharper conversion A-51 may be used. (Filters over several orders:
// Lecuyer 2021.)
//
// GDP.  Smith and Thakurta 2022; Koskela, Tobaben and Honkela 2023: the view is mu-GDP when the squares stay within mu^2.

namespace dither::accounting {
namespace {

using detail::Match;

struct RuleText {
  std::string_view name;
  std::string_view measure;
  std::string_view theorem;
};

// In the order of FilterRule.
constexpr std::array<RuleText, 7> kRules{{
    {"pure", "pure epsilon", "adaptive basic composition"},
    {"basic", "(epsilon, delta)", "adaptive basic composition"},
    {"advanced", "(epsilon, delta)", "Whitehouse, Ramdas, Rogers, Wu 2023: (epsilon, delta) filter"},
    {"zcdp", "zCDP", "Whitehouse, Ramdas, Rogers, Wu 2023: approximate zCDP filter"},
    {"renyi-all", "Renyi divergences", "Feldman, Zrnic 2021: Renyi filter at each order"},
    {"renyi-any", "Renyi divergences", "union bound over Renyi filters, delta split over the orders"},
    {"gdp", "mu^2 of GDP", "Smith, Thakurta 2022; Koskela, Tobaben, Honkela 2023: GDP filter"},
}};
constexpr std::array<std::string_view, 5> kChargeMeasures{"pure epsilon", "(epsilon, delta)", "zCDP",
                                                          "Renyi divergences", "mu^2 of GDP"};

void require_probability(const char* what, DeltaAmount delta, bool positive) {
  const Rational value = delta.value();
  if (value < 1 && !(positive && value.sign() == 0)) return;
  throw Error{Code::bad_probability,
              fmt::format("the {} of the filter is {}, but must be {} and below 1", what, delta.str(),
                          positive ? "above 0" : "0 or more"),
              "give a small probability such as 1e-6"};
}

void require_limit(LossAmount limit, long most) {
  if (limit.value() <= Rational(most)) return;
  throw Error{Code::out_of_range,
              fmt::format("the limit of the filter is {}, but must be at most {}", limit.str(), most),
              "give a smaller budget"};
}

constexpr long kMostLoss = 100'000'000'000'000'000;  // 10^17: far below where sums of amounts end
constexpr long kMostAdvanced = 100'000;              // its squares stay below where their sum ends

template <typename Rule>
void require_orders(const Rule& rule) {
  bool good = !rule.orders.empty() && rule.orders.size() == rule.limits.size() && rule.orders.front() > 1;
  for (std::size_t i = 1; good && i < rule.orders.size(); ++i) good = rule.orders[i - 1] < rule.orders[i];
  if (!good) {
    throw Error{Code::bad_weights, "the orders of the filter are not above 1, increasing, with one limit each",
                "give orders such as 2, 4, 8 and as many limits"};
  }
  for (const LossAmount limit : rule.limits) require_limit(limit, kMostLoss);
  require_probability("delta", rule.delta, false);
}

// What converting Renyi DP at this order to (epsilon, delta)-DP adds to the divergence, rounded up.
Rational conversion_cost_up(const Rational& order, const Rational& delta) {
  constexpr long kBits = 256;
  const BigInterval logs = log(BigInterval(delta, kBits)) + log(BigInterval(order, kBits));
  return (log1p(BigInterval(Rational(-1) / order, kBits)) - logs / BigInterval(order - 1, kBits)).high_rational();
}

}  // namespace

void require_valid(const FilterRule& rule) {
  std::visit(Match{
                 [](const PureRule& r) { require_limit(r.epsilon, kMostLoss); },
                 [](const BasicRule& r) {
                   require_limit(r.epsilon, kMostLoss);
                   require_probability("delta", r.delta, false);
                 },
                 [](const AdvancedRule& r) {
                   require_limit(r.epsilon, kMostAdvanced);
                   require_probability("slack", r.slack, true);
                   require_probability("delta", r.delta, false);
                 },
                 [](const ZcdpRule& r) {
                   require_limit(r.rho, kMostLoss);
                   require_probability("delta", r.delta, false);
                 },
                 [](const RenyiAllRule& r) { require_orders(r); },
                 [](const RenyiAnyRule& r) { require_orders(r); },
                 [](const GdpRule& r) { require_limit(r.mu_squared, kMostLoss); },
             },
             rule);
}

RenyiAnyRule renyi_any(std::vector<Rational> orders, const Rational& epsilon, const Rational& delta,
                       const Rational& events) {
  RenyiAnyRule given{orders, std::vector<LossAmount>(orders.size()), DeltaAmount::down(events)};
  require_orders(given);
  if (delta.sign() <= 0 || delta >= 1) {
    throw Error{Code::bad_probability, fmt::format("delta is {}, but must be above 0 and below 1", delta.str()),
                "give a small probability such as 1e-6"};
  }
  RenyiAnyRule rule{{}, {}, given.delta};
  for (; !orders.empty();
       orders = rule.orders) {  // again without the orders that reach no limit, until none is left out
    rule.orders.clear();
    rule.limits.clear();
    const Rational share = delta / Rational(static_cast<long>(orders.size()));
    for (const Rational& order : orders) {
      const Rational limit = epsilon - conversion_cost_up(order, share);
      if (limit.sign() <= 0) continue;
      rule.orders.push_back(order);
      rule.limits.push_back(LossAmount::down(limit));
    }
    if (rule.orders.size() == orders.size()) return rule;
  }
  throw Error{Code::unreachable,
              fmt::format("no order reaches epsilon {} at delta {} with a positive limit", epsilon.str(), delta.str()),
              "add larger orders, or ask for a larger epsilon or delta"};
}

SquareAmount square_up(LossAmount epsilon) {
  constexpr Int128 kRootOfRange = Int128{1300} * 1'000'000'000'000'000'000;  // 1300^2 < 1.7e6
  if (epsilon.steps() > kRootOfRange) return SquareAmount::of_steps(kInt128Max);
  // With 100 a + b steps of 10^-18 the square has a^2 + (200 a b + b^2) / 10^4 steps of 10^-32.
  const Int128 a = epsilon.steps() / 100;
  const Int128 b = epsilon.steps() % 100;
  return SquareAmount::of_steps(a * a + ((200 * a + b) * b + 9'999) / 10'000);
}

SquareAmount variance_up(LossAmount loss) {
  return SquareAmount::of_steps(mul_saturating(loss.steps(), 100'000'000'000'000));  // 10^-18 in steps of 10^-32
}

std::string_view rule_name(const FilterRule& rule) { return kRules[rule.index()].name; }
std::string_view measure_name(const FilterRule& rule) { return kRules[rule.index()].measure; }
std::string_view measure_name(const Charge& charge) { return kChargeMeasures[charge.index()]; }
std::string_view rule_theorem(const FilterRule& rule) { return kRules[rule.index()].theorem; }

void require_concurrent(const FilterRule& rule) {
  const bool proven = std::visit(
      Match{
          [](const ZcdpRule& r) { return r.delta == DeltaAmount(); },
          [](const RenyiAllRule& r) { return r.delta == DeltaAmount(); }, [](const RenyiAnyRule&) { return false; },
          [](const auto&) { return true; },  // pure, basic, advanced: (epsilon, delta); gdp: f-DP
      },
      rule);
  if (proven) return;
  throw Error{Code::no_theorem,
              fmt::format("a {} filter with these parameters is not proven for interactive mechanisms that run at the "
                          "same time",
                          rule_name(rule)),
              "finish one interactive mechanism before opening the next, or use basic, advanced, gdp, or zcdp or "
              "renyi-all without delta"};
}

}  // namespace dither::accounting
