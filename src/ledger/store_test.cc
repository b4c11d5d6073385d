#include "ledger/store.h"

#include <gtest/gtest.h>

#include "ledger/ledger_check.h"
#include "ledger/store_check.h"

namespace dither::ledger {
namespace {

using namespace check;
using Entries = std::vector<std::pair<std::string, std::string>>;

// What every store promises: false is in memory, true in a file.
class StoreTest : public ::testing::TestWithParam<bool> {
 protected:
  Folder folder;
  std::shared_ptr<Store> made = make_store(GetParam() ? folder.file("ledger.db") : "");
  Store& store = *made;

  void write(const std::function<void()>& change) {
    Transaction transaction(store, Access::write);
    change();
    transaction.commit();
  }
  // Changes that are taken back.
  void attempt(const std::function<void()>& change) {
    const Transaction transaction(store, Access::write);
    change();
  }
  std::optional<std::string> value(Table table, std::string_view key) {
    const Transaction transaction(store, Access::read);
    return store.get(table, key);
  }
  Entries entries(Table table, std::string_view from = "", std::size_t most = 1000) {
    const Transaction transaction(store, Access::read);
    Entries found;
    store.scan(table, from, [&](std::string_view key, std::string_view text) {
      found.emplace_back(key, text);
      return found.size() < most;
    });
    return found;
  }
  std::string last_key(Table table, std::string_view prefix) {
    const Transaction transaction(store, Access::read);
    const auto found = store.last(table, prefix);
    return found ? found->first : "none";
  }
  Head head() {
    const Transaction transaction(store, Access::read);
    return store.head();
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, StoreTest, ::testing::Bool());

TEST_P(StoreTest, BeginsEmpty) {
  EXPECT_EQ(head(), Head{});
  for (const Table table : kAllTables) EXPECT_TRUE(entries(table).empty()) << table_name(table);
  const Transaction transaction(store, Access::read);
  EXPECT_EQ(store.note("signature"), "");
  store.records(0, [](const Record&) {
    ADD_FAILURE() << "a record";
    return true;
  });
}

TEST_P(StoreTest, PutReplacesAndEraseForgets) {
  write([&] {
    store.put(Table::budgets, "a", "1");
    store.put(Table::budgets, "a", "2");
    store.put(Table::datasets, "a", "of another table");
    EXPECT_EQ(store.get(Table::budgets, "a"), "2");  // a transaction sees what it wrote
  });
  EXPECT_EQ(value(Table::budgets, "a"), "2");
  EXPECT_EQ(value(Table::datasets, "a"), "of another table");
  EXPECT_EQ(value(Table::budgets, "b"), std::nullopt);
  write([&] {
    store.erase(Table::budgets, "a");
    store.erase(Table::budgets, "never there");
  });
  EXPECT_EQ(value(Table::budgets, "a"), std::nullopt);
  EXPECT_EQ(value(Table::datasets, "a"), "of another table");
}

TEST_P(StoreTest, RollbackTakesEverythingBack) {
  write([&] {
    store.append(next_record(store.head(), "{\"first\":1}"));
    store.put(Table::facts, "kept", "before");
    store.put(Table::facts, "erased", "before");
    store.set_note("signature", "before");
  });
  const std::string before = everything_in(store);
  attempt([&] {
    store.append(next_record(store.head(), "{\"second\":2}"));
    store.append(next_record(store.head(), "{\"third\":3}"));
    store.put(Table::facts, "kept", "after");
    store.put(Table::facts, "kept", "once more");
    store.put(Table::facts, "new", "after");
    store.erase(Table::facts, "new");
    store.erase(Table::facts, "erased");
    store.put(Table::held, "x", "{}");
    store.put(Table::answers, "hash", "bytes");
    store.set_note("signature", "after");
    store.set_note("copy", "after");
    EXPECT_EQ(store.head().number, 3u);
  });
  EXPECT_EQ(everything_in(store), before);
  const Transaction transaction(store, Access::read);
  EXPECT_EQ(store.note("signature"), "before");
  EXPECT_EQ(store.note("copy"), "");
}

TEST_P(StoreTest, ARollbackDoesNotReachIntoTheTransactionBefore) {
  write([&] { store.put(Table::facts, "a", "1"); });
  write([&] { store.put(Table::facts, "a", "2"); });
  attempt([&] { store.put(Table::facts, "a", "3"); });
  attempt([&] {});
  EXPECT_EQ(value(Table::facts, "a"), "2");
}

TEST_P(StoreTest, RecordsAreVisitedInOrderFromANumberUntilEnough) {
  write([&] {
    for (int i = 1; i <= 12; ++i) store.append(next_record(store.head(), std::to_string(i)));
  });
  const auto seen = [&](std::uint64_t from, std::size_t most) {
    const Transaction transaction(store, Access::read);
    std::vector<Record> found;
    store.records(from, [&](const Record& record) {
      found.push_back(record);
      return found.size() < most;
    });
    return found;
  };
  EXPECT_EQ(seen(0, 100).size(), 12u);
  EXPECT_EQ(seen(1, 100), seen(0, 100));
  EXPECT_EQ(seen(13, 100).size(), 0u);
  const std::vector<Record> some = seen(9, 2);
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some[0].number, 9u);
  EXPECT_EQ(some[1].body, "10");
  EXPECT_EQ(some[1].hash, chained(some[0].hash, 10, "10"));
  EXPECT_EQ(head(), head_at(seen(12, 1).at(0)));
}

TEST_P(StoreTest, ScansInTheOrderOfBytes) {
  const std::vector<std::string> keys = {"0",        "A",       "visits",   "visits-old",
                                         "visits/a", "visits0", "\xc3\xa4", "\xf0\x9f\x8c\x8d"};
  write([&] {
    for (auto key = keys.rbegin(); key != keys.rend(); ++key) store.put(Table::budgets, *key, "of " + *key);
  });
  Entries all;
  for (const std::string& key : keys) all.emplace_back(key, "of " + key);
  EXPECT_EQ(entries(Table::budgets), all);
  EXPECT_EQ(entries(Table::budgets, "visits/"), Entries(all.begin() + 4, all.end()));
  EXPECT_EQ(entries(Table::budgets, "visits", 2), Entries(all.begin() + 2, all.begin() + 4));
  EXPECT_EQ(entries(Table::budgets, "\xf0\x9f\x8c\x8e"), Entries());
}

TEST_P(StoreTest, LastIsTheGreatestWithThePrefix) {
  write([&] {
    for (const char* key : {"aa/000000000001", "aa/000000000002", "aa/000000000010", "ab/000000000003", "a"}) {
      store.put(Table::draws, key, key);
    }
  });
  EXPECT_EQ(last_key(Table::draws, "aa/"), "aa/000000000010");
  EXPECT_EQ(last_key(Table::draws, "ab/"), "ab/000000000003");
  EXPECT_EQ(last_key(Table::draws, "ac/"), "none");
  EXPECT_EQ(last_key(Table::draws, "a0/"), "none");
  EXPECT_EQ(last_key(Table::draws, ""), "ab/000000000003");
  EXPECT_EQ(last_key(Table::releases, ""), "none");
  write([&] { store.erase(Table::draws, "aa/000000000010"); });
  EXPECT_EQ(last_key(Table::draws, "aa/"), "aa/000000000002");
}

TEST_P(StoreTest, KeepsAnyTextAndAnyAnswer) {
  const std::string large(3 << 20, 'x');
  std::string all_bytes;
  for (int i = 0; i < 256; ++i) all_bytes += static_cast<char>(i);
  const std::string odd = "it's; DROP TABLE \"budgets\" -- %_*?\\ \t\n\xf4\x8f\xbf\xbf";
  write([&] {
    store.put(Table::budgets, odd, odd);
    store.put(Table::budgets, "", "the empty key");
    store.put(Table::budgets, "empty", "");
    store.put(Table::answers, "empty", "");
    store.put(Table::answers, "bytes", all_bytes);
    store.put(Table::answers, "large", large);
    store.set_note(odd, odd);
    store.append(next_record(store.head(), odd));
  });
  EXPECT_EQ(value(Table::budgets, odd), odd);
  EXPECT_EQ(value(Table::budgets, ""), "the empty key");
  EXPECT_EQ(value(Table::budgets, "empty"), "");
  EXPECT_EQ(value(Table::answers, "empty"), "");
  EXPECT_EQ(value(Table::answers, "bytes"), all_bytes);
  EXPECT_EQ(value(Table::answers, "large"), large);
  EXPECT_EQ(entries(Table::answers).size(), 3u);
  const Transaction transaction(store, Access::read);
  EXPECT_EQ(store.note(odd), odd);
  store.records(1, [&](const Record& record) {
    EXPECT_EQ(record.body, odd);
    return true;
  });
}

TEST_P(StoreTest, NotesAreReplacedAndEmptied) {
  write([&] { store.set_note("copy", "yes"); });
  write([&] { store.set_note("copy", "still"); });
  {
    const Transaction transaction(store, Access::read);
    EXPECT_EQ(store.note("copy"), "still");
  }
  write([&] { store.set_note("copy", ""); });
  const Transaction transaction(store, Access::read);
  EXPECT_EQ(store.note("copy"), "");
}

// A visit that throws leaves the store usable: the statement that it was in the middle of is given up.
TEST_P(StoreTest, AVisitThatThrowsHarmsNothing) {
  write([&] {
    for (const char* key : {"a", "b", "c"}) store.put(Table::budgets, key, key);
  });
  EXPECT_THROW(attempt([&] {
                 store.scan(Table::budgets, "",
                            [](std::string_view, std::string_view) -> bool { throw std::runtime_error("enough"); });
               }),
               std::runtime_error);
  write([&] { store.put(Table::budgets, "d", "d"); });
  EXPECT_EQ(entries(Table::budgets).size(), 4u);
}

TEST(SqliteStore, WhatWasCommittedIsThereForTheNextToOpenIt) {
  const Folder folder;
  const std::string file = folder.file("ledger.db");
  std::string before;
  {
    SqliteStore store(file, Opening::fresh);
    Transaction transaction(store, Access::write);
    store.append(next_record(store.head(), "one"));
    store.put(Table::answers, "hash", std::string("\0\xff", 2));
    transaction.commit();
    before = everything_in(store);
  }
  for (const Opening opening : {Opening::existing, Opening::read_only, Opening::raw}) {
    SqliteStore store(file, opening);
    EXPECT_EQ(everything_in(store), before);
  }
}

// A reader sees one state for as long as its transaction lasts, whatever another writes meanwhile.
TEST(SqliteStore, AReaderSeesOneState) {
  const Folder folder;
  SqliteStore writer(folder.file("ledger.db"), Opening::fresh);
  SqliteStore reader(folder.file("ledger.db"), Opening::existing);
  const auto put = [&](const char* text) {
    Transaction transaction(writer, Access::write);
    writer.put(Table::facts, "a", text);
    transaction.commit();
  };
  put("before");
  {
    const Transaction transaction(reader, Access::read);
    EXPECT_EQ(reader.get(Table::facts, "a"), "before");
    put("after");
    EXPECT_EQ(reader.get(Table::facts, "a"), "before");
  }
  const Transaction transaction(reader, Access::read);
  EXPECT_EQ(reader.get(Table::facts, "a"), "after");
}

}  // namespace
}  // namespace dither::ledger
