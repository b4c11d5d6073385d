#include "cli/values.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "base/decimal.h"
#include "base/error.h"

namespace dither::cli {

namespace {

static_assert(std::endian::native == std::endian::little, "int64 output copies the machine's own bytes");

constexpr Int128 kExactInJson = Int128{1} << 53;

void append(std::string& buffer, std::int64_t value) {
  const fmt::format_int digits(value);
  buffer.append(digits.data(), digits.size());
}

void append(std::string& buffer, Int128 value) {
  if (value == to_int64_saturating(value))
    append(buffer, static_cast<std::int64_t>(value));
  else
    buffer += to_string(value);
}

// Puts numbers into a buffer as text.
class Printer {
 public:
  Printer(const Rational& step, bool json) : grid_(step), whole_(step == 1), json_(json) {}

  template <typename Number>
  void print(std::string& buffer, Number value) const {
    const bool quote = json_ && (!whole_ || value > kExactInJson || value < -kExactInJson);
    if (quote) buffer += '"';
    if (whole_)
      append(buffer, value);
    else
      buffer += Decimal(grid_, value).str();
    if (quote) buffer += '"';
  }

 private:
  Grid grid_;
  bool whole_;
  bool json_;
};

void write_text(const Draws& draws, std::uint64_t count, Output& output, Progress& progress) {
  const Printer printer(draws.grid, false);
  std::string buffer;
  draw_in_blocks(draws, count, progress, [&](auto block) {
    buffer.clear();
    for (const auto value : block) {
      printer.print(buffer, value);
      buffer += '\n';
    }
    output.write(buffer);
  });
}

void write_json(const Draws& draws, std::uint64_t count, const std::string& opening, Output& output,
                Progress& progress) {
  const Printer printer(draws.grid, true);
  std::string buffer = opening + ",\"values\":[";
  bool first = true;
  draw_in_blocks(draws, count, progress, [&](auto block) {
    for (const auto value : block) {
      if (!std::exchange(first, false)) buffer += ',';
      printer.print(buffer, value);
    }
    output.write(buffer);
    buffer.clear();
  });
  output.write("]}\n");
}

std::string_view bytes_of(std::span<const std::int64_t> block) {
  const auto bytes = std::as_bytes(block);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void write_int64(const Draws& draws, std::uint64_t count, Output& output, Progress& progress) {
  std::vector<std::int64_t> narrowed;
  draw_in_blocks(draws, count, progress, [&](auto block) {
    if constexpr (sizeof(block[0]) == sizeof(std::int64_t)) {
      output.write(bytes_of(block));
    } else {
      narrowed.clear();
      for (const Int128 value : block) narrowed.push_back(to_int64_saturating(value));
      output.write(bytes_of(narrowed));
    }
  });
}

}  // namespace

void require_fits(const Draws& draws, Format format) {
  if (format != Format::int64 || draws.fits_int64) return;
  throw Error{Code::out_of_range, "--format is int64, but draws of this law may not fit in 64 bits",
              "write --format text, or give a smaller scale or a coarser grid"};
}

void write_values(const Draws& draws, std::uint64_t count, Format format, const std::string& opening, Output& output,
                  Progress& progress) {
  if (format == Format::text) return write_text(draws, count, output, progress);
  if (format == Format::json) return write_json(draws, count, opening, output, progress);
  write_int64(draws, count, output, progress);
}

}  // namespace dither::cli
