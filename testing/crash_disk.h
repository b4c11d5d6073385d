// What a disk holds after power failed: the model, without SQLite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace dither::testing {

// The bytes of each file, by its path.
using Images = std::map<std::string, std::string>;

// Writes each image into the folder under its own file name, and reads a folder's files back under their full paths.
void save_images(const Images& images, const std::filesystem::path& folder);
Images load_images(const std::filesystem::path& folder);

// What is left of the changes since the last sync. The fixed ones treat every file, and the list of names, alike.
// `random` decides for each by the seed: one of the fixed ones, or any subset of the changes, each of which is lost,
// kept, or torn (some of its 512-byte sectors arrive; a file that grew may have grown all the same, with zeros).
enum class Survival { drop_all, keep_all, keep_last, drop_first, random };

// A write, or a change of size when there are no bytes.
struct Change {
  std::size_t offset;
  std::string bytes;
};

struct Inode {
  std::string seen;             // what processes read
  std::string synced;           // what is on the disk for certain
  std::vector<Change> pending;  // what leads from `synced` to `seen`, in order
};

// Files in memory. Every change is certain only after a sync: of the file for its bytes and size, of the names for
// creation and deletion (a file whose name is not synced may be gone with all that was synced into it; one that was
// deleted may be back). Names that were not synced survive one by one, not in order, as no file system promises more.
class CrashDisk {
 public:
  std::shared_ptr<Inode> find(const std::string& name) const;  // null when there is none
  std::shared_ptr<Inode> create(const std::string& name);
  void remove(const std::string& name);
  void sync_names();

  static void write(Inode& file, std::size_t offset, std::string_view bytes);
  static void resize(Inode& file, std::size_t size);
  static void sync(Inode& file);

  Images now() const;
  Images after_crash(Survival survival, std::uint64_t seed) const;
  // Everything replaced, everything synced.
  void replace(const Images& images);

 private:
  struct Naming {
    std::string name;
    std::shared_ptr<Inode> file;  // null for a deletion
  };
  using Names = std::map<std::string, std::shared_ptr<Inode>>;

  Names seen_;
  Names synced_;
  std::vector<Naming> pending_;
};

}  // namespace dither::testing
