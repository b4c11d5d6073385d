// At a huge epsilon the noise of counts and sums is 0 but for a chance below 1e-7, and that of means tiny, and answers are those of plain SQL.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "sql/query.h"
#include "sql/query_check.h"

namespace dither::sql {
namespace {

using check::by_ada;
using check::epsilon;
using check::Place;
using session::Answer;

// Numbers of one group, by the definitions. Nobody has more rows than counts, and no score lies outside its bounds.
struct Group {
  std::int64_t n = 0, sum = 0, squares = 0;
  std::set<std::int64_t> people;

  void add(const testing::PlanRow& row) {
    const auto score = std::get<std::int64_t>(row[2]);
    ++n;
    sum += score;
    squares += score * score;
    people.insert(std::get<std::int64_t>(row[0]));
  }
  // The sum of squared distances from the mean, times n.
  double spread() const { return static_cast<double>(n * squares - sum * sum); }
  std::vector<Cell> cells() const {
    const auto size = static_cast<double>(n);
    const auto units = static_cast<std::int64_t>(people.size());
    if (n == 0) return {n, n, units, 0.0, {}, {}, {}, {}, {}};
    const double population = spread() / (size * size), sample = spread() / (size * (size - 1));
    return {n,
            n,
            units,
            static_cast<double>(sum),
            static_cast<double>(sum) / size,
            population,
            sample,
            std::sqrt(population),
            std::sqrt(sample)};
  }
};

std::map<std::string, Group> groups(const testing::PlanDatabase& database, std::size_t column) {
  std::map<std::string, Group> all;
  for (const testing::PlanRow& row : database.at("visits")) all[std::get<std::string>(row[column])].add(row);
  return all;
}

// Counts and sums are the same; means and variances, whose noise is on a finer grid, within 0.01.
bool same(const std::vector<Cell>& numbers, const std::vector<Cell>& expected) {
  if (numbers.size() != expected.size()) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double* one = std::get_if<double>(&numbers[i]);
    const double* other = std::get_if<double>(&expected[i]);
    const bool near = one != nullptr && other != nullptr && i >= 4 && std::abs(*one - *other) < 0.01;
    if (!near && numbers[i] != expected[i]) return false;
  }
  return true;
}

constexpr const char* kAll =
    "COUNT(*), COUNT(score), COUNT(DISTINCT person), SUM(score), AVG(score), VAR_POP(score), VAR_SAMP(score), "
    "STDDEV_POP(score), STDDEV_SAMP(score)";

// Spec: F-23
TEST(QueryExact, EveryAggregateByPublicKey) {
  const Place place;
  session::Session session = place.open();
  const Answer answer =
      query(session, fmt::format("SELECT city, {} FROM visits GROUP BY city", kAll), epsilon("12000"), by_ada());
  auto expected = groups(place.database, 1);
  ASSERT_EQ(answer.rows.size(), 5U);
  for (const auto& row : answer.rows) {
    const std::vector<Cell> numbers(row.begin() + 1, row.end());
    EXPECT_TRUE(same(numbers, expected[std::get<std::string>(row[0])].cells())) << std::get<std::string>(row[0]);
  }
}

TEST(QueryExact, EveryAggregateWithoutKeys) {
  const Place place;
  session::Session session = place.open();
  Group all;
  for (const testing::PlanRow& row : place.database.at("visits")) all.add(row);
  const Answer answer = query(session, fmt::format("SELECT {} FROM visits", kAll), epsilon("6000"), by_ada());
  ASSERT_EQ(answer.rows.size(), 1U);
  EXPECT_TRUE(same(answer.rows[0], all.cells()));
}

// A key that one person alone has is shown with a probability of delta at most, here 1e-9.
// Spec: W-76, D-23
TEST(QueryExact, PrivateKeysShowWhatEnoughPeopleHave) {
  for (const char* numbers : {"COUNT(DISTINCT person)", "COUNT(*), SUM(score)"}) {
    testing::PlanDatabase rows = check::people(200);
    rows["visits"].push_back({std::int64_t{1000}, std::string("Ayr"), std::int64_t{3}, std::string("alone")});
    const Place place("add-remove", rows);
    session::Session session = place.open();
    const Answer answer = query(session, fmt::format("SELECT town, {} FROM visits GROUP BY town", numbers),
                                epsilon("200", "1e-9"), by_ada());
    ASSERT_GE(answer.rows.size(), 1U) << numbers;
    EXPECT_EQ(answer.rows[0][0], Cell(std::string("often")));
    for (const auto& row : answer.rows) EXPECT_NE(row[0], Cell(std::string("alone")));
    Group often;
    for (const testing::PlanRow& row : rows["visits"]) {
      if (std::get<std::string>(row[3]) == "often") often.add(row);
    }
    const bool units = answer.rows[0].size() == 2;
    EXPECT_EQ(answer.rows[0][1], units ? often.cells()[2] : often.cells()[0]) << numbers;
  }
}

TEST(QueryExact, KeysStandAsTheStatementWritesThem) {
  const Place place;
  session::Session session = place.open();
  const Answer one = query(session, "SELECT city, score > 2 AS high, COUNT(*) FROM visits GROUP BY city, score > 2",
                           epsilon("2000"), by_ada());
  const Answer other = query(session, "SELECT score > 2, COUNT(*), city, city FROM visits GROUP BY score > 2, city",
                             epsilon("2000"), by_ada());
  EXPECT_TRUE(other.stored);
  ASSERT_EQ(one.rows.size(), 15U);  // true, false and NULL for each city
  std::map<std::pair<Cell, Cell>, Cell> counts;
  for (const auto& row : one.rows) counts[{row[0], row[1]}] = row[2];
  for (const auto& row : other.rows) EXPECT_EQ((counts[{row[2], row[0]}]), row[1]);
  EXPECT_EQ(std::get<std::string>(one.rows[0][0]), "Ayr");
  EXPECT_EQ(one.rows[0][1], Cell(false));
  EXPECT_EQ(other.rows[0][0], Cell(false));
}

TEST(QueryExact, ExpressionsOverReleasedValues) {
  const Place place;
  session::Session session = place.open();
  const Answer answer = query(session,
                              "SELECT city, COUNT(*) * 10, CASE WHEN COUNT(*) > 10 THEN 'many' ELSE 'few' END, "
                              "SUM(score) / COUNT(*), upper(city) FROM visits GROUP BY city HAVING COUNT(*) > 0 "
                              "ORDER BY COUNT(*) DESC, city",
                              epsilon("4000"), by_ada());
  auto expected = groups(place.database, 1);
  ASSERT_EQ(answer.rows.size(), 3U);
  std::int64_t before = INT64_MAX;
  for (const auto& row : answer.rows) {
    const Group& group = expected[std::get<std::string>(row[0])];
    EXPECT_LE(group.n, before);
    before = group.n;
    EXPECT_EQ(row[1], Cell(group.n * 10));
    EXPECT_EQ(row[2], Cell(std::string(group.n > 10 ? "many" : "few")));
    EXPECT_EQ(row[3], Cell(static_cast<double>(group.sum) / static_cast<double>(group.n)));
  }
  const auto note = [&](const std::string& text) { return text.find("noisy values decided") != std::string::npos; };
  EXPECT_TRUE(std::any_of(answer.notes.begin(), answer.notes.end(), note));
  using plan::Type;
  EXPECT_EQ(answer.types, (std::vector<Type>{Type::text, Type::integer, Type::text, Type::real, Type::text}));
}

}  // namespace
}  // namespace dither::sql
