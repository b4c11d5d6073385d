#include "testing/power_loss.h"

#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <vector>

namespace dither::testing {
namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};

struct Handle;

// The connections that have one file open, and the memory they share.
struct Sharing {
  std::set<const Handle*> handles;
  std::vector<std::unique_ptr<std::uint64_t[]>> regions;
};

struct Handle {
  std::shared_ptr<Inode> file;
  std::shared_ptr<Sharing> sharing;
  std::uint64_t boot;           // of the machine when this was opened
  std::string delete_on_close;  // a name, or nothing
  bool is_named;                // a temporary file has no name and is not counted
  bool names_unsynced;          // a new journal or log: its first sync syncs the names
  int lock = SQLITE_LOCK_NONE;  // SQLite's five levels
  bool maps = false;            // takes part in the shared memory
  unsigned shared_slots = 0;    // of the shared memory's locks, one bit each
  unsigned exclusive_slots = 0;
};

}  // namespace

struct PowerLoss::Machine {
  sqlite3_vfs vfs{};
  std::string name;
  mutable std::mutex guard;
  CrashDisk disk;
  std::map<const Inode*, std::weak_ptr<Sharing>> sharings;
  std::uint64_t boot = 0;
  bool off = false;
  std::uint64_t syncs = 0;
  std::uint64_t writes = 0;
  std::uint64_t last_sync = kNever;  // the one at which power fails
  std::uint64_t last_write = kNever;
  std::uint64_t full_from = kNever;  // the writes that find the disk full
  std::uint64_t full_to = kNever;

  bool dead(const Handle& handle) const { return off || handle.boot != boot; }
  // One more sync; false when power fails at it.
  bool counts_sync() {
    off = off || ++syncs == last_sync;
    return !off;
  }
  std::shared_ptr<Sharing> sharing_of(const Inode* file) {
    std::shared_ptr<Sharing> shared = sharings[file].lock();
    if (shared == nullptr) sharings[file] = shared = std::make_shared<Sharing>();
    return shared;
  }
};

namespace {

using Machine = PowerLoss::Machine;

struct File {
  sqlite3_file base;
  Machine* machine;
  Handle* handle;
};

File& as_file(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }

// Runs `act(machine, handle)` alone, unless power is off.
template <class Act>
int alive(sqlite3_file* file, Act&& act) {
  auto [base, machine, handle] = as_file(file);
  const std::lock_guard lock(machine->guard);
  return machine->dead(*handle) ? SQLITE_IOERR : act(*machine, *handle);
}

template <class Act>
bool any_other(const Handle& self, Act&& act) {
  return std::any_of(self.sharing->handles.begin(), self.sharing->handles.end(),
                     [&](const Handle* other) { return other != &self && act(*other); });
}

int read(sqlite3_file* file, void* buffer, int count, sqlite3_int64 offset) {
  return alive(file, [&](Machine&, Handle& handle) {
    const std::string& bytes = handle.file->seen;
    const auto wanted = static_cast<std::size_t>(count);
    const std::size_t from = std::min(bytes.size(), static_cast<std::size_t>(offset));
    const std::size_t got = std::min(wanted, bytes.size() - from);
    std::memcpy(buffer, bytes.data() + from, got);
    std::memset(static_cast<char*>(buffer) + got, 0, wanted - got);
    return got == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
  });
}

int write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
  return alive(file, [&](Machine& machine, Handle& handle) {
    if (handle.is_named) {
      machine.off = ++machine.writes == machine.last_write;
      if (machine.off) return SQLITE_IOERR;
      if (machine.writes >= machine.full_from && machine.writes <= machine.full_to) return SQLITE_FULL;
    }
    CrashDisk::write(*handle.file, static_cast<std::size_t>(offset),
                     {static_cast<const char*>(bytes), static_cast<std::size_t>(count)});
    return SQLITE_OK;
  });
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  return alive(file, [&](Machine&, Handle& handle) {
    CrashDisk::resize(*handle.file, static_cast<std::size_t>(size));
    return SQLITE_OK;
  });
}

int sync(sqlite3_file* file, int) {
  return alive(file, [](Machine& machine, Handle& handle) {
    if (!machine.counts_sync()) return SQLITE_IOERR;
    CrashDisk::sync(*handle.file);
    if (!handle.names_unsynced) return SQLITE_OK;
    if (!machine.counts_sync()) return SQLITE_IOERR;
    machine.disk.sync_names();
    handle.names_unsynced = false;
    return SQLITE_OK;
  });
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return alive(file, [&](Machine&, Handle& handle) {
    *size = static_cast<sqlite3_int64>(handle.file->seen.size());
    return SQLITE_OK;
  });
}

int lock_file(sqlite3_file* file, int level) {
  return alive(file, [&](Machine&, Handle& handle) {
    if (level <= handle.lock) return SQLITE_OK;
    const auto other_has = [&](int at_least) {
      return any_other(handle, [&](const Handle& other) { return other.lock >= at_least; });
    };
    if (other_has(level == SQLITE_LOCK_SHARED ? SQLITE_LOCK_PENDING : SQLITE_LOCK_RESERVED)) return SQLITE_BUSY;
    if (level == SQLITE_LOCK_EXCLUSIVE && other_has(SQLITE_LOCK_SHARED)) {
      handle.lock = SQLITE_LOCK_PENDING;  // keeps new readers out until the old ones are gone
      return SQLITE_BUSY;
    }
    handle.lock = level;
    return SQLITE_OK;
  });
}

int unlock_file(sqlite3_file* file, int level) {
  return alive(file, [&](Machine&, Handle& handle) {
    handle.lock = std::min(handle.lock, level);
    return SQLITE_OK;
  });
}

int check_reserved(sqlite3_file* file, int* out) {
  return alive(file, [&](Machine&, Handle& handle) {
    const auto reserves = [](const Handle& other) { return other.lock >= SQLITE_LOCK_RESERVED; };
    *out = reserves(handle) || any_other(handle, reserves) ? 1 : 0;
    return SQLITE_OK;
  });
}

int map_shared(sqlite3_file* file, int region, int size, int extend, void volatile** at) {
  return alive(file, [&](Machine&, Handle& handle) {
    handle.maps = true;
    auto& regions = handle.sharing->regions;
    const auto wanted = static_cast<std::size_t>(region);
    while (extend != 0 && regions.size() <= wanted) {
      regions.push_back(std::make_unique<std::uint64_t[]>(static_cast<std::size_t>(size) / sizeof(std::uint64_t)));
    }
    *at = wanted < regions.size() ? regions[wanted].get() : nullptr;
    return SQLITE_OK;
  });
}

int lock_shared(sqlite3_file* file, int from, int count, int flags) {
  return alive(file, [&](Machine&, Handle& handle) {
    const unsigned slots = ((1u << count) - 1) << from;
    if ((flags & SQLITE_SHM_UNLOCK) != 0) {
      handle.shared_slots &= ~slots;
      handle.exclusive_slots &= ~slots;
      return SQLITE_OK;
    }
    const bool is_shared = (flags & SQLITE_SHM_SHARED) != 0;
    const bool is_taken = any_other(handle, [&](const Handle& other) {
      return ((other.exclusive_slots | (is_shared ? 0u : other.shared_slots)) & slots) != 0;
    });
    if (is_taken) return SQLITE_BUSY;
    (is_shared ? handle.shared_slots : handle.exclusive_slots) |= slots;
    return SQLITE_OK;
  });
}

void barrier(sqlite3_file* file) { const std::lock_guard lock(as_file(file).machine->guard); }

// The shared memory lives while anybody maps it, as after the last one the next starts with an empty one.
void unmap(Handle& handle) {
  handle.maps = false;
  handle.shared_slots = handle.exclusive_slots = 0;
  if (!any_other(handle, [](const Handle& other) { return other.maps; })) handle.sharing->regions.clear();
}

int unmap_shared(sqlite3_file* file, int) {
  const std::lock_guard lock(as_file(file).machine->guard);
  unmap(*as_file(file).handle);
  return SQLITE_OK;
}

int close(sqlite3_file* file) {
  auto [base, machine, raw] = as_file(file);
  const std::unique_ptr<Handle> handle(raw);
  const std::lock_guard lock(machine->guard);
  unmap(*handle);
  handle->sharing->handles.erase(raw);
  if (!handle->delete_on_close.empty() && !machine->dead(*handle)) machine->disk.remove(handle->delete_on_close);
  return SQLITE_OK;
}

const sqlite3_io_methods kMethods = {
    .iVersion = 2,
    .xClose = close,
    .xRead = read,
    .xWrite = write,
    .xTruncate = truncate,
    .xSync = sync,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_reserved,
    .xFileControl = [](sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; },
    .xSectorSize = [](sqlite3_file*) { return 4096; },
    .xDeviceCharacteristics = [](sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; },
    .xShmMap = map_shared,
    .xShmLock = lock_shared,
    .xShmBarrier = barrier,
    .xShmUnmap = unmap_shared,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

Machine& machine_of(sqlite3_vfs* vfs) { return *static_cast<Machine*>(vfs->pAppData); }

// The file to open, made where the flags ask for it; null when they do not.
std::shared_ptr<Inode> opened(Machine& machine, const char* name, int flags) {
  if (name == nullptr) return std::make_shared<Inode>();
  std::shared_ptr<Inode> file = machine.disk.find(name);
  if (file != nullptr && (flags & SQLITE_OPEN_EXCLUSIVE) != 0) return nullptr;
  return file == nullptr && (flags & SQLITE_OPEN_CREATE) != 0 ? machine.disk.create(name) : file;
}

int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* flags_out) {
  Machine& machine = machine_of(vfs);
  const std::lock_guard lock(machine.guard);
  file->pMethods = nullptr;
  if (machine.off) return SQLITE_IOERR;
  const std::shared_ptr<Inode> inode = opened(machine, name, flags);
  if (inode == nullptr) return SQLITE_CANTOPEN;
  const bool is_journal = (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL)) != 0;
  const bool deletes = name != nullptr && (flags & SQLITE_OPEN_DELETEONCLOSE) != 0;
  auto handle = std::make_unique<Handle>(Handle{.file = inode,
                                                .sharing = machine.sharing_of(inode.get()),
                                                .boot = machine.boot,
                                                .delete_on_close = deletes ? name : "",
                                                .is_named = name != nullptr,
                                                .names_unsynced = is_journal && (flags & SQLITE_OPEN_CREATE) != 0});
  handle->sharing->handles.insert(handle.get());
  as_file(file) = {{&kMethods}, &machine, handle.release()};
  if (flags_out != nullptr) *flags_out = flags;
  return SQLITE_OK;
}

int remove(sqlite3_vfs* vfs, const char* name, int sync_names) {
  Machine& machine = machine_of(vfs);
  const std::lock_guard lock(machine.guard);
  if (machine.off) return SQLITE_IOERR;
  if (machine.disk.find(name) == nullptr) return SQLITE_IOERR_DELETE_NOENT;
  machine.disk.remove(name);
  if (sync_names == 0) return SQLITE_OK;
  if (!machine.counts_sync()) return SQLITE_IOERR;
  machine.disk.sync_names();
  return SQLITE_OK;
}

int access(sqlite3_vfs* vfs, const char* name, int flags, int* out) {
  Machine& machine = machine_of(vfs);
  const std::lock_guard lock(machine.guard);
  if (machine.off) return SQLITE_IOERR;
  const std::shared_ptr<Inode> file = machine.disk.find(name);
  *out = file != nullptr && (flags != SQLITE_ACCESS_EXISTS || !file->seen.empty()) ? 1 : 0;  // empty: as "unix" has it
  return SQLITE_OK;
}

int full_path(sqlite3_vfs*, const char* path, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", path);
  return SQLITE_OK;
}

sqlite3_vfs vfs_of(Machine* machine) {
  const sqlite3_vfs* usual = sqlite3_vfs_find(nullptr);
  sqlite3_vfs vfs{};
  vfs.iVersion = 2;
  vfs.szOsFile = sizeof(File);
  vfs.mxPathname = usual->mxPathname;
  vfs.zName = machine->name.c_str();
  vfs.pAppData = machine;
  vfs.xOpen = open;
  vfs.xDelete = remove;
  vfs.xAccess = access;
  vfs.xFullPathname = full_path;
  // What has nothing to do with files is the usual one's, which keeps nothing in the object it is given.
  vfs.xDlOpen = usual->xDlOpen;
  vfs.xDlError = usual->xDlError;
  vfs.xDlSym = usual->xDlSym;
  vfs.xDlClose = usual->xDlClose;
  vfs.xRandomness = usual->xRandomness;
  vfs.xSleep = usual->xSleep;
  vfs.xCurrentTime = usual->xCurrentTime;
  vfs.xGetLastError = [](sqlite3_vfs*, int, char*) { return 0; };
  vfs.xCurrentTimeInt64 = usual->xCurrentTimeInt64;
  return vfs;
}

}  // namespace

PowerLoss::PowerLoss() : machine_(std::make_unique<Machine>()) {
  static std::atomic<int> count{0};
  machine_->name = "power-loss-" + std::to_string(++count);
  sqlite3_initialize();
  machine_->vfs = vfs_of(machine_.get());
  sqlite3_vfs_register(&machine_->vfs, /*makeDflt=*/0);
}

PowerLoss::~PowerLoss() { sqlite3_vfs_unregister(&machine_->vfs); }

const char* PowerLoss::vfs_name() const { return machine_->name.c_str(); }

void PowerLoss::fail_at_sync(std::uint64_t n) {
  const std::lock_guard lock(machine_->guard);
  machine_->last_sync = n;
}

void PowerLoss::fail_at_write(std::uint64_t n) {
  const std::lock_guard lock(machine_->guard);
  machine_->last_write = n;
}

void PowerLoss::fill_at_write(std::uint64_t n, bool lasting) {
  const std::lock_guard lock(machine_->guard);
  machine_->full_from = n;
  machine_->full_to = lasting ? kNever : n;
}

void PowerLoss::fail_now() {
  const std::lock_guard lock(machine_->guard);
  machine_->off = true;
}

bool PowerLoss::has_failed() const {
  const std::lock_guard lock(machine_->guard);
  return machine_->off;
}

std::uint64_t PowerLoss::syncs() const {
  const std::lock_guard lock(machine_->guard);
  return machine_->syncs;
}

std::uint64_t PowerLoss::writes() const {
  const std::lock_guard lock(machine_->guard);
  return machine_->writes;
}

Images PowerLoss::now() const {
  const std::lock_guard lock(machine_->guard);
  return machine_->disk.now();
}

Images PowerLoss::after_crash(Survival survival, std::uint64_t seed) const {
  const std::lock_guard lock(machine_->guard);
  return machine_->disk.after_crash(survival, seed);
}

void PowerLoss::restart(const Images& images) {
  const std::lock_guard lock(machine_->guard);
  machine_->disk.replace(images);
  ++machine_->boot;
  machine_->off = false;
  machine_->syncs = machine_->writes = 0;
  machine_->last_sync = machine_->last_write = machine_->full_from = machine_->full_to = kNever;
}

}  // namespace dither::testing
