#include "accounting/accountant.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "accounting/detail/composed.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

using detail::Composed;
using detail::Found;

struct Named {
  Accountant accountant;
  std::string_view name;
};
constexpr std::array kNames{
    Named{Accountant::basic, "basic"},     Named{Accountant::advanced, "advanced"},
    Named{Accountant::optimal, "optimal"}, Named{Accountant::zcdp, "zcdp"},
    Named{Accountant::renyi, "renyi"},     Named{Accountant::gdp, "gdp"},
    Named{Accountant::fourier, "fourier"}, Named{Accountant::lattice, "lattice"},
};

// The second engine is asked only when the first came no nearer to the wanted width than this factor.
constexpr double kNear = 1000;

const Rational& least_delta() {
  static const Rational value = Rational::parse("1e-300");
  return value;
}

void require_delta(const Rational& delta) {
  if (delta.sign() < 0 || delta > Rational(1)) {
    throw Error{Code::bad_probability, fmt::format("delta is {:.6g}", delta.to_double_down()),
                "give a delta between 0 and 1, far below one over the number of people"};
  }
  if (delta.sign() > 0 && delta < least_delta()) {
    throw Error{Code::below_floor, "delta is positive and below 1e-300, the least that can be certified",
                "ask for a larger delta, or for delta 0 when every event is pure"};
  }
}

void require_epsilon(const Rational& epsilon) {
  if (epsilon.sign() < 0) {
    throw Error{Code::bad_number, fmt::format("epsilon is {:.6g}", epsilon.to_double_down()), "give 0 or more"};
  }
}

void require_width(double width) {
  if (!(width > 0 && width < 1)) {
    throw Error{Code::bad_number, fmt::format("the width is {}", width), "give a width such as 1e-6"};
  }
}

// The best of several certified bounds on one number. Two that do not overlap cannot both be right: then neither is
// used, and only the upper bounds that came before remain.
class Best {
 public:
  void take(const Found& found) {
    if ((found.attained && found.bounds.lower > upper_) || (lower_known_ && found.bounds.upper < lower_)) {
      throw std::logic_error("two certified bounds on one privacy loss do not overlap");
    }
    if (!chosen_ || found.bounds.upper < upper_) {
      upper_ = found.bounds.upper;
      chosen_ = found;
    }
    tight_ = tight_ || found.tight;
    if (found.attained) {
      lower_ = lower_known_ ? std::max(lower_, found.bounds.lower) : found.bounds.lower;
      lower_known_ = true;
    }
  }
  double upper() const { return upper_; }
  // Whether the ends are as close as wanted: by `width`, or by `width` relative to the upper one.
  bool is_tight(double width, bool relative) const {
    return tight_ ||
           (chosen_ && (upper_ == 0 || (lower_known_ && upper_ - lower_ <= (relative ? width * upper_ : width))));
  }
  Found get() const {
    return {chosen_->accountant, {lower_, upper_}, lower_known_ || upper_ == 0, chosen_->theorem, tight_};
  }

 private:
  std::optional<Found> chosen_;
  double upper_ = std::numeric_limits<double>::infinity();
  double lower_ = 0;
  bool lower_known_ = false;
  bool tight_ = false;
};

// Asks an accountant; one that does not apply is passed over.
template <class Ask>
void try_taking(Best& best, const Ask& ask) {
  try {
    best.take(ask());
  } catch (const Error& error) {
    if (error.code() != Code::no_theorem) throw;
  }
}

bool is_closed_form(Accountant accountant) {
  return accountant != Accountant::fourier && accountant != Accountant::lattice;
}

// Tries the accountants from the cheapest to the dearest, as far as the next one may still improve the bound.
template <class Ask>
Found best_of(const Composed& composed, double width, bool relative, const Ask& ask) {
  Best best;
  if (composed.only_gaussian()) return ask(Accountant::gdp);
  if (!composed.has_pairs()) {
    for (const Named& named : kNames) {
      if (is_closed_form(named.accountant)) try_taking(best, [&] { return ask(named.accountant); });
    }
    return best.get();
  }
  try_taking(best, [&] { return ask(Accountant::basic); });
  if (composed.homogeneous()) try_taking(best, [&] { return ask(Accountant::optimal); });
  if (!best.is_tight(width, relative)) {
    const bool lattice_first = composed.prefers_lattice();
    const Accountant first = lattice_first ? Accountant::lattice : Accountant::fourier;
    const Accountant second = lattice_first ? Accountant::fourier : Accountant::lattice;
    try_taking(best, [&] { return ask(first); });
    if (!best.is_tight(kNear * width, relative) && composed.suits_lattice()) {
      try_taking(best, [&] { return ask(second); });
    }
  }
  if (std::isinf(best.upper()) || !composed.attained()) {
    for (const Accountant other : {Accountant::advanced, Accountant::zcdp, Accountant::renyi}) {
      try_taking(best, [&] { return ask(other); });
    }
  }
  return best.get();
}

std::vector<std::string> notes_on(const EventList& list, const Composed& composed) {
  std::vector<std::string> notes{
      "holds for parameters that were fixed before the first answer; choosing them after answers needs a filter",
      "covers the listed events alone: tuning runs, clipping bounds and other choices taken from the data are not in "
      "it"};
  if (!composed.attained()) {
    notes.emplace_back("no lower bound: for some event no pair of neighbours is known that is as bad as its bound");
  }
  for (const Event& event : list.events) {
    if (event.sample) {
      notes.emplace_back("holds for the sampling that is stated; other sampling at the same rate costs something else");
      break;
    }
  }
  for (const Event& event : list.events) {
    if (const auto* run = std::get_if<HiddenState>(&event.mechanism.kind)) {
      notes.push_back(
          fmt::format("covers only records used in the first {} of {} hidden steps; later ones are hidden less",
                      run->position, run->iterations));
      break;
    }
  }
  for (const Event& event : list.events) {
    if (std::holds_alternative<Shuffle>(event.mechanism.kind)) {
      notes.emplace_back("trusts the shuffler to forget who sent which report");
      break;
    }
  }
  return notes;
}

Certified certified(const Found& found) {
  return {found.bounds.upper, found.attained ? std::optional(found.bounds.lower) : std::nullopt, found.theorem};
}

Certified given(const Rational& value) { return {value.to_double_up(), value.to_double_down(), "given"}; }

}  // namespace

struct Composition::Prepared {
  Composed composed;
  std::vector<std::string> notes;
};

std::string_view accountant_name(Accountant accountant) { return kNames[static_cast<std::size_t>(accountant)].name; }

Accountant accountant_from(std::string_view name) {
  for (const Named& named : kNames) {
    if (named.name == name) return named.accountant;
  }
  throw Error{Code::bad_argument, fmt::format("there is no accountant \"{}\"", name),
              "write basic, advanced, optimal, zcdp, renyi, gdp, fourier or lattice"};
}

const std::vector<Accountant>& all_accountants() {
  static const std::vector<Accountant> all = [] {
    std::vector<Accountant> list;
    for (const Named& named : kNames) list.push_back(named.accountant);
    return list;
  }();
  return all;
}

Composition::Composition(EventList list) : list_(std::move(list)) {
  require_valid(list_);
  Composed composed(list_);
  std::vector<std::string> notes = notes_on(list_, composed);
  prepared_ = std::make_shared<Prepared>(Prepared{std::move(composed), std::move(notes)});
}

Guarantee Composition::statement(const Found& found, Certified epsilon, Certified delta) const {
  return {std::move(epsilon), std::move(delta), list_.neighbours, list_.unit,
          list_.group,        found.accountant, found.theorem,    prepared_->composed.shares(found.bounds.upper),
          prepared_->notes};
}

Guarantee Composition::epsilon_at(const Rational& delta, double width) const {
  require_delta(delta);
  require_width(width);
  const Composed& composed = prepared_->composed;
  const Found found = best_of(composed, width, false, [&](Accountant a) { return composed.epsilon(a, delta, width); });
  return statement(found, certified(found), given(delta));
}

Guarantee Composition::delta_at(const Rational& epsilon, double width) const {
  require_epsilon(epsilon);
  require_width(width);
  const Composed& composed = prepared_->composed;
  const Found found = best_of(composed, width, true, [&](Accountant a) { return composed.delta(a, epsilon, width); });
  return statement(found, given(epsilon), certified(found));
}

Guarantee Composition::epsilon_by(Accountant accountant, const Rational& delta, double width) const {
  require_delta(delta);
  require_width(width);
  const Found found = prepared_->composed.epsilon(accountant, delta, width);
  return statement(found, certified(found), given(delta));
}

Guarantee Composition::delta_by(Accountant accountant, const Rational& epsilon, double width) const {
  require_epsilon(epsilon);
  require_width(width);
  const Found found = prepared_->composed.delta(accountant, epsilon, width);
  return statement(found, given(epsilon), certified(found));
}

std::vector<Attempt> Composition::all_epsilons(const Rational& delta, double width) const {
  std::vector<Attempt> attempts;
  for (const Accountant accountant : all_accountants()) {
    try {
      attempts.push_back({accountant, epsilon_by(accountant, delta, width), ""});
    } catch (const Error& error) {
      if (error.code() != Code::no_theorem) throw;
      attempts.push_back({accountant, std::nullopt, error.what()});
    }
  }
  return attempts;
}

}  // namespace dither::accounting
