#include <gtest/gtest.h>

#include "base/directed.h"
#include "base/directed_check.h"
#include "testing/refusal.h"

namespace dither {
namespace {

using check::Big;
using check::Pair;

constexpr double kTiny = std::numeric_limits<double>::denorm_min();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// erfc(x); beyond 100, where it leaves the doubles, some number on the same side of every double.
// double.
void erfc_of(mpfr_ptr out, mpfr_ptr x) {
  if (mpfr_cmp_d(x, 100) > 0) {
    mpfr_set_ui_2exp(out, 1, -5000, MPFR_RNDN);
  } else if (mpfr_cmp_d(x, -100) < 0) {
    mpfr_set_ui(out, 2, MPFR_RNDN);
    mpfr_nextbelow(out);
  } else {
    mpfr_erfc(out, x, MPFR_RNDN);
  }
}

// e^(x^2) erfc(x), by the enveloping series far out.
void erfcx_of(mpfr_ptr out, mpfr_ptr x) {
  Big square, factor;
  mpfr_sqr(square, x, MPFR_RNDN);
  if (mpfr_cmp_d(x, 100) < 0) {
    Big wide_square;
    mpfr_set_prec(wide_square, 450);
    mpfr_sqr(wide_square, x, MPFR_RNDN);
    mpfr_exp(factor, wide_square, MPFR_RNDN);
    erfc_of(out, x);
    mpfr_mul(out, out, factor, MPFR_RNDN);
    return;
  }
  Big sum(1);
  for (int k = 39; k >= 1; k -= 2) {  // 1 - z (1 - 3 z (1 - ...)), z = 1 / (2 x^2): 41!! z^21 is below 1e-63
    mpfr_mul_si(sum, sum, k, MPFR_RNDN);
    mpfr_div(sum, sum, square, MPFR_RNDN);
    mpfr_div_2ui(sum, sum, 1, MPFR_RNDN);
    mpfr_ui_sub(sum, 1, sum, MPFR_RNDN);
  }
  mpfr_const_pi(factor, MPFR_RNDN);
  mpfr_sqrt(factor, factor, MPFR_RNDN);
  mpfr_mul(factor, factor, x, MPFR_RNDN);
  mpfr_div(out, sum, factor, MPFR_RNDN);
}

void erfcx_oracle(mpfr_ptr out, double x) {
  Big big(x);
  erfcx_of(out, big);
}

void set_x_over_root_two(mpfr_ptr out, double x) {
  Big two(2);
  mpfr_sqrt(out, two, MPFR_RNDN);
  mpfr_d_div(out, x, out, MPFR_RNDN);
}

// Phi(-x).
void upper_tail(mpfr_ptr out, double x) {
  set_x_over_root_two(out, x);
  erfc_of(out, out);
  mpfr_div_2ui(out, out, 1, MPFR_RNDN);
}

void log_ndtr_oracle(mpfr_ptr out, double x) {
  if (x > 0) {
    upper_tail(out, x);
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_log1p(out, out, MPFR_RNDN);
  } else if (x > -100) {
    upper_tail(out, -x);
    mpfr_log(out, out, MPFR_RNDN);
  } else {
    Big square(x), t;
    mpfr_sqr(square, square, MPFR_RNDN);
    mpfr_div_2ui(square, square, 1, MPFR_RNDN);
    set_x_over_root_two(t, -x);
    erfcx_of(out, t);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    mpfr_log(out, out, MPFR_RNDN);
    mpfr_sub(out, out, square, MPFR_RNDN);
  }
}

void erfc_oracle(mpfr_ptr out, double x) {
  Big big(x);
  if (std::isinf(x)) {
    mpfr_erfc(out, big, MPFR_RNDN);
  } else {
    erfc_of(out, big);
  }
}

const Pair kErfc{"erfc", erfc_up, erfc_down, erfc_oracle, slack::erfc, {-kInfinity, kInfinity, -6, 28}};
const Pair kErfcx{"erfcx", erfcx_up, erfcx_down, erfcx_oracle, slack::erfcx, {-1e9, 1e300, -27, 30}};
const Pair kLogNdtr{"log_ndtr", log_ndtr_up, log_ndtr_down, log_ndtr_oracle, slack::log_ndtr, {-1e153, 1e9, -40, 40}};

// Spec: W-78
TEST(DirectedNormal, FunctionsBracketMpfrTightly) {
  for (const Pair& pair : {kErfc, kErfcx, kLogNdtr}) {
    EXPECT_EQ(check::first_fault(pair, check::points_per_function()), "");
    Pair centre = pair;
    centre.range = {-3, 3, -3, 3};
    EXPECT_EQ(check::first_fault(centre, check::points_per_function() / 4), "");
  }
}

TEST(DirectedNormal, PlantedRoundingTheWrongWayIsCaught) {
  for (const Pair& pair : {kErfc, kErfcx, kLogNdtr}) {
    Pair nearest = pair;
    nearest.up = nearest.down = [&pair](double x) { return steps_down(pair.up(x), 17); };
    EXPECT_NE(check::first_fault(nearest, 1000), "") << pair.name;
    Pair loose = pair;
    loose.down = [&pair](double x) { return steps_down(pair.down(x), pair.slack + 1); };
    EXPECT_NE(check::first_fault(loose, 1000), "") << pair.name;
  }
}

// -1, 0 or 1 as Phi(x) is below, at or above p. Upper tails are compared, where x > 0, so that 1 - p keeps its digits.
int compare_ndtr(double x, double p) {
  Big tail;
  upper_tail(tail, std::fabs(x));
  Big target(p);
  if (x > 0) mpfr_ui_sub(target, 1, target, MPFR_RNDN);
  return x > 0 ? mpfr_cmp(target, tail) : mpfr_cmp(tail, target);
}

int compare_log_ndtr(double x, double l) {
  Big value;
  log_ndtr_oracle(value, x);
  return mpfr_cmp_d(value, l);
}

// An inverse is judged by the function itself: compare(x, y) is the sign of f(x) - y.
struct Inverse {
  std::function<double(double)> up;
  std::function<double(double)> down;
  int (*compare)(double, double);
  int slack;         // in doubles; -1 for none
  double precision;  // relative to max(floor, |x|)
  double floor;
};

std::string inverse_verdict(const Inverse& inverse, double y) {
  const double up = inverse.up(y);
  const double down = inverse.down(y);
  const double margin = inverse.precision * std::max(inverse.floor, std::fabs(up));
  const auto fault = [&](const char* what) { return fmt::format("inverse at {:a}: {}; {:a} {:a}", y, what, down, up); };
  if (!std::isfinite(up) || !std::isfinite(down)) return fault("not finite");
  if (inverse.compare(up, y) < 0) return fault("up is below");
  if (inverse.compare(down, y) > 0) return fault("down is above");
  // The nearer of the two tightness bounds decides for both, since the function is monotone.
  const bool counts = inverse.slack >= 0;
  const double below_up = counts ? std::max(up - margin, steps_down(up, inverse.slack + 1)) : up - margin;
  const double above_down = counts ? std::min(down + margin, steps_up(down, inverse.slack + 1)) : down + margin;
  if (inverse.compare(below_up, y) > 0) return fault("up is too far");
  if (inverse.compare(above_down, y) < 0) return fault("down is too far");
  return "";
}

std::string first_inverse_fault(const Inverse& inverse, const check::Range& range, int count) {
  for (double y : check::points_in(range, count, 5)) {
    if (std::string fault = inverse_verdict(inverse, y); !fault.empty()) return fault;
  }
  return "";
}

const Inverse kNdtri{ndtri_up, ndtri_down, compare_ndtr, slack::ndtri, 1e-14, 0};
const Inverse kNdtriExp{ndtri_exp_up, ndtri_exp_down, compare_log_ndtr, -1, 1e-14, 1};

// Spec: W-78
TEST(DirectedNormal, TheInverseIsSafeAndTight) {
  const int count = check::points_per_function();
  EXPECT_EQ(first_inverse_fault(kNdtri, {kTiny, steps_down(1, 1), 0, 1}, count), "");
  EXPECT_EQ(first_inverse_fault(kNdtri, {0.49999, 0.50001, 0.24, 0.26}, count / 4), "");
  EXPECT_EQ(first_inverse_fault(kNdtriExp, {-1e300, -kTiny, -3, -0.001}, count), "");
}

TEST(DirectedNormal, PlantedInverseOffByAHairIsCaught) {
  Inverse hair = kNdtri;
  hair.up = [](double p) { return steps_down(ndtri_up(p), slack::ndtri); };
  EXPECT_NE(first_inverse_fault(hair, {kTiny, 0.99, 0, 1}, 1000), "");
  hair = kNdtriExp;
  hair.down = [](double l) { return ndtri_exp_down(l) + 1e-14; };
  EXPECT_NE(first_inverse_fault(hair, {-700, -1e-300, -3, -0.001}, 1000), "");
}

TEST(DirectedNormal, KnownValuesAreExact) {
  EXPECT_EQ(erfc_up(0), 1);
  EXPECT_EQ(erfc_down(0), 1);
  EXPECT_EQ(erfcx_up(0), 1);
  EXPECT_EQ(ndtri_up(0.5), 0);
  EXPECT_EQ(ndtri_down(0.5), 0);
  EXPECT_LE(erfc_up(-30), 2);
  EXPECT_LE(erfc_up(1e-300), 1);
  EXPECT_LE(log_ndtr_up(100), 0);
}

TEST(DirectedNormal, InfinitiesGiveLimits) {
  EXPECT_EQ(erfc_up(kInfinity), 0);
  EXPECT_EQ(erfc_down(-kInfinity), 2);
  EXPECT_EQ(erfcx_up(kInfinity), 0);
  EXPECT_EQ(erfcx_down(-kInfinity), kInfinity);
  EXPECT_EQ(log_ndtr_down(kInfinity), 0);
  EXPECT_EQ(log_ndtr_up(-kInfinity), -kInfinity);
  EXPECT_EQ(ndtri_up(0), -kInfinity);
  EXPECT_EQ(ndtri_down(1), kInfinity);
  EXPECT_EQ(ndtri_exp_up(-kInfinity), -kInfinity);
  EXPECT_EQ(ndtri_exp_down(0), kInfinity);
}

TEST(DirectedNormal, BeyondTheDoublesTheSafeSideIsInfinite) {
  const double max = std::numeric_limits<double>::max();
  EXPECT_EQ(erfcx_up(-1e200), kInfinity);
  EXPECT_LT(erfcx_down(-1e200), kInfinity);
  EXPECT_EQ(log_ndtr_down(-1e200), -kInfinity);
  EXPECT_GT(log_ndtr_up(-1e200), -kInfinity);
  EXPECT_GE(ndtri_exp_up(-max), -1.9e154);
  EXPECT_LE(ndtri_exp_down(-max), -1.89e154);
  EXPECT_GT(erfcx_down(max), 0);
}

TEST(DirectedNormal, NanAndDomainAreRefused) {
  using Unary = double (*)(double);
  const auto code_of = [](Unary f, double x) { return testing::refusal([=] { f(x); }); };
  for (Unary f : {erfc_up, erfc_down, erfcx_up, erfcx_down, log_ndtr_up, log_ndtr_down, ndtri_up, ndtri_down,
                  ndtri_exp_up, ndtri_exp_down}) {
    EXPECT_EQ(code_of(f, kNaN), Code::bad_number);
  }
  for (Unary f : {ndtri_up, ndtri_down}) {
    EXPECT_EQ(code_of(f, -kTiny), Code::out_of_range);
    EXPECT_EQ(code_of(f, 1.0000001), Code::out_of_range);
  }
  EXPECT_EQ(code_of(ndtri_exp_up, kTiny), Code::out_of_range);
  EXPECT_EQ(code_of(ndtri_exp_down, 1), Code::out_of_range);
}

}  // namespace
}  // namespace dither
