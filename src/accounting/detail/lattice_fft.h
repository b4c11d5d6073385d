// The real Fourier transform with a proven error bound. Private to the room.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace dither::accounting::detail {

// For sizes that are powers of two, at least 4.
//
// Promise    each computed value of a spectrum lies within error() * (sum of |input|) of the exact one, and each value
//            of synthesise() within 2 error() * (sum of |spectrum| over all frequencies) / size of the exact one.
//            (Sup norm from sum norm: what the composition needs, and better than the usual bound in mean square.)
// Proof      an output is a sum over paths from the inputs through the stages. In each stage a path is multiplied by a
//            twiddle factor and added at most twice, every partial sum being at most the sum of |input| in modulus.
//            Twiddles come from an angle of at most 2 pi with relative error 2 u, then sine and cosine: 15 u. A complex
//            product costs sqrt(5) u, a sum u: at most 20 u a stage. Making a real spectrum of size n out of the
//            complex one of n/2 is one stage more, with a product of two twiddles: 40 u. With log4 n stages, radix 4
//            with at most one stage of radix 2, the total is below 24 (log4(n) + 3) u.
// Cost       about 20 ns n log2(n) / 16.
class RealFourier {
 public:
  explicit RealFourier(std::size_t size);
  ~RealFourier();

  double error() const;
  // The values at frequencies 0 .. size/2 of `signal`, which has `size` numbers.
  std::vector<std::complex<double>> analyse(std::span<const double> signal) const;
  // The real signal with that spectrum.
  std::vector<double> synthesise(std::span<const std::complex<double>> spectrum) const;

 private:
  struct Plan;
  std::size_t size_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace dither::accounting::detail
