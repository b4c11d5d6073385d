#include "engine/detail/record_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/detail/csv.h"
#include "engine/detail/json.h"
#include "engine/detail/table_function.h"

namespace dither::engine::detail {
namespace {

constexpr std::size_t kMostThreads = 64;

// A file that is being read. Threads take turns: finding records is quick, what is done with them is not.
struct OpenFile {
  std::mutex turn;
  std::unique_ptr<RecordReader> reader;
  std::vector<std::string_view> fields;
  bool finished = false;
};

// What one scan shares between its threads.
struct Scan {
  std::vector<std::size_t> columns;  // of the table, wanted now
  std::mutex guard;
  std::size_t next_file = 0;
  std::vector<std::shared_ptr<OpenFile>> open;
};

// What each thread has.
struct Reading {
  std::shared_ptr<OpenFile> file;
};

void bind(duckdb_bind_info info) {
  const auto* tables = static_cast<const RecordTables*>(duckdb().bind_get_extra_info(info));
  duckdb_value parameter = duckdb().bind_get_parameter(info, 0);
  const RecordFiles& files = tables->at(static_cast<std::size_t>(duckdb().get_int64(parameter)));
  duckdb().destroy_value(&parameter);
  duckdb_logical_type text = duckdb().create_logical_type(DUCKDB_TYPE_VARCHAR);
  // A table without columns still has rows to count.
  for (std::size_t i = 0; i < std::max<std::size_t>(files.wanted.size(), 1); ++i) {
    duckdb().bind_add_result_column(info, fmt::format("f{}", i).c_str(), text);
  }
  duckdb().destroy_logical_type(&text);
  duckdb().bind_set_bind_data(info, const_cast<RecordFiles*>(&files), nullptr);
}

void begin(duckdb_init_info info) {
  auto scan = std::make_unique<Scan>();
  for (std::size_t i = 0; i < duckdb().init_get_column_count(info); ++i) {
    scan->columns.push_back(duckdb().init_get_column_index(info, i));
  }
  duckdb().init_set_max_threads(info, kMostThreads);
  duckdb().init_set_init_data(info, scan.release(), destroy<Scan>);
}

void begin_thread(duckdb_init_info info) { duckdb().init_set_init_data(info, new Reading, destroy<Reading>); }

std::unique_ptr<RecordReader> open_reader(const RecordFiles& files, const std::string& path) {
  if (files.kind == plan::SourceKind::json) return std::make_unique<JsonReader>(path, files.wanted);
  auto reader = std::make_unique<CsvReader>(path, files.delimiter);
  if (reader->header() != files.header) throw DuckDbFailure("the first line changed");
  return reader;
}

// A file that nobody reads yet, else one that others read too; nothing when all are finished.
std::shared_ptr<OpenFile> next_file(const RecordFiles& files, Scan& scan) {
  const std::lock_guard lock(scan.guard);
  if (scan.next_file < files.paths.size()) {
    auto file = std::make_shared<OpenFile>();
    file->reader = open_reader(files, files.paths[scan.next_file++]);
    return scan.open.emplace_back(std::move(file));
  }
  for (const std::shared_ptr<OpenFile>& file : scan.open) {
    const std::lock_guard turn(file->turn);
    if (!file->finished) return file;
  }
  return nullptr;
}

void put(duckdb_vector vector, std::size_t row, std::string_view field) {
  if (field.data() != nullptr) {
    duckdb().unsafe_vector_assign_string_element_len(vector, row, field.data(), field.size());
    return;
  }
  duckdb().vector_ensure_validity_writable(vector);
  duckdb().validity_set_row_validity(duckdb().vector_get_validity(vector), row, false);
}

// As many records of the file as fit.
std::size_t take(const RecordFiles& files, const Scan& scan, OpenFile& file, duckdb_data_chunk output) {
  std::vector<duckdb_vector> vectors;
  for (std::size_t i = 0; i < scan.columns.size(); ++i) vectors.push_back(duckdb().data_chunk_get_vector(output, i));
  const std::size_t most = duckdb().vector_size();
  const std::lock_guard turn(file.turn);
  std::size_t rows = 0;
  for (; rows < most && !file.finished; ++rows) {
    if (!file.reader->next(file.fields)) {
      file.finished = true;
      file.reader.reset();  // there may be more files than may be open
      break;
    }
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      const std::size_t column = scan.columns[i];
      std::string_view field;
      if (column < files.wanted.size()) {
        field = file.fields[files.places.empty() ? column : files.places[column]];
        if (field.size() > files.longest[column]) field = field.substr(0, files.longest[column] + 1);
      }
      put(vectors[i], rows, field);
    }
  }
  return rows;
}

void fill(duckdb_function_info info, duckdb_data_chunk output) {
  const auto& files = *static_cast<const RecordFiles*>(duckdb().function_get_bind_data(info));
  auto& scan = *static_cast<Scan*>(duckdb().function_get_init_data(info));
  auto& reading = *static_cast<Reading*>(duckdb().function_get_local_init_data(info));
  std::size_t rows = 0;
  while (rows == 0) {
    if (!reading.file) reading.file = next_file(files, scan);
    if (!reading.file) break;
    rows = take(files, scan, *reading.file, output);
    if (rows == 0) reading.file.reset();
  }
  duckdb().data_chunk_set_size(output, rows);
}

}  // namespace

RecordTables::RecordTables(Connection& connection) {
  register_table<bind, begin, begin_thread, fill>(connection, "dither_records", this);
}

const RecordFiles& RecordTables::at(std::size_t index) const {
  const std::lock_guard lock(guard_);
  return files_.at(index);
}

std::string RecordTables::add(RecordFiles files) {
  const std::lock_guard lock(guard_);
  files_.push_back(std::move(files));
  return fmt::format("dither_records({})", files_.size() - 1);
}

}  // namespace dither::engine::detail
