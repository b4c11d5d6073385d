// For tests: ledgers with a bug, as stores that do something else than they are told.
#pragma once

#include "ledger/detail/json.h"
#include "ledger/store_check.h"

namespace dither::ledger::check::planted {

// A budget as it is about to be written, and as it was.
class ChangesBudgets : public Through {
 public:
  using Through::Through;
  void put(Table table, std::string_view key, std::string_view value) override {
    if (table != Table::budgets) return Through::put(table, key, value);
    const auto before = get(table, key);
    Budget after = detail::budget_from(value);
    change(before ? std::optional(detail::budget_from(*before)) : std::nullopt, after);
    Through::put(table, key, detail::to_text(after));
  }

 private:
  virtual void change(const std::optional<Budget>& before, Budget& after) = 0;
};

// The data set's budget is not charged.
class LosesAncestorCharge : public ChangesBudgets {
 public:
  using ChangesBudgets::ChangesBudgets;

 private:
  void change(const std::optional<Budget>& before, Budget& after) override {
    if (before && after.kind == BudgetKind::dataset && after.charges > before->charges) after = *before;
  }
};

// Sums are kept as doubles, rounded up.
class KeepsFloats : public ChangesBudgets {
 public:
  using ChangesBudgets::ChangesBudgets;

 private:
  void change(const std::optional<Budget>&, Budget& after) override {
    for (accounting::Spent* sums : {&after.spent, &after.corrected, &after.lifetime}) {
      for (accounting::LossAmount& loss : sums->losses) {
        loss = accounting::LossAmount::up(Rational::from_double(loss.value().to_double_up()));
      }
    }
  }
};

// A new period forgets what was spent before it.
class ForgetsOnRenewal : public ChangesBudgets {
 public:
  using ChangesBudgets::ChangesBudgets;

 private:
  void change(const std::optional<Budget>& before, Budget& after) override {
    if (before && after.periods > before->periods) after.lifetime = after.spent;
  }
};

// An answer that is there is not found.
class RedrawsOnReread : public Through {
 public:
  using Through::Through;
  std::optional<std::pair<std::string, std::string>> last(Table table, std::string_view prefix) override {
    return table == Table::draws ? std::nullopt : Through::last(table, prefix);
  }
};

// A release counts as paid for by everybody.
class SharesForFree : public Through {
 public:
  using Through::Through;
  std::optional<std::string> get(Table table, std::string_view key) override {
    auto text = Through::get(table, key);
    if (table != Table::releases || !text) return text;
    Release release = detail::release_from(*text);
    if (release.state != State::committed) return text;
    scan(Table::budgets, "", [&](std::string_view path, std::string_view) {
      release.payers.push_back({std::string(path), 1, 1});
      return true;
    });
    return detail::to_text(release);
  }
};

// What is lost is given back, although its data was read.
class RefundsAfterOpen : public Through {
 public:
  using Through::Through;
  void put(Table table, std::string_view key, std::string_view value) override {
    Through::put(table, key, value);
    if (table != Table::releases) return;
    const Release release = detail::release_from(value);
    if (release.state != State::lost) return;
    for (const Payer& payer : release.payers) {
      Budget budget = detail::budget_from(*get(Table::budgets, payer.budget));
      if (budget.epoch != payer.epoch || budget.periods != payer.period) continue;
      budget.spent = minus(budget.spent, release.cost);
      budget.lifetime = minus(budget.lifetime, release.cost);
      Through::put(Table::budgets, payer.budget, detail::to_text(budget));
    }
  }
};

}  // namespace dither::ledger::check::planted
