// dither verify: attacks on every claim, ours and other people's.
#include "cli/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <future>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/stop.h"
#include "cli/verbs.h"
#include "cli/verify_attack.h"
#include "cli/verify_output.h"
#include "show/progress_bar.h"

namespace dither::cli {

namespace {

const std::array kOptions = {
    Option{"quick", "", "under a minute for all claims (this is what happens anyway)"},
    Option{"full", "", "under an hour: finds leaks that are smaller"},
    Option{"planted", "", "attack mechanisms that are known to be wrong, and their right twins"},
    Option{"timing", "", "measure how long answers and noise take; numbers, no verdict"},
    Option{"seed", "N", "repeat what an earlier run chose: inputs, events, rows; noise is always fresh"},
    Option{"json", "", "the same answer for programs"},
    Option{"junit", "FILE", "also write the results as XML for build servers"},
    Option{"write-channel", "FILE", "of NAME, an attack called exact: write its probabilities, and attack nothing"},
    Option{"help", "", "this text"},
};

const std::array kOthers = {
    Option{"outputs", "A B", "test two CSV files: outputs of two neighbouring inputs, one row for each run"},
    Option{"command", "PROGRAM",
           "test a program: it reads batches of JSON lines, and answers in lines (docs/verify.md)"},
    Option{"channel", "FILE", "examine a finite mechanism: the probability of each output on each input, in JSON"},
    Option{"claim", "C", "what is claimed: 1.0, eps=1,delta=1e-6, rho=0.5, mu=1, or a file with a curve"},
    Option{"inputs", "FILE", "neighbouring inputs for the program: a JSON list of two on each line"},
    Option{"length", "K", "or vectors of K answers, in patterns that leaks were found with and at random"},
    Option{"adjacent", "HOW", "of such vectors: one (a record moves one answer by up to 1) or all (each of them)"},
    Option{"tester", "NAME", "this one, or all (likelihood)"},
    Option{"runs", "N", "of each input in the test of a program (100000; with --full 2000000)"},
    Option{"seconds", "S", "that a program may take (60; with --full 3600), and half as many more where a run is lost"},
    Option{"patience", "S", "until a program that does not answer counts as hung (10)"},
    Option{"false-alarm", "P", "how often a mechanism that keeps its claim may be called violated (0.001)"},
};

const std::array kAttacks = {
    Option{"errors", "FP/N FN/N", "counts: without the record but taken for with, then with it but taken for without"},
    Option{"guesses", "R/G", "one run with many canaries: R of G guesses of who is in were right"},
    Option{"canaries", "M", "how many there were, each in or out by a coin of its own"},
    Option{"scores", "IN OUT", "two files of scores, one a row: of runs with the record, and of runs without"},
    Option{"threshold", "HOW", "for scores: split, median, band, or numbers fixed before the runs: 0.5,0.8 (split)"},
    Option{"delta", "D", "at which epsilon is asked for (that of the claim, or 0)"},
};

std::vector<Option> all_options() {
  std::vector<Option> options(kOptions.begin(), kOptions.end());
  options.insert(options.end(), kAttacks.begin(), kAttacks.end());
  options.insert(options.end(), kOthers.begin(), kOthers.end());
  return options;
}

std::string help() {
  return "Attack claims of differential privacy, and say what was found. Reads no data of yours, spends nothing.\n"
         "Usage:  dither verify [NAME] [--quick | --full] [--json] [--junit FILE]     all claims of Dither, or one\n"
         "        dither verify --planted [--full] ...                                mechanisms that are known to "
         "leak\n"
         "        dither verify --outputs A B --claim C ...                           outputs that somebody recorded\n"
         "        dither verify --command PROGRAM --claim C (--inputs FILE | --length K --adjacent HOW) ...\n"
         "        dither verify --channel FILE --claim C [--json]                     all its probabilities, exactly\n"
         "        dither verify --errors FP/N0 FN/N1 [--claim C] [--delta D] ...      errors of an attack, and so on\n"
         "        dither verify --guesses RIGHT/GUESSED --canaries M [--claim C] [--delta D] ...\n"
         "        dither verify --scores IN OUT [--claim C] [--delta D] [--threshold HOW] ...\n"
         "        dither verify --timing\n" +
         options_help(kOptions) + "Other people's mechanisms:\n" + options_help(kOthers) +
         "Other people's attacks, with --claim, --false-alarm and --seed as above:\n" + options_help(kAttacks) +
         R"(A test refutes, it never proves: "no violation found" comes with what it could have found.
Example:  dither verify --quick
          dither verify --outputs a.csv b.csv --claim 1.0
          dither verify --command "python3 mechanism.py" --claim 1.0 --inputs pairs.jsonl
          dither verify --errors 50/1000 700/1000 --claim 1.0
Exit:     0 no violation found   1 VIOLATED   2 mistake in request, file or program   4 failed
)";
}

// What is asked for; the ways exclude each other.
enum class Way { claims, planted, outputs, command, timing, errors, guesses, scores, channel, write_channel };
// Way but for the first, in its order.
constexpr std::array kWays = {"planted", "outputs", "command", "timing",       "errors",
                              "guesses", "scores",  "channel", "write-channel"};

// Nothing is run, so nothing has a seed, a false alarm or a build server's report.
bool is_channel(Way way) { return way == Way::channel || way == Way::write_channel; }

bool is_attack(Way way) { return way == Way::errors || way == Way::guesses || way == Way::scores; }

Way read_way(const Given& given) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < kWays.size(); ++i) {
    if (!given.contains(kWays[i])) continue;
    if (found) {
      throw Error{Code::bad_argument, fmt::format("--{} and --{} are both given", kWays[*found], kWays[i]), "give one"};
    }
    found = i;
  }
  return found ? static_cast<Way>(*found + 1) : Way::claims;
}

[[noreturn]] void refuse_beside(const std::string& name, const std::string& hint) {
  throw Error{Code::bad_argument, fmt::format("{} does not belong to what is asked for", name), hint};
}

bool is_for_attacks(const std::string& name) { return name == "claim" || name == "false-alarm"; }

const char* hint_for(const std::string& other) {
  if (other == "claim") return "give it with --outputs, --command, --channel, --errors, --guesses or --scores";
  if (other == "false-alarm") return "give it with --outputs, --command, --errors, --guesses or --scores";
  return "give it with --outputs or --command";
}

void refuse_unread_of_attacks(const Given& given, Way way) {
  const auto only_with = [&](const char* name, bool fits, const char* hint) {
    if (given.contains(name) && !fits) refuse_beside(fmt::format("--{}", name), hint);
  };
  only_with("canaries", way == Way::guesses, "give it with --guesses");
  only_with("threshold", way == Way::scores, "give it with --scores");
  only_with("delta", is_attack(way), "give it with --errors, --guesses or --scores, or in the claim: eps=1,delta=1e-6");
  only_with("seed", way != Way::errors && way != Way::guesses && way != Way::timing && !is_channel(way),
            "nothing is chosen here");
  for (const char* name : {"quick", "full", "junit"}) {
    only_with(name, !is_attack(way), "nothing is run here: errors, guesses and scores are those of your attack");
    only_with(name, !is_channel(way), "nothing is run here: all probabilities are looked at");
  }
  only_with("json", way != Way::write_channel, "a channel is JSON anyway");
}

// Options that this way does not read are mistakes, not decoration.
void refuse_unread(const Given& given, Way way) {
  refuse_unread_of_attacks(given, way);
  const bool other = way == Way::outputs || way == Way::command;
  for (const Option& option : kOthers) {
    if (!given.contains(option.name) || other || (is_attack(way) && is_for_attacks(option.name))) continue;
    if (way == Way::channel && (option.name == "channel" || option.name == "claim")) continue;
    refuse_beside("--" + option.name, hint_for(option.name));
  }
  for (const char* name : {"inputs", "length", "adjacent", "runs", "seconds", "patience", "quick", "full"}) {
    if (way == Way::outputs && given.contains(name)) refuse_beside(fmt::format("--{}", name), "give it with --command");
  }
  if (given.contains("quick") && given.contains("full")) {
    throw Error{Code::bad_argument, "--quick and --full are both given", "give one"};
  }
  const bool takes_name = way == Way::claims || way == Way::outputs || way == Way::errors || way == Way::scores ||
                          way == Way::write_channel;
  if (given.contains("NAME") && !takes_name) {
    refuse_beside('"' + echo(given.at("NAME")) + '"', "name a claim without this option, or leave the name out");
  }
  if (way == Way::timing && given.contains("junit")) refuse_beside("--junit", "timing gives numbers, and no verdict");
}

// Does the work on a second thread and draws a bar on this one.
template <class Result>
Result with_bar(bool for_program, const std::function<Result(const Step&)>& work) {
  show::ProgressBar bar("attacks", show::terminal_of_stderr(for_program), stderr);
  std::atomic<std::size_t> done = 0;
  std::atomic<std::size_t> all = 0;
  const auto start = Progress::Clock::now();
  std::future<Result> result = std::async(std::launch::async, [&] {
    return work([&](std::size_t now, std::size_t total) {
      done = now;
      all = total;
    });
  });
  while (result.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
    bar.show({done, all, Progress::Clock::now() - start});
  }
  bar.erase();
  return result.get();
}

std::vector<Verified> verified(const Given& given, Way way, const CancelToken& token, const Step& step) {
  if (way == Way::planted) return verify_planted(given, token, step);
  if (way == Way::outputs) return verify_outputs(given, token);
  if (way == Way::command) return verify_command(given, token);
  return verify_claims(given, token, step);
}

std::string text_of(const std::vector<Verified>& results, Way way) {
  if (way == Way::planted) return planted_table(results);
  if (way == Way::claims && results.size() > 1) return reports_table(results);
  std::string text;
  for (const Verified& one : results) text += (text.empty() ? "" : "\n") + report_text(one);
  return text;
}

AttackAnswer attack(const Given& given, Way way) {
  if (way == Way::channel) return verify_channel(given);
  if (way == Way::errors) return verify_errors(given);
  return way == Way::guesses ? verify_guesses(given) : verify_scores(given);
}

}  // namespace

void verify(const Words& words) {
  const Given given = read_options("verify", all_options(), words, "NAME");
  if (given.contains("help")) return write_answer("", help());
  const Way way = read_way(given);
  refuse_unread(given, way);
  if (way == Way::write_channel) return write_channel(given);
  if (is_attack(way) || way == Way::channel) {
    const AttackAnswer answer = attack(given, way);
    write_answer("", answer.text);
    if (answer.violated) throw FoundSomething{};
    return;
  }
  const bool json = given.contains("json");
  const bool planted = way == Way::planted;
  const CancelledBySignals signals;
  if (way == Way::timing) {
    const auto measure = [&](const Step& step) { return verify_timing(given, signals.token(), step); };
    return write_answer("", with_bar<std::string>(json, measure));
  }
  std::optional<Output> junit;  // a file that cannot be written is known before the work
  if (given.contains("junit")) junit.emplace(given.at("junit"), signals.token(), "--junit");
  const auto work = [&](const Step& step) { return verified(given, way, signals.token(), step); };
  const std::vector<Verified> results = with_bar<std::vector<Verified>>(json, work);
  write_answer("", json ? reports_json(results, planted) : text_of(results, way));
  if (junit) {
    junit->write(reports_junit(results, planted));
    junit->finish();
  }
  const auto good = [&](const Verified& one) { return as_it_should(one, planted); };
  if (!std::all_of(results.begin(), results.end(), good)) throw FoundSomething{};
}

}  // namespace dither::cli
