#include "ledger/verify.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>

#include "ledger/detail/book.h"
#include "ledger/detail/checked_vfs.h"
#include "ledger/every_record_check.h"
#include "ledger/store_check.h"
#include "testing/plain_sqlite.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;

// All that a store holds, to be changed at will and put into another one.
struct Contents {
  std::vector<Record> records;
  std::array<std::map<std::string, std::string>, kTables> tables;
  std::string signature;

  std::map<std::string, std::string>& table(Table which) { return tables.at(static_cast<std::size_t>(which)); }
};

Contents contents_of(Store& store) {
  const Transaction transaction(store, Access::read);
  Contents all;
  store.records(1, [&](const Record& record) {
    all.records.push_back(record);
    return true;
  });
  for (const Table table : kAllTables) {
    store.scan(table, "", [&](std::string_view key, std::string_view value) {
      all.table(table).emplace(key, value);
      return true;
    });
  }
  all.signature = store.note("signature");
  return all;
}

void fill(Store& store, const Contents& contents) {
  for (const Record& record : contents.records) store.append(record);
  for (const Table table : kAllTables) {
    for (const auto& [key, value] : contents.tables.at(static_cast<std::size_t>(table))) store.put(table, key, value);
  }
  store.set_note("signature", contents.signature);
}

std::vector<Finding> findings_in(const Contents& contents, const VerifyOptions& options = {}) {
  MemoryStore store;
  fill(store, contents);
  return verify(store, options);
}

// Hashes computed anew from this record on, as somebody without the key can.
void rechain(std::vector<Record>& records) {
  Head head;
  for (Record& record : records) {
    record = next_record(head, record.body);
    head = head_at(record);
  }
}

// The record that the first finding names; -1 when there is no finding.
std::int64_t first_named(const std::vector<Finding>& findings) {
  return findings.empty() ? -1 : static_cast<std::int64_t>(findings.front().record);
}

class Everything : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = new Made(true);
    do_everything(*made_);
    SqliteStore store(made_->file, Opening::read_only);
    contents_ = new Contents(contents_of(store));
  }
  static void TearDownTestSuite() {
    delete contents_;
    delete made_;
  }
  static Made* made_;
  static Contents* contents_;
  Contents contents = *contents_;
  std::uint64_t last = contents.records.size();
  VerifyOptions options{made_->key.public_key(), answers_folder_of(made_->file), {made_->ledger->head()}, nullptr};
};
Made* Everything::made_ = nullptr;
Contents* Everything::contents_ = nullptr;

TEST_F(Everything, HoldsEveryKindOfRecordAndGivesNoFinding) {
  EXPECT_EQ(kinds_in(*made_->ledger).size(), std::size_t{kRecordKinds});
  EXPECT_EQ(findings_in(contents, options), std::vector<Finding>{});
  EXPECT_EQ(verify_file(made_->file, {}), std::vector<Finding>{});
}

// Spec: P-26
TEST_F(Everything, OneChangedByteOfARecordIsFoundAtThatRecord) {
  const bool all = std::getenv("DITHER_NIGHTLY") != nullptr;
  for (const Record& record : contents_->records) {
    const std::size_t step = all ? 1 : record.body.size() / 6;
    for (std::size_t at = record.number % step; at < record.body.size(); at += step) {
      Contents changed = *contents_;
      changed.records[record.number - 1].body[at] ^= 1;
      EXPECT_EQ(first_named(findings_in(changed)), record.number) << "byte " << at;
    }
    Contents changed = *contents_;
    changed.records[record.number - 1].hash.bytes[record.number % 32] ^= 0x10;
    EXPECT_EQ(first_named(findings_in(changed)), record.number);
  }
}

// Spec: P-26
TEST_F(Everything, ADeletedRecordIsNamed) {
  for (std::uint64_t number = 1; number < last; ++number) {
    Contents changed = *contents_;
    changed.records.erase(changed.records.begin() + static_cast<std::ptrdiff_t>(number - 1));
    EXPECT_EQ(first_named(findings_in(changed)), number);
    for (std::uint64_t i = number; i < last; ++i) changed.records[i - 1].number = i;  // closes the gap
    EXPECT_EQ(first_named(findings_in(changed)), number);
  }
}

// Without the signature of the shorter chain a cut end can only be told from the last record there is; a head noted
// elsewhere names the first that is missing.
TEST_F(Everything, ACutEndIsFound) {
  for (std::uint64_t kept = 1; kept < last; ++kept) {
    Contents changed = *contents_;
    changed.records.resize(kept);
    EXPECT_EQ(first_named(findings_in(changed)), kept);
    EXPECT_EQ(first_named(findings_in(changed, options)), kept + 1);
  }
  Contents nothing;
  EXPECT_EQ(first_named(findings_in(nothing)), 1);
}

// Spec: P-26
TEST_F(Everything, ASwapIsFoundAtTheFirstOfTheTwo) {
  for (std::uint64_t number = 1; number < last; ++number) {
    Contents changed = *contents_;
    std::swap(changed.records[number - 1].body, changed.records[number].body);
    EXPECT_EQ(first_named(findings_in(changed)), number);
    std::swap(changed.records[number - 1].hash, changed.records[number].hash);
    EXPECT_EQ(first_named(findings_in(changed)), number);
  }
}

TEST_F(Everything, AnInsertedRecordIsNamed) {
  const Record& refused = contents_->records[last / 2];
  for (std::uint64_t number = 2; number <= last; number += 5) {
    Contents changed = *contents_;
    changed.records.insert(changed.records.begin() + static_cast<std::ptrdiff_t>(number - 1), refused);
    for (std::uint64_t i = number; i <= last + 1; ++i) changed.records[i - 1].number = i;
    EXPECT_EQ(first_named(findings_in(changed)), number);
  }
  // At the end, with a hash that fits: the signature is that of the record before.
  Contents changed = *contents_;
  std::string body = changed.records.back().body;
  body = R"({"kind":"freeze",)" + body.substr(body.find("\"at\""), 28) + R"("path":"visits","by":"Eve","why":"?"})";
  changed.records.push_back(next_record(head_at(changed.records.back()), body));
  EXPECT_EQ(first_named(findings_in(changed)), last + 1);
}

// Spec: P-26
TEST_F(Everything, EveryEntryOfEveryTableIsCompared) {
  for (const Table table : kAllTables) {
    for (const auto& [key, value] : contents_->table(table)) {
      Contents without = *contents_;
      without.table(table).erase(key);
      EXPECT_EQ(findings_in(without).size(), 1u) << table_name(table) << " " << key;
      Contents changed = *contents_;
      std::string& text = changed.table(table)[key];
      const char other = !text.empty() && text[text.size() / 2] == '1' ? '2' : '1';
      text.replace(text.size() / 2, 1, 1, other);
      EXPECT_EQ(findings_in(changed).size(), 1u) << table_name(table) << " " << key;
    }
    Contents more = *contents_;
    more.table(table)["zzz"] = "{}";
    EXPECT_EQ(findings_in(more).size(), 1u) << table_name(table);
  }
}

TEST_F(Everything, AnEntryIsNamedWithTheRecordThatLastWroteIt) {
  for (auto& [id, release] : contents.table(Table::releases)) {
    const std::size_t state = release.find(R"("voided")");
    if (state != std::string::npos) release.replace(state, 8, R"("lost")");
  }
  const std::vector<Finding> findings = findings_in(contents);
  ASSERT_EQ(findings.size(), 1u);
  const Record& voided = contents.records.at(findings[0].record - 1);
  EXPECT_NE(voided.body.find(R"("kind":"voided")"), std::string::npos);
  EXPECT_TRUE(findings[0].what.ends_with("of the table releases is not what the records give: state"));
}

TEST_F(Everything, AnswersInFilesAreRead) {
  const std::string folder = made_->folder.file("answers");
  std::filesystem::copy(options.answers_folder, folder);
  options.answers_folder = folder;
  const std::string file = std::filesystem::directory_iterator(folder)->path().string();
  std::fstream(file, std::ios::in | std::ios::out).put('y');
  ASSERT_EQ(findings_in(contents, options).size(), 1u);
  const Record& committed = contents.records.at(findings_in(contents, options)[0].record - 1);
  EXPECT_NE(committed.body.find("70000"), std::string::npos);
  std::filesystem::remove(file);
  EXPECT_EQ(first_named(findings_in(contents, options)), committed.number);
  std::filesystem::remove_all(folder);
}

// What is checked at no expense to the reader: these pass where verify does not.
bool chain_holds(const Contents& contents) {
  Head head;
  for (const Record& record : contents.records) {
    if (record != next_record(head, record.body)) return false;
    head = head_at(record);
  }
  return true;
}
bool signature_holds(const Contents& contents, const SignedHead& head) {
  const Record& last = contents.records.back();
  return last.number == head.head.number && last.hash == head.head.hash && contents.signature == head.signature;
}
bool tables_follow(const Contents& contents) {
  MemoryStore replayed;
  for (const Record& record : contents.records) detail::Book(replayed).apply(record);
  Contents tables = contents_of(replayed);
  tables.table(Table::answers) = contents.tables.at(static_cast<std::size_t>(Table::answers));
  return tables.tables == contents.tables;
}

// Somebody without the key makes a record and everything after it consistent: records, hashes, tables.
Contents rewritten(Contents contents) {
  std::string& body = contents.records.at(1).body;
  body.replace(body.find("\"10\""), 4, "\"99\"");
  rechain(contents.records);
  MemoryStore replayed;
  for (const Record& record : contents.records) detail::Book(replayed).apply(record);
  Contents tables = contents_of(replayed);
  tables.table(Table::answers) = contents.table(Table::answers);
  contents.tables = tables.tables;
  return contents;
}

TEST_F(Everything, PlantedVerifyWithoutSignatureIsCaught) {
  const Contents forged = rewritten(contents);
  EXPECT_TRUE(chain_holds(forged) && tables_follow(forged));  // all that the bug would look at
  EXPECT_EQ(first_named(findings_in(forged)), last);
  const SignedHead early = sign_head(made_->key, made_->ledger->id(), head_at(contents.records.at(6)));
  options.noted = {early};
  EXPECT_EQ(first_named(findings_in(forged, options)), 7);
}

TEST_F(Everything, PlantedVerifyWithoutSumsIsCaught) {
  std::string& budget = contents.table(Table::budgets).at("visits");
  budget.replace(budget.find("\"charges\":"), 11, "\"charges\":9");
  EXPECT_TRUE(chain_holds(contents) && signature_holds(contents, made_->ledger->head()));
  EXPECT_EQ(findings_in(contents).size(), 1u);
}

TEST_F(Everything, PlantedVerifyWithoutHashesIsCaught) {
  std::string& body = contents.records.at(1).body;
  body.replace(body.find("Ada"), 3, "Eve");  // changes no table
  EXPECT_TRUE(tables_follow(contents) && signature_holds(contents, made_->ledger->head()));
  EXPECT_EQ(first_named(findings_in(contents)), 2);
}

TEST_F(Everything, ALedgerOfAnotherKeyIsFoundByTheKeyExpected) {
  options.public_key = SigningKey::make().public_key();
  options.noted.clear();
  EXPECT_EQ(first_named(findings_in(contents, options)), 1);
}

TEST_F(Everything, HeadsThatAreNotOfThisLedgerOrNotSignedAreFound) {
  SignedHead head = made_->ledger->head();
  head.ledger = "00";
  SignedHead unsigned_head = made_->ledger->head();
  unsigned_head.signature = std::string(128, '0');
  options.noted = {head, unsigned_head};
  EXPECT_EQ(findings_in(contents, options).size(), 2u);
}

TEST_F(Everything, WhatIsNoJsonAtAllIsAFinding) {
  for (const char* body : {"", "{", "[]", "null", "\xFF\xFE", R"({"kind":7})", R"({"kind":"grant"})",
                           R"({"kind":"committed","at":"2030-01-01T00:00:00Z"})"}) {
    Contents changed = *contents_;
    changed.records[9].body = body;
    EXPECT_EQ(first_named(findings_in(changed)), 10) << body;
    rechain(changed.records);
    EXPECT_EQ(first_named(findings_in(changed)), 10) << body;  // it does not follow from those before
  }
}

// The file as the plain tool of SQLite changes it.
class EditedFile : public Everything {
 protected:
  EditedFile() {
    SqliteStore(made_->file, Opening::read_only).back_up(path);
    std::filesystem::copy(head_file_of(made_->file), head_file_of(path));
    std::filesystem::copy(answers_folder_of(made_->file), answers_folder_of(path));
    std::ifstream from(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(from), {});
  }
  // What is found in the file after these statements; each time it is as it was before.
  std::vector<Finding> after(const std::string& statements, const char* vfs = nullptr) {
    std::filesystem::remove(path + "-wal");
    std::filesystem::remove(path + "-shm");
    std::ofstream(path, std::ios::binary) << bytes;
    {
      testing::PlainSqlite plain(path, vfs);
      EXPECT_EQ(plain.run(statements), 0) << statements;
    }
    return verify_file(path, {});
  }

  Folder folder;
  std::string path = folder.file("copy.db");
  std::string bytes;
};

TEST_F(EditedFile, GivesNoFindingWhenNothingChanged) { EXPECT_EQ(after("SELECT 1"), std::vector<Finding>{}); }

// Spec: P-26
TEST_F(EditedFile, IsFoundAndTheRecordIsNamed) {
  EXPECT_EQ(first_named(after("UPDATE records SET body = replace(body, 'Ada', 'Eve') WHERE number = 5")), 5);
  EXPECT_EQ(first_named(after("UPDATE records SET hash = CAST(hash || x'00' AS BLOB) WHERE number = 7")), 7);
  EXPECT_EQ(first_named(after("DELETE FROM records WHERE number = 4")), 4);
  EXPECT_EQ(first_named(after("DELETE FROM records WHERE number > 20")), 21);
  EXPECT_EQ(first_named(after("DELETE FROM records")), 1);
  EXPECT_EQ(first_named(after("UPDATE records SET number = -1 WHERE number = 9;"
                              "UPDATE records SET number = 9 WHERE number = 8;"
                              "UPDATE records SET number = 8 WHERE number = -1")),
            8);
  EXPECT_EQ(first_named(after("INSERT INTO records SELECT -3, body, hash FROM records WHERE number = 3")), -3);
  EXPECT_EQ(first_named(after("UPDATE notes SET text = replace(text, '1', '2')")), static_cast<std::int64_t>(last));
  EXPECT_EQ(after("UPDATE answers SET value = x'00' WHERE length(value) = 3").front().what.substr(0, 10), "the answer");
  EXPECT_EQ(after("DELETE FROM draws").size(), contents.table(Table::draws).size() + 1);  // and the damaged page
}

TEST_F(EditedFile, ADamagedPageIsReportedBesides) {
  bytes.at(3 * detail::kPageBytes - 1) ^= 1;  // in a checksum, which no program but ours reads
  const std::vector<Finding> findings = after("SELECT 1");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].record, 0u);
}

// Somebody who knows about checksums adds what works along with every statement.
TEST_F(EditedFile, WhatTheSchemaDoesNotHaveIsFound) {
  const auto findings =
      after("CREATE TRIGGER spend AFTER INSERT ON records BEGIN DELETE FROM held; END", detail::checked_vfs_name());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].what.find("trigger spend"), std::string::npos);
}

TEST(Verify, SaysHowFarItIs) {
  Made made(false);
  do_everything(made);
  MemoryStore store;
  made.ledger->records(1, [&](const Record& record) {
    store.append(record);
    detail::Book(store).apply(record);
    return true;
  });
  std::uint64_t done = 0;
  Progress progress([&](const ProgressReport& report) { done = report.done; }, CancelToken{});
  VerifyOptions options;
  options.progress = &progress;
  verify(store, options);
  EXPECT_EQ(done, store.head().number);
}

TEST(Compare, TellsPrefixesFromForks) {
  Made made(false);
  do_everything(made);
  std::vector<Record> records;
  made.ledger->records(1, [&](const Record& record) {
    records.push_back(record);
    return true;
  });
  const auto store_of = [&](std::size_t count) {
    auto store = std::make_unique<MemoryStore>();
    for (std::size_t i = 0; i < count; ++i) store->append(records[i]);
    return store;
  };
  const auto all = store_of(records.size());
  const auto fewer = store_of(records.size() - 4);
  EXPECT_EQ(compare(*all, *store_of(records.size())), Comparison{});
  EXPECT_EQ(compare(*fewer, *all), (Comparison{Comparison::Kind::behind, 4, 0}));
  EXPECT_EQ(compare(*all, *fewer), (Comparison{Comparison::Kind::ahead, 4, 0}));
  fewer->append(next_record(fewer->head(), "{}"));
  EXPECT_EQ(compare(*fewer, *all), (Comparison{Comparison::Kind::forked, 0, records.size() - 3}));
}

}  // namespace
}  // namespace dither::ledger
