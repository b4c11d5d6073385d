#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/text.h"
#include "plan/detail/project_read.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kMark = "FILL_IN";

struct Advice {
  std::string_view place;  // the last keys of the path
  const char* hint;
};
constexpr std::array kAdvice = {
    Advice{"data_version", "write a label for this state of the data, in quotes, such as \"2026-06\""},
    Advice{"privacy.unit", "say in a word whom one unit stands for, such as person"},
    Advice{"privacy.neighbours", "write add-remove, or replace-one where the number of units is public"},
    Advice{"unit", "name the column that says whose a row is, or write `row`; a table about nobody is `public: true`"},
    Advice{"type",
           "write boolean, integer, real, decimal (with a grid), text, date or timestamp; or remove the column"},
    Advice{"epsilon", "say what may be spent in all, such as 1: it is promised to everybody in the data"},
};

struct Unfilled {
  std::string path;
  const Value* value;
};

void find(const Value& value, const std::string& path, std::vector<Unfilled>& found) {
  if (value.kind() == config::Kind::text && value.written() == kMark) found.push_back({path, &value});
  if (value.kind() == config::Kind::map) {
    for (const config::Entry& entry : value.map("")) {
      find(entry.value, path.empty() ? entry.key : path + "." + entry.key, found);
    }
  }
  if (value.kind() == config::Kind::list) {
    for (const Value& item : value.list("")) find(item, path, found);
  }
}

std::string hint_of(std::string_view path) {
  for (const Advice& advice : kAdvice) {
    const bool whole = path == advice.place;
    if (whole || path.ends_with(fmt::format(".{}", advice.place))) return advice.hint;
  }
  return "write what belongs there: docs/project-file.md";
}

}  // namespace

void refuse_fill_in(const Value& file) {
  std::vector<Unfilled> found;
  find(file, "", found);
  if (found.empty()) return;
  const std::string more = found.size() == 1 ? "" : fmt::format(", and so do {} more values", found.size() - 1);
  throw error_at(*found[0].value, Code::missing_key,
                 fmt::format("{} still says {}{}", echo(found[0].path), kMark, more), hint_of(found[0].path));
}

}  // namespace dither::plan::detail
