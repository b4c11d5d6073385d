// Relations: what a statement makes of tables, step by step, with the facts of every column.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plan/aggregate_call.h"
#include "plan/expression.h"
#include "plan/project.h"

namespace dither::plan {

class Node;
using Relation = std::shared_ptr<const Node>;

// A table as the project file declares it, read and enforced: unreadable cells are NULL, values outside bounds or keys are
// clamped, NULL or `other`, NULLs replaced. Its columns are the declared ones; of a private table whose rows are units of
// their own, and of one whose unit is found through a foreign key, the unit stands behind them as a column without a name.
struct Scan {
  std::string table;
};
struct Filter {
  Relation input;
  Expression keep;  // boolean; rows for which it is true stay, those for which it is NULL go
};
struct Projection {
  Relation input;
  std::vector<Expression> columns;
};
enum class JoinKind { inner, left };
struct Join {
  Relation left, right;  // columns of the left, then of the right
  JoinKind kind;
  std::vector<std::pair<std::size_t, std::size_t>> equal;  // positions; NULL joins nothing
};
struct Union {
  std::vector<Relation> inputs;  // all rows of each; same number and types of columns
};
struct Distinct {
  Relation input;
};
// Groups by the first `keys` columns; columns: the keys, then one for each call. Of private rows it is what is released.
struct Aggregate {
  Relation input;
  std::size_t keys;
  std::vector<AggregateCall> calls;
};
struct Sort {
  struct By {
    std::size_t column;
    bool descending;
    bool nulls_first;
  };
  Relation input;
  std::vector<By> by;
};
struct Limit {
  Relation input;
  std::uint64_t rows, skip;
};

// Whose rows these are.
struct Ownership {
  enum class Kind {
    released,  // nobody's any more: made of an aggregate, public once it is paid for
    nobody,    // public
    units,     // one unit's each: the column at `unit` says whose
  };
  Kind kind = Kind::nobody;
  std::size_t unit = 0;
  bool row_is_unit = false;  // every row of the scanned table is a unit of its own
};

// At most `rows` rows have the same values in these columns; 1 is a unique key.
struct MostRows {
  std::vector<std::size_t> columns;
  std::uint64_t rows;
};

// One step and what is known behind it. Immutable; made by the functions below alone, which refuse what has no meaning.
class Node {
 public:
  using Step = std::variant<Scan, Filter, Projection, Join, Union, Distinct, Aggregate, Sort, Limit>;
  struct Parts {
    Step step;
    std::vector<Facts> columns;
    Ownership owner;
    std::vector<std::string> tables;  // scanned below, each once, sorted
    std::vector<MostRows> most_rows;  // of public rows
    bool drops_rows = false;          // whether a unit may lose rows on the way: filters, joins, NULL units
  };
  explicit Node(Parts parts) : parts_(std::move(parts)) {}

  const Step& step() const { return parts_.step; }
  const std::vector<Facts>& columns() const { return parts_.columns; }
  const Ownership& owner() const { return parts_.owner; }
  const std::vector<std::string>& tables() const { return parts_.tables; }
  const std::vector<MostRows>& most_rows() const { return parts_.most_rows; }
  bool drops_rows() const { return parts_.drops_rows; }
  bool is_private() const { return parts_.owner.kind == Ownership::Kind::units; }

 private:
  Parts parts_;
};

// unknown-table.
Relation scan(const Project& project, const std::string& table);
// A condition that says of columns that they are not NULL, alone or joined to others by AND, makes it a fact of them.
Relation filter(const Relation& input, const Expression& keep);
// Of private rows the unit stays: where no column is it, it is appended as the last one.
Relation project(const Relation& input, std::vector<Expression> columns);
// Private with private: on the units of both, and other columns besides. Private with public: the private one on the left, on
// columns that are unique, or of declared multiplicity, on the right. Else private-join, which says why.
Relation join(const Relation& left, const Relation& right, JoinKind kind,
              std::vector<std::pair<std::size_t, std::size_t>> equal);
Relation union_all(std::vector<Relation> inputs);
// Of private rows: each row of a unit once.
Relation distinct(const Relation& input);
// nested-aggregate when the input is released already.
Relation aggregate(const Relation& input, std::size_t keys, const std::vector<AggregateCall>& calls);
// Of released or public rows alone (private-rows).
Relation sort(const Relation& input, std::vector<Sort::By> by);
Relation limit(const Relation& input, std::uint64_t rows, std::uint64_t skip);

// One form for all ways to write the same rows: projections and filters merged into one projection over one filter over each
// scan, join, union or distinct; conditions ordered. Facts are worked out anew.
Relation normal_form(const Relation& relation);

// One projection over one filter over a step that is neither: what normal_form brings every relation to.
struct Flat {
  Relation base;
  std::optional<Expression> keep;
  std::vector<Expression> columns;  // over the base's columns
};
Flat flat(const Relation& relation);
Relation rebuilt(const Flat& flat);

// How many rows of the right side one row of the left meets at most in a join with public rows; nothing where none is declared.
std::optional<std::uint64_t> most_matches(const Join& join);

// Canonical JSON without names.
std::string canonical_json(const Relation& relation);

}  // namespace dither::plan
