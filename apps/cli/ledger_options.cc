#include "cli/ledger_options.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/file_fingerprint.h"
#include "base/text.h"
#include "cli/input.h"
#include "cli/output.h"

namespace dither::cli {

namespace {

const std::array kLedger = {
    Option{"ledger", "FILE", "the ledger"},
    Option{"json", "", "the same answer for programs"},
    Option{"help", "", "this text"},
};

const std::array kDecision = {
    Option{"key", "FILE", "the key that signs the ledger (DITHER_KEY, else the one of this installation)"},
    Option{"by", "WHO", "who decides (your login name)"},
    Option{"why", "TEXT", "the reason; kept for those who ask later"},
    Option{"evidence", "TEXT", "where more is found: a file, a link, minutes"},
};

const std::array kSource = {
    Option{"source", "TEXT", "what identifies the data as it is now, such as the id of a table"},
    Option{"source-file", "FILE", "the same from a file's path, size and time; it is not read"},
};

}  // namespace

std::span<const Option> ledger_options() { return kLedger; }
std::span<const Option> key_options() { return std::span(kDecision).first(1); }
std::span<const Option> decision_options() { return kDecision; }
std::span<const Option> source_options() { return kSource; }

std::vector<Option> joined(std::initializer_list<std::span<const Option>> lists) {
  std::vector<Option> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::string budget_help(const std::string& what, const std::vector<Option>& options, const std::string& example) {
  return what + options_help(options) + "Example:  dither budget " + example +
         "\nExit:     0 done   2 mistake in the request   3 refused: a copy, or a ledger that was rolled back   4 "
         "failed\n";
}

std::string required(const Given& given, const std::string& name, const std::string& example) {
  if (const auto found = given.find(name); found != given.end()) return found->second;
  throw Error{Code::bad_argument, fmt::format("--{} is not given", name),
              fmt::format("write e.g. --{} {}", name, example)};
}

std::string ledger_path(const Given& given) { return required(given, "ledger", "visits.ledger"); }

std::string existing_ledger(const Given& given, const std::string& option) {
  std::string path = option == "ledger" ? ledger_path(given) : given.at(option);
  std::error_code error;
  if (path.empty() || std::filesystem::status(path, error).type() != std::filesystem::file_type::not_found) return path;
  throw Error{Code::cannot_read, fmt::format("--{} is {}, and there is no such file", option, echo(path)),
              "name the ledger, or make one with `dither budget create --dataset`"};
}

std::string out_path(const Given& given) {
  if (!given.contains("out")) return "";
  std::string out = given.at("out");
  const std::string ledger = ledger_path(given);
  std::error_code error;
  const auto folder = std::filesystem::path(out).parent_path();
  bool own = std::filesystem::equivalent(folder, ledger::answers_folder_of(ledger), error);
  for (const std::string& part : {ledger, ledger + "-wal", ledger + "-shm", ledger::head_file_of(ledger)}) {
    own = own || out == part || std::filesystem::equivalent(out, part, error);
  }
  if (!own) return out;
  throw Error{Code::bad_argument, fmt::format("--out is {}, which is a part of the ledger", echo(out)),
              "name another file: this one would be lost"};
}

std::string operand(const Given& given, const std::string& name) {
  if (const auto found = given.find(name); found != given.end()) return found->second;
  throw Error{Code::bad_argument, fmt::format("no {} is named", name),
              "write it after the verb; `dither budget show` lists budgets, `dither history` releases"};
}

std::string key_path(const Given& given) {
  return given.contains("key") ? given.at("key") : ledger::default_key_path();
}

ledger::Ledger open_to_read(const Given& given) { return ledger::Ledger::open_to_read(existing_ledger(given)); }

ledger::Ledger open_to_change(const Given& given) {
  const std::string path = existing_ledger(given);
  return ledger::Ledger::open(path, ledger::SigningKey::read(key_path(given)));
}

std::string read_by(const Given& given) {
  if (given.contains("by")) return given.at("by");
  const passwd* entry = getpwuid(geteuid());
  return entry != nullptr ? entry->pw_name : "";
}

ledger::Decision read_decision(const Given& given) {
  if (!given.contains("why")) {
    throw Error{Code::missing_reason, "no reason is given", "write --why \"...\": it is kept for those who ask later"};
  }
  ledger::Decision decision{read_by(given), given.at("why"), given.contains("evidence") ? given.at("evidence") : ""};
  ledger::require_decision(decision);
  return decision;
}

std::string read_source(const Given& given) {
  if (given.contains("source") && given.contains("source-file")) {
    throw Error{Code::bad_argument, "--source and --source-file are both given", "give one of them"};
  }
  if (given.contains("source-file")) return file_fingerprint(given.at("source-file"));
  return given.contains("source") ? given.at("source") : "";
}

namespace {

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

ledger::SignedHead read_head(const Given& given) {
  const std::string head = required(given, "head", "visits.ledger.head");
  if (head.starts_with("{")) return ledger::head_from_text(head);
  const std::string text = read_bytes(head, "--head");
  if (text.starts_with("{")) return ledger::head_from_text(last_line(text));
  return ledger::read_head_file(head).value();
}

ledger::Time read_time(const Given& given, const std::string& name) {
  try {
    return ledger::time_from_text(given.at(name));
  } catch (const Error&) {
    throw Error{Code::bad_argument, fmt::format("--{} is \"{}\", which is no day", name, echo(given.at(name))),
                fmt::format("write e.g. --{} 2027-06-30", name)};
  }
}

void answer(const Given& given, const std::string& text, const std::string& json) {
  write_answer("", given.contains("json") ? json + "\n" : text);
}

void warn(const Given& given, const std::vector<std::string>& warnings) {
  if (given.contains("json")) return;
  for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", printable(warning));
}

}  // namespace dither::cli
