// Guarantees for people and for programs, never an epsilon alone.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "accounting/accountant.h"
#include "base/rational.h"
#include "show/json.h"

namespace dither::cli {

enum class Solved { epsilon, delta };

// What was solved for, and the other number as it was asked: that one is shown exactly.
struct Question {
  Solved solved;
  Rational at;
};

// Names and what there is to say about each, as two columns.
using Facts = std::vector<std::pair<std::string, std::string>>;
std::string facts_text(const Facts& facts);

// A table of facts, after those given: epsilon and delta, one of them with its interval, for whom they hold, and by
// which accountant. Numbers are rounded outward in the last digit shown. With `explain` also the theorem, each event's
// share and the notes.
std::string guarantee_text(const accounting::EventList& list, const accounting::Guarantee& guarantee,
                           const Question& question, bool explain, Facts facts = {});

// The members epsilon, epsilon_lower (null where unknown), delta, and delta_lower when that was solved for,
// neighbours, unit, group, accountant, theorem, events (each with its share), notes. An infinite epsilon is "infinity";
// what was asked is not rounded down.
void add_guarantee(const accounting::EventList& list, const accounting::Guarantee& guarantee, const Question& question,
                   show::Json& document);

// Every accountant with its epsilon, or why it has none.
std::string attempts_text(const std::vector<accounting::Attempt>& attempts);
show::Json attempts_json(const std::vector<accounting::Attempt>& attempts);

// What an attacker can do, at most.
std::string attack_text(const accounting::Attack& attack);
show::Json attack_json(const accounting::Attack& attack);

}  // namespace dither::cli
