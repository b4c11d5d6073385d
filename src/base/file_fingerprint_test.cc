#include "base/file_fingerprint.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "testing/refusal.h"

namespace dither {
namespace {

using testing::refusal;

// A folder that goes when the test ends.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "fingerprint-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

// Spec: B-23
TEST(Fingerprint, ChangesWithSizeTimeAndPlace) {
  const Folder folder;
  const std::string file = folder.file("visits.csv");
  write(file, "a,b\n");
  const std::string before = file_fingerprint(file);
  EXPECT_EQ(file_fingerprint(file), before);
  std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::nanoseconds(1000));
  const std::string touched = file_fingerprint(file);
  EXPECT_NE(touched, before);
  const auto time = std::filesystem::last_write_time(file);
  write(file, "a,b\n1,2\n");
  std::filesystem::last_write_time(file, time);
  EXPECT_NE(file_fingerprint(file), touched);
  std::filesystem::copy_file(file, folder.file("copy.csv"));
  EXPECT_NE(file_fingerprint(folder.file("copy.csv")), file_fingerprint(file));
}

TEST(Fingerprint, IsTheSameThroughALink) {
  const Folder folder;
  write(folder.file("visits.csv"), "a");
  std::filesystem::create_symlink(folder.file("visits.csv"), folder.file("link"));
  EXPECT_EQ(file_fingerprint(folder.file("link")), file_fingerprint(folder.file("visits.csv")));
}

TEST(Fingerprint, RefusesWhatIsNoFile) {
  const Folder folder;
  EXPECT_EQ(refusal([&] { file_fingerprint(folder.file("nothing")); }), Code::cannot_read);
  EXPECT_EQ(refusal([&] { file_fingerprint(folder.file("")); }), Code::cannot_read);
}

}  // namespace
}  // namespace dither
