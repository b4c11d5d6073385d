#include "random/discrete_gaussian.h"

#include <fmt/format.h>

#include "base/error.h"
#include "random/detail/gaussian_cells.h"
#include "random/detail/made_once.h"
#include "random/detail/scale.h"
#include "random/detail/table_free.h"

namespace dither::random {

struct DiscreteGaussian::Sampler : detail::MadeOnce<detail::CellSampler<detail::GaussianCells>> {
  using MadeOnce::MadeOnce;
};

DiscreteGaussian::DiscreteGaussian(const Rational& sigma) {
  detail::require_scale("sigma", sigma);
  *this = with_sigma_squared(sigma * sigma);
}

DiscreteGaussian DiscreteGaussian::with_sigma_squared(const Rational& sigma_squared) {
  const Rational low(1, 1'000'000);
  if (sigma_squared < low || sigma_squared > Rational::power_of_two(120)) {
    throw Error{Code::bad_scale,
                fmt::format("sigma squared is {}, outside the range from 1e-6 to 2^120", sigma_squared.str()),
                "give a sigma from 1/1000 to 2^60"};
  }
  DiscreteGaussian result;
  result.sampler_ = std::make_shared<Sampler>([sigma_squared] {
    const detail::GaussianCells cells(sigma_squared);
    return detail::CellSampler<detail::GaussianCells>(cells, detail::table_precision(cells.shift()));
  });
  result.fits_int64_ = sigma_squared <= Rational::power_of_two(104);
  return result;
}

Int128 DiscreteGaussian::draw(Source& source) const { return sampler_->get().draw(source); }

void DiscreteGaussian::fill(std::span<Int128> out, Source& source) const { sampler_->get().fill(out, source); }

void DiscreteGaussian::fill(std::span<std::int64_t> out, Source& source) const {
  detail::require_int64("sigma", fits_int64_);
  sampler_->get().fill(out, source);
}

Int128 discrete_gaussian(const Rational& sigma, Source& source) {
  detail::require_scale("sigma", sigma);
  if (!detail::SmallRatio::fits(sigma)) return DiscreteGaussian(sigma).draw(source);
  return detail::GaussianOnce(detail::SmallRatio(sigma)).value(source);
}

}  // namespace dither::random
