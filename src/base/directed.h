// Arithmetic and functions that round to the safe side: privacy loss is never understated by a rounding.
//
// Promise    f_down(x) <= f(x) <= f_up(x) for the exact value of f at the double x. An end lies at most `slack::f`
//            doubles beyond the best possible one, and within 1e-14 of f(x) relative to it when that is a normal
//            number. Where f(x) is known to be a double (log 1, exp 0, sqrt 4, erfc 0, sums that fit) both ends are
//            that double.
// Infinite   arguments give the limit of f, exactly. A finite f(x) beyond the doubles gives infinity on
//            one side and on the other a finite double, the largest or `slack::f` steps below it.
// Refuses    NaN (bad-number); arguments outside the domain and limits that do not exist, such as inf - inf
//            (out-of-range); a divisor 0 (division-by-zero).
// Holds if   the rounding mode is to nearest (nobody here changes it) and the C library keeps the bounds below.
// Cost       arithmetic under 10 ns, functions under 40 ns, ndtri under 0.3 us; see directed_bench.cc.
//
// Proof.  add, sub, mul, div, sqrt: the sign of the exact rounding error is computed (two-sum, fused multiply-add on
// scaled numbers), so these are the correctly rounded ends.
// exp, log, expm1, log1p, erf, erfc, lgamma: the C library's value, moved by more steps than its error. Its errors are
// taken to be at most 1 (exp, log), 2 (expm1, log1p), 3 (erf), 8 (erfc) and 8 (lgamma) units in the last place; glibc
// lists 1, 1, 1, 1, 1, 5 and 4, and directed_test.cc measures them against MPFR. Everything else is derived from these
// seven in directed_normal.cc and directed.cc, with the error budget beside each formula, counted in u = 2^-53 (see
// ulps.h).
#pragma once

namespace dither {

// The exact result rounded down or up.
double add_up(double a, double b);
double add_down(double a, double b);
double sub_up(double a, double b);
double sub_down(double a, double b);
double mul_up(double a, double b);
double mul_down(double a, double b);
double div_up(double a, double b);
double div_down(double a, double b);
double sqrt_up(double x);  // x >= 0
double sqrt_down(double x);

double exp_up(double x);
double exp_down(double x);
double expm1_up(double x);
double expm1_down(double x);
double log_up(double x);  // x >= 0
double log_down(double x);
double log1p_up(double x);  // x >= -1
double log1p_down(double x);
double log1mexp_up(double x);  // log(1 - e^x), x <= 0
double log1mexp_down(double x);
double lgamma_up(double x);  // log of Gamma(x), x > 0
double lgamma_down(double x);

double erfc_up(double x);
double erfc_down(double x);
double erfcx_up(double x);  // e^(x^2) erfc(x)
double erfcx_down(double x);

// The log of the normal distribution function Phi(x).
double log_ndtr_up(double x);
double log_ndtr_down(double x);

// The x with Phi(x) = p, 0 <= p <= 1. Both ends are checked by evaluating Phi at them, so safety needs no analysis of
// the iteration that found them.
double ndtri_up(double p);
double ndtri_down(double p);

// The x with log Phi(x) = l, l <= 0, for probabilities far below the doubles. Ends within 1e-14 max(1, |x|) of x: near
// the zero at l = -log 2 a double l does not say more.
double ndtri_exp_up(double l);
double ndtri_exp_down(double l);

// How many doubles an end may lie beyond the best one; 0 for arithmetic and sqrt.
namespace slack {
inline constexpr int exp = 5;
inline constexpr int expm1 = 8;
inline constexpr int log = 5;
inline constexpr int log1p = 8;
inline constexpr int log1mexp = 16;
inline constexpr int lgamma = 26;
inline constexpr int erfc = 26;
inline constexpr int erfcx = 36;
inline constexpr int log_ndtr = 40;
inline constexpr int ndtri = 60;
}  // namespace slack

}  // namespace dither
