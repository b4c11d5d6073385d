// Relations under construction: with their size, and with the columns that say whose a row is.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "plan/relation.h"

namespace dither::sql {

inline constexpr std::size_t kMostSteps = 1000;      // upon each other
inline constexpr std::size_t kMostColumns = 10'000;  // of one SELECT, and as many keys
inline constexpr std::size_t kMostCells = 200'000;   // columns of all steps, each counted as often as it is used

struct Rows {
  plan::Relation relation;
  std::vector<bool> unit;  // of each column: whether it equals the unit in every row
  std::size_t steps = 1;
  std::size_t cells = 0;

  std::size_t width() const { return relation->columns().size(); }
  plan::Expression column(std::size_t position) const;
};

// Each is the step of the same name of plan/relation.h. too-deep beyond the limits, so that nothing that walks the relation as
// a tree can take long.
Rows scan(const plan::Project& project, const std::string& table);
Rows filter(const Rows& input, const plan::Expression& keep);
Rows project(Rows input, std::vector<plan::Expression> columns);  // leaves out what changes nothing
// Pairs of positions. A column that equals the unit stands for it.
Rows join(const Rows& left, const Rows& right, plan::JoinKind kind,
          std::vector<std::pair<std::size_t, std::size_t>> equal);
Rows union_all(const std::vector<Rows>& inputs);
Rows distinct(const Rows& input);
Rows aggregate(const Rows& input, std::size_t keys, const std::vector<plan::AggregateCall>& calls);
Rows sort(const Rows& input, std::vector<plan::Sort::By> by);
Rows limit(const Rows& input, std::uint64_t rows, std::uint64_t skip);

}  // namespace dither::sql
