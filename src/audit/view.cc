#include "audit/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/error.h"
#include "calculus/metric.h"
#include "random/source.h"

namespace dither::audit {

namespace {

using calculus::Answers;
using calculus::Data;
using calculus::Integers;
using calculus::Keyed;
using calculus::Private;
using calculus::Reals;

constexpr int kFirstReleases = 64;     // of each input, to see which keys there are
constexpr std::size_t kAtOnce = 1024;  // coordinates of one release that are runs

// What answers look like: the same for every release but for the keys.
struct Layout {
  enum class Kind { numbers, keyed, several };
  Kind kind = Kind::numbers;
  std::size_t width = 0;  // of numbers
  Integers origins;       // subtracted from integers: public, so that those beyond 53 bits are told apart
  std::map<std::string, std::size_t> keys;
  std::vector<Layout> parts;
  mutable Words words;  // of errors

  std::size_t columns() const {
    if (kind == Kind::numbers) return width;
    if (kind == Kind::keyed) return keys.size() + 1;
    std::size_t sum = 0;
    for (const Layout& part : parts) sum += part.columns();
    return sum;
  }

  // Makes room for what this answer has.
  void widen(const Data& data) {
    if (const auto* several = std::get_if<Answers>(&data)) {
      kind = Kind::several;
      parts.resize(std::max(parts.size(), several->parts.size()));
      for (std::size_t i = 0; i < several->parts.size(); ++i) parts[i].widen(several->parts[i].data);
    } else if (const auto* keyed = std::get_if<Keyed>(&data)) {
      kind = Kind::keyed;
      for (const std::string& key : keyed->keys) keys.try_emplace(key, 0);
      std::size_t place = 0;
      for (auto& entry : keys) entry.second = place++;
    } else if (const auto* whole = std::get_if<Integers>(&data)) {
      constexpr Int128 kExact = Int128{1} << 52;
      width = std::max(width, whole->size());
      for (std::size_t i = origins.size(); i < whole->size(); ++i) {
        const Int128 x = (*whole)[i];
        origins.push_back(x > -kExact && x < kExact ? 0 : x);
      }
    } else {
      width = std::max(width, calculus::as<Reals>(data).size());
    }
  }

  // Cells of one run; what does not fit is left out, which is post-processing.
  void write(const Data& data, std::span<double> cells) const {
    if (const auto* several = std::get_if<Answers>(&data)) {
      for (std::size_t i = 0; i < std::min(parts.size(), several->parts.size()); ++i) {
        const std::size_t size = parts[i].columns();
        parts[i].write(several->parts[i].data, cells.first(size));
        cells = cells.subspan(size);
      }
    } else if (const auto* keyed = std::get_if<Keyed>(&data)) {
      write_keys(*keyed, cells);
    } else if (const auto* whole = std::get_if<Integers>(&data)) {
      for (std::size_t i = 0; i < std::min(width, whole->size()); ++i) {
        cells[i] = static_cast<double>(sub_saturating((*whole)[i], origins[i]));
      }
    } else if (const auto* reals = std::get_if<Reals>(&data)) {
      std::copy_n(reals->begin(), std::min(width, reals->size()), cells.begin());
    }
  }

 private:
  void write_keys(const Keyed& keyed, std::span<double> cells) const {
    std::size_t others = 0;
    for (std::size_t i = 0; i < keyed.keys.size(); ++i) {
      const auto found = keys.find(keyed.keys[i]);
      if (found == keys.end()) {
        ++others;
      } else {
        cells[found->second] = static_cast<double>(keyed.values[i]);
      }
    }
    cells[keys.size()] = static_cast<double>(others);
  }
};

// The last column is the text of an error, or 0.
void write_answer(const View& view, const Layout& layout, const Private& data, std::span<double> cells,
                  random::Source& source) {
  cells.back() = 0;
  try {
    layout.write(view.ask(data, source), cells.first(cells.size() - 1));
  } catch (const Error& error) {
    cells.back() = layout.words.code(error.str());
  }
}

Draw one_by_one(const std::shared_ptr<const View>& view, const std::shared_ptr<const Layout>& layout,
                const Data& data) {
  return [view, layout, data = Private(data)](Outputs& out, std::int64_t runs, random::Source& source) {
    const std::span<double> cells = out.add(runs);
    const std::size_t width = out.width();
    for (std::int64_t run = 0; run < runs; ++run) {
      write_answer(*view, *layout, data, cells.subspan(static_cast<std::size_t>(run) * width, width), source);
    }
  };
}

Draw by_coordinates(const std::shared_ptr<const View>& view, const Data& data) {
  const Int128 exact = calculus::as<Integers>(data).at(0);
  return
      [view, exact, many = Private(Integers(kAtOnce, exact))](Outputs& out, std::int64_t runs, random::Source& source) {
        std::span<double> cells = out.add(runs);
        while (!cells.empty()) {
          const std::size_t some = std::min(kAtOnce, cells.size());
          const Data answer = view->ask(some == kAtOnce ? many : Private(Integers(some, exact)), source);
          const auto& noisy = calculus::as<Integers>(answer);
          for (std::size_t i = 0; i < some; ++i) cells[i] = static_cast<double>(noisy[i]);
          cells = cells.subspan(some);
        }
      };
}

Layout layout_of(const View& view) {
  Layout layout;
  for (const DataPair& pair : view.pairs) {
    for (const Data* data : {&pair.x, &pair.y}) {
      const Private inside(*data);
      for (int i = 0; i < kFirstReleases; ++i) {
        try {
          layout.widen(view.ask(inside, random::Source::this_thread()));
        } catch (const Error&) {  // an answer like any other: the last column
        }
      }
    }
  }
  return layout;
}

}  // namespace

View view_of(std::string name, const calculus::AnyMeasurement& measurement, const calculus::Distance& d,
             std::vector<DataPair> pairs) {
  for (const DataPair& pair : pairs) {
    const auto there = calculus::distance(measurement.from(), pair.x, pair.y);
    const auto back = calculus::distance(measurement.from(), pair.y, pair.x);
    if (there && back && calculus::at_most(*there, d) && calculus::at_most(*back, d)) continue;
    throw Error(Code::bad_distance, fmt::format("{}: {} and {} are no neighbours", name, pair.first, pair.second),
                "give inputs within the distance that the promise is for");
  }
  return {
      std::move(name), Promise::of(measurement.loss(d)), std::move(pairs),
      [measurement](const Private& data, random::Source& source) { return measurement.release(data, source).value(); }};
}

Target target_of(const View& view) {
  const auto shared = std::make_shared<const View>(view);
  Target target{view.name, view.promise, {}, {}};
  if (view.coordinates_are_runs) {
    target.shape = {Reading::number};
    for (const DataPair& pair : view.pairs) {
      target.pairs.push_back({pair.first, pair.second, by_coordinates(shared, pair.x), by_coordinates(shared, pair.y)});
    }
    return target;
  }
  const auto layout = std::make_shared<const Layout>(layout_of(view));
  target.shape.assign(layout->columns(), Reading::number);
  target.shape.push_back(Reading::word);
  target.words = layout->words;
  for (const DataPair& pair : view.pairs) {
    target.pairs.push_back(
        {pair.first, pair.second, one_by_one(shared, layout, pair.x), one_by_one(shared, layout, pair.y)});
  }
  return target;
}

}  // namespace dither::audit
