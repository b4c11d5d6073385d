#include "engine/detail/csv.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "engine/files_check.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::engine::detail {
namespace {

using testing::refusal;
using Record = std::vector<std::optional<std::string>>;

struct Read {
  std::vector<Record> records;
  RecordReader::Damage damage;
};

Read read_file(const std::string& path, char delimiter = ',') {
  CsvReader reader(path, delimiter);
  Read read;
  std::vector<std::string_view> fields;
  while (reader.next(fields)) {
    Record& record = read.records.emplace_back();
    for (const std::string_view field : fields) {
      record.push_back(field.data() == nullptr ? std::nullopt : std::optional(std::string(field)));
    }
  }
  read.damage = reader.damage();
  return read;
}

Read read_text(const std::string& text, char delimiter = ',') {
  const TestFolder folder;
  return read_file(folder.write("x.csv", text), delimiter);
}

// Rows of two fields in one line: "1|x;2|y", with - for NULL.
std::string shown(const Read& read) {
  std::string text;
  for (const Record& record : read.records) {
    if (!text.empty()) text += ";";
    for (std::size_t i = 0; i < record.size(); ++i) text += (i == 0 ? "" : "|") + record[i].value_or("-");
  }
  return text;
}

TEST(Csv, ReadsWhatIsWellFormed) {
  EXPECT_EQ(shown(read_text("a,b\n1,x\n2,y\n")), "1|x;2|y");
  EXPECT_EQ(shown(read_text("a,b\r\n1,x\r\n2,\"y\"\r\n")), "1|x;2|y");
  EXPECT_EQ(shown(read_text("\xEF\xBB\xBF"
                            "a,b\n1,x")),
            "1|x");
  EXPECT_EQ(shown(read_text("a,b\n1,\n,x\n\"\",\"\"\n")), "1|-;-|x;-|-");
  EXPECT_EQ(shown(read_text("a,b\n1,\"p,q\"\n2,\"two\nlines\"\n3,\"say \"\"hi\"\"\"\n4,\"\"\"\"\n")),
            "1|p,q;2|two\nlines;3|say \"hi\";4|\"");
  EXPECT_EQ(shown(read_text("a\tb\n1\tp,q\n", '\t')), "1|p,q");
  EXPECT_EQ(shown(read_text("a,b\n1, x \n2,it\"s\n3,Z\xc3\xbcrich\n")), "1| x ;2|it\"s;3|Z\xc3\xbcrich");
  EXPECT_EQ(shown(read_text(std::string("a,b\n1,x\0y\n", 10))), std::string("1|x\0y", 5));
  EXPECT_EQ(shown(read_text("a,b\n")), "");
}

// A line is a row, whatever is in it, so that no bytes of a row change how many rows there are.
TEST(Csv, EmptyLinesAreRows) {
  EXPECT_EQ(shown(read_text("\n\r\na,b\n\n1,x\n\r\n2,y\n\n")), "-|-;1|x;-|-;2|y;-|-");
  EXPECT_EQ(shown(read_text("a\n1\n\n\"\"\n2\n\n")), "1;-;-;2;-");  // a column alone: what NULL looks like
  EXPECT_EQ(read_text("a\n1\n\n").damage.records, 0u);
  EXPECT_EQ(read_text("a,b\n\n").damage.records, 1u);
}

// Whatever is wrong with the second of three records, it is a row, and the others are there.
TEST(Csv, ADamagedRecordIsARowOfNulls) {
  const std::string long_field(kLongestRecord, 'q');
  for (const std::string& damaged :
       {std::string("2"), std::string("2,y,z"), std::string("2,\"y"), std::string("2,\"y\"z"), std::string("2,\"y\" "),
        std::string("\"2,y"), "2," + long_field, "2,\"" + long_field + "\"", "2,\"\n9,z\n" + long_field + "\n9,z\n\"",
        "2,\"\n9,z\n" + long_field + "\n9,z\n\",\"\n9,z\n\"\"\n\"", std::string("2,\"\n9,z\n\",w"),
        std::string("2,\"y\r"), std::string("2,\"\"\"")}) {
    for (const std::string end : {"\n", "\r\n"}) {
      std::string text;
      for (const std::string& line : {std::string("a,b"), std::string("1,x"), damaged, std::string("3,\"z\"")}) {
        text.append(line).append(end);
      }
      const Read read = read_text(text);
      EXPECT_EQ(shown(read), "1|x;-|-;3|z") << damaged.substr(0, 20);
      EXPECT_EQ(read.damage.records, 1u) << damaged.substr(0, 20);
      EXPECT_EQ(read.damage.cells, (std::vector<std::uint64_t>{1, 1}));
    }
  }
}

TEST(Csv, ACellThatIsNotTextIsNullAlone) {
  for (const std::string damaged : {"\xff", "\xc3", "y\xffz", "\"\n9,z\n\xff\n9,z\n\"", "\"\"\"\xed\xa0\x80\""}) {
    const Read read = read_text("a,b\n1,x\n2," + damaged + "\n3,Z\xc3\xbcrich\n");
    EXPECT_EQ(shown(read), "1|x;2|-;3|Z\xc3\xbcrich") << damaged;
    EXPECT_EQ(read.damage.records, 0u);
    EXPECT_EQ(read.damage.cells, (std::vector<std::uint64_t>{0, 1}));
  }
}

// A record with wrong quotes ends with the line in which that field began: not before, where its other fields go on, and not
// after, unless the text there happens to close it right.
TEST(Csv, WrongQuotesEndWithTheirLine) {
  EXPECT_EQ(shown(read_text("a,b\n1,\"x\n2,y\n3,\"z\"\n4,w\n")), "-|-;2|y;3|z;4|w");
  EXPECT_EQ(shown(read_text("a,b\n1,\"x\n2,y\n3,z\"\n4,w\n")), "1|x\n2,y\n3,z;4|w");
  EXPECT_EQ(shown(read_text("a,b\n\"1\n9,forged\n9,forged\",\"x\"y\n2,y\n")), "-|-;2|y");
  EXPECT_EQ(shown(read_text("a,b\n\"1\n9,forged\n9,forged\",\"x\n2,y\n")), "-|-;2|y");
}

// The same where the next quote is farther than a record may be long: beyond the buffer, and in a packed file.
TEST(Csv, AStrayQuoteHarmsItsLineAlone) {
  const TestFolder folder;
  const std::string lines = []() {
    std::string text;
    while (text.size() < 5 * kLongestRecord / 4) text += "2,y\n";
    return text;
  }();
  const std::size_t rows = lines.size() / 4;
  const auto check = [&](const std::string& text, std::size_t damaged) {
    const Read read = read_file(folder.write("x.csv", "a,b\n" + text));
    EXPECT_EQ(read.damage.records, damaged);
    return read.records.size();
  };
  EXPECT_EQ(check("1,\"x\n" + lines, 1), 1 + rows);
  EXPECT_EQ(check("1,\"x\n" + lines + "1,\"x\n" + lines + "3,\"z\"\n", 2), 3 + 2 * rows);
  EXPECT_EQ(check("1,\"x\n" + lines + "1,x\"z\n", 1), 2 + rows);
  EXPECT_EQ(check("1,\"\"\"x\n" + lines + "1,x\"\"z\n" + lines, 1), 2 + 2 * rows);
  EXPECT_EQ(check("1,\"x\n" + lines + "\",\"y\n" + lines, 1), 1 + rows);  // the last field of it does not close
  EXPECT_EQ(check("1,\"x\n" + lines + "\"\r\n" + lines, 1), 1 + rows);
  EXPECT_EQ(check("1,\"x\n" + lines + "\"\r" + lines, 2), 1 + 2 * rows);  // that quote opens another field
}

// What stands between right quotes never becomes a record, however long it is.
TEST(Csv, LongTextInRightQuotesIsOneRecord) {
  const TestFolder folder;
  const std::string from =
      "(SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, repeat(E'\\n9,\"z\\n9,z\\n', 600000) UNION ALL SELECT 3, 'z' "
      "ORDER BY a)";
  for (const std::string name : {"x.csv", "x.csv.gz"}) {
    const std::string packed = name.ends_with("gz") ? ", COMPRESSION gzip" : "";
    run_freely({"COPY " + from + " TO '" + folder.file(name) + "' (FORMAT csv, HEADER" + packed + ")"});
    EXPECT_EQ(shown(read_file(folder.file(name))), "1|x;-|-;3|z");
  }
}

// Every byte is looked at a few times, whatever the quotes do; this took a time that grows with the square.
TEST(Csv, ReadingIsLinearWhateverTheQuotes) {
  const TestFolder folder;
  std::mt19937_64 random(testing::run_seed());
  for (const std::string& piece :
       {std::string("y\",\"\n"), std::string("\"\n"), std::string("\"a\n"), std::string("\"\"\n"),
        std::string("\"\"\"\n"), std::string("x,\"\"\"a\n"), std::string("\",\",\""), std::string("\""),
        std::string("\"\"a\n\"\"\n"), "y\",\"" + std::string(1000, '\n'), std::string()}) {
    for (const std::string end : {"", "\"x\n", "\",\n"}) {
      std::string body = "\"";
      while (body.size() < 5 * kLongestRecord / 2) {
        body += piece.empty() ? std::string(1, "\"\"\"\",\na\r"[random() % 8]) : piece;
      }
      body += end;
      CsvReader reader(folder.write("x.csv", "p,q\n" + body), ',');
      std::vector<std::string_view> cells;
      while (reader.next(cells)) {
      }
      EXPECT_LE(reader.looked_at(), 8 * body.size()) << piece << " ... " << end;
    }
  }
}

TEST(Csv, RefusesAFileWithoutNames) {
  const TestFolder folder;
  const auto opening = [&](const std::string& text) {
    return refusal([&] { CsvReader(folder.write("x.csv", text), ','); });
  };
  EXPECT_EQ(opening(""), Code::bad_source);
  EXPECT_EQ(opening("\n\n"), Code::bad_source);
  EXPECT_EQ(opening("a,a\n1,2\n"), Code::bad_source);
  EXPECT_EQ(opening("a,\"b\n1,2\n"), Code::bad_source);
  EXPECT_EQ(refusal([&] { CsvReader(folder.file("none.csv"), ','); }), Code::cannot_read);
  EXPECT_EQ(opening("a,b\n"), std::nullopt);
}

// The definition, slowly: the whole text at once.
struct Slow {
  const std::string& text;
  std::size_t at = 0;

  // The field at `at`, which moves past it; nothing where its quotes are wrong.
  std::optional<std::string> field() {
    std::string value;
    if (at < text.size() && text[at] == '"') {
      for (++at;; ++at) {
        if (at == text.size()) return std::nullopt;
        if (text[at] == '"') {
          if (text.compare(at, 2, "\"\"") != 0) break;
          ++at;
        }
        value += text[at];
      }
      ++at;
      if (text.compare(at, 2, "\r\n") == 0) ++at;
      if (at < text.size() && text[at] != ',' && text[at] != '\n') return std::nullopt;
      return value;
    }
    while (at < text.size() && text[at] != ',' && text[at] != '\n') value += text[at++];
    if (at < text.size() && text[at] == '\n' && value.ends_with('\r')) value.pop_back();
    return value;
  }

  // The row of the record at `at`, which moves past it.
  Record record(std::size_t columns, RecordReader::Damage& damage) {
    std::vector<std::string> fields;
    for (bool last = false; !last;) {
      const std::size_t begin = at;
      const auto next = field();
      if (!next) {
        at = std::min(text.find('\n', begin), text.size() - 1) + 1;
        ++damage.records;
        return Record(columns);
      }
      fields.push_back(*next);
      last = at == text.size() || text[at++] == '\n';
    }
    if (fields.size() != columns) ++damage.records;
    Record made(columns);
    for (std::size_t i = 0; fields.size() == columns && i < columns; ++i) {
      if (!fields[i].empty() && fields[i].find('\xff') == std::string::npos) made[i] = fields[i];
    }
    return made;
  }

  Read all(std::size_t columns) {
    Read read;
    while (at < text.size()) read.records.push_back(record(columns, read.damage));
    return read;
  }
};

// Also over the ends of the buffer, which a text of a megabyte crosses.
TEST(Csv, ReadsAnyTextAsDefined) {
  std::mt19937_64 random(testing::run_seed());
  const std::vector<std::string> pieces = {"a",  "bc", ",",    ",",  "\"",   "\"",       "\"\"",
                                           "\n", "\n", "\r\n", "\r", "\xff", "Z\xc3\xbc"};
  const TestFolder folder;
  for (int round = 0; round < 60; ++round) {
    const std::size_t size = round < 57 ? random() % 200 : std::size_t{1} << 20;
    std::string body;
    while (body.size() < size) body += pieces[random() % pieces.size()];
    const Read read = read_file(folder.write("x.csv", "p,q\n" + body));
    const Read slow = Slow{body}.all(2);
    ASSERT_TRUE(read.records == slow.records) << body.substr(0, 200);
    ASSERT_EQ(read.damage.records, slow.damage.records);
  }
}

}  // namespace
}  // namespace dither::engine::detail
