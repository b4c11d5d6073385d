// Any bytes in the cells of one record move that record alone, and any bytes at all are read in linear time or refused by name.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "engine/damaged_files_check.h"
#include "testing/choices.h"

namespace {

using namespace dither;          // NOLINT: one file
using namespace dither::engine;  // NOLINT

const std::vector<std::string> kNames = {"a", "b"};

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

void check_record(const TestFolder& folder, const std::string& name, FileForm form, testing::Choices& choices) {
  const TextRows rows = {{"1", "x, \"y\""}, {"22.5", "z\nz, \xc3\xbc"}, {std::nullopt, "w"}};
  RecordFile file = record_file(form, kNames, rows);
  const TextRows before = read_records(form, make_file(folder, name, file.text), kNames);
  std::string text = file.text;
  for (std::uint64_t n = choices.below(8) + 1; n > 0; --n) {
    const std::size_t place = choices.below(text.size());
    const char other = static_cast<char>(choices.below(256));
    if (file.owners[place].row == 1 && stays_in_cell(file, place, other)) text[place] = other;
  }
  const auto wrong = rows_wrong(before, read_records(form, make_file(folder, name, text), kNames), 1, std::nullopt);
  require(!wrong, wrong.value_or("") + "\n" + text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TestFolder folder;
  testing::Choices choices(std::span(data, size));
  const auto form = static_cast<FileForm>(choices.below(3));
  const std::string name = form == FileForm::csv ? "x.csv" : form == FileForm::lines ? "x.ndjson" : "x.json";
  check_record(folder, name, form, choices);
  try {
    const auto reader =
        open_records(form, make_file(folder, name, {reinterpret_cast<const char*>(data), size}), kNames);
    std::vector<std::string_view> cells;
    while (reader->next(cells)) {
    }
    require(reader->looked_at() <= 8 * size, "bytes are looked at too often");
  } catch (const Error& error) {
    require(error.code() == Code::bad_source, error.what());
  }
  return 0;
}
