// For tests and fuzzing: plans run by the real engine on databases that are neighbours.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/engine.h"
#include "engine/exact_check.h"
#include "sql/neighbours_check.h"

namespace dither::sql {

// DuckDB over the files of several databases: their tables are visits_0, visits_1, ...
class RealEngine {
 public:
  RealEngine(const std::string& neighbours, const std::vector<PlanDatabase>& databases)
      : project_(plan::parse_project(project_text(neighbours, numbers(databases.size())), folder_.file("dither.yaml"))),
        engine_(engine::open_duckdb(project_, {.memory = std::uint64_t{256} << 20, .threads = 1, .spill = {}})) {
    for (std::size_t i = 0; i < databases.size(); ++i) write(databases[i], i);
  }

  const plan::Project& project() const { return project_; }

  // The plan of a statement over one of the databases.
  session::PricedPlan plan_of(const std::string& statement, std::size_t database) const {
    return planned(project_, over(statement, database));
  }
  ExactNumbers numbers_of(const plan::BoundedAggregate& aggregate) {
    engine_->prepare(aggregate);
    return engine::by_key(engine_->run(aggregate, {}));
  }

 private:
  static std::vector<std::string> numbers(std::size_t count) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(fmt::format("_{}", i));
    return all;
  }
  static const std::vector<std::string>& tables() {
    static const std::vector<std::string> all = {"visits", "people", "orders", "bills", "parts", "logs", "any3"};
    return all;
  }
  static std::string over(std::string statement, std::size_t database) {
    for (const std::string& table : tables()) {
      const std::string number = fmt::format("_{}", database);
      for (std::size_t at = statement.find(" " + table); at != std::string::npos;
           at = statement.find(" " + table, at + 1)) {
        statement.insert(at + 1 + table.size(), number);
      }
    }
    return statement;
  }

  void write(const PlanDatabase& database, std::size_t number) const {
    for (const std::string& table : tables()) write(fmt::format("{}_{}", table, number), database.at(table));
    write("regions", database.at("regions"));
  }
  void write(const std::string& table, const testing::PlanRows& rows) const {
    std::string text;
    for (const auto& column : project_.table(table).columns) text += (text.empty() ? "" : ",") + column.name;
    for (const PlanRow& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "\n" : ",") + field(row[i]);
    }
    folder_.write(table + ".csv", text + "\n");
  }
  static std::string field(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return '"' + *text + '"';
    const auto* whole = std::get_if<std::int64_t>(&cell);
    return whole == nullptr ? "" : std::to_string(*whole);
  }

  engine::TestFolder folder_;
  plan::Project project_;
  std::unique_ptr<engine::Engine> engine_;
};

// Statements made of what the tables above have: filters, projections, joins, unions, DISTINCT, every aggregate.
class RandomStatements {
 public:
  explicit RandomStatements(testing::Choices choices) : choices_(std::move(choices)) {}

  std::string next() {
    const Source source = choices_.one_of(sources());
    std::string list, keys;
    for (std::uint64_t i = choices_.below(3); i > 0 && !source.keys.empty(); --i) {
      const std::string key = choices_.one_of(source.keys);
      if (keys.find(key) != std::string::npos) continue;
      keys += (keys.empty() ? " GROUP BY " : ", ") + key;
      list += key + ", ";
    }
    for (std::uint64_t i = choices_.below(3); i > 0; --i) list += aggregate(source) + ", ";
    list += aggregate(source);
    const std::string where = choices_.below(2) == 0 ? "" : " WHERE " + condition(source, 2);
    return fmt::format("SELECT {} FROM {}{}{}", list, from(source), where, keys);
  }

 private:
  struct Source {
    std::string from;  // $ is a condition
    std::vector<std::string> keys, texts;
    std::string number, unit;
  };
  static const std::vector<Source>& sources() {
    static const std::vector<std::string> visited = {"city", "town", "cost > 2", "cost", "LOWER(town)"};
    static const std::vector<Source> all = {
        {" visits", visited, {"city", "town"}, "cost", "person"},
        {"(SELECT * FROM visits WHERE $) t", visited, {"city", "town"}, "cost", "person"},
        {"(SELECT person, city, cost + 1 AS cost, town FROM visits) t", visited, {"city", "town"}, "cost", "person"},
        {"(SELECT DISTINCT person, city, cost, town FROM visits) t", visited, {"city", "town"}, "cost", "person"},
        {"(SELECT person, city, cost, town FROM visits UNION ALL SELECT person, town, cost, city FROM visits WHERE $) "
         "t",
         visited,
         {"city", "town"},
         "cost",
         "person"},
        {" visits v JOIN people p ON v.person = p.person",
         {"city", "team", "town"},
         {"city", "team"},
         "cost",
         "v.person"},
        {" visits v LEFT JOIN people p ON v.person = p.person",
         {"city", "team", "town"},
         {"city", "town"},
         "cost",
         "v.person"},
        {" visits v JOIN regions r ON v.city = r.city", {"zone", "town"}, {"zone", "town"}, "cost", "person"},
        {" visits v LEFT JOIN regions r ON v.town = r.zone", {"r.city", "v.city"}, {"zone", "town"}, "cost", "person"},
        {" bills", {"amount"}, {}, "amount", ""},
        {" parts", {"size"}, {}, "size", ""},
        {" logs", {"kind", "town", "size"}, {"kind", "town"}, "size", ""},
        {" any3", {"kind", "size"}, {"kind"}, "size", ""}};
    return all;
  }

  std::string from(const Source& source) {
    const std::size_t at = source.from.find('$');
    if (at == std::string::npos) return source.from;
    return source.from.substr(0, at) + condition(source, 1) + source.from.substr(at + 1);
  }

  std::string condition(const Source& source, int depth) {
    const std::string n = source.number;
    const std::string number = std::to_string(choices_.below(6));
    switch (choices_.below(depth > 0 ? 8 : 5)) {
      case 0:
        return fmt::format("{} > {}", n, number);
      case 1:
        return fmt::format("{} IS NULL", n);
      case 2:
        return fmt::format("{} % 2 = 0", n);
      case 3:
        return source.texts.empty() ? n + " < 3"
                                    : fmt::format("{} IN ('a', 'b', 'p', 'x')", choices_.one_of(source.texts));
      case 4:
        return source.texts.empty() ? n + " <> 3" : fmt::format("{} <> 'a'", choices_.one_of(source.texts));
      case 5:
        return fmt::format("NOT ({})", condition(source, depth - 1));
      case 6:
        return fmt::format("({} AND {})", condition(source, depth - 1), condition(source, depth - 1));
      default:
        return fmt::format("({} OR {})", condition(source, depth - 1), condition(source, depth - 1));
    }
  }

  std::string number(const Source& source) {
    const std::string& n = source.number;
    switch (choices_.below(6)) {
      case 0:
        return n + " * 2 - 1";
      case 1:
        return fmt::format("ABS({})", n);
      case 2:
        return fmt::format("CLAMP({}, 0, 3)", n);
      case 3:
        return fmt::format("CASE WHEN {} THEN {} ELSE 2 END", condition(source, 1), n);
      default:
        return n;
    }
  }

  std::string aggregate(const Source& source) {
    std::string call = "COUNT(*)";
    switch (choices_.below(8)) {
      case 0:
        break;
      case 1:
        call = fmt::format("COUNT({})", number(source));
        break;
      case 2:
        if (!source.unit.empty()) call = fmt::format("COUNT(DISTINCT {})", source.unit);
        break;
      case 3:
        call = fmt::format("AVG({})", number(source));
        break;
      case 4:
        call = fmt::format("VAR_POP({})", number(source));
        break;
      case 5:
        call = fmt::format("STDDEV_SAMP({})", number(source));
        break;
      default:
        call = fmt::format("SUM({})", number(source));
    }
    return choices_.below(4) == 0 ? fmt::format("{} FILTER (WHERE {})", call, condition(source, 1)) : call;
  }

  testing::Choices choices_;
};

}  // namespace dither::sql
