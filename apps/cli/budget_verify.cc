// dither budget verify: whether the ledger is what was written.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/budget_verbs.h"
#include "cli/guarantee_output.h"
#include "cli/ledger_options.h"
#include "cli/output.h"
#include "cli/stop.h"
#include "ledger/sqlite_store.h"
#include "ledger/verify.h"
#include "show/show.h"

namespace dither::cli {

namespace {

using ledger::Comparison;
using ledger::Finding;

const std::array kOptions = {
    Option{"head", "TEXT", "a head that was noted elsewhere, or a file whose last line it is: shows a rollback"},
    Option{"other", "FILE", "another copy of the ledger: shows which is behind, or where they went different ways"},
    Option{"public-key", "HEX", "that must have signed it; without it the one that the ledger itself names"},
};

std::string help() {
  return R"(Check the whole ledger: the hash of every record, the signature, every sum, every stored answer. Names the first
record that is not as it was written. Reads no data, spends nothing, changes nothing.
Usage:  dither budget verify --ledger FILE [--head TEXT|FILE] [--other FILE] [--public-key HEX]
)" + options_help(kOptions) +
         options_help(ledger_options()) +
         R"(Example:  dither budget verify --ledger visits.ledger --head heads.txt
Exit:     0 all is well   1 something was found   2 mistake in the request   4 failed
)";
}

std::vector<Finding> verified(const std::string& path, const ledger::VerifyOptions& options, bool json) {
  show::ProgressBar bar("verifying, records", show::terminal_of_stderr(json), stderr);
  Progress progress([&](const ProgressReport& report) { bar.show(report); }, cancel_on_signals());
  ledger::VerifyOptions with_bar = options;
  with_bar.progress = &progress;
  return ledger::verify_file(path, with_bar);
}

std::string relation(const Comparison& comparison) {
  switch (comparison.kind) {
    case Comparison::Kind::same:
      return "both copies hold the same records";
    case Comparison::Kind::behind:
      return fmt::format("this ledger lacks {} records of the other copy: it was rolled back, or is older",
                         comparison.records);
    case Comparison::Kind::ahead:
      return fmt::format("the other copy is older, by {} records", comparison.records);
    default:
      return fmt::format("the copies differ from record {} on: both were written to", comparison.fork);
  }
}

// What the other copy shows: behind and forked are findings.
std::string compare_with(const Given& given, std::vector<Finding>& findings) {
  if (!given.contains("other")) return "";
  ledger::SqliteStore own(ledger_path(given), ledger::Opening::read_only);
  ledger::SqliteStore other(existing_ledger(given, "other"), ledger::Opening::read_only);
  const Comparison comparison = ledger::compare(own, other);
  std::string text = relation(comparison);
  if (comparison.kind == Comparison::Kind::behind) findings.push_back({0, text});
  if (comparison.kind == Comparison::Kind::forked) findings.push_back({comparison.fork, text});
  return text;
}

std::string read_public_key(const std::string& text) {
  if (text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos) return text;
  throw Error{Code::bad_argument, fmt::format("--public-key is {}, which is no key", echo(text)),
              "give the 64 hexadecimal digits of `public_key` in the first record"};
}

std::string text_of(const std::vector<Finding>& findings, const std::string& other) {
  if (findings.empty()) return "all is well\n" + (other.empty() ? "" : other + "\n");
  std::string text;
  for (const Finding& finding : findings) {
    const std::string record = fmt::format("record {}", finding.record);
    const bool named = finding.record == 0 || finding.what.find(record) != std::string::npos;
    text += fmt::format("found: {}{}\n", named ? "" : record + ": ", printable(finding.what));
  }
  return text;
}

}  // namespace

void budget_verify(const Words& words) {
  const Given given = read_options("budget verify", joined({kOptions, ledger_options()}), words);
  if (given.contains("help")) return write_answer("", help());
  ledger::VerifyOptions options;
  if (given.contains("head")) options.noted.push_back(read_head(given));
  if (given.contains("public-key")) options.public_key = read_public_key(given.at("public-key"));
  std::vector<Finding> findings = verified(existing_ledger(given), options, given.contains("json"));
  const std::string other = compare_with(given, findings);
  show::Json list = show::Json::array();
  for (const Finding& finding : findings) list.push_back({{"record", finding.record}, {"what", finding.what}});
  show::Json json = {{"ok", findings.empty()}, {"findings", list}};
  if (!other.empty()) json["other"] = other;
  answer(given, text_of(findings, other), show::json_pretty(json));
  if (!findings.empty()) throw FoundSomething{};
}

}  // namespace dither::cli
