// The files of a ledger that is being made as a copy: all of them in the end, or none.
#pragma once

#include <string>

namespace dither::ledger::detail {

// Files under names of their own beside the place they are for. Unless place() was reached they go again; a process
// that is killed leaves them, under hidden names that end in ".part".
class NewLedger {
 public:
  // Refuses    a place where there is a ledger, a head file, a log or a folder of answers already (cannot-write).
  explicit NewLedger(const std::string& path);
  ~NewLedger();
  NewLedger(const NewLedger&) = delete;
  NewLedger& operator=(const NewLedger&) = delete;

  const std::string& file() const { return part_; }
  std::string answers_folder() const;

  // Puts everything in its place, the ledger last, durably. No store may be open on file() any more.
  // Refuses    a place that was taken meanwhile (cannot-write).
  void place();

 private:
  std::string path_;
  std::string part_;
  bool placed_answers_ = false;
  bool placed_ = false;
};

}  // namespace dither::ledger::detail
