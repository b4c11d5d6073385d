// dither budget charge: books a release that was made elsewhere.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/budget_output.h"
#include "cli/budget_verbs.h"
#include "cli/guarantee_output.h"
#include "cli/input.h"
#include "cli/ledger_options.h"
#include "cli/output.h"
#include "cli/release_output.h"
#include "cli/statement_price.h"
#include "show/show.h"

namespace dither::cli {

namespace {

using ledger::Ledger;
using ledger::StoredAnswer;

const std::array kOptions = {
    Option{"plan", "TEXT", "what makes it this release: the same plan and price again is the same release, paid once"},
    Option{"title", "TEXT", "for people (the plan)"},
    Option{"statistic", "NAME", "what kind of number it is: count, mean"},
    Option{"note", "TEXT", "kept as its answer (booked by hand)"},
    Option{"answer", "FILE", "kept as its answer, bit for bit"},
    Option{"again", "", "another draw of the same plan, paid for anew"},
    Option{"corrects", "ID", "a release that was wrong: this one may draw on the reserve"},
    Option{"defect", "TEXT", "what was wrong with it"},
    Option{"by", "WHO", "who releases (your login name)"},
};

std::string help() {
  return R"(Book a release that was made outside Dither. Reads no data; spends what the events cost, from the budget and all
above it.
Usage:  dither budget charge --ledger FILE BUDGET --plan TEXT (--events FILE | --MECHANISM NUMBER ...) ...
)" + options_help(kOptions) +
         options_help(source_options()) + "What is released, every number exact as written:\n" +
         options_help(price_options()) + options_help(key_options()) + options_help(ledger_options()) +
         R"(Example:  dither budget charge --ledger visits.ledger visits/study --plan "visits per day" --laplace 10
Exit:     0 done   2 mistake in the request   3 refused by policy or budget   4 failed
)";
}

// The reason of a decision is a natural thing to give here too.
void refuse_why(const Words& words) {
  for (const std::string& word : words) {
    if (word != "--why" && !word.starts_with("--why=")) continue;
    throw Error{Code::bad_argument, "--why is given, but a charge is no decision: its budget has the reasons",
                "say what is released with --title, and what for with a budget that is a purpose"};
  }
}

std::string value_or(const Given& given, const std::string& name, const std::string& otherwise) {
  return given.contains(name) ? given.at(name) : otherwise;
}

void require_words(const std::string& name, const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") != std::string::npos) return;
  throw Error{Code::bad_argument, fmt::format("--{} is blank", name),
              "say it in words: it is kept for those who ask later"};
}

ledger::Request read_request(const Given& given, Ledger& ledger) {
  ledger::Request request;
  request.budget = operand(given, "BUDGET");
  ledger.budget(request.budget);  // refuses one that there is not, with the nearest
  const auto price = read_price(given, ledger.dataset(ledger::dataset_of(request.budget)));
  if (!price) {
    throw Error{Code::bad_argument, "nothing is given that was released",
                "name a file of events with --events, or one event such as --laplace 10"};
  }
  request.price = *price;
  request.question = {required(given, "plan", "\"visits per day, 2026\""), "", "booked by hand"};
  require_words("plan", request.question.plan);
  request.statistic = value_or(given, "statistic", "");
  request.title = value_or(given, "title", request.question.plan);
  request.by = read_by(given);
  require_words("by", request.by);
  request.again = given.contains("again");
  if (const std::string source = read_source(given); !source.empty()) request.source = source;
  if (given.contains("corrects") != given.contains("defect")) {
    throw Error{Code::bad_argument, "a correction needs --corrects and --defect",
                "say which release, and what was wrong"};
  }
  if (given.contains("corrects")) request.correction = {full_release_id(given.at("corrects")), given.at("defect")};
  return request;
}

std::string read_answer(const Given& given) {
  if (given.contains("answer") && given.contains("note")) {
    throw Error{Code::bad_argument, "--answer and --note are both given", "give one of them"};
  }
  return given.contains("answer") ? read_bytes(given.at("answer"), "--answer")
                                  : value_or(given, "note", "booked by hand");
}

// Another answer is another draw, and this charge paid for one.
void require_same_answer(const StoredAnswer& stored, const std::string& answer) {
  if (stored.bytes == answer) return;
  throw Error{Code::duplicate_key,
              fmt::format("this plan at this price is release {}, whose answer is another one", stored.release.id),
              "give another draw with --again, which pays for it, or another release another plan; "
              "`dither release show --answer` shows what is kept"};
}

// Whether it was there before, and the release.
std::pair<bool, ledger::Release> book(Ledger& ledger, const ledger::Request& request, const std::string& answer,
                                      bool answer_given) {
  ledger::Held held = ledger.reserve_or_wait(request, std::chrono::seconds(10));
  if (const auto* stored = std::get_if<StoredAnswer>(&held)) {
    if (answer_given) require_same_answer(*stored, answer);
    return {true, stored->release};
  }
  auto& ticket = std::get<ledger::Ticket>(held);
  ticket.open();
  return {false, ticket.commit(answer).release};
}

}  // namespace

void budget_charge(const Words& words) {
  refuse_why(words);
  const auto options = joined({kOptions, source_options(), price_options(), key_options(), ledger_options()});
  const Given given = read_options("budget charge", options, words, "BUDGET");
  if (given.contains("help")) return write_answer("", help());
  const std::string answer_bytes = read_answer(given);
  Ledger ledger = open_to_change(given);
  const ledger::Request request = read_request(given, ledger);
  const auto [before, release] =
      book(ledger, request, answer_bytes, given.contains("answer") || given.contains("note"));
  const BudgetView view = view_of(ledger, request.budget);
  const auto& rule = view.budget.terms.rule;
  const std::string text =
      facts_text({{"release", release.id + (before ? ", booked before: who has paid pays nothing more" : "")},
                  {"cost", spent_text(rule, release.cost)},
                  {"spent", fmt::format("{} of {}", spent_text(rule, view.budget.spent), limit_text(rule))},
                  {"left", left_text(rule, view.budget.spent)}});
  std::vector<std::string> warnings;  // of all that have paid
  for (const ledger::Budget& above : view.line) {
    const auto own = warnings_of({view.dataset, above, {}, view.now});
    warnings.insert(warnings.end(), own.begin(), own.end());
  }
  warn(given, warnings);
  answer(given, text,
         show::json_pretty({{"release", release.id},
                            {"booked_before", before},
                            {"cost", amounts_json(ledger::shown(rule, release.cost))},
                            {"budget", budget_json(view)},
                            {"warnings", warnings}}));
}

}  // namespace dither::cli
