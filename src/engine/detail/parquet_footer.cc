#include "engine/detail/parquet_footer.h"

#include <algorithm>
#include <cstdint>

namespace dither::engine::detail {
namespace {

// Which value: numbers of fields from the outermost structure inward, and the place in the outermost list.
struct Where {
  std::vector<int> fields;
  std::size_t element = 0;

  bool is(std::initializer_list<int> path) const {
    return std::equal(fields.begin(), fields.end(), path.begin(), path.end());
  }
};

constexpr std::size_t kDeepest = 32;

// Reads a structure in Thrift's compact form and writes it again without the fields that a handler does not keep.
template <class Handler>
class Rewriter {
 public:
  Rewriter(std::string_view bytes, Handler& handler) : left_(bytes), handler_(handler) {}

  std::string all() {
    structure();
    return std::move(out_);
  }

 private:
  enum Kind { stop, yes, no, byte, i16, i32, i64, real, binary, list, set, map, nested };

  unsigned take() {
    if (left_.empty()) throw BadFooter();
    const char first = left_.front();
    left_.remove_prefix(1);
    return static_cast<unsigned char>(first);
  }
  unsigned copy() {
    const unsigned one = take();
    out_ += static_cast<char>(one);
    return one;
  }
  std::string_view copy(std::uint64_t bytes) {
    if (bytes > left_.size()) throw BadFooter();
    const std::string_view taken = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    out_ += taken;
    return taken;
  }

  template <class Next>
  static std::uint64_t varint(Next next) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const unsigned one = next();
      value |= std::uint64_t{one & 127} << shift;
      if (one < 128) return value;
    }
    throw BadFooter();
  }
  std::uint64_t copied_varint() {
    return varint([this] { return copy(); });
  }
  static std::int64_t signed_of(std::uint64_t value) {
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }

  void write_head(unsigned kind, int field, int last) {
    const int step = field - last;
    if (step > 0 && step < 16) {
      out_ += static_cast<char>(static_cast<unsigned>(step) << 4 | kind);
      return;
    }
    out_ += static_cast<char>(kind);
    auto coded = static_cast<std::uint32_t>(field) << 1 ^ static_cast<std::uint32_t>(field >> 31);
    for (; coded > 127; coded >>= 7) out_ += static_cast<char>(coded | 128);
    out_ += static_cast<char>(coded);
  }

  void structure() {
    if (where_.fields.size() >= kDeepest) throw BadFooter();
    int last_read = 0, last_kept = 0;
    while (const unsigned head = take()) {
      const unsigned kind = head & 15;
      last_read = head > 15 ? last_read + static_cast<int>(head >> 4)
                            : static_cast<std::int16_t>(signed_of(varint([this] { return take(); })));
      where_.fields.push_back(last_read);
      const std::size_t before = out_.size();
      write_head(kind, last_read, last_kept);
      if (kind != yes && kind != no) value(kind);
      if (handler_.keeps(where_)) {
        last_kept = last_read;
      } else {
        out_.resize(before);
      }
      where_.fields.pop_back();
    }
    out_ += '\0';
  }

  void value(unsigned kind) {
    switch (kind) {
      case yes:  // in a list: a byte each
      case no:
      case byte:
        copy();
        return;
      case i16:
      case i32:
      case i64:
        handler_.whole(where_, signed_of(copied_varint()));
        return;
      case real:
        copy(8);
        return;
      case binary:
        handler_.bytes(where_, copy(copied_varint()));
        return;
      case list:
      case set:
        return elements();
      case map:
        return pairs();
      case nested:
        return structure();
      default:
        throw BadFooter();
    }
  }

  void elements() {
    const unsigned head = copy();
    const std::uint64_t count = head >> 4 < 15 ? head >> 4 : copied_varint();
    const bool outermost = where_.fields.size() == 1;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (outermost) where_.element = i;
      one_of_many(head & 15);
    }
  }

  void pairs() {
    const std::uint64_t count = copied_varint();
    if (count == 0) return;
    const unsigned kinds = copy();
    for (std::uint64_t i = 0; i < count; ++i) {
      one_of_many(kinds >> 4);
      one_of_many(kinds & 15);
    }
  }

  // Every one takes a byte at least, so that no count can make this long; depth is counted though no field is named.
  void one_of_many(unsigned kind) {
    if (where_.fields.size() >= kDeepest) throw BadFooter();
    const bool deeper = kind == list || kind == set || kind == map;
    if (deeper) where_.fields.push_back(-1);
    value(kind);
    if (deeper) where_.fields.pop_back();
  }

  std::string_view left_;
  Handler& handler_;
  std::string out_;
  Where where_;
};

// An element of the schema: a column or a group of them.
struct Element {
  std::string name;
  std::int64_t physical = -1, length = 0, children = 0, converted = -1;
  int logical = 0, unit = 0;

  bool means(std::initializer_list<int> converted_types, std::initializer_list<int> logical_types) const {
    return std::count(converted_types.begin(), converted_types.end(), converted) > 0 ||
           std::count(logical_types.begin(), logical_types.end(), logical) > 0;
  }

  // Numbers as the format has them: physical 2 INT64, 6 BYTE_ARRAY, 7 FIXED_LEN_BYTE_ARRAY; converted 0 UTF8, 4 ENUM, 5 DECIMAL,
  // 9 TIMESTAMP_MILLIS, 19 JSON; logical 1 STRING, 4 ENUM, 5 DECIMAL, 8 TIMESTAMP (unit 1: milliseconds), 12 JSON.
  Checked checked() const {
    if (children > 0) return Checked::none;
    const bool bytes = physical == 6 || physical == 7;
    if (bytes && means({0, 4, 19}, {1, 4, 12})) return Checked::text;
    if (physical == 2 && (converted == 9 || (logical == 8 && unit == 1))) return Checked::milliseconds;
    if ((physical == 6 || (physical == 7 && length > 16)) && means({5}, {5})) return Checked::decimal;
    return Checked::none;
  }
};

bool is_statistics(const Where& where) {
  return where.is({4, 1, 3, 12}) || where.is({4, 1, 3, 16}) || where.is({4, 1, 3, 17});
}

// Drops statistics, and notes what the schema says.
struct Schema {
  std::vector<Element> elements;
  std::vector<std::uint64_t> groups;  // bytes of their pages

  Element& at(const Where& where) {
    if (elements.size() <= where.element) elements.resize(where.element + 1);
    return elements[where.element];
  }
  void whole(const Where& where, std::int64_t value) {
    if (where.is({2, 1})) at(where).physical = value;
    if (where.is({2, 2})) at(where).length = value;
    if (where.is({2, 5})) at(where).children = value;
    if (where.is({2, 6})) at(where).converted = value;
    if (where.is({4, 1, 3, 6}) && value > 0) {
      if (groups.size() <= where.element) groups.resize(where.element + 1);
      groups[where.element] += static_cast<std::uint64_t>(value);
    }
  }
  void bytes(const Where& where, std::string_view text) {
    if (where.is({2, 4})) at(where).name = text;
  }
  bool keeps(const Where& where) {
    const std::vector<int>& fields = where.fields;
    if (fields.size() == 3 && fields[0] == 2 && fields[1] == 10) at(where).logical = fields[2];
    if (fields.size() == 5 && fields[0] == 2 && fields[2] == 8 && fields[3] == 2) at(where).unit = fields[4];
    return !is_statistics(where);
  }

  // Children follow their parent, each with its own behind it.
  std::vector<const Element*> at_the_top() const {
    std::vector<const Element*> columns;
    if (elements.empty()) throw BadFooter();
    std::size_t at = 1;
    for (std::int64_t i = 0; i < elements[0].children; ++i) {
      if (at >= elements.size()) throw BadFooter();
      columns.push_back(&elements[at]);
      for (std::int64_t open = 1; open > 0; ++at) {
        if (at >= elements.size() || elements[at].children < 0) throw BadFooter();
        open += elements[at].children - 1;
      }
    }
    return columns;
  }
};

// Drops what makes bytes texts and whole numbers moments.
struct Bare {
  const std::vector<Element>& elements;

  void whole(const Where&, std::int64_t) {}
  void bytes(const Where&, std::string_view) {}
  bool keeps(const Where& where) const {
    if (!where.is({2, 6}) && !where.is({2, 10})) return true;
    const Checked checked = elements.at(where.element).checked();
    return checked != Checked::text && checked != Checked::milliseconds;
  }
};

}  // namespace

ParquetFooter parse_footer(std::string_view bytes) {
  ParquetFooter footer;
  Schema schema;
  footer.plain = Rewriter<Schema>(bytes, schema).all();
  for (const Element* column : schema.at_the_top()) {
    footer.columns.push_back(column->checked());
    footer.names.push_back(column->name);
  }
  for (const std::uint64_t group : schema.groups) footer.largest_group = std::max(footer.largest_group, group);
  Bare bare{schema.elements};
  footer.raw = Rewriter<Bare>(footer.plain, bare).all();
  return footer;
}

}  // namespace dither::engine::detail
