// CSV as it is read here: one defined way, in which a damaged record takes no other one with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/detail/records.h"

namespace dither::engine::detail {

// Records of a CSV file.
//
// Format     UTF-8, a byte order mark or none. Records end with a line feed, or carriage return and line feed, or the file; fields
//            are parted by the delimiter. A field that begins with a quote ends with one, may hold delimiters and ends of lines,
//            and writes a quote as two. Empty fields are NULL, in quotes too. The first record names the columns. Empty lines
//            are no records.
// Damage     a record that has more or fewer fields than columns, is not UTF-8 or is longer than kLongestRecord is dropped, up to
//            where its quotes say that it ends: what stands in a quoted field never becomes a record. Of one whose quotes are
//            wrong (text behind a closing quote, or none that closes) the first line is dropped, or, beyond kLongestRecord, what
//            its quotes take. A quote that opens where none was meant can join or take along lines: quoting is trusted.
// Cost       about 2 ns a byte; a buffer of at most two times kLongestRecord; a line is looked at once a column at most.
class CsvReader : public RecordReader {
 public:
  // Refuses    cannot-read; a file without a first record, or whose columns have the same name (bad-source).
  CsvReader(const std::string& path, char delimiter);

  const std::vector<std::string>& header() const { return header_; }
  bool next(std::vector<std::string_view>& fields) override;

 private:
  enum class Outcome { complete, other_width, too_long, broken, needs_more };
  struct Field {
    std::size_t begin, end;  // in the buffer
    bool doubled;            // holds a quote written as two
  };

  bool find_record(std::size_t columns);
  Outcome parse(std::size_t columns);  // the record at at_: fields_, after_
  Outcome quoted(Field& field);        // cursor_ is at the opening quote
  Outcome at_limit() const {
    return may_grow() ? Outcome::needs_more : finished_ ? Outcome::broken : Outcome::too_long;
  }
  void drop_long();  // the record at at_, wherever it ends
  bool is_text() const;
  std::string_view unquoted(const Field& field);
  void read_header(const std::string& path);

  char delimiter_;
  std::size_t cursor_ = 0;  // while a record is parsed
  std::size_t after_ = 0;   // behind it
  std::vector<Field> fields_;
  std::vector<std::string> header_;
};

}  // namespace dither::engine::detail
