#include "mechanisms/histogram.h"

#include <cmath>

#include "accounting/accuracy.h"
#include "mechanisms/detail/key_names.h"
#include "mechanisms/detail/key_noise.h"
#include "mechanisms/detail/noise.h"
#include "random/discrete_gaussian.h"
#include "random/discrete_laplace.h"
#include "random/moments.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus
using accounting::KeyNoise;

namespace {

void require_keys(const KeyedDomain& domain) {
  require_domain(domain);
  if (domain.keys) return;
  throw Error{Code::missing_key, "a histogram that answers every key needs the list of keys",
              "list the keys, or show private ones by laplace-threshold or partition-selection"};
}

// Numbers by key as they come, so that it goes behind counts of private keys; the public ones stand in the recipe.
KeyedDomain any_keys(const KeyedDomain& domain) { return {.keys = {}, .step = domain.step}; }

Recipe recipe_of(std::string name, std::string parameter, const Rational& scale, const KeyedDomain& domain) {
  return {std::move(name), {{std::move(parameter), scale}, {"keys", detail::spelled(*domain.keys)}}};
}

// The number of each public key; both lists of keys ascend.
Integers by_public_key(const std::vector<std::string>& keys, const Data& data) {
  if (const auto* plain = std::get_if<Integers>(&data)) {
    Integers numbers = *plain;
    numbers.resize(keys.size());
    return numbers;
  }
  const auto& given = as<Keyed>(data);
  Integers numbers(keys.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    while (at < given.keys.size() && given.keys[at] < keys[i]) ++at;
    if (at < given.keys.size() && given.keys[at] == keys[i]) numbers[i] = given.values[at];
  }
  return numbers;
}

template <class Noise>
AnyMeasurement::Function answer_every_key(const KeyedDomain& domain, const Noise& noise) {
  return [keys = *domain.keys, noise](const Data& data, random::Source& source) -> Data {
    return Keyed{keys, detail::add_noise(noise, by_public_key(keys, data), source)};
  };
}

}  // namespace

template <class M>
Measurement<M, Pure> make_laplace_histogram(const KeyedDomain& domain, const Rational& scale) {
  require_keys(domain);
  const random::DiscreteLaplace noise(scale);  // refuses a bad scale
  return Measurement<M, Pure>(AnyMeasurement({
      .recipe = recipe_of("laplace-histogram", "scale", scale, domain),
      .input = any_keys(domain),
      .from = {M::kind},
      .measure = Measure::pure(),
      .loss = [scale](const Distance& d) { return pure(detail::l1_of(d) / scale); },
      .events = [scale](const Distance& d) -> std::vector<accounting::Event> {
        const Rational moved = detail::l1_of(d);
        // One step moves one cell by one, and that cell's loss has a known law; more steps cost no more than any
        // mechanism with this epsilon.
        if (moved == 1) return {{{}, accounting::DiscreteLaplace{scale, 1}}};
        return {{{}, accounting::BlackBox{moved / scale}}};
      },
      .function = answer_every_key(domain, noise),
      .error = detail::symmetric_error(std::sqrt(*random::discrete_laplace_moments(scale).variance),
                                       accounting::discrete_laplace_error(scale.to_double_up(), {1, 0.05})),
  }));
}

template <class M>
Measurement<M, Zcdp> make_gaussian_histogram(const KeyedDomain& domain, const Rational& sigma) {
  require_keys(domain);
  const random::DiscreteGaussian noise(sigma);  // refuses a bad sigma
  return Measurement<M, Zcdp>(AnyMeasurement({
      .recipe = recipe_of("gaussian-histogram", "sigma", sigma, domain),
      .input = any_keys(domain),
      .from = {M::kind},
      .measure = Measure::concentrated(),
      .loss = [sigma](const Distance& d) { return concentrated(detail::l2_squared_of(d) / (2 * sigma * sigma)); },
      .events = [sigma](const Distance& d) -> std::vector<accounting::Event> {
        const Rational moved = detail::l2_squared_of(d);
        if (moved == 1) return {{{}, accounting::DiscreteGaussian{sigma, 1}}};
        return {{{}, accounting::Zcdp{moved / (2 * sigma * sigma)}}};
      },
      .function = answer_every_key(domain, noise),
      .error = detail::symmetric_error(
          std::sqrt(*random::discrete_gaussian_moments(sigma).variance),
          static_cast<std::uint64_t>(detail::noise_radius(KeyNoise::discrete_gaussian, sigma, Rational(1, 20)))),
  }));
}

template Measurement<L1, Pure> make_laplace_histogram<L1>(const KeyedDomain&, const Rational&);
template Measurement<Cells, Pure> make_laplace_histogram<Cells>(const KeyedDomain&, const Rational&);
template Measurement<L2, Zcdp> make_gaussian_histogram<L2>(const KeyedDomain&, const Rational&);
template Measurement<Cells, Zcdp> make_gaussian_histogram<Cells>(const KeyedDomain&, const Rational&);

}  // namespace dither::mechanisms
