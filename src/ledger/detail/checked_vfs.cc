#include "ledger/detail/checked_vfs.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/error.h"

namespace dither::ledger::detail {
namespace {

constexpr std::size_t kContentBytes = kPageBytes - kChecksumBytes;
constexpr std::size_t kWords = kContentBytes / 8;
constexpr sqlite3_int64 kHeaderBytes = 100;  // what SQLite reads of a file before it knows its pages
constexpr std::size_t kPageSizeAt = 16;      // in the header: two bytes, the high one first
constexpr std::size_t kReservedAt = 20;      // in the header: one byte

std::uint64_t word_at(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return std::endian::native == std::endian::little ? word : __builtin_bswap64(word);
}

// One to one in each argument while the other is held, which is what makes a change in one word certain to be seen.
std::uint64_t mixed(std::uint64_t state, std::uint64_t word) {
  return std::rotl(state + word * 0x9fb21c651e98df25u, 31) * 0xd6e8feb86659fd93u;
}

// A whole page, numbered from 1, if that is what these bytes of a file are.
bool is_page(int count, sqlite3_int64 offset) {
  return count == static_cast<int>(kPageBytes) && offset % static_cast<sqlite3_int64>(kPageBytes) == 0;
}

std::uint32_t page_number(sqlite3_int64 offset) {
  return static_cast<std::uint32_t>(offset / static_cast<sqlite3_int64>(kPageBytes) + 1);
}

Page as_page(const void* bytes) { return Page{static_cast<const std::uint8_t*>(bytes), kPageBytes}; }

bool has_room_for_checksums(Page first) {
  const std::size_t page_size = 256u * first[kPageSizeAt] + first[kPageSizeAt + 1];
  return page_size == kPageBytes && first[kReservedAt] == kChecksumBytes;
}

// A main database file. The underlying VFS keeps its own object directly behind this one.
struct File {
  sqlite3_file base;
  const char* name;

  sqlite3_file* under() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  const sqlite3_io_methods& methods() { return *under()->pMethods; }
};
static_assert(sizeof(File) % alignof(std::max_align_t) == 0, "the object behind must be aligned");

File& file(sqlite3_file* handle) { return *reinterpret_cast<File*>(handle); }
sqlite3_file* under(sqlite3_file* handle) { return file(handle).under(); }

int read_page(File& f, void* buffer, sqlite3_int64 offset) {
  const int got = f.methods().xRead(f.under(), buffer, static_cast<int>(kPageBytes), offset);
  if (got != SQLITE_OK && got != SQLITE_IOERR_SHORT_READ) return got;
  const Page page = as_page(buffer);
  const PageChecksum wanted = page_checksum(page_number(offset), page);
  if (got == SQLITE_OK && std::ranges::equal(wanted, page.last<kChecksumBytes>())) return SQLITE_OK;
  const char* what = got == SQLITE_OK ? "has a wrong checksum" : "is not all there";
  sqlite3_log(SQLITE_IOERR_DATA, "page %u of %s %s", page_number(offset), f.name, what);
  return SQLITE_IOERR_DATA;
}

int read_checked(sqlite3_file* handle, void* buffer, int count, sqlite3_int64 offset) {
  File& f = file(handle);
  if (offset + count <= kHeaderBytes) return f.methods().xRead(f.under(), buffer, count, offset);
  if (is_page(count, offset)) return read_page(f, buffer, offset);
  const auto in_page = static_cast<std::size_t>(offset) % kPageBytes;
  if (in_page + static_cast<std::size_t>(count) > kPageBytes) return SQLITE_IOERR_DATA;  // pages of another size
  std::array<std::uint8_t, kPageBytes> whole;
  const int got = read_page(f, whole.data(), offset - static_cast<sqlite3_int64>(in_page));
  if (got == SQLITE_OK) std::memcpy(buffer, whole.data() + in_page, static_cast<std::size_t>(count));
  return got;
}

int write_page(File& f, const void* content, sqlite3_int64 offset) {
  std::array<std::uint8_t, kPageBytes> sealed;
  std::memcpy(sealed.data(), content, kContentBytes);
  std::ranges::copy(page_checksum(page_number(offset), sealed), sealed.begin() + kContentBytes);
  return f.methods().xWrite(f.under(), sealed.data(), static_cast<int>(kPageBytes), offset);
}

int write_checked(sqlite3_file* handle, const void* content, int count, sqlite3_int64 offset) {
  File& f = file(handle);
  const bool refused = !is_page(count, offset) || (offset == 0 && !has_room_for_checksums(as_page(content)));
  if (refused) return SQLITE_IOERR_WRITE;
  return write_page(f, content, offset);
}

int characteristics(sqlite3_file* handle) {
  int promised = file(handle).methods().xDeviceCharacteristics(under(handle));
#ifdef SQLITE_IOCAP_SUBPAGE_READ
  promised &= ~SQLITE_IOCAP_SUBPAGE_READ;  // parts of a page cost a whole one here
#endif
  return promised;
}

int close(sqlite3_file* handle) {
  const int closed = file(handle).methods().xClose(under(handle));
  handle->pMethods = nullptr;
  return closed;
}

// Version 2: with shared memory, without memory-mapped pages, which nobody could check.
const sqlite3_io_methods kMethods = {
    .iVersion = 2,
    .xClose = close,
    .xRead = read_checked,
    .xWrite = write_checked,
    .xTruncate = [](sqlite3_file* f, sqlite3_int64 size) { return file(f).methods().xTruncate(under(f), size); },
    .xSync = [](sqlite3_file* f, int flags) { return file(f).methods().xSync(under(f), flags); },
    .xFileSize = [](sqlite3_file* f, sqlite3_int64* size) { return file(f).methods().xFileSize(under(f), size); },
    .xLock = [](sqlite3_file* f, int level) { return file(f).methods().xLock(under(f), level); },
    .xUnlock = [](sqlite3_file* f, int level) { return file(f).methods().xUnlock(under(f), level); },
    .xCheckReservedLock = [](sqlite3_file* f, int* out) { return file(f).methods().xCheckReservedLock(under(f), out); },
    .xFileControl = [](sqlite3_file* f, int operation,
                       void* argument) { return file(f).methods().xFileControl(under(f), operation, argument); },
    .xSectorSize = [](sqlite3_file* f) { return file(f).methods().xSectorSize(under(f)); },
    .xDeviceCharacteristics = characteristics,
    .xShmMap = [](sqlite3_file* f, int region, int size, int extend_it,
                  void volatile** at) { return file(f).methods().xShmMap(under(f), region, size, extend_it, at); },
    .xShmLock = [](sqlite3_file* f, int from, int count,
                   int flags) { return file(f).methods().xShmLock(under(f), from, count, flags); },
    .xShmBarrier = [](sqlite3_file* f) { file(f).methods().xShmBarrier(under(f)); },
    .xShmUnmap = [](sqlite3_file* f, int erase) { return file(f).methods().xShmUnmap(under(f), erase); },
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

sqlite3_vfs* under(sqlite3_vfs* vfs) { return static_cast<sqlite3_vfs*>(vfs->pAppData); }

int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* handle, int flags, int* flags_out) {
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return under(vfs)->xOpen(under(vfs), name, handle, flags, flags_out);
  File& f = file(handle);
  f = {{nullptr}, name};
  const int opened = under(vfs)->xOpen(under(vfs), name, f.under(), flags, flags_out);
  if (f.under()->pMethods == nullptr) return opened;
  if (f.methods().iVersion < 2 || f.methods().xShmMap == nullptr) {  // a way of locking that has no shared memory
    f.methods().xClose(f.under());
    return SQLITE_CANTOPEN;
  }
  f.base.pMethods = &kMethods;
  return opened;
}

// The VFS `name` over `below`: only opening differs.
sqlite3_vfs checked_over(sqlite3_vfs* below, const char* name) {
  sqlite3_vfs vfs{};
  vfs.iVersion = std::min(below->iVersion, 2);
  vfs.szOsFile = static_cast<int>(sizeof(File)) + below->szOsFile;
  vfs.mxPathname = below->mxPathname;
  vfs.zName = name;
  vfs.pAppData = below;
  vfs.xOpen = open;
  vfs.xDelete = [](sqlite3_vfs* v, const char* path, int sync) { return under(v)->xDelete(under(v), path, sync); };
  vfs.xAccess = [](sqlite3_vfs* v, const char* path, int flags, int* out) {
    return under(v)->xAccess(under(v), path, flags, out);
  };
  vfs.xFullPathname = [](sqlite3_vfs* v, const char* path, int size, char* out) {
    return under(v)->xFullPathname(under(v), path, size, out);
  };
  vfs.xDlOpen = [](sqlite3_vfs* v, const char* path) { return under(v)->xDlOpen(under(v), path); };
  vfs.xDlError = [](sqlite3_vfs* v, int size, char* out) { under(v)->xDlError(under(v), size, out); };
  vfs.xDlSym = [](sqlite3_vfs* v, void* library, const char* symbol) {
    return under(v)->xDlSym(under(v), library, symbol);
  };
  vfs.xDlClose = [](sqlite3_vfs* v, void* library) { under(v)->xDlClose(under(v), library); };
  vfs.xRandomness = [](sqlite3_vfs* v, int size, char* out) { return under(v)->xRandomness(under(v), size, out); };
  vfs.xSleep = [](sqlite3_vfs* v, int microseconds) { return under(v)->xSleep(under(v), microseconds); };
  vfs.xCurrentTime = [](sqlite3_vfs* v, double* out) { return under(v)->xCurrentTime(under(v), out); };
  vfs.xGetLastError = [](sqlite3_vfs* v, int size, char* out) { return under(v)->xGetLastError(under(v), size, out); };
  vfs.xCurrentTimeInt64 = [](sqlite3_vfs* v, sqlite3_int64* out) { return under(v)->xCurrentTimeInt64(under(v), out); };
  return vfs;
}

struct Registered {
  std::string name;
  sqlite3_vfs vfs;
};

}  // namespace

PageChecksum page_checksum(std::uint32_t number, Page page) {
  // Four lanes, because one multiplication waits for the one before; three words are left over for the end.
  std::uint64_t lanes[4] = {number, ~std::uint64_t{number}, 0x243f6a8885a308d3u, 0x13198a2e03707344u};
  for (std::size_t i = 0; i + 4 <= kWords; i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) lanes[lane] = mixed(lanes[lane], word_at(&page[8 * (i + lane)]));
  }
  std::uint64_t sum = mixed(number, kWords);
  for (const std::uint64_t lane : lanes) sum = mixed(sum, lane);
  for (std::size_t i = kWords - kWords % 4; i < kWords; ++i) sum = mixed(sum, word_at(&page[8 * i]));
  sum ^= sum >> 29;
  PageChecksum bytes;
  for (std::size_t i = 0; i < kChecksumBytes; ++i) bytes[i] = static_cast<std::uint8_t>(sum >> (8 * i));
  return bytes;
}

const char* checked_vfs_name(std::string_view underlying) {
  static std::mutex guard;
  static auto& all = *new std::map<std::string, std::unique_ptr<Registered>, std::less<>>;  // SQLite keeps pointers
  const std::lock_guard lock(guard);
  const auto known = all.find(underlying);
  if (known != all.end()) return known->second->name.c_str();
  const std::string below_name(underlying);
  sqlite3_vfs* below = sqlite3_vfs_find(underlying.empty() ? nullptr : below_name.c_str());
  if (below == nullptr) {
    throw Error{Code::bad_argument, fmt::format("there is no SQLite VFS named \"{}\"", underlying),
                "register it first, or leave the name out for the default one"};
  }
  auto made = std::make_unique<Registered>();
  made->name = underlying.empty() ? "dither-checked" : fmt::format("dither-checked-{}", underlying);
  made->vfs = checked_over(below, made->name.c_str());
  sqlite3_vfs_register(&made->vfs, /*makeDflt=*/0);
  return all.emplace(below_name, std::move(made)).first->second->name.c_str();
}

void reserve_page_bytes(sqlite3* database) {
  int bytes = static_cast<int>(kChecksumBytes);
  sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
}

}  // namespace dither::ledger::detail
