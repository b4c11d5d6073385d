// A list of events as a sum of costs, and each accountant's answer about it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "accounting/accountant.h"
#include "accounting/advanced.h"
#include "accounting/bounds.h"
#include "accounting/cost.h"
#include "accounting/renyi.h"

namespace dither::accounting::detail {

// What an accountant found. The lower bound counts only when `attained`.
struct Found {
  Accountant accountant;
  Bounds bounds;
  bool attained;
  std::string theorem;
  bool tight = false;  // as close as was asked for: the engine itself cannot do better
};

class Composed {
 public:
  // Errors of cost() name the event by its number.
  explicit Composed(const EventList& list);

  bool only_gaussian() const;    // all events are Gaussian noise: closed form
  bool has_pairs() const;        // all events have dominating pairs: the exact loss can be computed
  bool attained() const;         // ... and each of them is attained
  bool homogeneous() const;      // all releases have the same epsilon and delta
  bool suits_lattice() const;    // few enough releases for a grid
  bool prefers_lattice() const;  // ... and so few that the grid is quicker than the transform

  // no-theorem with the reason when the accountant does not apply.
  Found epsilon(Accountant accountant, const Rational& delta, double width) const;
  Found delta(Accountant accountant, const Rational& epsilon, double width) const;

  // Each event's part of the loss, summing to 1 unless nothing is lost: of the logarithm of a moment of the loss of the
  // order that matters at this epsilon.
  std::vector<double> shares(double epsilon) const;

 private:
  struct Part {
    std::size_t event;
    std::uint64_t times;
    Cost cost;
  };

  using Engine = std::function<Bounds(std::span<const Step>, double, double)>;
  struct Sums {
    Rational epsilon = 0;
    Rational delta = 0;
  };
  struct Concentrated {
    double rho;
    double failure;
  };
  struct Ends {
    double low;
    double high;
  };
  struct Mu {
    double down;
    double up;
  };

  struct Equal {
    Ends epsilon;
    Ends delta;
    std::uint64_t times;
  };

  // What all events have in common, or no-theorem naming the first that has it not.
  Sums sums() const;
  Concentrated concentrated() const;
  RenyiCurve renyi_curve() const;
  Mu total_mu() const;
  void require_pairs(double delta) const;
  std::vector<ApproximateRelease> approximate_releases() const;
  Equal equal_releases() const;  // when homogeneous()
  std::vector<Step> worst_steps() const;
  bool worst_of_kind() const;  // each event is itself the worst with its epsilon and delta
  Bounds worst_bounds(const Engine& lattice, const Engine& fourier, double at, double width) const;

  Found basic_epsilon(const Rational& delta) const;
  Found basic_delta(const Rational& epsilon) const;
  Found advanced_epsilon(double delta) const;
  Found optimal_epsilon(double delta, double width) const;
  Found optimal_delta(double epsilon, double width) const;
  Found zcdp_epsilon(double delta) const;
  Found zcdp_delta(double epsilon) const;
  Found renyi_epsilon(double delta) const;
  Found renyi_delta(double epsilon) const;
  Found exact_epsilon(Accountant accountant, const Engine& engine, double delta, double width,
                      const char* theorem) const;
  Found exact_delta(Accountant accountant, const Engine& engine, double epsilon, double width,
                    const char* theorem) const;

  // Views that a look at width `coarse` shows not to be the worst are looked at no closer.
  Bounds worst_view(const std::function<Bounds(const std::vector<Step>&, double width)>& ask, double width,
                    double coarse) const;
  double releases() const;
  bool has_gap() const;  // some event is known only between two pairs
  bool any_step(const std::function<bool(const Step&)>& is) const;

  // Cut batches differ from uncut ones with a probability that counts 1 + e^epsilon times in delta (B-18).
  double with_overflow(double delta, double epsilon) const;
  template <class EpsilonAt>
  double beside_overflow(double delta, const EpsilonAt& epsilon_at) const;

  std::size_t events_;       // of the list, with those that cost nothing
  std::vector<Part> parts_;  // events that happen at least once
  std::map<View, std::vector<Step>> steps_;
  double overflow_ = 0;
};

}  // namespace dither::accounting::detail
