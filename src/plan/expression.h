// Expressions over one row: total, row by row, of bounded cost.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "plan/facts.h"

namespace dither::plan {

struct Function;  // a row of the function table: plan/functions.h

// An immutable tree; copies share it. Made by column(), constant() and call() alone, which bring it into one spelling:
// operands of what is commutative are ordered, a > b is b < a, a <= b is NOT (b < a), a <> b is NOT (a = b), NOT (NOT
// a) is a, nested ANDs and ORs are flat and say nothing twice, a call of constants is the constant it gives, as is a
// strict call with a NULL. Expressions are equal when their text is.
class Expression {
 public:
  struct Column {
    std::size_t position;  // in the input's columns
  };
  struct Call {
    const Function* function;
    std::vector<Expression> arguments;
  };
  using Content = std::variant<Column, Constant, Call>;

  const Content& content() const { return node_->content; }
  Type type() const { return node_->type; }
  std::size_t depth() const { return node_->depth; }
  std::size_t nodes() const { return node_->nodes; }                      // of the tree
  const std::vector<std::size_t>& reads() const { return node_->reads; }  // positions of columns, ascending, each once

  // Canonical: "less(#2, 5)". Columns by position, so names play no part.
  const std::string& text() const { return node_->text; }
  bool operator==(const Expression& other) const { return text() == other.text(); }
  bool operator<(const Expression& other) const { return text() < other.text(); }

 private:
  struct Node {
    Content content;
    Type type;
    std::size_t depth, nodes;
    std::vector<std::size_t> reads;
    std::string text;
  };
  explicit Expression(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  friend Expression column(std::size_t position, Type type);
  friend Expression constant(Constant constant);
  friend Expression call(const Function& function, std::vector<Expression> arguments);

  std::shared_ptr<const Node> node_;
};

// too-deep beyond.
inline constexpr std::size_t kMostDepth = 300;  // what DuckDB plans in about a second, whatever the functions
inline constexpr std::size_t kMostText = std::size_t{1} << 20;  // bytes of canonical text

Expression column(std::size_t position, Type type);
Expression constant(Constant constant);
// Arguments have the types that the function takes (functions.h resolves names and inserts casts); too-deep.
Expression call(const Function& function, std::vector<Expression> arguments);

// The value for one row. Never throws for a value: every function is total.
Cell evaluate(const Expression& expression, std::span<const Cell> row);

// Facts, from those of the input's columns. Parts that read only columns whose values are known, in at most kMostValues
// combinations, are worked out for each combination (up to a million steps in all); the rest follows rule by rule.
Facts facts(const Expression& expression, std::span<const Facts> columns);

// The same with every column replaced by the expression at its position.
Expression substitute(const Expression& expression, std::span<const Expression> columns);

// Positions of the columns it reads, ascending, each once.
std::vector<std::size_t> columns_of(const Expression& expression);

// For people: "cost < 5", with these names for the columns.
std::string in_words(const Expression& expression, std::span<const std::string> names);

}  // namespace dither::plan
