// What a statement does with its aggregate: HAVING, expressions, ORDER BY, LIMIT. It sees released values alone.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/released.h"
#include "session/estimate.h"

namespace dither::session {

// Rows of the answer.
struct Shown {
  std::vector<std::vector<Cell>> rows;
  std::vector<std::optional<std::size_t>> from;  // which row of the aggregate each was; nothing behind DISTINCT
};

// The part of a plan that lies above its aggregate.
class Above {
 public:
  explicit Above(const PricedPlan& plan);

  // Whether it is more than a choice of columns; else no database is started.
  bool needs_database() const { return !std::holds_alternative<plan::Aggregate>(rest_->step()); }

  // Whether noisy values decide which rows are shown: intervals are then those of each row before that choice.
  bool chooses_by_noise() const { return chooses_by_noise_; }

  // Rows without ORDER BY come in the order of the keys. `database` is called where needs_database() says so.
  Shown of(const Estimated& aggregate, const std::function<engine::ReleasedDatabase&()>& database) const;

  // What the values of these rows may be off by, from what those of the aggregate may be off by. A column that is an
  // expression of one noisy column has the image of that column's interval and, where a rate is known at which it follows that column
  // at most (detail/rate.h), its standard error times that; one of several noisy columns has neither, nor have NULLs and rows behind
  // DISTINCT.
  std::vector<std::vector<ValueError>> errors(const Estimated& aggregate, const Shown& shown) const;

  // By column of the answer, from that by call of the aggregate: what any call it is made of is cut by, each once.
  std::vector<std::vector<std::string>> cut_by(const std::vector<std::vector<std::string>>& of_calls) const;

 private:
  ValueError error_of(std::size_t column, const std::vector<Cell>& row, const std::vector<ValueError>& errors) const;

  plan::Relation rest_;                    // below the choice of columns
  std::vector<std::size_t> places_;        // which columns of the rest
  plan::Relation numbered_;                // the rest, over rows that carry their number as the last column
  bool keeps_numbers_ = true;              // whether that column is still there
  std::vector<plan::Expression> columns_;  // of the answer, over those of the aggregate
  std::vector<plan::Facts> facts_;         // of the aggregate's columns, without lists of values
  std::size_t keys_ = 0;
  bool chooses_by_noise_ = false;
};

}  // namespace dither::session
