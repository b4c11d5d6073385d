// JSON objects, read cell by cell: a value that is damaged takes no other one with it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace dither::engine::detail {

// What a name stands for in an object; `nested` is a list or an object.
enum class JsonKind { null, text, number, truth, nested, unreadable };

struct JsonValue {
  JsonKind kind = JsonKind::unreadable;
  std::string_view written;  // as it stands in the object; of a text what lies between its quotes
};

// Calls back with every name of an object in order, and its value. False where the text is not an object by its braces, quotes,
// colons and commas; then some may have been called already. What a value looks like between those plays no part in that: one that
// is neither text, number, true, false, null, list nor object is `unreadable`.
bool read_object(std::string_view text, const std::function<void(std::string_view name, const JsonValue&)>& found);

// The cell that a value is: a number, true or false as it is written, or what a text says, whose escapes are replaced in `held`. Nothing
// where it is null, nested or unreadable, or a text that is not UTF-8 or has an escape that means nothing, half a pair of surrogates
// or a control character.
std::optional<std::string_view> cell_of(const JsonValue& value, std::string& held);

}  // namespace dither::engine::detail
