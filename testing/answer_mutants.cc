#include "testing/answer_mutants.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "accounting/spent.h"
#include "base/canonical.h"
#include "base/error.h"
#include "session/answer.h"

namespace dither::testing {

using audit::SqlSubject;
using audit::Subject;
using session::Answer;

namespace {

// A question, as it comes.
struct Asked {
  session::Session& session;
  const std::string& text;
  const sql::Wanted& wanted;
  const session::Ask& ask;

  Answer answer() const { return sql::query(session, text, wanted, ask); }
  // At next to no noise.
  Answer true_answer() const {
    const Rational plenty(2000);
    sql::Wanted more = wanted;
    (more.rho ? more.rho : more.epsilon) = plenty;
    return sql::query(session, text, more, ask);
  }
  // The lines of a table's file, without the names of its columns.
  std::vector<std::string> lines(const std::string& table) const {
    const plan::Project& project = session.project();
    std::ifstream file(std::filesystem::path(project.path).parent_path() / project.table(table).source.path);
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) all.push_back(line);
    all.erase(all.begin());
    return all;
  }
};

double number_of(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&cell);
  return real != nullptr ? *real : 0;
}

std::string key_of(const std::vector<Cell>& row) { return canonical(std::span(row).first(1)); }

// A column of the true answer, by key.
std::map<std::string, double> true_numbers(const Asked& asked, std::size_t column) {
  std::map<std::string, double> numbers;
  for (const auto& row : asked.true_answer().rows) numbers[key_of(row)] = number_of(row[column]);
  return numbers;
}

// Rows in the order of the true numbers of one column.
Answer in_true_order(const Asked& asked) {
  constexpr std::size_t kSum = 4;  // SUM(cost)
  std::map<std::string, double> sums = true_numbers(asked, kSum);
  Answer answer = asked.answer();
  std::stable_sort(answer.rows.begin(), answer.rows.end(),
                   [&](const auto& one, const auto& other) { return sums[key_of(one)] > sums[key_of(other)]; });
  return answer;
}

// HAVING, ORDER BY and LIMIT see true numbers; those that are shown have noise.
Answer chosen_by_true_numbers(const Asked& asked) {
  const Answer chosen = asked.true_answer();
  const std::string unchosen = asked.text.substr(0, asked.text.find(" HAVING"));
  Answer noisy = sql::query(asked.session, unchosen, asked.wanted, asked.ask);
  std::map<std::string, std::vector<Cell>> by_key;
  for (const auto& row : noisy.rows) by_key[key_of(row)] = row;
  noisy.rows.clear();
  for (const auto& row : chosen.rows) noisy.rows.push_back(by_key.at(key_of(row)));
  return noisy;
}

// Each interval is that of the true number, as wide as it should be.
Answer around_true_numbers(const Asked& asked) {
  std::map<std::string, double> counts = true_numbers(asked, 1);
  Answer answer = asked.answer();
  for (std::size_t row = 0; row < answer.rows.size(); ++row) {
    session::ValueError& error = answer.errors[row][1];
    const double half = (error.high.value() - error.low.value()) / 2, middle = counts[key_of(answer.rows[row])];
    error.low = middle - half;
    error.high = middle + half;
  }
  return answer;
}

Answer without_keys_of_nobody(const Asked& asked) {
  std::map<std::string, double> counts = true_numbers(asked, 1);
  Answer answer = asked.answer();
  for (std::size_t row = answer.rows.size(); row-- > 0;) {
    if (counts[key_of(answer.rows[row])] != 0) continue;
    answer.rows.erase(answer.rows.begin() + static_cast<std::ptrdiff_t>(row));
    answer.errors.erase(answer.errors.begin() + static_cast<std::ptrdiff_t>(row));
  }
  return answer;
}

Answer nothing_for_keys_of_nobody(const Asked& asked) {
  std::map<std::string, double> counts = true_numbers(asked, 1);
  Answer answer = asked.answer();
  for (auto& row : answer.rows) {
    if (counts[key_of(row)] == 0) row[1] = Cell{};
  }
  return answer;
}

Answer without_noise(const Asked& asked) {
  std::map<std::string, double> counts = true_numbers(asked, 1);
  Answer answer = asked.answer();
  for (auto& row : answer.rows) row[1] = static_cast<std::int64_t>(counts[key_of(row)]);
  return answer;
}

std::size_t towns(const Asked& asked) {
  std::set<std::string> all;
  for (const std::string& line : asked.lines("visits")) {
    std::string rest = line;
    for (int column = 0; column < 4; ++column) rest = rest.substr(rest.find(',') + 1);
    all.insert(rest.substr(0, rest.find(',')));
  }
  return all.size();
}

constexpr std::size_t kManyTowns = 45;  // with those of a unit that is in all of them, and not without

Answer failing_on_many_keys(const Asked& asked) {
  if (towns(asked) > kManyTowns) throw Error{Code::run_failed, "the question could not be answered", "ask again"};
  return asked.answer();
}

Answer failing_on_numbers_beyond_64_bits(const Asked& asked) {
  for (const std::string& line : asked.lines("visits")) {
    if (line.find(",9223372036854775808,") != std::string::npos)
      throw Error{Code::run_failed, "the question could not be answered", "ask again"};
  }
  return asked.answer();
}

Answer failing_on_orders_of_nobody(const Asked& asked) {
  for (const std::string& line : asked.lines("orders")) {
    if (line.ends_with(",")) throw Error{Code::run_failed, "the question could not be answered", "ask again"};
  }
  return asked.answer();
}

// The cost of each key that is there.
Answer dear_where_keys_are_many(const Asked& asked) {
  Answer answer = asked.answer();
  answer.cost = accounting::times(answer.cost, towns(asked));
  return answer;
}

Answer noting_what_was_clamped(const Asked& asked) {
  Answer answer = asked.answer();
  for (const std::string& line : asked.lines("logs")) {
    if (line.find(",99,") != std::string::npos) answer.notes.emplace_back("values beyond the bounds were clamped");
  }
  return answer;
}

// As engines do: a sum over no rows is NULL.
Answer null_without_rows(const Asked& asked) {
  Answer answer = asked.answer();
  if (asked.lines("visits").empty()) answer.rows.at(0).at(0) = Cell{};
  return answer;
}

Answer keys_that_are_there(const Asked& asked) {
  Answer answer = asked.answer();
  const std::vector<std::string> lines = asked.lines("visits");
  for (std::size_t row = answer.rows.size(); row-- > 0;) {
    const std::string cell = "," + std::get<std::string>(answer.rows[row].at(0)) + ",";
    const bool there = std::any_of(lines.begin(), lines.end(),
                                   [&](const std::string& line) { return line.find(cell) != std::string::npos; });
    if (there) continue;
    answer.rows.erase(answer.rows.begin() + static_cast<std::ptrdiff_t>(row));
    answer.errors.erase(answer.errors.begin() + static_cast<std::ptrdiff_t>(row));
  }
  return answer;
}

struct Bug {
  std::string_view attack;
  Answer (*answer)(const Asked& asked);
};
constexpr Bug kBugs[] = {
    {"sql-public-keys: all aggregates, whole answers", in_true_order},
    {"sql-public-keys: by rho, whole answers", around_true_numbers},
    {"sql-unknown-keys: COUNT(*) by town, whole answers", failing_on_many_keys},
    {"sql-above: HAVING, ORDER BY and LIMIT, whole answers", chosen_by_true_numbers},
    {"sql-above: OFFSET over unknown keys and cells on which expressions fail, whole answers",
     failing_on_numbers_beyond_64_bits},
    {"sql-join: two tables of a person, replace-one, whole answers", without_keys_of_nobody},
    {"sql-union: different rows of two tables, whole answers", without_noise},
    {"sql-foreign-key: bills by their orders, whole answers", failing_on_orders_of_nobody},
    {"sql-row-unit: logs, whole answers", noting_what_was_clamped},
    {"sql-rows-unit: any three rows, whole answers", nothing_for_keys_of_nobody},
    {"sql-unknown-keys: BigQuery's text, whole answers", dear_where_keys_are_many},
    {"sql-sum: numbers that do not move, whole answers", null_without_rows},
    {"sql-above: LIMIT 0, whole answers", failing_on_numbers_beyond_64_bits},
    {"sql-public-keys: keys alone, whole answers", keys_that_are_there},
};

}  // namespace

std::vector<Subject> answer_mutants_of(const audit::Attack& attack, const SqlSubject& statement) {
  std::vector<Subject> mutants;
  for (const Bug& bug : kBugs) {
    if (bug.attack != attack.name) continue;
    SqlSubject mutant = statement;
    mutant.query = [bug](session::Session& session, const std::string& text, const sql::Wanted& wanted,
                         const session::Ask& ask) {
      return bug.answer(Asked{session, text, wanted, ask});
    };
    mutants.emplace_back(std::make_shared<const SqlSubject>(std::move(mutant)));
  }
  return mutants;
}

}  // namespace dither::testing
