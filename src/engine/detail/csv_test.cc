#include "engine/detail/csv.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "engine/exact_check.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::engine::detail {
namespace {

using testing::refusal;
using Record = std::vector<std::optional<std::string>>;

struct Read {
  std::vector<Record> records;
  std::uint64_t dropped = 0;
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
  read.dropped = reader.dropped();
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
  EXPECT_EQ(shown(read_text("a,b\n\n1,x\n\n\r\n2,y\n\n")), "1|x;2|y");
  EXPECT_EQ(shown(read_text("a,b\n1,\n,x\n\"\",\"\"\n")), "1|-;-|x;-|-");
  EXPECT_EQ(shown(read_text("a,b\n1,\"p,q\"\n2,\"two\nlines\"\n3,\"say \"\"hi\"\"\"\n4,\"\"\"\"\n")),
            "1|p,q;2|two\nlines;3|say \"hi\";4|\"");
  EXPECT_EQ(shown(read_text("a\tb\n1\tp,q\n", '\t')), "1|p,q");
  EXPECT_EQ(shown(read_text("a,b\n1, x \n2,it\"s\n3,Z\xc3\xbcrich\n")), "1| x ;2|it\"s;3|Z\xc3\xbcrich");
  EXPECT_EQ(shown(read_text(std::string("a,b\n1,x\0y\n", 10))), std::string("1|x\0y", 5));
  EXPECT_EQ(shown(read_text("a,b\n")), "");
}

// Whatever is wrong with the second of three records, the others are there.
TEST(Csv, DropsADamagedRecordAlone) {
  const std::string long_field(kLongestRecord, 'q');
  for (const std::string& damaged :
       {std::string("2"), std::string("2,y,z"), std::string("2,\"y"), std::string("2,\"y\"z"), std::string("2,\"y\" "),
        std::string("2,\xff"), std::string("2,\xc3"), std::string("\"2,y"), "2," + long_field,
        "2,\"" + long_field + "\"", "2,\"\n9,z\n" + long_field + "\n9,z\n\"", std::string("2,\"\n9,z\n\xff\n9,z\n\""),
        std::string("2,\"\n9,z\n\",w"), std::string("2,\"y\r"), std::string("2,\"\"\"")}) {
    for (const std::string end : {"\n", "\r\n"}) {
      std::string text;
      for (const std::string& line : {std::string("a,b"), std::string("1,x"), damaged, std::string("3,\"z\"")}) {
        text.append(line).append(end);
      }
      const Read read = read_text(text);
      EXPECT_EQ(shown(read), "1|x;3|z") << damaged.substr(0, 20);
      EXPECT_EQ(read.dropped, 1u) << damaged.substr(0, 20);
    }
  }
}

// A quote that is opened by mistake takes a quote of a later record for its end only where a delimiter follows that one.
TEST(Csv, QuotingIsTrustedWhereItCloses) {
  EXPECT_EQ(shown(read_text("a,b\n1,\"x\n2,y\n3,\"z\"\n4,w\n")), "2|y;3|z;4|w");
  EXPECT_EQ(shown(read_text("a,b\n1,\"x\n2,y\n3,z\"\n4,w\n")), "1|x\n2,y\n3,z;4|w");
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

  // The field at `at`, which moves behind it; nothing where it is broken.
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

  std::optional<std::vector<std::string>> record() {
    std::vector<std::string> fields;
    for (;;) {
      const auto next = field();
      if (!next) return std::nullopt;
      fields.push_back(*next);
      if (at == text.size() || text[at++] == '\n') break;
    }
    return fields;
  }

  Read all(std::size_t columns) {
    Read read;
    while (at < text.size()) {
      if (text[at] == '\n') {
        ++at;
        continue;
      }
      if (text.compare(at, 2, "\r\n") == 0) {
        at += 2;
        continue;
      }
      const std::size_t begin = at;
      const auto fields = record();
      const bool is_text = text.substr(begin, at - begin).find('\xff') == std::string::npos;
      if (fields && (!is_text || fields->size() != columns)) {
        ++read.dropped;
      } else if (fields) {
        Record& made = read.records.emplace_back();
        for (const std::string& one : *fields) made.push_back(one.empty() ? std::nullopt : std::optional(one));
      } else {
        ++read.dropped;
        at = std::min(text.find('\n', begin), text.size() - 1) + 1;
      }
    }
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
    ASSERT_EQ(read.dropped, slow.dropped);
  }
}

}  // namespace
}  // namespace dither::engine::detail
