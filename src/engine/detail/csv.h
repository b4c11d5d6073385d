// CSV as it is read here: one defined way, in which a damaged record takes no other one with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/detail/quote_scout.h"
#include "engine/detail/records.h"

namespace dither::engine::detail {

// Records of a CSV file.
//
// Format     UTF-8, with or without a byte order mark. A record ends with a line feed, or carriage return and line feed, or the file;
//            a delimiter parts its fields. A field that begins with a quote ends with one, may hold delimiters and ends of lines,
//            and writes a quote as two. Empty fields are NULL, in quotes too. The first line that is not empty names the columns.
// Rows       every record after it is a row, an empty line too. A field that is not UTF-8 is NULL. A record with more or fewer fields
//            than columns, or longer than kLongestRecord, is a row of NULL, and so is one with wrong quotes: a field begins with a
//            quote, and the next quote that is not doubled is missing, or no delimiter and no end of a line follows it.
// Ends       what a field holds between right quotes never becomes a record, however long it is. A record with wrong quotes ends
//            with the line in which that field began, so that a stray quote takes no other record along, unless the text after it
//            happens to close it right. Then, and where an end of a line lies between wrong quotes, rows are joined or split:
//            that the file quotes right is trusted (docs/threat-model.md).
// Cost       about 2 ns a byte; a buffer of at most two times kLongestRecord. Linear in the file, whatever its quotes: between an
//            opening quote and the next one that is not doubled all quotes stand in pairs, so that a field which is read from
//            there again ends where its quotes begin; and what is longer than the buffer is looked through once, by the scout.
class CsvReader : public RecordReader {
 public:
  // Refuses    cannot-read; a file without a first record, or whose columns have the same name (bad-source).
  CsvReader(const std::string& path, char delimiter);

  const std::vector<std::string>& header() const { return header_; }
  bool next(std::vector<std::string_view>& cells) override;

 private:
  enum class Outcome { complete, other_width, wrong_quotes, too_long, needs_more, no_more };
  struct Field {
    std::size_t begin, end;  // in the buffer
    bool doubled;            // holds a quote written as two
  };

  Outcome find_record(std::size_t columns);
  Outcome parse(std::size_t columns);  // the record at at_: fields_, after_
  Outcome fields(std::size_t columns);
  Outcome quoted(Field& field);  // cursor_ is at the opening quote
  Outcome at_limit() const { return may_grow() ? Outcome::needs_more : Outcome::too_long; }
  void skip_record();        // the one at at_, wherever it ends
  bool skip_quoted_field();  // false where its quotes are wrong, and its line is passed
  void skip_to(std::uint64_t place);
  bool is_ascii() const;
  void put_cells(std::vector<std::string_view>& cells);
  std::string_view unquoted(const Field& field);
  void read_header(const std::string& path);

  char delimiter_;
  std::size_t cursor_ = 0;  // while a record is parsed
  std::size_t after_ = 0;   // it; the field with wrong quotes
  std::vector<Field> fields_;
  std::vector<std::string> header_;
  QuoteScout scout_;
};

}  // namespace dither::engine::detail
