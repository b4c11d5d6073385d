// For tests: tables in Arrow's layout, as another library would hand them over.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/memory_table.h"

namespace dither::engine {

// A column of one chunk. Buffers are bytes; one that is not there is nothing.
struct ArrowColumn {
  std::string name, format;
  std::int64_t length = 0, offset = 0, null_count = -1;
  std::vector<std::optional<std::string>> buffers = {};
  std::shared_ptr<ArrowColumn> dictionary = nullptr;
};
using ArrowChunk = std::vector<ArrowColumn>;

template <class T>
using Maybe = std::vector<std::optional<T>>;

// So many rows of nonsense lie before those that count.
inline void add_bit(std::string& bits, std::size_t place, bool bit) {
  if (place / 8 >= bits.size()) bits.resize(place / 8 + 1, '\0');
  if (bit) bits[place / 8] = static_cast<char>(bits[place / 8] | 1 << (place % 8));
}
template <class T>
std::optional<std::string> validity_of(const Maybe<T>& values, std::size_t before) {
  std::string bits;
  bool any = false;
  for (std::size_t i = 0; i < before; ++i) add_bit(bits, i, i % 2 == 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    add_bit(bits, before + i, values[i].has_value());
    any = any || !values[i].has_value();
  }
  return any ? std::optional(bits) : std::nullopt;
}

template <class T>
ArrowColumn fixed_column(const std::string& name, const std::string& format, const Maybe<T>& values,
                         std::size_t before = 0) {
  std::string bytes(before * sizeof(T), '\x5a');
  for (const std::optional<T>& value : values) {
    const T held = value.value_or(T{});
    bytes.append(reinterpret_cast<const char*>(&held), sizeof(T));
  }
  return {name,
          format,
          static_cast<std::int64_t>(values.size()),
          static_cast<std::int64_t>(before),
          -1,
          {validity_of(values, before), bytes}};
}

inline ArrowColumn boolean_column(const std::string& name, const Maybe<bool>& values, std::size_t before = 0) {
  std::string bits;
  for (std::size_t i = 0; i < before; ++i) add_bit(bits, i, true);
  for (std::size_t i = 0; i < values.size(); ++i) add_bit(bits, before + i, values[i].value_or(true));
  return {name,
          "b",
          static_cast<std::int64_t>(values.size()),
          static_cast<std::int64_t>(before),
          -1,
          {validity_of(values, before), bits}};
}

// `Offset` is std::int32_t for "u" and std::int64_t for "U".
template <class Offset>
ArrowColumn text_column(const std::string& name, const std::string& format, const Maybe<std::string>& values,
                        std::size_t before = 0) {
  std::string offsets, bytes;
  const auto note = [&] {
    const auto end = static_cast<Offset>(bytes.size());
    offsets.append(reinterpret_cast<const char*>(&end), sizeof(end));
  };
  note();
  for (std::size_t i = 0; i < before; ++i) bytes += "\xff", note();
  for (const auto& value : values) bytes += value.value_or("hidden"), note();
  return {name,
          format,
          static_cast<std::int64_t>(values.size()),
          static_cast<std::int64_t>(before),
          -1,
          {validity_of(values, before), offsets, bytes}};
}

// Short ones in place, others in two buffers by turns.
inline ArrowColumn view_column(const std::string& name, const Maybe<std::string>& values) {
  std::string views, sizes;
  std::string buffers[2];
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string text = values[i].value_or("");
    const auto size = static_cast<std::int32_t>(text.size());
    std::string view(reinterpret_cast<const char*>(&size), 4);
    if (size > 12) {
      std::string& to = buffers[i % 2];
      const std::int32_t place[2] = {static_cast<std::int32_t>(i % 2), static_cast<std::int32_t>(to.size())};
      view += text.substr(0, 4) + std::string(reinterpret_cast<const char*>(place), 8);
      to += text;
    } else {
      view += text;
    }
    view.resize(16, '\0');
    views += view;
  }
  for (const std::string& buffer : buffers) {
    const auto size = static_cast<std::int64_t>(buffer.size());
    sizes.append(reinterpret_cast<const char*>(&size), 8);
  }
  return {name, "vu", static_cast<std::int64_t>(values.size()),
          0,    -1,   {validity_of(values, 0), views, buffers[0], buffers[1], sizes}};
}

inline ArrowColumn dictionary_column(ArrowColumn indices, ArrowColumn values) {
  indices.dictionary = std::make_shared<ArrowColumn>(std::move(values));
  return indices;
}

namespace arrow_check {

// What release() lets go.
struct Held {
  std::vector<ArrowColumn> columns;
  std::string validity;
  std::vector<std::vector<const void*>> buffers;
  std::vector<std::unique_ptr<ArrowArray>> arrays;
  std::vector<std::unique_ptr<ArrowSchema>> schemas;
  std::vector<ArrowArray*> array_children;
  std::vector<ArrowSchema*> schema_children;
  std::shared_ptr<int> alive;  // counts whoever shares it
};

template <class T>
void release(T* one) {
  delete static_cast<Held*>(one->private_data);
  one->release = nullptr;
}
template <class T>
void release_child(T* one) {
  one->release = nullptr;
}

inline ArrowArray* array_of(Held& held, const ArrowColumn& column) {
  std::vector<const void*> pointers;
  for (const auto& buffer : column.buffers) pointers.push_back(buffer ? buffer->data() : nullptr);
  const void** buffers = held.buffers.emplace_back(std::move(pointers)).data();
  ArrowArray* dictionary = column.dictionary ? array_of(held, *column.dictionary) : nullptr;
  ArrowArray& array = *held.arrays.emplace_back(std::make_unique<ArrowArray>());
  array = {column.length,
           column.null_count,
           column.offset,
           static_cast<std::int64_t>(column.buffers.size()),
           0,
           buffers,
           nullptr,
           dictionary,
           release_child<ArrowArray>,
           nullptr};
  return &array;
}

inline ArrowSchema* schema_of(Held& held, const ArrowColumn& column) {
  ArrowSchema* dictionary = column.dictionary ? schema_of(held, *column.dictionary) : nullptr;
  ArrowSchema& schema = *held.schemas.emplace_back(std::make_unique<ArrowSchema>());
  schema = {column.format.c_str(),
            column.name.c_str(),
            nullptr,
            ARROW_FLAG_NULLABLE,
            0,
            nullptr,
            dictionary,
            release_child<ArrowSchema>,
            nullptr};
  return &schema;
}

}  // namespace arrow_check

// A stream of these chunks; the columns of the first name and type them all.
struct ArrowSource {
  std::vector<ArrowChunk> chunks;
  std::int64_t struct_offset = 0;                             // rows of each chunk that its own array skips
  std::optional<std::string> struct_validity = std::nullopt;  // of each chunk
  std::string format = "+s";
  int schema_error = 0;
  std::size_t failing = SIZE_MAX;                        // the chunk at which reading fails
  std::shared_ptr<int> alive = std::make_shared<int>();  // use_count() - 1: what nobody released yet

  std::size_t next = 0;
};

inline int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  auto& source = *static_cast<ArrowSource*>(stream->private_data);
  if (source.schema_error != 0) return source.schema_error;
  auto held = std::make_unique<arrow_check::Held>();
  held->columns = source.chunks.front();
  held->alive = source.alive;
  for (const ArrowColumn& column : held->columns) held->schema_children.push_back(schema_of(*held, column));
  *out = {source.format.c_str(),
          "",
          nullptr,
          0,
          static_cast<std::int64_t>(held->schema_children.size()),
          held->schema_children.data(),
          nullptr,
          arrow_check::release<ArrowSchema>,
          nullptr};
  out->private_data = held.release();
  return 0;
}

inline int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  auto& source = *static_cast<ArrowSource*>(stream->private_data);
  if (source.next == source.failing) return EIO;
  if (source.next == source.chunks.size()) return out->release = nullptr, 0;
  auto held = std::make_unique<arrow_check::Held>();
  held->columns = source.chunks[source.next++];
  held->alive = source.alive;
  for (const ArrowColumn& column : held->columns) held->array_children.push_back(array_of(*held, column));
  held->validity = source.struct_validity.value_or("");
  held->buffers.push_back({source.struct_validity ? held->validity.data() : nullptr});
  const std::int64_t rows = held->columns.empty() ? 0 : held->columns[0].length - source.struct_offset;
  *out = {rows,
          -1,
          source.struct_offset,
          1,
          static_cast<std::int64_t>(held->array_children.size()),
          held->buffers.back().data(),
          held->array_children.data(),
          nullptr,
          arrow_check::release<ArrowArray>,
          nullptr};
  out->private_data = held.release();
  return 0;
}

inline ArrowArrayStream stream_of(ArrowSource& source) {
  source.next = 0;
  return {get_schema, get_next, [](ArrowArrayStream*) -> const char* { return "a value of a row"; },
          [](ArrowArrayStream* stream) { stream->release = nullptr; }, &source};
}

inline std::shared_ptr<const MemoryTable> taken(ArrowSource& source) {
  ArrowArrayStream stream = stream_of(source);
  return MemoryTable::take(&stream);
}
inline std::shared_ptr<const MemoryTable> table_of(std::vector<ArrowChunk> chunks) {
  ArrowSource source{std::move(chunks)};
  return taken(source);
}

}  // namespace dither::engine
