#include "ledger/record.h"

#include <gtest/gtest.h>

#include <vector>

namespace dither::ledger {
namespace {

// Numbers from another implementation of SHA-256 over the bytes that the header names.
TEST(Record, HashIsOverTheHashBeforeTheNumberAndTheBody) {
  const Record first = next_record({}, R"({"kind":"ledger"})");
  EXPECT_EQ(first.number, 1u);
  EXPECT_EQ(first.hash.hex(), "bf9d6b0c822ad5921b078ad1bcc7858156ca6f4c700a520fdd1132203979fa53");
  const Record second = next_record(head_at(first), "{}");
  EXPECT_EQ(second.number, 2u);
  EXPECT_EQ(second.hash.hex(), "b9c386a5c6dddcc977bf11a10e245c82a3d2824d5c5b8b7fbfa4b0ce3f927a8e");
  EXPECT_EQ(chained({}, 0x0102030405060708, "").hex(),
            "f0bac6157eaec34c9368f09d783aa3a47ae1ff0e295aeb322b063e9f60feeeb3");
}

std::vector<Record> chain_of(const std::vector<std::string>& bodies) {
  std::vector<Record> records;
  Head head;
  for (const std::string& body : bodies) {
    records.push_back(next_record(head, body));
    head = head_at(records.back());
  }
  return records;
}

TEST(Record, AnyEditMovesTheLastHash) {  // an edit, a deletion, a reordering, an insertion
  const Digest honest = chain_of({"a", "b", "c", "d"}).back().hash;
  EXPECT_EQ(chain_of({"a", "b", "c", "d"}).back().hash, honest);
  EXPECT_NE(chain_of({"a", "B", "c", "d"}).back().hash, honest);
  EXPECT_NE(chain_of({"a", "c", "d"}).back().hash, honest);
  EXPECT_NE(chain_of({"a", "c", "b", "d"}).back().hash, honest);
  EXPECT_NE(chain_of({"a", "b", "", "c", "d"}).back().hash, honest);
  EXPECT_NE(chain_of({"ab", "", "c", "d"}).back().hash, honest);  // bytes moved between neighbours
}

TEST(Record, TheSameBodyElsewhereHasAnotherHash) {
  const std::vector<Record> records = chain_of({"same", "same", "same"});
  EXPECT_NE(records[0].hash, records[1].hash);
  EXPECT_NE(records[1].hash, records[2].hash);
  EXPECT_NE(chained(records[0].hash, 2, "same"), chained(records[0].hash, 3, "same"));
}

}  // namespace
}  // namespace dither::ledger
