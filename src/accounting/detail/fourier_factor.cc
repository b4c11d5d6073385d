#include "accounting/detail/fourier_factor.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "accounting/moments.h"
#include "base/ulps.h"

namespace dither::accounting::detail {

namespace {

constexpr std::size_t kChunk = 32;       // nodes summed before their sum joins the total
constexpr std::size_t kFreshBlocks = 4;  // blocks between fresh sines and cosines
constexpr double kWide = 1.5 * kTrust;   // and the roundings of products with a parameter
constexpr double kMostNodes = 2e5;
constexpr double kLaplaceUnits = 800;  // see Walker::laplace

using Pair = double __attribute__((vector_size(16)));

struct Turn {
  double real;
  double imaginary;
};

// e^(ix) - 1.
Turn turn(double x) {
  const double s = std::sin(x / 2);
  const double c = std::cos(x / 2);
  return {-2 * s * s, 2 * s * c};
}

Turn joined(const Turn& a, const Turn& b) {
  return {a.real + b.real + (a.real * b.real - a.imaginary * b.imaginary),
          a.imaginary + b.imaginary + (a.real * b.imaginary + a.imaginary * b.real)};
}

}  // namespace

Factor::Factor(const Loss& loss, double times, double theta, double reach, double digits)
    : times_(times), theta_(theta), log_moment_(accounting::log_moment(loss, theta)) {
  if (const auto* laplace = std::get_if<LaplaceLoss>(&loss)) {
    laplace_ = laplace->epsilon;
  } else if (const auto* atoms = std::get_if<AtomLoss>(&loss)) {
    build_atoms(*atoms, theta);
  } else {
    build_mixture(std::get<MixtureLoss>(loss), theta, reach, digits);
  }
}

// Nothing is known of the moment, so nothing follows from the factor.
void Factor::give_up() {
  log_moment_ = {-kInfinity, kInfinity};
  nodes_ = Nodes{};
}

// The nodes cover the windows in one piece, so that neighbouring nodes are one step apart.
void Factor::build_mixture(const MixtureLoss& loss, double theta, double reach, double digits) {
  const Mixture mixture(loss, theta);
  const double h = mixture.step(digits, reach);
  const Cover cover = mixture.cover(digits, h);
  if (cover.windows.empty() || !(cover.windows.back().high - cover.windows.front().low < kMostNodes * h))
    return give_up();
  const Window hull{cover.windows.front().low, cover.windows.back().high};
  std::vector<double> log_weight, weight_error;
  const double last = std::floor(hull.high / h);
  for (double i = std::ceil(hull.low / h); i <= last; ++i) {
    const MixtureNode node = mixture.node(i * h);
    nodes_.loss.push_back(node.loss);
    nodes_.slope.push_back(node.loss_slope);
    nodes_.log_slope.push_back(std::abs(node.weight_slope));
    log_weight.push_back(node.log_weight);
    weight_error.push_back(node.log_weight_error);
    nodes_.loss_error.push_back(node.loss_error);
  }
  if (loss.direction == MixtureLoss::Direction::add) {  // the loss falls with y
    for (auto* v : {&nodes_.loss, &nodes_.loss_error, &nodes_.slope, &nodes_.log_slope, &log_weight, &weight_error}) {
      std::reverse(v->begin(), v->end());
    }
  }
  nodes_.step = h;
  nodes_.curvature = mixture.curvature();
  nodes_.convexity = mixture.convexity();
  nodes_.steepness = mixture.steepness();
  normalise(log_weight, weight_error);
  quadrature_ = mixture.quadrature(h);
  truncation_ = 1.1 * std::exp(cover.log_skipped - log_moment_.lower);
  if (error(0) < 1e-8) build_decay();
}

void Factor::build_atoms(const AtomLoss& loss, double theta) {
  std::vector<double> log_weight, weight_error;
  for (const LossAtom& a : loss.atoms) {
    if (a.mass == 0) continue;
    nodes_.loss.push_back(a.loss);
    log_weight.push_back(std::log(a.mass) + theta * a.loss);
    weight_error.push_back(kWide + std::abs(theta * a.loss) * (kWide) +
                           2 * kUnit * (std::abs(log_weight.back()) + std::abs(std::log(a.mass))));
    nodes_.loss_error.push_back(kWide * std::abs(a.loss));
  }
  normalise(log_weight, weight_error);
}

// Masses are exp(log weight - greatest) over their sum. With relative errors e_j of the weights and f_j absolute ones
// of the losses, the transform minus 1 moves by at most sum of mass (f_j |u| + (e_j + mean e) |e^(iuz) - 1|).
void Factor::normalise(const std::vector<double>& log_weight, const std::vector<double>& weight_error) {
  const double greatest = *std::max_element(log_weight.begin(), log_weight.end());
  double sum = 0;
  double mean_error = 0;
  const std::size_t count = log_weight.size();
  nodes_.mass.resize(count);
  for (std::size_t j = 0; j < count; ++j) {
    nodes_.mass[j] = std::exp(log_weight[j] - greatest);
    sum += nodes_.mass[j];
  }
  const auto error = [&](std::size_t j) {
    return weight_error[j] + kUnit * (4 + static_cast<double>(count) + 2 * std::abs(log_weight[j] - greatest));
  };
  for (std::size_t j = 0; j < count; ++j) {
    nodes_.mass[j] /= sum;
    mean_error += nodes_.mass[j] * error(j);
    nodes_.mean_size += nodes_.mass[j] * std::abs(nodes_.loss[j]);
  }
  for (std::size_t j = 0; j < count; ++j) {
    nodes_.node_error += nodes_.mass[j] * (nodes_.loss_error[j] + (error(j) + mean_error) * std::abs(nodes_.loss[j]));
  }
  nodes_.node_error *= 1.1;
}

double Factor::error(double u) const {
  if (nodes_.loss.empty()) return kLaplaceUnits * kUnit * u * laplace_;
  const double sums = 33 + static_cast<double>(nodes_.loss.size()) / kChunk;
  double result = u * (nodes_.node_error + (110 + 1.5 * sums) * 1.1 * kUnit * nodes_.mean_size);
  if (!quadrature_.empty()) {
    result += 2.2 * (std::exp(least(quadrature_, u)) + truncation_);  // of the transform and of its normalisation
  }
  return result;
}

Walker::Walker(const Factor& factor, double spacing) : factor_(factor), spacing_(spacing) {
  losses_ = factor.nodes_.loss;
  if (losses_.empty()) losses_.push_back(factor.laplace_);
  const std::size_t count = losses_.size();
  near_.resize(2 * kBlock * count);
  eight_real_.resize(count);
  eight_imaginary_.resize(count);
  far_real_.resize(count);
  far_imaginary_.resize(count);
  for (std::size_t j = 0; j < count; ++j) {
    const Turn one = turn(spacing * losses_[j]);
    const Turn two = joined(one, one);
    const Turn three = joined(two, one);
    const Turn four = joined(two, two);
    const std::array<Turn, kBlock> turns{
        Turn{0, 0}, one, two, three, four, joined(four, one), joined(four, two), joined(four, three)};
    for (std::size_t i = 0; i < kBlock; ++i) {
      near_[2 * kBlock * j + i] = turns[i].real;
      near_[2 * kBlock * j + kBlock + i] = turns[i].imaginary;
    }
    const Turn eight = joined(four, four);
    eight_real_[j] = eight.real;
    eight_imaginary_[j] = eight.imaginary;
  }
  start(0);
}

void Walker::start(std::size_t block) {
  const double u = static_cast<double>(block * kBlock) * spacing_;
  for (std::size_t j = 0; j < losses_.size(); ++j) {
    const Turn t = turn(u * losses_[j]);
    far_real_[j] = t.real;
    far_imaginary_[j] = t.imaginary;
  }
  next_ = block;
  stale_ = 0;
}

void Walker::advance() {
  for (std::size_t j = 0; j < losses_.size(); ++j) {
    const Turn t = joined({far_real_[j], far_imaginary_[j]}, {eight_real_[j], eight_imaginary_[j]});
    far_real_[j] = t.real;
    far_imaginary_[j] = t.imaginary;
  }
  ++stale_;
}

void Walker::at(std::size_t block, Block& result) {
  if (block == next_ + 1 && stale_ + 1 < kFreshBlocks) {
    advance();
    next_ = block;
  } else if (block != next_) {
    start(block);
  }
  if (factor_.nodes_.loss.empty()) return laplace(block, result);
  const std::vector<double>& mass = factor_.nodes_.mass;
  constexpr std::size_t kPairs = kBlock / 2;
  Pair total_real[kPairs] = {};
  Pair total_imaginary[kPairs] = {};
  double base_real = 0;
  double base_imaginary = 0;
  for (std::size_t first = 0; first < mass.size(); first += kChunk) {
    const std::size_t last = std::min(mass.size(), first + kChunk);
    Pair real[kPairs] = {};
    Pair imaginary[kPairs] = {};
    double chunk_real = 0;
    double chunk_imaginary = 0;
    for (std::size_t j = first; j < last; ++j) {
      const double a = mass[j] * far_real_[j];
      const double b = mass[j] * far_imaginary_[j];
      chunk_real += a;
      chunk_imaginary += b;
      const double g = mass[j] + a;
      const Pair weight_real{g, g};
      const Pair weight_imaginary{b, b};
      const double* near = &near_[2 * kBlock * j];
      for (std::size_t i = 0; i < kPairs; ++i) {
        const Pair x{near[2 * i], near[2 * i + 1]};
        const Pair y{near[kBlock + 2 * i], near[kBlock + 2 * i + 1]};
        real[i] += weight_real * x - weight_imaginary * y;
        imaginary[i] += weight_real * y + weight_imaginary * x;
      }
    }
    base_real += chunk_real;
    base_imaginary += chunk_imaginary;
    for (std::size_t i = 0; i < kPairs; ++i) {
      total_real[i] += real[i];
      total_imaginary[i] += imaginary[i];
    }
  }
  for (std::size_t i = 0; i < kBlock; ++i) {
    result.real[i] = base_real + total_real[i / 2][i % 2];
    result.imaginary[i] = base_imaginary + total_imaginary[i / 2][i % 2];
  }
}

// With E = e^(iu epsilon) = 1 + d, g = e^(-(1 + 2 theta) epsilon) and N = 1 + theta + theta g,
//   phi = [(1 + t) E + t g / E] (1 + 2 theta) / (N (1 + 2 t)),
//   phi - 1 = [-i u (1 - g) + (1 + 2 theta) ((1 + t) d + t g conj(d))] / (N (1 + 2 t)):
// with |1 + t|, 2 |t| <= |1 + 2t| and 1 + 2 theta <= 2 N the two terms are at most |u| epsilon and 3 |u| epsilon. d
// errs by 190 u and by its parameter's 8 u of |u| epsilon, the sums and products by less than 40 u of each term.
void Walker::laplace(std::size_t block, Block& result) const {
  const double theta = factor_.theta_;
  const double decay = -(1 + 2 * theta) * factor_.laplace_;
  const double g = std::exp(decay);
  const double norm = 1 + theta + theta * g;
  const double gap = -std::expm1(decay);
  for (std::size_t i = 0; i < kBlock; ++i) {
    const double u = static_cast<double>(block * kBlock + i) * spacing_;
    const Turn d = joined({far_real_[0], far_imaginary_[0]}, {near_[i], near_[kBlock + i]});
    const double real = (1 + theta) * d.real - u * d.imaginary + g * (theta * d.real + u * d.imaginary);
    const double imaginary = (1 + theta) * d.imaginary + u * d.real + g * (u * d.real - theta * d.imaginary);
    const double a = (1 + 2 * theta) * real;
    const double b = (1 + 2 * theta) * imaginary - u * gap;
    const double c = 1 + 2 * theta;  // the denominator is norm (c + 2 i u)
    const double scale = 1 / (norm * (c * c + 4 * u * u));
    result.real[i] = (a * c + 2 * b * u) * scale;
    result.imaginary[i] = (b * c - 2 * a * u) * scale;
  }
}

}  // namespace dither::accounting::detail
