#include "random/real_law.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/error.h"

namespace dither::random {

namespace {

void require_within(const char* name, const Rational& value, const Rational& low, const Rational& high) {
  if (value >= low && value <= high) return;
  throw Error{Code::bad_scale,
              fmt::format("{} is {}, but must lie in [{}, {}]", name, value.str(), low.str(), high.str()),
              fmt::format("choose {} in that range; beyond it every draw would be rounded to a constant", name)};
}

void require_shape(const char* name, const Rational& value) {
  require_within(name, value, Rational(1, 1000), Rational(1L << 20));
}

}  // namespace

RealLaw RealLaw::beta(const Rational& alpha, const Rational& beta) {
  require_shape("alpha", alpha);
  require_shape("beta", beta);
  return {Kind::beta, alpha, beta};
}

RealLaw RealLaw::gamma(const Rational& shape) {
  require_shape("shape", shape);
  return {Kind::gamma, shape, 0};
}

RealLaw RealLaw::log_normal(const Rational& mu, const Rational& sigma) {
  require_within("mu", mu, -1024, 1024);
  require_within("sigma", sigma, Rational(1, 1000), 1024);
  return {Kind::log_normal, mu, sigma};
}

RealLaw RealLaw::student_t(const Rational& degrees_of_freedom) {
  require_shape("degrees of freedom", degrees_of_freedom);
  return {Kind::student_t, degrees_of_freedom, 0};
}

std::string RealLaw::str() const {
  switch (kind) {
    case Kind::beta:
      return fmt::format("beta({}, {})", first.str(), second.str());
    case Kind::cauchy:
      return "cauchy";
    case Kind::exponential:
      return "exponential";
    case Kind::gamma:
      return fmt::format("gamma({})", first.str());
    case Kind::laplace:
      return "laplace";
    case Kind::log_normal:
      return fmt::format("log-normal({}, {})", first.str(), second.str());
    case Kind::normal:
      return "normal";
    case Kind::student_t:
      return fmt::format("student-t({})", first.str());
  }
  std::abort();
}

}  // namespace dither::random
