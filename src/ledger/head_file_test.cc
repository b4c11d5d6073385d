#include "ledger/head_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mman.h>

#include <atomic>
#include <thread>
#include <vector>

#include "ledger/detail/descriptor.h"
#include "ledger/files_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using check::bytes_of;
using check::Folder;
using check::put_bytes;
using testing::refusal;

const std::string kLedger = "00112233445566778899aabbccddeeff";
const std::string kOther = "ffeeddccbbaa99887766554433221100";

const SigningKey& key() {
  static const SigningKey made = SigningKey::make();
  return made;
}

Head head_of(std::uint64_t number) { return {number, sha256(std::to_string(number))}; }
SignedHead signed_head(std::uint64_t number) { return sign_head(key(), kLedger, head_of(number)); }

std::uint64_t number_in(const std::string& path) {
  const auto head = read_head_file(path);
  return head ? head->head.number : 0;
}

TEST(SignedHead, IsSignedOverLedgerNumberAndHash) {
  EXPECT_EQ(head_message("ab", {7, sha256("")}),
            "dither ledger head\nab\n7\ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n");
  const SignedHead head = signed_head(7);
  EXPECT_TRUE(head_verifies(head, key().public_key()));
  EXPECT_FALSE(head_verifies(head, SigningKey::make().public_key()));
  EXPECT_FALSE(head_verifies({kOther, head.head, head.signature}, key().public_key()));
  EXPECT_FALSE(head_verifies({kLedger, {8, head.head.hash}, head.signature}, key().public_key()));
  EXPECT_FALSE(head_verifies({kLedger, {7, sha256("x")}, head.signature}, key().public_key()));
  EXPECT_FALSE(head_verifies({kLedger, head.head, signed_head(8).signature}, key().public_key()));
}

TEST(HeadText, GoesThereAndBack) {
  for (const std::uint64_t number : {0ull, 1ull, 9'007'199'254'740'993ull, 18'446'744'073'709'551'615ull}) {
    const SignedHead head = signed_head(number);
    EXPECT_EQ(head_from_text(head_text(head)), head);
  }
  EXPECT_EQ(
      head_text({"ab", {3, sha256("abc")}, std::string(128, '5')}),
      "{\"hash\":\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\",\"ledger\":\"ab\",\"number\":3,"
      "\"signature\":\"" +
          std::string(128, '5') + "\"}");
}

TEST(HeadText, RefusesAnyOtherSpelling) {
  const std::string good = head_text(signed_head(12));
  for (std::size_t at = 0; at < good.size(); ++at) {
    EXPECT_EQ(refusal([&] { head_from_text(good.substr(0, at)); }), Code::bad_syntax) << at;
    EXPECT_EQ(refusal([&] { head_from_text(std::string(good).insert(at, " ")); }), Code::bad_syntax) << at;
  }
  const auto with = [&](const std::string& from, const std::string& to) {
    return std::string(good).replace(good.find(from), from.size(), to);
  };
  const std::string number = "\"number\":12";
  for (const std::string& text :
       {good + " ", good + good, with(number, "\"number\":012"), with(number, "\"number\":12.0"),
        with(number, "\"number\":-12"), with(number, "\"number\":\"12\""), with(number, "\"number\":true"),
        with(number, "\"number\":18446744073709551616"), with(number, "\"number\":12,\"number\":12"),
        with(number, "\"number\":12,\"other\":1"), with(kLedger, ""), with(kLedger, "abc"), with(kLedger, "AB"),
        with(kLedger, std::string(66, 'a')), with(kLedger, "../x"), std::string("[]"), std::string("12"),
        std::string("null"), std::string(100'000, '[')}) {
    EXPECT_EQ(refusal([&] { head_from_text(text); }), Code::bad_syntax) << text.substr(0, 400);
  }
}

TEST(HeadFile, HoldsTheHighestHeadItWasGiven) {
  const Folder folder;
  const std::string path = folder / "ledger.head";
  EXPECT_EQ(read_head_file(path), std::nullopt);
  std::uint64_t highest = 0;
  for (const std::uint64_t number : {3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 8, 97, 97, 98, 99, 100}) {
    write_head_file(path, signed_head(number), number % 3 == 0);
    highest = std::max(highest, number);
    EXPECT_EQ(read_head_file(path), signed_head(highest));
  }
  EXPECT_EQ(folder.names(), std::set<std::string>{"ledger.head"});
}

TEST(HeadFile, RefusesAnotherLedgerAndAnotherCourse) {
  const Folder folder;
  const std::string path = folder / "ledger.head";
  write_head_file(path, signed_head(5), false);
  const std::string before = bytes_of(path);
  for (const std::uint64_t number : {4, 5, 6}) {
    const SignedHead other = sign_head(key(), kOther, head_of(number));
    EXPECT_EQ(refusal([&] { write_head_file(path, other, false); }), Code::other_ledger);
  }
  const SignedHead fork = sign_head(key(), kLedger, {5, sha256("another fifth record")});
  EXPECT_EQ(refusal([&] { write_head_file(path, fork, false); }), Code::ledger_behind);
  EXPECT_EQ(bytes_of(path), before);
}

// A file with heads 10 and 11, whose next write, of 12, goes over the 10.
std::string file_before_twelve(const std::string& path) {
  for (const std::uint64_t number : {9, 10, 11}) write_head_file(path, signed_head(number), false);
  return bytes_of(path);
}

// A write cut off after each byte: the head before is still there, and the next write mends the file.
TEST(HeadFile, ATornWriteLeavesTheHeadBefore) {
  const Folder folder;
  const std::string path = folder / "ledger.head";
  const std::string before = file_before_twelve(path);
  write_head_file(path, signed_head(12), false);
  const std::string after = bytes_of(path);
  ASSERT_EQ(before.size(), after.size());
  std::size_t first = 0;
  while (before[first] == after[first]) ++first;
  std::size_t last = before.size() - 1;
  while (before[last] == after[last]) --last;
  ASSERT_LT(last - first, 600u);  // one copy alone differs
  int torn = 0;
  for (std::size_t cut = first; cut <= last + 1; ++cut) {
    put_bytes(path, after.substr(0, cut) + before.substr(cut));
    const std::uint64_t number = number_in(path);
    ASSERT_TRUE(number == 11 || number == 12) << cut;
    torn += number == 11;
    write_head_file(path, signed_head(13), false);
    ASSERT_EQ(number_in(path), 13u) << cut;
  }
  EXPECT_GT(torn, 100);
}

TEST(HeadFile, TruncationIsSurvivedOrNamed) {
  const Folder folder;
  const std::string path = folder / "ledger.head";
  const std::string whole = file_before_twelve(path);
  for (std::size_t size = whole.size(); size-- > 0;) {
    std::filesystem::resize_file(path, size);
    if (size < whole.size() / 2) {
      ASSERT_EQ(refusal([&] { read_head_file(path); }), Code::ledger_damaged) << size;
      ASSERT_EQ(refusal([&] { write_head_file(path, signed_head(12), false); }), Code::ledger_damaged) << size;
      ASSERT_EQ(bytes_of(path).size(), size);
    } else {
      ASSERT_TRUE(number_in(path) == 10 || number_in(path) == 11) << size;
    }
  }
}

// The first byte of a copy that is a space whatever head it holds.
constexpr std::size_t kPaddingBegins = 389;

// No bit of either copy can be turned without that copy being dropped, so a wrong head is never read.
TEST(HeadFile, AFlippedBitIsNeverBelieved) {
  const Folder folder;
  const std::string path = folder / "ledger.head";
  const std::string whole = file_before_twelve(path);
  int survived = 0;
  for (std::size_t at = 0; at < whole.size(); at += 3) {
    if (at % 4096 >= kPaddingBegins) continue;
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 1 << at % 8);
    put_bytes(path, bytes);
    const auto head = read_head_file(path);
    ASSERT_TRUE(head.has_value());
    ASSERT_TRUE(*head == signed_head(10) || *head == signed_head(11)) << at;
    survived += head->head.number == 11;
  }
  EXPECT_GT(survived, 50);
}

// No write, however it is cut short, leaves other bytes there: a copy that is damaged so must not pass for one that is half
// written, or the file would vouch for the head before.
TEST(HeadFile, DamageBesideTheHeadsIsNamed) {
  const Folder folder;
  const std::string path = folder / "ledger.head";
  const std::string whole = file_before_twelve(path);
  const auto is_named = [&](const std::string& bytes) {
    put_bytes(path, bytes);
    return refusal([&] { read_head_file(path); }) == Code::ledger_damaged &&
           refusal([&] { write_head_file(path, signed_head(12), false); }) == Code::ledger_damaged &&
           bytes_of(path) == bytes;
  };
  for (const std::size_t slot : {0U, 4096U}) {
    for (std::size_t at = kPaddingBegins; at < 4096; at += at < 4050 ? 91 : 1) {
      for (const char other : {'\0', 'x', whole[slot + at] == ' ' ? '\n' : ' '}) {
        std::string bytes = whole;
        bytes[slot + at] = other;
        ASSERT_TRUE(is_named(bytes)) << slot + at;
      }
    }
  }
  for (const std::string& more : {std::string(" "), std::string("\n"), std::string("x"), whole}) {
    EXPECT_TRUE(is_named(whole + more));
  }
  const SignedHead longest = sign_head(key(), std::string(64, 'a'), {UINT64_MAX, sha256("")});
  write_head_file(folder / "longest", longest, false);
  EXPECT_EQ(read_head_file(folder / "longest"), longest);
  EXPECT_EQ(bytes_of(folder / "longest").find(' ', 65), kPaddingBegins);
}

// A file that was put together right, around another text.
std::string hashed(const std::string& text) {
  std::string slot = sha256(text).hex() + ' ' + text;
  slot.resize(4095, ' ');
  return slot + '\n' + slot + '\n';
}

TEST(HeadFile, RefusesOtherFiles) {
  const Folder folder;
  const std::string path = folder / "ledger.head";
  for (const std::string& bytes :
       {std::string("hello"), head_text(signed_head(3)) + "\n", std::string(8192, ' '), std::string(8192, '\n'),
        std::string(8192, '\0'), hashed("hello"), hashed(head_text({"", {}, "5"}))}) {
    put_bytes(path, bytes);
    EXPECT_EQ(refusal([&] { read_head_file(path); }), Code::ledger_damaged);
    EXPECT_EQ(refusal([&] { write_head_file(path, signed_head(4), false); }), Code::ledger_damaged);
    EXPECT_EQ(bytes_of(path), bytes);
  }
  std::filesystem::create_directory(folder / "folder");
  EXPECT_EQ(refusal([&] { read_head_file(folder / "folder"); }), Code::cannot_read);
  EXPECT_EQ(refusal([&] { write_head_file(folder / "folder", signed_head(4), false); }), Code::cannot_write);
}

TEST(HeadFile, SaysWhatCannotBeWritten) {
  const Folder folder;
  EXPECT_EQ(refusal([&] { write_head_file(folder / "none/ledger.head", signed_head(1), false); }), Code::cannot_write);
  EXPECT_EQ(refusal([&] { write_head_file("/proc/ledger.head", signed_head(1), false); }), Code::cannot_write);
  EXPECT_EQ(read_head_file(folder / "none/ledger.head"), std::nullopt);
}

TEST(HeadFile, FullDiskLosesNoHead) {
  const Folder folder;
  const std::string path = folder / "ledger.head";
  {
    const check::FullDisk full(5000);
    EXPECT_EQ(refusal([&] { write_head_file(path, signed_head(1), false); }), Code::cannot_write);
    EXPECT_TRUE(folder.names().empty());
  }
  file_before_twelve(path);
  write_head_file(path, signed_head(12), false);
  for (const rlim_t room : {0, 50, 300, 4096, 4100, 4300}) {
    const check::FullDisk full(room);
    const std::uint64_t before = number_in(path);
    const auto refused = refusal([&] { write_head_file(path, signed_head(before + 1), false); });
    EXPECT_EQ(number_in(path), refused ? before : before + 1);
    EXPECT_TRUE(!refused || *refused == Code::cannot_write);
    if (room <= 300) {
      EXPECT_EQ(refused, Code::cannot_write);
    }
  }
  write_head_file(path, signed_head(50), true);
  EXPECT_EQ(number_in(path), 50u);
}

// Threads and processes write every number of a range in their own order; a reader sees numbers that only grow.
TEST(HeadFile, RacingWritersNeverGoBack) {
  const Folder folder;
  const std::string path = folder / "ledger.head";
  constexpr std::uint64_t kLast = 400;
  std::vector<SignedHead> heads;
  for (std::uint64_t number = 0; number <= kLast; ++number) heads.push_back(signed_head(number));
  const auto write_all = [&](std::uint64_t stride) {
    for (std::uint64_t i = 0; i < kLast; ++i) write_head_file(path, heads[1 + i * stride % kLast], false);
  };
  std::vector<pid_t> children;
  for (const std::uint64_t stride : {1, 3, 7}) children.push_back(check::in_child([&] { write_all(stride); }));
  std::atomic<bool> stop = false;
  std::thread reader([&] {
    for (std::uint64_t seen = 0; !stop;) {
      const std::uint64_t number = number_in(path);
      EXPECT_GE(number, seen);
      seen = number;
    }
  });
  std::thread writer([&] { write_all(11); });
  write_all(1);
  writer.join();
  for (const pid_t child : children) EXPECT_EQ(check::ended(child), 0);
  stop = true;
  reader.join();
  EXPECT_EQ(read_head_file(path), heads[kLast]);
  EXPECT_EQ(folder.names().size(), 1u);
}

// A writer killed with kill -9 at any moment: whatever it had written before is still vouched for.
TEST(HeadFile, KilledWritersLoseNothing) {
  const Folder folder;
  const std::string path = folder / "ledger.head";
  void* const shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto* const written = new (shared) std::atomic<std::uint64_t>(0);
  const std::string zeros(128, '0');  // the file checks no signatures
  for (int round = 0; round < 40; ++round) {
    const std::uint64_t from = number_in(path) + 1;
    const pid_t writer = check::in_child([&] {
      for (std::uint64_t number = from;; ++number) {
        write_head_file(path, {kLedger, head_of(number), zeros}, false);
        *written = number;
      }
    });
    while (*written < from + static_cast<std::uint64_t>(round)) std::this_thread::yield();
    kill(writer, SIGKILL);
    ASSERT_TRUE(WIFSIGNALED(check::ended(writer)));
    const std::uint64_t number = number_in(path);
    ASSERT_GE(number, *written);
    ASSERT_LE(number, *written + 1);
  }
  munmap(shared, 4096);
}

TEST(HeadFile, AStuckWriterDoesNotBlockReaders) {
  const Folder folder;
  const std::string path = folder / "ledger.head";
  write_head_file(path, signed_head(3), false);
  const detail::Descriptor stuck(open(path.c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(flock(stuck.get(), LOCK_EX), 0);
  EXPECT_EQ(number_in(path), 3u);
  std::thread writer([&] { write_head_file(path, signed_head(4), false); });  // waits for its turn
  EXPECT_EQ(number_in(path), 3u);
  ASSERT_EQ(flock(stuck.get(), LOCK_UN), 0);
  writer.join();
  EXPECT_EQ(number_in(path), 4u);
}

}  // namespace
}  // namespace dither::ledger
