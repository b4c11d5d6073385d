#include "cli/release_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/budget_output.h"
#include "ledger/outlook.h"
#include "show/table.h"

namespace dither::cli {

namespace {

using ledger::Entry;
using ledger::Release;
using ledger::time_text;

bool is_below(const std::string& budget, const std::string& path) {
  return path.empty() || budget == path || budget.starts_with(path + "/");
}

// Also what another budget asked for first, and this one shared.
bool paid_below(const Release& release, const std::string& path) {
  const auto paid = [&](const ledger::Payer& payer) { return is_below(payer.budget, path); };
  return path.empty() || std::any_of(release.payers.begin(), release.payers.end(), paid);
}

show::Json price_json(const ledger::Price& price) {
  const auto list = [](const std::vector<accounting::Event>& events) {
    show::Json array = show::Json::array();
    for (const accounting::Event& event : events) {
      array.push_back(show::Json::parse(accounting::canonical_json(event)));
    }
    return array;
  };
  show::Json json = {{"events", list(price.events)}};
  for (const auto& cell : price.cells) json["cells"].push_back(list(cell));
  return json;
}

}  // namespace

Events events_below(ledger::Ledger& ledger, const std::string& path) {
  if (!path.empty()) ledger.budget(path);  // unknown-budget, with the nearest
  Events events;
  ledger.releases("", [&](const Release& release) {
    if (paid_below(release, path)) events.releases.push_back(release);
    return true;
  });
  ledger.records(1, [&](const ledger::Record& record) {
    const Entry entry = ledger::entry_of(record);
    if (!is_below(entry.budget, path) && !entry.budget.empty()) return true;
    if (entry.kind == "refused") events.refusals.push_back(entry);
    if (entry.is_decision()) events.decisions.push_back(entry);
    return true;
  });
  return events;
}

std::string full_release_id(const std::string& typed) {
  const bool digits = !typed.empty() && typed.size() < 12 && typed.find_first_not_of("0123456789") == std::string::npos;
  return digits ? std::string(12 - typed.size(), '0') + typed : typed;
}

Rules rules_of(ledger::Ledger& ledger) {
  Rules rules;
  for (const ledger::Dataset& dataset : ledger.datasets()) {
    rules.emplace(dataset.name, ledger.budget(dataset.name).terms.rule);
  }
  return rules;
}

const std::vector<std::string>& release_titles() {
  static const std::vector<std::string> titles = {"release", "date", "state", "budget",
                                                  "by",      "what", "cost",  "SHA-256 of the answer"};
  return titles;
}

Rows release_rows(const std::vector<Release>& releases, const Rules& rules) {
  Rows rows;
  for (const Release& release : releases) {
    const accounting::FilterRule& rule = rules.at(release.dataset);
    std::string cost = spent_text(rule, release.cost);
    if (release.cost_before) cost += fmt::format(" (repriced; before: {})", spent_text(rule, *release.cost_before));
    std::string state(state_name(release.state));
    if (release.correction) state += fmt::format(", corrects {}", release.correction->release);
    rows.push_back({release.id, time_text(release.reserved), state, release.budget, release.by, release.title, cost,
                    release.answer ? release.answer->hex().substr(0, 16) : "-"});
  }
  return rows;
}

const std::vector<std::string>& refusal_titles() {
  static const std::vector<std::string> titles = {"record", "date", "refused", "budget", "by", "what", "reason"};
  return titles;
}

Rows refusal_rows(const std::vector<Entry>& refusals) {
  Rows rows;
  for (const Entry& entry : refusals) {
    rows.push_back({fmt::format("{}", entry.number), time_text(entry.at), entry.code, entry.budget, entry.by,
                    entry.title, entry.why});
  }
  return rows;
}

const std::vector<std::string>& decision_titles() {
  static const std::vector<std::string> titles = {"record", "date", "decision", "budget",
                                                  "value",  "by",   "why",      "evidence"};
  return titles;
}

Rows decision_rows(const std::vector<Entry>& decisions) {
  Rows rows;
  for (const Entry& entry : decisions) {
    rows.push_back({fmt::format("{}", entry.number), time_text(entry.at), entry.kind, entry.budget, entry.decided,
                    entry.by, entry.why, entry.evidence});
  }
  return rows;
}

std::string rows_text(const std::vector<std::string>& titles, const Rows& rows) {
  std::vector<show::Column> columns;
  for (const std::string& title : titles) columns.push_back({title, show::Align::left});
  return show::text_table(columns, rows);
}

show::Json release_json(const Release& release, const Rules& rules) {
  const accounting::FilterRule& rule = rules.at(release.dataset);
  show::Json json = {{"release", release.id},
                     {"state", state_name(release.state)},
                     {"budget", release.budget},
                     {"version", release.version},
                     {"key", release.key.hex()},
                     {"draw", release.draw},
                     {"statistic", release.statistic},
                     {"title", release.title},
                     {"by", release.by},
                     {"rule", rule_name(rule)},
                     {"cost", amounts_json(ledger::shown(rule, release.cost))},
                     {"pricing", release.pricing}};
  if (release.cost_before) json["cost_before"] = amounts_json(ledger::shown(rule, *release.cost_before));
  json["payers"] = show::Json::array();
  for (const ledger::Payer& payer : release.payers) json["payers"].push_back(payer.budget);
  if (release.correction) {
    json["corrects"] = {{"release", release.correction->release}, {"defect", release.correction->defect}};
  }
  json["reserved"] = time_text(release.reserved);
  if (release.opened) json["opened"] = time_text(*release.opened);
  if (release.ended) json["ended"] = time_text(*release.ended);
  if (!release.ended_why.empty()) json["ended_why"] = release.ended_why;
  json["answer"] = release.answer ? show::Json(release.answer->hex()) : show::Json();
  json.update(price_json(release.price));
  return json;
}

show::Json refusal_json(const Entry& entry) {
  return {{"record", entry.number}, {"date", time_text(entry.at)}, {"code", entry.code}, {"budget", entry.budget},
          {"by", entry.by},         {"title", entry.title},        {"reason", entry.why}};
}

show::Json decision_json(const Entry& entry) {
  return {{"record", entry.number}, {"date", time_text(entry.at)}, {"decision", entry.kind},
          {"budget", entry.budget}, {"value", entry.decided},      {"by", entry.by},
          {"why", entry.why},       {"evidence", entry.evidence}};
}

}  // namespace dither::cli
