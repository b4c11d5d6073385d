#include "accounting/mechanism.h"

#include <fmt/format.h>

#include "accounting/detail/fields.h"
#include "accounting/event.h"
#include "accounting/sampler.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

using detail::Presence;

const Rational& greatest() {
  static const Rational value = Rational::parse("1e100");
  return value;
}

// Refuses parameters outside their range. Numbers far from 1 are refused as well: between 1e-100 and 1e100 no product
// that is formed here leaves the doubles.
class Checker {
 public:
  explicit Checker(std::string_view of) : of_(of) {}

  void scale(std::string_view key, const Rational& value, Presence = detail::kRequired) const {
    if (value.sign() <= 0) fail(Code::bad_scale, key, value, "must be above 0", "give a positive number");
    in_doubles(key, value);
  }
  void loss(std::string_view key, const Rational& value, Presence = detail::kRequired) const {
    if (value.sign() < 0) fail(Code::bad_number, key, value, "must not be negative", "give 0 or a positive number");
    if (value.sign() > 0) in_doubles(key, value);
  }
  void probability(std::string_view key, const Rational& value, Presence = detail::kRequired) const {
    if (value.sign() < 0 || value > Rational(1)) {
      fail(Code::bad_probability, key, value, "is not a probability", "give a number between 0 and 1");
    }
  }
  void share(std::string_view key, const Rational& value, Presence = detail::kRequired) const {
    if (value.sign() <= 0 || value >= Rational(1)) {
      fail(Code::bad_probability, key, value, "must lie strictly between 0 and 1", "give e.g. 0.5");
    }
  }
  void number(std::string_view, const Rational&, Presence = detail::kRequired) const {}  // checked with its theorem
  void count(std::string_view key, std::uint64_t value, Presence = detail::kRequired) const {
    if (value == 0) {
      throw Error{Code::bad_count, fmt::format("{} of a {} is 0", key, of_), "give a whole number of at least 1"};
    }
    runs(key, value, detail::kRequired);
  }
  void runs(std::string_view key, std::uint64_t value, Presence) const {
    if (value > kMostTimes) {
      throw Error{Code::bad_count, fmt::format("{} of a {} is {}, more than 10^12", key, of_, value), "give fewer"};
    }
  }
  void numbers(std::string_view key, const std::vector<Rational>& values, Presence = detail::kRequired) const {
    for (const Rational& value : values) loss(key, value);
  }
  template <class E, class Names>
  void word(std::string_view, E, const Names&) const {}
  void flag(std::string_view, bool) const {}
  void mechanism(std::string_view, const Inner& inner) const { require_valid(inner.get()); }
  void parts(std::string_view key, const std::vector<Rational>& weights, const std::vector<Inner>& parts) const {
    Rational total = 0;
    for (const Rational& weight : weights) {
      if (weight.sign() <= 0) fail(Code::bad_weights, key, weight, "is not a weight", "give positive weights");
      total += weight;
    }
    if (weights.size() != parts.size() || total != Rational(1)) {
      throw Error{Code::bad_weights, fmt::format("the weights of a {} sum to {}, not to 1", of_, total.str()),
                  "give each part a weight, together 1"};
    }
    for (const Inner& part : parts) {
      if (std::holds_alternative<Mixture>(part.get().kind)) {
        throw Error{Code::bad_weights, "a mixture has a mixture as a part", "write all parts in one mixture"};
      }
      require_valid(part.get());
    }
  }

 private:
  void in_doubles(std::string_view key, const Rational& value) const {
    if (value > greatest() || value * greatest() < Rational(1)) {
      fail(Code::out_of_range, key, value, "is outside 1e-100 to 1e100", "use another unit");
    }
  }
  [[noreturn]] void fail(Code code, std::string_view key, const Rational& value, std::string_view rule,
                         const std::string& hint) const {
    const std::string shown = value > greatest() ? "above 1e100" : fmt::format("{:.6g}", value.to_double_down());
    throw Error{code, fmt::format("{} of a {} is {} and {}", key, of_, shown, rule), hint};
  }

  std::string_view of_;
};

void require_whole_sensitivity(std::string_view name, const Rational& sensitivity) {
  if (!sensitivity.is_integer()) {
    throw Error{Code::bad_scale, fmt::format("sensitivity of a {} is {}, not a whole number", name, sensitivity.str()),
                "count in steps of the grid, so that values move by whole steps"};
  }
}

void require_more(const DiscreteGaussian& m) { require_whole_sensitivity("discrete-gaussian", m.sensitivity); }
void require_more(const DiscreteLaplace& m) { require_whole_sensitivity("discrete-laplace", m.sensitivity); }

void require_more(const RandomisedResponse& m) {
  if (m.categories < 2) {
    throw Error{Code::bad_count, "randomised response has 1 category", "give at least 2 categories"};
  }
}

void require_more(const Renyi& m) {
  if (m.orders.empty() || m.orders.size() != m.epsilons.size()) {
    throw Error{Code::bad_count,
                fmt::format("a renyi curve has {} orders and {} epsilons", m.orders.size(), m.epsilons.size()),
                "give one epsilon for each order"};
  }
  for (std::size_t i = 0; i < m.orders.size(); ++i) {
    if (m.orders[i] <= Rational(1) || (i > 0 && m.orders[i] <= m.orders[i - 1])) {
      throw Error{Code::bad_number,
                  fmt::format("order {} of a renyi curve is not above the one before, or above 1", i + 1),
                  "give orders above 1, each larger than the one before"};
    }
  }
}

void require_more(const Tuning& m) {
  const bool fixed = m.runs > 0;
  if (fixed == (m.stop.sign() > 0)) {
    throw Error{Code::missing_key, "tuning needs either \"stop\" (a random number of runs) or \"runs\" (a fixed one)",
                "write e.g. `shape: 1, stop: 0.1` or `runs: 10`"};
  }
  if (m.shape <= Rational(-1)) {
    throw Error{Code::bad_number, fmt::format("shape of a tuning is {} and must be above -1", m.shape.str()),
                "write 1 for a geometric number of runs"};
  }
}

template <class M>
void require_more(const M&) {}

}  // namespace

Inner::Inner(const Mechanism& mechanism) : mechanism_(std::make_shared<const Mechanism>(mechanism)) {}

bool Inner::operator==(const Inner& other) const { return *mechanism_ == *other.mechanism_; }

std::string_view mechanism_name(const Mechanism& mechanism) { return detail::kMechanismNames[mechanism.kind.index()]; }

void require_valid(const Mechanism& mechanism) {
  const Checker checker(mechanism_name(mechanism));
  std::visit(
      [&](const auto& m) {
        detail::visit_fields(checker, m);
        require_more(m);
      },
      mechanism.kind);
}

}  // namespace dither::accounting
