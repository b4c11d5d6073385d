// What the last few texts were found to say.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace dither::ledger::detail {

// Spares reading a text again that has not changed since. The text decides, so it does not matter who wrote it.
template <class Value>
class Recent {
 public:
  // What the text of this key says: as it was kept, or as `read` reads it.
  template <class Read>
  Value value(std::string_view key, std::string text, const Read& read) {
    const auto found = kept_.find(key);
    if (found != kept_.end() && found->second.first == text) return found->second.second;
    Value value = read(text);
    keep(key, std::move(text), value);
    return value;
  }

  void keep(std::string_view key, std::string text, Value value) {
    if (kept_.size() >= kMost) kept_.clear();
    kept_.insert_or_assign(std::string(key), std::pair(std::move(text), std::move(value)));
  }

 private:
  static constexpr std::size_t kMost = 64;
  std::map<std::string, std::pair<std::string, Value>, std::less<>> kept_;
};

}  // namespace dither::ledger::detail
