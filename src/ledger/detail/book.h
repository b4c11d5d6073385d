// What the tables of a store say, and how a record changes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/detail/json.h"
#include "ledger/detail/recent.h"
#include "ledger/store.h"

namespace dither::ledger::detail {

// The tables, typed. Within a transaction of the store.
class Book {
 public:
  explicit Book(Store& store) : store_(store) {}
  Store& store() { return store_; }

  // Who this ledger is.
  struct Identity {
    std::string id;
    std::string public_key;
    std::string anchor;  // path of a head file elsewhere; "" when there is none
  };
  Identity identity();
  Time last_time();  // of the last record; 0 before the first

  std::optional<Dataset> dataset(std::string_view name);
  std::optional<Budget> budget(std::string_view path);
  std::optional<Release> release(std::string_view id);
  // unknown-budget, unknown-release: with the nearest name there is.
  Dataset need_dataset(std::string_view name);
  Budget need_budget(std::string_view path);
  Release need_release(std::string_view id);

  std::vector<Dataset> datasets();
  // All budgets, or the one of this path and those below it; in the order of their paths.
  std::vector<Budget> budgets(std::string_view path = "");
  // Reserved and opened.
  std::vector<Release> held();

  // The last draw of a key: what was asked is, or will be, answered by it. Voided ones do not count.
  std::optional<Release> last_draw(const Digest& key);

  // Changes the tables as this record says. The only code that writes tables: replaying all records into an empty
  // store gives the tables again. ledger-damaged for a record that does not follow from those before it.
  void apply(const Record& record);

 private:
  void put(const Dataset& dataset);
  void put(const Budget& budget);
  void put(const Release& release);

  void begin_ledger(const Json& body);
  void make_dataset(const Json& body, Time at);
  void make_budget(const Json& body, Time at);
  void grant(const Json& body);
  void set_standing(const Json& body, Standing standing);
  void review(const Json& body);
  void declare_version(const Json& body, Time at);
  void note_source(const Json& body);
  void begin_period(const Json& body);
  void reserve(const Json& body, Time at);
  void open(const Json& body, Time at);
  void commit(const Json& body, Time at);
  void give_back(const Json& body, Time at);
  void lose(const Json& body, Time at);
  void share(const Json& body);
  void reprice(const Json& body);
  void restore(const Json& body, Time at);
  void anchor(const Json& body);
  // Adds a cost to a budget, or takes it back from the period and version that it was charged in.
  Payer charge(const std::string& path, const accounting::Spent& cost, bool correction);
  void take_back(const Payer& payer, const accounting::Spent& cost);
  Release step(const Json& body, State from, State to);

  Store& store_;
  Recent<Dataset> datasets_;
  Recent<Budget> budgets_;
  Recent<Release> releases_;
};

}  // namespace dither::ledger::detail
