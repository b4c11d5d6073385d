#include "accounting/detail/lattice_fft.h"

#include <cmath>

#include <kissfft/kissfft.hh>

namespace dither::accounting::detail {

struct RealFourier::Plan {
  kissfft<double> transform;
};

RealFourier::RealFourier(std::size_t size) : size_(size), plan_(new Plan{kissfft<double>(size / 2, false)}) {}

RealFourier::~RealFourier() = default;

double RealFourier::error() const { return 24 * (std::log2(static_cast<double>(size_)) / 2 + 3) * 0x1p-53; }

std::vector<std::complex<double>> RealFourier::analyse(std::span<const double> signal) const {
  const std::size_t half = size_ / 2;
  std::vector<std::complex<double>> spectrum(half + 1);
  plan_->transform.transform_real(signal.data(), spectrum.data());
  // The two real values come packed in the first place.
  spectrum[half] = spectrum[0].imag();
  spectrum[0] = spectrum[0].real();
  return spectrum;
}

// The Hartley transform, real part minus imaginary part, is its own inverse up to the size; so the way back is the way
// forth once more. Both combinations grow moduli by at most sqrt(2).
std::vector<double> RealFourier::synthesise(std::span<const std::complex<double>> spectrum) const {
  const std::size_t half = size_ / 2;
  std::vector<double> hartley(size_);
  hartley[0] = spectrum[0].real();
  hartley[half] = spectrum[half].real();
  for (std::size_t k = 1; k < half; ++k) {
    hartley[k] = spectrum[k].real() - spectrum[k].imag();
    hartley[size_ - k] = spectrum[k].real() + spectrum[k].imag();
  }
  const auto back = analyse(hartley);
  const double scale = 1 / static_cast<double>(size_);
  std::vector<double> signal(size_);
  signal[0] = back[0].real() * scale;
  signal[half] = back[half].real() * scale;
  for (std::size_t k = 1; k < half; ++k) {
    signal[k] = (back[k].real() - back[k].imag()) * scale;
    signal[size_ - k] = (back[k].real() + back[k].imag()) * scale;
  }
  return signal;
}

}  // namespace dither::accounting::detail
