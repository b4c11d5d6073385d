#include "accounting/loss_distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accounting/detail/lattice_fft.h"
#include "accounting/detail/lattice_hull.h"
#include "accounting/detail/lattice_parts.h"
#include "base/error.h"
#include "base/ulps.h"

namespace dither::accounting {

namespace {

constexpr double kUnit = 0x1p-53;
constexpr std::size_t kDirectProducts = std::size_t{1} << 23;

void require_probability(const char* name, double value) {
  if (!(value >= 0 && value <= 1)) {
    throw Error{Code::bad_probability, fmt::format("{} is {}, but must lie in [0, 1]", name, value),
                "give a number from 0 to 1"};
  }
}

void require_nodes(double count) {
  if (count <= static_cast<double>(detail::kMostNodes)) return;
  throw Error{Code::out_of_range, "the composition would have more than 2^22 nodes",
              "use epsilon_by_lattice or epsilon_by_fourier, which keep only what matters"};
}

// Where the sum may be off by rounding: positive terms, at most `count` of them.
double outward(double sum, std::size_t count, bool up) {
  const double off = kUnit * (static_cast<double>(count) + 32);
  return up ? sum * (1 + off) : sum * (1 - off);
}

double both(double a, double b, bool up) {
  const double either = a + b - a * b;
  return up ? std::min(1.0, either * (1 + 8 * kUnit)) : std::max(0.0, either * (1 - 8 * kUnit));
}

// The convolution of two sequences of masses; `noise` grows by what rounding may have added up to, in all.
std::vector<double> convolve(const std::vector<double>& a, const std::vector<double>& b, bool up, double& noise) {
  const std::size_t size = a.size() + b.size() - 1;
  std::vector<double> result(size, 0);
  if (a.size() * b.size() <= kDirectProducts) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] == 0) continue;
      for (std::size_t j = 0; j < b.size(); ++j) result[i + j] += a[i] * b[j];
    }
    for (double& mass : result) mass = outward(mass, std::min(a.size(), b.size()), up);
    return result;
  }
  std::size_t padded = 4;
  while (padded < size) padded *= 2;
  const detail::RealFourier fourier(padded);
  const auto spectrum_of = [&](const std::vector<double>& values) {
    std::vector<double> signal(values);
    signal.resize(padded, 0);
    return fourier.analyse(signal);
  };
  const auto left = spectrum_of(a);
  auto product = spectrum_of(b);
  // Sums of masses are at most 1.01, so each spectrum value is off by at most e, their product by 2.1 e + 4 u.
  double total = 0;
  for (std::size_t k = 0; k < product.size(); ++k) {
    product[k] *= left[k];
    total += 2 * std::abs(product[k]);
  }
  const double each =
      2.1 * 1.01 * fourier.error() + 8 * kUnit + 2 * fourier.error() * total / static_cast<double>(padded);
  const std::vector<double> cycle = fourier.synthesise(product);
  for (std::size_t i = 0; i < size; ++i) result[i] = std::max(0.0, cycle[i]);
  noise += each * static_cast<double>(size);
  return result;
}

}  // namespace

double LossDistribution::loss_at(std::size_t i) const {
  return anchor_ + static_cast<double>(first_ + static_cast<std::int64_t>(i)) * step_;
}

LossDistribution LossDistribution::discretise(const Loss& loss, double step, double tail, Kind kind) {
  LossDistribution result;
  const detail::Lattice lattice{step, detail::natural_anchor(loss), tail};
  const bool up = kind == Kind::pessimistic;
  detail::LatticePart part = up ? detail::part_above(loss, lattice) : detail::part_below(loss, lattice);
  result.kind_ = kind;
  result.step_ = step;
  result.anchor_ = part.anchor;
  result.first_ = part.first;
  result.p_ = std::move(part.mass);
  result.infinite_p_ = part.infinite_mass;
  result.slip_ = part.slip;
  for (std::size_t i = 0; i < result.p_.size(); ++i) {
    // Two roundings of the loss, the exponential, the product.
    const double z = result.loss_at(i);
    const double off = kUnit * (8 + 4 * std::abs(z)) + part.slip;
    result.q_.push_back(result.p_[i] * std::exp(-z) * (up ? 1 + off : 1 - off));
  }
  const double given = std::holds_alternative<AtomLoss>(loss) ? std::get<AtomLoss>(loss).infinite_mass : 0;
  result.truncated_ = std::max(0.0, part.infinite_mass - given);
  result.infinite_q_ = part.other_infinite;
  result.check();
  return result;
}

void LossDistribution::check() const {
  double under_q = 0;
  for (const double mass : q_) under_q += mass;
  double under_p = infinite_p_;
  for (const double mass : p_) under_p += mass;
  const double allowed = 1 + 1e-7 + floor_p_ + floor_q_;
  if (!(under_q <= allowed) || !(under_p <= allowed)) {
    throw Error{Code::bad_weights, fmt::format("the masses of a loss sum to {} and {}, more than 1", under_p, under_q),
                "the sum of p e^-z over all atoms must be at most 1: check the losses and their masses"};
  }
}

AtomLoss LossDistribution::atoms() const {
  AtomLoss result;
  result.infinite_mass = infinite_p_;
  for (std::size_t i = 0; i < p_.size(); ++i) {
    if (p_[i] > 0) result.atoms.push_back({loss_at(i), p_[i]});
  }
  return result;
}

double LossDistribution::delta(double epsilon) const {
  const bool up = kind_ == Kind::pessimistic;
  const double at = epsilon + (up ? -1 : 1) * (slip_ + 8 * kUnit * std::abs(epsilon));
  double sum = 0;
  for (std::size_t i = p_.size(); i-- > 0;) {
    const double above = loss_at(i) - at;
    if (above <= 0) break;
    sum += p_[i] * -std::expm1(-above);
  }
  // The distance itself is rounded; that much of a loss is a shift of epsilon by 4 u of it, inside slip_.
  const double total = outward(sum + infinite_p_, p_.size(), up) + (up ? floor_p_ : -floor_p_);
  return std::clamp(total, 0.0, 1.0);
}

// With S_j the sum of p_i e^{z_j - z_i} and D_j that of p_i (1 - e^{z_j - z_i}), both over i >= j, the delta at
// z_j - s, 0 <= s <= step, is D_j + S_j (1 - e^-s) and the infinite mass: D_{j-1} follows from D_j without differences.
double LossDistribution::epsilon(double delta_wanted) const {
  require_probability("delta", delta_wanted);
  const bool up = kind_ == Kind::pessimistic;
  if (up && floor_p_ > 0 && delta_wanted <= infinite_p_ + floor_p_) {
    throw Error{Code::below_floor,
                fmt::format("delta {} is at or below {}, what rounding leaves unknown here", delta_wanted,
                            infinite_p_ + floor_p_),
                "compose with epsilon_by_lattice, which tilts, or ask for a larger delta"};
  }
  if (delta(0) <= delta_wanted) return 0;
  const double goal = (delta_wanted - infinite_p_ - (up ? floor_p_ : -floor_p_)) * (up ? 1 - 1e-12 : 1 + 1e-12);
  if (goal < 0 || (goal == 0 && infinite_p_ > 0)) return kInfinity;
  double below = 0;   // D_j
  double scaled = 0;  // S_j
  double answer = 0;
  for (std::size_t j = p_.size(); j-- > 0;) {
    scaled = scaled * std::exp(-step_) + p_[j];
    const double next = below + scaled * -std::expm1(-step_);
    if (scaled > 0 && (next > goal || j == 0)) {
      answer = loss_at(j) + std::log1p(-std::clamp((goal - below) / scaled, 0.0, 1.0));
      break;
    }
    below = next;
  }
  // The directed delta has the last word.
  answer = std::max(0.0, answer);
  double nudge = slip_ + 4 * kUnit * (1 + std::abs(answer));
  for (int turn = 0; turn < 60; ++turn, nudge *= 2) {
    const double candidate = std::max(0.0, up ? answer + nudge : answer - nudge);
    const double there = delta(candidate);
    if (up ? there <= delta_wanted : there >= delta_wanted) return candidate;
    if (candidate == 0) break;
  }
  return up ? kInfinity : 0;
}

TailProbability LossDistribution::tail_delta(double epsilon) const {
  const bool up = kind_ == Kind::pessimistic;
  const double at = epsilon + (up ? -1 : 1) * slip_;
  double sum = 0;
  for (std::size_t i = p_.size(); i-- > 0 && loss_at(i) > at;) sum += p_[i];
  return {std::clamp(outward(sum + infinite_p_, p_.size(), up) + (up ? floor_p_ : -floor_p_), 0.0, 1.0)};
}

double LossDistribution::accuracy() const { return 0.5 + total_variation() / 2; }

double LossDistribution::kl() const {
  if (infinite_p_ > truncated_ * (1 + 1e-9)) return kInfinity;
  double sum = 0;
  for (std::size_t i = 0; i < p_.size(); ++i) sum += p_[i] * loss_at(i);
  return std::max(0.0, sum);
}

// The curve is the largest of the lines 1 - delta(epsilon) - e^epsilon alpha (B-10), and since delta is linear in
// e^epsilon between atoms, one of the atoms gives it: randomising inside an atom is what joins the corners.
double LossDistribution::tradeoff(double alpha) const {
  require_probability("alpha", alpha);
  const bool up = kind_ == Kind::pessimistic;
  const double shift = (up ? 1 : -1) * slip_;
  double at_node = 0;  // D_j and S_j of epsilon()
  double scaled = 0;
  double best = 0;
  for (std::size_t j = p_.size(); j-- > 0;) {
    if (j + 1 < p_.size()) at_node += scaled * -std::expm1(-step_);
    scaled = scaled * (j + 1 < p_.size() ? std::exp(-step_) : 0) + p_[j];
    const double delta_there = outward(at_node + infinite_p_, p_.size(), up) + (up ? floor_p_ : -floor_p_);
    const double ratio = std::exp(loss_at(j) + shift) * (up ? 1 + 0x1p-45 : 1 - 0x1p-45);
    best = std::max(best, 1 - delta_there - ratio * alpha);
  }
  return std::clamp(best, 0.0, 1 - alpha);
}

LossDistribution LossDistribution::dual() const {
  LossDistribution other = *this;
  other.anchor_ = -anchor_;
  other.first_ = -(first_ + static_cast<std::int64_t>(p_.size()) - 1);
  other.p_.assign(q_.rbegin(), q_.rend());
  other.q_.assign(p_.rbegin(), p_.rend());
  std::swap(other.infinite_p_, other.infinite_q_);
  std::swap(other.floor_p_, other.floor_q_);
  return other;
}

LossDistribution LossDistribution::compose(const LossDistribution& other) const {
  if (step_ != other.step_) {
    throw Error{Code::bad_grid, fmt::format("grids of step {} and {} do not compose", step_, other.step_),
                "discretise both losses with one step"};
  }
  if (kind_ != other.kind_) {
    throw Error{Code::wrong_type, "a pessimistic and an optimistic loss do not compose",
                "discretise both losses from the same side"};
  }
  require_nodes(static_cast<double>(size() + other.size() - 1));
  const bool up = kind_ == Kind::pessimistic;
  LossDistribution result;
  result.kind_ = kind_;
  result.step_ = step_;
  result.anchor_ = anchor_ + other.anchor_;
  result.first_ = first_ + other.first_;
  result.floor_p_ = floor_p_ + other.floor_p_ * (1 + 1e-6);
  result.floor_q_ = floor_q_ + other.floor_q_ * (1 + 1e-6);
  result.p_ = convolve(p_, other.p_, up, result.floor_p_);
  result.q_ = convolve(q_, other.q_, up, result.floor_q_);
  result.infinite_p_ = both(infinite_p_, other.infinite_p_, up);
  result.infinite_q_ = both(infinite_q_, other.infinite_q_, up);
  result.truncated_ = both(truncated_, other.truncated_, up);
  result.slip_ = (slip_ + other.slip_) * (1 + 1e-9) + 2 * kUnit * std::abs(result.anchor_);
  result.check();
  return result;
}

LossDistribution LossDistribution::self_compose(std::uint64_t times) const {
  if (times == 0) throw Error{Code::bad_count, "a loss composed 0 times is nothing", "compose it at least once"};
  if (times == 1) return *this;
  require_nodes(static_cast<double>(size() - 1) * static_cast<double>(times));
  const LossDistribution half = self_compose(times / 2);
  const LossDistribution twice = half.compose(half);
  return times % 2 == 1 ? twice.compose(*this) : twice;
}

void LossDistribution::require_pure(double epsilon) const {
  const double close = slip_ + 64 * kUnit * (std::abs(epsilon) + std::abs(anchor_));
  double top = infinite_p_;
  bool above = infinite_p_ > 0;
  for (std::size_t i = p_.size(); i-- > 0 && loss_at(i) >= epsilon - close;) {
    top += p_[i];
    above = above || (loss_at(i) > epsilon + close && p_[i] > 0);
  }
  if (above || top > (1 + 1e-9) / (1 + std::exp(-epsilon))) {
    throw Error{Code::bad_weights,
                fmt::format("a loss with mass {} at {}{} is not that of an epsilon-DP release", top, epsilon,
                            above ? " and more above" : ""),
                "an epsilon-DP release has no loss above epsilon, and that one with mass at most 1/(1 + e^-epsilon)"};
  }
}

AtomLoss merge_atoms(const AtomLoss& loss, std::size_t first, std::size_t count) {
  if (count == 0 || first >= loss.atoms.size() || count > loss.atoms.size() - first) {
    throw Error{Code::bad_count,
                fmt::format("atoms {} to {} of {} cannot be merged", first, first + count, loss.atoms.size()),
                "give a range inside of the atoms"};
  }
  double p = 0;
  double q = 0;
  const double centre = loss.atoms[first].loss;
  for (std::size_t i = first; i < first + count; ++i) {
    p += loss.atoms[i].mass;
    q += loss.atoms[i].mass * std::exp(centre - loss.atoms[i].loss);
  }
  AtomLoss merged;
  merged.infinite_mass = loss.infinite_mass;
  merged.atoms.assign(loss.atoms.begin(), loss.atoms.begin() + static_cast<std::ptrdiff_t>(first));
  merged.atoms.push_back({p > 0 ? centre + std::log(p / q) : centre, p});
  merged.atoms.insert(merged.atoms.end(), loss.atoms.begin() + static_cast<std::ptrdiff_t>(first + count),
                      loss.atoms.end());
  return merged;
}

}  // namespace dither::accounting
