#include "engine/parquet_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "engine/detail/duckdb.h"

namespace dither::engine {
namespace {

using plan::Type;
using Rows = std::vector<std::vector<Cell>>;

// What a fresh database reads from these bytes.
Rows read_back(const std::string& bytes) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("parquet_file_test." + std::to_string(getpid()))).string();
  std::ofstream(path, std::ios::binary) << bytes;
  detail::DatabaseOptions options;
  options.may_read = {path};
  options.threads = 1;
  const detail::Database database(options);
  detail::Connection connection(database);
  Rows rows = connection.query("SELECT * FROM read_parquet(" + detail::quoted(path) + ")").rows();
  std::filesystem::remove(path);
  return rows;
}

TEST(ParquetFile, EveryTypeAndNullComesBack) {
  const std::vector<std::string> names = {"truth", "n", "x", "city \"b\"", "day", "time"};
  const std::vector<Type> types = {Type::boolean, Type::integer, Type::real, Type::text, Type::date, Type::timestamp};
  const Rows rows = {{true, std::int64_t{-5}, 0.1, std::string("Köln, 'x'\n"), std::int64_t{19'000},
                      std::int64_t{1'700'000'000'000'001}},
                     {false, std::numeric_limits<std::int64_t>::max(), -1e300, std::string(), plan::kFirstDay,
                      plan::kFirstMicrosecond},
                     {Cell(), Cell(), Cell(), Cell(), Cell(), Cell()},
                     {true, std::numeric_limits<std::int64_t>::min(), 0.0, std::string("\0a", 2), plan::kLastDay,
                      plan::kLastMicrosecond}};
  EXPECT_EQ(read_back(parquet_bytes(names, types, rows)), rows);
}

TEST(ParquetFile, ManyRowsKeepTheirOrder) {
  Rows rows;
  for (std::int64_t i = 0; i < 5000; ++i) rows.push_back({std::int64_t{(i * 7919) % 5003}, Cell()});
  for (std::size_t i = 0; i < rows.size(); i += 3) rows[i][1] = std::string("text that is too long to be inlined");
  EXPECT_EQ(read_back(parquet_bytes({"n", "t"}, {Type::integer, Type::text}, rows)), rows);
}

TEST(ParquetFile, NoRowsIsAFileToo) {
  const std::string bytes = parquet_bytes({"n"}, {Type::integer}, {});
  EXPECT_TRUE(bytes.starts_with("PAR1"));
  EXPECT_TRUE(read_back(bytes).empty());
}

}  // namespace
}  // namespace dither::engine
