#include "engine/detail/on_disk.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/detail/row_bytes.h"

namespace dither::engine::detail {
namespace {

// Cells in their order; the first `keys` of them as keys.
class Cells : public OnDisk::Encoder {
 public:
  Cells(const std::vector<Wanted>& wanted, std::size_t keys) : wanted_(wanted), keys_(keys) {}
  bool encode(const std::vector<Column>& columns, std::size_t row, std::string& record) const override {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      append_cell(columns[i], wanted_[i].type, row, i < keys_ ? Spelling::key : Spelling::exact, record);
    }
    return true;
  }

 private:
  const std::vector<Wanted>& wanted_;
  std::size_t keys_;
};

// A side of a join: whether it can be joined, then the cells.
class Side : public OnDisk::Encoder {
 public:
  struct Rule {
    bool keep_all;        // also what cannot be joined
    bool nan_joins;       // NaN to NaN
    bool value_is_there;  // the last cell is not NULL, or there is no record
  };
  Side(const std::vector<Wanted>& wanted, std::size_t keys, Rule rule)
      : wanted_(wanted), keys_(keys), rule_(rule), cells_(wanted, keys) {}
  bool encode(const std::vector<Column>& columns, std::size_t row, std::string& record) const override {
    bool joins = true;
    for (std::size_t i = 0; i < keys_; ++i) {
      joins = joins && (rule_.nan_joins ? !columns[i].is_null(row) : can_join(columns[i], wanted_[i].type, row));
    }
    if (!joins && !rule_.keep_all) return false;
    if (rule_.value_is_there && columns.back().is_null(row)) return false;
    record += static_cast<char>(joins ? 1 : 0);
    return cells_.encode(columns, row, record);
  }

 private:
  const std::vector<Wanted>& wanted_;
  std::size_t keys_;
  Rule rule_;
  Cells cells_;
};

class SortingTaker : public Taker {
 public:
  SortingTaker(SpillFile& file, std::uint64_t bytes, const OnDisk::Encoder& encoder)
      : sorter_(file, bytes), encoder_(encoder) {}
  void take(std::vector<Column> columns, std::size_t rows) override {
    for (std::size_t row = 0; row < rows; ++row) {
      record_.clear();
      if (encoder_.encode(columns, row, record_)) sorter_.add(record_);
    }
  }
  RowSorter& sorter() { return sorter_; }

 private:
  RowSorter sorter_;
  const OnDisk::Encoder& encoder_;
  std::string record_;
};

bool is_step(const plan::Relation& relation) {
  return std::holds_alternative<plan::Join>(relation->step()) ||
         std::holds_alternative<plan::Distinct>(relation->step());
}

}  // namespace

OnDisk::OnDisk(Opened& opened, const plan::Project& project, const Limits& limits, const Watch& watch,
               const plan::Relation& asked)
    : opened_(opened), project_(project), limits_(limits), watch_{watch.token, nullptr}, asked_(asked) {
  tables_ = table_leaves(
      project_, plan::Dialect::duckdb,
      [this](const plan::TableDeclaration& table) { return opened_.typed(table, opened_.reading_of(table.name)); },
      true, [this](const OwnedRows& rows) { return owned(rows); });
  leaf_ = [this](const plan::Relation& relation) -> std::optional<std::string> {
    if (!is_step(relation) && !std::holds_alternative<plan::Scan>(relation->step())) return std::nullopt;
    return made(relation);
  };
  want(asked_, Columns(asked_->columns().size(), true));
}

std::string OnDisk::rows_sql() { return select(asked_); }

std::string OnDisk::select(const plan::Relation& relation) const {
  return plan::relation_sql(relation, plan::Dialect::duckdb, leaf_);
}

// Which columns of every join something above reads. A step that is read in two places has those of both.
void OnDisk::want(const plan::Relation& relation, Columns wanted) {
  const auto add = [](Columns& columns, const plan::Expression& expression) {
    for (const std::size_t column : expression.reads()) columns[column] = true;
  };
  const auto all = [](const plan::Relation& input) { return Columns(input->columns().size(), true); };
  const plan::Node::Step& step = relation->step();
  if (const auto* filter = std::get_if<plan::Filter>(&step)) {
    add(wanted, filter->keep);
    want(filter->input, std::move(wanted));
  } else if (const auto* projection = std::get_if<plan::Projection>(&step)) {
    Columns input(projection->input->columns().size());
    for (const plan::Expression& column : projection->columns) add(input, column);
    want(projection->input, std::move(input));
  } else if (const auto* join = std::get_if<plan::Join>(&step)) {
    Columns& known = wanted_.try_emplace(relation.get(), wanted.size()).first->second;
    steps_ += 2;
    for (std::size_t i = 0; i < wanted.size(); ++i) known[i] = known[i] || wanted[i];
    want(join->left, all(join->left));
    want(join->right, all(join->right));
  } else if (const auto* merged = std::get_if<plan::Union>(&step)) {
    for (const plan::Relation& input : merged->inputs) want(input, wanted);
  } else if (const auto* once = std::get_if<plan::Distinct>(&step)) {
    ++steps_;
    want(once->input, all(once->input));
  } else if (const auto* scan = std::get_if<plan::Scan>(&step)) {
    if (std::holds_alternative<plan::UnitThrough>(project_.table(scan->table).unit)) steps_ += 2;
  }
}

std::string OnDisk::made(const plan::Relation& relation) {
  const auto known = made_.find(relation.get());
  if (known != made_.end()) return known->second;
  std::string from;
  if (const auto* join = std::get_if<plan::Join>(&relation->step())) {
    from = joined(relation, *join);
  } else if (const auto* once = std::get_if<plan::Distinct>(&relation->step())) {
    from = distinct(relation, *once);
  } else {
    from = *tables_(relation);
  }
  return made_[relation.get()] = from;
}

std::string OnDisk::name(std::shared_ptr<const RowSource> source) {
  return named_.emplace_back(std::make_unique<RowSources::Named>(opened_.row_sources(), std::move(source)))->from();
}

SortedRows OnDisk::sorted(const std::string& sql, const std::vector<Wanted>& wanted, const Encoder& encoder) {
  const std::uint64_t own = limits_.memory / 2;
  auto file = std::make_unique<SpillFile>(limits_.spill);
  const MakeTaker make = [&] { return std::make_unique<SortingTaker>(*file, own / 2 / opened_.threads(), encoder); };
  std::vector<SortedRun> runs;
  std::uint64_t longest = 0;
  for (const auto& taker : hand_over(opened_.database(), sql, {}, wanted, make, watch_)) {
    RowSorter& sorter = static_cast<SortingTaker&>(*taker).sorter();
    sorter.finish();
    runs.insert(runs.end(), sorter.runs().begin(), sorter.runs().end());
    longest = std::max(longest, sorter.longest());
  }
  return read_back(std::move(file), std::move(runs), longest);
}

SortedRows OnDisk::sorted(const std::function<void(RowSorter&)>& make) const {
  auto file = std::make_unique<SpillFile>(limits_.spill);
  RowSorter sorter(*file, limits_.memory / 4);
  make(sorter);
  sorter.finish();
  return read_back(std::move(file), sorter.runs(), sorter.longest());
}

// A step is read with its rows, with those of the left a second time, and with some of the right.
SortedRows OnDisk::read_back(std::unique_ptr<SpillFile> file, std::vector<SortedRun> runs,
                             std::uint64_t longest) const {
  const SortedRows::Memory memory{limits_.memory / 8 / (2 * steps_ + 1), limits_.memory / 4};
  return {std::move(file), std::move(runs), longest, memory, limits_.spill, [this] { watch_.token.check(); }};
}

std::string OnDisk::distinct(const plan::Relation& relation, const plan::Distinct& step) {
  std::vector<Wanted> wanted;
  std::vector<plan::Type> types;
  for (std::size_t i = 0; i < relation->columns().size(); ++i) {
    wanted.push_back({i, relation->columns()[i].type});
    types.push_back(relation->columns()[i].type);
  }
  return name(std::make_shared<DistinctRows>(types, sorted(select(step.input), wanted, Cells(wanted, wanted.size()))));
}

std::string OnDisk::joined(const plan::Relation& relation, const plan::Join& step) {
  const Columns& all = wanted_.at(relation.get());
  const bool keep_left = step.kind == plan::JoinKind::left;
  const auto side = [&](bool right) {
    const plan::Relation& input = right ? step.right : step.left;
    const std::size_t before = right ? step.left->columns().size() : 0;
    std::vector<Wanted> wanted;
    std::vector<std::size_t> places;
    for (const auto& [l, r] : step.equal) wanted.push_back({right ? r : l, input->columns()[right ? r : l].type});
    for (std::size_t i = 0; i < input->columns().size(); ++i) {
      if (!all[before + i]) continue;
      wanted.push_back({i, input->columns()[i].type});
      places.push_back(before + i);
    }
    if (wanted.empty()) wanted.push_back({0, input->columns()[0].type}), places.push_back(before);
    const Side encoder(wanted, step.equal.size(), {!right && keep_left, false, false});
    return JoinSide{sorted(select(input), wanted, encoder), step.equal.size(), places};
  };
  std::vector<plan::Type> types;
  for (const plan::Facts& column : relation->columns()) types.push_back(column.type);
  JoinSide left = side(false);
  JoinSide right = side(true);
  return name(std::make_shared<JoinedRows>(types, std::move(left), std::move(right), JoinedRows::Rule{keep_left, false},
                                           limits_.memory / 8 / (2 * steps_ + 1)));
}

std::string OnDisk::owned(const OwnedRows& rows) {
  const std::size_t keys = rows.refer.size();
  std::vector<Wanted> mine, owners;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < keys; ++i) {
    mine.push_back({rows.refer[i], rows.types[rows.refer[i]]});
    owners.push_back({i, rows.types[rows.refer[i]]});
  }
  for (std::size_t i = 0; i < rows.types.size(); ++i) {
    mine.push_back({i, rows.types[i]});
    places.push_back(i);
  }
  owners.push_back({keys, rows.unit});
  std::string list;
  for (std::size_t i = 0; i < keys; ++i) list += fmt::format("k{} AS c{}, ", i, i);
  const std::string sql = fmt::format("SELECT {}u AS c{} FROM ({}) AS o", list, keys, rows.owners);
  JoinSide left{sorted(rows.rows, mine, Side(mine, keys, {true, true, false})), keys, places};
  JoinSide right{sorted(sql, owners, Side(owners, keys, {false, true, true})), keys, {rows.types.size()}};
  std::vector<plan::Type> types = rows.types;
  types.push_back(rows.unit);
  return name(std::make_shared<JoinedRows>(types, std::move(left), std::move(right), JoinedRows::Rule{true, true},
                                           limits_.memory / 8 / (2 * steps_ + 1)));
}

}  // namespace dither::engine::detail
