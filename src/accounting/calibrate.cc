#include "accounting/calibrate.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/error.h"

namespace dither::accounting {
namespace {

constexpr double kWidth = 1e-6;
constexpr double kFar = 1e-2;     // close enough when the target is not near
constexpr double kLeast = 1e-30;  // no noise, epsilon or rate outside these is looked for
constexpr double kMost = 1e30;

// One parameter of one event of a list, as a number to be found.
class Parameter {
 public:
  Parameter(EventList list, std::size_t event, Unknown unknown) : list_(std::move(list)), unknown_(unknown) {
    if (event >= list_.events.size()) {
      throw Error{Code::bad_count, fmt::format("there is no event {}", event + 1), "count events from the first"};
    }
    event_ = event;
    slot_ = find_slot();
  }

  Composition with(const Rational& value) {
    if (unknown_ == Unknown::times) {
      list_.events[event_].times = static_cast<std::uint64_t>(value.floor());
    } else {
      *slot_ = value;
    }
    return Composition(list_);
  }

 private:
  Rational* find_slot() {
    Event& event = list_.events[event_];
    switch (unknown_) {
      case Unknown::times:
        return nullptr;
      case Unknown::rate:
        if (event.sample) {
          if (auto* poisson = std::get_if<Poisson>(&*event.sample)) return &poisson->rate;
        }
        refuse("a Poisson sampling rate");
      case Unknown::noise:
        if (Rational* slot = noise_of(event.mechanism)) return slot;
        refuse("a sigma or scale");
      case Unknown::epsilon:
        break;
    }
    if (Rational* slot = epsilon_of(event.mechanism)) return slot;
    refuse("an epsilon");
  }

  static Rational* noise_of(Mechanism& mechanism) {
    return std::visit(
        [](auto& m) -> Rational* {
          if constexpr (requires { m.sigma; }) {
            return &m.sigma;
          } else if constexpr (requires { m.scale; }) {
            return &m.scale;
          } else {
            return nullptr;
          }
        },
        mechanism.kind);
  }

  static Rational* epsilon_of(Mechanism& mechanism) {
    return std::visit(
        [](auto& m) -> Rational* {
          if constexpr (requires { m.epsilon; }) {
            return &m.epsilon;
          } else {
            return nullptr;
          }
        },
        mechanism.kind);
  }

  [[noreturn]] void refuse(std::string_view what) const {
    throw Error{Code::bad_argument,
                fmt::format("event {}, a {}, does not have {}", event_ + 1,
                            mechanism_name(list_.events[event_].mechanism), what),
                "solve for a parameter that it has"};
  }

  EventList list_;
  std::size_t event_ = 0;
  Unknown unknown_;
  Rational* slot_ = nullptr;
};

// How far delta lies above its target, in logarithms: at most 0 when the target is kept.
double excess(const Composition& composition, const Rational& epsilon, const Rational& delta) {
  if (delta.sign() == 0) {
    return composition.epsilon_at(delta).epsilon.upper <= epsilon.to_double_down() ? -1 : 1;
  }
  const double wanted = delta.to_double_down();
  const auto is_far = [&](const Certified& bound) {
    return bound.upper < wanted / 2 || bound.lower.value_or(0) > 2 * wanted;
  };
  Certified bound = composition.delta_at(epsilon, kFar).delta;
  if (!is_far(bound)) bound = composition.delta_at(epsilon, kWidth).delta;
  const double reached = bound.upper;
  if (reached <= wanted) return reached > 0 ? std::log(reached / wanted) : -700;
  return std::max(std::log(reached / wanted), std::numeric_limits<double>::min());
}

Guarantee reached_by(const Composition& composition, const Rational& epsilon, const Rational& delta) {
  return delta.sign() == 0 ? composition.epsilon_at(delta) : composition.delta_at(epsilon, kWidth);
}

// A number with few digits on the safe side of x, which is positive: above it for noise, else below.
Rational rounded(double x, int digits, bool up) {
  const int exponent = static_cast<int>(std::floor(std::log10(x))) - digits + 1;
  const Rational unit = Rational::parse(fmt::format("1e{}", exponent));
  const Rational steps = Rational::from_double(x) / unit;
  return Rational(up ? steps.ceil() : steps.floor()) * unit;
}

struct Bracket {
  double keeps;  // the target is kept here
  double fails;
  double keeps_excess;
  double fails_excess;
};

using Excess = std::function<double(double)>;

// Steps from 1 by factors that grow until one value keeps the target and another fails it. `safer` is the direction
// in which there is less loss: +1 for noise.
Bracket find_bracket(const Excess& excess_at, int safer, double most) {
  const double start = std::min(1.0, most);
  const double at_start = excess_at(start);
  Bracket bracket{start, start, at_start, at_start};
  const int direction = at_start <= 0 ? -safer : safer;  // towards the turn
  double factor = 4;
  for (double x = start;;) {
    x = direction > 0 ? x * factor : x / factor;
    factor = std::min(factor * 2, 4096.0);
    if (x < kLeast || x > kMost || (x > most && start == most)) break;
    x = std::min(x, most);
    const double here = excess_at(x);
    if (here <= 0) {
      bracket.keeps = x;
      bracket.keeps_excess = here;
    } else {
      bracket.fails = x;
      bracket.fails_excess = here;
    }
    if ((here <= 0) != (at_start <= 0)) return bracket;
    if (x == most) break;
  }
  if (at_start <= 0 && start == most) {  // a rate of 1 keeps the target
    bracket.fails = bracket.keeps;
    return bracket;
  }
  if (at_start <= 0) {
    throw Error{Code::unreachable, "every value between 1e-30 and 1e30 keeps the target",
                "ask about something that is released"};
  }
  throw Error{Code::unreachable, "no value between 1e-30 and 1e30 keeps the target",
              "ask for a larger epsilon or delta, fewer releases, more noise or a lower rate"};
}

// Closes in on the turn in logarithms: false position with the Illinois rule, and a halving when that stalls.
Bracket close_in(const Excess& excess_at, Bracket bracket, double tolerance) {
  double keeps_weight = 1;
  double fails_weight = 1;
  for (int round = 0; round < 100; ++round) {
    const double a = std::log(bracket.keeps);
    const double b = std::log(bracket.fails);
    if (std::abs(a - b) <= tolerance) break;
    const double fa = bracket.keeps_excess * keeps_weight;
    const double fb = bracket.fails_excess * fails_weight;
    double x = round % 8 == 7 || !(fb - fa > 0) ? (a + b) / 2 : a - fa * (b - a) / (fb - fa);
    // A quarter of the tolerance off the ends, so that a hit on the root moves both of them.
    const double margin = std::copysign(tolerance / 4, b - a);
    if (std::abs(x - a) < tolerance / 4) x = a + margin;
    if (std::abs(x - b) < tolerance / 4) x = b - margin;
    const double value = std::exp(x);
    const double here = excess_at(value);
    if (here <= 0) {
      bracket.keeps = value;
      bracket.keeps_excess = here;
      keeps_weight = 1;
      fails_weight /= 2;
    } else {
      bracket.fails = value;
      bracket.fails_excess = here;
      fails_weight = 1;
      keeps_weight /= 2;
    }
  }
  return bracket;
}

Calibrated solve_real(Parameter& parameter, Unknown unknown, const Rational& epsilon, const Rational& delta,
                      int digits) {
  const bool noise = unknown == Unknown::noise;
  const double most = unknown == Unknown::rate ? 1 : kMost;
  const Excess excess_at = [&](double x) { return excess(parameter.with(Rational::from_double(x)), epsilon, delta); };
  Bracket bracket = find_bracket(excess_at, noise ? 1 : -1, most);
  if (bracket.keeps != bracket.fails) bracket = close_in(excess_at, bracket, std::pow(10.0, -digits) / 4);
  // The bold side may be the round number that was meant; then the safe side, one unit further for each time that the
  // question, asked again, is answered with no.
  for (int units = -1; units < 10; ++units) {
    const double nudge = std::max(0, units) * std::pow(10.0, 1 - digits);
    const bool up = units < 0 ? !noise : noise;
    const Rational value = rounded(bracket.keeps * (noise ? 1 + nudge : 1 - nudge), digits, up);
    if (value.sign() == 0 || (unknown == Unknown::rate && value > Rational(1))) continue;
    const Composition composition = parameter.with(value);
    if (excess(composition, epsilon, delta) <= 0) return {value, reached_by(composition, epsilon, delta)};
  }
  throw Error{Code::unreachable, "the target is kept nowhere near the value that was found",
              "ask for a slightly larger epsilon or delta"};
}

Calibrated solve_times(Parameter& parameter, const Rational& epsilon, const Rational& delta) {
  const auto keeps = [&](std::uint64_t times) {
    return excess(parameter.with(Rational(static_cast<Int128>(times))), epsilon, delta) <= 0;
  };
  if (!keeps(1)) {
    throw Error{Code::unreachable, "one release is already more than the target allows",
                "ask for a larger epsilon or delta, or for more noise"};
  }
  std::uint64_t good = 1;
  std::uint64_t bad = 2;
  while (bad < kMostTimes && keeps(bad)) {
    good = bad;
    bad = std::min(bad * 4, kMostTimes);
  }
  if (bad == kMostTimes && keeps(bad)) good = bad;
  while (bad - good > 1 && good < kMostTimes) {
    const std::uint64_t middle = good + (bad - good) / 2;
    (keeps(middle) ? good : bad) = middle;
  }
  const Rational value(static_cast<Int128>(good));
  return {value, reached_by(parameter.with(value), epsilon, delta)};
}

}  // namespace

Calibrated calibrate(EventList list, std::size_t event, Unknown unknown, const Rational& epsilon, const Rational& delta,
                     int digits) {
  if (digits < 1 || digits > 15) {
    throw Error{Code::bad_count, fmt::format("{} significant digits", digits), "give 1 to 15 digits"};
  }
  if (epsilon.sign() <= 0) {
    throw Error{Code::bad_number, "the target epsilon must be above 0", "give e.g. --epsilon 1"};
  }
  Composition({list.neighbours, list.unit, list.group, {}}).epsilon_at(delta);  // refuses what is no delta
  Parameter parameter(std::move(list), event, unknown);
  if (unknown == Unknown::times) return solve_times(parameter, epsilon, delta);
  return solve_real(parameter, unknown, epsilon, delta, digits);
}

}  // namespace dither::accounting
