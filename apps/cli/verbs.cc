#include "cli/verbs.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "cli/output.h"

namespace dither::cli {

namespace {

struct Verb {
  const char* name;
  const char* does;
  void (*run)(const Words&);
};

constexpr std::array kVerbs = {
    Verb{"account", "say what releases cost together", account},
    Verb{"budget", "keep a budget in a ledger: create, show, charge, verify ...", budget},
    Verb{"calibrate", "find the noise, rate or number of releases for a budget", calibrate},
    Verb{"check", "check the project file and what it does to the data", check},
    Verb{"demo", "make a small project and walk through it", demo},
    Verb{"explain", "show what a statement would cost and how exact it would be", explain},
    Verb{"functions", "list what expressions in SQL may call", functions},
    Verb{"history", "list what was released, refused and decided", history},
    Verb{"init", "write the beginning of a project file from sources", init},
    Verb{"mechanisms", "show what mechanisms promise and what tests them", mechanisms},
    Verb{"noise", "draw exact noise from a named law", noise},
    Verb{"query", "answer a statement in SQL, with its error and its price", query},
    Verb{"release", "show a release, or its stored answer bit for bit", release},
    Verb{"tables", "show tables, columns, what is missing, and the budget left", tables},
    Verb{"verify", "attack every claim, and other people's mechanisms", verify},
};

void help() {
  std::string text = R"(Dither: differential privacy, exactly.
Usage:  dither VERB [OPTIONS]

)";
  for (const Verb& verb : kVerbs) text += fmt::format("  {:<17}{}\n", verb.name, verb.does);
  text += R"(
  --help           this text; `dither VERB --help` for a verb's options
  --version        the version

Example:  dither demo
Exit:     0 done   1 a check found something   2 mistake in request or file   3 refused by policy or budget   4 failed
)";
  write_answer("", text);
}

}  // namespace

void run(const Words& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h") return help();
  if (words[0] == "--version") return write_answer("", "dither " DITHER_VERSION "\n");
  for (const Verb& verb : kVerbs) {
    if (words[0] == verb.name) return verb.run({words.begin() + 1, words.end()});
  }
  std::vector<std::string> names;
  for (const Verb& verb : kVerbs) names.emplace_back(verb.name);
  throw Error{Code::bad_argument, fmt::format("there is no verb \"{}\"", echo(words[0])),
              fmt::format("did you mean `dither {}`? `dither --help` lists the verbs", nearest(words[0], names))};
}

}  // namespace dither::cli
