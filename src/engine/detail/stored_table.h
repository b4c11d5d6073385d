// Tables of DuckDB databases as parts of a source.
#pragma once

#include <string>

#include "engine/detail/source_part.h"

namespace dither::engine::detail {

// A table of an attached database, in the schema `main` or in the one named before a dot.
// Refuses    a name that no table has, and a view, which is worked out while it is read and can fail for a value (bad-source).
//            Columns that are worked out so are unfit.
SourcePart stored_table(Connection& connection, const std::string& database, const std::string& table,
                        const std::string& file);

}  // namespace dither::engine::detail
