// Measurements whose coins are scripted: every outcome is played, so that the law of the answers is known exactly and
// whatever is claimed of it can be held against it.
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testing/calculus_access.h"
#include "testing/seeded_source.h"
#include "testing/toy_measurements.h"

namespace dither::testing {

// Plays every sequence of outcomes in turn and keeps the exact probability of the one that is played.
class Script {
 public:
  // The outcome of a coin that shows 1 with this probability.
  bool flip(const Rational& one) {
    if (at_ == choices_.size()) choices_.push_back(false);
    const bool outcome = choices_[at_++];
    weight_ *= outcome ? one : Rational(1) - one;
    return outcome;
  }
  const Rational& weight() const { return weight_; }
  void start() {
    at_ = 0;
    weight_ = 1;
  }
  bool next() {  // counts in binary, the last coin first
    while (!choices_.empty() && choices_.back()) choices_.pop_back();
    if (choices_.empty()) return false;
    choices_.back() = true;
    return true;
  }

 private:
  std::vector<bool> choices_;
  std::size_t at_ = 0;
  Rational weight_ = 1;
};

using Law = std::map<std::string, Rational>;  // of answers, spelled out

inline std::string spelled(const calculus::Data& answer) {
  std::string text;
  if (const auto* numbers = std::get_if<calculus::Integers>(&answer)) {
    for (const Int128 one : *numbers) text += to_string(one) + ",";
    return text;
  }
  for (const calculus::Answer& part : calculus::as<calculus::Answers>(answer).parts) text += spelled(part.data) + ";";
  return text;
}

inline Law law_of(const calculus::AnyMeasurement& measurement, const std::shared_ptr<Script>& script,
                  const calculus::Data& data) {
  random::Source source = seeded_source(1);
  Law law;
  do {
    script->start();
    const std::string answer = spelled(measurement.release(calculus::Private(data), source).value());
    law[answer] += script->weight();
  } while (script->next());
  return law;
}

inline double chance_of(const Law& law, const std::string& answer) {
  const auto at = law.find(answer);
  return at == law.end() ? 0 : at->second.to_double_up();
}

// Whether (epsilon, delta) holds from p to q, up to rounding.
inline bool within(const Law& p, const Law& q, const accounting::ApproximateDp& loss) {
  double beyond = 0;
  for (const auto& [answer, mass] : p) {
    beyond += std::max(0.0, mass.to_double_up() - std::exp(loss.epsilon.to_double_up()) * chance_of(q, answer));
  }
  return beyond <= loss.delta.to_double_up() + 1e-12;
}
// Whether rho holds from p to q, at some orders, up to rounding. Both give a chance to the same answers.
inline bool within(const Law& p, const Law& q, const accounting::ConcentratedDp& loss) {
  for (const double order : {1.001, 2.0, 8.0}) {
    double sum = 0;
    for (const auto& [answer, mass] : p) {
      sum += std::pow(mass.to_double_up(), order) * std::pow(chance_of(q, answer), 1 - order);
    }
    if (std::log(sum) / (order - 1) > loss.rho.to_double_up() * order + 1e-9) return false;
  }
  return true;
}
template <class Other>
bool within(const Law&, const Law&, const Other&) {
  return false;  // nothing here knows how to check it
}

// Whether the answers on these data, d apart, are as close as the measurement claims, both ways.
inline bool keeps_its_claim(const calculus::AnyMeasurement& measurement, const std::shared_ptr<Script>& script,
                            const calculus::Data& a, const calculus::Data& b, const calculus::Distance& d) {
  const std::optional<calculus::Distance> apart = calculus::distance(measurement.from(), a, b);
  if (!apart || !calculus::at_most(*apart, d)) return false;
  const Law p = law_of(measurement, script, a), q = law_of(measurement, script, b);
  return std::visit([&](const auto& loss) { return within(p, q, loss) && within(q, p, loss); }, measurement.loss(d));
}

// The same release, with another claim.
inline calculus::AnyMeasurement claiming(const calculus::AnyMeasurement& measurement, const calculus::Loss& loss) {
  calculus::AnyMeasurement::Parts parts = calculus::CombinatorAccess::parts(measurement);
  parts.loss = [loss](const calculus::Distance&) { return loss; };
  return calculus::AnyMeasurement(std::move(parts));
}

// Says 1 with a chance that depends on the table alone, and otherwise 0.
struct Coin {
  std::function<Rational(const calculus::Table&)> chance;
  calculus::Measure measure;
  std::function<calculus::Loss(const Rational& steps)> loss;
  std::function<accounting::Event(const Rational& steps)> event;
};
inline calculus::AnyMeasurement coin_toy(const Coin& coin, const std::shared_ptr<Script>& script) {
  calculus::AnyMeasurement::Parts parts =
      calculus::CombinatorAccess::parts(make_toy({.measure = coin.measure, .loss = coin.loss, .event = coin.event}));
  parts.function = [chance = coin.chance, script](const calculus::Data& data, random::Source&) -> calculus::Data {
    return calculus::Integers{script->flip(chance(calculus::as<calculus::Table>(data))) ? 1 : 0};
  };
  return calculus::AnyMeasurement(std::move(parts));
}

inline const Rational kLog3 = Rational::parse("1.098612288668109692");  // ln 3, rounded up

// Whether the table has a row, by randomised response: the truth with probability 3/4, so epsilon = ln 3 however far apart.
inline calculus::AnyMeasurement response_toy(const std::shared_ptr<Script>& script) {
  return coin_toy({.chance = [](const calculus::Table& table) { return Rational(table.empty() ? 1 : 3, 4); },
                   .measure = calculus::Measure::pure(),
                   .loss = [](const Rational&) { return calculus::pure(kLog3); },
                   .event = [](const Rational&) -> accounting::Event {
                     return {{}, accounting::RandomisedResponse{kLog3}};
                   }},
                  script);
}

}  // namespace dither::testing
