#include "testing/crash_disk.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace dither::testing {
namespace {

constexpr std::size_t kSector = 512;
using Dice = std::mt19937_64;

std::size_t roll(Dice& dice, std::size_t sides) { return dice() % sides; }

void put(std::string& image, std::size_t offset, std::string_view bytes) {
  if (image.size() < offset + bytes.size()) image.resize(offset + bytes.size());
  image.replace(offset, bytes.size(), bytes);
}

void carry_out(std::string& image, const Change& change) {
  if (change.bytes.empty()) {
    image.resize(change.offset);
  } else {
    put(image, change.offset, change.bytes);
  }
}

// Some sectors of a write arrive: those before a point, those after it, or any.
void tear(std::string& image, const Change& change, Dice& dice) {
  const std::size_t end = change.offset + change.bytes.size();
  const std::size_t first = change.offset / kSector;
  const std::size_t sectors = (end + kSector - 1) / kSector - first;
  const std::size_t way = roll(dice, 3);
  const std::size_t point = roll(dice, sectors + 1);
  if (roll(dice, 2) == 0 && image.size() < end) image.resize(end);
  for (std::size_t i = 0; i < sectors; ++i) {
    const bool arrives = way == 0 ? i < point : way == 1 ? i >= point : roll(dice, 2) == 0;
    if (!arrives) continue;
    const std::size_t from = std::max(change.offset, (first + i) * kSector);
    const std::size_t to = std::min(end, (first + i + 1) * kSector);
    put(image, from, std::string_view(change.bytes).substr(from - change.offset, to - from));
  }
}

enum class Fate { lost, kept, torn };

Survival chosen(Survival survival, Dice& dice) {
  if (survival != Survival::random) return survival;
  const std::size_t way = roll(dice, 8);
  return way < 4 ? static_cast<Survival>(way) : Survival::random;
}

// The fate of each of `count` changes in a row.
std::vector<Fate> fates(std::size_t count, Survival survival, Dice& dice) {
  const Survival way = chosen(survival, dice);
  std::vector<Fate> all(count, way == Survival::keep_all || way == Survival::drop_first ? Fate::kept : Fate::lost);
  if (count == 0) return all;
  if (way == Survival::drop_first) all.front() = Fate::lost;
  if (way == Survival::keep_last) all.back() = Fate::kept;
  if (way == Survival::random) {
    for (Fate& fate : all) fate = static_cast<Fate>(roll(dice, 3));
  }
  return all;
}

std::string crashed(const Inode& file, Survival survival, Dice& dice) {
  std::string image = file.synced;
  const std::vector<Fate> fate = fates(file.pending.size(), survival, dice);
  for (std::size_t i = 0; i < fate.size(); ++i) {
    const Change& change = file.pending[i];
    if (fate[i] == Fate::kept || (fate[i] == Fate::torn && change.bytes.empty())) carry_out(image, change);
    if (fate[i] == Fate::torn && !change.bytes.empty()) tear(image, change, dice);
  }
  return image;
}

}  // namespace

std::shared_ptr<Inode> CrashDisk::find(const std::string& name) const {
  const auto found = seen_.find(name);
  return found == seen_.end() ? nullptr : found->second;
}

std::shared_ptr<Inode> CrashDisk::create(const std::string& name) {
  auto file = std::make_shared<Inode>();
  seen_[name] = file;
  pending_.push_back({name, file});
  return file;
}

void CrashDisk::remove(const std::string& name) {
  seen_.erase(name);
  pending_.push_back({name, nullptr});
}

void CrashDisk::sync_names() {
  synced_ = seen_;
  pending_.clear();
}

void CrashDisk::write(Inode& file, std::size_t offset, std::string_view bytes) {
  file.pending.push_back({offset, std::string(bytes)});
  carry_out(file.seen, file.pending.back());
}

void CrashDisk::resize(Inode& file, std::size_t size) {
  file.pending.push_back({size, {}});
  carry_out(file.seen, file.pending.back());
}

void CrashDisk::sync(Inode& file) {
  file.synced = file.seen;
  file.pending.clear();
}

Images CrashDisk::now() const {
  Images images;
  for (const auto& [name, file] : seen_) images[name] = file->seen;
  return images;
}

Images CrashDisk::after_crash(Survival survival, std::uint64_t seed) const {
  Dice dice(seed);
  Names names = synced_;
  const std::vector<Fate> fate = fates(pending_.size(), survival, dice);
  for (std::size_t i = 0; i < fate.size(); ++i) {
    if (fate[i] == Fate::lost || (fate[i] == Fate::torn && roll(dice, 2) == 0)) continue;
    if (pending_[i].file == nullptr) {
      names.erase(pending_[i].name);
    } else {
      names[pending_[i].name] = pending_[i].file;
    }
  }
  Images images;
  for (const auto& [name, file] : names) images[name] = crashed(*file, survival, dice);
  return images;
}

void CrashDisk::replace(const Images& images) {
  seen_.clear();
  for (const auto& [name, bytes] : images) seen_[name] = std::make_shared<Inode>(Inode{bytes, bytes, {}});
  sync_names();
}

void save_images(const Images& images, const std::filesystem::path& folder) {
  for (const auto& [name, bytes] : images) {
    std::ofstream(folder / std::filesystem::path(name).filename(), std::ios::binary) << bytes;
  }
}

Images load_images(const std::filesystem::path& folder) {
  Images images;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    images[entry.path().string()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return images;
}

}  // namespace dither::testing
