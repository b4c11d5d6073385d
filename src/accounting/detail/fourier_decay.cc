// How far the characteristic function of a sampled Gaussian has fallen at all frequencies of a range.
//
// Let p be the tilted law of y (density proportional to F), z(y) the loss, monotone, and cells of length h around the
// nodes. On a cell (ln F)'' >= -c gives F(y_i +- x) >= F(y_i) e^(-s_i x - c x^2 / 2), s_i = |(ln F)'(y_i)|: a part of
// the law that is symmetric in the cell, falls away from its middle, and has mass at least P_i = p_i e^(-s_i h / 4 -
// c h^2 / 24) by Jensen's inequality. With |z''| <= m z', m = `steepness`, the loss of this part has a mean within
// d_i = h^2 / 24 m z'_i e^(m h / 2) of z_i, and a mean square distance to z_i of at most v_i = h^2 / 12 (z'_i
// e^(m h / 2))^2. Three certificates, each from parts known from below, so that |phi| <= 1 - sum of masses (1 - |their
// transforms|):
//
// Sampled.  All cells together: their transform differs from A(u) = sum of P_i e^(i u z_i) by at most sum of
// P_i (u d_i + u^2 v_i / 2). |A|^2 has a second derivative of at most 2 (P sum of P z^2 - (sum of P z)^2) = 2 W, so
// between two samples it stays below the larger one plus (to - from)^2 W / 4.
//
// Groups.  Group neighbouring cells so that the losses of one group G differ by at most e / to, and let phi_G be the
// transform of its part, made a law. 1 - |phi_G(u)|^2 = E[1 - cos u(Z - Z')] over independent copies, where
// 1 - cos x >= k(e) x^2 / 2 for |x| <= e <= pi, k(e) = (1 - cos e) / (e^2 / 2), and E[(Z - Z')^2 | cells i, j] >=
// (|z_i - z_j| - d_i - d_j)^2 >= (1 - r)^2 (z_i - z_j)^2, r the greatest (d_i + d_(i+1)) / (z_(i+1) - z_i) (for cells
// further apart the steps next to i and j are disjoint). With 1 - sqrt(1 - x) >= x / 2, on [from, to]
//     1 - |phi| >= k(e) from^2 (1 - r)^2 / 2 * sum over groups of (sum of P z^2 - (sum of P z)^2 / P_G).
//
// Pieces.  On a cell the density of Z is at least its value at the node times e^(-(s_i + m + c' h / 4) h / 2), c' a
// bound of |(ln F)''| + |(ln z')''|, and the cell is at least z'_i h (1 - m h / 4) long in z. So the law contains
// independent uniform pieces of masses L_i, and |phi(u)| <= 1 - sum of L_i (1 - |sinc(u length_i / 2)|) for every u
// >= from.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "accounting/detail/fourier_factor.h"

namespace dither::accounting::detail {

namespace {

constexpr double kSafe = 1 - 1e-6;  // pays for rounding and for the quadrature error of the masses

// |sin x / x| is at most this, which falls with x.
double sinc_bound(double x) {
  const double x2 = x * x;
  if (x <= 2) return 1 - x2 / 6 + x2 * x2 / 120;
  return std::min(7.0 / 15, 1 / x);
}

double spread_in_groups(const Nodes& nodes, const std::vector<double>& mass, double reach) {
  double result = 0;
  const std::size_t count = mass.size();
  std::size_t first = 1;  // the outermost cells are left out: their outer edges are not nodes
  while (first + 1 < count) {
    const double origin = nodes.loss[first];
    const double start = nodes.loss[first - 1];  // the cell's edges lie between the neighbouring nodes
    double total = 0, linear = 0, square = 0;
    std::size_t j = first;
    for (; j + 1 < count && nodes.loss[j + 1] - start <= reach; ++j) {
      const double z = nodes.loss[j] - origin;
      total += mass[j];
      linear += mass[j] * z;
      square += mass[j] * z * z;
    }
    if (total > 0) result += std::max(0.0, square - linear * linear / total - 1e-12 * square);
    first = std::max(j, first + 1);
  }
  return result;
}

}  // namespace

// Only cells that matter take part, and only where the steps in z on both sides are known to 1e-6.
void Factor::build_decay() {
  const double h = nodes_.step;
  const double m = nodes_.steepness;
  const std::size_t count = nodes_.loss.size();
  group_mass_.assign(count, 0);
  piece_mass_.assign(count, 0);
  const double both_ways = nodes_.curvature + nodes_.convexity + 2 * m * m;
  const double shorter = std::max(0.0, 1 - m * h / 4);
  const double longest_shift = h * h / 24 * m * std::exp(m * h / 2);
  double shrink = 1;
  for (std::size_t i = 1; i + 1 < count; ++i) {
    const double known = 1e7 * (nodes_.loss_error[i - 1] + nodes_.loss_error[i] + nodes_.loss_error[i + 1]);
    const double gap = std::min(nodes_.loss[i] - nodes_.loss[i - 1], nodes_.loss[i + 1] - nodes_.loss[i]);
    if (nodes_.mass[i] < 1e-8 || !(gap > known)) continue;
    const double s = nodes_.log_slope[i];
    group_mass_[i] = nodes_.mass[i] * std::exp(-s * h / 4 - nodes_.curvature * h * h / 24) * kSafe;
    piece_mass_[i] = nodes_.mass[i] * std::exp(-(s + m + both_ways * h / 4) * h / 2) * shorter * kSafe;
    for (const std::size_t other : {i - 1, i + 1}) {
      const double shifts = longest_shift * (nodes_.slope[i] + nodes_.slope[other]);
      shrink = std::min(shrink, 1 - shifts / std::abs(nodes_.loss[other] - nodes_.loss[i]));
    }
  }
  group_shrink_ = std::max(0.0, shrink - 1e-5);
}

double Factor::decay_by_groups(double from, double to) const {
  double best = 1;
  for (const double e : {0.7, 1.6, std::numbers::pi}) {
    const double shape = (1 - std::cos(e)) / (e * e / 2);
    const double fall = shape * from * from * group_shrink_ * group_shrink_ / 2;
    best = std::min(best, 1 - fall * spread_in_groups(nodes_, group_mass_, e / to) * kSafe);
  }
  return best;
}

double Factor::decay_by_pieces(double from) const {
  const double length = nodes_.step * std::max(0.0, 1 - nodes_.steepness * nodes_.step / 4) * kSafe;
  double pieces = 0;
  for (std::size_t i = 0; i < piece_mass_.size(); ++i) {
    if (piece_mass_[i] == 0) continue;
    pieces += piece_mass_[i] * (1 - sinc_bound(from * nodes_.slope[i] * length / 2));
  }
  return 1 - pieces * kSafe;
}

// |A|^2 at from, from + step, ...: turned from one to the next, which errs by far less than the 1e-9 added below.
std::vector<double> Factor::sampled(double from, double step, std::size_t count) const {
  const std::size_t size = nodes_.loss.size();
  std::vector<double> real(size), imaginary(size), turn_real(size), turn_imaginary(size);
  for (std::size_t i = 0; i < size; ++i) {
    real[i] = group_mass_[i] * std::cos(from * nodes_.loss[i]);
    imaginary[i] = group_mass_[i] * std::sin(from * nodes_.loss[i]);
    turn_real[i] = std::cos(step * nodes_.loss[i]);
    turn_imaginary[i] = std::sin(step * nodes_.loss[i]);
  }
  std::vector<double> result;
  for (std::size_t k = 0; k < count; ++k) {
    double sum_real = 0, sum_imaginary = 0;
    for (std::size_t i = 0; i < size; ++i) {
      sum_real += real[i];
      sum_imaginary += imaginary[i];
      const double turned = real[i] * turn_real[i] - imaginary[i] * turn_imaginary[i];
      imaginary[i] = real[i] * turn_imaginary[i] + imaginary[i] * turn_real[i];
      real[i] = turned;
    }
    result.push_back(sum_real * sum_real + sum_imaginary * sum_imaginary);
  }
  return result;
}

void Factor::tighten_decay(const std::vector<double>& edge, std::size_t even, double enough,
                           std::vector<double>& log_bound) const {
  if (group_mass_.empty()) return;
  double total = 0, linear = 0, square = 0, first_order = 0, second_order = 0;
  const double h = nodes_.step;
  const double stretch = std::exp(nodes_.steepness * h / 2);
  for (std::size_t i = 0; i < group_mass_.size(); ++i) {
    const double w = group_mass_[i];
    const double reach = nodes_.slope[i] * stretch * h;
    total += w;
    linear += w * nodes_.loss[i];
    square += w * nodes_.loss[i] * nodes_.loss[i];
    first_order += w * nodes_.steepness * h * reach / 24;
    second_order += w * reach * reach / 24;
  }
  const double spread = total * square - linear * linear + 1e-9 * total * square;
  std::vector<double> samples;
  if (even > 1) samples = sampled(edge[0], edge[1] - edge[0], even);
  for (std::size_t i = 0; i < edge.size(); ++i) {
    if (log_bound[i] < -enough) continue;
    const bool last = i + 1 == edge.size();
    double best = 1;
    double apart = 1;
    if (i + 1 < even) {
      const double step = edge[i + 1] - edge[i];
      const double modulus = std::sqrt(std::max(samples[i], samples[i + 1]) + step * step / 4 * spread);
      apart = edge[i + 1] * first_order + edge[i + 1] * edge[i + 1] * second_order;
      const double rounding = 1e-9 + edge[i + 1] * (nodes_.node_error + 1e-13 * nodes_.mean_size);
      best = std::min(best, 1 - (total - modulus - apart) + rounding);
    }
    if (apart > 0.02) {  // cells are coarse at this frequency
      best = std::min(best, decay_by_pieces(edge[i]));
      if (!last) best = std::min(best, decay_by_groups(edge[i], edge[i + 1]));
    }
    log_bound[i] += times_ * std::log(std::clamp(best, 1e-300, 1.0));
  }
}

}  // namespace dither::accounting::detail
