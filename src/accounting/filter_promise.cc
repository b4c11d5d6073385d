#include <algorithm>
#include <limits>

#include "accounting/filter_rule.h"
#include "accounting/gaussian.h"
#include "accounting/renyi.h"
#include "accounting/zcdp.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/roots.h"

namespace dither::accounting {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A Renyi bound at one order. It holds at every smaller order too, so the order may be rounded down.
RenyiCurve curve_at(const Rational& order, LossAmount limit) {
  RenyiCurve curve;
  const double rounded = order.to_double_down();
  if (rounded > 1) curve.add_table({{rounded, limit.value().to_double_up()}});
  return curve;
}

double renyi_all_epsilon(const RenyiAllRule& rule, double slack) {
  double best = kInfinity;
  for (std::size_t i = 0; i < rule.orders.size(); ++i) {
    const double order[] = {rule.orders[i].to_double_down()};
    if (order[0] <= 1) continue;
    best = std::min(best, renyi_epsilon_up(curve_at(rule.orders[i], rule.limits[i]), slack, order).value);
  }
  return best;
}

double renyi_any_delta(const RenyiAnyRule& rule, double epsilon) {
  double sum = 0;
  for (std::size_t i = 0; i < rule.orders.size(); ++i) {
    const double order[] = {rule.orders[i].to_double_down()};
    if (order[0] <= 1) return 1;
    sum = add_up(sum, renyi_delta_up(curve_at(rule.orders[i], rule.limits[i]), epsilon, order).value);
  }
  return std::min(1.0, sum);
}

double renyi_any_epsilon(const RenyiAnyRule& rule, double slack) {
  const auto enough = [&](double epsilon) { return renyi_any_delta(rule, epsilon) <= slack; };
  if (enough(0)) return 0;
  double high = 1;
  while (high < 1e300 && !enough(high)) high *= 2;
  return enough(high) ? find_turn(enough, 0, high).holds : kInfinity;
}

// The epsilon of a curve beside the delta of events; infinity when that leaves nothing.
template <typename EpsilonAt>
double beside(const Rational& delta, DeltaAmount events, EpsilonAt epsilon_at) {
  const Rational slack = delta - events.value();
  return slack.sign() < 0 ? kInfinity : epsilon_at(slack.to_double_down());
}

}  // namespace

double promised_epsilon(const FilterRule& rule, const Rational& delta) {
  if (delta.sign() < 0 || delta >= 1) {
    throw Error{Code::bad_probability, "delta is " + delta.str() + ", but must be 0 or more and below 1",
                "give a small probability such as 1e-6"};
  }
  const auto stated = [](LossAmount epsilon) { return [=](double) { return epsilon.value().to_double_up(); }; };
  if (const auto* r = std::get_if<PureRule>(&rule)) return r->epsilon.value().to_double_up();
  if (const auto* r = std::get_if<BasicRule>(&rule)) return beside(delta, r->delta, stated(r->epsilon));
  if (const auto* r = std::get_if<AdvancedRule>(&rule)) {
    return beside(delta, add_saturating(r->slack, r->delta), stated(r->epsilon));
  }
  if (const auto* r = std::get_if<ZcdpRule>(&rule)) {
    const double rho = r->rho.value().to_double_up();
    return beside(delta, r->delta, [=](double slack) { return zcdp_epsilon_up(rho, slack); });
  }
  if (const auto* r = std::get_if<RenyiAllRule>(&rule)) {
    return beside(delta, r->delta, [=](double slack) { return renyi_all_epsilon(*r, slack); });
  }
  if (const auto* r = std::get_if<RenyiAnyRule>(&rule)) {
    return beside(delta, r->delta, [=](double slack) { return renyi_any_epsilon(*r, slack); });
  }
  const double mu = sqrt_up(std::get<GdpRule>(rule).mu_squared.value().to_double_up());
  return gaussian_epsilon_up(mu, delta.to_double_down());
}

}  // namespace dither::accounting
