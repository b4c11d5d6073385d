#include "testing/dual_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "calculus/detail/access.h"
#include "random/discrete_laplace.h"
#include "testing/calculus_access.h"
#include "testing/seeded_source.h"

namespace dither::testing {

namespace {

constexpr std::int64_t kMostShift = 2;

// The cheapest shifts of what is left, depth first; nothing when none within the budget does.
class Alignment {
 public:
  Alignment(const NoisyFunction& mechanism, const Numbers& other, const Numbers& wanted,
            const std::vector<AlignedNoise::Drawn>& drawn)
      : mechanism_(mechanism), other_(other), wanted_(wanted), drawn_(drawn), shifts_(drawn.size()) {}

  std::optional<Rational> cheapest(const Rational& epsilon) {
    best_.reset();
    search(0, 0, epsilon);
    return best_;
  }

 private:
  void search(std::size_t draw, const Rational& cost, const Rational& epsilon) {
    if (cost > epsilon || (best_ && cost >= *best_)) return;
    if (draw == drawn_.size()) {
      AlignedNoise noise(drawn_, shifts_);
      if (mechanism_(other_, noise) == wanted_ && noise.same_path()) best_ = cost;
      return;
    }
    for (std::int64_t size = 0; size <= kMostShift; ++size) {
      for (const std::int64_t shift : {size, -size}) {
        shifts_[draw] = shift;
        search(draw + 1, cost + Rational(size) / drawn_[draw].scale, epsilon);
        if (size == 0) break;
      }
    }
    shifts_[draw] = 0;
  }

  const NoisyFunction& mechanism_;
  const Numbers& other_;
  const Numbers& wanted_;
  const std::vector<AlignedNoise::Drawn>& drawn_;
  std::vector<std::int64_t> shifts_;
  std::optional<Rational> best_;
};

void run_once(const NoisyFunction& mechanism, const Numbers& x, const Numbers& y, const Rational& epsilon,
              random::Source& source, DualReport& report) {
  AlignedNoise noise(source);
  const Numbers output = mechanism(x, noise);
  ++report.runs;
  const auto cost = Alignment(mechanism, y, output, noise.drawn()).cheapest(epsilon);
  if (cost) {
    report.largest_cost = std::max(report.largest_cost, *cost);
    return;
  }
  std::string drawn;
  for (const AlignedNoise::Drawn& one : noise.drawn()) drawn += fmt::format(" {}", one.value);
  report.counterexample =
      fmt::format("no shifts within {} lead from ({}) with noise{} and output ({}) to ({})", epsilon.str(),
                  fmt::join(x, ", "), drawn, fmt::join(output, ", "), fmt::join(y, ", "));
}

}  // namespace

std::int64_t AlignedNoise::laplace(const Rational& scale) {
  if (source_ != nullptr) {
    drawn_.push_back({scale, static_cast<std::int64_t>(random::discrete_laplace(scale, *source_))});
    return drawn_.back().value;
  }
  if (next_ == drawn_.size() || drawn_[next_].scale != scale) {
    strayed_ = true;
    return 0;
  }
  const std::size_t at = next_++;
  return drawn_[at].value + shifts_[at];
}

DualReport dual_run(const NoisyFunction& mechanism, const Numbers& x, const Numbers& y, const Rational& epsilon,
                    int runs, random::Source& source) {
  DualReport report;
  for (int i = 0; i < runs && report.holds(); ++i) {
    run_once(mechanism, x, y, epsilon, source, report);
    if (report.holds()) run_once(mechanism, y, x, epsilon, source, report);
  }
  return report;
}

SameBytes run_with_same_bytes(const calculus::AnyMeasurement& measurement, const calculus::Integers& x,
                              const calculus::Integers& y, std::uint64_t seed) {
  random::Source first = seeded_source(seed), second = seeded_source(seed);
  const auto u = std::get<calculus::Integers>(run(measurement, x, first));
  const auto v = std::get<calculus::Integers>(run(measurement, y, second));
  SameBytes report{first.bytes_used() == second.bytes_used(), u.size() == v.size()};
  for (std::size_t i = 0; i < std::min(u.size(), v.size()); ++i) {
    const Rational moved(u[i] - v[i]);
    report.translated = report.translated && moved == Rational(x[i] - y[i]);
    report.shift += abs(moved);
    report.squares += moved * moved;
  }
  return report;
}

}  // namespace dither::testing
