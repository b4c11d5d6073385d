// One SELECT ... FROM ... on its way to a relation.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sql/detail/binder.h"

namespace dither::sql {

// Steps in the order in which SQL means them. Expressions are bound over the columns of FROM and the aggregates behind them;
// once the rows are grouped, keys and aggregates take their places.
class Selection {
 public:
  Selection(const Text& text, const PgQuery__SelectStmt& select, From from, const PrivacyClause* clause, Level level,
            std::vector<std::string>& notes);

  Bound bound();

 private:
  struct Order {
    plan::Expression by;
    bool descending, nulls_first;
    std::size_t place;
  };

  void keep_where();
  void add_outputs();
  void add_star(const PgQuery__Node& target);
  void add_keys();
  plan::Expression key_of(const PgQuery__Node& node);
  void add_key(const plan::Expression& key, std::size_t place);
  void check_key(const plan::Expression& key, std::size_t place) const;
  void add_having();
  void add_order();
  plan::Expression order_of(const PgQuery__Node& node);
  plan::Expression output_at(const PgQuery__Node& constant, const char* clause) const;

  bool selects_unit() const;
  void group();
  plan::Expression over_groups(const plan::Expression& expression) const;
  void project_and_sort();
  void cut();
  std::optional<std::uint64_t> limit_of(const PgQuery__Node* node, const char* clause) const;

  const Text& text_;
  const PgQuery__SelectStmt& select_;
  From from_;
  const PrivacyClause* clause_;
  Level level_;
  std::vector<std::string>& notes_;
  Expressions expressions_;
  Outputs outputs_;
  std::vector<plan::Expression> keys_;
  std::vector<std::size_t> key_places_;
  std::map<std::string_view, std::size_t> key_at_;  // by the text of the key
  std::optional<plan::Expression> having_;
  std::vector<Order> order_;
  bool grouped_ = false, distinct_ = false;
  Rows rows_;
};

// too-deep for one column or key more than kMostColumns.
void require_few(const Text& text, std::size_t columns, std::size_t place);

// The name of an output without AS: that of its column, function or type.
std::string output_name(const PgQuery__Node& value, std::size_t number);

}  // namespace dither::sql
