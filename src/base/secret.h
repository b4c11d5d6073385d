// A private value on its way from the engine to a mechanism.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace dither {

namespace detail {

// Overwrites memory in a way the optimiser may not remove.
void zeroise(void* memory, std::size_t size);

}  // namespace detail

namespace calculus {
class AnyMeasurement;  // what turns secrets into releases; this room knows no more of it than the name
}

class SecretKey;  // the permission to open secrets; see below

// Holds a value that may not be seen.
//
// Promise    it cannot be printed, compared, hashed, serialised, copied or used as a condition: none of that compiles.
//            Its bytes are overwritten when it is destroyed or moved from.
// Holds if   T is trivially copyable, so that its bytes are all there is. A vector of values is Secret per value or a
//            trivially copyable array.
// Opening    `open` needs a SecretKey, which only a measurement can make.
template <typename T>
class Secret {
  static_assert(std::is_trivially_copyable_v<T>, "only plain values can be wiped");

 public:
  explicit Secret(const T& value) : value_(value) {}  // the caller's own copy stays the caller's to wipe
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  Secret(Secret&& other) noexcept : value_(other.value_) { other.wipe(); }
  Secret& operator=(Secret&& other) noexcept {
    if (this != &other) {
      value_ = other.value_;
      other.wipe();
    }
    return *this;
  }
  ~Secret() { wipe(); }

  const T& open(const SecretKey&) const { return value_; }

  template <typename U>
  friend bool operator==(const Secret&, const U&) = delete;
  template <typename U>
  friend auto operator<=>(const Secret&, const U&) = delete;
  explicit operator bool() const = delete;

 private:
  void wipe() { detail::zeroise(&value_, sizeof value_); }

  T value_;
};

// The permission to open secrets. Only the friends named here can make one.
class SecretKey {
  SecretKey() = default;
  friend class calculus::AnyMeasurement;
  friend struct SecretTestAccess;  // defined in tests only
};

}  // namespace dither
