#include "cli/statement_price.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/releases.h"

namespace dither::cli {

namespace {

using accounting::EventList;
using accounting::Neighbours;

// What holds for both relations holds for each.
void require_neighbours(Neighbours stated, const ledger::Dataset& dataset) {
  if (stated == dataset.neighbours || stated == Neighbours::both) return;
  throw Error{Code::mixed_neighbours,
              fmt::format("the events are stated for {}, but \"{}\" is protected under {}", neighbours_name(stated),
                          echo(dataset.name), neighbours_name(dataset.neighbours)),
              "state them, with their sensitivity, for the relation of the data set"};
}

void require_unit(const std::string& unit, const ledger::Dataset& dataset) {
  if (unit == dataset.unit.name) return;
  throw Error{Code::mixed_neighbours,
              fmt::format("the events protect a {}, but \"{}\" protects a {}", echo(unit), echo(dataset.name),
                          echo(dataset.unit.name)),
              "state them, with their sensitivity, for the unit of the data set"};
}

EventList list_of(const Given& given, const ledger::Dataset& dataset) {
  if (given.contains("events")) {
    refuse_beside_file(given);
    return accounting::read_events(given.at("events"));
  }
  EventList list{dataset.neighbours, dataset.unit, 1, {}};
  if (given.contains("neighbours")) list.neighbours = read_neighbours(given);
  set_unit(given, list);
  const PlainMechanism& mechanism = *chosen_mechanism(given);
  list.events.push_back(make_event(mechanism, loss_number(mechanism.name, given.at(mechanism.name)), given));
  return list;
}

}  // namespace

std::vector<Option> price_options() {
  std::vector<Option> options = {{"events", "FILE", "what is released, as `dither account` reads it"}};
  for (Option option : event_options()) {
    if (option.name == "neighbours") option.does = "of the event; must be those of the data set";
    if (option.name == "unit") option.does = "of the event; must be that of the data set";
    options.push_back(option);
  }
  return options;
}

std::optional<ledger::Price> read_price(const Given& given, const ledger::Dataset& dataset) {
  if (!given.contains("events") && chosen_mechanism(given) == nullptr) {
    for (const Option& option : event_options()) {
      if (!given.contains(option.name)) continue;
      throw Error{Code::bad_argument, fmt::format("--{} is given without the mechanism it belongs to", option.name),
                  "name the mechanism too, such as --laplace 10"};
    }
    return {};
  }
  const EventList list = list_of(given, dataset);
  require_valid(list);
  require_neighbours(list.neighbours, dataset);
  if (!given.contains("events") || list.unit.name != "record") require_unit(list.unit.name, dataset);
  if (list.group != 1) {
    throw Error{Code::mixed_neighbours, fmt::format("the events protect groups of {}", list.group),
                "a ledger protects one unit: leave the group out"};
  }
  if (list.events.empty()) {
    throw Error{Code::bad_count, "no event is given", "name at least one: what costs nothing needs no charge"};
  }
  return ledger::Price{list.events, {}};
}

}  // namespace dither::cli
