#include "audit/detail/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "audit/detail/columns.h"

namespace dither::audit::detail {

namespace {

constexpr std::int64_t kLooked = 20'000;

double share(std::int64_t hits, std::int64_t runs) { return static_cast<double>(hits) / static_cast<double>(runs); }

}  // namespace

BoxSpace::BoxSpace(const Runs& training, const Shape& shape)
    : shape_(shape), columns_(telling_columns(training, shape, kMostEntries)) {
  for (const std::size_t i : columns_) {
    std::vector<double> values;
    for (const Outputs* outputs : {&training.first, &training.second}) {
      const std::int64_t looked = std::min(outputs->runs(), kLooked);
      for (std::int64_t run = 0; run < looked; ++run) values.push_back(outputs->row(run)[i]);
    }
    cells_.emplace_back(std::move(values), shape[i]);
  }
}

BoxSpace::Coded BoxSpace::code(const Outputs& outputs) const {
  Coded coded{outputs.runs(), std::vector<std::uint8_t>(cells_.size() * static_cast<std::size_t>(outputs.runs()))};
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    std::uint8_t* to = coded.cells.data() + i * static_cast<std::size_t>(outputs.runs());
    for (std::int64_t run = 0; run < outputs.runs(); ++run)
      to[run] = static_cast<std::uint8_t>(cells_[i].of(outputs.row(run)[columns_[i]]));
  }
  return coded;
}

Box BoxSpace::everything() const {
  Box box;
  for (const Cells& cells : cells_) box.push_back({0, cells.count() - 1});
  return box;
}

// Entries of a random output, about half of them held to its cell.
Box BoxSpace::around(const Coded& coded, std::mt19937_64& random) const {
  Box box = everything();
  const auto run = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(coded.runs));
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (random() % 2 == 0) box[i] = {coded.at(i, run), coded.at(i, run)};
  }
  return box;
}

// How often each cell of one entry occurs among the runs whose other entries are in the box.
std::vector<std::int64_t> BoxSpace::counts_of(const Coded& coded, const Box& box, std::size_t entry) const {
  std::vector<std::uint8_t> in(static_cast<std::size_t>(coded.runs), 1);
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (i == entry || free(box[i], i)) continue;
    const std::uint8_t* cell = coded.cells.data() + i * in.size();
    for (std::size_t run = 0; run < in.size(); ++run) {
      in[run] =
          static_cast<std::uint8_t>(in[run] & (cell[run] >= box[i].low ? 1 : 0) & (cell[run] <= box[i].high ? 1 : 0));
    }
  }
  std::vector<std::int64_t> counts(cells_[entry].count());
  const std::uint8_t* cell = coded.cells.data() + entry * in.size();
  for (std::size_t run = 0; run < in.size(); ++run) counts[cell[run]] += in[run];
  return counts;
}

bool BoxSpace::improve(FoundBox& found, const Coded& first, const Coded& second, std::size_t entry,
                       const Excess& excess) const {
  std::vector<std::int64_t> of_first = counts_of(first, found.box, entry);
  std::vector<std::int64_t> of_second = counts_of(second, found.box, entry);
  const double before = found.worth.margin;
  const std::size_t cells = of_first.size();
  for (std::size_t low = 0; low < cells; ++low) {
    std::int64_t sum_first = 0;
    std::int64_t sum_second = 0;
    for (std::size_t high = low; high < cells; ++high) {
      sum_first += of_first[high];
      sum_second += of_second[high];
      if (!cells_[entry].one_event(low, high) && !free({low, high}, entry)) continue;
      const double a = share(sum_first, first.runs);
      const double b = share(sum_second, second.runs);
      for (const bool swapped : {false, true}) {
        const Excess::Best worth = swapped ? excess.of(b, a) : excess.of(a, b);
        if (worth.margin <= found.worth.margin) continue;
        found.box[entry] = {low, high};
        found.swapped = swapped;
        found.worth = worth;
      }
    }
  }
  return found.worth.margin > before;
}

FoundBox BoxSpace::search(const Runs& training, const Excess& excess, int restarts, std::uint64_t seed) const {
  const Coded first = code(training.first);
  const Coded second = code(training.second);
  std::mt19937_64 random(seed);
  FoundBox best{everything(), false, {-HUGE_VAL, 0}};
  for (int start = 0; start < restarts; ++start) {
    FoundBox found{start == 0 ? everything() : around(start % 2 == 0 ? first : second, random), false, {-HUGE_VAL, 0}};
    for (bool better = true; better;) {
      better = false;
      for (std::size_t entry = 0; entry < cells_.size(); ++entry)
        better |= improve(found, first, second, entry, excess);
    }
    if (found.worth.margin > best.worth.margin) best = std::move(found);
  }
  return best;
}

FoundBox BoxSpace::again(const FoundBox& found, const Runs& runs, const Excess& excess) const {
  const AttackSet set = set_of(found.box, {});
  const auto frequency = [&](const Outputs& outputs) {
    std::int64_t hits = 0;
    for (std::int64_t run = 0; run < outputs.runs(); ++run) hits += set.contains(outputs.row(run), 0) ? 1 : 0;
    return share(hits, outputs.runs());
  };
  const double first = frequency(runs.first);
  const double second = frequency(runs.second);
  return {found.box, found.swapped, found.swapped ? excess.of(second, first) : excess.of(first, second)};
}

bool BoxSpace::free(const Range& range, std::size_t entry) const {
  return range.low == 0 && range.high + 1 == cells_[entry].count();
}

AttackSet BoxSpace::set_of(const Box& box, const Words& words) const {
  struct Condition {
    std::size_t entry;
    Cells cells;
    Range range;
  };
  std::vector<Condition> conditions;
  std::string text;
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (free(box[i], i)) continue;
    const std::string entry = shape_.size() == 1 ? "the output" : fmt::format("entry {}", columns_[i] + 1);
    text += (text.empty() ? "" : ", ") + entry + " " + cells_[i].text(box[i].low, box[i].high, words);
    conditions.push_back({columns_[i], cells_[i], box[i]});
  }
  const auto kept = std::make_shared<const std::vector<Condition>>(std::move(conditions));
  return {.description = text.empty() ? "any output" : text,
          .score =
              [kept](std::span<const double> row) {
                for (const Condition& condition : *kept) {
                  const std::size_t cell = condition.cells.of(row[condition.entry]);
                  if (cell < condition.range.low || cell > condition.range.high) return 0.0;
                }
                return 1.0;
              },
          .threshold = 0.5};
}

}  // namespace dither::audit::detail
