#include "sql/detail/noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "mechanisms/calibrate.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/gaussian.h"
#include "mechanisms/real_gaussian.h"
#include "session/released.h"
#include "sql/detail/key_choice.h"
#include "sql/detail/reach.h"
#include "sql/detail/split.h"

namespace dither::sql::detail {
namespace {

using calculus::AnyMeasurement;
using calculus::CellsDistance;
using calculus::MetricKind;
using session::Noise;
using session::Part;

calculus::VectorDomain vector_of(const calculus::AnyTransformation& exact) {
  if (const auto* vector = std::get_if<calculus::VectorDomain>(&exact.output())) return *vector;
  return {.dimension = {}, .step = std::get<calculus::KeyedDomain>(exact.output()).step};
}

AnyMeasurement measurement_of(const calculus::VectorDomain& domain, Noise noise, const Rational& scale) {
  switch (noise) {
    case Noise::real_gaussian:
      return mechanisms::make_real_gaussian(domain, scale, MetricKind::cells, calculus::Measure::gaussian());
    case Noise::discrete_gaussian:
      return mechanisms::make_gaussian(domain, scale, MetricKind::cells);
    default:
      return mechanisms::make_discrete_laplace(domain, scale, MetricKind::cells);
  }
}

// One way to spend a price on the numbers that move.
class Spending {
 public:
  Spending(const Counting& counting, const Moves& moves, const std::optional<std::vector<double>>& weights)
      : counting_(counting), moves_(moves), weights_(weights) {
    for (std::size_t i = 0; i < moves.distances.size(); ++i) {
      if (l1_of(moves.distances[i]).sign() > 0) moving_.push_back(i);
    }
    if (moves.units) decider_ = units_part(counting);
  }

  bool has_gaussian() const { return moving_.size() > (decider_ ? 1 : 0); }

  // Laplace noise throughout; keys by all of delta.
  Noisy laplace(const Rational& epsilon, const Rational& delta) const {
    const Rational own = selection_share() * epsilon;
    const std::vector<Rational> parts = split(moving_, Losses::epsilon);
    Noisy result = still();
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      const Rational price = (epsilon - own) * parts[i];
      set(result, moving_[i], Noise::discrete_laplace, l1_of(moves_.distances[moving_[i]]) / price, price);
    }
    choose_keys(result, own, delta);
    return finished(std::move(result));
  }

  // Normal noise for all numbers but those that choose keys, which get an equal share of epsilon and half of delta.
  Noisy gaussian(const Rational& epsilon, const Rational& delta) const {
    Noisy result = still();
    const bool choosing = moves_.units.has_value();
    const Rational own =
        choosing ? epsilon / Rational(static_cast<long>(moving_.size() + (decider_ ? 0 : 1))) : Rational(0);
    const Rational half = choosing ? delta / 2 : delta;
    if (decider_) set(result, *decider_, Noise::discrete_laplace, l1_of(moves_.distances[*decider_]) / own, own);
    std::vector<std::size_t> normal = moving_;
    if (decider_) normal.erase(std::find(normal.begin(), normal.end(), *decider_));
    const Rational sigma =
        mechanisms::analytic_sigma(1, epsilon - own, half);  // of all numbers together, each in its own unit
    const std::vector<Rational> parts = split(normal, Losses::rho);
    for (std::size_t i = 0; i < normal.size(); ++i) {
      const Rational square = l2_squared_of(moves_.distances[normal[i]]) * sigma * sigma / parts[i];
      set(result, normal[i], Noise::real_gaussian, root_up(square), (epsilon - own) * parts[i]);
    }
    choose_keys(result, own, half);
    return finished(std::move(result));
  }

  Noisy concentrated(const Rational& rho, const Rational& delta, Noise noise) const {
    const Rational own = selection_share() * rho;
    const std::vector<Rational> parts = split(moving_, Losses::rho);
    Noisy result = still();
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      const Rational price = (rho - own) * parts[i];
      set(result, moving_[i], noise, root_up(l2_squared_of(moves_.distances[moving_[i]]) / (2 * price)), price);
    }
    if (moves_.units)
      result.keys = gaussian_choice(*moves_.units, *moves_.unit_distance, own, delta, decider_, result.parts);
    return finished(std::move(result));
  }

 private:
  // A selection beside the numbers is one more equal part.
  Rational selection_share() const {
    if (!moves_.units || decider_) return 0;
    return Rational(1, static_cast<long>(moving_.size() + 1));
  }

  std::vector<Rational> split(const std::vector<std::size_t>& numbers, Losses losses) const {
    std::vector<double> sensitivities;
    std::optional<std::vector<double>> weights;
    if (weights_) weights.emplace();
    for (const std::size_t i : numbers) {
      const CellsDistance& d = moves_.distances[i];
      sensitivities.push_back(losses == Losses::epsilon ? l1_of(d).to_double_up()
                                                        : std::sqrt(l2_squared_of(d).to_double_up()));
      if (weights_) weights->push_back((*weights_)[i]);
    }
    return numbers.empty() ? std::vector<Rational>{} : shares(weights, sensitivities, losses);
  }

  Noisy still() const {
    Noisy result;
    for (std::size_t i = 0; i < moves_.distances.size(); ++i) {
      result.parts.push_back({.measure = i,
                              .distance = moves_.distances[i],
                              .unit = unit_of(counting_.exact.measures[i]),
                              .exact = moves_.exact[i]});
    }
    return result;
  }

  void set(Noisy& result, std::size_t i, Noise noise, const Rational& scale, const Rational& price) const {
    Part& part = result.parts[i];
    part.noise = noise;
    part.scale = scale;
    part.price = price;
    part.measurement = measurement_of(vector_of(moves_.exact[i]), noise, scale);
    const NoiseError error = noise_error(noise, scale);
    const double unit = part.unit.to_double_up();
    part.standard_error = error.standard_error * unit;
    part.within95 = error.within95 * unit;
  }

  void choose_keys(Noisy& result, const Rational& own, const Rational& delta) const {
    if (moves_.units)
      result.keys = laplace_choice(*moves_.units, *moves_.unit_distance, own, delta, decider_, result.parts);
  }

  Noisy finished(Noisy result) const {
    for (const std::size_t i : moving_) {
      const Part& part = result.parts[i];
      // Without weights each number is measured by what one unit can move.
      const double size = weights_ ? 1 : l1_of(part.distance).to_double_up() * part.unit.to_double_up();
      const double error = part.standard_error / (weights_ ? part.unit.to_double_up() : size);
      result.objective += (weights_ ? (*weights_)[i] : 1) * error * error;
    }
    return result;
  }

  static std::optional<std::size_t> units_part(const Counting& counting) {
    const auto& measures = counting.exact.measures;
    for (std::size_t i = 0; i < measures.size(); ++i) {
      if (measures[i].kind == plan::MeasureKind::units) return i;
    }
    return std::nullopt;
  }

  const Counting& counting_;
  const Moves& moves_;
  const std::optional<std::vector<double>>& weights_;
  std::vector<std::size_t> moving_;
  std::optional<std::size_t> decider_;  // the number of units, where it chooses the keys
};

}  // namespace

NoiseError noise_error(Noise noise, const Rational& scale) {
  const calculus::ErrorBar bar = *measurement_of({}, noise, scale).error(0);
  return {bar.standard_error.value_or(0), ((bar.high - bar.low) / 2).to_double_up()};
}

Moves moves_of(const plan::Project& project, const Counting& counting) {
  Moves moves{bounded_rows(project, counting), {}, {}, {}, {}};
  const bool private_keys = counting.exact.keys > 0 && !counting.exact.public_keys;
  const bool nothing =
      !private_keys && session::has_no_row(counting.exact.rows);  // every number is 0, for all neighbours
  for (const plan::Measure& measure : counting.exact.measures) {
    moves.exact.push_back(exact_measure(moves.rows, counting.exact, measure));
    moves.distances.push_back(nothing ? calculus::CellsDistance{} : distance_of(moves.rows, moves.exact.back()));
  }
  if (private_keys) {
    moves.units = units_by_key(moves.rows, counting.exact);
    moves.unit_distance = distance_of(moves.rows, *moves.units);
  }
  return moves;
}

Noisy noise_for(const Counting& counting, const Moves& moves, const session::StatementPrice& price,
                const std::optional<std::vector<double>>& weights, bool normal) {
  const bool no_delta = price.delta.sign() == 0;
  if (moves.units && normal) {
    throw Error{Code::no_theorem,
                "the keys of this statement are not public, and choosing them costs a delta, which no budget in mu has",
                "declare `keys:` for the columns it groups by, or the budget with `rho:` and `delta:`"};
  }
  if (moves.units && no_delta) {
    throw Error{Code::needs_delta, "the keys of this statement are not public, and choosing them costs a delta",
                "give --delta 1e-9, or declare `keys:` for the columns it groups by"};
  }
  if (normal && price.epsilon && no_delta) {
    throw Error{Code::needs_delta, "a budget in mu is paid by Gaussian noise, which has no epsilon without a delta",
                "give --rho R, or --delta 1e-9 besides --epsilon"};
  }
  const Spending spending(counting, moves, weights);
  if (price.rho) {
    return spending.concentrated(*price.rho, price.delta, normal ? Noise::real_gaussian : Noise::discrete_gaussian);
  }
  if (normal) return spending.gaussian(*price.epsilon, price.delta);
  Noisy laplace = spending.laplace(*price.epsilon, price.delta);
  if (no_delta || !spending.has_gaussian()) return laplace;
  Noisy gaussian = spending.gaussian(*price.epsilon, price.delta);
  return gaussian.objective < laplace.objective ? gaussian : laplace;
}

}  // namespace dither::sql::detail
