// dither release show: one release, and its answer bit for bit.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/budget_output.h"
#include "cli/guarantee_output.h"
#include "cli/ledger_options.h"
#include "cli/output.h"
#include "cli/release_output.h"
#include "cli/verbs.h"
#include "show/show.h"

namespace dither::cli {

namespace {

const std::array kOptions = {
    Option{"answer", "", "its stored answer and nothing else, bit for bit"},
    Option{"out", "FILE", "where the answer goes (standard output)"},
};

std::string help() {
  return R"(Show a release: what was asked, who paid, what it cost and what came of it; or its answer.
Reads no data, spends nothing.
Usage:  dither release show ID --ledger FILE [--json]
        dither release show ID --ledger FILE --answer [--out FILE]
)" + options_help(kOptions) +
         options_help(ledger_options()) +
         R"(Example:  dither release show 000000000007 --ledger visits.ledger --answer
Exit:     0 done   2 mistake in the request   3 refused: a copy, or a ledger that was rolled back   4 failed
)";
}

std::string text_of(const ledger::Release& release, const Rules& rules) {
  const accounting::FilterRule& rule = rules.at(release.dataset);
  std::vector<std::string> payers;
  for (const ledger::Payer& payer : release.payers) payers.push_back(payer.budget);
  Facts facts = {{"release", release.id},
                 {"state", std::string(state_name(release.state))},
                 {"what", printable(release.title)},
                 {"statistic", printable(release.statistic)},
                 {"by", printable(release.by)},
                 {"budget", printable(release.budget)},
                 {"version", printable(release.version)},
                 {"cost", fmt::format("{} ({})", spent_text(rule, release.cost), rule_name(rule))},
                 {"paid by", printable(fmt::format("{}", fmt::join(payers, ", ")))},
                 {"draw", fmt::format("{}", release.draw)},
                 {"key", release.key.hex()},
                 {"reserved", ledger::time_text(release.reserved)}};
  if (release.cost_before) facts.push_back({"before", "repriced; it was " + spent_text(rule, *release.cost_before)});
  if (release.opened) facts.push_back({"opened", ledger::time_text(*release.opened)});
  if (release.ended) facts.push_back({std::string(state_name(release.state)), ledger::time_text(*release.ended)});
  if (!release.ended_why.empty()) facts.push_back({"why", printable(release.ended_why)});
  if (release.correction) {
    facts.push_back(
        {"corrects", fmt::format("{}: {}", release.correction->release, printable(release.correction->defect))});
  }
  if (release.answer) facts.push_back({"answer", "SHA-256 " + release.answer->hex()});
  std::string text = facts_text(facts);
  for (const accounting::Event& event : release.price.events) text += "  " + accounting::canonical_json(event) + "\n";
  for (const auto& cell : release.price.cells) {
    for (const accounting::Event& event : cell) text += "  one of many: " + accounting::canonical_json(event) + "\n";
  }
  return text;
}

}  // namespace

void release(const Words& words) {
  const bool show = !words.empty() && words[0] == "show";
  if (!show && !words.empty() && !words[0].starts_with("-")) {
    throw Error{Code::bad_argument, fmt::format("there is no verb \"release {}\"", echo(words[0])),
                "did you mean `dither release show`?"};
  }
  const Words rest(words.begin() + (show ? 1 : 0), words.end());
  const Given given = read_options("release show", joined({kOptions, ledger_options()}), rest, "ID");
  if (given.contains("help")) return write_answer("", help());
  const std::string id = full_release_id(operand(given, "ID"));
  if (given.contains("out") && !given.contains("answer")) {
    throw Error{Code::bad_argument, "--out is given without --answer", "write --answer --out FILE"};
  }
  if (given.contains("json") && given.contains("answer")) {
    throw Error{Code::bad_argument, "--json and --answer are both given", "give one of them"};
  }
  ledger::Ledger ledger = open_to_read(given);
  if (given.contains("answer")) {
    return write_answer(out_path(given), ledger.answer(id).bytes);
  }
  const ledger::Release found = ledger.release(id);
  const Rules rules = rules_of(ledger);
  answer(given, text_of(found, rules), show::json_pretty(release_json(found, rules)));
}

}  // namespace dither::cli
