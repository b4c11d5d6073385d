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

// Where the file lies that holds this code: a module that some program has loaded, else the program itself; "" where
// nobody knows.
std::filesystem::path own_folder() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  Dl_info module{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &module) != 0 && module.dli_fname != nullptr) {
    std::error_code unknown;  // a program is named as it was called, which need not be a path
    const std::filesystem::path file = std::filesystem::canonical(module.dli_fname, unknown);
    if (!unknown && file.extension() == ".so") return file.parent_path();
  }
  return error ? std::filesystem::path() : program.parent_path();
}

std::filesystem::path library_path() {
  // Read once, before threads of ours change the environment: nothing here does.
  const char* stated = std::getenv("DITHER_DUCKDB");  // NOLINT(concurrency-mt-unsafe)
  if (stated != nullptr && *stated != '\0') return std::filesystem::path(stated) / kFile;
  const std::filesystem::path own = own_folder();
  for (const char* place : {".", "../lib"}) {
    std::error_code error;
    std::filesystem::path beside = own / place / kFile;
    if (!own.empty() && std::filesystem::exists(beside, error)) return beside;
  }
#ifdef DITHER_PACKAGED  // a package looks beside itself, and never where the library lay on the builder's machine
  return own / kFile;
#else
  return std::filesystem::path(DITHER_DUCKDB) / kFile;
#endif
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
  // Local, so that another DuckDB in this process (the package of that name for Python) finds none of our symbols, and
  // Python loads its modules so that we find none of theirs. Not RTLD_DEEPBIND: it would also turn to libc's own malloc
  // where a preloaded allocator or a sanitizer has put another in its place, and what one allocates the other would
  // free.
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
