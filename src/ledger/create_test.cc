// A ledger is there in full or not at all, also to whoever looks while it is made.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "ledger/ledger_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::refusal;

TEST(Create, OneOfManyMakesItAndNobodySeesHalfOfIt) {
  for (int round = 0; round < 10; ++round) {
    const Folder folder;
    const std::string path = folder / "v.ledger";
    const SigningKey key = SigningKey::make();
    std::atomic<int> made = 0, others = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        const std::optional<Code> code = refusal([&] { Ledger::create(path, key); });
        if (!code) ++made;
        if (code == Code::cannot_write) ++others;
        EXPECT_EQ(Ledger::open_to_read(path).head().head.number, 1U);
      });
    }
    threads.emplace_back([&] {
      while (made + others < 4) {
        if (!std::filesystem::exists(path)) continue;
        EXPECT_EQ(Ledger::open_to_read(path).head().head.number, 1U);
      }
    });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(made, 1);
    EXPECT_EQ(others, 3);
    EXPECT_EQ(folder.names().count("v.ledger.new"), 0U);
  }
}

TEST(Create, WhatAKilledAttemptLeftIsSweptAway) {
  const Folder folder;
  put_bytes(folder / "v.ledger.new", "half a ledger");
  put_bytes(folder / "v.ledger.new-wal", "and its log");
  Ledger::create(folder / "v.ledger", SigningKey::make());
  EXPECT_EQ(folder.names(), (std::set<std::string>{"v.ledger", "v.ledger.head"}));
}

}  // namespace
}  // namespace dither::ledger
