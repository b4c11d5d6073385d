#include "engine/detail/disk_room.h"

#include <algorithm>
#include <limits>
#include <span>

#include "engine/detail/bounding.h"
#include "engine/detail/bounding_layout.h"
#include "engine/detail/bounding_sorted_totals.h"
#include "engine/detail/on_disk_values.h"
#include "engine/detail/spill_file.h"
#include "engine/detail/text_growth.h"

namespace dither::engine::detail {
namespace {

constexpr double kHead = 2;              // before a record: whether it can be joined, and how long it is
constexpr double kLonger = 1.0 / 64;     // of a long record, for its length
constexpr double kCanonicalNumber = 24;  // "i-9223372036854775808" as a text
constexpr double kCanonicalText = 1;     // its tag, beside its cell
constexpr double kCanonicalLength = 7;   // "65537:" before each of several
constexpr double kHash = 8;
constexpr double kOfEachFile = 0x1p16;  // bytes
constexpr double kUnbounded = 0x1p80;   // stands for what facts bound alone
constexpr unsigned kMostThreads = 256;
constexpr std::uint64_t kWorthHolding = std::uint64_t{1} << 20;

double record_bytes(const Most& rows, double cells) { return cells * (1 + kLonger) + rows.rows * kHead + kOfEachFile; }

class Needs {
 public:
  Needs(const plan::Project& project, const SizeOf& size_of) : project_(project), size_of_(size_of) {}

  // Facts bound a row whatever became of it.
  Most of(const plan::Relation& relation) {
    const Most most = of_step(relation);
    const double widest = std::min(most.widest, widest_row(relation->columns()));
    return {most.rows, std::min(most.bytes, most.rows * widest), widest};
  }

  // Rows that are sorted, with `more` bytes beside their cells, and stay. While their runs are merged they are there twice.
  void sorted(const Most& rows, double more) {
    const double written = record_bytes(rows, rows.bytes + more);
    hold(written);
    pass(written);
  }
  void hold(double bytes) { held_ += bytes; }
  // Beside what is held, and not at the same time as other such.
  void pass(double bytes) { merged_ = std::max(merged_, bytes); }
  double all() const { return held_ + merged_; }

 private:
  Most of_step(const plan::Relation& relation) {
    const plan::Node::Step& step = relation->step();
    if (const auto* scan = std::get_if<plan::Scan>(&step)) return scanned(relation, project_.table(scan->table));
    if (const auto* filter = std::get_if<plan::Filter>(&step)) return of(filter->input);
    if (const auto* sort = std::get_if<plan::Sort>(&step)) return of(sort->input);
    if (const auto* limit = std::get_if<plan::Limit>(&step)) return of(limit->input);
    if (const auto* projection = std::get_if<plan::Projection>(&step)) return projected(*projection);
    if (const auto* merged = std::get_if<plan::Union>(&step)) return united(*merged);
    if (const auto* join = std::get_if<plan::Join>(&step)) return joined(*join);
    if (const auto* once = std::get_if<plan::Distinct>(&step)) {
      const Most rows = of(once->input);
      sorted(rows, 0);
      return rows;
    }
    const auto& groups = std::get<plan::Aggregate>(step);
    if (groups.input->is_private()) return {};  // what was released
    return {std::max(of(groups.input).rows, 1.0), kUnbounded, kUnbounded};
  }

  Most projected(const plan::Projection& step) {
    const Most below = of(step.input);
    const RowGrowth row = growth_of_row(step.columns, step.input->columns());
    const double fixed = 2 * row.fixed;  // of zero bytes, where they are written as two
    return {below.rows, row.times * below.bytes + fixed * below.rows, row.times * below.widest + fixed};
  }

  Most united(const plan::Union& step) {
    Most all;
    for (const plan::Relation& input : step.inputs) {
      const Most one = of(input);
      all = {all.rows + one.rows, all.bytes + one.bytes, std::max(all.widest, one.widest)};
    }
    return all;
  }

  // Its unit stands behind the cells, where it is no column: the number of the row, or what the row refers to.
  Most scanned(const plan::Relation& scan, const plan::TableDeclaration& table) {
    const Most cells = most_of(table, size_of_(table));
    if (scan->columns().size() == table.columns.size()) return cells;
    const double unit = widest_cell(scan->columns().back());
    if (const auto* through = std::get_if<plan::UnitThrough>(&table.unit)) {
      sorted(cells, cells.bytes);
      const Most owners = of(plan::scan(project_, through->table));
      sorted(owners, owners.bytes);
      if (refers_by_unit(*through)) return {cells.rows, 2 * cells.bytes, 2 * cells.widest};
    }
    return {cells.rows, cells.bytes + unit * cells.rows, cells.widest + unit};
  }

  // The unit is then one of the row's own cells again.
  bool refers_by_unit(const plan::UnitThrough& through) const {
    const auto* unit = std::get_if<plan::UnitColumn>(&project_.table(through.table).unit);
    return unit != nullptr && std::any_of(through.equal.begin(), through.equal.end(),
                                          [&](const auto& pair) { return pair.second == unit->column; });
  }

  Most joined(const plan::Join& join) {
    const auto side = [&](const plan::Relation& input, bool right) {
      const Most rows = of(input);
      double keys = 0;
      for (const auto& [l, r] : join.equal) keys += widest_cell(input->columns()[right ? r : l]);
      sorted(rows, std::min(rows.bytes, keys * rows.rows));
      return rows;
    };
    const Most left = side(join.left, false), right = side(join.right, true);
    const auto matches = static_cast<double>(most_rows(join));
    const double met = join.right->is_private() ? right.bytes / std::max(right.rows, 1.0) : right.widest;
    return {left.rows * matches, (left.bytes + left.rows * met) * matches, left.widest + right.widest};
  }

  // Rows of the right that one row of the left meets.
  std::uint64_t most_rows(const plan::Join& join) const {
    if (!join.right->is_private()) return std::max<std::uint64_t>(plan::most_matches(join).value_or(1), 1);
    std::uint64_t most = 1;
    for (const std::string& table : join.right->tables()) {
      most = std::max(most, project_.table(table).bounds.rows_per_unit.value_or(1));
    }
    return most;
  }

  const plan::Project& project_;
  const SizeOf& size_of_;
  double held_ = 0, merged_ = 0;
};

// What the canonical form of such a cell takes beside the bytes of the cell.
double canonical(const plan::Facts& facts) {
  return kCanonicalLength + (facts.type == plan::Type::text ? kCanonicalText : kCanonicalNumber);
}
double canonical_key(const plan::BoundedAggregate& aggregate) {
  double bytes = 0;
  for (std::size_t i = 0; i < aggregate.keys; ++i) bytes += canonical(aggregate.rows->columns()[i]);
  return bytes;
}

// Keys that can occur in these rows.
double most_keys(const plan::BoundedAggregate& aggregate, double rows) {
  double all = 1;
  for (std::size_t i = 0; i < aggregate.keys; ++i) {
    const auto& values = aggregate.rows->columns()[i].values;
    all *= values ? static_cast<double>(values->size()) : kUnbounded;
  }
  return std::min(all, rows) + static_cast<double>(aggregate.public_keys ? aggregate.public_keys->size() : 0);
}

// Rows sorted by their keys, the file of keys, and their totals: a record for each key, or for each unit and key where these are too
// many for the memory.
void count_keys(Needs& needs, const plan::BoundedAggregate& aggregate, const Most& rows) {
  const double more = canonical_key(aggregate);
  needs.sorted(rows, more * rows.rows);
  const double keys = most_keys(aggregate, rows.rows);
  const double widest = widest_row(std::span(aggregate.rows->columns()).first(aggregate.keys)) + more;
  needs.hold(std::min(keys * (widest * (1 + kLonger) + kHead), record_bytes(rows, rows.bytes + more * rows.rows)) +
             kOfEachFile);
  const bool fits = keys < kUnbounded &&
                    codes_fit(aggregate.measures.size(), static_cast<std::size_t>(keys), kMostThreads, kLeastMemory);
  const double of_one = kHead + static_cast<double>(fits ? TotalsWriter::longest(aggregate.measures.size())
                                                         : TotalsWriter::most_of_each(aggregate));
  const double totals = (fits ? keys : rows.rows) * of_one + kOfEachFile;
  needs.hold(totals);
  needs.pass(totals);
}

// A record of a unit, its key and its value, each with a hash and the last two in canonical bytes too; then those that count, by key.
void count_values(Needs& needs, const plan::BoundedAggregate& aggregate, const plan::Measure& measure,
                  const Most& rows) {
  const plan::Facts& value = aggregate.rows->columns()[*measure.column];
  const double each = 2 * kHash + canonical_key(aggregate) + canonical(value) + kCanonicalNumber;
  needs.pass(3 * record_bytes(rows, 2 * rows.bytes + each * rows.rows));
}

}  // namespace

std::uint64_t disk_needed(const plan::Project& project, const plan::BoundedAggregate& aggregate,
                          const SizeOf& size_of) {
  Needs needs(project, size_of);
  const Most rows = needs.of(aggregate.rows);
  if (aggregate.keys > 0) count_keys(needs, aggregate, rows);
  const plan::BoundedAggregate summed = without_values(aggregate);
  if (bounding_takes(summed)) {
    needs.pass(rows.rows * static_cast<double>(make_layout(summed, std::nullopt, aggregate.keys > 0).words(true) *
                                               sizeof(std::uint64_t)));
  }
  for (const plan::Measure& measure : aggregate.measures) {
    if (is_of_values(measure)) count_values(needs, aggregate, measure, rows);
  }
  const double most = needs.all();
  return most < 0x1p62 ? static_cast<std::uint64_t>(most) : std::numeric_limits<std::uint64_t>::max() / 2;
}

DiskRoom::DiskRoom(std::string folder, std::uint64_t bytes)
    : folder_(std::move(folder)), bytes_(bytes < kWorthHolding ? 0 : bytes) {
  if (bytes_ > 0) HeldRoom::of(folder_).reserve(bytes_);
}

DiskRoom::~DiskRoom() {
  if (bytes_ > 0) HeldRoom::of(folder_).give_back(bytes_);
}

}  // namespace dither::engine::detail
