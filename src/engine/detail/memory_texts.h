// Texts as Arrow lays them out.
#pragma once

#include <cstring>
#include <string_view>

#include "engine/detail/memory_content.h"

namespace dither::engine::detail {

// The text at a place; one that has no length that makes sense has no data().
class MemoryTexts {
 public:
  MemoryTexts(const ArrowArray& values, MemoryKind kind) : values_(values), kind_(kind) {}

  std::string_view at(std::int64_t place) const {
    if (kind_ == MemoryKind::text_view) return viewed(place);
    return kind_ == MemoryKind::text ? between<std::int32_t>(place, place + 1)
                                     : between<std::int64_t>(place, place + 1);
  }
  // The bytes of all texts from one place to before another; not of views.
  std::string_view all(std::int64_t from, std::int64_t to) const {
    return kind_ == MemoryKind::text ? between<std::int32_t>(from, to) : between<std::int64_t>(from, to);
  }

 private:
  template <class Offset>
  std::string_view between(std::int64_t from, std::int64_t to) const {
    const auto* offsets = static_cast<const Offset*>(values_.buffers[1]);
    const Offset begin = offsets[from], end = offsets[to];
    if (begin < 0 || end < begin) return {};
    if (begin == end) return "";  // an empty array has no bytes at all
    return {static_cast<const char*>(values_.buffers[2]) + begin, static_cast<std::size_t>(end - begin)};
  }

  std::string_view viewed(std::int64_t place) const {
    struct View {
      std::int32_t size;
      char in_place[4];
      std::int32_t buffer, offset;
    };
    static_assert(sizeof(View) == 16);
    const View& view = static_cast<const View*>(values_.buffers[1])[place];
    if (view.size < 0) return {};
    if (view.size <= 12) return {view.in_place, static_cast<std::size_t>(view.size)};
    // Validity, views, any number of buffers, and the sizes of those.
    if (view.buffer < 0 || view.buffer >= values_.n_buffers - 3 || view.offset < 0) return {};
    return {static_cast<const char*>(values_.buffers[2 + view.buffer]) + view.offset,
            static_cast<std::size_t>(view.size)};
  }

  const ArrowArray& values_;
  MemoryKind kind_;
};

}  // namespace dither::engine::detail
