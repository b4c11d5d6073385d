#include "mechanisms/error_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "accounting/accuracy.h"
#include "base/directed.h"
#include "base/error.h"
#include "mechanisms/detail/radius.h"

namespace dither::mechanisms {

namespace {

constexpr double kUp = 1 + 1e-12;  // above what plain doubles lose in the sums here

double require_scale(const char* what, double value) {
  if (value > 0 && std::isfinite(value)) return value;
  throw Error{Code::bad_scale, fmt::format("the {} is {}, but must be positive and finite", what, value),
              "give a positive number"};
}

void require_failure(double failure) {
  if (failure > 0 && failure < 1) return;
  throw Error{Code::bad_probability, fmt::format("the failure probability is {}, but must be between 0 and 1", failure),
              "give a probability such as 0.05"};
}

// The least value of a function that falls and then rises on (low, high), by the golden section.
template <typename F>
double least(const F& f, double low, double high) {
  constexpr double kGolden = 0.6180339887498949;
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 60; ++i) {
    const double a = high - kGolden * (high - low);
    const double b = low + kGolden * (high - low);
    const double at_a = f(a);
    const double at_b = f(b);
    best = std::min({best, at_a, at_b});
    (at_a < at_b ? high : low) = at_a < at_b ? b : a;
  }
  return best;
}

}  // namespace

ErrorTerms ErrorTerms::one(Law law, double scale) {
  ErrorTerms error;
  error.terms_.push_back({std::make_shared<const Noise>(Noise{law, require_scale("scale", scale)}), 1});
  return error;
}
ErrorTerms ErrorTerms::laplace(double scale) { return one(Law::laplace, scale); }
ErrorTerms ErrorTerms::discrete_laplace(double scale) { return one(Law::discrete_laplace, scale); }
ErrorTerms ErrorTerms::gaussian(double sigma) { return one(Law::gaussian, sigma); }
ErrorTerms ErrorTerms::discrete_gaussian(double sigma) { return one(Law::discrete_gaussian, sigma); }

ErrorTerms ErrorTerms::within(double bound) {
  ErrorTerms error;
  error.bound_ = require_scale("bound", bound);
  return error;
}

ErrorTerms& ErrorTerms::operator+=(const ErrorTerms& other) {
  const std::vector<Term> added = other.terms_;  // a copy: other may be this one
  bound_ = add_up(bound_, other.bound_);
  for (const Term& term : added) {
    const auto same = std::find_if(terms_.begin(), terms_.end(), [&](const Term& t) { return t.noise == term.noise; });
    if (same == terms_.end()) {
      terms_.push_back(term);
    } else if ((same->factor += term.factor) == 0) {
      terms_.erase(same);
    }
  }
  return *this;
}

ErrorTerms& ErrorTerms::operator*=(double factor) {
  if (!std::isfinite(factor)) {
    throw Error{Code::bad_scale, fmt::format("the factor is {}, but must be finite", factor), "give a finite number"};
  }
  bound_ = mul_up(bound_, std::abs(factor));
  if (factor == 0) terms_.clear();
  for (Term& term : terms_) term.factor *= factor;
  return *this;
}

double ErrorTerms::quantile_up(const Noise& noise, double failure) {
  const accounting::Accuracy once{1, failure};
  switch (noise.law) {
    case Law::laplace:
      return accounting::laplace_error_up(noise.scale, once);
    case Law::discrete_laplace:
      return detail::discrete_laplace_radius_up(noise.scale, failure);
    case Law::gaussian:
      return accounting::gaussian_error_up(noise.scale, once);
    case Law::discrete_gaussian:  // sub-Gaussian with its sigma: P(|K| >= x) <= 2 exp(-x^2 / (2 sigma^2))
      return mul_up(noise.scale, sqrt_up(mul_up(2, log_up(div_up(2, failure)))));
  }
  std::abort();
}

double ErrorTerms::deviation(const Noise& noise) {
  switch (noise.law) {
    case Law::laplace:
      return std::sqrt(2) * noise.scale;
    case Law::discrete_laplace:
      return detail::discrete_laplace_standard_error(noise.scale);
    case Law::gaussian:
    case Law::discrete_gaussian:  // at most
      return noise.scale;
  }
  std::abort();
}

// ln E exp(t error), t in (0, largest_t()). Noises are independent and symmetric.
double ErrorTerms::log_moment(double t) const {
  double sum = 0;
  for (const auto& [noise, factor] : terms_) {
    const double x = t * std::abs(factor);
    if (noise->law == Law::laplace) {
      sum -= std::log1p(-x * noise->scale * x * noise->scale);
    } else if (noise->law == Law::discrete_laplace) {
      const double rate = 1 / noise->scale;  // (1 - q)^2 / ((1 - q e^x) (1 - q e^-x))
      sum += 2 * std::log(-std::expm1(-rate)) - std::log(-std::expm1(x - rate)) - std::log(-std::expm1(-x - rate));
    } else {
      sum += x * noise->scale * x * noise->scale / 2;
    }
  }
  return sum;
}

// Where the moment of the widest Laplace noise ends.
double ErrorTerms::largest_t() const {
  double most = std::numeric_limits<double>::infinity();
  for (const auto& [noise, factor] : terms_) {
    const bool ends = noise->law == Law::laplace || noise->law == Law::discrete_laplace;
    if (ends) most = std::min(most, 1 / (noise->scale * std::abs(factor)));
  }
  return most;
}

double ErrorTerms::union_error_up(double failure) const {
  require_failure(failure);
  double sum = bound_;
  const double share = failure / static_cast<double>(std::max<std::size_t>(1, terms_.size())) / kUp;
  for (const auto& [noise, factor] : terms_) sum += std::abs(factor) * quantile_up(*noise, share);
  return terms_.empty() ? bound_ : sum * kUp;
}

double ErrorTerms::chernoff_error_up(double failure) const {
  require_failure(failure);
  if (terms_.empty()) return bound_;
  const double wanted = std::log(2 / failure);
  // Sub-Gaussian noise of this variance is best at sqrt(2 wanted) / sd; heavier tails stop earlier.
  const double most = std::min(largest_t() * (1 - 1e-9), 4 * std::sqrt(2 * wanted) / standard_error());
  return (bound_ + least([&](double t) { return (wanted + log_moment(t)) / t; }, 0, most)) * kUp;
}

double ErrorTerms::variance_error_up(double failure) const {
  require_failure(failure);
  return (bound_ + standard_error() / std::sqrt(failure)) * kUp;
}

double ErrorTerms::error_up(double failure) const {
  return std::min({union_error_up(failure), chernoff_error_up(failure), variance_error_up(failure)});
}

double ErrorTerms::standard_error() const {
  double sum = 0;
  for (const auto& [noise, factor] : terms_)
    sum = std::hypot(sum, factor * deviation(*noise));  // squares may underflow
  return sum;
}

double largest_error_up(std::span<const ErrorTerms> values, double failure) {
  require_failure(failure);
  double worst = 0;
  for (const ErrorTerms& value : values) {
    worst = std::max(worst, value.error_up(failure / static_cast<double>(values.size()) / kUp));
  }
  return worst;
}

}  // namespace dither::mechanisms
