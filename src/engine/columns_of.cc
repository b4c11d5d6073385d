// What a source calls its columns, and what they look like.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "engine/detail/csv.h"
#include "engine/detail/json.h"
#include "engine/detail/native.h"
#include "engine/detail/source_files.h"
#include "engine/detail/source_sql.h"
#include "engine/detail/spill_folder.h"
#include "engine/survey.h"
#include "plan/relation_sql.h"

namespace dither::engine {
namespace {

using plan::SourceKind;
using plan::Type;

constexpr std::size_t kGuessedFrom = 1000;   // records of CSV
constexpr std::size_t kNamesFrom = 100'000;  // of JSON, whose records need not all have the same names

bool reads_as(Type type, std::string_view text) {
  const Cell cell{std::string(text)};
  return evaluate(*plan::read_as(Type::text, type), std::span(&cell, 1)) != Cell{};
}

// Types that are left while texts are looked at, the likeliest first.
struct Guess {
  std::vector<Type> left = {Type::integer, Type::real, Type::date, Type::timestamp, Type::boolean, Type::text};
  bool seen = false;

  void look(std::string_view text) {
    seen = true;
    std::erase_if(left, [&](Type type) { return !reads_as(type, text); });
  }
  std::optional<Type> type() const { return seen ? std::optional(left.front()) : std::nullopt; }
};

std::vector<FoundColumn> of_csv(const plan::Source& source, const std::vector<std::string>& files) {
  detail::CsvReader reader(files.front(), detail::delimiter_of(source));
  std::vector<Guess> guesses(reader.header().size());
  std::vector<std::string_view> fields;
  for (std::size_t i = 0; i < kGuessedFrom && reader.next(fields); ++i) {
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (fields[k].data() != nullptr) guesses[k].look(fields[k]);
    }
  }
  std::vector<FoundColumn> columns;
  for (std::size_t i = 0; i < guesses.size(); ++i) columns.push_back({reader.header()[i], guesses[i].type()});
  return columns;
}

std::vector<FoundColumn> of_json(const std::vector<std::string>& files) {
  detail::JsonReader reader(files.front(), {});
  std::vector<std::pair<std::string, Guess>> found;
  std::string_view text;
  std::string held;
  for (std::size_t i = 0; i < kNamesFrom && reader.next_text(text); ++i) {
    detail::read_object(text, [&](std::string_view name, const detail::JsonValue& value) {
      auto at = std::find_if(found.begin(), found.end(), [&](const auto& one) { return one.first == name; });
      if (at == found.end()) at = found.insert(at, {std::string(name), {}});
      if (const auto cell = detail::cell_of(value, held)) at->second.look(*cell);
    });
  }
  std::vector<FoundColumn> columns;
  for (const auto& [name, guess] : found) columns.push_back({name, guess.type()});
  return columns;
}

std::vector<FoundColumn> described(const plan::Source& source, const std::vector<std::string>& files) {
  const detail::SpillFolder folder("");  // for ends of Parquet files
  detail::DatabaseOptions options;
  options.folder = folder.path();
  options.may_read = {files.front(), files.front() + ".wal"};
  const detail::Database database(options);
  const std::vector<detail::SourcePart> parts =
      detail::Sources(database, folder.path()).parts(source, {files.front()}, {}, detail::Reading::look);
  std::vector<FoundColumn> columns;
  for (const detail::ResultColumn& column : parts.front().columns) {
    const std::optional<detail::Native> native = detail::native(column, "");
    columns.push_back({column.name, native ? std::optional(native->type) : std::nullopt});
  }
  return columns;
}

}  // namespace

std::vector<FoundColumn> columns_of(const plan::Source& source, const std::string& folder) {
  const std::vector<std::string> files = detail::files_of(source, folder);
  if (source.kind == SourceKind::csv) return of_csv(source, files);
  if (source.kind == SourceKind::json) return of_json(files);
  return described(source, files);
}

}  // namespace dither::engine
