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

// Cannot be printed, compared, copied or looked into. What it holds in memory is overwritten when it goes; a file that it reads has no
// name, and goes with it.
class ExactNumbers {
 public:
  struct Bin {
    Int128 cell;  // in steps of the measure
    Int128 count;
    bool operator==(const Bin&) const = default;
  };
  // One key with its numbers.
  struct Row {
    std::vector<Cell> key;
    Int128 units = 0;             // different units that kept it
    std::vector<Int128> numbers;  // by measure; 0 for a histogram
  };
  class Rows {
   public:
    virtual ~Rows() = default;
    virtual bool next(Row& row) = 0;  // false at the end
  };
  struct Content {
    // Public keys: all that were asked for, in that order. Private ones: those that some unit kept, ascending by canonical bytes.
    // Without keys: one, the empty list.
    std::vector<std::vector<Cell>> keys;
    std::vector<Int128> units;                 // by key
    std::vector<std::vector<Int128>> numbers;  // by measure, then by key; nothing for a histogram
    std::vector<std::vector<std::vector<Bin>>>
        histograms;  // by measure, then by key: ascending cells that occur; else nothing
    // Private keys that were sorted on disk: all of the above is empty, and they come from there one after the other, each time from
    // the first.
    std::function<std::unique_ptr<Rows>()> open;

    std::size_t size() const { return units.size(); }  // of what is held
    // Every key in its order. What a row holds is overwritten.
    void each(const std::function<void(const Row&)>& use) const;
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
