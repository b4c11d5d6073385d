// Formats of Arrow's C data interface.
#include <array>
#include <charconv>
#include <string_view>

#include "engine/detail/memory_content.h"

namespace dither::engine::detail {
namespace {

struct Format {
  std::string_view letters;
  MemoryLayout layout;
};

MemoryLayout whole(const char* type, unsigned bytes, bool is_signed) {
  return {.kind = MemoryKind::whole, .type = type, .bytes = bytes, .is_signed = is_signed};
}
MemoryLayout plain(MemoryKind kind, const char* type, unsigned bytes = 0) {
  return {.kind = kind, .type = type, .bytes = bytes};
}

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      {"n", plain(MemoryKind::nothing, "null")},
      {"b", plain(MemoryKind::boolean, "bool")},
      {"c", whole("int8", 1, true)},
      {"C", whole("uint8", 1, false)},
      {"s", whole("int16", 2, true)},
      {"S", whole("uint16", 2, false)},
      {"i", whole("int32", 4, true)},
      {"I", whole("uint32", 4, false)},
      {"l", whole("int64", 8, true)},
      {"L", whole("uint64", 8, false)},
      {"e", plain(MemoryKind::half, "halffloat", 2)},
      {"f", plain(MemoryKind::single, "float", 4)},
      {"g", plain(MemoryKind::real, "double", 8)},
      {"u", plain(MemoryKind::text, "utf8")},
      {"U", plain(MemoryKind::large_text, "large_utf8")},
      {"vu", plain(MemoryKind::text_view, "utf8_view")},
      {"tdD", plain(MemoryKind::days, "date32", 4)},
      {"tdm", plain(MemoryKind::milliseconds, "date64", 8)},
  };
  return kFormats;
}

// What is not read here, by how its format begins.
constexpr std::array<std::pair<std::string_view, const char*>, 16> kUnfit = {{
    {"z", "binary"},
    {"Z", "large_binary"},
    {"vz", "binary_view"},
    {"w:", "fixed_size_binary"},
    {"+w:", "fixed_size_list"},
    {"+vl", "list_view"},
    {"+vL", "large_list_view"},
    {"+l", "list"},
    {"+L", "large_list"},
    {"+s", "struct"},
    {"+m", "map"},
    {"+u", "union"},
    {"+r", "run_end_encoded"},
    {"tt", "time"},
    {"tD", "duration"},
    {"ti", "interval"},
}};

MemoryLayout moment(std::string_view format) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kUnits = {
      {{"tss:", 1}, {"tsm:", 1'000}, {"tsu:", 1'000'000}, {"tsn:", 1'000'000'000}}};
  for (const auto& [begin, per_second] : kUnits) {
    if (format.starts_with(begin)) {
      return {.kind = MemoryKind::moment, .type = "timestamp", .bytes = 8, .per_second = per_second};
    }
  }
  return plain(MemoryKind::unfit, "timestamp");
}

// "d:digits,scale" or "d:digits,scale,bits".
MemoryLayout decimal(std::string_view format) {
  std::array<int, 3> numbers = {0, 0, 128};
  std::size_t count = 0;
  const char* at = format.data() + 2;
  const char* const end = format.data() + format.size();
  while (at < end && count < numbers.size()) {
    const auto [after, error] = std::from_chars(at, end, numbers[count]);
    if (error != std::errc{}) return plain(MemoryKind::unfit, "decimal");
    ++count;
    at = after < end && *after == ',' ? after + 1 : after;
    if (at == after) break;
  }
  const auto [digits, scale, bits] = numbers;
  const bool known = count >= 2 && at == end && (bits == 32 || bits == 64 || bits == 128);
  if (!known || digits < 1 || digits > 38 || scale < 0 || scale > digits) {
    return plain(MemoryKind::unfit, bits == 256 ? "decimal256" : "decimal");
  }
  return {.kind = MemoryKind::decimal,
          .type = "decimal",
          .bytes = static_cast<unsigned>(bits / 8),
          .digits = static_cast<unsigned>(digits),
          .scale = static_cast<unsigned>(scale)};
}

const MemoryLayout* simple(std::string_view format) {
  for (const Format& known : formats()) {
    if (known.letters == format) return &known.layout;
  }
  return nullptr;
}

MemoryLayout of_values(std::string_view format) {
  if (const MemoryLayout* known = simple(format)) return *known;
  if (format.starts_with("ts")) return moment(format);
  if (format.starts_with("d:")) return decimal(format);
  for (const auto& [begin, type] : kUnfit) {
    if (format.starts_with(begin)) return plain(MemoryKind::unfit, type);
  }
  return plain(MemoryKind::unfit, "unknown");
}

}  // namespace

MemoryLayout layout_of(const ArrowSchema& column) {
  const std::string_view format = column.format == nullptr ? "" : column.format;
  if (column.dictionary == nullptr) return of_values(format);
  const MemoryLayout* index = simple(format);
  const bool nested = column.dictionary->dictionary != nullptr;
  if (index == nullptr || index->kind != MemoryKind::whole || nested) return plain(MemoryKind::unfit, "dictionary");
  MemoryLayout layout = layout_of(*column.dictionary);
  layout.index = index;
  return layout;
}

std::optional<plan::Type> MemoryLayout::is() const {
  switch (kind) {
    case MemoryKind::unfit:
      return std::nullopt;
    case MemoryKind::boolean:
      return plan::Type::boolean;
    case MemoryKind::whole:
      return plan::Type::integer;
    case MemoryKind::half:
    case MemoryKind::single:
    case MemoryKind::real:
      return plan::Type::real;
    case MemoryKind::nothing:
    case MemoryKind::text:
    case MemoryKind::large_text:
    case MemoryKind::text_view:
      return plan::Type::text;
    case MemoryKind::days:
    case MemoryKind::milliseconds:
      return plan::Type::date;
    case MemoryKind::moment:
      return plan::Type::timestamp;
    case MemoryKind::decimal:
      return scale == 0 ? plan::Type::integer : plan::Type::real;
  }
  return std::nullopt;
}

}  // namespace dither::engine::detail
