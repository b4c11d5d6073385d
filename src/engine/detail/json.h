// JSON as it is read here: objects, one a line or in one list.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/detail/json_object.h"
#include "engine/detail/records.h"

namespace dither::engine::detail {

// Records of a JSON file.
//
// Format     UTF-8. A file has one object a line, or is a list of objects. Where its name ends in .ndjson or .jsonl (also with .gz) it
//            has lines; any other is a list if its first character that is not a space is [ and its last one is ]: so no
//            record alone can make one look like the other (docs/threat-model.md says who can). A field is text, a number as it is written, or true or false; NULL
//            where the object has no such name, has null, or has a list or an object there. Of a name that occurs twice the last
//            counts.
// Rows       every line is a row, an empty one too; in a list, what stands between two commas. A text that is not UTF-8 or
//            has half a pair of surrogates, and a word that means nothing, is NULL, and the other cells stay. A record that is not
//            an object by its braces, quotes, colons and commas, or is longer than kLongestRecord, is a row of NULL.
// Ends       in a file of lines nothing but an end of a line. In a list the quotes and brackets of a record say where it
//            ends; as no text has an end of a line in it, a record with a quote that is open there is a row of NULL, and ends
//            before the next line that begins with {. A bracket that does not close takes along what follows: that a
//            list closes what it opens is trusted (docs/threat-model.md).
// Cost       linear in the file; of a list outside .ndjson its end is looked at first, which unpacks all of a .gz.
class JsonReader : public RecordReader {
 public:
  // Refuses    cannot-read.
  JsonReader(const std::string& path, const std::vector<std::string>& names);

  bool next(std::vector<std::string_view>& cells) override;

  // The next record as it is written, whatever it is, without data() where it is too long or a quote in it stays open; false at the
  // end.
  bool next_text(std::string_view& text);

 private:
  // What a member of a list follows.
  enum class After { bracket, comma, cut, last };

  void find_form();
  bool begins_with_bracket();
  bool next_line(std::string_view& text);
  bool next_member(std::string_view& text);
  After find_member(std::string_view& text);  // the one at at_, which moves past it; what follows it
  bool put_cells(std::string_view text, std::vector<std::string_view>& cells);

  std::string path_;
  bool begun_ = false, is_list_ = false;
  After after_ = After::bracket;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::vector<std::string> held_;         // texts whose escapes are replaced
  std::vector<std::uint8_t> unreadable_;  // whether a cell of the record is
};

}  // namespace dither::engine::detail
