#include "ledger/entry.h"

#include "ledger/detail/json.h"

namespace dither::ledger {

Entry entry_of(const Record& record) {
  return detail::reading([&] {
    const detail::Json body = detail::Json::parse(record.body);
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
    entry.title = text("title");
    entry.code = text("code");
    return entry;
  });
}

}  // namespace dither::ledger
