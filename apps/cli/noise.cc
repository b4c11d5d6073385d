// dither noise: numbers from a named law.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/laws.h"
#include "cli/output.h"
#include "cli/stop.h"
#include "cli/summary.h"
#include "cli/values.h"
#include "cli/verbs.h"
#include "show/show.h"

namespace dither::cli {

namespace {

constexpr std::int64_t kMostDraws = 1'000'000'000'000;

const std::array kOptions = {
    Option{"law", "LAW", "the law to draw from"},
    Option{"count", "N", "how many numbers to draw, up to 10^12 (1)"},
    Option{"summary", "", "instead of the numbers: mean, variance and tails beside the law's own"},
    Option{"list", "", "the laws and their parameters"},
    Option{"format", "F", "text (a line each), json, or int64 (raw, little-endian; on a grid the number of steps)"},
    Option{"json", "", "the same answer for programs: --format json"},
    Option{"out", "FILE", "write there instead of standard output; the file appears when it is complete"},
    Option{"help", "", "this text"},
};

std::vector<Option> all_options() {
  std::vector<Option> options(kOptions.begin(), kOptions.end());
  options.insert(options.end(), parameter_options().begin(), parameter_options().end());
  return options;
}

std::string help() {
  return "Draw exact noise from a named law. Reads no data, spends nothing: pricing a release is up to you.\n"
         "Usage:  dither noise --law LAW PARAMETERS [--count N] [--summary] [--format F] [--json] [--out FILE]\n"
         "        dither noise --list [--json] [--out FILE]\n" +
         options_help(kOptions) +
         "Parameters, each exact as written (3, -0.125, 1e-6, 2/7); --list says which law takes which:\n" +
         options_help(parameter_options()) + R"(Example:  dither noise --law discrete-laplace --scale 100 --count 3
          dither noise --law normal --scale 2.5 --grid 0.01 --count 1000000 --summary
Exit:     0 done   2 mistake in the request   4 failed
)";
}

Format read_format(const Given& given) {
  const auto at = given.find("format");
  const bool json = given.contains("json");
  if (at == given.end()) return json ? Format::json : Format::text;
  if (at->second == "json") return Format::json;
  if (json)
    throw Error{Code::bad_argument, fmt::format("--json and --format {} are both given", echo(at->second)),
                "leave one out"};
  if (at->second == "text") return Format::text;
  if (at->second == "int64") return Format::int64;
  throw Error{Code::bad_argument, fmt::format("--format is \"{}\", but must be text, json or int64", echo(at->second)),
              fmt::format("did you mean {}?", nearest(at->second, {"text", "json", "int64"}))};
}

void refuse_int64(const char* option, Format format) {
  if (format != Format::int64) return;
  throw Error{Code::bad_argument, fmt::format("{} has no int64 form", option), "write --format text or --format json"};
}

std::uint64_t read_count(const Given& given) {
  const auto at = given.find("count");
  if (at == given.end()) return 1;
  try {
    const Rational count = Rational::parse(at->second);
    if (count.is_integer() && count >= 1 && count <= Rational(kMostDraws))
      return static_cast<std::uint64_t>(count.floor());
  } catch (const Error&) {
    // Told below, with the rule.
  }
  throw Error{Code::bad_count,
              fmt::format("--count is \"{}\", but must be a whole number from 1 to 10^12", echo(at->second)),
              "give the number of draws, such as 1000000"};
}

std::string list(Format format) {
  refuse_int64("--list", format);
  show::Json laws = show::Json::array();
  std::vector<std::vector<std::string>> rows;
  for (const Law& law : all_laws()) {
    laws.push_back({{"law", law.name}, {"parameters", law.parameters}, {"is", law.is}});
    rows.push_back({law.name, fmt::format("--{}", fmt::join(law.parameters, " --")), law.is});
  }
  if (format == Format::json) return show::json_pretty({{"laws", laws}}) + '\n';
  using show::Align;
  return show::text_table({{"law", Align::left}, {"parameters", Align::left}, {"draws", Align::left}}, rows);
}

show::Json describe(const Law& law, const Parameters& parameters, std::uint64_t count) {
  show::Json document = {{"law", law.name}, {"parameters", show::Json::object()}};
  for (const auto& [name, value] : parameters.as_typed()) document["parameters"][name] = value;
  document["count"] = count;
  return document;
}

std::string summary(const show::Json& document, const Draws& draws, std::uint64_t count, Format format,
                    Progress& progress) {
  const Summary answer = summarise(draws, count, progress);
  if (format == Format::text) return summary_text(answer);
  show::Json whole = document;
  add_summary(answer, whole);
  return show::json_pretty(whole) + '\n';
}

void draw(const Given& given, Format format, const std::string& out) {
  if (!given.contains("law")) {
    throw Error{Code::bad_argument, "no law is given", "write --law discrete-laplace, say; --list shows all"};
  }
  const Law& law = find_law(given.at("law"));
  const Parameters parameters(law.name, law.parameters, given);
  const std::uint64_t count = read_count(given);
  if (given.contains("summary")) refuse_int64("--summary", format);
  const Draws draws = make_draws(law, parameters);
  require_fits(draws, format);

  const CancelToken token = cancel_on_signals();
  Output output(out, token);
  show::ProgressBar bar("drawing", show::terminal_of_stderr(output.is_terminal()), stderr);
  Progress progress([&bar](const ProgressReport& report) { bar.show(report); }, token);
  const show::Json document = describe(law, parameters, count);
  if (given.contains("summary")) {
    output.write(summary(document, draws, count, format, progress));
  } else {
    std::string opening = show::json_line(document);
    opening.pop_back();  // its closing brace
    write_values(draws, count, format, opening, output, progress);
  }
  output.finish();
}

}  // namespace

void noise(const Words& words) {
  const std::vector<Option> options = all_options();
  const Given given = read_options("noise", options, words);
  const std::string out = given.contains("out") ? given.at("out") : "";
  if (given.contains("help")) return write_answer("", help());
  const Format format = read_format(given);
  if (!given.contains("list")) return draw(given, format, out);
  for (const auto& [name, value] : given) {
    if (name == "list" || name == "json" || name == "format" || name == "out") continue;
    throw Error{Code::bad_argument, fmt::format("--{} is given with --list, which draws nothing", name),
                "leave one out"};
  }
  write_answer(out, list(format));
}

}  // namespace dither::cli
