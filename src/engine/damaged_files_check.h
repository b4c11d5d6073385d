// For tests and fuzzing: files of records some bytes of which are others, and what that may do to the rows.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/detail/csv.h"
#include "engine/detail/json.h"
#include "engine/exact_check.h"

namespace dither::engine {

enum class FileForm { csv, lines, list };

using TextRow = std::vector<std::optional<std::string>>;
using TextRows = std::vector<TextRow>;

// Whose a byte of a file is. A byte between cells is in no column, and one of the header in no row.
enum class Within { nothing, plain, quotes };
struct ByteOwner {
  Within within = Within::nothing;
  std::optional<std::size_t> row = {};
  std::size_t column = 0;
  bool first = false;  // of what is written together
};

struct RecordFile {
  FileForm form;
  std::string text;
  std::vector<ByteOwner> owners;  // of each byte

  void put(std::string_view written, const ByteOwner& owner) {
    for (std::size_t i = 0; i < written.size(); ++i) {
      text += written[i];
      owners.push_back(owner);
      owners.back().first = i == 0;
    }
  }
};

inline void put_csv_cell(RecordFile& file, const std::string& cell, ByteOwner owner) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) {
    owner.within = Within::plain;
    file.put(cell, owner);
    return;
  }
  const ByteOwner between = owner;
  owner.within = Within::quotes;
  file.put("\"", between);
  for (const char c : cell) c == '"' ? file.put("\"\"", between) : file.put(std::string(1, c), owner);
  file.put("\"", between);
}

// A text in quotes, unless it looks like a number. What a backslash makes of the next byte belongs together.
inline void put_json_cell(RecordFile& file, const std::string& cell, ByteOwner owner) {
  if (!cell.empty() && cell.find_first_not_of("-.0123456789e") == std::string::npos) {
    owner.within = Within::plain;
    file.put(cell, owner);
    return;
  }
  const ByteOwner between = owner;
  owner.within = Within::quotes;
  file.put("\"", between);
  for (const char c : cell) {
    if (c == '"' || c == '\\') {
      file.put(std::string{'\\', c}, between);
    } else {
      const bool control = static_cast<unsigned char>(c) < 0x20;
      file.put(control ? fmt::format("\\u{:04x}", static_cast<int>(c)) : std::string(1, c), owner);
    }
  }
  file.put("\"", between);
}

// The rows as a file. NULL is an empty field, or a name that is missing.
inline RecordFile record_file(FileForm form, const std::vector<std::string>& names, const TextRows& rows) {
  RecordFile file{form, {}, {}};
  if (form == FileForm::csv) {
    for (std::size_t i = 0; i < names.size(); ++i) file.put((i == 0 ? "" : ",") + names[i], {});
    file.put("\n", {});
  }
  if (form == FileForm::list) file.put("[\n", {});
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const ByteOwner between{Within::nothing, row};
    if (form != FileForm::csv) file.put("{", between);
    bool any = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::optional<std::string>& cell = rows[row][i];
      if (form == FileForm::csv) {
        if (i > 0) file.put(",", between);
        if (cell) put_csv_cell(file, *cell, {Within::nothing, row, i});
      } else if (cell) {
        file.put(fmt::format("{}\"{}\": ", any ? ", " : "", names[i]), between);
        put_json_cell(file, *cell, {Within::nothing, row, i});
        any = true;
      }
    }
    if (form != FileForm::csv) file.put("}", between);
    file.put(form == FileForm::list ? (row + 1 < rows.size() ? ",\n" : "\n]\n") : "\n", between);
  }
  return file;
}

// Whether the file is still parted into the same cells when this byte is another one.
inline bool stays_in_cell(const RecordFile& file, std::size_t place, char other) {
  const ByteOwner& owner = file.owners[place];
  const auto none_of = [&](std::string_view bytes) { return bytes.find(other) == std::string_view::npos; };
  if (owner.within == Within::nothing) return false;
  if (file.form == FileForm::csv) {
    if (owner.within == Within::quotes) return none_of("\"");
    return none_of(",\n") && !(owner.first && other == '"');
  }
  return owner.within == Within::quotes ? none_of("\"\\\n") : none_of(",{}[]\"\n");
}

// The file with these bytes, made new: where one is overwritten, some file systems wait for the disk.
inline std::string make_file(const TestFolder& folder, const std::string& name, const std::string& text) {
  std::filesystem::remove(folder.file(name));
  return folder.write(name, text);
}

using ReadFile = std::function<TextRows(FileForm form, const std::string& path, const std::vector<std::string>& names)>;

inline std::unique_ptr<detail::RecordReader> open_records(FileForm form, const std::string& path,
                                                          const std::vector<std::string>& names) {
  if (form == FileForm::csv) return std::make_unique<detail::CsvReader>(path, ',');
  return std::make_unique<detail::JsonReader>(path, names);
}

inline TextRow text_row(const std::vector<std::string_view>& cells) {
  TextRow row;
  for (const std::string_view cell : cells) {
    row.push_back(cell.data() == nullptr ? std::nullopt : std::optional(std::string(cell)));
  }
  return row;
}

inline TextRows read_records(FileForm form, const std::string& path, const std::vector<std::string>& names) {
  const auto reader = open_records(form, path, names);
  TextRows rows;
  std::vector<std::string_view> cells;
  while (reader->next(cells)) rows.push_back(text_row(cells));
  return rows;
}

// What is wrong with the rows of a file in which only bytes of one record (or one cell of it) are others.
inline std::optional<std::string> rows_wrong(const TextRows& before, const TextRows& after, std::size_t row,
                                             std::optional<std::size_t> column) {
  if (before.size() != after.size()) return fmt::format("{} rows instead of {}", after.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (std::size_t k = 0; k < before[i].size(); ++k) {
      const bool may_change = i == row && (!column || k == *column);
      if (!may_change && before[i][k] != after[i][k]) return fmt::format("row {}, cell {} is another one", i, k);
    }
  }
  return std::nullopt;
}

// Where a byte is another one that parts records or cells: what is wrong with the rows before and after that record and the next.
inline std::optional<std::string> others_wrong(const TextRows& before, const TextRows& after, std::size_t row) {
  const std::size_t last = before.size() > row + 2 ? before.size() - row - 2 : 0;
  if (after.size() < row + last) return fmt::format("{} rows instead of {}", after.size(), before.size());
  if (!std::equal(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(row), after.begin())) {
    return "a row before it is another one";
  }
  if (!std::equal(before.rbegin(), before.rbegin() + static_cast<std::ptrdiff_t>(last), after.rbegin())) {
    return "a row after the next is another one";
  }
  return std::nullopt;
}

}  // namespace dither::engine
