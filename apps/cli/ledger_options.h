// What the verbs of the ledger share: its file, its key, who decides and why.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "ledger/ledger.h"

namespace dither::cli {

// --ledger, --json, --help.
std::span<const Option> ledger_options();
// --key alone, and with it --by, --why and --evidence: what a change needs.
std::span<const Option> key_options();
std::span<const Option> decision_options();

std::vector<Option> joined(std::initializer_list<std::span<const Option>> lists);

// The help of a verb below `dither budget`: what it does and how it is called, its options, an example.
std::string budget_help(const std::string& what, const std::vector<Option>& options, const std::string& example);

// The values of options that must be there; bad-argument, with an example, when they are not.
std::string required(const Given& given, const std::string& name, const std::string& example);
std::string ledger_path(const Given& given);
// The same when it must be there: cannot-read, with how to make one.
std::string existing_ledger(const Given& given, const std::string& option = "ledger");
// --out, or "" for standard output; bad-argument for a file of the ledger itself, which would be replaced.
std::string out_path(const Given& given);
std::string operand(const Given& given, const std::string& name);

// --key, or the installation's own.
std::string key_path(const Given& given);

ledger::Ledger open_to_read(const Given& given);
ledger::Ledger open_to_change(const Given& given);

// Who decides (the login name unless --by says otherwise) and why; missing-reason without --why (D-63).
ledger::Decision read_decision(const Given& given);
std::string read_by(const Given& given);

// The source that --source states or --source-file names; "" when there is none.
std::string read_source(const Given& given);
std::span<const Option> source_options();

// The head of --head: its text, a head file beside a ledger, or a file whose last line it is.
ledger::SignedHead read_head(const Given& given);

// A day, or a time, of an option.
ledger::Time read_time(const Given& given, const std::string& name);

// An answer that has text for people and JSON for programs; `warnings` go to standard error, or into the JSON.
void answer(const Given& given, const std::string& text, const std::string& json);
void warn(const Given& given, const std::vector<std::string>& warnings);

}  // namespace dither::cli
