#include "engine/detail/spill_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "engine/engine.h"

namespace dither::engine::detail {

std::string folder_for_files(const std::string& folder) {
  std::error_code error;
  return folder.empty() ? std::filesystem::temp_directory_path(error).string() : folder;
}

int nameless_file(const std::string& given) {
  const std::string folder = folder_for_files(given);
  int file = ::open(folder.c_str(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string path = folder + "/dither-XXXXXX";  // file systems that have no files without a name
  file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file < 0) run_failed();
  ::unlink(path.c_str());
  return file;
}

SpillFile::~SpillFile() {
  if (file_ >= 0) ::close(file_);
}

void SpillFile::write(std::uint64_t place, const void* bytes, std::size_t size) {
  std::call_once(opened_, [this] { file_ = nameless_file(folder_); });
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t done = ::pwrite(file_, at, size, static_cast<off_t>(place));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) run_failed();
    at += done;
    place += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
}

void SpillFile::read(std::uint64_t place, void* bytes, std::size_t size) const {
  char* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t done = ::pread(file_, at, size, static_cast<off_t>(place));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) run_failed();
    at += done;
    place += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
}

}  // namespace dither::engine::detail
