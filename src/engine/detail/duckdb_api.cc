#include "engine/detail/duckdb_api.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/text.h"

namespace dither::engine::detail {
namespace {

constexpr const char* kFile = "libduckdb.so";
constexpr const char* kHint =
    "run `./dev build`, which installs it, or let DITHER_DUCKDB name the folder of a libduckdb.so of this version";

std::filesystem::path library_path() {
  // Read once, before threads of ours change the environment: nothing here does.
  const char* stated = std::getenv("DITHER_DUCKDB");  // NOLINT(concurrency-mt-unsafe)
  if (stated != nullptr && *stated != '\0') return std::filesystem::path(stated) / kFile;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const char* place : {".", "../lib"}) {
    std::filesystem::path beside = program.parent_path() / place / kFile;
    if (!error && std::filesystem::exists(beside, error)) return beside;
  }
  return std::filesystem::path(DITHER_DUCKDB) / kFile;
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) {
    throw Error{Code::no_engine, fmt::format("the DuckDB library has no function {}", name), kHint};
  }
}

DuckDbApi load() {
  const std::string path = library_path().string();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw Error{Code::no_engine, fmt::format("cannot load {}", echo(path)), kHint};
  DuckDbApi api{};
#define DITHER_DUCKDB_FIND(name) find(library, "duckdb_" #name, api.name);
  DITHER_DUCKDB_FUNCTIONS(DITHER_DUCKDB_FIND)
#undef DITHER_DUCKDB_FIND
  const std::string version = api.library_version();
  if (version != "v" DITHER_DUCKDB_VERSION) {
    throw Error{Code::no_engine,
                fmt::format("{} is DuckDB {}, but this was built for v{}", echo(path), version, DITHER_DUCKDB_VERSION),
                kHint};
  }
  return api;
}

}  // namespace

const DuckDbApi& duckdb() {
  static const DuckDbApi api = load();
  return api;
}

}  // namespace dither::engine::detail
