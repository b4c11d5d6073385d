// What mechanisms cost that see all the data.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "accounting/detail/cost_parts.h"
#include "accounting/group.h"
#include "accounting/hidden_state.h"
#include "accounting/key_release.h"
#include "accounting/matrix.h"
#include "accounting/native_atoms.h"
#include "accounting/renyi.h"
#include "accounting/selection.h"
#include "accounting/shuffle.h"
#include "accounting/tuning.h"
#include "accounting/zcdp.h"
#include "base/directed.h"
#include "base/error.h"

namespace dither::accounting::detail {
namespace {

// For whom the cost is stated.
struct Whom {
  Neighbours neighbours;
  std::uint64_t group;
};

void require_single(const Whom& whom, std::string_view what) {
  if (whom.group == 1) return;
  no_theorem(fmt::format("groups of {} under {}: no rule for groups is known here", whom.group, what),
             "state the mechanism for groups itself, or ask about single units (`group: 1`)");
}

void require_replace_one(const Whom& whom, std::string_view what, std::string_view theorem) {
  if (whom.neighbours == Neighbours::replace_one) return;
  no_theorem(fmt::format("{} under {}: {} is proven for replace-one", what, neighbours_name(whom.neighbours), theorem),
             "write `neighbours: replace-one`");
}

// Neighbours at distance `group` move the value by `group` sensitivities.
Rational distance(const Rational& sensitivity, const Whom& whom) { return times(sensitivity, whom.group); }

std::uint64_t whole(const Rational& value) {
  if (value > Rational(static_cast<Int128>(std::numeric_limits<std::int64_t>::max()))) {
    throw Error{Code::out_of_range, "the sensitivity is above 2^63", "count in larger steps"};
  }
  return static_cast<std::uint64_t>(value.floor());
}

Cost pure_cost(const Rational& epsilon, bool attained, std::string theorem) {
  Cost cost = black_box_cost(epsilon, 0, std::move(theorem));
  cost.attained = attained;
  return cost;
}

Cost cost_of(const Gaussian& m, const Whom& whom) {
  const Rational mu = distance(m.sensitivity, whom) / m.sigma;
  return gaussian_cost(mu * mu, true, "Gaussian noise: the loss is N(mu^2/2, mu^2), mu = sensitivity / sigma");
}

Cost cost_of(const DiscreteGaussian& m, const Whom& whom) {
  const Rational shift = distance(m.sensitivity, whom);
  const Rational mu = shift / m.sigma;
  Cost cost;
  cost.concentrated = ConcentratedDp{zcdp_of_gaussian(mu * mu), 0};
  set_pairs(cost, whom.neighbours, discrete_gaussian(m.sigma, whole(shift)));
  cost.attained = true;
  cost.theorem = "discrete Gaussian noise: the exact law of its loss";
  return cost;
}

Cost cost_of(const Laplace& m, const Whom& whom) {
  const Rational epsilon = distance(m.sensitivity, whom) / m.scale;
  Cost cost = pure_cost(epsilon, true, "Laplace noise: the exact law of its loss");
  set_pairs(cost, whom.neighbours, {Step{LaplaceLoss{near(epsilon)}, {}, 1}});
  return cost;
}

Cost cost_of(const DiscreteLaplace& m, const Whom& whom) {
  const Rational shift = distance(m.sensitivity, whom);
  Cost cost = pure_cost(shift / m.scale, true, "discrete Laplace noise: the exact law of its loss");
  set_pairs(cost, whom.neighbours, {discrete_laplace(m.scale, whole(shift))});
  return cost;
}

Cost cost_of(const RandomisedResponse& m, const Whom& whom) {
  // A person who may change more than one answer is no group here: each answer is its own event.
  Cost cost = pure_cost(group_epsilon(m.epsilon, whom.group), whom.group == 1,
                        "randomised response: the exact law of its loss");
  cost.extremal = m.categories == 2;
  if (whom.group == 1) set_pairs(cost, whom.neighbours, {Step{k_ary_response(m.epsilon, m.categories), {}, 1}});
  return cost;
}

// The range of the loss is at most eta, so it concentrates better than pure DP says.
Cost bounded_range_cost(const Rational& epsilon, const Whom& whom) {
  const Rational eta = group_epsilon(epsilon, whom.group);
  Cost cost = pure_cost(eta, false, "exponential mechanism: a loss of bounded range");
  cost.concentrated = ConcentratedDp{bounded_range_rho(eta), 0};
  cost.renyi = RenyiDp{[eta](double order) { return bounded_range_rdp(eta, order); }, 0};
  if (eta.sign() > 0 && eta <= Rational(600)) set_pairs(cost, whom.neighbours, {bounded_range_pair(eta)});
  return cost;
}

Cost cost_of(const Exponential& m, const Whom& whom) { return bounded_range_cost(m.epsilon, whom); }

Cost cost_of(const PermuteAndFlip& m, const Whom& whom) {
  return pure_cost(group_epsilon(m.epsilon, whom.group), false, "permute-and-flip: pure DP, no bounded range");
}

Cost cost_of(const NoisyMax& m, const Whom& whom) {
  if (m.noise == NoisyMax::Noise::gumbel) return bounded_range_cost(m.epsilon, whom);
  return pure_cost(group_epsilon(m.epsilon, whom.group), false, "report noisy max: pure DP");
}

Cost cost_of(const SparseVector& m, const Whom& whom) {
  return pure_cost(group_epsilon(m.epsilon, whom.group), false, "sparse vector: pure DP");
}

Cost cost_of(const Staircase& m, const Whom& whom) {
  const bool single = whom.group == 1;
  Cost cost = pure_cost(group_epsilon(m.epsilon, whom.group), single, "staircase noise: the exact law of its loss");
  if (single && m.epsilon.sign() > 0) {
    set_pairs(cost, whom.neighbours, {Step{staircase(m.epsilon, m.gamma), {}, 1}});
  }
  return cost;
}

Cost cost_of(const BlackBox& m, const Whom& whom) {
  const double delta = m.delta.sign() == 0 || whom.group == 1
                           ? 0
                           : group_delta_up(m.epsilon.to_double_up(), m.delta.to_double_up(), whom.group);
  Cost cost =
      black_box_cost(group_epsilon(m.epsilon, whom.group), whom.group == 1 ? m.delta : Rational::from_double(delta),
                     "the worst mechanism with this epsilon and delta");
  cost.attained = whom.group == 1;
  cost.extremal = true;
  return cost;
}

Cost cost_of(const Zcdp& m, const Whom& whom) {
  if (m.delta.sign() > 0) require_single(whom, "approximate zCDP");
  Cost cost;
  cost.concentrated = ConcentratedDp{group_rho(m.rho, whom.group), m.delta};
  cost.theorem = "zCDP as stated";
  return cost;
}

Cost cost_of(const Renyi& m, const Whom& whom) {
  require_single(whom, "a Renyi curve");
  std::vector<OrderBound> table;
  for (std::size_t i = 0; i < m.orders.size(); ++i) {
    table.push_back({m.orders[i].to_double_down(), m.epsilons[i].to_double_up()});
  }
  auto curve = std::make_shared<RenyiCurve>();
  curve->add_table(std::move(table));
  return renyi_cost([curve](double order) { return curve->at(order); }, m.delta.to_double_up(),
                    "the Renyi curve as stated");
}

Cost cost_of(const Gdp& m, const Whom& whom) {
  return gaussian_cost(group_squared_mu(m.mu * m.mu, whom.group), true, "Gaussian DP as stated");
}

Cost cost_of(const Tree& m, const Whom& whom) {
  const Rational norm = distance(m.sensitivity, whom) / m.sigma;
  return gaussian_cost(tree_sensitivity_squared(m.leaves) * norm * norm, true,
                       "tree counter: Gaussian noise, a record enters one node of each level");
}

Cost cost_of(const Matrix& m, const Whom& whom) {
  const Participation once{m.participations, m.separation};
  const double squared = m.coefficients.empty() ? square_root_sensitivity_squared(m.steps, once)
                                                : toeplitz_sensitivity_squared(m.coefficients, m.steps, once);
  const Rational norm = distance(m.sensitivity, whom) / m.sigma;
  return gaussian_cost(Rational::from_double(squared) * norm * norm, false,
                       "matrix mechanism: Gaussian noise on C x, whatever x depends on");
}

Cost plain(const Mechanism& mechanism, const Whom& whom);

struct KeyNoiseOf {
  KeyNoise noise;
  Rational scale;
  Rational contribution;
};

KeyNoiseOf key_noise_of(const Mechanism& mechanism) {
  if (const auto* m = std::get_if<Laplace>(&mechanism.kind)) return {KeyNoise::laplace, m->scale, m->sensitivity};
  if (const auto* m = std::get_if<DiscreteLaplace>(&mechanism.kind)) {
    return {KeyNoise::discrete_laplace, m->scale, m->sensitivity};
  }
  if (const auto* m = std::get_if<Gaussian>(&mechanism.kind)) return {KeyNoise::gaussian, m->sigma, m->sensitivity};
  if (const auto* m = std::get_if<DiscreteGaussian>(&mechanism.kind)) {
    return {KeyNoise::discrete_gaussian, m->sigma, m->sensitivity};
  }
  no_theorem(fmt::format("key release with {}: the tail of its noise is not known here", mechanism_name(mechanism)),
             "use laplace, discrete-laplace, gaussian or discrete-gaussian noise");
}

Cost cost_of(const KeyRelease& m, const Whom& whom) {
  require_single(whom, "key release");
  const KeyNoiseOf noise = key_noise_of(m.noise.get());
  const AtomLoss shown = key_release_loss(noise.noise, noise.scale, m.threshold, noise.contribution, m.keys);
  Cost cost = plain(m.noise.get(), whom);
  complete(cost, whom.neighbours);
  for (auto& [view, steps] : cost.pairs) {
    repeat(steps, m.keys);
    steps.push_back({shown, no_loss(), 1});
  }
  const Rational delta = Rational::from_double(std::min(1.0, mul_up(shown.infinite_mass, 1 + 0x1p-48)));
  if (cost.approximate) cost.approximate = ApproximateDp{times(cost.approximate->epsilon, m.keys), delta};
  if (cost.concentrated) cost.concentrated = ConcentratedDp{times(cost.concentrated->rho, m.keys), delta};
  cost.squared_mu.reset();
  cost.renyi.reset();
  cost.attained = false;
  cost.extremal = false;
  cost.theorem = "key release: noisy counts of the keys, and the chance that a key of one unit alone is shown";
  return cost;
}

// One of several costs, which one by a public coin.
Cost cost_of(const Mixture& m, const Whom& whom) {
  std::vector<Cost> parts;
  for (const Inner& inner : m.parts) {
    parts.push_back(plain(inner.get(), whom));
    complete(parts.back(), whom.neighbours);
  }
  Cost cost;
  cost.theorem = "a mixture by a coin that ignores the data: the losses mix";
  const auto all = [&](const auto& has) { return std::all_of(parts.begin(), parts.end(), has); };
  if (all([](const Cost& part) { return part.approximate.has_value(); })) {
    ApproximateDp worst{0, 0};
    for (const Cost& part : parts) {
      worst = {std::max(worst.epsilon, part.approximate->epsilon), std::max(worst.delta, part.approximate->delta)};
    }
    cost.approximate = worst;
  }
  const auto atoms_of = [](const Cost& part) -> const AtomLoss* {
    if (part.pairs.empty() || part.pairs.begin()->second.size() != 1) return nullptr;
    const Step& step = part.pairs.begin()->second.front();
    return step.times == 1 && !step.below ? std::get_if<AtomLoss>(&step.above) : nullptr;
  };
  if (all([&](const Cost& part) { return atoms_of(part) != nullptr; })) {
    std::vector<AtomLoss> losses;
    for (const Cost& part : parts) losses.push_back(*atoms_of(part));
    set_pairs(cost, whom.neighbours, {Step{mixture(m.weights, losses), {}, 1}});
    cost.attained = all([](const Cost& part) { return part.attained; });
  } else if (all([](const Cost& part) { return part.renyi && part.renyi->delta == 0; })) {
    cost.renyi = RenyiDp{[weights = m.weights, parts](double order) {
                           std::vector<double> divergences;
                           for (const Cost& part : parts) divergences.push_back(part.renyi->epsilon(order));
                           return mixture_rdp(weights, divergences, order);
                         },
                         0};
  }
  if (!cost.approximate && !cost.renyi && cost.pairs.empty()) {
    no_theorem("a mixture of these parts: they have neither a common (epsilon, delta) nor Renyi curves without delta",
               "list the parts as events of their own");
  }
  return cost;
}

Cost cost_of(const HiddenState& m, const Whom& whom) {
  require_single(whom, "hidden iterates");
  Cost cost;
  cost.concentrated = ConcentratedDp{
      hidden_state_rho({m.step_size, m.sigma, m.iterations}, {m.lipschitz, m.smoothness}, m.position, whom.neighbours,
                       ConvexLoss(m.convex), LastIterateOnly(m.last_iterate_only), OnePass(m.one_pass)),
      0};
  cost.theorem = "amplification by iteration: early records are hidden by later noise";
  return cost;
}

Cost cost_of(const Shuffle& m, const Whom& whom) {
  require_single(whom, "shuffling");
  require_replace_one(whom, "shuffling", "hiding among the clones");
  Cost cost = black_box_cost(m.epsilon, 0, "shuffled reports: each hides among the clones of the others");
  if (m.users > 1 && m.epsilon.sign() > 0) {
    set_pairs(cost, whom.neighbours, {Step{shuffle_loss(m.epsilon, m.users), no_loss(), 1}});
  }
  return cost;
}

Cost cost_of(const Tuning& m, const Whom& whom) {
  Cost base = plain(m.base.get(), whom);
  complete(base, whom.neighbours);
  if (m.runs > 0) {
    for (auto& [view, steps] : base.pairs) repeat(steps, m.runs);
    if (base.approximate) {
      base.approximate = ApproximateDp{times(base.approximate->epsilon, m.runs),
                                       std::min(Rational(1), times(base.approximate->delta, m.runs))};
    }
    if (base.concentrated) {
      base.concentrated = ConcentratedDp{times(base.concentrated->rho, m.runs),
                                         std::min(Rational(1), times(base.concentrated->delta, m.runs))};
    }
    if (base.squared_mu) base.squared_mu = times(*base.squared_mu, m.runs);
    if (base.renyi) {
      const double runs = static_cast<double>(m.runs);
      base.renyi = RenyiDp{[curve = base.renyi->epsilon, runs](double order) { return mul_up(runs, curve(order)); },
                           std::min(1.0, mul_up(runs, base.renyi->delta))};
    }
    base.attained = base.extremal = false;  // only the best run is shown
    base.theorem = "a fixed number of tuning runs: every run is charged";
    return base;
  }
  Cost cost;
  cost.theorem = "the best of a random number of runs";
  if (base.approximate && base.approximate->delta.sign() == 0) {
    cost.approximate = ApproximateDp{tuned_epsilon(base.approximate->epsilon, m.shape), 0};
  }
  if (base.renyi && base.renyi->delta == 0) {
    cost.renyi = RenyiDp{[curve = base.renyi->epsilon, shape = m.shape, stop = m.stop](double order) {
                           return tuned_renyi_up(order, curve, shape, stop);
                         },
                         0};
  }
  if (!cost.approximate && !cost.renyi) {
    no_theorem("tuning of a base with a delta: the theorem is about pure and Renyi DP",
               "give a base without delta, or a fixed number of `runs`");
  }
  return cost;
}

Cost plain(const Mechanism& mechanism, const Whom& whom) {
  return std::visit([&](const auto& m) { return cost_of(m, whom); }, mechanism.kind);
}

}  // namespace

Cost plain_cost(const Mechanism& mechanism, Neighbours neighbours, std::uint64_t group) {
  return plain(mechanism, {neighbours, group});
}

}  // namespace dither::accounting::detail
