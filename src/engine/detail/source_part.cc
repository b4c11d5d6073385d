#include "engine/detail/source_part.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/text.h"

namespace dither::engine::detail {

std::string short_name(const std::string& file) { return echo(std::filesystem::path(file).filename().string()); }

SourcePart described(Connection& connection, const std::string& from, const std::string& file, const std::string& as) {
  SourcePart part;
  part.file = file;
  part.from = from;
  try {
    part.columns = connection.columns_of(fmt::format("SELECT * FROM {}", from));
  } catch (const DuckDbFailure&) {
    throw Error{Code::bad_source, fmt::format("{} cannot be read as {}", short_name(file), as),
                "look whether it is complete and of that kind, and whether it may be read"};
  }
  for (const ResultColumn& column : part.columns) part.cells.push_back(quoted_name(column.name));
  return part;
}

}  // namespace dither::engine::detail
