// What an engine found: exact numbers by key, on their way to the noise.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/canonical.h"
#include "base/int128.h"

namespace dither::session {
struct ExactAccess;  // what draws the noise; this room knows no more of it than the name
}

namespace dither::engine {

// Cannot be printed, compared, copied or looked into. What it holds is overwritten when it goes.
class ExactNumbers {
 public:
  struct Bin {
    Int128 cell;  // in steps of the measure
    Int128 count;
    bool operator==(const Bin&) const = default;
  };
  struct Content {
    // Public keys: all that were asked for, in that order. Private ones: those that some unit kept, ascending by canonical bytes.
    // Without keys: one, the empty list.
    std::vector<std::vector<Cell>> keys;
    // Private keys that are more than the memory: they lie in a file, `keys` is empty, and this reads one of them.
    std::function<std::vector<Cell>(std::size_t)> read_key;
    std::vector<Int128> units;                 // by key: different units that kept it
    std::vector<std::vector<Int128>> numbers;  // by measure, then by key; nothing for a histogram
    std::vector<std::vector<std::vector<Bin>>>
        histograms;  // by measure, then by key: ascending cells that occur; else nothing

    std::size_t size() const { return units.size(); }
    std::vector<Cell> key(std::size_t at) const { return read_key ? read_key(at) : keys[at]; }
  };

  explicit ExactNumbers(Content content) : content_(std::make_unique<Content>(std::move(content))) {}
  ExactNumbers(ExactNumbers&&) noexcept = default;
  ExactNumbers& operator=(ExactNumbers&&) noexcept;
  ~ExactNumbers();

 private:
  friend struct session::ExactAccess;
  friend struct ExactTestAccess;  // defined in tests only

  std::unique_ptr<Content> content_;
};

}  // namespace dither::engine
