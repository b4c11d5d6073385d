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
  return paths;
}

std::string_view what_it_is(fs::file_type type) {
  if (type == fs::file_type::directory) return "a folder";
  if (type == fs::file_type::not_found) return "a link that leads nowhere";
  return type == fs::file_type::block || type == fs::file_type::character ? "a device" : "a pipe or a socket";
}

// Of what a path leads to; not_found also where the folder may not be read.
fs::file_type type_of(const std::string& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  return type == fs::file_type::none ? fs::file_type::not_found : type;
}

void require_file(const std::string& path) {
  const fs::file_type type = type_of(path);
  if (type == fs::file_type::regular) return;
  throw Error{Code::cannot_read, fmt::format("{} is {}, not a file", echo(path), what_it_is(type)),
              "name a file, or a glob that matches files alone; what a pipe brings has to be in a file first"};
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
  const std::string path = (fs::path(folder) / source.path).lexically_normal().string();
  std::vector<std::string> files;
  if (type_of(path) != fs::file_type::not_found) {
    files = {path};
  } else if (source.path.find_first_of("*?[") != std::string::npos) {
    files = matches(path);
    std::erase_if(files, [](const std::string& one) { return type_of(one) == fs::file_type::directory; });
  }
  for (const std::string& file : files) require_file(file);
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
