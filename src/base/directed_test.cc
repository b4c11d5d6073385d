#include "base/directed.h"

#include <gtest/gtest.h>
#include <math.h>

#include <algorithm>

#include "base/directed_check.h"
#include "testing/refusal.h"

namespace dither {
namespace {

using check::Big;
using check::Pair;
using testing::refusal;

constexpr double kMax = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

using MpfrFunction = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

std::function<void(mpfr_ptr, double)> oracle(MpfrFunction f) {
  return [f](mpfr_ptr out, double x) { f(out, Big(x), MPFR_RNDN); };
}

void log1mexp_oracle(mpfr_ptr out, double x) {
  Big y(x);
  if (x > -1) {
    mpfr_expm1(out, y, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_log(out, out, MPFR_RNDN);
  } else {
    mpfr_exp(out, y, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_log1p(out, out, MPFR_RNDN);
  }
}

const Pair kExp{"exp", exp_up, exp_down, oracle(mpfr_exp), slack::exp, {-kInfinity, kInfinity, -750, 712}};
const Pair kExpm1{"expm1", expm1_up, expm1_down, oracle(mpfr_expm1), slack::expm1, {-kInfinity, kInfinity, -5, 5}};
const Pair kLog{"log", log_up, log_down, oracle(mpfr_log), slack::log, {0, kInfinity, 0.5, 2}};
const Pair kLog1p{"log1p", log1p_up, log1p_down, oracle(mpfr_log1p), slack::log1p, {-1, kInfinity, -1, 3}};
const Pair kSqrt{"sqrt", sqrt_up, sqrt_down, oracle(mpfr_sqrt), 0, {0, kInfinity, 0, 100}};
const Pair kLgamma{"lgamma", lgamma_up, lgamma_down, oracle(mpfr_lngamma), slack::lgamma, {kTiny, kInfinity, 0, 12}};
const Pair kLog1mexp{"log1mexp",      log1mexp_up,     log1mexp_down,
                     log1mexp_oracle, slack::log1mexp, {-kInfinity, -kTiny, -2, -1e-9}};

// Spec: W-78
TEST(Directed, FunctionsBracketMpfrTightly) {
  for (const Pair& pair : {kExp, kExpm1, kLog, kLog1p, kSqrt, kLgamma, kLog1mexp}) {
    EXPECT_EQ(check::first_fault(pair, check::points_per_function()), "");
  }
}

TEST(Directed, LgammaIsTightAroundItsZeros) {
  for (double zero : {1.0, 2.0}) {
    Pair close = kLgamma;
    close.range = {zero * (1 - 1e-9), zero * (1 + 1e-9), zero - 0.01, zero + 0.01};
    EXPECT_EQ(check::first_fault(close, 2000), "");
  }
}

// Twins: the same checker refuses an end that is one double inside, one that forgets to widen, and a sloppy one.
TEST(Directed, PlantedRoundingTheWrongWayIsCaught) {
  Pair wrong_way = kSqrt;
  wrong_way.up = [](double x) { return steps_down(sqrt_up(x), 1); };
  EXPECT_NE(check::first_fault(wrong_way, 1000), "");
  for (const Pair& pair : {kExp, kExpm1, kLog, kLog1p, kLgamma, kLog1mexp}) {
    Pair nearest = pair;
    nearest.up = nearest.down = [&pair](double x) { return steps_down(pair.up(x), (pair.slack + 1) / 2); };
    EXPECT_NE(check::first_fault(nearest, 1000), "") << pair.name;
    Pair loose = pair;
    loose.up = [&pair](double x) { return steps_up(pair.up(x), pair.slack + 1); };
    EXPECT_NE(check::first_fault(loose, 1000), "") << pair.name;
  }
}

TEST(Directed, KnownValuesAreExact) {
  EXPECT_EQ(exp_up(0), 1);
  EXPECT_EQ(exp_down(-0.0), 1);
  EXPECT_EQ(log_up(1), 0);
  EXPECT_EQ(log_down(1), 0);
  EXPECT_EQ(expm1_up(0), 0);
  EXPECT_EQ(log1p_down(0), 0);
  EXPECT_EQ(sqrt_up(9), 3);
  EXPECT_EQ(sqrt_down(9), 3);
  EXPECT_EQ(lgamma_up(1), 0);
  EXPECT_EQ(lgamma_down(2), 0);
  EXPECT_LE(exp_up(-1e-300), 1) << "a negative exponent never grows anything";
  EXPECT_GE(exp_down(1e-300), 1);
  EXPECT_GE(exp_down(-1e300), 0);
}

TEST(Directed, InfinitiesGiveLimits) {
  EXPECT_EQ(exp_up(kInfinity), kInfinity);
  EXPECT_EQ(exp_down(kInfinity), kInfinity);
  EXPECT_EQ(exp_up(-kInfinity), 0);
  EXPECT_EQ(expm1_up(-kInfinity), -1);
  EXPECT_EQ(log_up(0), -kInfinity);
  EXPECT_EQ(log_down(kInfinity), kInfinity);
  EXPECT_EQ(log1p_up(-1), -kInfinity);
  EXPECT_EQ(log1mexp_up(0), -kInfinity);
  EXPECT_EQ(log1mexp_down(-kInfinity), 0);
  EXPECT_EQ(lgamma_down(kInfinity), kInfinity);
  EXPECT_EQ(sqrt_down(kInfinity), kInfinity);
  EXPECT_EQ(add_down(kInfinity, 1), kInfinity);
  EXPECT_EQ(mul_up(-kInfinity, 2), -kInfinity);
  EXPECT_EQ(div_up(1, kInfinity), 0);
  EXPECT_EQ(div_down(-kInfinity, 2), -kInfinity);
}

TEST(Directed, OverflowIsInfiniteOnTheSafeSideOnly) {
  EXPECT_EQ(add_up(kMax, kMax), kInfinity);
  EXPECT_EQ(add_down(kMax, kMax), kMax);
  EXPECT_EQ(sub_up(-kMax, kMax), -kMax);
  EXPECT_EQ(mul_down(1e200, 1e200), kMax);
  EXPECT_EQ(mul_up(-1e200, 1e200), -kMax);
  EXPECT_EQ(div_down(1e200, 1e-200), kMax);
  EXPECT_EQ(exp_up(1000), kInfinity);
  EXPECT_LT(exp_down(1000), kInfinity);
  EXPECT_EQ(mul_up(kTiny, kTiny), kTiny);
  EXPECT_EQ(mul_down(kTiny, kTiny), 0);
  EXPECT_EQ(div_up(kTiny, kMax), kTiny);
  EXPECT_EQ(mul_down(-kTiny, kTiny), -kTiny);
}

using Unary = double (*)(double);
using Binary = double (*)(double, double);

TEST(Directed, NanIsRefusedEverywhere) {
  for (Unary f : {exp_up, exp_down, expm1_up, expm1_down, log_up, log_down, log1p_up, log1p_down, log1mexp_up,
                  log1mexp_down, lgamma_up, lgamma_down, sqrt_up, sqrt_down}) {
    EXPECT_EQ(refusal([&] { f(kNaN); }), Code::bad_number);
  }
  for (Binary f : {add_up, add_down, sub_up, sub_down, mul_up, mul_down, div_up, div_down}) {
    EXPECT_EQ(refusal([&] { f(kNaN, 1); }), Code::bad_number);
    EXPECT_EQ(refusal([&] { f(1, kNaN); }), Code::bad_number);
  }
}

TEST(Directed, OutsideTheDomainIsRefused) {
  for (const auto& call : std::vector<std::function<void()>>{
           [] { log_up(-kTiny); }, [] { log1p_down(-1.0000001); }, [] { log1mexp_up(kTiny); }, [] { lgamma_up(0); },
           [] { lgamma_down(-1.5); }, [] { sqrt_up(-kTiny); }, [] { add_up(kInfinity, -kInfinity); },
           [] { sub_down(kInfinity, kInfinity); }, [] { mul_up(0, kInfinity); },
           [] { div_up(kInfinity, kInfinity); }}) {
    EXPECT_EQ(refusal(call), Code::out_of_range);
  }
  EXPECT_EQ(refusal([] { div_up(1, 0); }), Code::division_by_zero);
  EXPECT_EQ(refusal([] { div_down(0, -0.0); }), Code::division_by_zero);
}

// Arithmetic is held to the best double, bit for bit.
struct Arithmetic {
  const char* name;
  Binary up;
  Binary down;
  int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
};

double rounded(const Arithmetic& op, double a, double b, mpfr_rnd_t direction) {
  mpfr_t x;
  mpfr_init2(x, 53);  // rounds twice in one direction, at 53 bits and again among the subnormals: as good as once
  op.exact(x, Big(a), Big(b), direction);
  const double result = mpfr_get_d(x, direction);
  mpfr_clear(x);
  return result;
}

std::string first_arithmetic_fault(const Arithmetic& op, int count) {
  const auto a = check::points_in({-kMax, kMax, -10, 10}, count, 1);
  auto b = check::points_in({-kMax, kMax, -10, 10}, count, 2);
  std::mt19937_64 random(3);
  std::shuffle(b.begin(), b.end(), random);
  for (std::size_t i = 0; i < a.size(); ++i) {
    // Every other pair has a product near underflow, where error terms vanish.
    if (i % 2 == 1 && a[i] != 0)
      b[i] = std::scalbn(1 + b[i] / kMax, -1080 - std::ilogb(a[i]) + static_cast<int>(random() % 90));
    if (op.exact == mpfr_div && b[i] == 0) continue;
    if (op.up(a[i], b[i]) != rounded(op, a[i], b[i], MPFR_RNDU))
      return fmt::format("{}_up({:a}, {:a})", op.name, a[i], b[i]);
    if (op.down(a[i], b[i]) != rounded(op, a[i], b[i], MPFR_RNDD)) {
      return fmt::format("{}_down({:a}, {:a})", op.name, a[i], b[i]);
    }
  }
  return "";
}

TEST(Directed, ArithmeticIsTheBestDouble) {
  for (const Arithmetic& op :
       {Arithmetic{"add", add_up, add_down, mpfr_add}, Arithmetic{"sub", sub_up, sub_down, mpfr_sub},
        Arithmetic{"mul", mul_up, mul_down, mpfr_mul}, Arithmetic{"div", div_up, div_down, mpfr_div}}) {
    EXPECT_EQ(first_arithmetic_fault(op, check::points_per_function()), "");
  }
}

// Twin: error terms computed without scaling vanish among the subnormals.
double mul_up_without_scaling(double a, double b) {
  const double product = a * b;
  return std::fma(a, b, -product) > 0 ? steps_up(product, 1) : product;
}

TEST(Directed, PlantedVanishingErrorTermIsCaught) {
  EXPECT_NE(first_arithmetic_fault({"mul", mul_up_without_scaling, mul_down, mpfr_mul}, 10'000), "");
}

// The C library's own errors stay below what directed.h takes them to be, in units in the last place.
TEST(Directed, TheCLibraryKeepsItsBounds) {
  struct Library {
    const char* name;
    Unary f;
    MpfrFunction exact;
    double bound;
    check::Range range;
  };
  const auto lgamma_positive = [](double x) {
    int sign;
    return lgamma_r(x, &sign);
  };
  const Library libraries[] = {
      {"exp", std::exp, mpfr_exp, 1, {-745, 709, -10, 10}},
      {"log", std::log, mpfr_log, 1, {kTiny, kMax, 0.5, 2}},
      {"expm1", std::expm1, mpfr_expm1, 2, {-40, 709, -2, 2}},
      {"log1p", std::log1p, mpfr_log1p, 2, {-0.9999, kMax, -0.9, 2}},
      {"erf", std::erf, mpfr_erf, 3, {kTiny, 6, 0, 2}},
      {"erfc", std::erfc, mpfr_erfc, 8, {-6, 26.5, 0.5, 6}},
      {"lgamma", lgamma_positive, mpfr_lngamma, 8, {kTiny, 1e305, 0, 12}},
  };
  for (const Library& library : libraries) {
    double worst = 0;
    for (double x : check::points_in(library.range, check::points_per_function(), 77)) {
      Big truth;
      library.exact(truth, Big(x), MPFR_RNDN);
      const double size = std::fabs(mpfr_get_d(truth, MPFR_RNDN));
      mpfr_sub_d(truth, truth, library.f(x), MPFR_RNDN);
      worst = std::max(worst, std::fabs(mpfr_get_d(truth, MPFR_RNDN)) / (steps_up(size, 1) - size));
    }
    RecordProperty(library.name, fmt::format("{:.3f}", worst));
    EXPECT_LT(worst, library.bound) << library.name;
    if (std::getenv("DITHER_NIGHTLY") != nullptr) fmt::print("{}: worst {:.3f} ulp\n", library.name, worst);
  }
}

}  // namespace
}  // namespace dither
