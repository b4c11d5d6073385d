// Where the database puts what does not fit into memory.
#pragma once

#include <string>

namespace dither::engine::detail {

// A folder that only this user can open (mode 0700). It goes with the object; one that a process left behind, killed at
// whatever moment, goes when the next one is made in the same place by the same user.
class SpillFolder {
 public:
  // `parent`: where; "" for the system's place for temporary files.
  // Refuses    a place where none can be made (cannot-write).
  explicit SpillFolder(const std::string& parent);
  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;
  ~SpillFolder();

  const std::string& path() const { return path_; }

 private:
  std::string path_, lock_path_;
  int lock_ = -1;  // held while the process lives
};

}  // namespace dither::engine::detail
