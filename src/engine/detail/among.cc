#include "engine/detail/among.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/detail/vectors.h"

namespace dither::engine::detail {
namespace {

using plan::Type;

// The next "3:i42" of a packed list, without its length and its type.
std::string_view next_of(std::string_view& packed) {
  std::size_t size = 0;
  while (packed.front() != ':') {
    size = size * 10 + static_cast<std::size_t>(packed.front() - '0');
    packed.remove_prefix(1);
  }
  const std::string_view cell = packed.substr(2, size - 1);
  packed.remove_prefix(1 + size);
  return cell;
}

// A set with free places, found by a mixed hash.
template <class Key>
class Places {
 public:
  void add(const Key& key) { all_.push_back(key); }
  void finish() {
    std::size_t size = 16;
    while (size < all_.size() * 4) size *= 2;
    places_.resize(size);
    for (const Key& key : all_) places_[place(key)] = {key, true};
  }
  bool holds(const Key& key) const { return places_[place(key)].used; }

 private:
  struct Place {
    Key key{};
    bool used = false;
  };
  static std::uint64_t mixed(std::int64_t key) { return static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15U; }
  static std::uint64_t mixed(const std::pair<std::int64_t, std::int64_t>& key) {
    const std::uint64_t first = mixed(key.first);
    return mixed(static_cast<std::int64_t>((first ^ (first >> 32)) + static_cast<std::uint64_t>(key.second)));
  }
  std::size_t place(const Key& key) const {
    std::size_t at = mixed(key) >> 20 & (places_.size() - 1);
    while (places_[at].used && places_[at].key != key) at = (at + 1) & (places_.size() - 1);
    return at;
  }

  std::vector<Key> all_;
  std::vector<Place> places_;
};

using Numbers = Places<std::int64_t>;

// Short texts as the 16 bytes that DuckDB keeps of them, in which what is not used is 0.
class Texts {
 public:
  void add(std::string_view bytes) {
    if (bytes.size() > kInlined) {
      all_.emplace_back(bytes);
      return;
    }
    duckdb_string_t text{};
    text.value.inlined.length = static_cast<std::uint32_t>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), text.value.inlined.inlined);
    short_.add(words_of(text));
  }
  void finish() {
    short_.finish();
    long_.insert(all_.begin(), all_.end());
  }
  bool holds(const duckdb_string_t& text) const {
    if (text.value.inlined.length <= kInlined) return short_.holds(words_of(text));
    return long_.find(view_of(text)) != long_.end();
  }

 private:
  using Words = std::pair<std::int64_t, std::int64_t>;
  static Words words_of(const duckdb_string_t& text) {
    Words words;
    std::memcpy(&words.first, &text, sizeof words.first);
    std::memcpy(&words.second, reinterpret_cast<const char*>(&text) + sizeof words.first, sizeof words.second);
    return words;
  }

  Places<Words> short_;
  std::vector<std::string> all_;
  std::unordered_set<std::string_view> long_;
};

struct List {
  List(Type of, std::string_view packed) : type(of) {
    while (!packed.empty()) {
      const std::string_view cell = next_of(packed);
      type == Type::text ? texts.add(cell) : numbers.add(std::stoll(std::string(cell)));
    }
    texts.finish();
    numbers.finish();
  }
  Type type;
  Numbers numbers;
  Texts texts;
};

using Shared = std::shared_ptr<List>;

// The constants, once for a statement: expressions are copied while it is planned, and share the list.
void bind(duckdb_bind_info info) noexcept {
  const Type type = *static_cast<const Type*>(duckdb().scalar_function_bind_get_extra_info(info));
  duckdb_client_context context = nullptr;
  duckdb().scalar_function_get_client_context(info, &context);
  duckdb_expression constants = duckdb().scalar_function_bind_get_argument(info, 1);
  duckdb_value value = nullptr;
  duckdb_error_data error = duckdb().expression_fold(context, constants, &value);
  if (value == nullptr) {
    duckdb().scalar_function_bind_set_error(info, "the list is no constant");
  } else {
    duckdb_blob blob = duckdb().get_blob(value);
    const std::string_view packed(static_cast<const char*>(blob.data), blob.size);
    duckdb().scalar_function_set_bind_data(info,
                                           std::make_unique<Shared>(std::make_shared<List>(type, packed)).release(),
                                           [](void* data) { delete static_cast<Shared*>(data); });
    duckdb().scalar_function_set_bind_data_copy(
        info, [](void* data) -> void* { return std::make_unique<Shared>(*static_cast<Shared*>(data)).release(); });
    duckdb().free(blob.data);
    duckdb().destroy_value(&value);
  }
  duckdb().destroy_error_data(&error);
  duckdb().destroy_expression(&constants);
  duckdb().destroy_client_context(&context);
}

void called(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output) noexcept {
  const List& list = **static_cast<Shared*>(duckdb().scalar_function_get_bind_data(info));
  duckdb_vector input = duckdb().data_chunk_get_vector(chunk, 0);
  const std::uint64_t* validity = duckdb().vector_get_validity(input);
  const void* data = duckdb().vector_get_data(input);
  auto* found = static_cast<bool*>(duckdb().vector_get_data(output));
  const std::size_t rows = duckdb().data_chunk_get_size(chunk);
  const auto each = [&](const auto* cells, auto holds) {
    for (std::size_t row = 0; row < rows; ++row) {
      if (is_valid(validity, row)) {
        found[row] = holds(cells[row]);
      } else {
        set_null(output, row);
      }
    }
  };
  const auto number = [&](std::int64_t cell) { return list.numbers.holds(cell); };
  if (list.type == Type::text) {
    each(static_cast<const duckdb_string_t*>(data), [&](const auto& cell) { return list.texts.holds(cell); });
  } else if (list.type == Type::date) {
    each(static_cast<const std::int32_t*>(data), number);
  } else {
    each(static_cast<const std::int64_t*>(data), number);
  }
}

}  // namespace

void register_among(duckdb_connection connection) {
  static const Type kListed[] = {Type::integer, Type::text, Type::date, Type::timestamp};
  for (const Type& type : kListed) {
    ScalarFunction function("dither_among_" + std::string(type_name(type)), DUCKDB_TYPE_BOOLEAN);
    function.takes(type_in_duckdb(type));
    function.takes(DUCKDB_TYPE_BLOB);
    duckdb().scalar_function_set_extra_info(function.get(), const_cast<Type*>(&type), [](void*) {});  // NOLINT
    duckdb().scalar_function_set_bind(function.get(), bind);
    duckdb().scalar_function_set_function(function.get(), called);
    function.add_to(connection);
  }
}

}  // namespace dither::engine::detail
