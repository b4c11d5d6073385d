// One call of a statement, made of the noisy numbers behind it.
#pragma once

#include <optional>

#include "base/interval.h"
#include "session/answer.h"
#include "session/released.h"

namespace dither::session::detail {

struct Valued {
  Cell value;
  ValueError error;
  bool too_few = false;  // NULL, for its count does not show that there are rows enough
};

// The noise of one part: how far a released number may be off, in declared steps. A scaled number is on a finer grid, of which
// 2^finer steps are one declared step.
class PartError {
 public:
  // With probability 1 - failure the exact number lies within; of a part that decides which keys are shown, given that
  // it is.
  PartError(const PricedPlan& plan, std::size_t part, double failure);

  Rational in_steps(Int128 released) const { return Rational(released) * step_; }
  // The exact number lies within, and so, with a little more room, in doubles.
  struct Ends {
    Rational low, high;
  };
  Ends ends(Int128 released) const;
  Interval around(Int128 released) const;
  double standard_error() const { return standard_error_; }

 private:
  bool is_near(Int128 released) const;  // the threshold

  Rational step_ = 1;  // of the grid, a power of two
  Rational radius_ = 0;
  double radius_up_ = 0;  // in steps of the grid
  double standard_error_ = 0;
  std::optional<Int128> shown_from_;  // where the part decides: its threshold
};

class ColumnEstimate {
 public:
  // Both must outlive it.
  ColumnEstimate(const PricedPlan& plan, const Estimate& estimate, double failure);

  Valued at(const Released& released, std::size_t key) const;

 private:
  // What the noisy numbers of one key say about a column y = 2 k - (low + high), in half steps: how many, their sum,
  // and the sum of 2 y^2 - width^2; the last two on their grids.
  struct Numbers {
    Int128 count, sum, squares;
  };
  Valued single(Int128 released) const;
  Valued mean(const Numbers& numbers) const;
  Valued variance(const Numbers& numbers) const;
  // Whether so many rows may not be there, as far as their released number says (95%): there is no mean of them then.
  bool may_lack(Int128 count, int rows) const;

  // An exact constant, and the doubles around it.
  struct Known {
    Rational exact;
    Interval around{0};
    explicit Known(const Rational& value) : exact(value), around(value) {}
    Known() = default;
  };
  // What is known of the values beforehand: step, and width w = high - low.
  struct Frame {
    Known half, middle;          // step / 2, and the middle of the bounds
    Known width, most;           // w, w^2
    Known eighth, quarter, top;  // step^2 / 8, step^2 / 4, w^2 step^2 / 4
  };

  const PricedPlan& plan_;
  const Estimate& estimate_;
  std::vector<PartError> errors_;         // of count, sum and squares, as far as there are
  std::optional<PartError> count_at_95_;  // of means and variances
  Frame frame_;                           // of means and variances
  double lowest_ = 0, highest_ = 0;       // the bounds
};

}  // namespace dither::session::detail
