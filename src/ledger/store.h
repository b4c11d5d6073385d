// Where a ledger is kept: a chain of records, and tables that follow from it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "ledger/record.h"

namespace dither::ledger {

// The tables are a function of the records: replaying those into an empty store gives the same tables again. Each maps a
// key to one line of JSON, except `answers`, which maps a hash to the bytes of an answer.
enum class Table {
  facts,     // "ledger": who this ledger is; "time": of the last record
  datasets,  // name
  budgets,   // path, such as "visits/study/anna"
  releases,  // number, 12 digits
  draws,     // key and draw number: the release that has, or is to have, the answer
  held,      // releases that are reserved or opened: what recovery looks at
  answers,   // SHA-256 in hexadecimal digits
};
inline constexpr int kTables = 7;
std::string_view table_name(Table table);

enum class Access { read, write };

// A small interface: whatever can append durably, and keep ordered maps, can keep a ledger. Calls other than begin are
// made between begin and commit or rollback, by one thread at a time.
//
// Promise    between begin and the end all reads see one state; begin(write) waits until no other process writes; commit
//            returns when everything written since begin is durable, and then all of it is, never a part.
// Refuses    a store that another process keeps locked for too long (ledger-busy), damage that is noticed
//            (ledger-damaged), whatever the system refuses (cannot-read, cannot-write). After an error the transaction
//            can only be rolled back.
class Store {
 public:
  virtual ~Store() = default;

  virtual void begin(Access access) = 0;
  virtual void commit() = 0;
  virtual void rollback() noexcept = 0;

  virtual Head head() = 0;
  virtual void append(const Record& record) = 0;  // the one after head()
  // Visits the records from this number on, in order, until `visit` says false.
  virtual void records(std::uint64_t from, const std::function<bool(const Record&)>& visit) = 0;

  // The signature over the head, and marks of this very copy; not part of what the records say.
  virtual std::string note(std::string_view name) = 0;  // empty when there is none
  virtual void set_note(std::string_view name, std::string_view text) = 0;

  virtual std::optional<std::string> get(Table table, std::string_view key) = 0;
  virtual void put(Table table, std::string_view key, std::string_view value) = 0;
  virtual void erase(Table table, std::string_view key) = 0;
  // Visits the entries whose keys are not below `from`, in the order of their bytes, until `visit` says false. The
  // store must not be written to meanwhile.
  using Visit = std::function<bool(std::string_view key, std::string_view value)>;
  virtual void scan(Table table, std::string_view from, const Visit& visit) = 0;
  // The last entry whose key begins so; none when there is none.
  virtual std::optional<std::pair<std::string, std::string>> last(Table table, std::string_view prefix) = 0;
};

// A transaction that is rolled back unless commit() was reached.
class Transaction {
 public:
  Transaction(Store& store, Access access) : store_(store) { store_.begin(access); }
  ~Transaction() {
    if (!done_) store_.rollback();
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit() {
    store_.commit();
    done_ = true;
  }

 private:
  Store& store_;
  bool done_ = false;
};

}  // namespace dither::ledger
