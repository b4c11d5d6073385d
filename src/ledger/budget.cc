#include "ledger/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"

namespace dither::ledger {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {"dataset", "project", "analyst", "purpose"};
constexpr std::array<std::string_view, 3> kStandings = {"active", "frozen", "revoked"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_blank(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_blank(c); });
}

void require_characters(std::string_view what, std::string_view text, bool lines) {
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(first_character(rest).bytes)) {
    const Character c = first_character(rest);
    const bool control = c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0);
    if (c.valid && (!control || (lines && (c.code == '\n' || c.code == '\t')))) continue;
    throw Error{Code::bad_name, fmt::format("{} has characters that cannot be kept: \"{}\"", what, echo(text)),
                "use printable UTF-8"};
  }
}

}  // namespace

std::string_view budget_kind_name(BudgetKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

BudgetKind budget_kind_from(std::string_view name) {
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i] == name) return static_cast<BudgetKind>(i);
  }
  throw Error{Code::bad_argument, fmt::format("there is no kind of budget \"{}\"", echo(name)),
              "write project, analyst or purpose"};
}

std::string_view standing_name(Standing standing) { return kStandings.at(static_cast<std::size_t>(standing)); }

std::string parent_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "" : std::string(path.substr(0, slash));
}

std::string dataset_of(std::string_view path) { return std::string(path.substr(0, path.find('/'))); }

std::vector<std::string> lineage(std::string_view path) {
  std::vector<std::string> paths;
  for (std::string at(path); !at.empty(); at = parent_path(at)) paths.push_back(at);
  return paths;
}

void require_name(std::string_view what, std::string_view name) {
  require_characters(what, name, false);
  // Marks of direction, and a space that cannot be seen, would let two names look the same.
  if (printable(name) != name || name.find("\u200b") != std::string_view::npos) {
    throw Error{Code::bad_name, fmt::format("{} has characters that cannot be seen: \"{}\"", what, echo(name)),
                "use letters, digits, blanks and signs"};
  }
  const bool fits = !name.empty() && name.size() <= 100 && name.find('/') == std::string_view::npos &&
                    !is_blank(name.front()) && !is_blank(name.back());
  if (fits) return;
  throw Error{Code::bad_name, fmt::format("{} cannot be \"{}\"", what, echo(name)),
              "use 1 to 100 bytes, without a slash and without blanks at the ends"};
}

void require_text(std::string_view what, std::string_view text) {
  require_characters(what, text, true);
  if (text.size() <= 100'000) return;
  throw Error{Code::bad_name, fmt::format("{} has {} bytes, more than 100000", what, text.size()), "shorten it"};
}

void require_decision(const Decision& decision) {
  for (const auto& [what, text] : {std::pair("who decides", decision.by), std::pair("the reason", decision.why)}) {
    require_text(what, text);
    if (is_blank(text)) {
      throw Error{Code::missing_reason, fmt::format("{} is blank", what),
                  "say who decides and why; both are kept for those who ask later"};
    }
  }
  require_text("the evidence", decision.evidence);
}

std::vector<std::string> vague_phrases(std::string_view purpose) {
  constexpr std::array<std::string_view, 12> kVague = {
      "improve services",  "improve our services", "improve the service", "personalisation", "personalization",
      "research purposes", "business purposes",    "analytics",           "general use",     "various",
      "as needed",         "any purpose"};
  std::string lower(purpose);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? c + 32 : c; });
  std::vector<std::string> found;
  for (const std::string_view phrase : kVague) {
    if (lower.find(phrase) != std::string::npos) found.emplace_back(phrase);
  }
  return found;
}

}  // namespace dither::ledger
