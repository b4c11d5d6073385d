// dither budget head, anchor, restore, recover, reprice: a ledger's life over years.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/budget_output.h"
#include "cli/budget_verbs.h"
#include "cli/guarantee_output.h"
#include "cli/ledger_options.h"
#include "cli/output.h"
#include "cli/patience.h"
#include "cli/release_output.h"
#include "ledger/sqlite_store.h"
#include "show/show.h"

namespace dither::cli {

namespace {

using ledger::Ledger;

const std::array kAnchor = {Option{"file", "FILE", "on another volume; an absolute path"}};
const std::array kRestore = {
    Option{"head", "TEXT", "the last known head of the original, or a file whose last line it is"}};
const std::array kRecover = {
    Option{"also-unknown", "", "also what processes on other machines hold, who may be alive"}};
const std::array kReprice = {Option{"apply", "", "charge what costs more now; without it nothing changes"}};

}  // namespace

void budget_head(const Words& words) {
  const Given given = read_options("budget head", ledger_options(), words);
  if (given.contains("help")) {
    return write_answer(
        "",
        budget_help(
            R"(Print how far the ledger has come, signed, in one line: note it elsewhere, and a rollback can be shown.
Reads no data, spends nothing.
Usage:  dither budget head --ledger FILE
)",
            joined({ledger_options()}), "head --ledger visits.ledger >> heads.txt"));
  }
  write_answer("", ledger::head_text(open_to_read(given).head()) + "\n");
}

void budget_anchor(const Words& words) {
  const Given given = read_options("budget anchor", joined({kAnchor, decision_options(), ledger_options()}), words);
  if (given.contains("help")) {
    return write_answer(
        "",
        budget_help(
            R"(Keep the head in a file on another volume as well, after every change: a ledger that is behind it is refused.
Reads no data, spends nothing.
Usage:  dither budget anchor --ledger FILE --file FILE --why TEXT ...
)",
            joined({kAnchor, decision_options(), ledger_options()}),
            "anchor --ledger visits.ledger --file /mnt/usb/visits.head --why \"against rollback\""));
  }
  const std::string file = required(given, "file", "/mnt/usb/visits.head");
  if (!file.starts_with("/")) {
    throw Error{Code::bad_argument, fmt::format("--file is {}, which depends on where one stands", echo(file)),
                "write an absolute path"};
  }
  const ledger::Decision decision = read_decision(given);
  Ledger ledger = open_to_change(given);
  const std::uint64_t record = ledger.set_anchor(file, decision);
  answer(given, facts_text({{"anchor", printable(file)}, {"record", fmt::format("{}", record)}}),
         show::json_pretty({{"anchor", file}, {"record", record}}));
}

void budget_restore(const Words& words) {
  const Given given = read_options("budget restore", joined({kRestore, decision_options(), ledger_options()}), words);
  if (given.contains("help")) {
    return write_answer(
        "",
        budget_help(
            R"(Take up a copy of a ledger. What the original did after the copy is not known, so when records are missing up to its
last known head, all budgets are booked as spent in full. Reads no data.
Usage:  dither budget restore --ledger COPY --head TEXT|FILE --why TEXT ...
)",
            joined({kRestore, decision_options(), ledger_options()}),
            "restore --ledger copy.ledger --head visits.ledger.head --why \"the disk failed\""));
  }
  const ledger::SignedHead last = read_head(given);
  const ledger::Decision decision = read_decision(given);
  ledger::LedgerOptions options;
  options.path = existing_ledger(given);
  options.to_restore = true;
  Ledger ledger(std::make_unique<ledger::SqliteStore>(options.path, ledger::Opening::existing),
                ledger::SigningKey::read(key_path(given)), options);
  const ledger::Restored restored = ledger.restore(last, decision);
  const std::string text = restored.gap ? "taken up; records are missing, so every budget is booked as spent in full\n"
                                        : "taken up; no record is missing\n";
  answer(given, text, show::json_pretty({{"gap", restored.gap}, {"records", ledger.head().head.number}}));
}

void budget_recover(const Words& words) {
  const Given given = read_options("budget recover", joined({kRecover, key_options(), ledger_options()}), words);
  if (given.contains("help")) {
    return write_answer(
        "",
        budget_help(
            R"(End what processes that are gone left behind: reservations are given back, opened releases are lost and stay charged.
Opening a ledger to change it does the same; this is for what hangs. Reads no data, spends nothing.
Usage:  dither budget recover --ledger FILE [--also-unknown]
)",
            joined({kRecover, key_options(), ledger_options()}), "recover --ledger visits.ledger"));
  }
  Ledger ledger = open_to_change(given);
  const std::size_t ended = ledger.recover(given.contains("also-unknown"));
  answer(given, fmt::format("{} ended\n", ended), show::json_pretty({{"ended", ended}}));
}

void budget_reprice(const Words& words) {
  const Given given = read_options("budget reprice", joined({kReprice, decision_options(), ledger_options()}), words);
  if (given.contains("help")) {
    return write_answer(
        "",
        budget_help(
            R"(Price all releases again, after an accounting error was fixed: shows what was charged and what it should have been.
With --apply what costs more now is charged more; nothing is given back, nothing is hidden. Reads no data.
Usage:  dither budget reprice --ledger FILE [--apply --why TEXT]
)",
            joined({kReprice, decision_options(), ledger_options()}), "reprice --ledger visits.ledger"));
  }
  const bool apply = given.contains("apply");
  const ledger::Decision decision = apply ? read_decision(given) : ledger::Decision{"nobody", "a trial", ""};
  Ledger ledger = apply ? open_to_change(given) : open_to_read(given);
  std::vector<Ledger::Repriced> found;
  with_patience("pricing", given.contains("json"), [&] { found = ledger.reprice(ledger::kPricing, apply, decision); });
  const Rules rules = rules_of(ledger);
  Rows rows;
  show::Json list = show::Json::array();
  for (const auto& [release, cost] : found) {
    const accounting::FilterRule& rule = rules.at(release.dataset);
    rows.push_back({release.id, release.budget, release.title, spent_text(rule, release.cost), spent_text(rule, cost)});
    list.push_back({{"release", release.id},
                    {"before", amounts_json(ledger::shown(rule, release.cost))},
                    {"now", amounts_json(ledger::shown(rule, cost))}});
  }
  const std::string text = found.empty() ? "every release is priced as it should be\n"
                                         : rows_text({"release", "budget", "what", "charged", "now"}, rows) +
                                               (apply ? "charged\n" : "nothing was changed; --apply charges it\n");
  answer(given, text, show::json_pretty({{"applied", apply}, {"releases", list}}));
}

}  // namespace dither::cli
