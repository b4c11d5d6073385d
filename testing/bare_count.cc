// bare_count FILE: opens DuckDB, counts the rows of a file, prints them. What `dither query` is measured beside as a command.
#include <cstdio>
#include <exception>

#include "testing/bare_duckdb.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: bare_count FILE\n", stderr);
    return 2;
  }
  try {
    const std::string sql = std::string("SELECT count(*) FROM '") + arguments[1] + "'";
    std::printf("%lld\n", static_cast<long long>(dither::testing::bare_duckdb("", sql)));
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  return 0;
}
