// For tests: a store that can be looked at while a ledger has it, and that outlives the ledger.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "ledger/memory_store.h"
#include "ledger/sqlite_store.h"

namespace dither::ledger::check {

inline constexpr std::array kAllTables = {Table::facts, Table::datasets, Table::budgets, Table::releases,
                                          Table::draws, Table::held,     Table::answers};

// Passes everything on to a store that others have as well; what a test wants otherwise, it overrides.
class Through : public Store {
 public:
  explicit Through(std::shared_ptr<Store> store) : store_(std::move(store)) {}
  void begin(Access access) override { store_->begin(access); }
  void commit() override { store_->commit(); }
  void rollback() noexcept override { store_->rollback(); }
  Head head() override { return store_->head(); }
  void append(const Record& record) override { store_->append(record); }
  void records(std::uint64_t from, const std::function<bool(const Record&)>& visit) override {
    store_->records(from, visit);
  }
  std::string note(std::string_view name) override { return store_->note(name); }
  void set_note(std::string_view name, std::string_view text) override { store_->set_note(name, text); }
  std::optional<std::string> get(Table table, std::string_view key) override { return store_->get(table, key); }
  void put(Table table, std::string_view key, std::string_view value) override { store_->put(table, key, value); }
  void erase(Table table, std::string_view key) override { store_->erase(table, key); }
  void scan(Table table, std::string_view from, const Visit& visit) override { store_->scan(table, from, visit); }
  std::optional<std::pair<std::string, std::string>> last(Table table, std::string_view prefix) override {
    return store_->last(table, prefix);
  }

 private:
  std::shared_ptr<Store> store_;
};

inline std::shared_ptr<Store> make_store(const std::string& file) {
  if (file.empty()) return std::make_shared<MemoryStore>();
  return std::make_shared<SqliteStore>(file, Opening::fresh);
}

// Every entry of every table, and the head: equal texts are equal states.
inline std::string everything_in(Store& store) {
  const Transaction transaction(store, Access::read);
  const Head head = store.head();
  std::string text = std::to_string(head.number) + " " + head.hash.hex() + "\n";
  for (const Table table : kAllTables) {
    store.scan(table, "", [&](std::string_view key, std::string_view value) {
      text += std::string(table_name(table)) + " " + std::string(key) + " " + std::string(value) + "\n";
      return true;
    });
  }
  return text;
}

}  // namespace dither::ledger::check
