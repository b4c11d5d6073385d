#include "audit/stat_dp_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "audit/detail/columns.h"

namespace dither::audit {

namespace {

constexpr std::int64_t kLooked = 20'000;  // runs of each input that decide what is frequent
constexpr std::size_t kMostRows = 16;

using Row = std::vector<double>;
using Bits = std::vector<std::uint64_t>;

Bits bits_of(std::span<const double> row) {
  Bits bits;
  for (const double cell : row) bits.push_back(std::bit_cast<std::uint64_t>(cell));
  return bits;
}

template <class Key>
std::vector<Key> most_frequent(const std::map<Key, std::int64_t>& counts, std::size_t most, std::int64_t least) {
  std::vector<std::pair<std::int64_t, Key>> all;
  for (const auto& [key, count] : counts) {
    if (count >= least) all.emplace_back(count, key);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Key> keys;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) keys.push_back(all[i].second);
  return keys;
}

Row row_of(const Bits& bits) {
  Row row;
  for (const std::uint64_t cell : bits) row.push_back(std::bit_cast<double>(cell));
  return row;
}

std::vector<Row> frequent_rows(const Outputs& outputs, std::size_t most) {
  std::map<Bits, std::int64_t> counts;
  const std::int64_t runs = std::min(outputs.runs(), kLooked);
  for (std::int64_t run = 0; run < runs; ++run) ++counts[bits_of(outputs.row(run))];
  std::vector<Row> rows;
  for (const Bits& bits : most_frequent(counts, most, std::max<std::int64_t>(2, runs / 1000)))
    rows.push_back(row_of(bits));
  return rows;
}

std::vector<double> frequent_cells(const detail::Runs& runs, std::size_t most) {
  std::map<std::uint64_t, std::int64_t> counts;
  std::int64_t cells = 0;
  for (const Outputs* outputs : {&runs.first, &runs.second}) {
    for (std::int64_t run = 0; run < std::min(outputs->runs(), kLooked); ++run) {
      for (const double cell : outputs->row(run)) ++counts[std::bit_cast<std::uint64_t>(cell)], ++cells;
    }
  }
  return row_of(most_frequent(counts, most, std::max<std::int64_t>(2, cells / 100)));
}

bool same_cell(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

Summary count_of(double value, const Words& words) {
  return {is_absent(value) ? "the number of absent entries"
                           : fmt::format("the number of entries {}", detail::cell_text(value, Reading::word, words)),
          Reading::number, [value](std::span<const double> row) {
            return static_cast<double>(
                std::count_if(row.begin(), row.end(), [&](double x) { return same_cell(x, value); }));
          }};
}

Summary distance_to(Row reference, const std::string& input) {
  return {"the Hamming distance to the most frequent output of the " + input + " input", Reading::number,
          [reference = std::move(reference)](std::span<const double> row) {
            int apart = 0;
            for (std::size_t i = 0; i < row.size(); ++i) apart += same_cell(row[i], reference[i]) ? 0 : 1;
            return static_cast<double>(apart);
          }};
}

Summary common_beginning(Row reference, const std::string& input) {
  return {"the common beginning with the most frequent output of the " + input + " input", Reading::number,
          [reference = std::move(reference)](std::span<const double> row) {
            std::size_t i = 0;
            while (i < row.size() && same_cell(row[i], reference[i])) ++i;
            return static_cast<double>(i);
          }};
}

// Which of these outputs it is, or the number of them.
Summary which_output(std::vector<Row> rows) {
  return {"the number of the output among the most frequent ones", Reading::word,
          [rows = std::move(rows)](std::span<const double> row) {
            std::size_t i = 0;
            while (i < rows.size() && !same(rows[i], row)) ++i;
            return static_cast<double>(i);
          }};
}

Summary length_of() {
  return {"the length", Reading::number, [](std::span<const double> row) {
            std::size_t length = row.size();
            while (length > 0 && is_absent(row[length - 1])) --length;
            return static_cast<double>(length);
          }};
}

Summary extreme(double sign, const Shape& shape) {
  return {sign > 0 ? "the greatest number" : "the least number", Reading::number,
          [sign, shape](std::span<const double> row) {
            double best = -HUGE_VAL;
            for (std::size_t i = 0; i < row.size(); ++i) {
              if (shape[i] == Reading::number && !std::isnan(row[i])) best = std::max(best, sign * row[i]);
            }
            return sign * best;
          }};
}

void add_row_summaries(const detail::Runs& runs, std::vector<Summary>& all) {
  std::vector<Row> rows = frequent_rows(runs.first, kMostRows);
  const std::vector<Row> second = frequent_rows(runs.second, kMostRows);
  if (!rows.empty()) {
    all.push_back(distance_to(rows[0], "first"));
    all.push_back(common_beginning(rows[0], "first"));
  }
  if (!second.empty() && (rows.empty() || !same(second[0], rows[0]))) {
    all.push_back(distance_to(second[0], "second"));
    all.push_back(common_beginning(second[0], "second"));
  }
  for (const Row& row : second) {
    const auto alike = [&](const Row& other) { return same(row, other); };
    if (std::none_of(rows.begin(), rows.end(), alike)) rows.push_back(row);
  }
  if (!rows.empty()) all.push_back(which_output(std::move(rows)));
}

}  // namespace

std::vector<Summary> summaries_of(const detail::Runs& runs, const Shape& shape, const Words& words) {
  std::vector<Summary> all;
  for (const std::size_t i : detail::telling_columns(runs, shape, kMostEntries)) {
    const std::string name = shape.size() == 1 ? "the output" : fmt::format("entry {}", i + 1);
    all.push_back({name, shape[i], [i](std::span<const double> row) { return row[i]; }});
  }
  if (shape.size() < 2) return all;
  all.push_back(length_of());
  if (std::count(shape.begin(), shape.end(), Reading::number) > 1) {
    all.push_back(extreme(-1, shape));
    all.push_back(extreme(1, shape));
  }
  for (const double value : frequent_cells(runs, 4)) all.push_back(count_of(value, words));
  add_row_summaries(runs, all);
  return all;
}

EventSpace::EventSpace(const detail::Runs& runs, const Target& target) : words_(target.words) {
  for (Summary& summary : summaries_of(runs, target.shape, target.words)) {
    std::vector<double> values;
    for (const Outputs* outputs : {&runs.first, &runs.second}) {
      const std::int64_t looked = std::min(outputs->runs(), kLooked);
      for (std::int64_t run = 0; run < looked; ++run) values.push_back(summary.of(outputs->row(run)));
    }
    detail::Cells cells(std::move(values), summary.reading);
    axes_.push_back(std::make_shared<const Axis>(Axis{std::move(summary), std::move(cells)}));
  }
}

std::vector<SeenEvent> EventSpace::count(const detail::Runs& runs) const {
  std::vector<SeenEvent> events;
  for (std::size_t s = 0; s < axes_.size(); ++s) {
    const detail::Cells& cells = axes_[s]->cells;
    const auto counts = [&](const Outputs& outputs) {
      std::vector<std::int64_t> sums(cells.count() + 1);  // sums[i]: in cells below i
      for (std::int64_t run = 0; run < outputs.runs(); ++run)
        ++sums[cells.of(axes_[s]->summary.of(outputs.row(run))) + 1];
      for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
      return sums;
    };
    const std::vector<std::int64_t> first = counts(runs.first);
    const std::vector<std::int64_t> second = counts(runs.second);
    for (std::size_t low = 0; low < cells.count(); ++low) {
      for (std::size_t high = low; high < cells.count() && cells.one_event(low, high); ++high) {
        const bool inner = low > 0 && low < high && high + 3 < cells.count();  // the last two are no numbers
        events.push_back({{s, low, high}, first[high + 1] - first[low], second[high + 1] - second[low], inner});
      }
    }
  }
  return events;
}

AttackSet EventSpace::set_of(const Event& event) const {
  const std::shared_ptr<const Axis>& axis = axes_[event.summary];
  const std::string text = axis->cells.text(event.low, event.high, words_);
  return {.description = axis->summary.name + " " + text,
          .score =
              [axis, event](std::span<const double> row) {
                const std::size_t cell = axis->cells.of(axis->summary.of(row));
                return cell >= event.low && cell <= event.high ? 1.0 : 0.0;
              },
          .threshold = 0.5};
}

}  // namespace dither::audit
