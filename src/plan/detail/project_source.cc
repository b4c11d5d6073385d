#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "plan/detail/project_read.h"
#include "plan/source_kind.h"

namespace dither::plan {

namespace {

struct Ending {
  std::string_view text;
  SourceKind kind;
};
constexpr std::array kEndings = {
    Ending{".csv", SourceKind::csv},         Ending{".csv.gz", SourceKind::csv},
    Ending{".tsv", SourceKind::csv},         Ending{".tsv.gz", SourceKind::csv},
    Ending{".parquet", SourceKind::parquet}, Ending{".json", SourceKind::json},
    Ending{".json.gz", SourceKind::json},    Ending{".ndjson", SourceKind::json},
    Ending{".ndjson.gz", SourceKind::json},  Ending{".jsonl", SourceKind::json},
    Ending{".jsonl.gz", SourceKind::json},   Ending{".duckdb", SourceKind::duckdb},
    Ending{".db", SourceKind::duckdb},
};

}  // namespace

std::optional<SourceKind> source_kind(std::string_view path) {
  for (const Ending& ending : kEndings) {
    if (path.ends_with(ending.text)) return ending.kind;
  }
  return {};
}

namespace detail {

namespace {

using config::Fields;

const std::vector<std::string> kKinds = {"csv", "parquet", "json", "duckdb", "memory"};  // in the order of SourceKind

SourceKind kind_of(const Value& path) {
  if (const auto kind = source_kind(path.written())) return *kind;
  throw error_at(path, Code::missing_key,
                 fmt::format("the ending of \"{}\" does not say what kind of file it is", echo(path.written())),
                 "write `source: {path: ..., kind: csv}`; kinds are csv, parquet, json and duckdb");
}

const std::string& read_path(const Value& value) {
  const std::string& path = value.text("a source");
  if (path.empty()) throw error_at(value, Code::bad_name, "the path of a source is empty", "name a file or a glob");
  if (path.find("://") == std::string::npos) return path;
  throw error_at(value, Code::not_supported, fmt::format("\"{}\" is no file", echo(path)),
                 "name a file on this machine, or copy the data here");
}

// A table that a program hands over has nothing but a kind.
Source source_in_memory(Fields& fields) {
  for (const char* key : {"path", "table"}) {
    const Value* value = fields.optional(key);
    if (value == nullptr) continue;
    throw error_at(*value, Code::unknown_key, fmt::format("a table in memory has no \"{}\"", key),
                   "write `source: {kind: memory}`, or name the kind of the file");
  }
  fields.finish();
  return {SourceKind::memory, "", ""};
}

}  // namespace

Source read_source(const Value& value, const std::string& table) {
  if (value.kind() != config::Kind::map) {
    const std::string& path = read_path(value);
    const SourceKind kind = kind_of(value);
    return {kind, path, kind == SourceKind::duckdb ? table : ""};
  }
  Fields fields(value, "a source");
  fields.expect(keys_of("source"));
  Source source;
  const Value* kind = fields.optional("kind");
  if (kind != nullptr) source.kind = static_cast<SourceKind>(one_of(*kind, "kind", kKinds, Code::wrong_type));
  if (source.kind == SourceKind::memory) return source_in_memory(fields);
  const Value& path = fields.required("path");
  source.path = read_path(path);
  if (kind == nullptr) source.kind = kind_of(path);
  const Value* inner = fields.optional("table");
  if (inner != nullptr && source.kind != SourceKind::duckdb) {
    throw error_at(*inner, Code::unknown_key, "a file has no tables inside",
                   "leave `table:` out, or write `kind: duckdb`");
  }
  if (source.kind == SourceKind::duckdb) source.table = inner == nullptr ? table : inner->text("\"table\"");
  if (inner != nullptr) require_name(inner->where(), "a table", source.table);
  fields.finish();
  return source;
}

}  // namespace detail

}  // namespace dither::plan
