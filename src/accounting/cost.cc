#include "accounting/cost.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accounting/detail/cost_parts.h"
#include "accounting/failure.h"
#include "accounting/moments.h"
#include "accounting/native_atoms.h"
#include "accounting/zcdp.h"
#include "base/directed.h"
#include "base/error.h"

namespace dither::accounting {

std::vector<View> views(Neighbours neighbours) {
  switch (neighbours) {
    case Neighbours::add_remove:
      return {View::remove, View::add};
    case Neighbours::replace_one:
      return {View::replace};
    case Neighbours::both:
      break;
  }
  return {View::remove, View::add, View::replace};
}

Cost cost(const Event& event, Neighbours neighbours, std::uint64_t group) {
  Cost cost = event.sample ? detail::sampled_cost(*event.sample, event.mechanism, neighbours, group)
                           : detail::plain_cost(event.mechanism, neighbours, group);
  detail::complete(cost, neighbours);
  return cost;
}

namespace detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// At least the probability of an infinite loss: it is within 2^-50 of the exact one.
double infinite_mass(const Step& step) {
  const auto* atoms = std::get_if<AtomLoss>(&step.above);
  return atoms == nullptr ? 0 : std::min(1.0, mul_up(atoms->infinite_mass, 1 + 0x1p-48));
}

// The Renyi divergence of the worst view, from the moments of its pairs. Given that all losses are finite, which has
// probability 1 - m, losses grow by -ln(1 - m) and E e^(t Z) by the factor (1 - m)^-(1 + t).
double renyi_of_pairs(const std::map<View, std::vector<Step>>& pairs, double order) {
  double worst = 0;
  for (const auto& [view, steps] : pairs) {
    double sum = 0;
    for (const Step& step : steps) {
      const double moment = std::max(0.0, log_moment(step.above, sub_up(order, 1)).upper);
      const double given_finite = mul_up(order, -log1p_down(-infinite_mass(step)));
      sum = add_up(sum, mul_up(add_up(moment, given_finite), static_cast<double>(step.times)));
    }
    worst = std::max(worst, sum);
  }
  return div_up(worst, sub_down(order, 1));
}

double infinite_mass(const std::map<View, std::vector<Step>>& pairs) {
  double worst = 0;
  for (const auto& [view, steps] : pairs) {
    FailureProbability failure;
    for (const Step& step : steps) failure.add(infinite_mass(step), step.times);
    worst = std::max(worst, failure.up());
  }
  return worst;
}

}  // namespace

void no_theorem(const std::string& missing, const std::string& hint) { throw Error{Code::no_theorem, missing, hint}; }

double near(const Rational& value) { return value.to_double_down(); }

Rational times(const Rational& value, std::uint64_t factor) { return value * Rational(static_cast<Int128>(factor)); }

void repeat(std::vector<Step>& steps, std::uint64_t factor) {
  for (Step& step : steps) {
    if (factor > kMostTimes || step.times > kMostTimes / std::max<std::uint64_t>(factor, 1)) {
      throw Error{Code::bad_count, "an event makes more than 10^12 releases", "give fewer times, keys or runs"};
    }
    step.times *= factor;
  }
}

Cost gaussian_cost(const Rational& squared_mu, bool attained, std::string theorem) {
  static const Rational most = Rational::parse("1e200");
  if (squared_mu > most || (squared_mu.sign() > 0 && squared_mu * most < Rational(1))) {
    throw Error{Code::out_of_range, "sensitivity / sigma is outside 1e-100 to 1e100", "use another unit or sigma"};
  }
  Cost cost;
  cost.squared_mu = squared_mu;
  cost.concentrated = ConcentratedDp{zcdp_of_gaussian(squared_mu), 0};
  cost.attained = attained;
  cost.theorem = std::move(theorem);
  return cost;
}

Cost black_box_cost(const Rational& epsilon, const Rational& delta, std::string theorem) {
  Cost cost;
  cost.approximate = ApproximateDp{epsilon, delta};
  cost.theorem = std::move(theorem);
  return cost;
}

Cost renyi_cost(std::function<double(double)> bound, double delta, std::string theorem) {
  Cost cost;
  cost.renyi = RenyiDp{std::move(bound), delta};
  cost.theorem = std::move(theorem);
  return cost;
}

void set_pairs(Cost& cost, Neighbours neighbours, const std::vector<Step>& steps) {
  for (const View view : views(neighbours)) cost.pairs[view] = steps;
}

void complete(Cost& cost, Neighbours neighbours) {
  if (cost.squared_mu && cost.pairs.empty()) {
    const double mu = std::sqrt(near(*cost.squared_mu));
    if (mu > 0) set_pairs(cost, neighbours, {Step{GaussianLoss{mu}, {}, 1}});
  }
  if (cost.approximate && cost.pairs.empty()) {
    Step step{black_box(cost.approximate->epsilon, cost.approximate->delta), {}, 1};
    if (!cost.attained) step.below = no_loss();
    set_pairs(cost, neighbours, {step});
  }
  if (cost.approximate && cost.approximate->delta.sign() == 0 && !cost.concentrated) {
    cost.concentrated = ConcentratedDp{zcdp_of_pure(cost.approximate->epsilon), 0};
  }
  if (!cost.renyi && !cost.pairs.empty()) {
    const bool linear = cost.concentrated && cost.concentrated->delta.sign() == 0;
    const double rho = linear ? cost.concentrated->rho.to_double_up() : kInfinity;
    cost.renyi = RenyiDp{
        [pairs = cost.pairs, rho](double order) { return std::min(renyi_of_pairs(pairs, order), mul_up(rho, order)); },
        infinite_mass(cost.pairs)};
  }
  if (!cost.renyi && cost.concentrated) {
    const double rho = cost.concentrated->rho.to_double_up();
    cost.renyi = RenyiDp{[rho](double order) { return mul_up(rho, order); }, cost.concentrated->delta.to_double_up()};
  }
}

}  // namespace detail
}  // namespace dither::accounting
