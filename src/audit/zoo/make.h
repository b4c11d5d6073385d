// What the mechanisms of the zoo are made from.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/channel.h"
#include "audit/target.h"
#include "audit/zoo/zoo.h"
#include "base/rational.h"
#include "random/discrete_gaussian.h"
#include "random/discrete_laplace.h"
#include "random/source.h"

namespace dither::audit::zoo {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Noise of the zoo is exact, on a grid so fine that it looks real: multiples of kStep. Right values lie on the grid.
inline constexpr double kStep = 1.0 / 1024;

class Laplace {
 public:
  explicit Laplace(const Rational& scale) : law_(scale * 1024) {}
  double draw(random::Source& source) const { return static_cast<double>(law_.draw(source)) * kStep; }
  // One side of it, zero included: a geometric law, the exponential one of the grid. Two draws on average.
  double draw_positive(random::Source& source) const;

 private:
  random::DiscreteLaplace law_;
};

class Gaussian {
 public:
  explicit Gaussian(const Rational& sigma) : law_(sigma * 1024) {}
  double draw(random::Source& source) const { return static_cast<double>(law_.draw(source)) * kStep; }

 private:
  random::DiscreteGaussian law_;
};

// A multiple of 2^-53 in [0, 1), all equally likely: what textbooks call a random number.
inline double uniform_double(random::Source& source) { return static_cast<double>(source.word() >> 11) * 0x1p-53; }

// Writes one output for one input: as many cells as the shape has, all absent before.
using Mechanism = std::function<void(std::span<const double> input, std::span<double> row, random::Source& source)>;
using Input = std::vector<double>;
// Neighbours, with words for people where the numbers alone say little.
struct Neighbours {
  Input first, second;
  std::string first_words = "", second_words = "";
};

Shape numbers(std::size_t columns);
Target target(std::string name, const Promise& promise, const Shape& shape, const Mechanism& mechanism,
              const std::vector<Neighbours>& pairs);

// The outputs of one input, each with its probability.
using Law = std::map<std::vector<double>, Rational>;
// What the mechanism of this target does, written out: a law for the first and for the second input of each pair.
Channel written_out(const Target& target, const std::vector<Law>& laws);
// How likely uniform_double() is to be less than this, in [0, 1].
Rational below(double bound);

// "zoo.NAME" for the broken one, "zoo.NAME.right" for its twin.
std::string twin_name(std::string_view name, bool right);

// The testers of the zoo but these.
std::vector<std::string_view> all_but(std::initializer_list<std::string_view> blind);

// A bug to plant, and what is known of it.
struct Plant {
  std::string_view name;
  std::string what;
  std::string right;  // what the twin does instead
  std::optional<double> true_epsilon;
  std::vector<std::string_view> rows;
  std::vector<std::string_view> caught_by = all_but({});
  std::string written_for = "";
  std::int64_t search = 20'000, certify = 200'000;
};

// Adds two entries: what kMake makes, and its twin, of which more may be known than that it keeps its claim; kChannel
// is the same written out, where outputs are few.
template <Target (*kMake)(bool right), Channel (*kChannel)(bool right) = nullptr>
void plant(std::vector<Entry>& to, const Plant& bug, std::optional<double> right_epsilon = std::nullopt) {
  to.push_back({twin_name(bug.name, false), bug.what, [] { return kMake(false); }, true, twin_name(bug.name, true),
                bug.true_epsilon, bug.caught_by, bug.written_for, bug.rows, bug.search, bug.certify});
  to.push_back({twin_name(bug.name, true),
                bug.right,
                [] { return kMake(true); },
                false,
                twin_name(bug.name, false),
                right_epsilon,
                {},
                "",
                bug.rows,
                bug.search,
                bug.certify});
  if constexpr (kChannel != nullptr) {
    to[to.size() - 2].channel = [] { return kChannel(false); };
    to.back().channel = [] { return kChannel(true); };
  }
}

// The families, each in its own file.
void add_laplace(std::vector<Entry>& to);
void add_noisy_max(std::vector<Entry>& to);
void add_sparse_vector(std::vector<Entry>& to);
void add_local(std::vector<Entry>& to);
void add_coins(std::vector<Entry>& to);
void add_composed(std::vector<Entry>& to);
void add_wrong_noise(std::vector<Entry>& to);
void add_wrong_reuse(std::vector<Entry>& to);
void add_wrong_floats(std::vector<Entry>& to);
void add_wrong_bounds(std::vector<Entry>& to);
void add_wrong_sensitivity(std::vector<Entry>& to);
void add_wrong_sums(std::vector<Entry>& to);
void add_missing_noise(std::vector<Entry>& to);
void add_wrong_training(std::vector<Entry>& to);
void add_wrong_keys(std::vector<Entry>& to);
void add_wrong_choice(std::vector<Entry>& to);
void add_leaky_outputs(std::vector<Entry>& to);
void add_blind_spots(std::vector<Entry>& to);

}  // namespace dither::audit::zoo
