// dither budget: the verbs of the ledger.
#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "cli/budget_verbs.h"
#include "cli/output.h"

namespace dither::cli {

namespace {

struct Verb {
  const char* name;
  const char* does;
  void (*run)(const Words&);
};

constexpr std::array kVerbs = {
    Verb{"show", "what is spent and left; the default", budget_show},
    Verb{"create", "make a data set with its budget, or a budget below one", budget_create},
    Verb{"grant", "add to the limits of a budget", budget_grant},
    Verb{"freeze", "stop all charges to a budget", budget_freeze},
    Verb{"thaw", "let a frozen budget be charged again", budget_thaw},
    Verb{"revoke", "take a budget back for good", budget_revoke},
    Verb{"review", "record a review, and when the next is due", budget_review},
    Verb{"version", "declare a new version of the data", budget_version},
    Verb{"charge", "book a release that was made elsewhere", budget_charge},
    Verb{"statement", "one page for an ethics board", budget_statement},
    Verb{"verify", "check every record, sum and answer", budget_verify},
    Verb{"head", "print the signed head, to be noted elsewhere", budget_head},
    Verb{"anchor", "keep the head in a file on another volume", budget_anchor},
    Verb{"backup", "copy the ledger while it is in use", budget_backup},
    Verb{"restore", "take up a copy, with the last head that is known", budget_restore},
    Verb{"export", "write all records and answers as JSON Lines", budget_export},
    Verb{"import", "make a ledger from an export", budget_import},
    Verb{"reprice", "price all releases again after an accounting error was fixed", budget_reprice},
    Verb{"recover", "end what processes that are gone left reserved or opened", budget_recover},
};

void help() {
  std::string text = R"(Keep a budget: what may be spent, what was, and what came of it, in a ledger that only grows.
Usage:  dither budget [VERB] --ledger FILE [OPTIONS]

)";
  for (const Verb& verb : kVerbs) text += fmt::format("  {:<17}{}\n", verb.name, verb.does);
  text += R"(
  --help           this text; `dither budget VERB --help` for a verb's options

Example:  dither budget create --ledger visits.ledger --dataset visits --unit person --neighbours add-remove \
                 --epsilon 1 --why "agreed by the board on 3 May"
          dither budget --ledger visits.ledger
Exit:     0 done   1 a check found something   2 mistake in request or file   3 refused by policy or budget   4 failed
)";
  write_answer("", text);
}

}  // namespace

void budget(const Words& words) {
  if (!words.empty() && (words[0] == "--help" || words[0] == "-h")) return help();
  if (words.empty() || words[0].starts_with("-")) return budget_show(words);
  for (const Verb& verb : kVerbs) {
    if (words[0] == verb.name) return verb.run({words.begin() + 1, words.end()});
  }
  std::vector<std::string> names;
  for (const Verb& verb : kVerbs) names.emplace_back(verb.name);
  throw Error{
      Code::bad_argument, fmt::format("there is no verb \"budget {}\"", echo(words[0])),
      fmt::format("did you mean `dither budget {}`? `dither budget --help` lists them", nearest(words[0], names))};
}

}  // namespace dither::cli
