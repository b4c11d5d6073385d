#include "random/geometric.h"

#include <fmt/format.h>

#include "base/error.h"
#include "random/detail/laplace_cells.h"
#include "random/detail/scale.h"
#include "random/pmf.h"

namespace dither::random {

struct Geometric::Sampler {
  detail::CellSampler<detail::LaplaceCells<false>> cells;
};

namespace {

const Rational& require_success(const Rational& success) {
  if (success < Rational::power_of_two(-60) || success >= Rational(1)) {
    throw Error{Code::bad_probability,
                fmt::format("success is {}, outside the range from 2^-60 to below 1", success.str()),
                "give a probability such as 0.25"};
  }
  return success;
}

}  // namespace

Geometric::Geometric(const Rational& success)
    : fits_int64_(detail::fits_int64(Rational(1) / require_success(success))) {
  const auto cells = detail::LaplaceCells<false>([success](long bits) { return failure_rate(success, bits); });
  sampler_ = std::make_shared<Sampler>(Sampler{{cells, detail::table_precision(cells.shift())}});
}

Int128 Geometric::draw(Source& source) const { return sampler_->cells.draw(source); }

void Geometric::fill(std::span<Int128> out, Source& source) const { sampler_->cells.fill(out, source); }

void Geometric::fill(std::span<std::int64_t> out, Source& source) const {
  detail::require_int64("1 / success", fits_int64_);
  sampler_->cells.fill(out, source);
}

}  // namespace dither::random
