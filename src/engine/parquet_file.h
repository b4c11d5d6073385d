// Released tables as Parquet, for programs that read columns.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/canonical.h"
#include "plan/type.h"

namespace dither::engine {

// The bytes of a Parquet file that holds these rows in this order: BOOLEAN, BIGINT, DOUBLE, VARCHAR, DATE, TIMESTAMP.
// What is given here was released already: nothing decides what may be shown.
// Holds if   there is a column, no two have the same name (capitals do not tell names apart), and each row has a cell
//            of the type, or NULL, for each column.
// Refuses    no-engine; cannot-write where memory for the file is lacking. Leaves no file behind.
std::string parquet_bytes(const std::vector<std::string>& names, const std::vector<plan::Type>& types,
                          std::span<const std::vector<Cell>> rows);

}  // namespace dither::engine
