#include "engine/detail/bounding_fold.h"

#include <algorithm>
#include <bit>

#include "engine/detail/bounding_contributions.h"
#include "engine/detail/bounding_few_keys.h"
#include "engine/detail/bounding_many_keys.h"
#include "engine/detail/bounding_mix.h"
#include "engine/detail/bounding_units.h"

namespace dither::engine::detail {

namespace {

constexpr std::size_t kSlice = std::size_t{1} << 18;  // bytes that are read from the file at once
constexpr unsigned kSplitBits = 3;  // of hashes, by which the units of too large a partition are split
constexpr unsigned kMostBits = 21;
constexpr std::size_t kBlock = 1024;  // records between looks whether tables are large enough

// What a unit has of a key so far, of rows that are not kept any more.
template <unsigned Words>
struct Partials {
  std::vector<Unit<Words>> units;
  std::vector<std::uint32_t> codes;
  std::vector<std::uint64_t> digests;  // of the keys, where the records have them
  std::vector<Int128> sums;
  std::vector<bool> drops;  // whether the unit had keys that are gone
};

template <unsigned Words>
class FolderOf : public Folder {
 public:
  explicit FolderOf(const FoldPlan& plan)
      : plan_(plan),
        layout_(plan.layout),
        table_(scattered(plan.odd_factor, plan.odd_factor) | 1),
        of_partition_(plan.books),
        keys_(plan.keys != nullptr ? *plan.keys : of_partition_),
        few_(keys_.data(), plan.most_keys),
        many_(keys_, plan.most_keys),
        is_few_(plan.keys != nullptr && keys_.codes() <= kFewKeys && (plan.most_keys == 0 || keys_.differ())),
        sums_(layout_, plan.missing, plan.rows),
        contributions_(layout_, sums_, keys_, plan.rows),
        totals_(0, layout_.outputs.size()) {}

  void fold(const Partition& partition, const FoldTarget& target) override {
    std::uint64_t bytes = 0;
    for (const Batch& batch : partition) bytes += batch.records() * bytes_of(batch.wide);
    if (bytes > plan_.budget) return fold_share(partition, {0, 0}, target);
    fold_at_once(partition);
    emit(target);
  }

 private:
  std::uint64_t bytes_of(bool wide) const { return layout_.words(wide) * sizeof(std::uint64_t); }

  void fold_at_once(const Partition& partition) {
    runs_.clear();
    std::size_t words = 0;
    for (const Batch& batch : partition) {
      if (batch.piece.words == nullptr) words += batch.extent.records * layout_.words(batch.wide);
    }
    if (buffer_.size() < words) buffer_.resize(words);
    std::uint64_t* at = buffer_.data();
    for (const Batch& batch : partition) {
      if (batch.piece.words != nullptr) {
        runs_.push_back({batch.piece.words, batch.piece.records, batch.wide});
        continue;
      }
      const std::uint64_t size = batch.extent.records * bytes_of(batch.wide);
      plan_.file.read(batch.extent.place, at, size);
      runs_.push_back({at, batch.extent.records, batch.wide});
      at += size / sizeof(std::uint64_t);
    }
    add_up();
  }

  // The units of a partition whose hashes go on with these bits.
  struct Share {
    unsigned bits;
    std::uint64_t prefix;
  };

  // A partition that is too large is read piece by piece, and rows become partial sums as soon as there are too many. Where these are
  // too many as well, its units are taken a share at a time, by more bits of their hashes.
  void fold_share(const Partition& partition, Share share, const FoldTarget& target) {
    const bool may_split = share.bits < kMostBits;
    std::uint64_t room = plan_.budget;
    bool too_many = false;
    for (const Batch& batch : partition) {
      each_slice(batch, [&](const Run& slice) {
        plan_.check();
        if (too_many) return;
        select(slice, share);
        if ((narrow_.size() + wide_.size()) * sizeof(std::uint64_t) < room) return;
        compact();
        const std::uint64_t bytes = partials_.sums.size() * sizeof(Int128);
        too_many = may_split && 2 * bytes > plan_.budget;
        room = std::max(room, 2 * bytes);  // of one unit alone: more memory is the only way
      });
    }
    if (!too_many) {
      add_up_selected();
      emit(target);
    }
    narrow_ = wide_ = {};
    partials_ = {};
    for (std::uint64_t i = 0; too_many && i >> kSplitBits == 0; ++i) {
      fold_share(partition, {share.bits + kSplitBits, share.prefix << kSplitBits | i}, target);
    }
  }

  template <class Use>
  void each_slice(const Batch& batch, const Use& use) {
    const std::size_t most = kSlice / bytes_of(batch.wide);
    for (std::size_t begin = 0; begin < batch.records(); begin += most) {
      const std::size_t records = std::min(most, batch.records() - begin);
      const std::uint64_t* words = batch.piece.words + begin * layout_.words(batch.wide);
      if (batch.piece.words == nullptr) {
        buffer_.resize(std::max(buffer_.size(), records * layout_.words(batch.wide)));
        plan_.file.read(batch.extent.place + begin * bytes_of(batch.wide), buffer_.data(),
                        records * bytes_of(batch.wide));
        words = buffer_.data();
      }
      use(Run{words, records, batch.wide});
    }
  }

  void select(const Run& run, const Share& share) {
    std::vector<std::uint64_t>& out = run.wide ? wide_ : narrow_;
    const unsigned words = layout_.words(run.wide);
    each_record(run, [&](const std::uint64_t* record, const Unit<Words>& unit, std::uint32_t) {
      const std::uint64_t bits = share.bits == 0 ? 0 : hash(unit) << kPartitionBits >> (64 - share.bits);
      if (bits == share.prefix) out.insert(out.end(), record, record + words);
    });
  }

  void add_up_selected() {
    runs_.clear();
    runs_.push_back({narrow_.data(), narrow_.size() / layout_.words(false), false});
    runs_.push_back({wide_.data(), wide_.size() / layout_.words(true), true});
    add_up();
    narrow_.clear();
    wide_.clear();
  }

  void compact() {
    add_up_selected();
    Partials<Words> next;
    next.sums.resize((kept_.slots() - kNowhere) * sums_.numbers());
    Int128* sums = next.sums.data();
    for (std::uint32_t slot = kNowhere; slot < kept_.slots(); ++slot, sums += sums_.numbers()) {
      next.units.push_back(table_.unit(kept_.data()[slot].unit));
      const std::uint32_t code = kept_.data()[slot].code;
      next.codes.push_back(keys_.original(code));
      if (layout_.with_digest) next.digests.push_back(keys_.data()[code]);
      next.drops.push_back(kept_.drops(kept_.data()[slot].unit));
      sums_.give(slot, sums);
    }
    partials_ = std::move(next);
  }

  std::uint64_t hash(const Unit<Words>& unit) const { return scattered(unit.spreading(), plan_.odd_factor); }

  template <class Use>
  void each_record(const Run& run, const Use& use) const {
    const std::uint64_t* record = run.words;
    const unsigned words = layout_.words(run.wide);
    if (run.wide) {
      for (std::size_t i = 0; i < run.records; ++i, record += words) {
        Unit<Words> unit;
        std::copy_n(record, Words, unit.words);
        use(record, unit, static_cast<std::uint32_t>(record[Words] >> layout_.code_shift));
      }
      return;
    }
    if constexpr (Words == 1) {
      const unsigned shift = layout_.unit_shift();
      const std::uint64_t mask = (std::uint64_t{1} << layout_.code_bits) - 1;
      for (std::size_t i = 0; i < run.records; ++i, record += words) {
        const Unit<1> unit{{static_cast<std::uint64_t>(static_cast<std::int64_t>(record[0]) >> shift)}};
        use(record, unit, static_cast<std::uint32_t>(record[0] >> layout_.code_shift & mask));
      }
    }
  }

  // Chooses keys and adds up what is in runs_ and partials_.
  void add_up() {
    plan_.check();
    items_ = partials_.units.size();
    for (const Run& run : runs_) items_ += run.records;
    if (units_.size() < items_) units_.resize(items_);
    if (slots_.size() < items_) slots_.resize(items_);
    table_.clear();
    if (is_few_)
      choose_few();
    else
      choose_many();
    note_earlier_drops();
    sums_.start(kept_.slots());
    sums_.add(runs_, slots_.data());
    const std::uint32_t* slot = slots_.data() + items_ - partials_.units.size();
    for (std::size_t i = 0; i < partials_.units.size(); ++i) sums_.add(&partials_.sums[i * sums_.numbers()], *slot++);
  }

  // Of keys that are gone since their rows became partial sums.
  void note_earlier_drops() {
    const std::uint32_t* units = units_.data() + items_ - partials_.units.size();
    for (std::size_t i = 0; i < partials_.units.size(); ++i) {
      if (partials_.drops[i]) kept_.note_drops(units[i]);
    }
  }

  // Numbers the units of all items, rows first, and calls `meet` with each and its code.
  template <class Room, class Meet>
  void number_units(const Room& make_room, const Meet& meet) {
    std::uint32_t* out = units_.data();
    for (const Run& run : runs_) {
      for (std::size_t begin = 0; begin < run.records; begin += kBlock) {
        const Run block{run.words + begin * layout_.words(run.wide), std::min(kBlock, run.records - begin), run.wide};
        table_.make_room(block.records);
        make_room(table_.count() + block.records);
        each_record(block, [&](const std::uint64_t* record, const Unit<Words>& unit, std::uint32_t code) {
          const std::uint32_t number = table_.number(unit);
          *out++ = number;
          meet(number, code, record + layout_.words(run.wide) - 1);
        });
      }
    }
    table_.make_room(partials_.units.size());
    make_room(table_.count() + partials_.units.size());
    for (std::size_t i = 0; i < partials_.units.size(); ++i) {
      *out = table_.number(partials_.units[i]);
      meet(*out++, partials_.codes[i], layout_.with_digest ? &partials_.digests[i] : nullptr);
    }
  }

  Digests digests() const {
    return [this](std::span<const std::uint32_t> units, std::uint64_t* out) {
      for (const std::uint32_t unit : units) {
        *out++ = layout_.row_is_unit ? 1 : digest_of(table_.unit(unit), layout_.unit);
      }
    };
  }

  void choose_few() {
    number_units([&](std::size_t units) { few_.make_room(units); },
                 [&](std::uint32_t unit, std::uint32_t code, const std::uint64_t*) { few_.meet(unit, code); });
    few_.choose(table_.count(), digests(), kept_);
    std::size_t at = 0;
    for (const Run& run : runs_) {
      const std::uint64_t mask = run.wide ? ~std::uint64_t{0} : (std::uint64_t{1} << layout_.code_bits) - 1;
      few_.find_slots(run.words + (run.wide ? Words : 0), layout_.words(run.wide), layout_.code_shift, mask,
                      std::span(units_).subspan(at, run.records), slots_.data() + at);
      at += run.records;
    }
    for (std::size_t i = 0; i < partials_.units.size(); ++i, ++at) {
      slots_[at] = few_.slot(units_[at], partials_.codes[i]);
    }
    few_.clear(table_.count());
  }

  void choose_many() {
    if (codes_.size() < items_) codes_.resize(items_);
    std::uint32_t* out = codes_.data();
    key_digests_.clear();
    const bool with_digest = layout_.with_digest;
    number_units([](std::size_t) {},
                 [&](std::uint32_t, std::uint32_t code, const std::uint64_t* digest) {
                   *out++ = code;
                   if (with_digest) key_digests_.push_back(*digest);
                 });
    if (plan_.keys == nullptr) of_partition_.renumber(std::span(codes_).first(items_), key_digests_);
    many_.choose(std::span(units_).first(items_), std::span(codes_).first(items_), table_.count(), digests(), kept_,
                 slots_.data());
  }

  void emit(const FoldTarget& target) {
    if (target.file == nullptr) {
      const std::unique_lock held =
          target.lock == nullptr ? std::unique_lock<std::mutex>() : std::unique_lock(*target.lock);
      return contributions_.add(kept_, digests(), *target.totals);
    }
    totals_.start(of_partition_.codes());
    contributions_.add(kept_, digests(), totals_);
    for (std::uint32_t code = 0; code < totals_.codes(); ++code) {
      target.file->add(of_partition_.original(code), totals_.of(code));
    }
  }

  const FoldPlan& plan_;
  const Layout& layout_;
  UnitTable<Words> table_;
  KeyDigests of_partition_;
  const KeyDigests& keys_;
  FewKeys few_;
  ManyKeys many_;
  bool is_few_;
  KeptKeys kept_;
  Sums sums_;
  Contributions contributions_;
  Totals totals_;  // of the partition
  std::vector<Run> runs_;
  Partials<Words> partials_;
  std::size_t items_ = 0;                             // rows and partials
  std::vector<std::uint32_t> units_, codes_, slots_;  // of items
  std::vector<std::uint64_t> key_digests_;            // of items
  std::vector<std::uint64_t> buffer_;                 // read from the file
  std::vector<std::uint64_t> narrow_, wide_;          // of a pass
};

}  // namespace

std::unique_ptr<Folder> make_folder(const FoldPlan& plan) {
  if (plan.layout.unit == UnitKind::text) return std::make_unique<FolderOf<2>>(plan);
  return std::make_unique<FolderOf<1>>(plan);
}

}  // namespace dither::engine::detail
