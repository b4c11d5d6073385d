#include "sql/detail/cut_by.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "plan/advice.h"

namespace dither::sql::detail {
namespace {

using plan::AggregateKind;
using plan::Relation;
using Positions = std::set<std::size_t>;

// What becomes of values outside the declared bounds of one column.
struct Bounded {
  std::string bound;
  bool clamped;
  bool operator<(const Bounded& other) const { return bound < other.bound; }
};

// Finds the bounds of declared columns behind columns of a relation.
class Walk {
 public:
  explicit Walk(const plan::Project& project) : project_(project) {}

  void of(const Relation& relation, Positions wanted) {
    const plan::Node::Step& step = relation->step();
    if (const auto* table = std::get_if<plan::Scan>(&step)) return scan(project_.table(table->table), wanted);
    if (const auto* filtered = std::get_if<plan::Filter>(&step)) {
      add(wanted, filtered->keep);
      return of(filtered->input, std::move(wanted));
    }
    if (const auto* projected = std::get_if<plan::Projection>(&step)) {
      Positions below;
      for (const std::size_t at : wanted) add(below, projected->columns[at]);
      return of(projected->input, std::move(below));
    }
    if (const auto* joined = std::get_if<plan::Join>(&step)) return join(*joined, wanted);
    if (const auto* once = std::get_if<plan::Distinct>(&step)) return of_all(once->input);  // which rows are the same
    if (const auto* sorted = std::get_if<plan::Sort>(&step)) {
      for (const plan::Sort::By& by : sorted->by) wanted.insert(by.column);
      return of(sorted->input, std::move(wanted));
    }
    if (const auto* limited = std::get_if<plan::Limit>(&step)) return of(limited->input, std::move(wanted));
    if (const auto* grouped = std::get_if<plan::Aggregate>(&step)) return of_all(grouped->input);  // public rows
    for (const Relation& input : std::get<plan::Union>(step).inputs) of(input, wanted);
  }

  static void add(Positions& positions, const plan::Expression& expression) {
    positions.insert(expression.reads().begin(), expression.reads().end());
  }

  const std::set<Bounded>& found() const { return found_; }

 private:
  void of_all(const Relation& relation) {
    Positions all;
    for (std::size_t i = 0; i < relation->columns().size(); ++i) all.insert(all.end(), i);
    of(relation, std::move(all));
  }

  void scan(const plan::TableDeclaration& table, const Positions& wanted) {
    for (const std::size_t at : wanted) {
      if (at >= table.columns.size()) continue;  // the unit, where no column is it
      const plan::ColumnDeclaration& column = table.columns[at];
      if (!column.bounds) continue;
      found_.insert({fmt::format("{}.{} bounds [{}, {}]", table.name, column.name,
                                 plan::bound_text(column.type, column.bounds->low),
                                 plan::bound_text(column.type, column.bounds->high)),
                     column.outside == plan::Outside::clamp});
    }
  }

  void join(const plan::Join& step, const Positions& wanted) {
    const std::size_t left_columns = step.left->columns().size();
    Positions left, right;
    for (const std::size_t at : wanted) {
      if (at < left_columns) {
        left.insert(at);
      } else {
        right.insert(at - left_columns);
      }
    }
    for (const auto& [here, there] : step.equal) {
      left.insert(here);
      right.insert(there);
    }
    of(step.left, std::move(left));
    of(step.right, std::move(right));
  }

  const plan::Project& project_;
  std::set<Bounded> found_;
};

// "visits.keys_per_unit = 3"; of several "visits.keys_per_unit = 3 and orders.keys_per_unit = 2 (6 in all)".
std::string in_words(const Limit& limit) {
  const std::string all = fmt::format("{}", fmt::join(limit.sources, " and "));
  if (limit.sources.size() != 1) return fmt::format("{} ({} in all)", all, limit.most);
  return all.find(" = ") == std::string::npos ? fmt::format("{} = {}", all, limit.most) : all;
}

bool is_of_rows(const session::Estimate& column) {
  return column.call.kind != AggregateKind::count_units && column.call.kind != AggregateKind::count_cut_units;
}

class Builder {
 public:
  Builder(const plan::Project& project, const Counting& counting) : project_(project), counting_(counting) {
    result_.columns.resize(counting.estimates.size());
  }

  CutBy build() {
    if (!counting_.row_is_unit) {
      keys();
      rows();
    }
    values();
    stated();
    if (!result_.notes.empty()) {
      result_.notes.emplace_back(
          "an interval after cuts is for what these bounds leave of the data; it covers the noise, and not "
          "what was cut");
    }
    return std::move(result_);
  }

 private:
  const std::string& unit() const { return project_.unit.name; }

  void keys() {
    const auto& base = counting_.rows.base->columns();
    const bool one_each = std::all_of(counting_.keys.begin(), counting_.keys.end(),
                                      [&](const plan::Expression& key) { return facts(key, base).of_unit; });
    const auto& listed = counting_.exact.public_keys;
    const std::uint64_t most = counting_.exact.keys_per_unit;
    if (one_each || (listed && listed->size() <= most)) return;
    const std::string bound = in_words(counting_.keys_limit);
    for (auto& column : result_.columns) column.push_back(bound + ": keys dropped");
    result_.notes.push_back(fmt::format("{}: a {} with rows in more keys counts in {} of them, and not in the others",
                                        bound, unit(), most));
  }

  void rows() {
    const std::uint64_t by_key = counting_.rows_limit.most;
    const std::optional<Limit>& in_all = counting_.in_all_limit;
    if (!in_all || in_all->most > by_key) {
      rows_of(counting_.rows_limit, counting_.exact.keys > 0 ? " in a key" : "");
    }
    if (in_all) rows_of(*in_all, " in all keys together");
    if (shows({AggregateKind::sum}) && shows({AggregateKind::count, AggregateKind::count_rows})) {
      result_.notes.emplace_back(
          "SUM and COUNT cut heavy units each by itself: a mean is AVG(x), not SUM(x) / COUNT(x)");
    }
  }

  bool shows(std::initializer_list<AggregateKind> kinds) const {
    return std::any_of(counting_.estimates.begin(), counting_.estimates.end(), [&](const session::Estimate& column) {
      return std::find(kinds.begin(), kinds.end(), column.call.kind) != kinds.end();
    });
  }

  // Of the aggregates that do not state themselves what a unit may add.
  void rows_of(const Limit& limit, const std::string& where) {
    const std::string bound = in_words(limit);
    bool counts = false, sums = false, means = false;
    for (std::size_t i = 0; i < counting_.estimates.size(); ++i) {
      const session::Estimate& column = counting_.estimates[i];
      if (!is_of_rows(column) || column.call.bounds_per_group) continue;
      result_.columns[i].push_back(bound + ": rows cut");
      (column.count && column.sum ? means : column.sum ? sums : counts) = true;
    }
    std::string note = fmt::format("{}: of the rows of a {}{} at most {} count", bound, unit(), where, limit.most);
    if (sums) note += "; a larger sum is clamped to what so many can add";
    if (means) note += fmt::format("; of a {} with more, each row weighs less in means and variances", unit());
    if (counts || sums || means) result_.notes.push_back(std::move(note));
  }

  void values() {
    std::set<Bounded> all;
    for (std::size_t i = 0; i < counting_.estimates.size(); ++i) {
      for (const Bounded& one : behind(counting_.estimates[i])) {
        result_.columns[i].push_back(one.bound + (one.clamped ? ": values clamped" : ": values become NULL"));
        all.insert(one);
      }
    }
    for (const Bounded& one : all) {
      result_.notes.push_back(
          fmt::format("{}: values outside {}", one.bound, one.clamped ? "are clamped" : "become NULL"));
    }
  }

  std::set<Bounded> behind(const session::Estimate& column) const {
    Positions read;
    for (const plan::Expression& key : counting_.keys) Walk::add(read, key);
    if (counting_.rows.keep) Walk::add(read, *counting_.rows.keep);
    const bool of_column = is_of_rows(column) && column.call.kind != AggregateKind::count_rows;
    if (of_column) Walk::add(read, counting_.rows.columns[column.call.column]);
    Walk walk(project_);
    walk.of(counting_.rows.base, std::move(read));
    return walk.found();
  }

  // Bounds that an aggregate of the statement states.
  void stated() {
    for (std::size_t i = 0; i < counting_.estimates.size(); ++i) {
      const plan::AggregateCall& call = counting_.estimates[i].call;
      if (call.bounds_per_row) note_stated(i, "contribution_bounds_per_row", *call.bounds_per_row, "values");
      if (call.bounds_per_group) note_stated(i, "contribution_bounds_per_group", *call.bounds_per_group, "totals");
    }
  }

  void note_stated(std::size_t column, const char* name, const plan::Range& range, const char* what) {
    const std::string bound = fmt::format("{} [{}, {}]", name, range.low.str(), range.high.str());
    result_.columns[column].push_back(fmt::format("{}: {} clamped", bound, what));
    std::string note = fmt::format("{}: {} outside are clamped", bound, what);
    if (std::find(result_.notes.begin(), result_.notes.end(), note) == result_.notes.end()) {
      result_.notes.push_back(std::move(note));
    }
  }

  const plan::Project& project_;
  const Counting& counting_;
  CutBy result_;
};

}  // namespace

CutBy cut_by(const plan::Project& project, const Counting& counting) { return Builder(project, counting).build(); }

}  // namespace dither::sql::detail
