// Tables that lie in the memory of this process, as Python holds them.
#pragma once

#include <memory>

#include "engine/memory_table.h"

namespace dither::python {

// dither._core.Table: shows columns and types, and nothing of its rows.
struct Table {
  std::shared_ptr<const engine::MemoryTable> table;
};

}  // namespace dither::python
