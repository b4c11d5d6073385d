// JSON as it is read here: objects, one a line or in one list.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/detail/records.h"

namespace dither::engine::detail {

// What a name stands for in an object; `nested` is a list or an object.
enum class JsonKind { null, text, whole, real, truth, nested };

// Calls back with every name of an object in order, with the text or the number as it is written. False where the text is no
// object or does not parse; then some may have been called already.
bool read_object(std::string_view text,
                 const std::function<void(const std::string& name, JsonKind kind, std::string value)>& found);

// Records of a JSON file.
//
// Format     UTF-8. A file that begins with [ is a list of objects; any other has one object a line. A field is text, a number as it
//            is written, or true or false; NULL where the object has no such name, has null, or has a list or an object there. Of a
//            name that occurs twice the last counts.
// Damage     what is no object, does not parse or is longer than kLongestRecord is dropped alone: in a list up to where its quotes and
//            brackets say that it ends. An open quote or bracket there can take along what follows: they are trusted.
class JsonReader : public RecordReader {
 public:
  // Refuses    cannot-read.
  JsonReader(const std::string& path, const std::vector<std::string>& names);

  bool next(std::vector<std::string_view>& fields) override;

  // The next record as it is written, whatever it is; false at the end.
  bool next_text(std::string_view& text);

 private:
  bool find_start();   // of the next record; false at the end
  bool find_end();     // after_; false where it is too long
  void drop_member();  // of a list, however long

  bool is_list_ = false;
  std::size_t after_ = 0;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::vector<std::string> values_;
};

}  // namespace dither::engine::detail
