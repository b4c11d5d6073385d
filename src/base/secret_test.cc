// What must not compile is asked of the compiler inside the program (here); the plainest cases are also compiled as
// snippets that must fail (tests/compile_fail).
#include "base/secret.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <type_traits>

#include "base/int128.h"

namespace dither {

struct SecretTestAccess {
  static SecretKey key() { return SecretKey{}; }
};

namespace {

// clang-format off
template <typename T> concept Printable = requires(std::ostream& out, const T& x) { out << x; };
template <typename T> concept Equal = requires(const T& x) { x == x; };
template <typename T> concept EqualToInt = requires(const T& x) { x == 1; };
template <typename T> concept IntEqualTo = requires(const T& x) { 1 == x; };
template <typename T> concept Unequal = requires(const T& x) { x != x; };
template <typename T> concept Ordered = requires(const T& x) { x < x; };
template <typename T> concept OrderedToInt = requires(const T& x) { x < 1; };
template <typename T> concept ThreeWay = requires(const T& x) { x <=> x; };
template <typename T> concept Addable = requires(const T& x) { x + x; };
template <typename T> concept AddableToInt = requires(const T& x) { x + 1; };
template <typename T> concept Negatable = requires(const T& x) { -x; };
template <typename T> concept Condition = requires(const T& x) { x ? 1 : 0; };
template <typename T> concept Not = requires(const T& x) { !x; };
template <typename T> concept And = requires(const T& x) { x && true; };
template <typename T> concept Index = requires(const T& x, const int* p) { p[x]; };
template <typename T> concept Hashable = requires(const T& x) { std::hash<T>{}(x); };
template <typename T> concept Castable = requires(const T& x) { static_cast<int>(x); };
// clang-format on

// Each question is answered yes for a plain int, so a no for a secret is no accident of how it was asked.
template <typename T, bool kExpected>
constexpr bool all_are() {
  return Printable<T> == kExpected && Equal<T> == kExpected && EqualToInt<T> == kExpected &&
         IntEqualTo<T> == kExpected && Unequal<T> == kExpected && Ordered<T> == kExpected &&
         OrderedToInt<T> == kExpected && ThreeWay<T> == kExpected && Addable<T> == kExpected &&
         AddableToInt<T> == kExpected && Negatable<T> == kExpected && Condition<T> == kExpected &&
         Not<T> == kExpected && And<T> == kExpected && Index<T> == kExpected && Hashable<T> == kExpected &&
         Castable<T> == kExpected && fmt::is_formattable<T>::value == kExpected &&
         std::is_constructible_v<nlohmann::json, T> == kExpected && std::is_constructible_v<bool, T> == kExpected &&
         std::is_copy_constructible_v<T> == kExpected && std::is_copy_assignable_v<T> == kExpected &&
         std::is_convertible_v<T, int> == kExpected && std::is_convertible_v<int, T> == kExpected &&
         std::is_trivially_copyable_v<T> == kExpected;
}

static_assert(all_are<int, true>());
static_assert(all_are<Secret<int>, false>());
static_assert(all_are<Secret<long>, false>());
static_assert(all_are<Secret<double>, false>());
static_assert(all_are<Secret<bool>, false>());
static_assert(std::is_nothrow_move_constructible_v<Secret<Int128>> &&
              std::is_nothrow_move_assignable_v<Secret<Int128>>);
static_assert(!std::is_default_constructible_v<SecretKey>, "nobody outside makes keys");

template <typename T>
bool all_zero(const T& memory) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&memory);
  return std::all_of(bytes, bytes + sizeof memory, [](unsigned char b) { return b == 0; });
}

struct alignas(Secret<Int128>) Memory {
  unsigned char bytes[sizeof(Secret<Int128>)];
};

TEST(Secret, OpensWithAKeyOnly) {
  const Secret<int> secret(42);
  EXPECT_EQ(secret.open(SecretTestAccess::key()), 42);
}

TEST(Secret, BytesAreWipedOnDestruction) {
  Memory memory;
  std::memset(memory.bytes, 0xff, sizeof memory.bytes);
  auto* secret = new (memory.bytes) Secret<Int128>(kInt128Max);
  EXPECT_FALSE(all_zero(memory));
  secret->~Secret();
  EXPECT_TRUE(all_zero(memory));
}

TEST(Secret, BytesAreWipedWhenMovedFrom) {
  Memory first, second;
  auto* from = new (first.bytes) Secret<Int128>(12345);
  auto* to = new (second.bytes) Secret<Int128>(std::move(*from));
  EXPECT_TRUE(all_zero(first));
  EXPECT_TRUE(to->open(SecretTestAccess::key()) == 12345);
  *from = std::move(*to);
  EXPECT_TRUE(all_zero(second));
  EXPECT_TRUE(from->open(SecretTestAccess::key()) == 12345);
  auto& itself = *from;
  *from = std::move(itself);
  EXPECT_TRUE(from->open(SecretTestAccess::key()) == 12345) << "moving onto itself loses nothing";
}

// Twin: a holder that forgets to wipe leaves its bytes behind, and the same look at memory finds them.
TEST(Secret, PlantedHolderWithoutWipingIsCaught) {
  struct Forgetful {
    Int128 value;
    ~Forgetful() {}
  };
  Memory memory;
  auto* holder = new (memory.bytes) Forgetful{kInt128Max};
  asm volatile("" : : "r"(holder) : "memory");
  holder->~Forgetful();
  asm volatile("" : : "r"(memory.bytes) : "memory");
  EXPECT_FALSE(all_zero(memory));
}

}  // namespace
}  // namespace dither
