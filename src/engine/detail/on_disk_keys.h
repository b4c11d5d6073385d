// Rows whose keys are numbered by sorting.
#pragma once

#include <memory>
#include <string>

#include "engine/detail/bounding_sorted_keys.h"
#include "engine/detail/on_disk.h"

namespace dither::engine::detail {

// Rows with their keys as codes.
struct CodedRows {
  std::shared_ptr<const SortedKeys> keys;
  std::string sql;  // as run_bounding wants it
};
// `rows_sql`: the rows of the aggregate. What the result names is there while `on_disk` lives.
CodedRows coded_rows(OnDisk& on_disk, const plan::BoundedAggregate& aggregate, const std::string& rows_sql,
                     const std::string& folder, const Watch& watch);

}  // namespace dither::engine::detail
