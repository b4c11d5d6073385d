#include "cli/verify_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/digits.h"
#include "base/text.h"
#include "show/show.h"

namespace dither::cli {

namespace {

using audit::Report;
using audit::Verdict;

constexpr std::size_t kNameWidth = 38;
constexpr std::size_t kColumns = 100;
constexpr std::size_t kLabel = 16;
constexpr std::size_t kMostShown = 500;  // bytes of an input or an event
constexpr std::size_t kShownInPower = 60;

// The beginning of a line's text: as many words, or of a long word as many characters, as fit.
std::size_t fitting_bytes(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  std::size_t word = 0;
  for (std::size_t width = 0; end < text.size(); end += first_character(text.substr(end)).bytes) {
    width += display_width(text.substr(end, first_character(text.substr(end)).bytes));
    if (width > columns) return word > 0 ? word : end;
    if (text[end] == ' ') word = end;
  }
  return text.size();
}

// Laws and stabilities have no epsilon.
bool has_epsilon(const Report& report) { return report.tester != "law" && report.tester != "stability"; }

// Bounds go outward: what is "at least" down, what is "at most" up. What was typed stays as it was.
constexpr int kDigits = 4;
std::string at_least(double value) { return digits_down(value, kDigits); }
std::string at_most(double value) { return typed_or_up(value, kDigits); }

std::string share(double probability) { return fmt::format("{:.0f}%", 100 * probability); }

std::string runs_text(std::int64_t runs) {
  if (runs >= 10'000'000) return fmt::format("{}M", runs / 1'000'000);
  if (runs >= 10'000) return fmt::format("{}k", runs / 1000);
  return std::to_string(runs);
}

std::string fitting(const std::string& text, std::size_t width) {
  const std::string shown = printable(text);
  return display_width(shown) <= width ? shown : echo(shown).substr(0, width - 3) + "...";
}

std::string at_delta(const Report& report) {
  return report.delta == 0 ? "" : fmt::format(" at delta {:.15g}", report.delta);
}

std::string measured(const Report& report) {
  return report.order ? fmt::format("the Renyi divergence of order {}", *report.order) : "epsilon";
}

std::string seen_text(const audit::Witness& w) {
  if (w.runs_first == w.runs_second) {
    return fmt::format("{} and {} times in {} runs of each", w.hits_first, w.hits_second, w.runs_first);
  }
  return fmt::format("{} times in {} runs, and {} times in {} of the other", w.hits_first, w.runs_first, w.hits_second,
                     w.runs_second);
}

void add_witness(const Report& report, Facts& facts) {
  if (!report.witness) return;
  const audit::Witness& w = *report.witness;
  facts.push_back({report.verdict == Verdict::violated ? "witness" : "best event", w.event});
  facts.push_back({has_epsilon(report) ? "likelier input" : "input", w.first});
  facts.push_back({"other input", w.second});
  if (!has_epsilon(report)) return;
  if (w.evidence == audit::Evidence::counts) facts.push_back({"seen", seen_text(w)});
  facts.push_back({"so", fmt::format("{} of at least {} and at most {}",
                                     w.evidence == audit::Evidence::means ? "means" : "probabilities",
                                     at_least(w.least_first), at_most(w.most_second))});
}

// The event stands in the line itself: of leaks that show elsewhere it says nothing.
std::string power_text(const Report& report) {
  std::string numbers = fmt::format("about {} against 1.5 times the claim, {} against twice", share(report.power_1_5),
                                    share(report.power_2));
  if (!report.witness) return numbers;
  return fmt::format("of this event alone ({}): {}", fitting(report.witness->event, kShownInPower), numbers);
}

std::string rarest_text(double probability) {
  return fmt::format(
      "what shows in fewer than about {}% of the outputs of one input, and never of the other, is not seen",
      at_most(100 * probability));
}

Facts facts_of(const Verified& verified) {
  const Report& report = verified.report;
  Facts facts = {{"verdict", std::string(audit::verdict_name(report.verdict))},
                 {"attacked", report.target},
                 {"tester", report.tester}};
  if (has_epsilon(report)) {
    const std::string what = measured(report);
    facts.push_back({"claimed", fmt::format("{} {}{}", what, at_most(report.promised), at_delta(report))});
    facts.push_back(
        {"lower bound", fmt::format("{} is at least {}{}", what, at_least(report.lower_bound), at_delta(report))});
    facts.push_back({"ceiling", fmt::format("so many runs could show {} at most", at_most(report.ceiling))});
    facts.push_back({"power", power_text(report)});
    if (report.rarest) facts.push_back({"rarest", rarest_text(*report.rarest)});
  }
  facts.push_back({"runs", fmt::format("{} of each input", report.runs)});
  facts.push_back({"false alarm", fmt::format("at most {}", at_most(report.false_alarm))});
  if (verified.seed) facts.push_back({"seed", fmt::format("{}; noise is always fresh", *verified.seed)});
  add_witness(report, facts);
  for (const std::string& note : report.notes) facts.push_back({"note", note});
  return facts;
}

std::vector<show::Column> columns() {
  using show::Align;
  return {{"attacked", Align::left}, {"tester", Align::left},    {"claimed", Align::right}, {"at least", Align::right},
          {"ceiling", Align::right}, {"power 2x", Align::right}, {"runs", Align::right},    {"found", Align::left}};
}

std::vector<std::string> cells(const Report& report) {
  const bool epsilon = has_epsilon(report);
  const std::string of_order = report.order ? fmt::format(" (D{})", *report.order) : "";
  const auto if_epsilon = [&](const std::string& text) { return epsilon ? text : std::string("-"); };
  return {fitting(report.target, kNameWidth),
          report.tester,
          if_epsilon(at_most(report.promised)) + of_order,
          if_epsilon(at_least(report.lower_bound)) + of_order,
          if_epsilon(at_most(report.ceiling)) + of_order,
          if_epsilon(share(report.power_2)),
          runs_text(report.runs),
          report.verdict == Verdict::violated ? "VIOLATED" : "-"};
}

// The way to try the same again; all of a list have the same seed.
std::string seed_line(std::span<const Verified> all) {
  if (all.empty() || !all.front().seed) return "";
  return fmt::format("Inputs and events were chosen by --seed {}; noise is always fresh.\n", *all.front().seed);
}

std::string in_full(std::span<const Verified> all, bool planted) {
  std::string text;
  for (const Verified& one : all) {
    if (!as_it_should(one, planted)) text += "\n" + report_text(one);
  }
  return text;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : printable(text)) {
    const std::string_view entity = c == '<'   ? "&lt;"
                                    : c == '>' ? "&gt;"
                                    : c == '&' ? "&amp;"
                                    : c == '"' ? "&quot;"
                                               : "";
    if (entity.empty()) {
      result += c;
    } else {
      result += entity;
    }
  }
  return result;
}

std::string escaped_lines(const std::string& lines) {
  std::string result;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    result += escaped(lines.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return result;
}

show::Json witness_json(const audit::Witness& witness) {
  const bool counted = witness.evidence == audit::Evidence::counts;
  return {{"first", witness.first},
          {"second", witness.second},
          {"event", witness.event},
          {"evidence", std::string(audit::evidence_name(witness.evidence))},
          {"runs_first", show::json_integer(witness.runs_first)},
          {"runs_second", show::json_integer(witness.runs_second)},
          {"hits_first", counted ? show::json_integer(witness.hits_first) : show::Json(nullptr)},
          {"hits_second", counted ? show::json_integer(witness.hits_second) : show::Json(nullptr)},
          {"least_first", show::json_real(witness.least_first)},
          {"most_second", show::json_real(witness.most_second)},
          {"epsilon", std::isnan(witness.epsilon) ? show::Json(nullptr) : show::json_real(witness.epsilon)},
          {"delta", show::json_real(witness.delta)}};
}

}  // namespace

std::string wrapped_facts(const Facts& facts) {
  std::string text;
  for (const auto& [name, fact] : facts) {
    std::string shown = printable(fact);
    if (shown.size() > kMostShown) shown = printable(shown.substr(0, kMostShown)) + " ...";
    std::string label = name;
    for (std::string_view rest = shown; !rest.empty(); label.clear()) {
      const std::size_t bytes = fitting_bytes(rest, kColumns - kLabel);
      text += fmt::format("{:<{}}{}\n", label, kLabel, rest.substr(0, bytes));
      rest.remove_prefix(std::min(rest.size(), bytes + (bytes < rest.size() && rest[bytes] == ' ' ? 1 : 0)));
    }
  }
  return text;
}

bool as_it_should(const Verified& verified, bool planted) {
  const bool violated = verified.report.verdict == Verdict::violated;
  return violated == (planted && verified.expected_violation);
}

std::string report_text(const Verified& verified) { return wrapped_facts(facts_of(verified)); }

std::string reports_table(std::span<const Verified> all) {
  std::vector<std::vector<std::string>> rows;
  double alarm = 0;
  double seconds = 0;
  for (const Verified& one : all) {
    rows.push_back(cells(one.report));
    alarm += one.report.false_alarm;
    seconds += one.report.seconds;
  }
  const auto violated =
      std::count_if(all.begin(), all.end(), [](const Verified& one) { return !as_it_should(one, false); });
  std::string text = show::text_table(columns(), rows) + in_full(all, false);
  text += fmt::format("\n{} attacks in {:.0f} s: ", all.size(), seconds);
  text += violated == 0 ? "no violation found" : fmt::format("{} VIOLATED", violated);
  text += fmt::format(". A system that keeps its promises would be called violated\nwith probability {} at most.",
                      at_most(alarm));
  text += " Power is about the event that was tested, no other.\nTests refute, they never prove; docs/verify.md ";
  return text + "says how to read this.\n" + seed_line(all);
}

std::string planted_table(std::span<const Verified> all) {
  std::vector<std::vector<std::string>> rows;
  for (const Verified& one : all) {
    rows.push_back({fitting(one.report.target, kNameWidth), one.report.tester, at_most(one.report.promised),
                    at_least(one.report.lower_bound), one.expected_violation ? "VIOLATED" : "-",
                    one.report.verdict == Verdict::violated ? "VIOLATED" : "-"});
  }
  using show::Align;
  const std::string table = show::text_table({{"planted", Align::left},
                                              {"tester", Align::left},
                                              {"claimed", Align::right},
                                              {"at least", Align::right},
                                              {"expected", Align::left},
                                              {"found", Align::left}},
                                             rows);
  const auto wrong =
      std::count_if(all.begin(), all.end(), [](const Verified& one) { return !as_it_should(one, true); });
  return table + in_full(all, true) +
         (wrong == 0 ? fmt::format("\n{} planted mechanisms and twins: found as expected\n", all.size())
                     : fmt::format("\n{} of {} planted mechanisms and twins: not as expected\n", wrong, all.size())) +
         seed_line(all);
}

show::Json report_json(const Verified& verified, bool planted) {
  const Report& report = verified.report;
  show::Json document = {{"target", report.target},
                         {"tester", report.tester},
                         {"verdict", std::string(audit::verdict_name(report.verdict))}};
  if (!verified.claim.empty()) document["claim"] = verified.claim;
  if (planted) {
    document["expected"] =
        std::string(audit::verdict_name(verified.expected_violation ? Verdict::violated : Verdict::none_found));
  }
  document["order"] = report.order ? show::json_real(*report.order) : show::Json(nullptr);
  document["promised"] = show::json_real(report.promised);
  document["delta"] = show::json_real(report.delta);
  document["lower_bound"] = show::json_real(report.lower_bound);
  document["ceiling"] = show::json_real(report.ceiling);
  document["power_1_5"] = show::json_real(report.power_1_5);
  document["power_2"] = show::json_real(report.power_2);
  document["power_event"] =
      report.witness && has_epsilon(report) ? show::Json(report.witness->event) : show::Json(nullptr);
  document["rarest"] = report.rarest ? show::json_real(*report.rarest) : show::Json(nullptr);
  document["false_alarm"] = show::json_real(report.false_alarm);
  document["runs"] = show::json_integer(report.runs);
  document["seconds"] = show::json_real(report.seconds);
  document["witness"] = report.witness ? witness_json(*report.witness) : show::Json(nullptr);
  document["notes"] = report.notes;
  return document;
}

std::string reports_json(std::span<const Verified> all, bool planted) {
  show::Json reports = show::Json::array();
  for (const Verified& one : all) reports.push_back(report_json(one, planted));
  const bool found =
      std::any_of(all.begin(), all.end(), [](const Verified& one) { return one.report.verdict == Verdict::violated; });
  const bool expected =
      std::all_of(all.begin(), all.end(), [](const Verified& one) { return as_it_should(one, true); });
  show::Json document = show::Json::object();
  if (planted) {
    document["as_expected"] = expected;
  } else {
    document["verdict"] = std::string(audit::verdict_name(found ? Verdict::violated : Verdict::none_found));
  }
  if (!all.empty() && all.front().seed) document["seed"] = *all.front().seed;
  document["reports"] = std::move(reports);
  return show::json_pretty(document) + '\n';
}

std::string reports_junit(std::span<const Verified> all, bool planted) {
  const auto failures =
      std::count_if(all.begin(), all.end(), [&](const Verified& one) { return !as_it_should(one, planted); });
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"dither verify\" tests=\"{}\" failures=\"{}\">\n",
      all.size(), failures);
  for (const Verified& one : all) {
    text += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n", escaped(one.report.tester),
                        escaped(one.report.target), one.report.seconds);
    const std::string body = escaped_lines(report_text(one));
    const std::string verdict(audit::verdict_name(one.report.verdict));
    const char* tag = as_it_should(one, planted) ? "system-out" : "failure";
    const std::string message = as_it_should(one, planted) ? "" : fmt::format(" message=\"{}\"", verdict);
    text += fmt::format("    <{}{}>{}</{}>\n  </testcase>\n", tag, message, body, tag);
  }
  return text + "</testsuite>\n";
}

}  // namespace dither::cli
