// What kind of file a path names.
#pragma once

#include <optional>
#include <string_view>

#include "plan/project.h"

namespace dither::plan {

// By its ending: .csv, .tsv, .json, .ndjson, .jsonl (each also with .gz), .parquet, .duckdb, .db; nothing for others.
std::optional<SourceKind> source_kind(std::string_view path);

}  // namespace dither::plan
