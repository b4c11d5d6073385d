// Tables in memory, compared with their declarations before anything is asked.
#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "engine/detail/memory_scan.h"
#include "engine/detail/typed_cell.h"
#include "engine/engine.h"

namespace dither::engine {

void require_types(const plan::Project& project, const MemoryTables& tables) {
  for (const auto& [name, table] : tables) {
    const plan::TableDeclaration& declaration = project.table(name);
    const detail::SourcePart part = detail::part_in_memory(*table);
    try {
      for (const plan::ColumnDeclaration& column : declaration.columns)
        detail::typed_cell(part, {project, declaration}, column);
    } catch (const Error& error) {
      throw Error{error.code(), fmt::format("table \"{}\": {}", echo(name), error.what()), error.hint()};
    }
  }
}

}  // namespace dither::engine
