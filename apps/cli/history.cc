// dither history: what was released, refused and decided.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
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

// The last ones, as lines for people or as objects for programs; of long histories either takes a while.
template <class T, class Lines, class Object>
void answer_list(const Given& given, const std::string& name, const std::vector<std::string>& titles,
                 std::vector<T> all, std::size_t last, const Lines& lines, const Object& object) {
  if (all.size() > last) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(last));
  if (!given.contains("json")) {
    return write_answer("", all.empty() ? fmt::format("no {}\n", name) : rows_text(titles, lines(all)));
  }
  show::Json list = show::Json::array();
  for (const T& one : all) list.push_back(object(one));
  write_answer("", show::json_pretty({{name, list}}) + "\n");
}

}  // namespace

void history(const Words& words) {
  const Given given = read_options("history", joined({kOptions, ledger_options()}), words);
  if (given.contains("help")) return write_answer("", help());
  if (given.contains("refusals") && given.contains("decisions")) {
    throw Error{Code::bad_argument, "--refusals and --decisions are both given", "give one of them"};
  }
  const std::size_t last = given.contains("last")
                               ? static_cast<std::size_t>(whole_number("last", given.at("last"), 1, 1'000'000'000))
                               : SIZE_MAX;
  ledger::Ledger ledger = open_to_read(given);
  Events events = events_below(ledger, given.contains("budget") ? given.at("budget") : "");
  if (given.contains("refusals")) {
    return answer_list(given, "refusals", refusal_titles(), std::move(events.refusals), last, refusal_rows,
                       refusal_json);
  }
  if (given.contains("decisions")) {
    return answer_list(given, "decisions", decision_titles(), std::move(events.decisions), last, decision_rows,
                       decision_json);
  }
  const Rules rules = rules_of(ledger);
  answer_list(
      given, "releases", release_titles(), std::move(events.releases), last,
      [&](const std::vector<ledger::Release>& all) { return release_rows(all, rules); },
      [&](const ledger::Release& release) { return release_json(release, rules); });
}

}  // namespace dither::cli
