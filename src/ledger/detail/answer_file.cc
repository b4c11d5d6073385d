#include "ledger/detail/answer_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "ledger/detail/descriptor.h"
#include "ledger/durable_file.h"

namespace dither::ledger::detail {

std::optional<std::string> read_answer_file(const std::string& folder, const std::string& hash) {
  const std::string path = folder + "/" + hash;
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.open() && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  struct stat about = {};
  if (!file.open() || fstat(file.get(), &about) != 0) throw_cannot_read(path, errno);
  if (!S_ISREG(about.st_mode)) return std::nullopt;
  return read_up_to(file, static_cast<std::size_t>(about.st_size), path);
}

void write_answer_file(const std::string& folder, const std::string& hash, std::string_view bytes) {
  make_private_folder(folder);
  write_durable_file(folder + "/" + hash, bytes, 0600);
}

}  // namespace dither::ledger::detail
