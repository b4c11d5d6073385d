// dither history: what was released, refused and decided.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "cli/ledger_options.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/release_output.h"
#include "cli/verbs.h"
#include "show/show.h"

namespace dither::cli {

namespace {

const std::array kOptions = {
    Option{"budget", "PATH", "only this one and those below it"},
    Option{"refusals", "", "what was refused, and why"},
    Option{"decisions", "", "what stewards decided, and why"},
    Option{"last", "N", "only the last N"},
};

std::string help() {
  return "List releases with what they cost, or refusals, or decisions, oldest first. Reads no data, spends nothing.\n"
         "Usage:  dither history --ledger FILE [--budget PATH] [--refusals | --decisions] [--last N] [--json]\n" +
         options_help(kOptions) + options_help(ledger_options()) +
         R"(Example:  dither history --ledger visits.ledger --last 10
Exit:     0 done   2 mistake in the request   3 refused: a copy, or a ledger that was rolled back   4 failed
)";
}

template <class T>
void keep_last(std::vector<T>& all, std::size_t last) {
  if (all.size() > last) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(last));
}

void answer_list(const Given& given, const std::string& name, const std::vector<std::string>& titles, const Rows& rows,
                 const show::Json& json) {
  const std::string text = rows.empty() ? fmt::format("no {}\n", name) : rows_text(titles, rows);
  answer(given, text, show::json_pretty({{name, json}}));
}

}  // namespace

void history(const Words& words) {
  const Given given = read_options("history", joined({kOptions, ledger_options()}), words);
  if (given.contains("help")) return write_answer("", help());
  const std::size_t last = given.contains("last")
                               ? static_cast<std::size_t>(whole_number("last", given.at("last"), 1, 1'000'000'000))
                               : SIZE_MAX;
  ledger::Ledger ledger = open_to_read(given);
  Events events = events_below(ledger, given.contains("budget") ? given.at("budget") : "");
  show::Json list = show::Json::array();
  if (given.contains("refusals")) {
    keep_last(events.refusals, last);
    for (const ledger::Entry& entry : events.refusals) list.push_back(refusal_json(entry));
    return answer_list(given, "refusals", refusal_titles(), refusal_rows(events.refusals), list);
  }
  if (given.contains("decisions")) {
    keep_last(events.decisions, last);
    for (const ledger::Entry& entry : events.decisions) list.push_back(decision_json(entry));
    return answer_list(given, "decisions", decision_titles(), decision_rows(events.decisions), list);
  }
  const Rules rules = rules_of(ledger);
  keep_last(events.releases, last);
  for (const ledger::Release& release : events.releases) list.push_back(release_json(release, rules));
  answer_list(given, "releases", release_titles(), release_rows(events.releases, rules), list);
}

}  // namespace dither::cli
