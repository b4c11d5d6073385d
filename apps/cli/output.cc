#include "cli/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"

namespace dither::cli {

namespace {

// Names of files that are open already, which must not be replaced.
bool names_an_open_file(std::string_view path) {
  return path == "/dev/stderr" || path.starts_with("/dev/fd/") || path.starts_with("/proc/");
}

// A name beside the file that nobody has, hidden from plain listings.
std::string name_beside(const std::string& path, int attempt) {
  const std::size_t slash = path.rfind('/') + 1;  // 0 when there is none
  return fmt::format("{}.{}.{}-{}.part", path.substr(0, slash), path.substr(slash, 200), getpid(), attempt);
}

constexpr int kNameAttempts = 100;
constexpr int kMostLinks = 40;  // one behind the other, as the system follows them

}  // namespace

Output::Output(std::string path, CancelToken token, std::string option)
    : path_(std::move(path)), option_(std::move(option)), token_(std::move(token)) {
  if (path_ == "-" || path_ == "/dev/stdout") path_.clear();  // opened anew, it would start from its first byte
  if (!path_.empty()) open_file();
}

void Output::open_file() {
  struct stat old = {};
  const bool exists = stat(path_.c_str(), &old) == 0;
  if (!exists && errno == ELOOP) fail("cannot be opened", errno);  // links in a circle lead to no file
  if (names_an_open_file(path_) || (exists && !S_ISREG(old.st_mode))) {
    fd_ = open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd_ < 0) fail("cannot be opened", errno);
    return;
  }
  if (exists && access(path_.c_str(), W_OK) != 0) fail("cannot be replaced", errno);
  path_ = followed(path_);
  for (int attempt = 0;; ++attempt) {
    const std::string name = name_beside(path_, attempt);
    fd_ = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ < 0 && errno == EEXIST && attempt < kNameAttempts) continue;
    if (fd_ < 0) fail("cannot be created", errno);
    temporary_ = name;
    guard_.emplace(temporary_.c_str());
    break;
  }
  if (exists && fchmod(fd_, old.st_mode & 07777) != 0) {
    const int error = errno;
    unlink(temporary_.c_str());  // no destructor runs for what was not constructed
    fail("cannot be given its old permissions", error);
  }
}

Output::~Output() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
  if (!path_.empty()) close(fd_);
}

void Output::write(std::string_view bytes) {
  while (!bytes.empty()) {
    token_.check();  // a signal cuts a blocked write short or ends it with EINTR
    const ssize_t done = ::write(fd_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("could not be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void Output::finish() {
  if (temporary_.empty()) return;
  if (fsync(fd_) != 0) fail("could not be written", errno);
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("could not be renamed into place", errno);
  guard_.reset();
  temporary_.clear();
}

bool Output::is_terminal() const { return isatty(fd_) == 1; }

void Output::fail(const char* what, int error) const {
  const std::string name = path_.empty() ? "standard output" : fmt::format("{} {}", option_, echo(path_));
  if (error == EPIPE) throw Error{Code::cannot_write, fmt::format("{} was closed by its reader", name), ""};
  const char* hint = error == ENOSPC  ? "free some space or write elsewhere"
                     : error == EFBIG ? "raise the limit on the size of files (ulimit -f)"
                                      : "name a file in a folder that you can write to";
  throw Error{Code::cannot_write, fmt::format("{} {}: {}", name, what, std::strerror(error)), hint};
}

void write_answer(std::string_view text, const CancelToken& token) {
  Output output("", token);
  output.write(text);
}

std::string followed(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path place = path;
  for (int links = 0; links < kMostLinks && fs::is_symlink(place, error); ++links) {
    const fs::path target = fs::read_symlink(place, error);
    if (error) break;
    place = target.is_absolute() ? target : place.parent_path() / target;
  }
  return place.string();
}

void write_answer(const std::string& path, std::string_view text, const std::string& option) {
  Output output(path, {}, option);
  output.write(text);
  output.finish();
}

}  // namespace dither::cli
