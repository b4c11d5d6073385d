// What mechanisms cost that see a random sample of the records.
#include <fmt/format.h>

#include <cmath>

#include "accounting/allocation.h"
#include "accounting/batches.h"
#include "accounting/cells.h"
#include "accounting/detail/cost_parts.h"
#include "accounting/gaussian.h"
#include "accounting/native_atoms.h"
#include "accounting/profile.h"
#include "accounting/sampled_gaussian_renyi.h"
#include "accounting/sampling_renyi.h"
#include "base/directed.h"

namespace dither::accounting::detail {
namespace {

void require_single(std::uint64_t group, std::string_view sampler) {
  if (group == 1) return;
  no_theorem(fmt::format("groups of {} under {}: group rules do not hold after sampling", group, sampler),
             "ask about single units (`group: 1`); Gaussian noise on Poisson samples has a rule for groups");
}

// No record is ever used.
Cost nothing() {
  Cost cost = black_box_cost(0, 0, "no record is ever sampled");
  cost.attained = true;
  return cost;
}

// P(j of `group` records are sampled), j = 0 ... group; for one record {1 - rate, rate}.
std::vector<double> binomial_weights(const Rational& rate, std::uint64_t group) {
  constexpr std::uint64_t kMostInGroup = 64;
  if (group > kMostInGroup) {
    no_theorem(
        fmt::format("a group of {} under Poisson sampling: more than {} are not computed here", group, kMostInGroup),
        "ask about a smaller group");
  }
  std::vector<double> weights;
  for (std::uint64_t j = 0; j <= group; ++j) {
    Rational weight = pow(rate, static_cast<unsigned>(j)) * pow(Rational(1) - rate, static_cast<unsigned>(group - j));
    for (std::uint64_t i = 0; i < j; ++i) {
      weight *= Rational(static_cast<long>(group - i), static_cast<long>(i + 1));
    }
    static const Rational least = Rational::parse("1e-290");
    if (weight < least) {
      no_theorem("a group this large at a rate this small: probabilities below 1e-290 are not computed here",
                 "ask about a smaller group");
    }
    weights.push_back(near(weight));
  }
  return weights;
}

MixtureLoss::Direction direction(View view) {
  switch (view) {
    case View::remove:
      return MixtureLoss::Direction::remove;
    case View::add:
      return MixtureLoss::Direction::add;
    case View::replace:
      break;
  }
  return MixtureLoss::Direction::replace;
}

Cost poisson_gaussian(const Rational& rate, const Gaussian& m, Neighbours neighbours, std::uint64_t group) {
  const double mu = near(m.sensitivity / m.sigma);
  const std::vector<double> weights = binomial_weights(rate, group);
  Cost cost;
  for (const View view : views(neighbours)) {
    cost.pairs[view] = {Step{MixtureLoss{mu, weights, direction(view)}, {}, 1}};
  }
  if (group == 1 && neighbours == Neighbours::add_remove) {  // quicker than by moments; removing is the worse direction
    cost.renyi = RenyiDp{SampledGaussianRenyi((m.sensitivity / m.sigma).to_double_up(), rate.to_double_up()), 0};
  }
  cost.attained = true;
  cost.theorem = "Gaussian noise on a Poisson sample: a mixture of Gaussians, each direction by itself";
  return cost;
}

// Losses whose exponentials are no doubles: no atoms are made of them.
bool leaves_doubles(const AtomLoss& loss) {
  return !loss.atoms.empty() && (loss.atoms.back().loss > 600 || loss.atoms.front().loss < -600);
}

// One release on a Poisson sample, from the pair of the release itself; nothing when there is no rule for that pair.
std::optional<Step> poisson_step(const Step& base, const Rational& rate, const Cost& cost, View view) {
  if (base.times != 1) return std::nullopt;
  if (const auto* gaussian = std::get_if<GaussianLoss>(&base.above)) {
    return Step{MixtureLoss{gaussian->mu, binomial_weights(rate, 1), direction(view)}, {}, 1};
  }
  if (std::holds_alternative<LaplaceLoss>(base.above)) {
    if (!cost.approximate || cost.approximate->epsilon > Rational(600)) return std::nullopt;
    return poisson_laplace(cost.approximate->epsilon, rate, direction(view));
  }
  const auto* above = std::get_if<AtomLoss>(&base.above);
  if (above == nullptr || leaves_doubles(*above)) return std::nullopt;
  Step step = poisson_atoms(*above, above->infinite_mass, rate, direction(view));  // pairs here are symmetric
  if (base.below) {
    const auto* below = std::get_if<AtomLoss>(&*base.below);
    if (below == nullptr) return std::nullopt;
    const Step other = poisson_atoms(*below, below->infinite_mass, rate, direction(view));
    step.below = other.below ? other.below : other.above;
  }
  return step;
}

// (epsilon, delta) on a sample that holds a record with this probability.
ApproximateDp amplified(const ApproximateDp& base, const Rational& rate) {
  const double epsilon = amplified_epsilon_up(base.epsilon.to_double_up(), rate.to_double_up());
  return {std::min(base.epsilon, Rational::from_double(epsilon)), base.delta * rate};
}

RenyiFunction whole_base_curve(const Cost& base, std::string_view sampler) {
  if (base.renyi && base.renyi->delta == 0) return base.renyi->epsilon;
  if (base.concentrated && base.concentrated->delta.sign() == 0) {
    return [rho = base.concentrated->rho.to_double_up()](double order) { return mul_up(rho, order); };
  }
  no_theorem(fmt::format("{} of this mechanism: it has no pair, no (epsilon, delta) and no Renyi curve without delta",
                         sampler),
             "state the mechanism by an (epsilon, delta), a rho or a Renyi curve");
}

Cost poisson_cost(const Poisson& sampler, const Mechanism& mechanism, Neighbours neighbours, std::uint64_t group) {
  if (const auto* m = std::get_if<Gaussian>(&mechanism.kind)) {
    if (neighbours != Neighbours::add_remove) require_single(group, "Poisson sampling with replaced records");
    return poisson_gaussian(sampler.rate, *m, neighbours, group);
  }
  require_single(group, "Poisson sampling");
  require_amplification(sampler, neighbours);
  Cost base = plain_cost(mechanism, neighbours, 1);
  complete(base, neighbours);
  Cost cost;
  cost.theorem = "Poisson sampling of the mechanism's own pair, each direction by itself";
  if (base.approximate) cost.approximate = amplified(*base.approximate, sampler.rate);
  cost.rounded = true;
  if (neighbours == Neighbours::add_remove) {
    for (const auto& [view, steps] : base.pairs) {
      const std::optional<Step> step =
          steps.size() == 1 ? poisson_step(steps.front(), sampler.rate, base, view) : std::nullopt;
      if (!step) {
        cost.pairs.clear();
        break;
      }
      cost.pairs[view] = {*step};
    }
    cost.attained = base.attained && !cost.pairs.empty();
  }
  if (cost.pairs.empty() && !cost.approximate) {
    if (neighbours != Neighbours::add_remove) {
      no_theorem(fmt::format("Poisson sampling of a Renyi curve under {}: it is proven for add-remove",
                             neighbours_name(neighbours)),
                 "write `neighbours: add-remove`, or state the mechanism by an (epsilon, delta)");
    }
    cost.renyi = RenyiDp{[rate = sampler.rate.to_double_up(), curve = whole_base_curve(base, "Poisson sampling")](
                             double order) { return poisson_renyi_ceil_up(order, rate, curve); },
                         0};
    cost.theorem = "Poisson sampling of a Renyi curve";
  }
  return cost;
}

// A sample of everybody. Under a sampler the sensitivity is the norm of one record's contribution, so that a replaced
// record moves the value by twice as much.
Cost everybody_cost(const Poisson& sampler, const Mechanism& mechanism, Neighbours neighbours, std::uint64_t group) {
  const auto* m = std::get_if<Gaussian>(&mechanism.kind);
  if (m != nullptr && neighbours != Neighbours::add_remove) {
    require_single(group, "Poisson sampling with replaced records");
    return plain_cost(Gaussian{m->sigma, times(m->sensitivity, 2)}, neighbours, group);
  }
  require_amplification(sampler, neighbours);
  return plain_cost(mechanism, neighbours, group);
}

Cost cost_of(const Poisson& sampler, const Mechanism& mechanism, Neighbours neighbours, std::uint64_t group) {
  if (sampler.rate.sign() == 0) return nothing();
  Cost cost = sampler.rate == Rational(1) ? everybody_cost(sampler, mechanism, neighbours, group)
                                          : poisson_cost(sampler, mechanism, neighbours, group);
  if (!sampler.cut) return cost;
  cost.overflow = overflow_up(sampler.cut->population, sampler.rate, sampler.cut->max_batch);
  if (cost.overflow == 0) return cost;
  // What is known of uncut batches holds for cut ones only with the chance of a cut added to delta.
  complete(cost, neighbours);
  cost.approximate.reset();
  cost.concentrated.reset();
  cost.squared_mu.reset();
  cost.theorem += "; batches that are cut differ from uncut ones with small probability, added to delta";
  return cost;
}

Rational exact_ratio(std::uint64_t part, std::uint64_t whole) {
  return Rational(static_cast<Int128>(part)) / Rational(static_cast<Int128>(whole));
}

// From the one symmetric pair that a mechanism has under replace-one; nothing when there is no rule for it.
std::optional<Step> fixed_size_step(const Cost& base, const Rational& rate) {
  const auto replace = base.pairs.find(View::replace);
  if (replace == base.pairs.end() || replace->second.size() != 1 || replace->second.front().times != 1) return {};
  const Step& step = replace->second.front();
  if (std::holds_alternative<LaplaceLoss>(step.above)) {
    const Rational& epsilon = base.approximate->epsilon;
    return epsilon <= Rational(600) ? std::optional(fixed_size_laplace(epsilon, rate)) : std::nullopt;
  }
  const auto* above = std::get_if<AtomLoss>(&step.above);
  if (above == nullptr || above->infinite_mass > 0 || leaves_doubles(*above)) return {};
  Step sampled = fixed_size_atoms(*above, rate);
  if (step.below) sampled.below = no_loss();
  return sampled;
}

Cost cost_of(const WithoutReplacement& sampler, const Mechanism& mechanism, Neighbours neighbours,
             std::uint64_t group) {
  require_amplification(sampler, neighbours);
  require_single(group, "samples of fixed size");
  if (sampler.batch == sampler.population) return plain_cost(mechanism, neighbours, group);
  const Rational rate = exact_ratio(sampler.batch, sampler.population);
  Cost base = plain_cost(mechanism, neighbours, 1);
  complete(base, neighbours);
  Cost cost;
  cost.theorem = "samples of fixed size without replacement: the mechanism's curve, drawn towards loss 0";
  if (base.approximate) cost.approximate = amplified(*base.approximate, rate);
  cost.rounded = true;
  if (const auto* m = std::get_if<Gaussian>(&mechanism.kind); m && m->sensitivity / m->sigma <= Rational(30)) {
    set_pairs(cost, neighbours, {fixed_size_gaussian(m->sensitivity / m->sigma, rate)});
    cost.attained = true;
  } else if (const auto step = fixed_size_step(base, rate)) {
    set_pairs(cost, neighbours, {*step});
    cost.attained = base.attained;
  } else if (!cost.approximate) {
    const double largest = std::numeric_limits<double>::infinity();
    cost.renyi = RenyiDp{
        [rate = rate.to_double_up(), largest, curve = whole_base_curve(base, "samples of fixed size")](double order) {
          return without_replacement_renyi_up(static_cast<std::uint64_t>(std::ceil(order)), rate, curve, largest);
        },
        0};
    cost.theorem = "samples of fixed size without replacement of a Renyi curve";
  }
  return cost;
}

Cost cost_of(const WithReplacement& sampler, const Mechanism& mechanism, Neighbours neighbours, std::uint64_t group) {
  require_amplification(sampler, neighbours);
  require_single(group, "samples with replacement");
  std::function<double(std::uint64_t, double)> profile;
  if (const auto* m = std::get_if<Gaussian>(&mechanism.kind)) {
    const double mu = (m->sensitivity / m->sigma).to_double_up();
    profile = [mu](std::uint64_t copies, double epsilon) {
      return gaussian_delta_up(mul_up(static_cast<double>(copies), mu), epsilon);
    };
  } else {
    Cost base = plain_cost(mechanism, neighbours, 1);
    if (!base.approximate) {
      no_theorem("samples with replacement of this mechanism: nothing is known of groups of its records",
                 "state the mechanism by an (epsilon, delta)");
    }
    profile = [epsilon = base.approximate->epsilon.to_double_up(), delta = base.approximate->delta.to_double_up()](
                  std::uint64_t copies, double at) { return group_profile_up(epsilon, delta, copies, at); };
  }
  const auto delta_at = [&](double epsilon) {
    return with_replacement_delta_up(sampler.draws, sampler.population, epsilon, profile);
  };
  double most = 1;
  while (most < 256 && delta_at(most) > 1e-20) most *= 2;
  Cost cost;
  set_pairs(cost, neighbours, {Step{symmetric_pair(delta_at, most), no_loss(), 1}});
  cost.theorem = "samples with replacement: a record may enter several times, and then groups count";
  return cost;
}

Cost cost_of(const ShuffledBatches&, const Mechanism& mechanism, Neighbours neighbours, std::uint64_t group) {
  shuffled_epoch(1, neighbours);  // refuses the relations for which this is not a theorem
  Cost cost = plain_cost(mechanism, neighbours, group);
  cost.attained = false;
  cost.theorem = "one epoch of shuffled batches: one batch changes, without amplification";
  return cost;
}

Cost cost_of(const RandomAllocation& sampler, const Mechanism& mechanism, Neighbours neighbours, std::uint64_t group) {
  require_single(group, "random allocation");
  const auto* m = std::get_if<Gaussian>(&mechanism.kind);
  if (m == nullptr || neighbours != Neighbours::add_remove) {
    no_theorem("random allocation: it is proven here for Gaussian noise under add-remove",
               "write `neighbours: add-remove` and gaussian noise, or another sampler");
  }
  const auto epoch = std::make_shared<const Allocation>(m->sigma / m->sensitivity, sampler.steps);
  return renyi_cost([epoch](double order) { return std::max(epoch->remove_up(order), epoch->add_up(order)); }, 0,
                    "one epoch of random allocation, by its Renyi divergences");
}

Cost cost_of(const AllOrNothing& sampler, const Mechanism&, Neighbours neighbours, std::uint64_t) {
  require_amplification(sampler, neighbours);
  return nothing();  // not reached: it amplifies nothing, in no relation
}

}  // namespace

Cost sampled_cost(const Sampler& sampler, const Mechanism& mechanism, Neighbours neighbours, std::uint64_t group) {
  if (std::holds_alternative<KeyRelease>(mechanism.kind) && neighbours != Neighbours::add_remove) {
    no_theorem(fmt::format("key release of samples under {}: proven for add-remove", neighbours_name(neighbours)),
               "write `neighbours: add-remove`, or release the keys of all the data");
  }
  if (std::holds_alternative<HiddenState>(mechanism.kind)) {
    no_theorem("sampling before hidden iterates: the theorem is about records whose step is fixed beforehand",
               "leave out `sample`");
  }
  return std::visit([&](const auto& s) { return cost_of(s, mechanism, neighbours, group); }, sampler);
}

}  // namespace dither::accounting::detail
