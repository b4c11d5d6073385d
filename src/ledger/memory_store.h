// A ledger that is kept nowhere: for replaying records, and for tests.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "ledger/store.h"

namespace dither::ledger {

// Keeps its promise but for durability. Not for several threads or processes.
class MemoryStore : public Store {
 public:
  void begin(Access access) override;
  void commit() override;
  void rollback() noexcept override;
  Head head() override;
  void append(const Record& record) override;
  void records(std::uint64_t from, const std::function<bool(const Record&)>& visit) override;
  std::string note(std::string_view name) override;
  void set_note(std::string_view name, std::string_view text) override;
  std::optional<std::string> get(Table table, std::string_view key) override;
  void put(Table table, std::string_view key, std::string_view value) override;
  void erase(Table table, std::string_view key) override;
  void scan(Table table, std::string_view from, const Visit& visit) override;
  std::optional<std::pair<std::string, std::string>> last(Table table, std::string_view prefix) override;

 private:
  using Map = std::map<std::string, std::string, std::less<>>;
  struct Undo {  // the value a key had, none when it had none
    Map* map;
    std::string key;
    std::optional<std::string> before;
  };
  void remember(Map& map, std::string_view key);

  std::vector<Record> records_;
  std::array<Map, kTables> tables_;
  Map notes_;
  std::vector<Undo> undo_;
  std::size_t records_before_ = 0;
};

}  // namespace dither::ledger
