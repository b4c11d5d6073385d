// A mechanism run twice, on neighbouring inputs, with the second run's noise moved so that it says the same (W-65).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/rational.h"
#include "calculus/measurement.h"
#include "random/source.h"

namespace dither::testing {

// Where a mechanism under test takes its noise from: it records draws, or gives recorded ones again, each moved by a shift.
class AlignedNoise {
 public:
  struct Drawn {
    Rational scale;
    std::int64_t value;
  };

  explicit AlignedNoise(random::Source& source) : source_(&source) {}
  AlignedNoise(std::vector<Drawn> drawn, std::vector<std::int64_t> shifts)
      : drawn_(std::move(drawn)), shifts_(std::move(shifts)) {}

  // Discrete Laplace noise of this scale.
  std::int64_t laplace(const Rational& scale);

  const std::vector<Drawn>& drawn() const { return drawn_; }
  // Whether the run asked for the noise that was recorded, all of it and no other.
  bool same_path() const { return source_ != nullptr || (!strayed_ && next_ == drawn_.size()); }

 private:
  random::Source* source_ = nullptr;
  std::vector<Drawn> drawn_;
  std::vector<std::int64_t> shifts_;
  std::size_t next_ = 0;
  bool strayed_ = false;
};

using Numbers = std::vector<std::int64_t>;
using NoisyFunction = std::function<Numbers(const Numbers& input, AlignedNoise& noise)>;

struct DualReport {
  int runs = 0;
  Rational largest_cost = 0;  // of the cheapest shifts of each run
  std::optional<std::string> counterexample;
  bool holds() const { return !counterexample.has_value(); }
};

// Runs it on x with fresh noise and looks for shifts of at most two steps each, with sum |shift| / scale <= epsilon, that
// make the run on y take the same path to the same output; the other way round as well. A branch or an output without
// noise has none. Necessary, not sufficient: that shifts map outputs one to one is for a proof.
// Cost       5^draws runs at most for each; fewer where epsilon allows few shifts.
// Spec       W-65.
DualReport dual_run(const NoisyFunction& mechanism, const Numbers& x, const Numbers& y, const Rational& epsilon,
                    int runs, random::Source& source);

// A shipped measurement of integers, run on x and y with the same bytes: noise that does not depend on the data gives
// outputs that differ as the inputs do. Moving the noise on y by output(x) - output(y) aligns the two runs; how far that
// is tells what it costs, by the measurement's own map.
struct SameBytes {
  bool same_work = false;   // as many bytes taken
  bool translated = false;  // output(y) - output(x) = y - x
  Rational shift = 0;       // sum of |output(x) - output(y)|
  Rational squares = 0;     // sum of their squares
};
SameBytes run_with_same_bytes(const calculus::AnyMeasurement& measurement, const calculus::Integers& x,
                              const calculus::Integers& y, std::uint64_t seed);

}  // namespace dither::testing
