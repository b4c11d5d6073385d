// dither budget backup, export, import: a ledger in another place.
#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <streambuf>

#include "base/error.h"
#include "base/text.h"
#include "cli/budget_verbs.h"
#include "cli/guarantee_output.h"
#include "cli/ledger_options.h"
#include "cli/output.h"
#include "cli/patience.h"
#include "ledger/backup.h"
#include "ledger/transfer.h"
#include "show/show.h"

namespace dither::cli {

namespace {

const std::array kTo = {Option{"to", "FILE", "the copy, which must not be there yet"}};
const std::array kOut = {Option{"out", "FILE", "where it goes (standard output)"}};
const std::array kFrom = {Option{"from", "FILE", "what export wrote; - is standard input"}};

// A stream into an Output. What that throws passes through.
class OutputBuffer : public std::streambuf {
 public:
  explicit OutputBuffer(Output& output) : output_(output) {}

 private:
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    output_.write({bytes, static_cast<std::size_t>(count)});
    return count;
  }
  int_type overflow(int_type byte) override {
    const char c = traits_type::to_char_type(byte);
    output_.write({&c, 1});
    return byte;
  }

  Output& output_;
};

std::string what_now(const std::string& path) {
  return fmt::format("{} can be read; to spend from it, take it up with `dither budget restore`\n", printable(path));
}

}  // namespace

void budget_backup(const Words& words) {
  const Given given = read_options("budget backup", joined({kTo, ledger_options()}), words);
  if (given.contains("help")) {
    return write_answer(
        "",
        budget_help(R"(Copy the ledger and its long answers while it is in use. The copy is frozen until it is taken up.
Reads no data, spends nothing.
Usage:  dither budget backup --ledger FILE --to FILE
)",
                    joined({kTo, ledger_options()}), "backup --ledger visits.ledger --to visits-2026-11-15.ledger"));
  }
  const std::string from = existing_ledger(given);
  const std::string to = required(given, "to", "visits-2026-11-15.ledger");
  with_patience("copying", given.contains("json"), [&] { ledger::back_up(from, to); });
  answer(given, what_now(to), show::json_pretty({{"copy", to}}));
}

void budget_export(const Words& words) {
  const Given given = read_options("budget export", joined({kOut, ledger_options()}), words);
  if (given.contains("help")) {
    return write_answer(
        "",
        budget_help(
            R"(Write all records, all stored answers and the signed head as JSON Lines: to keep, for auditors, to move a ledger.
Reads no data, spends nothing.
Usage:  dither budget export --ledger FILE [--out FILE]
)",
            joined({kOut, ledger_options()}), "export --ledger visits.ledger --out visits.jsonl"));
  }
  const std::string from = existing_ledger(given);
  Output output(out_path(given));
  OutputBuffer buffer(output);
  std::ostream stream(&buffer);
  stream.exceptions(std::ios::badbit);  // lets errors of the output through
  with_patience("exporting", given.contains("json"), [&] { ledger::export_file(from, stream); });
  output.finish();
}

void budget_import(const Words& words) {
  const Given given = read_options("budget import", joined({kFrom, ledger_options()}), words);
  if (given.contains("help")) {
    return write_answer(
        "",
        budget_help(
            R"(Make a ledger from what export wrote, after checking every hash, the signature and every answer. It is a copy,
frozen until it is taken up. Reads no data, spends nothing.
Usage:  dither budget import --ledger FILE --from FILE
)",
            joined({kFrom, ledger_options()}), "import --ledger copy.ledger --from visits.jsonl"));
  }
  const std::string to = ledger_path(given);
  const std::string from = required(given, "from", "visits.jsonl");
  std::ifstream file;
  if (from != "-") file.open(from);
  if (!file) {
    throw Error{Code::cannot_read, fmt::format("--from is {}, which cannot be opened", echo(from)),
                "name a file that is there"};
  }
  std::istream& stream = from == "-" ? std::cin : file;
  with_patience("importing", given.contains("json"), [&] { ledger::import_file(stream, to); });
  answer(given, what_now(to), show::json_pretty({{"copy", to}}));
}

}  // namespace dither::cli
