#include "base/roots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/error.h"
#include "base/ulps.h"

namespace dither {

namespace {

[[noreturn]] void throw_bad_bracket(double fails, double holds, const char* rule) {
  throw Error{Code::bad_bracket, fmt::format("no turn between {} and {}: {}", fails, holds, rule),
              "give one point where the condition fails and one where it holds"};
}

void require_ends(double fails, double holds) {
  if (std::isnan(fails) || std::isnan(holds)) throw_bad_bracket(fails, holds, "an end is NaN");
  if (fails == holds) throw_bad_bracket(fails, holds, "the ends are the same");
}

std::uint64_t width(const Turn& turn) {
  return steps_between(std::min(turn.fails, turn.holds), std::max(turn.fails, turn.holds));
}

// The double half way on the ladder; the carry-free mean, since the sum of two rungs may not fit.
double middle(const Turn& turn) {
  const std::int64_t a = rung_of(turn.fails);
  const std::int64_t b = rung_of(turn.holds);
  return double_at((a & b) + ((a ^ b) >> 1));
}

// The bracket of a function, with its heights above the target at both ends.
class Search {
 public:
  Search(const std::function<double(double)>& f, double target, double fails, double holds)
      : f_(f), target_(target), turn_{fails, holds} {
    if (evaluate(fails, &height_fails_)) throw_bad_bracket(fails, holds, "the target is reached at the first already");
    if (!evaluate(holds, &height_holds_)) throw_bad_bracket(fails, holds, "the target is not reached at the second");
  }

  const Turn& turn() const { return turn_; }
  bool is_done() const { return width(turn_) <= 1; }

  void halve() {
    if (!is_done()) move_to(middle(turn_));
  }

  // A secant step of the given length from the end that is nearer in height; nothing when the heights do not say where.
  void step(double length) {
    if (is_done()) return;
    const bool from_holds = std::fabs(height_holds_) < std::fabs(height_fails_);
    const double start = from_holds ? turn_.holds : turn_.fails;
    const double height = from_holds ? height_holds_ : height_fails_;
    const double slope = (height_holds_ - height_fails_) / (turn_.holds - turn_.fails);
    const double x = start - length * height / slope;
    if (!std::isfinite(x)) return;
    const auto [low, high] = std::minmax(turn_.fails, turn_.holds);
    move_to(std::clamp(x, steps_up(low, 1), steps_down(high, 1)));
  }

 private:
  bool evaluate(double x, double* height) {
    const double value = f_(x);
    if (std::isnan(value)) {
      throw Error{Code::bad_number, fmt::format("the function is NaN at {}", x), "give a bracket inside its domain"};
    }
    *height = value - target_;
    return value >= target_;
  }

  void move_to(double x) {
    double height;
    if (evaluate(x, &height)) {
      turn_.holds = x;
      height_holds_ = height;
    } else {
      turn_.fails = x;
      height_fails_ = height;
    }
  }

  const std::function<double(double)>& f_;
  double target_;
  Turn turn_;
  double height_fails_;
  double height_holds_;
};

}  // namespace

Turn find_turn(const std::function<bool(double)>& condition, double fails, double holds) {
  require_ends(fails, holds);
  if (condition(fails)) throw_bad_bracket(fails, holds, "the condition holds at the first already");
  if (!condition(holds)) throw_bad_bracket(fails, holds, "the condition does not hold at the second");
  Turn turn{fails, holds};
  while (width(turn) > 1) {
    const double x = middle(turn);
    (condition(x) ? turn.holds : turn.fails) = x;
  }
  return turn;
}

Turn find_root(const std::function<double(double)>& f, double target, double fails, double holds) {
  require_ends(fails, holds);
  if (std::isnan(target)) throw Error{Code::bad_number, "the target is NaN", "give a number to reach"};
  Search search(f, target, fails, holds);
  while (!search.is_done()) {
    const std::uint64_t before = width(search.turn());
    search.step(1);
    search.step(2);  // twice the secant usually lands on the far side and closes the bracket
    if (width(search.turn()) > before / 2) search.halve();
  }
  return search.turn();
}

}  // namespace dither
