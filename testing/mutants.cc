#include "testing/mutants.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "audit/sql_subject.h"
#include "base/int128.h"
#include "calculus/detail/access.h"
#include "random/source.h"
#include "testing/path_mutants.h"

namespace dither::testing {

using namespace calculus;  // NOLINT
using audit::DataPair;
using audit::SampledLaw;
using audit::SqlPair;
using audit::SqlSubject;
using audit::Subject;
using audit::View;

namespace {

constexpr int kTimes = 2;             // as far apart
constexpr int kTimesOfLoose = 4;      // of promises that are worth half of what the neighbours here can show
constexpr int kTimesOfKeys = 16;      // most of what keys lose is within delta, and few units are cut
constexpr int kTimesOfMany = 9;       // of many small charges, or where few runs see little
constexpr int kTimesOfStatement = 6;  // whose epsilon is shared among numbers
constexpr int kTimesOfWhole = 200;    // few whole answers can be asked for

// The number of y, so many times as far from that of x.
Int128 further(Int128 x, Int128 y, int times) {
  const Int128 apart = y - x;
  return add_saturating(x, times * apart);
}

Integers further(const Integers& x, const Integers& y, int times) {
  Integers result = x;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = further(x[i], y[i], times);
  return result;
}

Keyed further(const Keyed& x, const Keyed& y) {
  std::map<std::string, std::pair<Int128, Int128>> all;
  for (std::size_t i = 0; i < x.keys.size(); ++i) all[x.keys[i]].first = x.values[i];
  for (std::size_t i = 0; i < y.keys.size(); ++i) all[y.keys[i]].second = y.values[i];
  Keyed result;
  for (const auto& [key, both] : all) {
    const Int128 value = further(both.first, both.second, kTimes);
    if (value <= 0) continue;
    result.keys.push_back(key);
    result.values.push_back(value);
  }
  return result;
}

// Rows of one table that the other does not have, so many times; where rows have a unit, of so many units.
Table more_of(const Table& table, const Table& other, int times) {
  Table result = table;
  std::vector<std::string> there;
  for (const Row& row : other) there.push_back(canonical(std::span(row)));
  for (const Row& row : table) {
    const auto found = std::find(there.begin(), there.end(), canonical(std::span(row)));
    if (found != there.end()) {
      there.erase(found);
      continue;
    }
    for (int copy = 1; copy < times; ++copy) {
      Row clone = row;
      if (row.size() > 1) clone[0] = std::get<std::int64_t>(row[0]) + 1000 * copy;
      result.push_back(clone);
    }
  }
  return result;
}

DataPair further(const DataPair& pair, int times) {
  DataPair result = pair;
  if (const auto* x = std::get_if<Integers>(&pair.x)) {
    result.y = further(*x, std::get<Integers>(pair.y), times);
  } else if (const auto* by_key = std::get_if<Keyed>(&pair.x)) {
    result.y = further(*by_key, std::get<Keyed>(pair.y));
  } else if (const auto* table = std::get_if<Table>(&pair.x)) {
    result.x = more_of(*table, std::get<Table>(pair.y), times);
    result.y = more_of(std::get<Table>(pair.y), *table, times);
  } else {
    Tables a = std::get<Tables>(pair.x), b = std::get<Tables>(pair.y);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Table before = a[i];
      a[i] = more_of(before, b[i], times);
      b[i] = more_of(b[i], before, times);
    }
    result.x = a;
    result.y = b;
  }
  return result;
}

// The columns of a file that say whose a row is, or name it for others: with another digit in front they belong to
// another. Nothing of tables whose rows are units of their own.
std::vector<std::size_t> names_in(const std::string& file) {
  if (file == "visits.csv" || file == "people.csv" || file == "parts.csv") return {0};
  if (file == "orders.csv") return {0, 1};
  if (file == "bills.csv") return {0, 2};
  return {};
}

// The row of another; nothing of a row that is nobody's.
std::optional<std::string> another(const std::string& line, const std::vector<std::size_t>& names,
                                   const std::string& digit) {
  std::string result;
  std::istringstream cells(line + ",");
  std::size_t column = 0;
  for (std::string cell; std::getline(cells, cell, ','); ++column) {
    const bool name = std::find(names.begin(), names.end(), column) != names.end();
    if (name && (cell.empty() || std::isdigit(static_cast<unsigned char>(cell[0])) == 0)) return std::nullopt;
    result += (column == 0 ? "" : ",") + (name ? digit : "") + cell;
  }
  return result;
}

// The same of lines of text.
std::string more_lines(const std::string& file, const std::string& text, const std::string& other, int times) {
  std::vector<std::string> there;
  std::istringstream others(other);
  for (std::string line; std::getline(others, line);) there.push_back(line);
  std::string result = text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto found = std::find(there.begin(), there.end(), line);
    if (found != there.end()) {
      there.erase(found);
      continue;
    }
    for (int copy = 1; copy < times; ++copy) {
      if (const auto clone = another(line, names_in(file), std::to_string(copy))) result += *clone + "\n";
    }
  }
  return result;
}

SqlPair further(const SqlPair& pair, int times) {
  SqlPair result = pair;
  for (const auto& [file, text] : pair.x) {
    result.x[file] = more_lines(file, text, pair.y.at(file), times);
    result.y[file] = more_lines(file, pair.y.at(file), text, times);
  }
  return result;
}

Distance half(const Distance& distance) {
  if (const auto* one = std::get_if<Rational>(&distance)) return *one / Rational(2);
  const CellsDistance& four = cells_of(distance);
  return CellsDistance{four.cells / 2, four.l1 / 2, four.l2_squared / 2, four.largest / 2};
}

AnyTransformation wrong(const AnyTransformation& step) {
  AnyTransformation::Parts parts = CombinatorAccess::parts(step);
  if (parts.map(one_step(step.from())) == zero(step.to())) {
    parts.function = [](const Data& data) -> Data {  // how many rows have a first cell: this moves under every relation
      const Table& table = std::get<Table>(data);
      return Integers{std::count_if(table.begin(), table.end(),
                                    [](const Row& row) { return !std::holds_alternative<std::monostate>(row[0]); })};
    };
  } else {
    parts.map = [map = parts.map](const Distance& d) { return half(map(d)); };
  }
  return AnyTransformation(std::move(parts));
}

int times_of(const audit::Attack& attack) {
  const auto among = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), attack.claim) != names.end();
  };
  if (attack.tester == "dp-sniper-bits") return kTimesOfMany;  // which reads numbers by their bits, and so badly
  if (among({"filter-advanced", "filter-renyi-all", "filter-renyi-any", "agents", "odometer", "in-pieces"}))
    return kTimesOfMany;
  // Noise of parties that may collude is not counted on; some theorems are no tighter.
  if (among({"group", "change-relation", "distributed-binomial", "distributed-skellam", "cut-batches", "shuffle",
             "selection", "tuning"}))
    return kTimesOfLoose;
  return kTimes;
}

// Where nothing of an answer depends on a row: a number that does is taken for one that does not.
Subject moving(SqlSubject mutant) {
  mutant.statement = "SELECT COUNT(*) FROM visits";
  mutant.keys = 0;
  mutant.wanted.epsilon = 2000;
  return std::make_shared<const SqlSubject>(std::move(mutant));
}

struct Mutate {
  const audit::Attack& attack;

  // What is given as a black box cannot be opened: nobody attacks one of ours so.
  Subject operator()(const audit::Target&) const { throw std::logic_error(attack.name + ": a target has no mutant"); }
  Subject operator()(View view) const {
    const int times = times_of(attack);
    for (DataPair& pair : view.pairs) pair = further(pair, times);
    return view;
  }
  Subject operator()(const std::shared_ptr<const SqlSubject>& statement) const {
    SqlSubject mutant = *statement;
    if (mutant.promise.pure_epsilon() == 0) return moving(std::move(mutant));
    // Where a size is public, more rows in both databases change nothing.
    const bool size = attack.name.find("without noise") != std::string::npos;
    const bool of_keys = attack.claim == "sql-unknown-keys" || attack.claim == "sql-cut-units";
    for (SqlPair& pair : mutant.pairs) {
      const audit::CsvTables before = pair.x;
      pair = further(pair, mutant.whole ? kTimesOfWhole : of_keys ? kTimesOfKeys : kTimesOfStatement);
      if (size) pair.x = before;
    }
    return std::make_shared<const SqlSubject>(std::move(mutant));
  }
  Subject operator()(const AnyTransformation& step) const { return wrong(step); }
  Subject operator()(const audit::FiniteMechanism& finite) const {
    const audit::Channel& channel = finite.channel;
    std::vector<std::vector<Interval>> rows(channel.inputs().size());
    for (std::size_t x = 0; x < rows.size(); ++x) {
      Interval sum(0);
      for (std::size_t k = 0; k < channel.outputs().size(); ++k) {
        rows[x].push_back(channel.probability(x, k) * channel.probability(x, k));
        sum = sum + rows[x].back();
      }
      for (Interval& entry : rows[x]) entry = entry / sum;
    }
    return audit::FiniteMechanism{{channel.inputs(), channel.outputs(), rows, channel.adjacency()}, finite.promise};
  }
  Subject operator()(SampledLaw law) const {
    law.fill = [fill = law.fill, low = law.low](std::span<std::int64_t> out, random::Source& source) {
      fill(out, source);
      for (std::int64_t& k : out) {
        if (source.bits(4) == 0) k = low;
      }
    };
    return law;
  }
};

}  // namespace

std::vector<Subject> mutants_of(const audit::Attack& attack) {
  std::vector<Subject> mutants = path_mutants_of(attack);
  mutants.push_back(std::visit(Mutate{attack}, attack.subject()));
  return mutants;
}

}  // namespace dither::testing
