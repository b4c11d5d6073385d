#include "engine/detail/source_files.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file_fingerprint.h"
#include "base/text.h"

namespace dither::engine::detail {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> matches(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  const auto no_file = [](const std::string& path) {
    std::error_code error;
    return !fs::is_regular_file(path, error);
  };
  paths.erase(std::remove_if(paths.begin(), paths.end(), no_file), paths.end());
  return paths;
}

}  // namespace

std::string folder_of(const plan::Project& project) {
  return fs::absolute(project.path).lexically_normal().parent_path().string();
}

std::vector<std::string> files_of(const plan::Source& source, const std::string& folder) {
  if (source.kind == plan::SourceKind::memory) {
    throw Error{Code::bad_source, "it lives in the memory of a program, and is not here",
                "ask from the program that has it: in Python, dither.Session(tables={name: table}, ...)"};
  }
  const fs::path path = (fs::path(folder) / source.path).lexically_normal();
  std::error_code error;
  if (fs::is_regular_file(path, error)) return {path.string()};
  std::vector<std::string> files;
  if (source.path.find_first_of("*?[") != std::string::npos) files = matches(path.string());
  if (!files.empty()) return files;
  throw Error{Code::cannot_read, fmt::format("there is no file {}", echo(source.path)),
              fmt::format("put it into {}, or correct `source:` in the project file", echo(folder))};
}

std::string fingerprint_of(const plan::Source& source, const std::vector<std::string>& files) {
  std::string all;
  const auto add = [&](const std::string& file) { all += (all.empty() ? "" : "; ") + file_fingerprint(file); };
  for (const std::string& file : files) {
    add(file);
    const std::string unwritten = file + ".wal";
    std::error_code error;
    if (source.kind == plan::SourceKind::duckdb && fs::exists(unwritten, error)) add(unwritten);
  }
  return all;
}

char delimiter_of(const plan::Source& source) {
  return source.path.ends_with(".tsv") || source.path.ends_with(".tsv.gz") ? '\t' : ',';
}

std::vector<std::string> with_owners(const plan::Project& project, const std::vector<std::string>& tables) {
  std::vector<std::string> all;
  for (const std::string& name : tables) {
    const plan::TableDeclaration* table = &project.table(name);
    while (std::find(all.begin(), all.end(), table->name) == all.end()) {
      all.push_back(table->name);
      const auto* through = std::get_if<plan::UnitThrough>(&table->unit);
      if (through == nullptr) break;
      table = &project.table(through->table);
    }
  }
  return all;
}

}  // namespace dither::engine::detail
