// One kind of step in the Fourier engine: the characteristic function of its tilted loss.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "accounting/bounds.h"
#include "accounting/detail/fourier_mixture.h"
#include "accounting/loss.h"

namespace dither::accounting::detail {

// Frequencies are multiples of one spacing and come in blocks of eight.
inline constexpr std::size_t kBlock = 8;
struct Block {
  std::array<double, kBlock> real;
  std::array<double, kBlock> imaginary;
};

// The tilted loss as atoms: a trapezoid rule of a mixture loss, or the atoms themselves. Losses increase.
struct Nodes {
  std::vector<double> loss;
  std::vector<double> mass;        // tilted, sum 1 up to rounding
  std::vector<double> slope;       // mixtures only: |dz/dy|
  std::vector<double> log_slope;   // mixtures only: |d/dy ln F|
  std::vector<double> loss_error;  // absolute
  double step = 0;                 // of the rule; 0 for atoms
  double curvature = 0;            // of mixtures: bounds of fourier_mixture.h
  double convexity = 0;
  double steepness = 0;
  double mean_size = 0;   // sum of mass |loss|
  double node_error = 0;  // |transform of the nodes as stored - as exact| <= |u| node_error
};

// phi(u) = M(theta + i u) / M(theta), for `times` equal steps of a loss that is not Gaussian.
//
// Promise    log_moment encloses ln M(theta). error(u) bounds the error of phi(u) - 1 as a Walker computes it, at any
//            frequency up to `reach`, from quadrature, truncation, rounding and the 2^-50 of the parameters together.
class Factor {
 public:
  // Frequencies up to `reach` shall be off by at most about e^-digits.
  Factor(const Loss& loss, double times, double theta, double reach, double digits);

  double times() const { return times_; }
  Bounds log_moment() const { return log_moment_; }
  double error(double u) const;
  // Adds to log_bound[i] the log of an upper bound of |phi|^times on [edge[i], edge[i + 1]], the last range without
  // end, unless it is below -enough already (fourier_decay.cc). The first `even` edges are evenly spaced.
  void tighten_decay(const std::vector<double>& edge, std::size_t even, double enough,
                     std::vector<double>& log_bound) const;
  // Operations a frequency, in multiples of one node's.
  double effort() const { return nodes_.loss.empty() ? 4 : static_cast<double>(nodes_.loss.size()); }

 private:
  friend class Walker;
  void build_mixture(const MixtureLoss& loss, double theta, double reach, double digits);
  void build_atoms(const AtomLoss& loss, double theta);
  void normalise(const std::vector<double>& log_weight, const std::vector<double>& weight_error);
  void build_decay();
  void give_up();
  double decay_by_groups(double from, double to) const;
  double decay_by_pieces(double from) const;
  std::vector<double> sampled(double from, double step, std::size_t count) const;

  double times_;
  double theta_;
  Bounds log_moment_;
  double laplace_ = 0;  // epsilon of a Laplace loss, which has no nodes
  Nodes nodes_;
  std::vector<QuadratureLine> quadrature_;
  double truncation_ = 0;
  std::vector<double> group_mass_, piece_mass_;  // see fourier_decay.cc; empty when nothing is known
  double group_shrink_ = 0;
};

// Computes phi - 1 for the blocks of one factor.
//
// Rounding, in u = 2^-53. For one node and x = u z let d = e^(ix) - 1 = (-2 sin^2(x/2), sin x). Fresh from one sine and
// cosine |error of d| <= 6 u |x|; d(a + b) = d(a) + d(b) + d(a) d(b) errs by 15 u (|a| + |b|) more than its parts. The
// d for 1..8 spacings are at most four such steps deep: 66 u |x|. The d of a block's first frequency is fresh every
// fourth block and else advances by eight spacings: at most 6 + 51 + 3 * 15 = 102 u |x|. The sum over nodes of
// mass d(a) + mass (1 + d(a)) d(b) is formed in chunks of 32: another 5 + 1.5 (33 + nodes / 32) u (|a| + |b|). Together
// (110 + 1.5 (33 + nodes / 32)) u |u| (sum of mass |z|). It is of first order in z, so after n steps whose losses are
// about 1 / sqrt(n) it has grown as sqrt(n) only.
class Walker {
 public:
  Walker(const Factor& factor, double spacing);
  // Frequencies 8 block .. 8 block + 7, times the spacing. Blocks in increasing order are quickest.
  void at(std::size_t block, Block& result);

 private:
  void start(std::size_t block);
  void advance();
  void laplace(std::size_t block, Block& result) const;

  const Factor& factor_;
  double spacing_;
  std::vector<double> losses_;  // those of the nodes, or epsilon alone for Laplace
  std::vector<double> near_;    // per node: real and imaginary parts of d at 0..7 spacings
  std::vector<double> eight_real_, eight_imaginary_;
  std::vector<double> far_real_, far_imaginary_;  // d at the block's first frequency
  std::size_t next_ = 0;
  std::size_t stale_ = 0;  // advances since the last fresh start
};

}  // namespace dither::accounting::detail
