#include "audit/detail/means.h"

#include <algorithm>
#include <cmath>

#include "audit/detail/blocks.h"
#include "base/directed.h"

namespace dither::audit::detail {

namespace {

// Welford's sums: they lose nothing that matters here.
struct Moments {
  std::int64_t runs = 0;
  double mean = 0;
  double squares = 0;

  void add(const Outputs& outputs, const Bounded& function) {
    for (std::int64_t run = 0; run < outputs.runs(); ++run) {
      const double value = std::clamp(function(outputs.row(run)), 0.0, 1.0);
      ++runs;
      const double apart = value - mean;
      mean += apart / static_cast<double>(runs);
      squares += apart * (value - mean);
    }
  }
  Mean result() const { return {runs, mean, runs > 1 ? squares / static_cast<double>(runs - 1) : 0}; }
};

double half_width(const Mean& seen, double alarm) {
  const double runs = static_cast<double>(seen.runs);
  const double far = std::log(2 / alarm);
  const double width = std::sqrt(2 * seen.variance * far / runs) + 7 * far / (3 * (runs - 1));
  return width * (1 + 1e-9) + 1e-12;  // rounding, the running sums' included
}

}  // namespace

Mean mean_of(const Outputs& outputs, const Bounded& function) {
  Moments moments;
  moments.add(outputs, function);
  return moments.result();
}

Mean mean_of(const Draw& draw, const Shape& shape, const Bounded& function, std::int64_t runs, const Effort& effort) {
  Moments moments;
  for_fresh_blocks(draw, shape, runs, effort, [&](const Outputs& block) { moments.add(block, function); });
  return moments.result();
}

double mean_at_least(const Mean& seen, double alarm) {
  return seen.runs < 2 ? 0 : std::max(0.0, seen.mean - half_width(seen, alarm));
}

double mean_at_most(const Mean& seen, double alarm) {
  return seen.runs < 2 ? 1 : std::min(1.0, seen.mean + half_width(seen, alarm));
}

double refuted_epsilon(double least, double most, double delta) {
  if (!(least > delta) || !(most > 0)) return 0;
  return std::max(0.0, log_down(div_down(sub_down(least, delta), most)));
}

}  // namespace dither::audit::detail
