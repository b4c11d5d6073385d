// The discretised privacy loss distribution: what everything about a pair of laws can be read off.
#pragma once

#include <cstdint>
#include <vector>

#include "accounting/loss.h"

namespace dither::accounting {

// P(Z > epsilon): more than delta(epsilon), and a different thing. It has no conversion to a number that could
// be taken for a delta.
struct TailProbability {
  double value;
};

// The loss of one ordered pair (P, Q) on a grid: masses at the losses anchor + k step, and the mass of outcomes that Q
// cannot produce.
//
// Kinds      a pessimistic distribution has at least the masses of a pair that dominates the true one, and every
//            quantity read off it is rounded to the side of more loss; an optimistic one the reverse. The two do not
//            compose with each other.
// Promise    delta, epsilon, total_variation, accuracy and tradeoff of a pessimistic (optimistic) distribution bound
//            those of the true pair, or of the composition of true pairs, from the side of more (less) loss. Both kinds
//            are of second order in the step. kl() belongs to the discretised law, and is an estimate of the true one.
// Refuses    what cannot be a loss distribution: after each building and each composition the mass under Q, the sum of
//            p e^-z, must be at most 1 (bad-weights; A-12).
// Cost       building about 0.3 us a node; reading 20 ns a node; composing n with m nodes n m / 10^9 s, or by Fourier
//            transform when that is more than 10 ms.
// Spec      , B-02, B-03.
class LossDistribution {
 public:
  enum class Kind { pessimistic, optimistic };

  // The loss on a grid of this step. Unbounded losses are cut so that at most `tail` of P and of Q lies outside: that
  // mass becomes infinite loss (pessimistic) or is dropped (optimistic), and is kept in truncated().
  // Refuses    a step that is not positive (bad-grid); losses beyond 600 or more than 2^22 nodes (out-of-range).
  static LossDistribution discretise(const Loss& loss, double step, double tail, Kind kind);

  Kind kind() const { return kind_; }
  double step() const { return step_; }
  std::size_t size() const { return p_.size(); }
  double loss_at(std::size_t i) const;
  double mass_at(std::size_t i) const { return p_[i]; }        // under P
  double other_mass_at(std::size_t i) const { return q_[i]; }  // under Q
  double infinite_mass() const { return infinite_p_; }
  // Mass that discretise() cut off, summed over all steps of a composition.
  double truncated() const { return truncated_; }
  // What the rounding of Fourier transforms may add to or take from a delta. Smaller deltas are not known.
  double floor() const { return floor_p_; }

  // The same as a Loss, for the engines (its masses are rounded to the side of kind()).
  AtomLoss atoms() const;

  // E[(1 - e^{epsilon - Z})+] and the infinite mass, for any real epsilon: a sum of positive terms.
  double delta(double epsilon) const;
  // The smallest epsilon >= 0 with delta(epsilon) <= delta, solved exactly between two atoms. Infinity when delta is
  // below the infinite mass.
  // Refuses    delta outside [0, 1] (bad-probability); a pessimistic one at or below floor() (below-floor).
  double epsilon(double delta) const;
  TailProbability tail_delta(double epsilon) const;

  double total_variation() const { return delta(0); }
  // The best balanced accuracy of an attacker who tells P from Q.
  double accuracy() const;
  // E[Z]; infinite when the loss had infinite mass before any truncation.
  double kl() const;
  // The smallest error of the second kind of a test whose error of the first kind is alpha, randomising inside an atom
  // . Refuses alpha outside [0, 1] (bad-probability).
  double tradeoff(double alpha) const;

  // The pair (Q, P): losses change their sign, masses their measure. dual().dual() is this distribution again.
  // Of a loss given by atoms, what they leave of the mass of Q is taken to be where P has none, from 1e-12 on.
  LossDistribution dual() const;

  // Both releases together, independent given the data. Refuses different steps (bad-grid), different kinds
  // (wrong-type) and more than 2^22 nodes (out-of-range).
  LossDistribution compose(const LossDistribution& other) const;
  // `times` of these, times >= 1 (bad-count).
  LossDistribution self_compose(std::uint64_t times) const;

  // Refuses (bad-weights) unless this can be the loss of an epsilon-DP release: no loss above epsilon, and a mass of at
  // most 1/(1 + e^-epsilon) at epsilon itself.
  void require_pure(double epsilon) const;

  friend bool operator==(const LossDistribution&, const LossDistribution&) = default;

 private:
  LossDistribution() = default;
  void check() const;

  Kind kind_ = Kind::pessimistic;
  double step_ = 0;
  double anchor_ = 0;
  std::int64_t first_ = 0;
  std::vector<double> p_;
  std::vector<double> q_;
  double infinite_p_ = 0;  // mass of P where Q has none
  double infinite_q_ = 0;  // mass of Q where P has none
  double truncated_ = 0;
  double slip_ = 0;  // losses may be off by this much
  double floor_p_ = 0;
  double floor_q_ = 0;
};

// Makes one atom of `count` neighbouring atoms from `first` on, with their masses under both laws: a post-processing,
// so no delta grows. Refuses a range outside of the atoms (bad-count).
AtomLoss merge_atoms(const AtomLoss& loss, std::size_t first, std::size_t count);

}  // namespace dither::accounting
