#include "cli/claims_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "show/table.h"

namespace dither::cli {

namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kShort = 60;
constexpr std::size_t kLabel = 12;

// The words of a text in lines of at most this many columns; a longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!lines.back().empty() && display_width(lines.back()) + 1 + display_width(word) > columns) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

// The first clause, and of a long one the beginning.
std::string in_short(const std::string& text) {
  const std::string clause = text.substr(0, text.find("; "));
  const std::vector<std::string> lines = wrapped(clause, kShort);
  return lines.size() == 1 ? lines[0] : lines[0] + " ...";
}

std::string labelled(std::string_view label, const std::string& text) {
  return fmt::format("{:<{}}{}\n", label, kLabel,
                     fmt::join(wrapped(text, kColumns - kLabel), fmt::format("\n{:<{}}", "", kLabel)));
}

std::string one_a_line(std::string_view label, const std::vector<std::string>& names) {
  return fmt::format("{:<{}}{}\n", label, kLabel, fmt::join(names, fmt::format("\n{:<{}}", "", kLabel)));
}

// Text that Markdown shows as it stands.
std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (std::string_view("*_<[|").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string markdown(const Claim& claim) {
  return fmt::format(
      "### {}\n\n{}.\n\n- Holds if: {}.\n- Room: `{}`. Specification: {}.\n- Tests: `{}`.\n- Planted bugs they catch: "
      "`{}`.\n\n",
      claim.name, escaped(claim.guarantee), escaped(claim.conditions), claim.room, fmt::join(claim.rows, ", "),
      fmt::join(claim.testers, "`, `"), fmt::join(claim.mutants, "`, `"));
}

struct Section {
  Subject subject;
  const char* title;
  const char* about;
};

constexpr std::array kSections = {
    Section{Subject::measurement, "Measurements",
            "Randomised steps. The guarantee says what inputs at a distance cost: the privacy map."},
    Section{Subject::interactive, "Interactive measurements",
            "Answer questions one after the other, and keep account of what was spent."},
    Section{
        Subject::transformation, "Transformations",
        "Deterministic steps before the noise. The guarantee says how far apart outputs can be: the stability map."},
    Section{Subject::combinator, "Combinators", "Make measurements and transformations out of others."},
    Section{Subject::statement, "Statements",
            "SQL, from the text to the stored answer. A guarantee holds for one unit, at the price that was typed."},
    Section{Subject::sampler, "Samplers", "Exact draws, and where their bits come from. They know no privacy."},
};

}  // namespace

std::string claims_table(std::span<const Claim> claims) {
  std::vector<std::vector<std::string>> rows;
  for (const Claim& claim : claims) {
    rows.push_back({claim.name, std::string(subject_name(claim.subject)), claim.room, in_short(claim.guarantee)});
  }
  using show::Align;
  return show::text_table(
      {{"name", Align::left}, {"kind", Align::left}, {"room", Align::left}, {"guarantee", Align::left}}, rows);
}

std::string claim_text(const Claim& claim) {
  return labelled("name", claim.name) + labelled("kind", std::string(subject_name(claim.subject))) +
         labelled("room", claim.room) + labelled("guarantee", claim.guarantee) +
         labelled("holds if", claim.conditions) + labelled("spec", fmt::format("{}", fmt::join(claim.rows, ", "))) +
         one_a_line("tests", claim.testers) + one_a_line("planted", claim.mutants);
}

show::Json claim_json(const Claim& claim) {
  return {{"name", claim.name},
          {"kind", subject_name(claim.subject)},
          {"room", claim.room},
          {"guarantee", claim.guarantee},
          {"conditions", claim.conditions},
          {"rows", claim.rows},
          {"testers", claim.testers},
          {"mutants", claim.mutants}};
}

std::string claims_markdown(std::span<const Claim> claims) {
  std::string text =
      "# What is proven, and what tests it\n\n"
      "`dither mechanisms --markdown` writes this page; `./dev docs` renews it. Each entry is a promise of the code, "
      "with\n"
      "the tests that would fail if it did not hold, and the planted bugs that show that these tests can fail. Names "
      "are\n"
      "those of recipes; `dither mechanisms NAME` prints one entry. [calculus.md](calculus.md) explains the words.\n\n";
  for (const Section& section : kSections) {
    std::string entries;
    for (const Claim& claim : claims) {
      if (claim.subject == section.subject) entries += markdown(claim);
    }
    if (!entries.empty()) text += fmt::format("## {}\n\n{}\n\n{}", section.title, section.about, entries);
  }
  text.pop_back();
  return text;
}

}  // namespace dither::cli
