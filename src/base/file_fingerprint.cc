#include "base/file_fingerprint.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/text.h"

namespace dither {

std::string file_fingerprint(const std::string& path) {
  std::error_code failed;
  const std::string real = std::filesystem::canonical(path, failed).string();
  struct stat found {};
  if (failed || stat(real.c_str(), &found) != 0) {
    const std::error_code why = failed ? failed : std::error_code(errno, std::generic_category());
    throw Error{Code::cannot_read, fmt::format("cannot look at {}: {}", echo(path), why.message()),
                "give the file that holds the data"};
  }
  if (!S_ISREG(found.st_mode)) {
    throw Error{Code::cannot_read, fmt::format("{} is not a regular file", echo(path)),
                "give the file that holds the data, or state what identifies its source in words"};
  }
  return fmt::format("file {}, {} bytes, changed {}.{:09}", real, found.st_size, found.st_mtim.tv_sec,
                     found.st_mtim.tv_nsec);
}

}  // namespace dither
