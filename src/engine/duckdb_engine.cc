// The embedded engine: files read by DuckDB in this process.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "base/digest.h"
#include "base/error.h"
#include "engine/bounded_sql.h"
#include "engine/detail/bounding.h"
#include "engine/detail/content.h"
#include "engine/detail/disk_room.h"
#include "engine/detail/on_disk_numbers.h"
#include "engine/detail/source_files.h"
#include "engine/detail/table_sql.h"
#include "engine/engine.h"
#include "engine/memory_fingerprint.h"
#include "plan/row_cost.h"

namespace dither::engine {
namespace {

using detail::Opened;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t kShareOfRoom = 8;  // so much of the room is held without a look at what is needed in fact
constexpr std::size_t kLongestFingerprint = 1000;  // bytes

class DuckDbEngine : public Engine {
 public:
  DuckDbEngine(const plan::Project& project, const Limits& limits, MemoryTables memory, FingerprintKey key)
      : project_(project), limits_(limits), memory_(std::move(memory)), key_(std::move(key)) {
    if (limits.memory >= detail::kLeastMemory) return;
    throw Error{Code::needs_memory, fmt::format("a limit of {} bytes of memory is too small", limits.memory),
                "allow 64 MiB or more"};
  }

  void prepare(const plan::BoundedAggregate& aggregate) override {
    require_room(aggregate);
    require_row(aggregate.rows, limits_.memory);
    require_memory(aggregate);
    const std::vector<std::string> tables = detail::with_owners(project_, aggregate.rows->tables());
    const std::shared_ptr<Opened> opened = current(tables);
    for (const std::string& table : tables) opened->typed(project_.table(table), detail::Reading::look);
    opened->require_understood(rows_sql(*opened, aggregate, true));
    opened->require_room(tables, disk_needed(*opened, tables, aggregate));
  }

  ExactNumbers run(const plan::BoundedAggregate& aggregate, const Watch& watch) override {
    try {
      const std::vector<std::string> tables = detail::with_owners(project_, aggregate.rows->tables());
      const std::string before = files_now(tables);
      ExactNumbers found(content(aggregate, watch));
      if (files_now(tables) != before) run_failed();  // what was read may be some rows of one state and some of another
      return found;
    } catch (const Cancelled&) {
      throw;
    } catch (const std::exception&) {  // whatever it says may hold values of rows
      run_failed();
    }
  }

  std::string fingerprint(const std::vector<std::string>& tables) override {
    std::string in_memory;  // as long as it is: each table is recognised on its own
    for (const std::string& table : tables) {
      if (!memory_.contains(table)) continue;
      in_memory += (in_memory.empty() ? "" : "; ") + memory_fingerprint(table, memory_.at(table)->digest(key_()));
    }
    if (in_memory.empty()) return fingerprint_of_files(detail::with_owners(project_, tables));
    const std::string files = fingerprint_of_files(tables);
    return files.empty() ? in_memory : in_memory + "; " + files;
  }

 private:
  std::vector<std::string> files_of(const std::string& table) const {
    return detail::files_of(project_.table(table).source, detail::folder_of(project_));
  }

  // Shortened where it is long.
  std::string fingerprint_of_files(const std::vector<std::string>& tables) const {
    std::string all;
    std::size_t files = 0;
    for (const std::string& table : tables) {
      if (memory_.contains(table)) continue;
      const std::vector<std::string> paths = files_of(table);
      all += (all.empty() ? "" : "; ") + detail::fingerprint_of(project_.table(table).source, paths);
      files += paths.size();
    }
    if (all.size() <= kLongestFingerprint) return all;
    return fmt::format("{} files, SHA-256 of paths, sizes and times of change {}", files, sha256(all).hex());
  }

  // Paths, sizes and times of change.
  std::string files_now(const std::vector<std::string>& tables) const {
    std::string all;
    for (const std::string& table : tables) {
      if (!memory_.contains(table)) all += detail::fingerprint_of(project_.table(table).source, files_of(table)) + "; ";
    }
    return all;
  }

  // Every thread may hold a number for each key and measure.
  void require_memory(const plan::BoundedAggregate& aggregate) const {
    const std::uint64_t threads = limits_.threads > 0 ? limits_.threads : std::thread::hardware_concurrency();
    const std::uint64_t keys = aggregate.public_keys ? aggregate.public_keys->size() : 1;
    const std::uint64_t numbers = aggregate.measures.size() + 1;
    const std::uint64_t needed = 4 * keys * numbers * sizeof(Int128) * (threads + 1);
    if (needed <= limits_.memory) return;
    throw Error{Code::needs_memory,
                fmt::format("{} keys with {} numbers each need {} MiB, but the limit is {} MiB", keys, numbers,
                            needed / kMebibyte + 1, limits_.memory / kMebibyte),
                "allow more memory or fewer threads, or ask for fewer keys"};
  }

  // `look`: to be understood, and not to be run.
  std::string rows_sql(Opened& opened, const plan::BoundedAggregate& aggregate, bool look) const {
    const auto typed = [&](const plan::TableDeclaration& table) {
      return opened.typed(table, look ? detail::Reading::look : opened.reading_of(table.name));
    };
    const bool units = !units_unseen(aggregate);
    return relation_sql(aggregate.rows, plan::Dialect::duckdb,
                        detail::table_leaves(project_, plan::Dialect::duckdb, typed, units));
  }

  // Public facts decide: the declarations, the statement and the sizes of the sources. Where what a source says of itself bounds the
  // need by so much that little room would be left, it is measured: all of it, whatever the statement asks of it.
  std::uint64_t disk_needed(Opened& opened, const std::vector<std::string>& tables,
                            const plan::BoundedAggregate& aggregate) const {
    const auto needed = [&] {
      return detail::disk_needed(project_, aggregate,
                                 [&](const plan::TableDeclaration& table) { return opened.size_of(table); });
    };
    const std::uint64_t quickly = needed();
    if (quickly <= opened.room() / kShareOfRoom) return quickly;
    measure(opened, tables, detail::Measuring::sizes, batch_of(aggregate));
    const std::uint64_t measured = needed();
    if (measured <= opened.room() || bytes_of(opened, tables) > opened.room())
      return measured;  // whatever its rows are
    measure(opened, tables, detail::Measuring::rows_of_records, batch_of(aggregate));
    return needed();
  }

  std::uint64_t bytes_of(Opened& opened, const std::vector<std::string>& tables) const {
    std::uint64_t bytes = 0;
    for (const std::string& table : tables) bytes += opened.size_of(project_.table(table)).bytes;
    return bytes;
  }

  // Read as nothing can fail for a value: whether that takes copies says the type of a column. So neither what is found out nor how
  // long it takes depends on values otherwise than by their number and length.
  void measure(Opened& opened, const std::vector<std::string>& tables, detail::Measuring how,
               std::uint64_t batch) const {
    opened.require_room(tables, 0);
    const auto all = [&](Opened& by) {
      for (const std::string& table : tables) by.measure(project_.table(table), how);
    };
    try {
      if (!opened.can_fail(tables)) return all(opened);
    } catch (const detail::DuckDbFailure&) {  // for want of memory
    }
    Opened careful(project_, limits_, memory_, batch);
    try {
      if (careful.can_fail(tables)) careful.take_care(tables);
      all(careful);
    } catch (const detail::DuckDbFailure&) {  // a damaged page: what is known without it has to do
    }
    opened.take_sizes(careful);
  }

  // Three times at most: what a value may have made fail is read with care, and where the database, or what holds keys, has not enough
  // memory or disk, all that collects rows is done on disk, where the room for it was held, by a database with room for a batch of the
  // widest rows. Nothing tells these apart but the time they take.
  ExactNumbers::Content content(const plan::BoundedAggregate& aggregate, const Watch& watch) {
    watch.token.check();
    const std::vector<std::string> tables = detail::with_owners(project_, aggregate.rows->tables());
    std::shared_ptr<Opened> opened = current(tables);
    const detail::DiskRoom room(limits_.spill, disk_needed(*opened, tables, aggregate));
    const bool can_fail = opened->can_fail(tables);
    if (auto found = content_if_it_fits(*opened, aggregate, watch)) return std::move(*found);
    if (can_fail) {
      opened->take_care(tables, watch.token);
      if (auto found = content_if_it_fits(*opened, aggregate, watch)) return std::move(*found);
    }
    forget(opened);  // with its copies, which are made again
    opened = std::make_shared<Opened>(project_, limits_, memory_, batch_of(aggregate));
    if (opened->can_fail(tables)) opened->take_care(tables, watch.token);
    return detail::numbers_on_disk(*opened, project_, aggregate, limits_, watch);
  }

  std::optional<ExactNumbers::Content> content_if_it_fits(Opened& opened, const plan::BoundedAggregate& aggregate,
                                                          const Watch& watch) const {
    try {
      return content(opened, aggregate, watch);
    } catch (const Cancelled&) {
      throw;
    } catch (const std::exception&) {
      watch.token.check();
      return std::nullopt;
    }
  }

  ExactNumbers::Content content(Opened& opened, const plan::BoundedAggregate& aggregate, const Watch& watch) const {
    const std::string rows = rows_sql(opened, aggregate, false);
    if (!one_row_each(aggregate.rows) && detail::bounding_takes(aggregate)) {
      return detail::run_bounding(opened.database(), rows, aggregate, limits_, watch, opened.columns_of(rows));
    }
    BoundedSql sql = bounded_sql(aggregate, plan::Dialect::duckdb, rows);
    if (one_row_each(aggregate.rows)) sql.numbers = plain_sql(aggregate, plan::Dialect::duckdb, rows);
    return detail::content_by_sql(opened.database(), aggregate, sql, limits_.memory / 8, watch);
  }

  // The database, opened anew when a file of these tables is another one than before.
  std::shared_ptr<Opened> current(const std::vector<std::string>& tables) {
    const std::lock_guard lock(guard_);
    if (opened_ && opened_->is_current(tables)) return opened_;
    try {
      return opened_ = std::make_shared<Opened>(project_, limits_, memory_);
    } catch (const detail::DuckDbFailure&) {
      throw Error{Code::no_engine, "DuckDB cannot be started", "look whether the machine has memory left"};
    }
  }

  void forget(std::shared_ptr<Opened>& opened) {
    const std::lock_guard lock(guard_);
    if (opened_ == opened) opened_.reset();
    opened.reset();
  }

  static std::uint64_t batch_of(const plan::BoundedAggregate& aggregate) {
    return static_cast<std::uint64_t>(plan::row_cost(aggregate.rows).width) * plan::kBatchRows;
  }

  plan::Project project_;
  Limits limits_;
  MemoryTables memory_;
  FingerprintKey key_;
  std::mutex guard_;
  std::shared_ptr<Opened> opened_;
};

}  // namespace

std::unique_ptr<Engine> open_duckdb(const plan::Project& project, const Limits& limits) {
  return open_duckdb(project, limits, {}, {});
}

std::unique_ptr<Engine> open_duckdb(const plan::Project& project, const Limits& limits, MemoryTables tables,
                                    FingerprintKey key) {
  return std::make_unique<DuckDbEngine>(project, limits, std::move(tables), std::move(key));
}

}  // namespace dither::engine
