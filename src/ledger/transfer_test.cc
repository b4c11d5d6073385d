#include "ledger/transfer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "ledger/every_record_check.h"
#include "ledger/store_check.h"
#include "ledger/verify.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::refusal;

std::string exported(const std::string& path) {
  std::ostringstream text;
  export_file(path, text);
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Every entry of every table.
std::string tables_of(Store& store) {
  const Transaction transaction(store, Access::read);
  std::string all;
  for (const Table table : kAllTables) {
    store.scan(table, "", [&](std::string_view key, std::string_view value) {
      all += std::string(table_name(table)) + " " + std::string(key) + " " + std::string(value) + "\n";
      return true;
    });
  }
  return all;
}

class TransferTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = new Made(true);
    do_everything(*made_);
    text_ = new std::string(exported(made_->file));
  }
  static void TearDownTestSuite() {
    delete text_;
    delete made_;
  }
  // What importing this text is refused with; the store is empty then.
  std::optional<Code> importing(const std::string& text) {
    MemoryStore store;
    std::istringstream from(text);
    const auto code = refusal([&] { import_ledger(from, store, folder.file("answers")); });
    EXPECT_EQ(store.head() == Head{}, code.has_value());
    return code;
  }

  Folder folder;
  static Made* made_;
  static std::string* text_;
  std::vector<std::string> lines = lines_of(*text_);
};
Made* TransferTest::made_ = nullptr;
std::string* TransferTest::text_ = nullptr;

// Spec: A-01, W-79
TEST_F(TransferTest, ReplayingAnExportGivesEverySumAgainBitForBit) {
  const std::string path = folder.file("new.db");
  std::istringstream from(*text_);
  import_file(from, path);
  SqliteStore original(made_->file, Opening::read_only);
  SqliteStore imported(path, Opening::read_only);
  EXPECT_EQ(tables_of(imported), tables_of(original));
  EXPECT_EQ(compare(imported, original), Comparison{});
  EXPECT_EQ(verify_file(path, {}), std::vector<Finding>{});
  EXPECT_EQ(exported(path), *text_);
  EXPECT_TRUE(Ledger::open(path, made_->key).is_copy());
}

TEST_F(TransferTest, InMemoryToo) {
  MemoryStore store;
  std::istringstream from(*text_);
  import_ledger(from, store, folder.file("answers"));
  SqliteStore original(made_->file, Opening::read_only);
  EXPECT_EQ(tables_of(store), tables_of(original));
  std::ostringstream again;
  export_ledger(store, folder.file("answers"), again);
  EXPECT_EQ(again.str(), *text_);
}

TEST_F(TransferTest, ALineThatIsMissingTwiceOrMovedIsRefused) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> changed = lines;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_TRUE(importing(joined(changed))) << "without line " << i + 1;
    changed = lines;
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
    EXPECT_TRUE(importing(joined(changed))) << "line " << i + 1 << " twice";
    changed = lines;
    if (i > 0) std::swap(changed[i], changed[i - 1]);
    EXPECT_EQ(importing(joined(changed)).has_value(), i > 0) << "line " << i + 1 << " moved";
  }
}

TEST_F(TransferTest, AChangedByteIsRefusedWhereverItIs) {
  const std::size_t step = std::getenv("DITHER_NIGHTLY") != nullptr ? 11 : text_->size() / 200;
  for (std::size_t at = 7; at < text_->size(); at += step) {
    std::string changed = *text_;
    changed[at] = changed[at] == 'a' ? 'b' : 'a';
    EXPECT_EQ(importing(changed).has_value(), changed != *text_) << "byte " << at;
  }
}

TEST_F(TransferTest, ATextThatIsCutOffIsRefused) {
  const std::size_t step = text_->size() / 50;
  for (std::size_t size = 0; size < text_->size(); size += step) {
    EXPECT_EQ(importing(text_->substr(0, size)), Code::bad_syntax);
  }
  EXPECT_EQ(importing(text_->substr(0, text_->size() - 1)), Code::bad_syntax);
  EXPECT_EQ(importing(*text_ + "\n"), Code::bad_syntax);
}

TEST_F(TransferTest, OtherVersionsAndMembersAreRefusedByName) {
  const auto with_first = [&](const std::string& from, const std::string& to) {
    std::vector<std::string> changed = lines;
    changed[0].replace(changed[0].find(from), from.size(), to);
    return importing(joined(changed));
  };
  EXPECT_EQ(with_first("\"version\":1", "\"version\":2"), Code::ledger_newer);
  EXPECT_EQ(with_first("\"version\":1", "\"version\":0"), Code::bad_syntax);
  EXPECT_EQ(with_first("\"version\":1", "\"version\":\"1\""), Code::bad_syntax);
  EXPECT_EQ(with_first("dither-ledger", "ledger"), Code::bad_syntax);
  EXPECT_EQ(with_first("{", "{\"more\":1,"), Code::bad_syntax);
  EXPECT_EQ(with_first("{", "{ "), Code::bad_syntax);
  std::vector<std::string> changed = lines;
  changed[3].back() = ',';
  changed[3] += "\"more\":1}";
  EXPECT_EQ(importing(joined(changed)), Code::bad_syntax);
  EXPECT_EQ(importing("SQLite format 3\n"), Code::bad_syntax);
}

// The text of somebody without the key: every hash fits, the signature cannot.
TEST_F(TransferTest, AChainComputedAnewIsRefused) {
  MemoryStore forged;
  const SignedHead head = made_->ledger->head();
  std::istringstream from(*text_);
  import_ledger(from, forged, folder.file("answers"));
  const Record more = next_record(forged.head(), R"({"kind":"freeze","at":"2030-01-01T00:00:00Z","path":"visits",)"
                                                 R"("by":"Eve","why":"none"})");
  std::vector<std::string> changed = lines;
  changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(more.number),
                 R"({"record":)" + std::to_string(more.number) +
                     R"(,"body":"{\"kind\":\"freeze\",\"at\":\"2030-01-01T00:00:00Z\",\"path\":\"visits\",)"
                     R"(\"by\":\"Eve\",\"why\":\"none\"}","hash":")" +
                     more.hash.hex() + "\"}");
  EXPECT_EQ(importing(joined(changed)), Code::ledger_damaged);  // the head is of another record
  changed.back() = "{\"head\":" + head_text({head.ledger, head_at(more), head.signature}) + "}";
  EXPECT_EQ(importing(joined(changed)), Code::ledger_damaged);
  changed.back() = "{\"head\":" + head_text(sign_head(SigningKey::make(), head.ledger, head_at(more))) + "}";
  EXPECT_EQ(importing(joined(changed)), Code::ledger_damaged);
  changed.back() = "{\"head\":" + head_text(sign_head(made_->key, head.ledger, head_at(more))) + "}";
  EXPECT_EQ(importing(joined(changed)), std::nullopt);  // the text is well formed: only the key was missing
}

TEST_F(TransferTest, ARefusedTextLeavesNoFile) {
  const Folder empty;
  const std::string head = lines.back();
  lines.pop_back();
  const std::string unsigned_head = "{\"head\":" + head_text({std::string(32, '0'), {}, std::string(128, '0')}) + "}\n";
  for (const std::string& text : {std::string(), joined(lines), joined(lines) + head, joined(lines) + unsigned_head}) {
    std::istringstream from(text);
    EXPECT_TRUE(refusal([&] { import_file(from, empty.file("new.db")); }));
    EXPECT_TRUE(std::filesystem::is_empty(empty.file("")));
  }
}

TEST_F(TransferTest, WhatIsThereIsNeverReplaced) {
  std::istringstream from(*text_);
  EXPECT_EQ(refusal([&] { import_file(from, made_->file); }), Code::cannot_write);
  MemoryStore store;
  Ledger::begin(store, made_->key);
  EXPECT_EQ(refusal([&] { import_ledger(from, store, ""); }), Code::cannot_write);
}

TEST_F(TransferTest, AStreamThatFailsIsAnError) {
  std::ofstream full("/dev/full");
  EXPECT_EQ(refusal([&] { export_file(made_->file, full); }), Code::cannot_write);
}

TEST(Export, IsOneStateWhileOthersWrite) {
  Made made(true);
  made.ledger->create_dataset(pure_dataset("visits", "1000"), steward());
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) pay(*made.ledger, laplace("visits", "0.001", std::to_string(i)), std::to_string(i));
  });
  for (int i = 0; i < 10; ++i) {
    std::istringstream from(exported(made.file));
    MemoryStore store;
    EXPECT_NO_THROW(import_ledger(from, store, ""));
  }
  stop = true;
  writer.join();
}

// A ledger that version 1 wrote, kept as text. What it says must never change.
TEST(Export, ALedgerOfVersion1IsStillRead) {
  std::ifstream from(DITHER_SOURCE_DIR "/tests/ledger/v1.jsonl");
  ASSERT_TRUE(from.is_open());
  const Folder folder;
  const std::string path = folder.file("v1.db");
  import_file(from, path);
  EXPECT_EQ(verify_file(path, {}), std::vector<Finding>{});
  Ledger ledger = Ledger::open_to_read(path);
  std::string sums;
  for (const Budget& budget : ledger.budgets()) {
    sums += budget.path + ": spent " + budget.spent.losses.at(0).str() + ", corrections " +
            budget.corrected.losses.at(0).str() + ", lifetime " + budget.lifetime.losses.at(0).str() + ", period " +
            budget.period + " of " + std::to_string(budget.periods) + ", epoch " + std::to_string(budget.epoch) +
            ", charges " + std::to_string(budget.charges) + "\n";
  }
  EXPECT_EQ(sums,
            "visits: spent 10.25, corrections 0, lifetime 10.25, period  of 1, epoch 2, charges 7\n"
            "visits/care: spent 5.25, corrections 0, lifetime 5.25, period  of 1, epoch 2, charges 3\n"
            "visits/old: spent 1, corrections 0, lifetime 1, period  of 1, epoch 2, charges 0\n"
            "visits/study: spent 1.5, corrections 0, lifetime 1.5, period 2026-12 of 1, epoch 2, charges 5\n");
  std::string states;
  ledger.releases("", [&](const Release& release) {
    states += release.id + " " + std::string(state_name(release.state)) + " " + release.cost.losses.at(0).str() + "\n";
    return true;
  });
  EXPECT_EQ(states,
            "000000000011 committed 0.2\n"
            "000000000014 committed 0.4\n"
            "000000000017 voided 0.1\n"
            "000000000019 lost 0.2\n"
            "000000000023 committed 0.6\n"
            "000000000027 committed 0.2\n"
            "000000000035 committed 0.1\n"
            "000000000043 committed 0.25\n");
  EXPECT_EQ(ledger.dataset("visits").versions.at(1).closed->losses.at(0).str(), "1.6");
  EXPECT_EQ(kinds_in(ledger).size(), std::size_t{kRecordKinds});
}

}  // namespace
}  // namespace dither::ledger
