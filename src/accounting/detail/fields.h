// The parameters of every descriptor, named once: for reading, printing and checking alike.
//
// A visitor has one function for each type of parameter, called with the key and the member; `kOptional` marks those
// that have a default:
//   scale        a number > 0
//   loss         a number >= 0
//   probability  a number in [0, 1]
//   share        a number in (0, 1)
//   count        a whole number >= 1
//   numbers      a list of numbers
//   word         one of a few words
//   flag         true or false
//   mechanism    a mechanism
//   parts        weighted mechanisms
#pragma once

#include <array>
#include <string_view>
#include <type_traits>

#include "accounting/mechanism.h"
#include "accounting/sampler.h"

namespace dither::accounting::detail {

enum Presence { kRequired, kOptional };

inline constexpr std::array<std::string_view, std::variant_size_v<Mechanism::Kind>> kMechanismNames{
    "gaussian",
    "discrete-gaussian",
    "laplace",
    "discrete-laplace",
    "randomised-response",
    "exponential",
    "permute-and-flip",
    "noisy-max",
    "sparse-vector",
    "staircase",
    "black-box",
    "zcdp",
    "renyi",
    "gdp",
    "tree",
    "matrix",
    "hidden-state",
    "shuffle",
    "mixture",
    "key-release",
    "tuning"};

inline constexpr std::array<std::string_view, 3> kNoiseNames{"laplace", "exponential", "gumbel"};

// Visits the parameters of one kind of mechanism, in the order in which they are printed.
template <class Visitor, class M>
void visit_fields(Visitor& v, M& m) {
  using Kind = std::remove_const_t<M>;
  if constexpr (std::is_same_v<Kind, Gaussian> || std::is_same_v<Kind, DiscreteGaussian>) {
    v.scale("sigma", m.sigma);
    v.scale("sensitivity", m.sensitivity, kOptional);
  } else if constexpr (std::is_same_v<Kind, Laplace> || std::is_same_v<Kind, DiscreteLaplace>) {
    v.scale("scale", m.scale);
    v.scale("sensitivity", m.sensitivity, kOptional);
  } else if constexpr (std::is_same_v<Kind, RandomisedResponse>) {
    v.loss("epsilon", m.epsilon);
    v.count("categories", m.categories, kOptional);
  } else if constexpr (std::is_same_v<Kind, Exponential> || std::is_same_v<Kind, PermuteAndFlip> ||
                       std::is_same_v<Kind, SparseVector>) {
    v.loss("epsilon", m.epsilon);
  } else if constexpr (std::is_same_v<Kind, NoisyMax>) {
    v.loss("epsilon", m.epsilon);
    v.word("noise", m.noise, kNoiseNames);
  } else if constexpr (std::is_same_v<Kind, Staircase>) {
    v.loss("epsilon", m.epsilon);
    v.share("gamma", m.gamma);
  } else if constexpr (std::is_same_v<Kind, BlackBox>) {
    v.loss("epsilon", m.epsilon);
    v.probability("delta", m.delta, kOptional);
  } else if constexpr (std::is_same_v<Kind, Zcdp>) {
    v.loss("rho", m.rho);
    v.probability("delta", m.delta, kOptional);
  } else if constexpr (std::is_same_v<Kind, Renyi>) {
    v.numbers("orders", m.orders);
    v.numbers("epsilons", m.epsilons);
    v.probability("delta", m.delta, kOptional);
  } else if constexpr (std::is_same_v<Kind, Gdp>) {
    v.loss("mu", m.mu);
  } else if constexpr (std::is_same_v<Kind, Tree>) {
    v.scale("sigma", m.sigma);
    v.count("leaves", m.leaves);
    v.scale("sensitivity", m.sensitivity, kOptional);
  } else if constexpr (std::is_same_v<Kind, Matrix>) {
    v.scale("sigma", m.sigma);
    v.count("steps", m.steps);
    v.numbers("coefficients", m.coefficients, kOptional);
    v.count("participations", m.participations, kOptional);
    v.count("separation", m.separation, kOptional);
    v.scale("sensitivity", m.sensitivity, kOptional);
  } else if constexpr (std::is_same_v<Kind, HiddenState>) {
    v.scale("sigma", m.sigma);
    v.scale("lipschitz", m.lipschitz);
    v.scale("smoothness", m.smoothness);
    v.scale("step_size", m.step_size);
    v.count("iterations", m.iterations);
    v.count("position", m.position);
    v.flag("convex", m.convex);
    v.flag("last_iterate_only", m.last_iterate_only);
    v.flag("one_pass", m.one_pass);
  } else if constexpr (std::is_same_v<Kind, Shuffle>) {
    v.loss("epsilon", m.epsilon);
    v.count("users", m.users);
  } else if constexpr (std::is_same_v<Kind, Mixture>) {
    v.parts("parts", m.weights, m.parts);
  } else if constexpr (std::is_same_v<Kind, KeyRelease>) {
    v.mechanism("noise", m.noise);
    v.count("keys", m.keys);
    v.scale("threshold", m.threshold);
  } else {
    static_assert(std::is_same_v<Kind, Tuning>);
    v.mechanism("base", m.base);
    v.number("shape", m.shape, kOptional);
    v.probability("stop", m.stop, kOptional);
    v.runs("runs", m.runs, kOptional);
  }
}

// A mechanism whose parameters are still to be read.
template <class M>
M blank() {
  if constexpr (std::is_same_v<M, KeyRelease> || std::is_same_v<M, Tuning>) {
    return M{Inner(Gaussian{})};
  } else {
    return M{};
  }
}

}  // namespace dither::accounting::detail
