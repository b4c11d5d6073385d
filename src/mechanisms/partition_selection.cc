#include "mechanisms/partition_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "accounting/group.h"
#include "base/big_interval.h"
#include "base/directed.h"
#include "mechanisms/detail/key_noise.h"
#include "random/bernoulli.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

constexpr long kGridBits = 120;
constexpr std::size_t kMostSteps = std::size_t{1} << 17;

void require_budget(const Rational& epsilon, const Rational& delta) {
  if (epsilon.sign() <= 0 || epsilon > 1000) {
    throw Error{Code::bad_scale, fmt::format("epsilon for a key is {}, but lies in (0, 1000]", epsilon.str()),
                "give a positive epsilon"};
  }
  if (delta.sign() <= 0 || delta >= 1) {
    throw Error{Code::bad_probability,
                fmt::format("delta is {}, but keys nobody listed need 0 < delta < 1", delta.str()),
                "give a small delta such as 1e-6, or list the keys: then no delta is needed"};
  }
  if (delta < Rational::power_of_two(-100)) {
    throw Error{Code::below_floor, "delta for a key is below 2^-100, finer than the coins are", "give a larger delta"};
  }
}

Rational down_to_grid(const Rational& p) {
  const Rational steps((p * Rational::power_of_two(kGridBits)).floor());
  return steps * Rational::power_of_two(-kGridBits);
}

// What one key may spend: delta = 1 - (1 - d)^keys for the d that is returned, or a little less.
Rational delta_for_a_key(const Rational& delta, std::uint64_t keys) {
  if (keys == 1) return delta;
  const double share = -expm1_up(div_up(log1p_up(-delta.to_double_down()), static_cast<double>(keys)));
  return Rational::from_double(mul_down(share, 1 - 0x1p-44));
}

// 1 - (1 - delta)^cells, rounded up.
Rational any_of(const Rational& delta, const Rational& cells) {
  if (cells == 1) return delta;
  const double one = delta.to_double_up();
  if (one >= 1 || cells > detail::kMostCells) return 1;
  return Rational::from_double(std::min(1.0, -expm1_down(mul_down(cells.to_double_up(), log1p_down(-one)))));
}

struct PerKey {
  Rational epsilon, delta;

  // For counts that are `steps` apart.
  Rational delta_at(const Rational& steps) const {
    if (steps == 1) return delta;
    if (steps > detail::kMostCells) return 1;
    const auto k = static_cast<std::uint64_t>(steps.floor());
    return Rational::from_double(accounting::group_delta_up(epsilon.to_double_up(), delta.to_double_up(), k));
  }
  accounting::ApproximateDp cost(const CellsDistance& d) const {
    return {d.l1 * epsilon, any_of(delta_at(d.largest), d.cells)};
  }
};

Keyed show_keys(const std::vector<random::Bernoulli>& coins, const Keyed& exact, random::Source& source) {
  const auto last = static_cast<Int128>(coins.size() - 1);
  Keyed shown;
  for (std::size_t i = 0; i < exact.keys.size(); ++i) {
    const Int128 units = std::clamp(exact.values[i], Int128{0}, last);
    if (coins[static_cast<std::size_t>(units)].draw(source)) shown.keys.push_back(exact.keys[i]);
  }
  shown.values.resize(shown.keys.size());
  return shown;
}

}  // namespace

std::vector<Rational> selection_probabilities(const Rational& epsilon, const Rational& delta) {
  require_budget(epsilon, delta);
  const Rational grow = exp(BigInterval(epsilon, 256)).low_rational();
  const Rational shrink = exp(BigInterval(-epsilon, 256)).high_rational();
  std::vector<Rational> p{Rational(0)};
  while (p.back() < 1) {
    if (p.size() > kMostSteps) {
      throw Error{Code::bad_limit, fmt::format("a key would need more than {} units to be shown for sure", kMostSteps),
                  "give more epsilon, fewer keys a unit, or use laplace-threshold"};
    }
    const Rational first = p.back() * grow + delta;
    const Rational second = 1 - shrink * (1 - p.back() - delta);
    p.push_back(down_to_grid(std::min({first, second, Rational(1)})));
  }
  return p;
}

Measurement<Cells, Approximate> make_partition_selection(const KeyedDomain& domain, const Rational& epsilon,
                                                         const Rational& delta, std::uint64_t keys) {
  if (keys < 1 || keys > static_cast<std::uint64_t>(detail::kMostCells)) {
    throw Error{Code::bad_limit, fmt::format("the number of keys per unit is {}, but lies in 1..10^12", keys),
                "bound the keys of a unit first, and give that bound"};
  }
  require_budget(epsilon / Rational(static_cast<Int128>(keys)), delta);
  const PerKey one{epsilon / Rational(static_cast<Int128>(keys)), delta_for_a_key(delta, keys)};
  auto coins = std::make_shared<std::vector<random::Bernoulli>>();
  for (const Rational& p : selection_probabilities(one.epsilon, one.delta)) {
    coins->push_back(random::Bernoulli::with_probability(p));
  }
  return Measurement<Cells, Approximate>(AnyMeasurement({
      .recipe = {"partition-selection",
                 {{"epsilon", epsilon}, {"delta", delta}, {"keys", Rational(static_cast<Int128>(keys))}}},
      .input = domain,
      .from = {MetricKind::cells},
      .measure = Measure::approximate(),
      .loss = [one](const Distance& distance) -> Loss {
        const CellsDistance d = detail::of_integers(cells_of(distance));
        return d.cells.sign() == 0 ? approximate(0, 0) : one.cost(d);
      },
      // Each key is a release of its own, where each cell may move by the largest amount; otherwise one for all.
      .events = [one](const Distance& distance) -> std::vector<accounting::Event> {
        const CellsDistance d = detail::of_integers(cells_of(distance));
        if (d.cells.sign() == 0) return {};
        const accounting::ApproximateDp all = one.cost(d);
        if (d.l1 < d.cells * d.largest || d.cells > detail::kMostCells) {
          return {{{}, accounting::BlackBox{all.epsilon, all.delta}}};
        }
        return {{{},
                 accounting::BlackBox{d.largest * one.epsilon, one.delta_at(d.largest)},
                 static_cast<std::uint64_t>(d.cells.floor())}};
      },
      .function = [coins = std::shared_ptr<const std::vector<random::Bernoulli>>(coins)](
                      const Data& data, random::Source& source) -> Data {
        return show_keys(*coins, as<Keyed>(data), source);
      },
  }));
}

}  // namespace dither::mechanisms
