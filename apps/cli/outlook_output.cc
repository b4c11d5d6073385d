#include "cli/outlook_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "accounting/charge.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/numbers.h"
#include "cli/patience.h"
#include "cli/releases.h"
#include "cli/statement_price.h"
#include "show/table.h"

namespace dither::cli {

namespace {

using accounting::Spent;
using ledger::FilterValue;
using show::Align;
using Rows = std::vector<std::vector<std::string>>;

constexpr const char* kFilterValue = "filter value: what the rule admits now, for one statement; not what was spent";
constexpr const char* kOdometer =
    "odometer: bounds the loss so far, at whatever moment one stops; not the rule's promise";

// An odometer over sums that were charged. It is tuned to where the budget is used up.
std::optional<accounting::OdometerReading> odometer_of(const accounting::FilterRule& rule, const Spent& sums,
                                                       const std::optional<accounting::DeltaAmount>& slack) {
  using namespace accounting;  // NOLINT: written in the words of the accountant
  if (std::holds_alternative<PureRule>(rule)) return reading(PureOdometer{sums.losses[0]});
  if (!slack) return {};
  if (const auto* zcdp = std::get_if<ZcdpRule>(&rule)) {
    const LossAmount variance = LossAmount::of_steps(2 * zcdp->rho.steps());
    return reading(
        charged(Odometer(variance_up(variance), *slack, zcdp->delta), ZcdpCharge{sums.losses[0], sums.delta}));
  }
  if (const auto* gdp = std::get_if<GdpRule>(&rule)) {
    return reading(charged(Odometer(variance_up(gdp->mu_squared), *slack, {}), GdpCharge{sums.losses[0]}));
  }
  return {};
}

// Of all releases that this budget paid for, about the units of this version. Cells of a partition count one after the
// other, which is too much.
std::vector<accounting::Event> events_of(ledger::Ledger& ledger, const ledger::Budget& budget) {
  std::vector<accounting::Event> events;
  ledger.releases("", [&](const ledger::Release& release) {
    const auto paid = [&](const ledger::Payer& payer) {
      return payer.budget == budget.path && payer.epoch == budget.epoch;
    };
    const bool counts =
        release.state != ledger::State::voided && std::any_of(release.payers.begin(), release.payers.end(), paid);
    if (!counts) return true;
    events.insert(events.end(), release.price.events.begin(), release.price.events.end());
    for (const auto& cell : release.price.cells) events.insert(events.end(), cell.begin(), cell.end());
    return true;
  });
  return events;
}

std::string epsilon_text(const std::optional<FilterValue>& value) {
  if (!value) return "-";
  return value->delta == accounting::DeltaAmount()
             ? value->epsilon.str()
             : fmt::format("{} at delta {}", value->epsilon.str(), value->delta.str());
}

// The odometer of pure budgets is the sum itself, exactly.
std::string odometer_text(const ledger::Budget& budget, const std::optional<accounting::OdometerReading>& odometer) {
  if (!odometer) return "-";
  if (std::holds_alternative<accounting::PureRule>(budget.terms.rule)) return budget.lifetime.losses[0].str();
  const std::string epsilon = digits_up(odometer->epsilon, 10);
  return odometer->delta == accounting::DeltaAmount() ? epsilon
                                                      : fmt::format("{} at delta {}", epsilon, odometer->delta.str());
}

std::string count_text(std::uint64_t count) {
  return count == ledger::kUnlimited ? "no end of them" : fmt::format("{}", count);
}

std::string totals_text(const BudgetView& view, const Outlook& outlook) {
  Rows rows;
  for (const ledger::TotalIfFixed& total : outlook.totals) {
    rows.push_back({std::string(accounting::accountant_name(total.accountant)),
                    total.epsilon ? digits_up(total.epsilon->value, 10) : "-", total.why_not});
  }
  return fmt::format(
             "\nEstimates for {} at delta {}, if all releases had been fixed in advance; they decide nothing:\n",
             printable(view.budget.path), outlook.question.delta->str()) +
         show::text_table(
             {{"accountant", Align::left}, {"epsilon, if fixed in advance", Align::right}, {"why not", Align::left}},
             rows);
}

show::Json filter_json(const std::optional<FilterValue>& value, const BudgetView& view) {
  if (!value) return nullptr;
  return {{"epsilon", value->epsilon.str()},
          {"delta", value->delta.str()},
          {"neighbours", accounting::neighbours_name(view.dataset.neighbours)},
          {"unit", view.dataset.unit.name},
          {"is", kFilterValue}};
}

show::Json number(double value) { return std::isinf(value) ? show::Json("infinity") : show::json_real(value); }

show::Json totals_json(const Outlook& outlook) {
  show::Json all = show::Json::array();
  for (const ledger::TotalIfFixed& total : outlook.totals) {
    show::Json entry = {{"accountant", accounting::accountant_name(total.accountant)}};
    if (total.epsilon) {
      entry["epsilon"] = number(total.epsilon->value);
      entry["delta"] = outlook.question.delta->str();
      entry["method"] = total.epsilon->method;
    } else {
      entry["epsilon"] = nullptr;
      entry["why_not"] = total.why_not;
    }
    all.push_back(entry);
  }
  return all;
}

}  // namespace

OutlookQuestion read_outlook(const Given& given) {
  OutlookQuestion question;
  question.estimate = given.contains("estimate");
  if (given.contains("delta")) {
    const Rational delta = loss_number("delta", given.at("delta"));
    if (delta <= 0 || delta >= 1) {
      throw Error{Code::bad_probability,
                  fmt::format("--delta is {}, but must lie between 0 and 1", echo(given.at("delta"))),
                  "give a small probability such as 1e-6"};
    }
    question.delta = accounting::DeltaAmount::down(delta);
  }
  if (question.estimate && !question.delta) {
    throw Error{Code::bad_argument, "--estimate is given without --delta", "write e.g. --delta 1e-6"};
  }
  return question;
}

Outlook outlook_of(ledger::Ledger& ledger, const BudgetView& view, const OutlookQuestion& question,
                   const Given& given) {
  const std::vector<ledger::Headroom> rooms = ledger::headrooms(view.line);
  Outlook outlook;
  outlook.question = question;
  outlook.laplace = ledger::largest_laplace(rooms);
  if (question.delta) outlook.gaussian = ledger::largest_gaussian(rooms, *question.delta);
  outlook.odometer = odometer_of(view.budget.terms.rule, view.budget.lifetime, question.delta);
  try {
    if (const auto price = read_price(given, view.dataset)) {
      outlook.price = ledger.cost(view.budget.path, *price);
      outlook.fits = ledger::how_many_fit(rooms, *outlook.price);
    }
  } catch (const Error& error) {
    if (error.code() != Code::no_theorem && error.code() != Code::mixed_neighbours) throw;
    outlook.no_price = error;  // another data set may hold it
  }
  if (!question.estimate) return outlook;
  with_patience("estimating", given.contains("json"), [&] {
    outlook.totals = ledger::totals_if_fixed(view.dataset.neighbours, view.dataset.unit, events_of(ledger, view.budget),
                                             question.delta->value());
  });
  return outlook;
}

std::string outlooks_text(const std::vector<BudgetView>& views, const std::vector<Outlook>& outlooks) {
  const bool delta = outlooks.front().question.delta.has_value();
  const bool price = std::any_of(outlooks.begin(), outlooks.end(), [](const Outlook& one) { return one.price; });
  std::vector<show::Column> columns = {{"budget", Align::left}, {"one more Laplace: epsilon", Align::left}};
  if (delta) columns.push_back({"one more Gaussian: epsilon", Align::left});
  columns.push_back({"loss so far: odometer", Align::left});
  if (price) columns.insert(columns.end(), {{"this statement costs", Align::left}, {"of which fit", Align::right}});
  Rows rows;
  std::string totals;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Outlook& outlook = outlooks[i];
    rows.push_back({views[i].budget.path, epsilon_text(outlook.laplace)});
    if (delta) rows.back().push_back(epsilon_text(outlook.gaussian));
    rows.back().push_back(odometer_text(views[i].budget, outlook.odometer));
    if (price) {
      rows.back().push_back(outlook.price ? spent_text(views[i].budget.terms.rule, *outlook.price)
                                          : std::string(code_name(outlook.no_price->code())));
      rows.back().push_back(outlook.price ? count_text(outlook.fits) : "-");
    }
    if (outlook.question.estimate) totals += totals_text(views[i], outlook);
  }
  return show::text_table(columns, rows) +
         "One more statement: a filter value, what the rule admits now; not what was spent, and it does not add up.\n" +
         totals;
}

show::Json outlook_json(const BudgetView& view, const Outlook& outlook) {
  show::Json json = {{"largest_laplace", filter_json(outlook.laplace, view)}};
  if (outlook.question.delta) json["largest_gaussian"] = filter_json(outlook.gaussian, view);
  json["odometer"] = nullptr;
  if (outlook.odometer) {
    json["odometer"] = {{"epsilon", number(outlook.odometer->epsilon)},
                        {"delta", outlook.odometer->delta.str()},
                        {"neighbours", accounting::neighbours_name(view.dataset.neighbours)},
                        {"unit", view.dataset.unit.name},
                        {"is", kOdometer}};
  }
  if (outlook.price) {
    json["price"] = amounts_json(ledger::shown(view.budget.terms.rule, *outlook.price));
    json["fits"] = outlook.fits;
  } else if (outlook.no_price) {
    json["price"] = nullptr;
    json["fits"] = 0;
    json["why_not"] = outlook.no_price->what();
  }
  if (outlook.question.estimate) json["if_fixed_in_advance"] = totals_json(outlook);
  return json;
}

}  // namespace dither::cli
