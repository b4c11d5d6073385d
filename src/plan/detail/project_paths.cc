#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <system_error>

#include "base/text.h"
#include "plan/detail/project_read.h"

namespace dither::plan::detail {

namespace {

namespace fs = std::filesystem;

// One spelling of a path. Looks at no file: links stay what they are.
std::string settled(const fs::path& path) {
  std::error_code failed;
  return fs::absolute(path, failed).lexically_normal().string();
}

using Taken = std::map<std::string, std::string>;  // path, and what lies there

void take(Taken& taken, const std::string& path, const std::string& what, const Value& place) {
  const auto [at, is_new] = taken.emplace(settled(path), what);
  if (is_new) return;
  throw error_at(place, Code::bad_name, fmt::format("{} is {}, but also {}", echo(path), at->second, what),
                 fmt::format("give {} a file of its own", what));
}

}  // namespace

void require_own_files(const Project& project, const Value& ledger, const Value& anchor) {
  const fs::path folder = fs::path(project.path).parent_path();
  Taken taken;
  taken.emplace(settled(project.path), "the project file");
  for (const TableDeclaration& table : project.tables) {
    if (table.source.kind == SourceKind::memory) continue;
    taken.emplace(settled(folder / table.source.path), fmt::format("the source of \"{}\"", echo(table.name)));
  }
  if (project.ledger == kLedgerInMemory) {
    if (project.anchor.empty()) return;
    throw error_at(anchor, Code::bad_name, "a ledger in memory has no anchor", "leave `anchor:` out");
  }
  take(taken, project.ledger, "the ledger", ledger);
  if (!project.anchor.empty()) take(taken, project.anchor, "the anchor", anchor);
}

}  // namespace dither::plan::detail
