#include "engine/detail/opened.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>
#include <thread>

#include "base/digest.h"
#include "base/error.h"
#include "base/text.h"
#include "engine/detail/memory_content.h"
#include "engine/detail/parquet_footer.h"
#include "engine/detail/source_files.h"

namespace dither::engine::detail {
namespace {

constexpr std::size_t kMostRemembered = 1000;  // statements
constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t kMemoryOfAThread = 32 * kMebibyte;
constexpr std::uint64_t kPages = 4;  // what DuckDB takes for pages, in their bytes: packed, unpacked and as values
constexpr std::uint64_t kMostGroup = std::uint64_t{1} << 40;  // bytes; a footer that says more is damaged
constexpr std::uint64_t kSpilledTimes = 16;
constexpr std::uint64_t kLeastSpilled = 1024 * kMebibyte;

// With less memory each, sorting fails where one thread would have spilled.
unsigned threads_for(unsigned wanted, std::uint64_t memory) {
  const unsigned threads = wanted > 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::clamp<std::uint64_t>(memory / kMemoryOfAThread, 1, threads));
}

std::uint64_t file_size(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  return error ? 0 : bytes;
}

bool is_parquet(const plan::TableDeclaration& table) { return table.source.kind == plan::SourceKind::parquet; }

// Whether the source says nothing of how many rows it has.
bool is_of_records(const plan::TableDeclaration& table) {
  return table.source.kind == plan::SourceKind::csv || table.source.kind == plan::SourceKind::json;
}

}  // namespace

Opened::Opened(const plan::Project& project, const Limits& limits, MemoryTables memory, std::uint64_t batch)
    : project_(project), folder_(folder_of(project)), memory_(std::move(memory)), spill_(limits.spill) {
  DatabaseOptions options;
  options.memory = limits.memory / 2 + 2 * batch;  // the other half is the bounding operator's
  options.threads = threads_ = batch > 0 ? 1 : threads_for(limits.threads, options.memory);
  options.spill = spill_.path() + "/duckdb";
  for (const plan::TableDeclaration& table : project.tables) {
    const Files& files = files_[table.name] = look(table);
    if (table.source.kind == plan::SourceKind::memory) continue;
    for (const std::string& path : files.paths) {
      options.may_read.push_back(path);
      if (table.source.kind == plan::SourceKind::duckdb) options.may_read.push_back(path + ".wal");
    }
  }
  const bool any_parquet = std::any_of(project.tables.begin(), project.tables.end(), is_parquet);
  if (batch > 0 && any_parquet) options.memory += kPages * largest_group();
  options.spill_most = std::max<std::uint64_t>(std::min(most_spilled(), room() / 2), 1);
  // A count that statistics answer would not notice what cannot be read, and another count would.
  options.statistics = !any_parquet;
  options.folder = spill_.path() + "/parquet";
  database_ = std::make_unique<Database>(options);
  row_sources_ = std::make_unique<RowSources>(*database_);
  sources_ = std::make_unique<Sources>(*database_, options.folder, memory_);
}

// Of the files of Parquet: what cannot be read is refused where it is needed.
std::uint64_t Opened::largest_group() const {
  std::uint64_t largest = 0;
  for (const plan::TableDeclaration& table : project_.tables) {
    if (!is_parquet(table)) continue;
    for (const std::string& path : files_.at(table.name).paths) {
      try {
        largest = std::max(largest, std::min(read_footer(path).largest_group, kMostGroup));
      } catch (const std::exception&) {  // NOLINT
      }
    }
  }
  return largest;
}

// Files of DuckDB's own, for what it does not hold in memory: with more it fails, and all is done in files of ours.
std::uint64_t Opened::most_spilled() const {
  std::uint64_t bytes = 0;
  for (const plan::TableDeclaration& table : project_.tables) bytes += file_bytes(table.name, false);
  return std::max(kSpilledTimes * bytes, kLeastSpilled);
}

Opened::Files Opened::look(const plan::TableDeclaration& table) const {
  if (memory_.contains(table.name)) return {{kTableInMemory}, kTableInMemory};
  Files files;
  try {
    files.paths = files_of(table.source, folder_);
    files.stamp = fingerprint_of(table.source, files.paths);
  } catch (const Error&) {
    return {};  // whoever asks for this table is told then
  }
  return files;
}

bool Opened::is_current(const std::vector<std::string>& tables) const {
  for (const std::string& table : tables) {
    if (look(project_.table(table)).stamp != files_.at(table).stamp) return false;
  }
  return true;
}

template <class Make>
std::string Opened::made(const plan::TableDeclaration& table, Make make) {
  try {
    const Files& files = files_.at(table.name);
    if (files.paths.empty()) files_of(table.source, folder_);  // says what is missing
    return make(files.paths);
  } catch (const Error& error) {
    throw Error{error.code(), fmt::format("table \"{}\": {}", echo(table.name), error.what()), error.hint()};
  }
}

std::string Opened::typed(const plan::TableDeclaration& table, Reading reading) {
  const std::lock_guard lock(guard_);
  const bool has_ways = table.source.kind == plan::SourceKind::parquet;
  const std::pair key{table.name, has_ways ? reading : Reading::direct};
  if (const auto known = typed_.find(key); known != typed_.end()) return known->second;
  return typed_[key] = made(table, [&](const std::vector<std::string>& files) {
           return sources_->typed({project_, table}, files, reading);
         });
}

bool Opened::can_fail(const std::string& table) {
  return !careful_.contains(table) && sources_->has_checked(project_.table(table), files_.at(table).paths);
}

bool Opened::can_fail(const std::vector<std::string>& tables) {
  const std::lock_guard lock(guard_);
  return std::any_of(tables.begin(), tables.end(), [&](const std::string& table) { return can_fail(table); });
}

void Opened::take_care(const std::vector<std::string>& tables, const CancelToken& token) {
  const std::lock_guard lock(guard_);
  for (const std::string& table : tables) {
    if (!can_fail(table)) continue;
    sources_->copy(files_.at(table).paths, token);
    careful_.insert(table);
  }
}

// Of a packed file at most so many, while it is not measured.
std::uint64_t Opened::file_bytes(const std::string& table, bool unpacked) const {
  std::uint64_t size = 0;
  for (const std::string& path : files_.at(table).paths) {
    const std::uint64_t bytes = file_size(path);
    size += unpacked && is_packed(path) ? most_unpacked(bytes) : bytes;
  }
  return size;
}

SourceSize Opened::size_of(const plan::TableDeclaration& table) {
  {
    const std::lock_guard lock(guard_);
    if (const auto known = sizes_.find(table.name); known != sizes_.end()) return known->second;
  }
  SourceSize size;
  if (const auto held = memory_.find(table.name); held != memory_.end()) {
    size.rows = in_powers_of_two(held->second->content().rows);
  } else if (is_of_records(table)) {
    size.bytes = file_bytes(table.name, true);
  } else {
    try {
      size.rows = in_powers_of_two(count_rows(*database_, typed(table, Reading::direct)));
    } catch (const DuckDbFailure&) {  // a damaged file, which the run will say
      size.bytes = file_bytes(table.name, false);
    }
  }
  const std::lock_guard lock(guard_);
  return sizes_[table.name] = size;
}

void Opened::measure(const plan::TableDeclaration& table, Measuring how) {
  SourceSize size;
  {
    const std::lock_guard lock(guard_);
    const auto known = measured_.find(table.name);
    if (known != measured_.end() && known->second >= how) return;
    if (known != measured_.end()) size = sizes_[table.name];
  }
  if (table.is_public || !is_of_records(table) || how == Measuring::rows_of_records) {
    const std::uint64_t bytes = size.bytes;
    size = measured(*database_, table, typed(table, reading_of(table.name)));
    size.bytes = bytes;
  } else {
    made(table, [&](const std::vector<std::string>& files) {
      for (const std::string& file : files) {
        size.bytes += is_packed(file) ? in_powers_of_two(unpacked_size(file)) : file_size(file);
      }
      return "";
    });
  }
  const std::lock_guard lock(guard_);
  sizes_[table.name] = size;
  measured_[table.name] = how;
}

void Opened::take_sizes(const Opened& other) {
  const std::scoped_lock lock(guard_, other.guard_);
  for (const auto& [table, how] : other.measured_) {
    sizes_[table] = other.sizes_.at(table);
    measured_[table] = how;
  }
}

std::uint64_t Opened::room() const {
  std::error_code error;
  const std::uintmax_t room = std::filesystem::space(spill_.path(), error).available;
  return error ? std::numeric_limits<std::uint64_t>::max() : room;
}

void Opened::require_room(const std::vector<std::string>& tables, std::uint64_t besides) {
  const std::lock_guard lock(guard_);
  std::uint64_t needed = besides;
  for (const std::string& table : tables) {
    if (can_fail(table)) needed += file_bytes(table, false);
  }
  if (needed <= room()) return;
  throw Error{
      Code::cannot_write,
      // How much room there is stays unsaid: it moves with what other runs keep there, which depends on their data.
      fmt::format("the run may need {} MiB of disk, by the sizes of its sources, and the folder for temporary "
                  "files has less room",
                  needed / kMebibyte + 1),
      "let TMPDIR name a folder with more room, declare `max_length:` of texts, or ask with fewer joins and less "
      "DISTINCT"};
}

Reading Opened::reading_of(const std::string& table) {
  const std::lock_guard lock(guard_);
  return careful_.contains(table) ? Reading::careful : Reading::direct;
}

std::vector<ResultColumn> Opened::columns_of(const std::string& sql) {
  const std::string digest = sha256(sql).hex();  // a statement may hold a long list of keys
  {
    const std::lock_guard lock(guard_);
    if (const auto known = looked_.find(digest); known != looked_.end()) return known->second;
  }
  std::vector<ResultColumn> columns = Connection(*database_).columns_of(sql);
  const std::lock_guard lock(guard_);
  if (looked_.size() >= kMostRemembered) looked_.clear();
  return looked_[digest] = std::move(columns);
}

void Opened::require_understood(const std::string& sql) {
  try {
    columns_of(sql);
  } catch (const DuckDbFailure&) {
    throw Error{Code::too_deep, "the database cannot take in what the statement asks for",
                "write shorter expressions, or fewer steps below each other"};
  }
}

std::string Opened::typed_with_nulls(const plan::TableDeclaration& table, Reading reading) {
  const std::lock_guard lock(guard_);
  return made(table, [&](const std::vector<std::string>& files) {
    return sources_->typed_with_nulls({project_, table}, files, reading);
  });
}

}  // namespace dither::engine::detail
