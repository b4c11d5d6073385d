// Any bytes are read or refused by an Error that says where; what is read, written as JSON, reads the same.
#include "config/read.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "config/tree_check.h"

namespace {

using dither::Code;
using dither::config::Kind;
using dither::config::Value;

void require(bool holds) {
  if (!holds) std::abort();
}

// YAML takes keys in one line of at most 1024 bytes; an escape needs up to six for one.
bool keys_are_short(const Value& value) {
  if (value.kind() == Kind::list) {
    for (const Value& item : value.list("value")) {
      if (!keys_are_short(item)) return false;
    }
  }
  if (value.kind() == Kind::map) {
    for (const auto& entry : value.map("value")) {
      if (entry.key.size() > 150 || !keys_are_short(entry.value)) return false;
    }
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Value value = dither::config::read_text(std::string(reinterpret_cast<const char*>(data), size), "name");
    if (keys_are_short(value)) require(same(value, dither::config::read_text(as_json(value), "name")));
  } catch (const dither::Error& error) {
    const Code code = error.code();
    require(code == Code::bad_syntax || code == Code::duplicate_key || code == Code::out_of_range);
    require(std::string(error.what()).starts_with("name:") && !error.hint().empty());
  }
  return 0;
}
