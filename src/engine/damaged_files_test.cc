// Files in which a byte is another one: what one record holds moves no other one, and never how many rows there are.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "engine/damaged_files_check.h"
#include "engine/engine.h"
#include "engine/files_check.h"
#include "testing/choices.h"
#include "testing/seed.h"

namespace dither::engine {
namespace {

using testing::Choices;

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

const std::vector<std::string> kNames = {"person", "city", "cost"};
const TextRows kRows = {{"11", "secret a", "5"},      {"12", "Z\xc3\xbcrich, \"x\"", "-7.5"},
                        {"12", std::nullopt, "1e2"},  {std::nullopt, "two\nlines, 99,b,9\n", "100"},
                        {"13", "c\\d", std::nullopt}, {"14", "e", "-0.25"}};
constexpr FileForm kForms[] = {FileForm::csv, FileForm::lines, FileForm::list};

std::string file_name(FileForm form, const std::string& stem) {
  return stem + (form == FileForm::csv ? ".csv" : form == FileForm::lines ? ".ndjson" : ".json");
}

// What a byte becomes; nightly every other one.
std::vector<char> replacements(char given) {
  std::vector<char> all;
  if (nightly()) {
    for (int c = 0; c < 256; ++c) all.push_back(static_cast<char>(c));
  } else {
    for (const char c : std::string_view("\0\n\r \",]{\\7x\xc3\xff", 13)) all.push_back(c);
    all.push_back(static_cast<char>(given ^ 1));
  }
  std::erase(all, given);
  return all;
}

// Where a byte of a cell is another one, that cell may be. Where one is that parts cells, its record and the next may be, and
// split or joined; or the file is refused by name.
class RecordsChecker {
 public:
  explicit RecordsChecker(ReadFile read) : read_(std::move(read)) {}

  // The first that is wrong with one byte.
  std::optional<std::string> first_wrong(FileForm form) const {
    const RecordFile file = record_file(form, kNames, kRows);
    const TextRows before = read_(form, folder_.write(file_name(form, "before"), file.text), kNames);
    for (std::size_t place = 0; place < file.text.size(); ++place) {
      for (const char other : replacements(file.text[place])) {
        if (auto wrong = wrong_with(file, before, place, other)) {
          const auto code = static_cast<unsigned char>(other);
          return fmt::format("{}: byte {} is \\x{:02x} in {}", *wrong, place, code, file.text);
        }
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> wrong_with(const RecordFile& file, const TextRows& before, std::size_t place,
                                        char other) const {
    std::string text = file.text;
    text[place] = other;
    const std::string path = make_file(folder_, file_name(file.form, "after"), text);
    const ByteOwner& owner = file.owners[place];
    try {
      const TextRows after = read_(file.form, path, kNames);
      if (stays_in_cell(file, place, other)) return rows_wrong(before, after, *owner.row, owner.column);
      // A bracket of a list is trusted; and so is what names the columns.
      const bool trusted = !owner.row || file.form == FileForm::list;
      return trusted ? std::nullopt : others_wrong(before, after, *owner.row);
    } catch (const Error& error) {
      const bool named = error.code() == Code::bad_source && !owner.row;
      return named ? std::nullopt : std::optional(std::string("is refused: ") + error.what());
    }
  }

  ReadFile read_;
  TestFolder folder_;
};

TEST(DamagedFiles, AByteMovesItsCellOrItsRecordAlone) {
  for (const FileForm form : kForms) EXPECT_EQ(RecordsChecker(read_records).first_wrong(form).value_or(""), "");
}

// Any bytes of a record, not one alone, as long as it is still one record: in a line all but its end, in CSV all but quotes.
TEST(DamagedFiles, AnyBytesOfARecordMoveThatRecordAlone) {
  const TestFolder folder;
  Choices choices(testing::run_seed());
  const TextRows rows = {{"11", "a", "5"}, {"12", "bcdef", "-7.5"}, {"13", "g", "100"}};
  for (const FileForm form : {FileForm::csv, FileForm::lines}) {
    const std::string text = record_file(form, kNames, rows).text;
    const std::size_t end = text.rfind('\n', text.size() - 2), begin = text.rfind('\n', end - 1) + 1;
    const TextRows before = read_records(form, folder.write(file_name(form, "x"), text), kNames);
    for (int round = 0; round < (nightly() ? 100'000 : 500); ++round) {
      std::string other = text;
      for (std::size_t i = begin; i < end; ++i) {
        const char c = static_cast<char>(choices.below(256));
        const bool kept = c == '\n' || (form == FileForm::csv && c == '"') || choices.below(4) == 0;
        if (!kept) other[i] = c;
      }
      if (choices.below(4) == 0) other.erase(begin, choices.below(end - begin + 1));  // down to an empty line
      const TextRows after = read_records(form, make_file(folder, file_name(form, "x"), other), kNames);
      ASSERT_EQ(rows_wrong(before, after, 1, std::nullopt).value_or(""), "") << other;
    }
  }
}

// Readers as they were, or could be.
TextRows without_damaged(FileForm form, const std::string& path, const std::vector<std::string>& names) {
  const auto reader = open_records(form, path, names);
  TextRows rows;
  std::vector<std::string_view> cells;
  std::vector<std::uint64_t> counts(names.size());
  while (reader->next(cells)) {
    if (reader->damage().cells == counts) rows.push_back(text_row(cells));
    counts = reader->damage().cells;
  }
  return rows;
}

TextRows all_or_nothing(FileForm form, const std::string& path, const std::vector<std::string>& names) {
  const auto reader = open_records(form, path, names);
  TextRows rows;
  std::vector<std::string_view> cells;
  std::vector<std::uint64_t> counts(names.size());
  while (reader->next(cells)) {
    rows.push_back(reader->damage().cells == counts ? text_row(cells) : TextRow(cells.size()));
    counts = reader->damage().cells;
  }
  return rows;
}

TextRows by_lines(FileForm, const std::string& path, const std::vector<std::string>& names) {
  std::ifstream file(path, std::ios::binary);
  TextRows rows;
  std::string line;
  while (std::getline(file, line)) {
    rows.emplace_back(names.size());
    rows.back()[0] = line;
  }
  return rows;
}

// CSV as it is often read: whatever follows an opening quote, up to the next one that is not doubled, is in the field.
TextRows quotes_rule(FileForm form, const std::string& path, const std::vector<std::string>& names) {
  if (form != FileForm::csv) return read_records(form, path, names);
  std::ifstream file(path, std::ios::binary);
  const std::string text{(std::istreambuf_iterator<char>(file)), {}};
  TextRows rows(1, TextRow(1, ""));
  bool quoted = false;
  for (const char c : text) {
    quoted = quoted != (c == '"');
    if (!quoted && c == '\n') rows.emplace_back(1, "");
    if (!quoted && c == ',') rows.back().emplace_back("");
    if (quoted || (c != '\n' && c != ',')) *rows.back().back() += c;
  }
  rows.erase(rows.begin());
  for (TextRow& row : rows) row.resize(names.size());
  return rows;
}

TEST(DamagedFiles, PlantedReadersAreCaught) {
  for (const FileForm form : kForms) {
    EXPECT_NE(RecordsChecker(without_damaged).first_wrong(form), std::nullopt);
    EXPECT_NE(RecordsChecker(all_or_nothing).first_wrong(form), std::nullopt);
  }
  EXPECT_NE(RecordsChecker(by_lines).first_wrong(FileForm::csv), std::nullopt);
  EXPECT_NE(RecordsChecker(quotes_rule).first_wrong(FileForm::csv), std::nullopt);
}

// ---- What the engine makes of such files: exact numbers, and how far they are apart.

enum class Units { rows, any_two_rows, persons };

// As many tables as files, each with its own.
plan::Project project_of(const TestFolder& folder, const std::vector<std::string>& files, Units units, bool replace) {
  const char* unit = units == Units::rows ? "row" : units == Units::persons ? "person" : "{rows: 2}";
  std::string text = fmt::format(
      "version: 1\ndata_version: \"1\"\nprivacy: {{unit: person, neighbours: {}}}\nbudgets: {{main: {{epsilon: 1}}}}\n"
      "tables:\n",
      replace ? "replace-one" : "add-remove");
  for (std::size_t i = 0; i < files.size(); ++i) {
    text += fmt::format(
        "  t{}: {{source: {}, unit: {}, columns: {{person: {{type: integer}}, city: {{type: text}}, "
        "cost: {{type: real, grid: 0.25, bounds: [-100, 100], outside: clamp}}}}}}\n",
        i, files[i], unit);
  }
  return plan::parse_project(text, folder.file("dither.yaml"));
}

// A number of the engine, and by how much one step between neighbours moves it, as the plan's facts say.
struct Stated {
  plan::Measure measure;
  Int128 moves;
};

// COUNT(*), COUNT(city), COUNT(cost) and SUM(cost) in quarters, of at most two rows a person. A record that changes is one unit
// replaced; where it may say another person, two.
std::vector<Stated> stated(const plan::Relation& rows, Units units) {
  const bool persons = units == Units::persons;
  const std::uint64_t limit = persons ? 2 : 1;
  const Int128 most = limit, steps = persons ? 2 : 1;
  const auto count = [&](std::optional<std::size_t> column) {
    const bool fixed = !persons && !rows->drops_rows() && !(column && rows->columns()[*column].nullable);
    return Stated{{.kind = plan::MeasureKind::rows, .column = column, .rows = limit, .total_high = most},
                  fixed ? Int128{0} : steps * most};
  };
  return {count(std::nullopt),
          count(1),
          count(2),
          {{.kind = plan::MeasureKind::sum,
            .column = 2,
            .step = Rational(1, 4),
            .low = -400,
            .high = 400,
            .rows = limit,
            .total_low = -400 * most,
            .total_high = 400 * most},
           steps * 800 * most}};
}

plan::BoundedAggregate asked(const plan::Relation& rows, Units units) {
  const std::size_t unit = rows->owner().unit;
  plan::BoundedAggregate aggregate;
  aggregate.rows = plan::project(rows, {plan::column(unit, plan::Type::integer), plan::column(1, plan::Type::text),
                                        plan::column(2, plan::Type::real)});
  for (const Stated& one : stated(rows, units)) aggregate.measures.push_back(one.measure);
  return aggregate;
}

// What the steward's rows go through before they are counted; a planted one drops rows, and claims that it does not.
using Through = std::function<plan::Relation(const plan::Relation&)>;
plan::Relation as_it_is(const plan::Relation& rows) { return rows; }

struct Outcome {
  std::vector<Int128> numbers;  // nothing where it was refused
  std::optional<Code> refused;
  bool told = false;  // a value of a row in the message
};

Outcome outcome_of(Engine& engine, const plan::Project& project, std::size_t table, Units units,
                   const Through& through) {
  const plan::Relation rows = plan::scan(project, fmt::format("t{}", table));
  try {
    plan::BoundedAggregate aggregate = asked(rows, units);
    aggregate.rows = through(aggregate.rows);
    engine.prepare(aggregate);
    return {by_key(engine.run(aggregate, {})).at(""), std::nullopt, false};
  } catch (const Error& error) {
    return {{}, error.code(), error.str().find("secret") != std::string::npos};
  }
}

// Files that differ from the first in some bytes.
struct Variants {
  std::string ending;
  std::vector<std::string> texts;
  std::vector<bool> in_cells;  // only cells of one record (of two where any two rows are a unit) are others
};

// The first of them that is farther from the first file than is stated, or ends as nothing may.
std::optional<std::string> first_wrong(const Variants& variants, Units units, bool replace,
                                       const Through& through = as_it_is) {
  const TestFolder folder;
  std::vector<std::string> files;
  for (std::size_t i = 0; i < variants.texts.size(); ++i) {
    files.push_back(fmt::format("v{}.{}", i, variants.ending));
    folder.write(files.back(), variants.texts[i]);
  }
  const plan::Project project = project_of(folder, files, units, replace);
  const auto engine = open_duckdb(project);
  const std::vector<Stated> claims = stated(plan::scan(project, "t0"), units);
  const Outcome first = outcome_of(*engine, project, 0, units, through);
  if (first.refused) return "the file itself is refused";
  for (std::size_t i = 1; i < files.size(); ++i) {
    const Outcome now = outcome_of(*engine, project, i, units, through);
    const bool named = now.refused == Code::bad_source || now.refused == Code::run_failed;
    if (now.told || (now.refused && (variants.in_cells[i] || !named))) {
      return fmt::format("{} is refused: {}{}", i, code_name(*now.refused), now.told ? ", and says why" : "");
    }
    for (std::size_t k = 0; variants.in_cells[i] && k < claims.size(); ++k) {
      const Int128 moved = now.numbers[k] - first.numbers[k];
      const Int128 most = (units == Units::any_two_rows ? 2 : 1) * claims[k].moves;
      if (moved > most || -moved > most) return fmt::format("{}: number {} moves by {}", i, k, to_string(moved));
    }
  }
  return std::nullopt;
}

std::size_t most_variants() { return nightly() ? 450 : 40; }

// One byte, or two of two records, drawn among all.
Variants record_variants(FileForm form, Units units, Choices& choices) {
  const RecordFile file = record_file(form, kNames, kRows);
  Variants made{file_name(form, "").substr(1), {file.text}, {true}};
  while (made.texts.size() < most_variants()) {
    std::string text = file.text;
    bool in_cells = true;
    for (int n = 0; n < (units == Units::any_two_rows ? 2 : 1); ++n) {
      const std::size_t place = choices.below(file.text.size());
      const char other = choices.one_of(replacements(text[place]));
      in_cells = in_cells && stays_in_cell(file, place, other) && text[place] == file.text[place];
      text[place] = other;
    }
    made.texts.push_back(text);
    made.in_cells.push_back(in_cells);
  }
  return made;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

template <class T>
std::string pattern_of(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

// Every value occurs once before the end of the file, so that its bytes belong to one row.
Variants parquet_variants(Choices& choices) {
  const TestFolder folder;
  run_freely(
      {"COPY (SELECT * FROM (VALUES (1011::BIGINT, 'secret a', 5.25::DOUBLE), (1012, 'secret b', -7.5), "
       "(1013, 'secret c', 99.75)) v(person, city, cost)) TO '" +
       folder.file("v.parquet") + "' (COMPRESSION uncompressed)"});
  const std::string text = bytes_of(folder.file("v.parquet"));
  std::vector<std::size_t> places;
  for (const std::string& value :
       {pattern_of(std::int64_t{1011}), pattern_of(std::int64_t{1012}), pattern_of(std::int64_t{1013}),
        pattern_of(5.25), pattern_of(-7.5), pattern_of(99.75), std::string("secret a"), std::string("secret b"),
        std::string("secret c")}) {
    const std::size_t begin = text.find(value);
    for (std::size_t i = 0; begin != std::string::npos && i < value.size(); ++i) places.push_back(begin + i);
  }
  EXPECT_EQ(places.size(), 9 * 8u);
  Variants made{"parquet", {text}, {true}};
  while (made.texts.size() < 2 * most_variants()) {
    const bool in_cell = choices.below(2) == 0;
    const std::size_t place = in_cell ? choices.one_of(places) : choices.below(text.size());
    std::string other = text;
    other[place] = choices.one_of(replacements(text[place]));
    made.texts.push_back(other);
    made.in_cells.push_back(in_cell);
  }
  return made;
}

struct Guarantee {
  Units units;
  bool replace;
};
constexpr Guarantee kGuarantees[] = {{Units::rows, true},          {Units::rows, false},   {Units::any_two_rows, true},
                                     {Units::any_two_rows, false}, {Units::persons, true}, {Units::persons, false}};

// Spec: W-05, W-75
TEST(DamagedFiles, NumbersMoveNoFurtherThanThePlanStates) {
  Choices choices(testing::run_seed());
  for (const auto& [units, replace] : kGuarantees) {
    for (const FileForm form : kForms) {
      const Variants variants = record_variants(form, units, choices);
      EXPECT_EQ(first_wrong(variants, units, replace).value_or(""), "") << file_name(form, "x");
    }
    if (units == Units::any_two_rows) continue;  // one byte is changed
    EXPECT_EQ(first_wrong(parquet_variants(choices), units, replace).value_or(""), "") << "Parquet";
  }
}

// A scan that drops what it cannot read, and says that it drops nothing.
plan::Relation drops_unreadable(const plan::Relation& rows) {
  return plan::filter(rows, plan::resolve("is not null", {plan::column(2, plan::Type::real)}));
}

TEST(DamagedFiles, PlantedScansThatDropRowsAreCaught) {
  for (const FileForm form : kForms) {
    const RecordFile file = record_file(form, kNames, kRows);
    const std::size_t place = file.text.find("-7.5") + 1;
    Variants variants{file_name(form, "").substr(1), {file.text, file.text}, {true, true}};
    variants.texts[1][place] = 'x';
    EXPECT_EQ(first_wrong(variants, Units::rows, true).value_or(""), "");
    EXPECT_NE(first_wrong(variants, Units::rows, true, drops_unreadable), std::nullopt);
  }
}

// What was dropped whole, and moved a count that was given free and a sum by 1000.
TEST(DamagedFiles, ARecordThatCannotBeReadIsARowWhereRowsAreUnits) {
  const std::string longest(detail::kLongestRecord, 'q');
  const std::vector<std::string> lines = {"{\"person\": 1, \"cost\": 5}",
                                          "{\"person\": 1, \"cost\": 1e400}",
                                          "{\"cost\": 5, \"city\": \"\\ud800\"}",
                                          "{\"cost\": 5, \"city\": \"\xff\"}",
                                          "{\"person\": 1, \"cost\": 5,}",
                                          "{\"person\": 1 \"cost\": 5}",
                                          "{\"cost\": 5, \"city\": \"" + longest + "\"}",
                                          "",
                                          "[1]"};
  const std::vector<std::string> records = {"1,a,5", "1,a,1e400",           "1,\xff,5", "1,a,5,",
                                            "1,5",   "1," + longest + ",5", "",         "1,\"a,5"};
  for (const Units units : {Units::rows, Units::any_two_rows}) {
    Variants json{"ndjson", {}, {}}, csv{"csv", {}, {}};
    for (const std::string& line : lines) {
      json.texts.push_back("{\"person\": 2, \"cost\": 1}\n" + line + "\n{\"person\": 3}\n");
    }
    for (const std::string& record : records) {
      csv.texts.push_back("person,city,cost\n2,b,1\n" + record + "\n3,\"c\",\n");
    }
    json.in_cells.assign(json.texts.size(), true);
    csv.in_cells.assign(csv.texts.size(), true);
    EXPECT_EQ(first_wrong(json, units, true).value_or(""), "");
    EXPECT_EQ(first_wrong(csv, units, true).value_or(""), "");
  }
}

}  // namespace
}  // namespace dither::engine
