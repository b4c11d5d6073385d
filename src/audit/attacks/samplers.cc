// Samplers of whole numbers, coins and choices, against their exact laws.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "audit/attacks/attacks.h"
#include "random/bernoulli.h"
#include "random/binomial.h"
#include "random/categorical.h"
#include "random/discrete_gaussian.h"
#include "random/discrete_laplace.h"
#include "random/geometric.h"
#include "random/pmf.h"
#include "random/poisson.h"
#include "random/source.h"
#include "random/subset.h"
#include "random/truncated_geometric.h"
#include "random/uniform.h"
#include "random/weighted_choice.h"

namespace dither::audit {

namespace {

using random::Source;

constexpr long kBits = 128;

using Pmf = std::function<double(std::int64_t)>;
using One = std::function<std::int64_t(Source&)>;

void add(Attacks& attacks, const std::string& claim, const std::string& what, std::function<SampledLaw()> law) {
  const std::string name = claim + ": " + what;
  attacks.push_back({claim, name, "law", 0.4, [name, law = std::move(law)]() -> Subject {
                       SampledLaw made = law();
                       made.name = name;
                       return made;
                     }});
}

SampledLaw one_by_one(std::int64_t low, std::int64_t high, Pmf pmf, One draw) {
  return {"", low, high, std::move(pmf), [draw = std::move(draw)](std::span<std::int64_t> out, Source& source) {
            for (std::int64_t& k : out) k = draw(source);
          }};
}

// Of a sampler with a batch form; cells of `width` numbers, where single ones are too rare.
template <class Sampler>
SampledLaw batches(const Sampler& sampler, std::int64_t reach, std::int64_t width, const Pmf& pmf) {
  const auto cell = [width](std::int64_t k) { return k >= 0 ? k / width : -((width - 1 - k) / width); };
  return {"", cell(-reach), cell(reach),
          [pmf, width](std::int64_t at) {
            double sum = 0;
            for (std::int64_t k = at * width; k < (at + 1) * width; ++k) sum += pmf(k);
            return sum;
          },
          [sampler, cell](std::span<std::int64_t> out, Source& source) {
            sampler.fill(out, source);
            for (std::int64_t& k : out) k = cell(k);
          }};
}

void add_noise(Attacks& attacks) {
  for (const auto& [scale, width] :
       {std::pair{Rational(1, 3), 1}, std::pair{Rational(4), 1}, std::pair{Rational(500), 50}}) {
    const std::int64_t reach = 8 * static_cast<std::int64_t>(scale.ceil());
    add(attacks, "draw-discrete-laplace", "scale " + scale.str(), [scale = scale, width = width, reach] {
      return batches(random::DiscreteLaplace(scale), reach, width,
                     [scale](std::int64_t k) { return random::discrete_laplace_pmf(scale, k, kBits).low_double(); });
    });
    add(attacks, "draw-discrete-gaussian", "sigma " + scale.str(), [scale = scale, width = width, reach] {
      return batches(random::DiscreteGaussian(scale), reach / 2, width, [scale](std::int64_t k) {
        return random::discrete_gaussian_pmf(scale * scale, k, kBits).low_double();
      });
    });
  }
  add(attacks, "draw-discrete-laplace", "one draw without a table", [] {
    return one_by_one(
        -12, 12, [](std::int64_t k) { return random::discrete_laplace_pmf(2, k, kBits).low_double(); },
        [](Source& source) { return static_cast<std::int64_t>(random::discrete_laplace(2, source)); });
  });
  add(attacks, "draw-geometric", "p = 1/5", [] {
    return one_by_one(
        0, 40, [](std::int64_t k) { return random::geometric_pmf(Rational(1, 5), k, kBits).low_double(); },
        [law = random::Geometric(Rational(1, 5))](Source& source) {
          return static_cast<std::int64_t>(law.draw(source));
        });
  });
  add(attacks, "draw-truncated-geometric", "scale 2 at 1 of 0 to 6", [] {
    return one_by_one(
        0, 6, [](std::int64_t k) { return random::truncated_geometric_pmf(2, 6, 1, k, kBits).low_double(); },
        [law = random::TruncatedGeometric(2, 6)](Source& source) {
          return static_cast<std::int64_t>(law.draw(1, source));
        });
  });
}

void add_counts(Attacks& attacks) {
  add(attacks, "draw-binomial", "20 trials at 3/10", [] {
    return batches(random::Binomial(20, Rational(3, 10)), 20, 1, [](std::int64_t k) {
      return k < 0 ? 0 : random::binomial_pmf(20, Rational(3, 10), k, kBits).low_double();
    });
  });
  add(attacks, "draw-poisson", "rate 7/2", [] {
    return batches(random::Poisson(Rational(7, 2)), 25, 1, [](std::int64_t k) {
      return k < 0 ? 0 : random::poisson_pmf(Rational(7, 2), k, kBits).low_double();
    });
  });
  add(attacks, "draw-skellam", "rates 2 and 3", [] {
    return batches(random::Skellam(2, 3), 20, 1,
                   [](std::int64_t k) { return random::skellam_pmf(2, 3, k, kBits).low_double(); });
  });
}

// Two tosses in a row are one outcome, so that coins that follow each other are seen.
SampledLaw two_tosses(const random::Bernoulli& coin, double p) {
  return one_by_one(
      0, 3, [p](std::int64_t both) { return ((both & 1) != 0 ? p : 1 - p) * ((both & 2) != 0 ? p : 1 - p); },
      [coin](Source& source) { return coin.draw(source) + 2 * coin.draw(source); });
}

void add_coins(Attacks& attacks) {
  add(attacks, "random-source", "two halves of each byte", [] {
    return SampledLaw{"", 0, 255, [](std::int64_t) { return 1.0 / 256; },
                      [](std::span<std::int64_t> out, Source& source) {
                        for (std::int64_t& k : out) k = static_cast<std::int64_t>(source.bits(4) << 4 | source.bits(4));
                      }};
  });
  add(attacks, "draw-bernoulli", "two tosses at 1/3",
      [] { return two_tosses(random::Bernoulli::with_probability(Rational(1, 3)), 1.0 / 3); });
  add(attacks, "draw-bernoulli-exp", "two tosses at exp(-1/2)",
      [] { return two_tosses(random::Bernoulli::with_exp_of_minus(Rational(1, 2)), std::exp(-0.5)); });
  add(attacks, "draw-uniform", "two numbers below 7", [] {
    return one_by_one(
        0, 48, [](std::int64_t) { return 1.0 / 49; },
        [](Source& source) {
          const auto first = static_cast<std::int64_t>(random::uniform_below(7, source));
          return 7 * first + static_cast<std::int64_t>(random::uniform_below(7, source));
        });
  });
}

void add_choices(Attacks& attacks) {
  static constexpr std::array<std::uint64_t, 4> kWeights = {1, 0, 3, 6};
  add(attacks, "draw-categorical", "weights 1, 0, 3, 6", [] {
    return one_by_one(
        0, 3, [](std::int64_t k) { return static_cast<double>(kWeights[static_cast<std::size_t>(k)]) / 10; },
        [law = std::make_shared<random::Categorical>(kWeights)](Source& source) {
          return static_cast<std::int64_t>(law->draw(source));
        });
  });
  add(attacks, "draw-weighted-choice", "four candidates, rate 1/2", [] {
    static constexpr std::array<Int128, 4> kScores = {2, 9, -1, 0};
    return one_by_one(
        0, 3,
        [](std::int64_t k) {
          return random::weighted_choice_pmf(kWeights, kScores, Rational(1, 2), static_cast<std::size_t>(k), kBits)
              .low_double();
        },
        [law = std::make_shared<random::WeightedChoice>(kWeights, kScores, Rational(1, 2))](Source& source) {
          return static_cast<std::int64_t>(law->draw(source));
        });
  });
}

// Which of the numbers below n are in a set, as bits.
std::int64_t bits_of(const std::vector<std::uint64_t>& set) {
  std::int64_t bits = 0;
  for (const std::uint64_t i : set) bits |= std::int64_t{1} << i;
  return bits;
}

void add_subsets(Attacks& attacks) {
  add(attacks, "draw-permutation", "orders of 4", [] {
    const auto places = [](const std::vector<std::uint64_t>& order) {
      std::int64_t code = 0;
      for (const std::uint64_t i : order) code = 4 * code + static_cast<std::int64_t>(i);
      return code;
    };
    return one_by_one(
        0, 255,
        [](std::int64_t code) {
          std::array<int, 4> seen = {};
          for (int i = 0; i < 4; ++i) ++seen[static_cast<std::size_t>(code >> (2 * i) & 3)];
          return std::count(seen.begin(), seen.end(), 1) == 4 ? 1.0 / 24 : 0.0;
        },
        [places](Source& source) { return places(random::permutation(4, source)); });
  });
  for (const std::uint64_t k : {2, 4}) {  // by drawing again, and by walking over all
    add(attacks, "draw-subset", std::to_string(k) + " of 6", [k] {
      return one_by_one(
          0, 63,
          [k](std::int64_t bits) {
            return static_cast<std::uint64_t>(__builtin_popcountll(static_cast<std::uint64_t>(bits))) == k ? 1.0 / 15
                                                                                                           : 0.0;
          },
          [k](Source& source) { return bits_of(random::choose(k, 6, source)); });
    });
  }
  add(attacks, "draw-poisson-subsample", "each of 4 at 1/4", [] {
    return one_by_one(
        0, 15,
        [](std::int64_t bits) {
          double product = 1;
          for (int i = 0; i < 4; ++i) product *= (bits >> i & 1) != 0 ? 0.25 : 0.75;
          return product;
        },
        [](Source& source) { return bits_of(random::poisson_subsample(4, Rational(1, 4), source)); });
  });
}

}  // namespace

void add_sampler_attacks(Attacks& attacks) {
  add_coins(attacks);
  add_noise(attacks);
  add_counts(attacks);
  add_choices(attacks);
  add_subsets(attacks);
}

}  // namespace dither::audit
