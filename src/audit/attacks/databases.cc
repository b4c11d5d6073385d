#include "audit/attacks/databases.h"

#include <fmt/format.h>

#include <utility>

namespace dither::audit {

const char* const kDatabaseTables = R"(
  visits:
    source: visits.csv
    unit: person
    bounds: {rows_per_unit: 3, keys_per_unit: 2, rows_per_key: 2}
    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b], outside: other}
      cost: {type: integer, bounds: [-2, 4], outside: clamp}
      pay: {type: decimal, grid: 0.01, bounds: [0, 8], outside: clamp}
      town: {type: text}
      weight: {type: real, bounds: [0, 4], outside: clamp}
      score: {type: integer, bounds: [0, 4], outside: null}
      grade: {type: integer, bounds: [0, 4], outside: clamp, null_as: 2}
      day: {type: date, bounds: ["2024-01-01", "2024-01-03"], outside: clamp}
  people:
    source: people.csv
    unit: person
    bounds: {rows_per_unit: 1, keys_per_unit: 1, rows_per_key: 1}
    columns:
      person: {type: integer}
      team: {type: text, keys: [x, z], outside: other}
      nick: {type: text}
  orders:
    source: orders.csv
    unit: person
    unique: [id]
    bounds: {rows_per_unit: 2, keys_per_unit: 2, rows_per_key: 1}
    columns:
      id: {type: integer}
      person: {type: integer}
  bills:
    source: bills.csv
    unit: {through: orders, by: {order_id: id}}
    unique: [id]
    bounds: {rows_per_unit: 2, keys_per_unit: 2, rows_per_key: 1}
    columns:
      order_id: {type: integer}
      amount: {type: integer, bounds: [1, 4], outside: clamp}
      id: {type: integer}
  parts:
    source: parts.csv
    unit: {through: bills, by: {bill_id: id}}
    bounds: {rows_per_unit: 2, keys_per_unit: 2, rows_per_key: 1}
    columns:
      bill_id: {type: integer}
      size: {type: integer, bounds: [0, 3], outside: clamp}
  logs:
    source: logs.csv
    unit: row
    columns:
      kind: {type: text, keys: [p, q], outside: other}
      size: {type: integer, bounds: [0, 4], outside: clamp}
      place: {type: text}
  any3:
    source: any3.csv
    unit: {rows: 3}
    columns:
      kind: {type: text, keys: [p, q], outside: other}
      size: {type: integer, bounds: [0, 2], outside: clamp}
  regions:
    source: regions.csv
    public: true
    unique: [city]
    columns:
      city: {type: text}
      zone: {type: text, keys: [north, south], outside: other}
  offers:
    source: offers.csv
    public: true
    multiplicity: {city: 2}
    columns:
      city: {type: text}
      price: {type: integer, bounds: [0, 3], outside: clamp}
)";

namespace {

// Nobody; the public tables have their rows.
CsvTables nobody() {
  return {{"visits.csv", "person,city,cost,pay,town,weight,score,grade,day\n"},
          {"people.csv", "person,team,nick\n"},
          {"orders.csv", "id,person\n"},
          {"bills.csv", "order_id,amount,id\n"},
          {"parts.csv", "bill_id,size\n"},
          {"logs.csv", "kind,size,place\n"},
          {"any3.csv", "kind,size\n"},
          {"regions.csv", "city,zone\na,north\nb,south\nother,south\n"},
          {"offers.csv", "city,price\na,3\na,2\na,1\nb,3\nother,9\n"}};
}

CsvTables with(CsvTables tables, const CsvTables& more) {
  for (const auto& [name, rows] : more) tables[name] += rows;
  return tables;
}

// The rows of what changes stand before those of all others: whatever goes by the place of a row moves these too.
CsvTables before(CsvTables tables, const CsvTables& more) {
  for (const auto& [name, rows] : more) tables[name].insert(tables[name].find('\n') + 1, rows);
  return tables;
}

std::string often(int times, const std::string& rows) {
  std::string all;
  for (int i = 0; i < times; ++i) all += rows;
  return all;
}

// One person's visits: many more than count, of every city, day and grade, at the high bounds, to so many towns.
std::string many_visits(int person, int towns) {
  std::string rows;
  for (int i = 0; i < 60; ++i) {
    const char* const city = i % 2 == 0 ? "a" : "b";
    rows += often(5, fmt::format("{},{},4,8,town{},4,4,{},2024-01-0{}\n", person, city, i % towns, i % 5, 1 + i % 3));
  }
  return rows;
}

// Some people: two with everything, one of whom has rows without values, a dozen with a visit only, and one who does
// all that the person who comes and goes does, so that what both share is nobody's alone (hole 24).
CsvTables others() {
  std::string visits = "1,a,1,2.50,often,1,1,1,2024-01-01\n1,b,2,0.01,often,2,2,2,2024-01-02\n2,a,,,rare,,,,\n";
  for (int person = 11; person < 23; ++person) visits += fmt::format("{},a,0,1,often,0,0,0,2024-01-01\n", person);
  visits += many_visits(3, 4);
  return with(nobody(), {{"visits.csv", visits},
                         {"people.csv", "1,x,all\n2,z,all\n"},
                         {"orders.csv", "10,1\n20,2\n"},
                         {"bills.csv", "10,2,1001\n20,3,1002\n"},
                         {"parts.csv", "1001,1\n1002,2\n"},
                         {"logs.csv", "p,1,here\nq,,\n"},
                         {"any3.csv", "p,1\n"}});
}

std::string many_orders() {
  std::string rows;
  for (int i = 0; i < 20; ++i) rows += fmt::format("7{:02},7\n", i);
  return rows;
}
std::string many_bills() {
  std::string rows;
  for (int i = 0; i < 60; ++i) rows += fmt::format("7{:02},9,70{:02}\n", i % 20, i);
  return rows;
}
std::string many_parts() {
  std::string rows;
  for (int i = 0; i < 60; ++i) rows += often(2, fmt::format("70{:02},9\n", i));
  return rows;
}
std::string bills_of_nobody() {
  std::string rows;
  for (int i = 0; i < 20; ++i) rows += fmt::format("60,9,60{:02}\n,9,61{:02}\n99,9,62{:02}\n", i, i, i);
  return rows;
}

// Units that do all they may: more rows and keys than count, values beyond their bounds, duplicates, odd ones, and
// cells that are no numbers, or on which a cast or a division might fail. Rows without a unit, or with one that cannot
// be read, or of an order that has none or is not there, are nobody's, so that they change nothing. No other database
// has such rows: taken for somebody's, they would show beside what the unit does.
const CsvTables kHigh = {
    {"visits.csv",
     "7,a,9223372036854775807,1e9,new,1e300,4,99,2024-01-03\n7,a,99,1e9,new,inf,4,99,2999-01-01\n"
     "7,b,99,99,new,99,4,4,2024-01-03\n7,c,4,8,new,4,4,4,2024-01-03\n"
     "7,a,3,7,new,3,3,3,2024-01-03\n7,b,3,7,new,3,3,3,2024-01-03\n7,a,2,7,new,3,3,3,2024-01-03\n"
     "7,b,2,7,new,3,3,3,2024-01-03\n7,a,1,7,new,3,3,3,2024-01-03\n7,b,1,7,new,3,3,3,2024-01-03\n"
     "7,a,many,much,12,heavy,four,good,2024-01-03\n7,b,4,8,9223372036854775808,4,0,4,2024-01-03\n" +
         many_visits(7, 60) + often(10, ",a,4,8,new,4,4,4,2024-01-03\nNaN,b,4,8,new,4,4,4,2024-01-03\n")},
    {"people.csv", "7,x,one\n7,x,two\n7,z,two\n" + often(10, ",x,nobody\n,z,nobody\n")},
    {"orders.csv", many_orders() + "60,\n"},
    {"bills.csv", many_bills() + bills_of_nobody()},
    {"parts.csv", many_parts() + often(10, "6000,9\n6100,9\n6200,9\n9999,9\n,9\n")},
    {"logs.csv", "p,99,there\n"},
    {"any3.csv", "p,9\np,9\np,9\n"}};
const CsvTables kLow = {{"visits.csv",
                         "7,a,-9223372036854775808,NaN,old,NaN,-99,,1000-01-01\n7,b,-99,-5,,-inf,,-99,\n"
                         "7,b,,NaN,old,nan,9,,someday\n7,,-99,-5,,-inf,,-99,\n"},
                        {"people.csv", "7,,one\n7,,two\n"},
                        {"orders.csv", "700,7\n701,7\n"},
                        {"bills.csv", "700,,7000\n701,-5,7001\n"},
                        {"parts.csv", "7000,\n7001,-5\n7001,-5\n"},
                        {"logs.csv", ",-5,\n"},
                        {"any3.csv", "q,-5\nq,\n,0\n"}};

// One row of everything, with nothing in it; of rows that are units, records that cannot be read. Were one dropped, a number
// that is given without noise would move.
const CsvTables kOne = {{"visits.csv", "7,,,,,,,,\n"},         {"people.csv", "7,z,\n"},  {"orders.csv", "700,7\n"},
                        {"bills.csv", "700,1,7000\n"},         {"parts.csv", "7000,0\n"}, {"logs.csv", "q,0\n"},
                        {"any3.csv", "q,0,0\nq,\"0\n\xff,0\n"}};

}  // namespace

std::vector<SqlPair> database_pairs(const std::string& relation) {
  const CsvTables some = others();
  if (relation == "add-remove") {
    return {{"some people", "and before them one with many rows at the high bounds, and rows of nobody", some,
             before(some, kHigh)},
            {"nobody", "one at the low bounds, with missing values", nobody(), with(nobody(), kLow)}};
  }
  return {{"a person at the low bounds", "the same at the high bounds", with(some, kLow), with(some, kHigh)},
          {"a person with one empty row, before all others", "the same at the high bounds", before(some, kOne),
           before(some, kHigh)}};
}

SqlPair nobody_and_one() {
  return {"nobody", "one with many rows at the high bounds", nobody(), with(nobody(), kHigh)};
}

}  // namespace dither::audit
