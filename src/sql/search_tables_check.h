// For tests: small random projects, and two databases that are neighbours, as files of every kind, whole and damaged.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "engine/arrow_cells_check.h"
#include "engine/files_check.h"
#include "engine/hostile_check.h"
#include "plan/project.h"
#include "testing/choices.h"

namespace dither::sql::search {

using testing::Choices;

// One row of a file: its cells, or the bytes that stand where they should.
struct Record {
  std::vector<Cell> cells;
  std::string damaged = {};  // without the end of its line
};
using Records = std::vector<Record>;

// The rows of one table in two databases that are neighbours.
struct Pair {
  Records x, y;
};

// A project and two databases. Where a damage may reach several records, `structural`, distances say nothing.
struct World {
  std::string project;                                        // the text of the project file
  std::map<std::string, Pair> rows;                           // by table
  std::function<void(std::ostream&, bool second)> more = {};  // what the file of t1 has besides, as lines of CSV
  bool damaged = false, structural = false;
};

// Endings of sources, the simplest first.
inline const std::vector<std::string> kEndings = {"csv", "ndjson", "json", "parquet", "memory", "duckdb"};
inline constexpr std::size_t kTextEndings = 3;

inline std::string json_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    const bool plain = static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
    result += plain ? std::string(1, c) : fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
  }
  return result + '"';
}

// The texts of a record's fields, as a file with this ending has them.
inline std::vector<std::string> fields_of(const plan::TableDeclaration& table, const std::string& ending,
                                          const std::vector<Cell>& cells) {
  std::vector<std::string> fields;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto* real = std::get_if<double>(&cells[i]);
    const Cell cell = real != nullptr && !std::isfinite(*real) ? Cell{} : cells[i];
    const plan::Type type = table.columns[i].type;
    const auto* text = std::get_if<std::string>(&cell);
    std::string field = text == nullptr || ending == "csv" ? engine::field_of(type, cell) : json_text(*text);
    if (ending != "csv") {
      if (field.empty()) field = "null";
      if (type == plan::Type::date || type == plan::Type::timestamp)
        field = field == "null" ? field : '"' + field + '"';
      field = json_text(table.columns[i].name) + ":" + field;
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

inline std::string joined(const std::vector<std::string>& fields, const std::string& ending) {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : ",") + fields[i];
  return ending == "csv" ? text : "{" + text + "}";
}

// A line of the file.
inline std::string line_of(const plan::TableDeclaration& table, const std::string& ending, const Record& record) {
  return record.damaged.empty() ? joined(fields_of(table, ending, record.cells), ending) : record.damaged;
}

inline std::string file_text(const plan::TableDeclaration& table, const std::string& ending, const Records& rows) {
  std::string text;
  if (ending == "csv") {
    for (const plan::ColumnDeclaration& column : table.columns) text += (text.empty() ? "" : ",") + column.name;
    text += "\n";
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (ending == "json") text += i == 0 ? "[" : ",";
    text += line_of(table, ending, rows[i]) + "\n";
  }
  return ending == "json" ? (rows.empty() ? "[]" : text + "]") : text;
}

// What becomes of such texts in a file of Parquet is not UTF-8.
inline const std::string kSpoiled = "QQQQQQ";

inline std::string ending_of(const plan::TableDeclaration& table) {
  if (table.source.kind == plan::SourceKind::memory) return "memory";
  return table.source.path.substr(table.source.path.rfind('.') + 1);
}

// The first table with all that its file has besides, in a file that takes less than its rows: Parquet or a packed one.
inline void write_packed(const engine::TestFolder& folder, const plan::TableDeclaration& table, const World& world,
                         bool second) {
  const std::string text = folder.write(
      "text.csv", file_text(table, "csv", second ? world.rows.at(table.name).y : world.rows.at(table.name).x));
  {
    std::ofstream to(text, std::ios::binary | std::ios::app);
    world.more(to, second);
  }
  const bool parquet = table.source.path.ends_with(".parquet");
  std::string columns;
  for (const plan::ColumnDeclaration& column : table.columns) {
    columns += fmt::format(
        "{}{}", columns.empty() ? "" : ", ",
        parquet ? fmt::format("TRY_CAST({0} AS {1}) AS {0}", column.name, engine::duckdb_type_of(column.type))
                : column.name);
  }
  engine::run_freely(
      {fmt::format("COPY (SELECT {} FROM read_csv('{}', header = true, all_varchar = true)) TO '{}' ({})", columns,
                   text, folder.file(table.source.path), parquet ? "FORMAT parquet" : "FORMAT csv, COMPRESSION gzip")});
  std::filesystem::remove(text);
}

// Writes the sources that are files; gives those that are not.
inline engine::MemoryTables write_sources(const engine::TestFolder& folder, const plan::Project& project,
                                          const World& world, bool second) {
  engine::MemoryTables in_memory;
  for (const plan::TableDeclaration& table : project.tables) {
    const Records& records = second ? world.rows.at(table.name).y : world.rows.at(table.name).x;
    const std::string ending = ending_of(table), file = folder.file(table.name + "." + ending);
    testing::PlanRows cells;
    for (const Record& record : records) cells.push_back(record.cells);
    if (world.more && table.name == "t1" && ending != "csv") {
      write_packed(folder, table, world, second);
    } else if (ending == "memory") {
      in_memory[table.name] = engine::table_of_cells(table, cells, 3);
    } else if (ending == "parquet" || ending == "duckdb") {
      std::vector<std::string> all;
      if (ending == "duckdb") all.push_back(fmt::format("ATTACH '{}' AS one", file));
      const std::string name = (ending == "duckdb" ? "one." : "") + table.name;
      for (const auto& sql : engine::table_statements(name, table, cells, true)) all.push_back(sql);
      all.push_back(ending == "duckdb" ? "DETACH one"
                                       : fmt::format("COPY {} TO '{}' (COMPRESSION uncompressed)", name, file));
      engine::run_freely(all);
      if (ending == "duckdb") continue;
      std::ifstream from(file, std::ios::binary);
      std::string bytes{std::istreambuf_iterator<char>(from), {}};
      for (std::size_t at = bytes.find(kSpoiled); at != std::string::npos; at = bytes.find(kSpoiled))
        bytes.replace(at, kSpoiled.size(), "Q\xff\xfe\xc0\x80Q");
      folder.write(table.name + "." + ending, bytes);
    } else {
      folder.write(table.name + "." + ending, file_text(table, ending, records));
      std::ofstream to(file, std::ios::binary | std::ios::app);
      if (world.more && table.name == "t1") world.more(to, second);
    }
  }
  return in_memory;
}

// Makes worlds. The first alternatives of all its choices are the simplest.
class Worlds {
 public:
  explicit Worlds(Choices& choices) : choices_(choices) {}

  World next() {
    World world;
    replace_ = choices_.below(2) == 1;
    owner_ = choices_.one_of(std::vector<Owner>{Owner::column, Owner::column, Owner::row, Owner::rows});
    unit_type_ = choices_.below(3) == 2 ? plan::Type::text : plan::Type::integer;
    const bool second = choices_.below(2) == 1;
    through_ = second && owner_ == Owner::column && choices_.below(2) == 1;
    most_damage_ = choices_.below(3);  // 0: no record is damaged; 2: most are
    structural_ = most_damage_ > 0 && choices_.below(6) == 5;
    std::string tables = "  t1:\n" + source("t1") + unit_of_first() + limits() +
                         (through_ ? "    unique: [id]\n" : "") + "    columns:\n" + fixed_of_first() + columns();
    if (second && owner_ == Owner::column) {
      tables += "  t2:\n" + source("t2") + (through_ ? "    unit: {through: t1, by: {ref: id}}\n" : unit_of_first()) +
                limits() + "    columns:\n" + (through_ ? "      ref: {type: integer}\n" : fixed_of_first()) +
                columns();
    }
    tables += "  pub:\n" + source("pub") +
              "    public: true\n    unique: [k]\n    multiplicity: {z: 2}\n    columns:\n      k: {type: text}\n"
              "      z: {type: text, keys: [x, z], outside: other}\n      w: {type: integer, bounds: [-2, 3], outside: "
              "clamp}\n";
    world.project = fmt::format(
        "version: 1\ndata_version: \"1\"\nprivacy: {{unit: person, neighbours: {}}}\ntables:\n{}budgets: {{main: "
        "{{epsilon: 1000000, delta: 0.9}}}}\nledger: \":memory:\"\n",
        replace_ ? "replace-one" : "add-remove", tables);
    const plan::Project project = plan::parse_project(world.project, "dither.yaml");
    project_ = &project;
    fill(world);
    return world;
  }

 private:
  enum class Owner { column, row, rows };
  static constexpr std::int64_t kRowsOfUnit = 2;  // `unit: {rows: 2}`

  std::string source(const std::string& name) {
    const std::string ending = choices_.one_of(std::vector<std::string>{
        "csv", "csv", "csv", "csv", "ndjson", "ndjson", "ndjson", "json", "json", "parquet", "memory", "duckdb"});
    return ending == "memory" ? "    source: {kind: memory}\n" : fmt::format("    source: {}.{}\n", name, ending);
  }
  std::string unit_of_first() const {
    return owner_ == Owner::column ? "    unit: unit\n"
           : owner_ == Owner::row  ? "    unit: row\n"
                                   : fmt::format("    unit: {{rows: {}}}\n", kRowsOfUnit);
  }
  std::string fixed_of_first() const {
    std::string text;
    if (owner_ == Owner::column) text += fmt::format("      unit: {{type: {}}}\n", plan::type_name(unit_type_));
    if (through_) text += "      id: {type: integer}\n";
    return text;
  }
  std::string limits() {
    if (owner_ != Owner::column) return "";
    const auto limit = [&](const char* name, bool needed) {
      const std::uint64_t n = choices_.below(needed ? 4 : 9);
      return n == 8 ? std::string() : fmt::format("{}: {}, ", name, n % 4 + 1);
    };
    std::string all = limit("rows_per_unit", true) + limit("keys_per_unit", true) + limit("rows_per_key", false);
    return "    bounds: {" + all.substr(0, all.size() - 2) + "}\n";
  }

  std::string columns() {
    std::string text;
    const std::uint64_t count = 1 + choices_.below(4);
    for (std::uint64_t i = 0; i < count; ++i) text += fmt::format("      {}: {{{}}}\n", kNames[i], column());
    return text;
  }
  std::string column() {
    const auto outside = [&] { return choices_.below(2) == 0 ? "clamp" : "null"; };
    const auto low = static_cast<std::int64_t>(choices_.below(7)) - 3;
    const auto high = low + 1 + static_cast<std::int64_t>(choices_.below(5));
    const std::string null_as = choices_.below(4) == 3 ? fmt::format(", null_as: {}", low) : "";
    switch (choices_.below(10)) {
      case 0:
        return fmt::format("type: integer, bounds: [{}, {}], outside: {}{}", low, high, outside(), null_as);
      case 1:
        return fmt::format("type: text, keys: [a, b], outside: {}", choices_.below(2) == 0 ? "other" : "null");
      case 2:
        return "type: text";
      case 3:
        return fmt::format("type: decimal, grid: 0.25, bounds: [{}, {}], outside: {}{}", low, high, outside(), null_as);
      case 4:
        return fmt::format("type: integer, keys: [1, 2, 3], outside: {}",
                           choices_.below(2) == 0 ? "{other: -1}" : "null");
      case 5:
        return fmt::format("type: real, bounds: [{}, {}.5], outside: {}{}", low, high, outside(), null_as);
      case 6:
        return choices_.below(2) == 0 ? "type: boolean" : "type: boolean, null_as: true";
      case 7:
        return fmt::format("type: date, bounds: [\"2024-01-01\", \"2024-02-01\"], outside: {}", outside());
      case 8:
        return "type: integer";
      default:
        return choices_.below(2) == 0 ? "type: timestamp" : "type: real";
    }
  }

  Cell small_cell(plan::Type type) {
    switch (type) {
      case plan::Type::boolean:
        return choices_.below(2) == 1;
      case plan::Type::integer:
        return choices_.one_of(std::vector<std::int64_t>{0, 1, 2, 3, 4, 7, -1, 9, -9});
      case plan::Type::real:
        return choices_.one_of(std::vector<double>{0.0, 1.0, 0.5, -1.25, 2.0, 1.115, 9.0, -9.0});
      case plan::Type::text:
        return choices_.one_of(
            std::vector<std::string>{"a", "b", "c", "x", "z", "it's", "a,b", "say \"hi\"", "two\nlines"});
      case plan::Type::date:
        return choices_.one_of(std::vector<std::int64_t>{19723, 19724, 19753, 19754, 19755, 0});
      case plan::Type::timestamp:
        return choices_.one_of(std::vector<std::int64_t>{0, 1709251199999999, 1704067200000000, -1});
    }
    return {};
  }
  Cell cell(plan::Type type) {
    const std::uint64_t kind = choices_.below(12);
    return kind < 9 ? small_cell(type) : kind < 11 ? Cell{} : engine::random_cell(choices_, type);
  }

  // Columns that say whose a row is; damage spares them, or the row might become somebody else's.
  std::size_t fixed(const plan::TableDeclaration& table) const {
    std::size_t count = 0;
    for (const char* name : {"unit", "id", "ref"}) count += table.find(name) != nullptr ? 1 : 0;
    return count;
  }
  Record record(const plan::TableDeclaration& table, std::vector<Cell> begin) {
    Record one{std::move(begin)};
    while (one.cells.size() < table.columns.size()) one.cells.push_back(cell(table.columns[one.cells.size()].type));
    if (most_damage_ > 0 && choices_.below(5) >= 5 - 2 * most_damage_) damage(table, one);
    return one;
  }

  void damage(const plan::TableDeclaration& table, Record& one);
  std::string damaged_csv(std::vector<std::string> fields, std::size_t first);
  std::string damaged_json(std::vector<std::string> fields, std::size_t first, bool list);
  std::string harmful_csv(std::vector<std::string> fields, std::size_t first);
  static std::size_t some_field(Choices& choices, std::size_t first, std::size_t count) {
    return first + choices.below(count - first);
  }

  Cell unit_cell(std::int64_t unit) const {
    if (unit < 0) return {};
    return unit_type_ == plan::Type::integer ? Cell{unit} : Cell{fmt::format("p{}", unit)};
  }

  using Side = std::map<std::string, Records>;
  // All that a unit brings; -1 for rows whose unit is NULL.
  void add_unit(Side& to, std::int64_t unit) {
    const plan::TableDeclaration& first = project_->table("t1");
    std::vector<std::int64_t> ids;
    for (std::uint64_t i = choices_.below(6); i > 0; --i) {
      std::vector<Cell> begin = {unit_cell(unit)};
      if (through_) {
        ids.push_back(unit * 10 + static_cast<std::int64_t>(i));
        begin.emplace_back(ids.back());
      }
      to["t1"].push_back(record(first, begin));
    }
    if (!has_second()) return;
    const plan::TableDeclaration& second = project_->table("t2");
    for (std::uint64_t i = choices_.below(5); i > 0; --i) {
      if (!through_) {
        to["t2"].push_back(record(second, {unit_cell(unit)}));
      } else if (!ids.empty()) {
        to["t2"].push_back(record(second, {Cell{choices_.one_of(ids)}}));
      }
    }
  }
  bool has_second() const {
    return std::any_of(project_->tables.begin(), project_->tables.end(),
                       [](const plan::TableDeclaration& table) { return table.name == "t2"; });
  }
  void add_rows(Side& to, std::int64_t count) {
    while (count-- > 0) to["t1"].push_back(record(project_->table("t1"), {}));
  }

  void fill(World& world) {
    Side x;
    if (owner_ == Owner::column) {
      for (std::uint64_t n = choices_.below(4), unit = 1; unit <= n; ++unit)
        add_unit(x, static_cast<std::int64_t>(unit));
    } else {
      add_rows(x, static_cast<std::int64_t>(choices_.below(5)));
    }
    Side y = x;
    const std::int64_t rows = owner_ == Owner::row ? 1 : kRowsOfUnit;
    if (owner_ == Owner::column) {
      add_unit(y, 7);
      if (replace_) add_unit(x, choices_.below(2) == 0 ? 7 : 8);
      if (!through_ && choices_.below(4) == 3) add_unit(choices_.below(2) == 0 ? x : y, -1);
    } else {
      add_rows(y, rows);
      if (replace_) add_rows(x, rows);
    }
    for (const plan::TableDeclaration& table : project_->tables) {
      world.rows[table.name] = table.is_public ? regions() : Pair{x[table.name], y[table.name]};
      // Where a record lies must not matter.
      if (choices_.below(2) == 1) std::reverse(world.rows[table.name].y.begin(), world.rows[table.name].y.end());
    }
    world.damaged = damaged_;
    world.structural = structural_ && damaged_;
  }
  static Pair regions() {
    const auto row = [](const char* k, Cell z, std::int64_t w) { return Record{{std::string(k), std::move(z), w}}; };
    const Records all = {row("a", std::string("x"), 1), row("b", std::string("x"), 9), row("x", std::string("z"), -1),
                         row("other", Cell{}, 2)};
    return {all, all};
  }

  static constexpr const char* kNames[] = {"a", "b", "c", "d"};
  Choices& choices_;
  const plan::Project* project_ = nullptr;
  bool replace_ = false, through_ = false, damaged_ = false, structural_ = false;
  std::uint64_t most_damage_ = 0;
  Owner owner_ = Owner::column;
  plan::Type unit_type_ = plan::Type::integer;
};

inline void Worlds::damage(const plan::TableDeclaration& table, Record& one) {
  const std::string ending = ending_of(table);
  const std::size_t first = fixed(table);
  if (ending == "parquet") {
    for (std::size_t i = first; i < one.cells.size(); ++i) {
      if (table.columns[i].type == plan::Type::text) one.cells[i] = kSpoiled;
    }
    return;
  }
  std::vector<std::string> fields;
  if (ending == "csv" || ending == "ndjson" || ending == "json") fields = fields_of(table, ending, one.cells);
  if (ending == "csv")
    one.damaged = structural_ ? harmful_csv(std::move(fields), first) : damaged_csv(std::move(fields), first);
  if (ending == "ndjson" || ending == "json") one.damaged = damaged_json(std::move(fields), first, ending == "json");
  damaged_ = damaged_ || !one.damaged.empty();
}

// Whatever is done here lies within one record, by the rules of CSV as Dither reads it.
inline std::string Worlds::damaged_csv(std::vector<std::string> fields, std::size_t first) {
  static const std::vector<std::string> odd = {"1e400",
                                               "x",
                                               "\xff\xfe",
                                               "\"\xc0\x80\"",
                                               "1e-400",
                                               "0x10",
                                               "99999999999999999999999",
                                               " 1",
                                               "1 ",
                                               "\"two\nlines, and \"\"quotes\"\"\"",
                                               "\xed\xa0\x80",
                                               "nan",
                                               "inf",
                                               "\xef\xbb\xbf"
                                               "1",
                                               std::string("\0", 1),
                                               "1\r2",
                                               "2024-02-30",
                                               "\"\"",
                                               "\"1\""};
  std::string& field = fields[some_field(choices_, first, fields.size())];
  switch (choices_.below(8)) {
    case 0:
      fields.emplace_back("1");
      break;
    case 1:
      if (fields.size() > first + 1) fields.pop_back();
      break;
    case 2:
      field = "1\"2";  // a quote that opens nothing
      break;
    case 3:
      field = "\"1\"2";
      break;
    case 4:
      if (choices_.below(8) == 7) field = std::string((std::size_t{2} << 20) + 1, 'w');
      break;
    default:
      field = choices_.one_of(odd);
  }
  return joined(fields, "csv");
}

// A quote that opens and does not close, which may join records.
inline std::string Worlds::harmful_csv(std::vector<std::string> fields, std::size_t first) {
  std::string& field = fields[some_field(choices_, first, fields.size())];
  field = choices_.one_of(std::vector<std::string>{"\"1", "\"", "\"1\"\"", "\"a\nb", "\"\"\""});
  return joined(fields, "csv");
}

inline std::string Worlds::damaged_json(std::vector<std::string> fields, std::size_t first, bool list) {
  static const std::vector<std::string> odd = {"1e400",
                                               "\"\\ud800\"",
                                               "\"\xff\"",
                                               "-1e400",
                                               "[1]",
                                               "{\"p\":1}",
                                               "tru",
                                               "1.5e",
                                               "\"\\u0000\"",
                                               "99999999999999999999999",
                                               "\"1\"",
                                               "",
                                               "NaN",
                                               "[[[[1]]]]",
                                               "1 2",
                                               "true",
                                               "\"\xed\xa0\x80\"",
                                               "01"};
  std::string& field = fields[some_field(choices_, first, fields.size())];
  const std::string name = field.substr(0, field.find(':') + 1);
  const std::uint64_t kind = choices_.below(list ? 5 : 8);
  if (kind == 0) fields.emplace_back("");  // an extra comma
  if (kind == 1 && fields.size() > first + 1) fields.pop_back();
  if (kind == 2 && choices_.below(8) == 7) field = name + '"' + std::string((std::size_t{2} << 20) + 1, 'w') + '"';
  if (kind == 3 || kind == 4) field = name + choices_.one_of(odd);
  std::string line = joined(fields, "json");
  if (kind == 5)
    line = choices_.one_of(std::vector<std::string>{"[" + line, line + "]", line + line, "{" + line, line + " 1"});
  if (kind == 6) line.resize(line.size() - 1 - choices_.below(line.size() - 1));
  if (kind == 7) {  // any byte of a line but its end
    std::string before;
    for (std::size_t i = 0; i < first; ++i) before += fields[i] + ",";
    const std::size_t from = 1 + before.size();
    const auto byte = static_cast<char>(choices_.below(256));
    line[from + choices_.below(line.size() - from)] = byte == '\n' ? ' ' : byte;
  }
  return line;
}

}  // namespace dither::sql::search
