#include "engine/parquet_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/error.h"
#include "engine/detail/duckdb.h"
#include "engine/detail/fill_table.h"

namespace dither::engine {

namespace {

[[noreturn]] void cannot_write() {
  throw Error{Code::cannot_write, "the Parquet file could not be made in memory",
              "free some memory, or ask for csv or json: the answer is stored, and costs nothing more"};
}

// A file without a name, gone when it is closed.
class MemoryFile {
 public:
  MemoryFile() : fd_(memfd_create("dither-parquet", MFD_CLOEXEC)) {
    if (fd_ < 0) cannot_write();
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return fmt::format("/proc/self/fd/{}", fd_); }

  std::string bytes() const {
    std::string result;
    std::array<char, 1 << 16> block{};
    for (;;) {
      const ssize_t got = pread(fd_, block.data(), block.size(), static_cast<off_t>(result.size()));
      if (got == 0) return result;
      if (got < 0 && errno != EINTR) cannot_write();
      if (got > 0) result.append(block.data(), static_cast<std::size_t>(got));
    }
  }

 private:
  int fd_;
};

std::string declared(const std::vector<std::string>& names, const std::vector<plan::Type>& types) {
  std::string columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns += fmt::format("{}{} {}", i == 0 ? "" : ", ", detail::quoted_name(names[i]), detail::sql_type(types[i]));
  }
  return fmt::format("CREATE TABLE released ({})", columns);
}

}  // namespace

std::string parquet_bytes(const std::vector<std::string>& names, const std::vector<plan::Type>& types,
                          std::span<const std::vector<Cell>> rows) {
  const MemoryFile file;
  detail::DatabaseOptions options;
  options.threads = 1;  // one thread keeps the order of rows
  options.may_read = {file.path()};
  try {
    const detail::Database database(options);
    detail::Connection connection(database);
    connection.query(declared(names, types));
    detail::fill_table(connection, "released", types, rows);
    connection.query(
        fmt::format("COPY released TO {} (FORMAT parquet, USE_TMP_FILE false)", detail::quoted(file.path())));
  } catch (const detail::DuckDbFailure&) {
    cannot_write();
  }
  return file.bytes();
}

}  // namespace dither::engine
