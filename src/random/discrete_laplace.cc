#include "random/discrete_laplace.h"

#include "random/detail/laplace_cells.h"
#include "random/detail/made_once.h"
#include "random/detail/scale.h"
#include "random/detail/table_free.h"

namespace dither::random {

struct DiscreteLaplace::Sampler : detail::MadeOnce<detail::CellSampler<detail::LaplaceCells<true>>> {
  using MadeOnce::MadeOnce;
};

namespace {

detail::LaplaceCells<true> cells_for(const Rational& scale) {
  return detail::LaplaceCells<true>([rate = Rational(1) / scale](long bits) { return BigInterval(rate, bits); });
}

}  // namespace

DiscreteLaplace::DiscreteLaplace(const Rational& scale) : fits_int64_(detail::fits_int64(scale)) {
  detail::require_scale("scale", scale);
  sampler_ = std::make_shared<Sampler>([scale] {
    const auto cells = cells_for(scale);
    return detail::CellSampler<detail::LaplaceCells<true>>(cells, detail::table_precision(cells.shift()));
  });
}

Int128 DiscreteLaplace::draw(Source& source) const { return sampler_->get().draw(source); }

void DiscreteLaplace::fill(std::span<Int128> out, Source& source) const { sampler_->get().fill(out, source); }

void DiscreteLaplace::fill(std::span<std::int64_t> out, Source& source) const {
  detail::require_int64("scale", fits_int64_);
  sampler_->get().fill(out, source);
}

Int128 discrete_laplace(const Rational& scale, Source& source) {
  detail::require_scale("scale", scale);
  if (!detail::SmallRatio::fits(scale)) return DiscreteLaplace(scale).draw(source);
  return detail::LaplaceOnce(detail::SmallRatio(scale)).value(source);
}

}  // namespace dither::random
