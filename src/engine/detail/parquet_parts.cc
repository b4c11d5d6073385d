#include "engine/detail/parquet_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/text.h"

namespace dither::engine::detail {
namespace {

// The one file of this name, for a function that takes patterns.
std::string as_pattern(const std::string& file) {
  std::string pattern;
  for (const char c : file) pattern += c == '*' || c == '?' || c == '[' ? std::string{'[', c, ']'} : std::string(1, c);
  return detail::quoted(pattern);
}

std::string read_parquet(const std::string& list) {
  return fmt::format("read_parquet([{}], hive_partitioning = false)", list);
}

[[noreturn]] void no_parquet(const std::string& file) {
  throw Error{Code::bad_source, fmt::format("{} cannot be read as Parquet", short_name(file)),
              "look whether it is complete and of that kind, and whether it may be read"};
}

ParquetFooter footer_of(const std::string& file) {
  try {
    return read_footer(file);
  } catch (const BadFooter&) {
    no_parquet(file);
  }
}

// Columns are called as the file calls them: DuckDB makes x_1 of a second x, also where another column is x_1.
void name_columns(SourcePart& part, std::vector<std::string> names) {
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size()) {
    throw Error{Code::bad_source, fmt::format("two columns of {} have the same name", short_name(part.file)),
                "write the file again, with a name of its own for every column"};
  }
  for (std::size_t i = 0; i < names.size(); ++i) part.columns[i].name = std::move(names[i]);
}

// Bytes as text, and whole numbers as moments, where they are some. Its type is then the one that the file says.
void convert(SourcePart& part, const std::vector<Checked>& checked) {
  part.given = part.cells;
  for (std::size_t i = 0; i < checked.size(); ++i) {
    std::string& cell = part.cells[i];
    if (checked[i] == Checked::text) cell = fmt::format("dither_text_of_bytes({})", cell);
    if (checked[i] == Checked::milliseconds) {  // of the years 1 to 9999
      cell = fmt::format(
          "(CASE WHEN {0} BETWEEN -62135596800000 AND 253402300799999 THEN make_timestamp({0} * 1000) END)", cell);
      part.columns[i].type = DUCKDB_TYPE_TIMESTAMP;
    }
  }
}

}  // namespace

ParquetParts::Look& ParquetParts::look(const std::string& file) {
  const auto known = looks_.find(file);
  if (known != looks_.end()) return known->second;
  Look look;
  ParquetFooter footer = footer_of(file);
  look.end = fmt::format("{}/end-{}.parquet", folder_, ends_++);
  look.checked = std::move(footer.columns);
  if (std::filesystem::create_directories(folder_)) {
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
  }
  write_look(look.end, footer.plain);
  look.part = described(connection_, read_parquet(as_pattern(look.end)), file, "Parquet");
  if (look.part.columns.size() != look.checked.size()) no_parquet(file);
  name_columns(look.part, std::move(footer.names));
  for (std::size_t i = 0; i < look.checked.size(); ++i) {
    if (look.checked[i] != Checked::decimal) continue;
    look.part.unfit[look.part.columns[i].name] = "has decimals that are kept as bytes of any length";
  }
  return looks_[file] = std::move(look);
}

bool ParquetParts::has_checked(const std::string& file, const std::function<bool(const std::string&)>& is_read) {
  const Look& one = look(file);
  for (std::size_t i = 0; i < one.checked.size(); ++i) {
    if (one.checked[i] != Checked::none && is_read(one.part.columns[i].name)) return true;
  }
  return false;
}

void ParquetParts::copy(const std::vector<std::string>& files, const CancelToken& token) {
  for (const std::string& file : files) {
    Look& one = look(file);
    if (!one.copy.empty()) continue;
    const std::string path = one.end + ".copy.parquet";
    try {
      write_raw_copy(file, path, token);
    } catch (const BadFooter&) {
      no_parquet(file);
    }
    one.copy = path;
  }
}

std::vector<SourcePart> ParquetParts::parts(const std::vector<std::string>& files, Reading reading) {
  std::vector<const Look*> kinds;
  std::vector<std::string> lists;
  for (const std::string& file : files) {
    Look& one = look(file);
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const Look* kind) { return *kind == one; });
    const auto at = static_cast<std::size_t>(same - kinds.begin());
    if (same == kinds.end()) {
      kinds.push_back(&one);
      lists.emplace_back();
    }
    const std::string& path = reading == Reading::look ? one.end : reading == Reading::direct ? file : one.copy;
    lists[at] += (lists[at].empty() ? "" : ", ") + as_pattern(path);
  }
  std::vector<SourcePart> parts;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    SourcePart& part = parts.emplace_back(kinds[i]->part);
    part.from = read_parquet(lists[i]);
    if (reading == Reading::careful) convert(part, kinds[i]->checked);
  }
  return parts;
}

}  // namespace dither::engine::detail
