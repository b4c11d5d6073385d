// The tables that records give, and which record last wrote each entry.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ledger/detail/book.h"
#include "ledger/memory_store.h"

namespace dither::ledger::detail {

// The tables that follow from records alone. Answers are bytes that records only name.
inline constexpr std::array kReplayed = {Table::facts,    Table::datasets, Table::budgets,
                                         Table::releases, Table::draws,    Table::held};

// Tables in memory that remember who wrote them.
class Traced : public MemoryStore {
 public:
  void put(Table table, std::string_view key, std::string_view value) override;
  void erase(Table table, std::string_view key) override;

  void set_writer(std::uint64_t record) { writer_ = record; }
  // The record that last wrote or erased this entry; 0 when none did.
  std::uint64_t writer_of(Table table, std::string_view key) const;

 private:
  void trace(Table table, std::string_view key);

  std::uint64_t writer_ = 0;
  std::array<std::map<std::string, std::uint64_t, std::less<>>, kTables> writers_;
};

// The answers that committed releases have: by hash in hexadecimal digits, the record that first committed each.
struct AnswersDue {
  using ByHash = std::map<std::string, std::uint64_t, std::less<>>;
  ByHash inside;
  ByHash in_files;

  void note(const Record& record);  // one that was applied
};

// Replays records, in their order, from the first one on.
class Replay {
 public:
  // Why the record does not follow from those before it; nothing when it does.
  std::optional<std::string> apply(const Record& record);

  Traced& tables() { return tables_; }
  Book& book() { return book_; }
  const AnswersDue& answers() const { return answers_; }

 private:
  Traced tables_;
  Book book_{tables_};
  AnswersDue answers_;
};

// The tables that a store's records give, all but the answers; ledger-damaged for records that are not a chain.
void replay_all(Store& store, Replay& replay);
// Puts those tables in the place of the store's. Within a transaction that writes.
void replace_tables(Store& store, Replay& replay);

}  // namespace dither::ledger::detail
