// Releases: what was asked, what it cost, who paid, and what came of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounting/event.h"
#include "accounting/filter_rule.h"
#include "accounting/spent.h"
#include "base/digest.h"
#include "ledger/calendar.h"
#include "ledger/owner.h"

namespace dither::ledger {

// What a statement releases, kept for re-pricing: events one after the other, and events about the cells of a
// partition by a function of the unit, of which the most expensive counts (W-22).
struct Price {
  std::vector<accounting::Event> events;
  std::vector<std::vector<accounting::Event>> cells;
  bool operator==(const Price&) const = default;
};

// What it costs under a rule. Without any event that is nothing: a release whose numbers are the same for all neighbours
// is recorded, and draws on no budget.
// Refuses    events that cost nothing (bad-count); what cost() and charge_for() refuse.
accounting::Spent cost_of(const Price& price, const accounting::FilterRule& rule, accounting::Neighbours neighbours);
// Changes when a price may come out different: what releases were priced by.
inline constexpr std::string_view kPricing = "1";

// What makes two requests the same one, in the words or hashes of the caller. Price and version are the ledger's.
struct Question {
  std::string plan;
  std::string declarations;
  std::string mechanism;  // name and version
  bool operator==(const Question&) const = default;
};
// SHA-256 over data set, plan, declarations, price, version label and mechanism, each with its length. The draw number
// is kept beside it: together they are unique.
Digest key_of(std::string_view dataset, const Question& question, const Price& price, std::string_view version);

enum class State { reserved, opened, committed, voided, lost };
std::string_view state_name(State state);

// Who paid, and in which of its periods.
struct Payer {
  std::string budget;
  std::uint64_t epoch = 1;
  std::uint64_t period = 1;
  bool correction = false;  // whether it may have drawn what is set aside for corrections
  bool operator==(const Payer&) const = default;
};

// Another draw of a release that was wrong: it may use what is set aside for corrections (D-79).
struct Correction {
  std::string release;
  std::string defect;
  bool operator==(const Correction&) const = default;
};

struct Release {
  std::string id;  // 12 digits
  State state = State::reserved;
  std::string budget;  // that asked
  std::string dataset;
  std::string version;
  Digest key;
  std::uint64_t draw = 1;
  std::string statistic;
  std::string title;  // for people
  std::string by;
  Price price;
  accounting::Spent cost;
  std::string pricing;
  std::vector<Payer> payers;
  std::optional<Correction> correction;
  Owner owner;
  Time reserved = 0;
  std::optional<Time> opened;
  std::optional<Time> ended;  // committed, voided or lost
  std::string ended_why;
  std::optional<Digest> answer;                  // SHA-256 of its bytes
  bool answer_in_file = false;                   // beside the ledger, named by hash
  std::optional<accounting::Spent> cost_before;  // before it was priced again
};

std::string release_id(std::uint64_t number);

}  // namespace dither::ledger
