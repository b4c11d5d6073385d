// What was released: mechanisms described by their exact parameters.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/rational.h"

namespace dither::accounting {

// A list of events keeps descriptors, never bare numbers (epsilon, delta): every better bound needs the descriptor
// . `sensitivity` is how far the released value can move between neighbours, in the norm of the mechanism
// (absolute sum for Laplace, Euclidean for Gaussian). Under Poisson sampling and random allocation it is the largest
// norm of one record's contribution: leaving a record out moves the value that far, replacing it up to twice as far.

struct Gaussian {
  Rational sigma;
  Rational sensitivity = 1;
  bool operator==(const Gaussian&) const = default;
};

// Noise on one integer, which moves by at most `sensitivity` whole steps. (A vector costs what its coordinates cost as
// events of their own, or a zcdp event with rho = (Euclidean norm)^2 / (2 sigma^2).)
struct DiscreteGaussian {
  Rational sigma;
  Rational sensitivity = 1;
  bool operator==(const DiscreteGaussian&) const = default;
};

struct Laplace {
  Rational scale;
  Rational sensitivity = 1;
  bool operator==(const Laplace&) const = default;
};

// Noise on one integer; also called two-sided geometric noise.
struct DiscreteLaplace {
  Rational scale;
  Rational sensitivity = 1;
  bool operator==(const DiscreteLaplace&) const = default;
};

// The true one of `categories` answers with probability e^epsilon / (e^epsilon + categories - 1), else another one.
struct RandomisedResponse {
  Rational epsilon;
  std::uint64_t categories = 2;
  bool operator==(const RandomisedResponse&) const = default;
};

// Chooses with probability proportional to exp(epsilon * score / (2 * sensitivity of the score)).
struct Exponential {
  Rational epsilon;
  bool operator==(const Exponential&) const = default;
};

struct PermuteAndFlip {
  Rational epsilon;
  bool operator==(const PermuteAndFlip&) const = default;
};

// The index of the largest noisy score. With Gumbel noise this is the exponential mechanism, with exponential noise
// permute-and-flip; only the former has bounded range.
struct NoisyMax {
  enum class Noise { laplace, exponential, gumbel };
  Rational epsilon;
  Noise noise = Noise::laplace;
  bool operator==(const NoisyMax&) const = default;
};

// One run of the sparse vector technique, with everything it answers.
struct SparseVector {
  Rational epsilon;
  bool operator==(const SparseVector&) const = default;
};

// Geometric steps of noise whose first part is `gamma` of a step wide.
struct Staircase {
  Rational epsilon;
  Rational gamma;
  bool operator==(const Staircase&) const = default;
};

// Anything that is (epsilon, delta)-DP.
struct BlackBox {
  Rational epsilon;
  Rational delta = 0;
  bool operator==(const BlackBox&) const = default;
};

// Anything that is delta-approximately rho-zCDP.
struct Zcdp {
  Rational rho;
  Rational delta = 0;
  bool operator==(const Zcdp&) const = default;
};

// Anything that is delta-approximately (orders[i], epsilons[i])-Renyi DP for every i.
struct Renyi {
  std::vector<Rational> orders;
  std::vector<Rational> epsilons;
  Rational delta = 0;
  bool operator==(const Renyi&) const = default;
};

// Anything that is mu-Gaussian DP.
struct Gdp {
  Rational mu;
  bool operator==(const Gdp&) const = default;
};

// A counter over `leaves` steps: noisy sums of all dyadic blocks (B-24).
struct Tree {
  Rational sigma;
  std::uint64_t leaves = 1;
  Rational sensitivity = 1;
  bool operator==(const Tree&) const = default;
};

// Releases C x + noise, where a record may enter x at most `participations` times, at least `separation` steps apart.
// C is lower triangular Toeplitz with the given first column, or the square root of the prefix-sum matrix when
// `coefficients` is empty (B-24).
struct Matrix {
  Rational sigma;
  std::uint64_t steps = 1;
  std::vector<Rational> coefficients = {};
  std::uint64_t participations = 1;
  std::uint64_t separation = 1;
  Rational sensitivity = 1;
  bool operator==(const Matrix&) const = default;
};

// Noisy gradient descent that releases its last iterate alone: the guarantee for records used in the first `position`
// steps. The three statements are the proof's conditions; each must be made (B-25).
struct HiddenState {
  Rational sigma;  // of the noise added to each step's gradient
  Rational lipschitz;
  Rational smoothness;
  Rational step_size;
  std::uint64_t iterations = 1;
  std::uint64_t position = 1;
  bool convex = false;
  bool last_iterate_only = false;
  bool one_pass = false;  // each record enters one step
  bool operator==(const HiddenState&) const = default;
};

// n people randomise their answers with local epsilon, and a shuffler forgets who sent which.
struct Shuffle {
  Rational epsilon;
  std::uint64_t users = 1;
  bool operator==(const Shuffle&) const = default;
};

struct Mechanism;

// A mechanism inside another one.
class Inner {
 public:
  Inner(const Mechanism& mechanism);  // NOLINT: a mechanism is an inner mechanism
  const Mechanism& get() const { return *mechanism_; }
  bool operator==(const Inner& other) const;

 private:
  std::shared_ptr<const Mechanism> mechanism_;
};

// One of several mechanisms, chosen by a coin that ignores the data.
struct Mixture {
  std::vector<Rational> weights;
  std::vector<Inner> parts;
  bool operator==(const Mixture&) const = default;
};

// Counts with noise by key; a key is shown when its noisy count reaches `threshold`, so the keys need not be known. At
// most `keys` counts differ between neighbours: for add-remove those of the keys a unit holds, for replace-one twice as
// many, which it left and entered.
struct KeyRelease {
  Inner noise;  // laplace, discrete-laplace, gaussian or discrete-gaussian, for one key
  std::uint64_t keys = 1;
  Rational threshold = {};
  bool operator==(const KeyRelease&) const = default;
};

// The best of a random number of runs of `base`. The number is truncated negative binomial with parameters `shape`
// (1 is geometric, 0 logarithmic) and `stop`; with `runs` instead it is fixed, and every run is charged (B-27).
struct Tuning {
  Inner base;
  Rational shape = 1;
  Rational stop = {};
  std::uint64_t runs = 0;
  bool operator==(const Tuning&) const = default;
};

struct Mechanism {
  using Kind = std::variant<Gaussian, DiscreteGaussian, Laplace, DiscreteLaplace, RandomisedResponse, Exponential,
                            PermuteAndFlip, NoisyMax, SparseVector, Staircase, BlackBox, Zcdp, Renyi, Gdp, Tree, Matrix,
                            HiddenState, Shuffle, Mixture, KeyRelease, Tuning>;
  Kind kind;

  template <class M>
  Mechanism(M mechanism) : kind(std::move(mechanism)) {}  // NOLINT: each kind is a mechanism
  bool operator==(const Mechanism&) const = default;
};

// The word for a mechanism in files and output, such as "discrete-gaussian".
std::string_view mechanism_name(const Mechanism& mechanism);

// Throws when a parameter is outside its range: bad-scale, bad-probability, bad-number, bad-count, bad-weights,
// out-of-range (beyond 1e-100 ... 1e100, where doubles would lose what is certified). The message names the parameter.
void require_valid(const Mechanism& mechanism);

}  // namespace dither::accounting
