#include "engine/detail/disk_room.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "engine/detail/bounding.h"
#include "engine/detail/bounding_layout.h"
#include "engine/detail/on_disk_values.h"
#include "engine/detail/spill_file.h"
#include "engine/detail/text_growth.h"
#include "plan/source_kind.h"

namespace dither::engine::detail {
namespace {

constexpr double kCell =
    5;  // bytes for a byte of text: a real number of one digit and its comma take 9 for 2, and a bit more
constexpr double kLeastObject = 8;  // {"u":1} and the end of its line
constexpr double kMerging = 2;      // while runs are merged they are there twice

constexpr double kShareOfRecords = 4;  // of the memory, as run_bounding gives it to them
constexpr std::uint64_t kWorthHolding = std::uint64_t{1} << 20;

// What a relation may bring.
struct Most {
  double rows, bytes;
};

class Needs {
 public:
  Needs(const plan::Project& project, const SizeOf& size_of) : project_(project), size_of_(size_of) {}

  Most of(const plan::Relation& relation) {
    const plan::Node::Step& step = relation->step();
    if (const auto* scan = std::get_if<plan::Scan>(&step)) return of_table(project_.table(scan->table));
    if (const auto* filter = std::get_if<plan::Filter>(&step)) return of(filter->input);
    if (const auto* projection = std::get_if<plan::Projection>(&step)) return projected(*projection);
    if (const auto* merged = std::get_if<plan::Union>(&step)) {
      Most all{0, 0};
      for (const plan::Relation& input : merged->inputs) {
        const Most one = of(input);
        all = {all.rows + one.rows, all.bytes + one.bytes};
      }
      return all;
    }
    if (const auto* once = std::get_if<plan::Distinct>(&step)) return sorted(of(once->input));
    if (const auto* join = std::get_if<plan::Join>(&step)) return joined(*join);
    return {0, 0};  // of what was released
  }

  Most sorted(Most rows) {
    written_ += kMerging * rows.bytes;
    return rows;
  }
  double written() const { return written_; }

 private:
  Most projected(const plan::Projection& step) {
    const Most below = of(step.input);
    const RowGrowth row = growth_of_row(step.columns, step.input->columns());
    return {below.rows, row.times * below.bytes + row.fixed * below.rows};
  }

  // A row whose unit is a column has a unit, and a byte for each delimiter; where rows are units, a byte may be a damaged one.
  static double least_row(const plan::TableDeclaration& table) {
    const bool row_is_unit = !table.is_public && (std::holds_alternative<plan::UnitRow>(table.unit) ||
                                                  std::holds_alternative<plan::UnitRows>(table.unit));
    if (row_is_unit) return 1;
    const auto cells = static_cast<double>(table.columns.size() + 1);
    return plan::source_kind(table.source.path) == plan::SourceKind::json ? std::min(cells, kLeastObject) : cells;
  }

  // What enforcing the declarations may write into cells that hold less.
  static double enforced(const plan::TableDeclaration& table) {
    double bytes = 0;
    const auto add = [&](const std::optional<Cell>& cell) {
      if (const auto* text = cell ? std::get_if<std::string>(&*cell) : nullptr)
        bytes += static_cast<double>(text->size());
    };
    for (const plan::ColumnDeclaration& column : table.columns) {
      add(column.other);
      add(column.null_as);
    }
    return bytes;
  }

  Most of_table(const plan::TableDeclaration& table) {
    const auto size = static_cast<double>(size_of_(table));
    const double count = size / least_row(table);
    const Most rows{count, kCell * size + enforced(table) * count};
    const auto* through = std::get_if<plan::UnitThrough>(&table.unit);
    if (through == nullptr) return rows;
    sorted(rows);
    sorted(of_table(project_.table(through->table)));
    return rows;
  }

  Most joined(const plan::Join& join) {
    const Most left = sorted(of(join.left));
    const Most right = sorted(of(join.right));
    const auto matches = static_cast<double>(most_rows(join));
    const double right_row = right.bytes / std::max(right.rows, 1.0);
    return {left.rows * matches, (left.bytes + left.rows * right_row) * matches};
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
  double written_ = 0;
};

}  // namespace

std::uint64_t disk_needed(const plan::Project& project, const plan::BoundedAggregate& aggregate, const SizeOf& size_of,
                          std::uint64_t memory) {
  Needs needs(project, size_of);
  const Most rows = needs.of(aggregate.rows);
  if (aggregate.keys > 0) needs.sorted(rows);
  double most = needs.written();
  if (bounding_takes(aggregate)) {
    const auto record = make_layout(aggregate, std::nullopt).words(true) * sizeof(std::uint64_t);
    most += std::max(0.0, rows.rows * static_cast<double>(record) - static_cast<double>(memory) / kShareOfRecords);
  }
  for (const plan::Measure& measure : aggregate.measures) {
    if (is_of_values(measure)) most += 2 * kMerging * rows.bytes;
  }
  return most < 0x1p62 ? static_cast<std::uint64_t>(most) : std::numeric_limits<std::uint64_t>::max() / 2;
}

bool holds_room(const std::string& folder) {
  struct statfs system {};
  return ::statfs(folder_for_files(folder).c_str(), &system) == 0 && system.f_type != TMPFS_MAGIC;
}

DiskRoom::DiskRoom(const std::string& folder, std::uint64_t bytes) {
  if (bytes < kWorthHolding || !holds_room(folder)) return;
  file_ = nameless_file(folder);
  if (::fallocate(file_, 0, 0, static_cast<off_t>(bytes)) == 0) return;
  const int error = errno;
  give_back();
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) run_failed();
}

void DiskRoom::give_back() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

}  // namespace dither::engine::detail
