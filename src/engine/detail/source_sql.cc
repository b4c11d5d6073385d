#include "engine/detail/source_sql.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "engine/detail/csv.h"
#include "engine/detail/json.h"
#include "engine/detail/source_files.h"
#include "engine/detail/stored_table.h"

namespace dither::engine::detail {

using plan::ColumnDeclaration;
using plan::SourceKind;
using plan::TableDeclaration;

namespace {

std::string typed_part(const SourcePart& part, const Declared& declared, bool nulls) {
  const TableDeclaration& table = declared.table;
  std::string list;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    list += fmt::format("{}{} AS c{}", i == 0 ? "" : ", ", typed_cell(part, declared, table.columns[i]), i);
    const std::vector<std::string>& given = part.given.empty() ? part.cells : part.given;
    if (nulls) list += fmt::format(", {} IS NULL AS n{}", given[place_of(part, table.columns[i])], i);
  }
  return fmt::format("SELECT {} FROM {} AS s", list.empty() ? "1 AS none" : list, part.from);
}

// Bytes beyond which a field is longer than its column may be, whatever follows them: four to a character.
std::size_t longest_field(const ColumnDeclaration& column) {
  constexpr std::size_t kLongestWord = 64;  // numbers, dates, moments and booleans are shorter
  if (column.type != plan::Type::text) return kLongestWord;
  if (column.max_length) return 4 * *column.max_length;
  if (!column.keys) return plan::kLongestText;
  std::size_t longest = 0;
  for (const Cell& key : *column.keys) longest = std::max(longest, std::get<std::string>(key).size());
  return longest;
}

SourcePart records_part(RecordTables& tables, RecordFiles files) {
  SourcePart part;
  part.file = files.paths.front();
  for (std::size_t i = 0; i < files.wanted.size(); ++i) {
    part.cells.push_back(fmt::format("f{}", i));
    part.columns.push_back({files.wanted[i], DUCKDB_TYPE_VARCHAR});
  }
  part.from = tables.add(std::move(files));
  return part;
}

}  // namespace

std::string Sources::typed(const Declared& table, const std::vector<std::string>& files, Reading reading) {
  return all_typed(table, files, false, reading);
}

std::string Sources::typed_with_nulls(const Declared& table, const std::vector<std::string>& files, Reading reading) {
  return all_typed(table, files, true, reading);
}

std::string Sources::all_typed(const Declared& declared, const std::vector<std::string>& files, bool nulls,
                               Reading reading) {
  const TableDeclaration& table = declared.table;
  std::string sql;
  const std::vector<SourcePart> all = table.source.kind == SourceKind::memory
                                          ? std::vector{memory_.part(table.name)}
                                          : parts(table.source, files, table.columns, reading);
  for (const SourcePart& part : all) {
    sql += (sql.empty() ? "" : " UNION ALL ") + typed_part(part, declared, nulls);
  }
  return fmt::format("({})", sql);
}

bool Sources::has_checked(const TableDeclaration& table, const std::vector<std::string>& files) {
  return table.source.kind == SourceKind::parquet &&
         std::any_of(files.begin(), files.end(), [&](const std::string& file) {
           return parquet_.has_checked(file, [&](const std::string& column) { return table.find(column) != nullptr; });
         });
}

std::vector<SourcePart> Sources::parts(const plan::Source& source, const std::vector<std::string>& files,
                                       std::span<const ColumnDeclaration> wanted, Reading reading) {
  switch (source.kind) {
    case SourceKind::csv:
      return csv_parts(source, files, wanted);
    case SourceKind::parquet:
      return parquet_.parts(files, reading);
    case SourceKind::json:
      return {json_part(files, wanted)};
    case SourceKind::duckdb:
    case SourceKind::memory:  // no files: whoever looks for some is refused
      break;
  }
  std::vector<SourcePart> parts;
  for (const std::string& file : files) parts.push_back(stored_table(connection_, attach(file), source.table, file));
  return parts;
}

// Files with the same first record are one part.
std::vector<SourcePart> Sources::csv_parts(const plan::Source& source, const std::vector<std::string>& files,
                                           std::span<const ColumnDeclaration> wanted) {
  const char delimiter = delimiter_of(source);
  std::vector<RecordFiles> groups;
  for (const std::string& file : files) {
    std::vector<std::string> header = CsvReader(file, delimiter).header();
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const RecordFiles& one) { return one.header == header; });
    if (group == groups.end()) {
      group = groups.insert(group, {SourceKind::csv, {}, {}, delimiter, std::move(header), {}, {}});
    }
    group->paths.push_back(file);
  }
  std::vector<SourcePart> parts;
  for (RecordFiles& group : groups) {
    for (const ColumnDeclaration& column : wanted) {
      const auto at = std::find(group.header.begin(), group.header.end(), column.name);
      if (at == group.header.end()) continue;  // whoever needs it says so
      group.wanted.push_back(column.name);
      group.longest.push_back(longest_field(column));
      group.places.push_back(static_cast<std::size_t>(at - group.header.begin()));
    }
    parts.push_back(records_part(records_, std::move(group)));
  }
  return parts;
}

SourcePart Sources::json_part(const std::vector<std::string>& files, std::span<const ColumnDeclaration> wanted) {
  for (const std::string& file : files) JsonReader(file, {});  // can be opened
  RecordFiles all{SourceKind::json, files, {}, ',', {}, {}, {}};
  for (const ColumnDeclaration& column : wanted) {
    all.wanted.push_back(column.name);
    all.longest.push_back(longest_field(column));
  }
  return records_part(records_, std::move(all));
}

std::string Sources::attach(const std::string& file) {
  const auto known = attached_.find(file);
  if (known != attached_.end()) return known->second;
  const std::string name = fmt::format("source_{}", attached_.size());
  try {
    connection_.query(fmt::format("ATTACH {} AS {} (TYPE duckdb, READ_ONLY)", detail::quoted(file), name));
  } catch (const DuckDbFailure&) {
    throw Error{Code::bad_source, fmt::format("{} cannot be opened as a DuckDB database", short_name(file)),
                "look whether it is one, whether another program is writing to it, and whether it may be read"};
  }
  return attached_[file] = name;
}

}  // namespace dither::engine::detail
