#include "ledger/release.h"

#include <fmt/format.h>

#include <array>

#include "accounting/charge.h"
#include "accounting/parallel.h"
#include "base/error.h"

namespace dither::ledger {
namespace {

using accounting::Event;
using accounting::Neighbours;
using accounting::Spent;

constexpr std::array<std::string_view, 5> kStates = {"reserved", "opened", "committed", "voided", "lost"};

Spent sum_of(const std::vector<Event>& events, const accounting::FilterRule& rule, Neighbours neighbours) {
  Spent sum = accounting::nothing_spent(rule);
  for (const Event& event : events) sum = plus(sum, accounting::price(rule, event, neighbours));
  return sum;
}

void add_part(std::string& text, std::string_view part) { text += fmt::format("{}:{}", part.size(), part); }

std::string text_of(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) add_part(text, canonical_json(event));
  return text;
}

}  // namespace

Spent cost_of(const Price& price, const accounting::FilterRule& rule, Neighbours neighbours) {
  for (const auto& events : price.cells) accounting::require_valid({neighbours, {"record"}, 1, events});
  accounting::require_valid({neighbours, {"record"}, 1, price.events});
  Spent cost = sum_of(price.events, rule, neighbours);
  if (!price.cells.empty()) {
    // A unit that is replaced may leave one cell and enter another: each cell must hold for add-remove as well.
    const Neighbours within = neighbours == Neighbours::add_remove ? neighbours : Neighbours::both;
    std::vector<Spent> cells;
    for (const auto& events : price.cells) cells.push_back(sum_of(events, rule, within));
    cost = plus(cost, accounting::parallel(cells, neighbours));
  }
  const bool has_events = !price.events.empty() || !price.cells.empty();
  if (has_events && cost == accounting::nothing_spent(rule)) {
    throw Error{Code::bad_count, "a charge of nothing", "give the events of the release, each with what it costs"};
  }
  return cost;
}

Digest key_of(std::string_view dataset, const Question& question, const Price& price, std::string_view version) {
  std::string text = "dither key 1 ";
  for (const std::string_view part : {dataset, std::string_view(question.plan), std::string_view(question.declarations),
                                      std::string_view(question.mechanism), version}) {
    add_part(text, part);
  }
  add_part(text, text_of(price.events));
  for (const auto& events : price.cells) add_part(text, text_of(events));
  return sha256(text);
}

std::string_view state_name(State state) { return kStates.at(static_cast<std::size_t>(state)); }

std::string release_id(std::uint64_t number) { return fmt::format("{:012}", number); }

}  // namespace dither::ledger
