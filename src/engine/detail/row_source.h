// Rows of our own that DuckDB reads as a table: what a step gave that sorts on disk.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/detail/duckdb.h"

namespace dither::engine::detail {

// Rows with columns c0, c1, ... of these types. Read any number of times, each time by one thread.
class RowSource {
 public:
  class Cursor {
   public:
    virtual ~Cursor() = default;
    // The cells of the next row, as row_bytes.h spells them; no bytes are NULL. They stay until the next call. False at the
    // end, and after it.
    virtual bool next(std::span<std::string_view> cells) = 0;
  };
  explicit RowSource(std::vector<plan::Type> types) : types_(std::move(types)) {}
  virtual ~RowSource() = default;

  const std::vector<plan::Type>& types() const { return types_; }
  virtual std::unique_ptr<Cursor> open() const = 0;

 private:
  std::vector<plan::Type> types_;
};

// The sources that statements of one database may name. Lives as long as the database.
class RowSources {
 public:
  explicit RowSources(const Database& database);
  RowSources(const RowSources&) = delete;
  RowSources& operator=(const RowSources&) = delete;

  // A source that exists while this lives. `from`: its FROM item.
  class Named {
   public:
    Named(RowSources& all, std::shared_ptr<const RowSource> source);
    Named(const Named&) = delete;
    Named& operator=(const Named&) = delete;
    ~Named();
    std::string from() const;

   private:
    RowSources& all_;
    std::int64_t number_;
  };

  std::shared_ptr<const RowSource> at(std::int64_t number) const;

 private:
  mutable std::mutex guard_;
  std::int64_t next_ = 0;
  std::map<std::int64_t, std::shared_ptr<const RowSource>> sources_;
};

}  // namespace dither::engine::detail
