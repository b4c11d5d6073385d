#include "ledger/entry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "ledger/detail/json.h"
#include "ledger/outlook.h"

namespace dither::ledger {

namespace {

std::string limits_in_words(const detail::Json& rule) {
  Shown limits = shown_limits(detail::rule_from(rule));
  if (limits.size() > 1 && limits.back() == Shown::value_type("delta", "0")) limits.pop_back();
  return in_words(limits);
}

std::string decided_in(const detail::Json& body) {
  std::vector<std::string> parts;
  if (body.contains("rule")) parts.push_back(limits_in_words(body.at("rule")));
  if (body.contains("more")) parts.push_back(limits_in_words(body.at("more")) + " more");
  if (body.contains("label")) parts.push_back(body.at("label").get<std::string>());
  for (const char* name : {"renews", "expires", "review", "until"}) {
    if (body.contains(name)) parts.push_back(fmt::format("{} {}", name, body.at(name).get<std::string>()));
  }
  if (detail::value_or<bool>(body, "fresh", false)) parts.emplace_back("fresh");
  if (detail::value_or<bool>(body, "gap", false)) parts.emplace_back("records are missing, booked as spent in full");
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

Entry entry_of(const Record& record) {
  return detail::reading([&] {
    const detail::Json body = detail::parse(record.body);
    const auto text = [&](const char* key) { return detail::value_or<std::string>(body, key, ""); };
    const auto first_of = [&](std::initializer_list<const char*> keys) {
      for (const char* key : keys) {
        if (body.contains(key)) return text(key);
      }
      return std::string();
    };
    Entry entry;
    entry.number = record.number;
    entry.at = time_from_text(body.at("at").get<std::string>());
    entry.kind = body.at("kind").get<std::string>();
    // The path of an anchor is that of a file.
    if (entry.kind != "anchored") entry.budget = first_of({"budget", "path", "dataset"});
    entry.by = text("by");
    entry.why = first_of({"why", "reason"});
    entry.evidence = text("evidence");
    if (entry.is_decision()) entry.decided = decided_in(body);
    entry.title = text("title");
    entry.code = text("code");
    return entry;
  });
}

}  // namespace dither::ledger
