// Samplers in floating point, whose bits tell which value was added (T-52, W-70).
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>

#include "accounting/curves.h"
#include "audit/zoo/make.h"
#include "random/real_noise.h"

namespace dither::audit::zoo {

namespace {

const std::vector<Neighbours> kCount = {{{0}, {1}}};
const char* const kMadeForBits = "dp-sniper-bits";

// The inverse of the distribution function in doubles, as textbooks print it.
double textbook_laplace(double scale, random::Source& source) {
  const double u = uniform_double(source) - 0.5;
  return u < 0 ? scale * std::log1p(2 * u) : -scale * std::log1p(-2 * u);
}

// Ours: the real law, rounded exactly to a public grid.
Target textbook(bool right) {
  const auto ours = std::make_shared<random::RealNoise>(random::RealLaw::laplace(), Rational(10), Rational(1, 1024));
  return target(
      twin_name("textbook-laplace", right), Promise::pure({1, 10}), numbers(1),
      [ours, right](auto input, auto row, auto& source) {
        row[0] = input[0] + textbook_laplace(10, source);
        if (!right) return;
        Int128 index = static_cast<Int128>(input[0] / kStep);
        ours->fill({&index, 1}, source);
        row[0] = static_cast<double>(index) * kStep;
      },
      kCount);
}

// Mironov's snapping: the noisy value goes to the nearest multiple of a power of two that is at least the scale.
Target snapped() {
  constexpr double kSnap = 16;
  return target(
      "zoo.snapped-laplace", Promise::pure({1, 10}), numbers(1),
      [](auto input, auto row, auto& source) {
        row[0] = kSnap * std::nearbyint((input[0] + textbook_laplace(10, source)) / kSnap);
      },
      kCount);
}

// Six random bits make 64 values, and other ones for every count: epsilon 1.
Target coarse_uniform(bool right) {
  const Laplace fine(1);
  return target(
      twin_name("coarse-uniform", right), Promise::pure(1), numbers(1),
      [fine, right](auto input, auto row, auto& source) {
        const double u = (static_cast<double>(source.bits(6)) + 0.5) / 64 - 0.5;
        row[0] = input[0] + (right ? fine.draw(source) : std::copysign(std::log1p(-2 * std::abs(u)), -u));
      },
      kCount);
}

// Box and Muller's normal numbers in doubles, rho 1/2. Beside the answer stands how fine its last bit is, which anybody
// can see: near zero, 0 + Z is finer than 1 + Z can be.
Target box_muller(bool right) {
  const Gaussian exact(1);
  return target(
      twin_name("box-muller", right), Promise(accounting::ConcentratedDp{{1, 2}, 0}), numbers(2),
      [exact, right](auto input, auto row, auto& source) {
        const double radius = std::sqrt(-2 * std::log(1 - uniform_double(source)));
        const double normal = radius * std::cos(6.283185307179586 * uniform_double(source));
        row[0] = input[0] + (right ? exact.draw(source) : normal);
        int exponent = 0;
        const double mantissa = std::frexp(row[0], &exponent);
        row[1] = exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(std::abs(mantissa) * 0x1p53) | 1ULL << 53);
      },
      kCount);
}

// A value that is not on the grid of the noise keeps its last digits; the twin rounds it first.
Target grid_of_summand(bool right) {
  const Laplace noise(1);
  return target(twin_name("grid-of-summand", right), Promise::pure(1), numbers(2),
                [noise, right](auto input, auto row, auto& source) {
                  const double value = right ? std::floor(input[0] / kStep) * kStep : input[0];
                  row[0] = value + noise.draw(source);
                  row[1] = row[0] / kStep - std::floor(row[0] / kStep);  // what anybody can compute from the answer
                },
                {{{0}, {1.0 / 3}}});
}

}  // namespace

void add_wrong_floats(std::vector<Entry>& to) {
  plant<textbook>(to, {"textbook-laplace",
                       "Laplace by a logarithm in doubles",
                       "the real law, rounded exactly",
                       kInfinite,
                       {"T-52", "W-70", "peers 48"},
                       {"dp-sniper-bits", "likelihood"},
                       kMadeForBits,
                       50'000,
                       400'000});
  to.push_back({"zoo.snapped-laplace",
                "the same, snapped to a coarse grid",
                snapped,
                false,
                "zoo.textbook-laplace",
                std::nullopt,
                {},
                "",
                {"T-52"},
                50'000,
                400'000});
  plant<coarse_uniform>(to, {"coarse-uniform",
                             "a logarithm of six random bits",
                             "exact noise on a grid",
                             kInfinite,
                             {"W-69", "W-70"},
                             all_but({"kernel"}),
                             kMadeForBits});
  plant<box_muller>(to, {"box-muller",
                         "Box and Muller's normal numbers in doubles",
                         "discrete Gaussian noise",
                         kInfinite,
                         {"W-70", "peers 36"},
                         all_but({"kernel"}),
                         kMadeForBits});
  plant<grid_of_summand>(to, {"grid-of-summand",
                              "the sum shows the summand's last digits",
                              "the value is put on the grid",
                              kInfinite,
                              {"peers 18"},
                              all_but({}),
                              kMadeForBits});
}

}  // namespace dither::audit::zoo
