// Statements made of fragments, bound to a fixed project: a relation, or an Error that says where. What is bound has a canonical
// form, or is too deep to be written out; and no rows of a private table leave.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sql/bind_check.h"

namespace {

constexpr std::array<std::string_view, 127> kFragments{"SELECT ",
                                                       "FROM ",
                                                       "visits ",
                                                       "people ",
                                                       "regions ",
                                                       "trips ",
                                                       "more_visits ",
                                                       "professors ",
                                                       "person ",
                                                       "city ",
                                                       "cost ",
                                                       "age ",
                                                       "day ",
                                                       "seen ",
                                                       "note ",
                                                       "smoker ",
                                                       "sex ",
                                                       "born ",
                                                       "region ",
                                                       "kind ",
                                                       "distance ",
                                                       "id ",
                                                       "item ",
                                                       "quantity ",
                                                       "COUNT(*) ",
                                                       "COUNT(",
                                                       "SUM(",
                                                       "AVG(",
                                                       "VAR_POP(",
                                                       "STDDEV(",
                                                       "COUNT(DISTINCT person) ",
                                                       ") ",
                                                       "( ",
                                                       ", ",
                                                       "* ",
                                                       "GROUP BY ",
                                                       "WHERE ",
                                                       "HAVING ",
                                                       "ORDER BY ",
                                                       "LIMIT 5 ",
                                                       "OFFSET 1 ",
                                                       "JOIN ",
                                                       "LEFT JOIN ",
                                                       "ON ",
                                                       "USING (person) ",
                                                       "USING (city) ",
                                                       "a ",
                                                       "b ",
                                                       "a.",
                                                       "b.",
                                                       "AS a ",
                                                       "AS b ",
                                                       "WITH a AS (",
                                                       "WITH b AS (",
                                                       "UNION ALL ",
                                                       "DISTINCT ",
                                                       "AND ",
                                                       "OR ",
                                                       "NOT ",
                                                       "= ",
                                                       "< ",
                                                       ">= ",
                                                       "<> ",
                                                       "+ ",
                                                       "- ",
                                                       "* ",
                                                       "/ ",
                                                       "% ",
                                                       "|| ",
                                                       "1 ",
                                                       "0 ",
                                                       "2.5 ",
                                                       "'a' ",
                                                       "'2024-02-29' ",
                                                       "NULL ",
                                                       "true ",
                                                       "DATE '2024-01-01' ",
                                                       "INTERVAL '1 day' ",
                                                       "TIMESTAMP '2024-01-01 10:00:00' ",
                                                       "CASE WHEN ",
                                                       "THEN ",
                                                       "ELSE ",
                                                       "END ",
                                                       "COALESCE(",
                                                       "GREATEST(",
                                                       "CAST(",
                                                       "AS integer) ",
                                                       "AS text) ",
                                                       "AS date) ",
                                                       "::integer ",
                                                       "::real ",
                                                       "EXTRACT(YEAR FROM ",
                                                       "EXTRACT(DOW FROM ",
                                                       "AT TIME ZONE 'UTC' ",
                                                       "IN (",
                                                       "BETWEEN ",
                                                       "LIKE ",
                                                       "IS NULL ",
                                                       "IS NOT NULL ",
                                                       "IS TRUE ",
                                                       "IS NOT DISTINCT FROM ",
                                                       "FILTER (WHERE ",
                                                       "NULLS LAST ",
                                                       "DESC ",
                                                       "WITH DIFFERENTIAL_PRIVACY OPTIONS(",
                                                       "epsilon=1 ",
                                                       "delta=1e-6 ",
                                                       "max_groups_contributed=2 ",
                                                       "privacy_unit_column=id ",
                                                       "contribution_bounds_per_group => (0, 5) ",
                                                       "`city` ",
                                                       "TRY_CAST(",
                                                       "LOWER(",
                                                       "ROUND(",
                                                       "ABS(",
                                                       "SUBSTRING(",
                                                       "LENGTH(",
                                                       "CLAMP(",
                                                       "FLOOR(",
                                                       "date_trunc('month', ",
                                                       "NULLIF(",
                                                       "SELECT COUNT(*) FROM ",
                                                       "SELECT * FROM ",
                                                       "(SELECT ",
                                                       ") AS a ",
                                                       "; ",
                                                       "-- \n"};

void require(bool holds) {
  if (!holds) std::abort();
}

// A byte below the number of fragments stands for one; others for themselves.
std::string statement_of(const std::uint8_t* data, std::size_t size) {
  std::string sql;
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] < kFragments.size()) {
      sql += kFragments[data[i]];
    } else {
      sql += static_cast<char>(data[i] & 0x7F);
    }
  }
  return sql;
}

void try_statement(const std::string& sql) {
  using namespace dither;  // NOLINT: one function
  try {
    const sql::Statement statement = sql::bind(sql::check_project(), sql);
    require(!statement.relation->is_private());
    require(statement.relation->columns().size() == statement.names.size());
    const std::string form = plan::canonical_json(plan::normal_form(statement.relation));
    require(form == plan::canonical_json(plan::normal_form(plan::normal_form(statement.relation))));
  } catch (const Error& error) {
    require(!error.hint().empty() && error.hint().size() < 1000 && std::string(error.what()).size() < 2000);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try_statement(statement_of(data, size));
  try_statement(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
