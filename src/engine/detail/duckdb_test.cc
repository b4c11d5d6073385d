#include "engine/detail/duckdb.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/files_check.h"

namespace dither::engine::detail {
namespace {

// What SQL could reach besides what is named, each of which must fail.
TEST(Database, SqlReachesNothingButWhatIsNamed) {
  const TestFolder folder;
  const std::string named = folder.write("named.csv", "a\n1\n");
  const std::string other = folder.write("other.csv", "a\n2\n");
  run_freely({"ATTACH '" + folder.file("other.duckdb") + "' AS one", "CREATE TABLE one.t AS SELECT 1"});
  DatabaseOptions options;
  options.may_read = {named};
  const Database database(options);
  Connection connection(database);
  EXPECT_EQ(connection.query("SELECT * FROM read_csv(" + detail::quoted(named) + ")").rows().size(), 1u);
  for (const std::string& sql :
       {"SELECT * FROM read_csv(" + detail::quoted(other) + ")",
        "SELECT * FROM read_csv('" + folder.file("*.csv") + "')", std::string("SELECT * FROM read_csv('/etc/passwd')"),
        std::string("SELECT * FROM read_text('/etc/passwd')"), std::string("SELECT * FROM '/etc/passwd'"),
        "SELECT * FROM glob('" + folder.file("*") + "')", "COPY (SELECT 1) TO '" + folder.file("out.csv") + "'",
        "EXPORT DATABASE '" + folder.file("out") + "'", "ATTACH '" + folder.file("other.duckdb") + "' AS one",
        "ATTACH '" + folder.file("new.duckdb") + "' AS one", std::string("INSTALL httpfs"), std::string("LOAD httpfs"),
        std::string("SELECT * FROM read_csv('https://localhost/x.csv')"),
        std::string("SET enable_external_access = true"), std::string("SET allowed_paths = ['/etc/passwd']"),
        std::string("SET autoinstall_known_extensions = true"), std::string("RESET ALL"),
        std::string("SET lock_configuration = false")}) {
    EXPECT_THROW(connection.query(sql), DuckDbFailure) << sql;
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("out.csv")));
}

TEST(Database, FilesOfItsOwnTakeWhatTheyMayAndNoMore) {
  const TestFolder folder;
  const auto distinct = [&](std::uint64_t most) {
    DatabaseOptions options;
    options.memory = std::uint64_t{32} << 20;
    options.threads = 1;
    options.spill = folder.file("spill");
    options.spill_most = most;
    const Database database(options);
    Connection connection(database);
    connection.query(
        "SELECT count(*) FROM (SELECT DISTINCT md5(CAST(i AS VARCHAR)) || repeat('x', 60) FROM range(1000000) AS "
        "r(i))");
  };
  EXPECT_NO_THROW(distinct(std::uint64_t{1} << 30));
  EXPECT_THROW(distinct(std::uint64_t{4} << 20), DuckDbFailure);
}

TEST(Database, ColumnsAreToldWithoutReading) {
  const Database database({});
  Connection connection(database);
  const auto columns = connection.columns_of("SELECT 1::DECIMAL(9, 2) AS a, error('read') AS \"b c\"");
  ASSERT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns[0], (ResultColumn{"a", DUCKDB_TYPE_DECIMAL, 2}));
  EXPECT_EQ(columns[1].name, "b c");
  EXPECT_THROW(connection.columns_of("SELECT nothing"), DuckDbFailure);
}

TEST(Database, NamesAndTextsAreQuoted) {
  const Database database({});
  Connection connection(database);
  const std::string odd = "it's \"odd\"; DROP";
  const auto rows = connection.query("SELECT " + detail::quoted(odd) + " AS " + quoted_name(odd)).rows();
  EXPECT_EQ(rows[0][0], Cell{odd});
}

}  // namespace
}  // namespace dither::engine::detail
