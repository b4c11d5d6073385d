// Releases of arrays, tables and numbers by key. All drawing is done without the interpreter's lock.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "calculus/count_values.h"
#include "interruptible.h"
#include "mechanisms.h"
#include "mechanisms/release.h"
#include "unlocked.h"

namespace dither::python {

namespace nb = nanobind;
using namespace calculus;  // NOLINT: bindings are written in the words of the calculus

// A chain that counts a column first: the categories (and edges before them), and the mechanism for the counts.
struct CountFirst {
  std::vector<Rational> edges;
  std::vector<std::int64_t> categories;
  bool other;
  AnyMeasurement rest;
};

namespace {

using Longs = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Data unlocked_release(const AnyMeasurement& measurement, const Private& data) {
  const Unlocked unlocked;
  return mechanisms::release(measurement, data).value();
}

template <class T>
nb::object owned_array(std::unique_ptr<T[]> values, std::size_t size) {
  T* data = values.release();
  const nb::capsule owner(data, [](void* at) noexcept { delete[] static_cast<T*>(at); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner));
}

// Without the interpreter's lock; Ctrl-C stops it between two pieces.
template <class Carrier, class From, class To, class Convert>
void through_pieces(const mechanisms::InPieces& pieces, const From* in, std::size_t size, To* out, Convert convert) {
  const auto work = [&](const CancelToken& token) {
    const auto exact = [&](std::size_t begin, std::size_t end) {
      token.check();
      return Data(Carrier(in + begin, in + end));
    };
    pieces.release(size, exact, [&](std::size_t begin, const Integers& noisy) {
      std::transform(noisy.begin(), noisy.end(), out + begin, convert);
    });
  };
  constexpr std::size_t kLong = 1 << 18;  // below, a thread of its own would cost more than it is worth
  if (size >= kLong) return interruptible(work);
  const Unlocked unlocked;
  work(CancelToken());
}

template <class Carrier, class From>
nb::object long_release(const Mechanism& mechanism, const From* in, std::size_t size) {
  const Outcome& outcome = mechanism.outcome;
  if (outcome.reals || outcome.step != 1) {
    auto out = std::make_unique<double[]>(size);
    through_pieces<Carrier>(*mechanism.pieces, in, size, out.get(), ToReal(outcome.step));
    return owned_array(std::move(out), size);
  }
  std::unique_ptr<std::int64_t[]> out(new std::int64_t[size]);  // not zeroed: every number is written
  through_pieces<Carrier>(*mechanism.pieces, in, size, out.get(), to_int64_saturating);
  return owned_array(std::move(out), size);
}

template <class Carrier, class Array>
nb::object release_array(Mechanism& mechanism, const Array& in) {
  const bool many = in.size() > mechanisms::InPieces::kPiece;
  if (many && !mechanism.pieces && mechanisms::InPieces::possible(mechanism.whole.recipe())) {
    mechanism.pieces = std::make_shared<const mechanisms::InPieces>(mechanism.whole);
  }
  if (many && mechanism.pieces) return long_release<Carrier>(mechanism, in.data(), in.size());
  const Private data{Data(Carrier(in.data(), in.data() + in.size()))};
  return to_python(unlocked_release(mechanism.whole, data), mechanism.outcome);
}

// Whole numbers of any size, as text: what leaves 128 bits counts as the nearest end, which moves no two apart.
Int128 nearest_128(const std::string& digits) {
  const Rational value = Rational::parse(digits);
  if (value >= Rational(kInt128Max)) return kInt128Max;
  return value <= Rational(kInt128Min) ? kInt128Min : value.floor();
}

nb::object release_big(const Mechanism& mechanism, const std::vector<std::string>& exact) {
  Integers numbers;
  for (const std::string& digits : exact) numbers.push_back(nearest_128(digits));
  const Data released = unlocked_release(mechanism.whole, Private(numbers));
  if (!std::holds_alternative<Integers>(released)) return to_python(released, mechanism.outcome);
  nb::list all;
  for (const Int128 number : std::get<Integers>(released)) all.append(to_string(number));
  return all;
}

// Keys are private: one that no cell can hold is NULL. Numbers of equal keys are added.
nb::object release_keyed(const Mechanism& mechanism, const nb::list& keys, const Longs& numbers) {
  std::vector<std::pair<std::string, Int128>> pairs;
  std::size_t i = 0;
  for (const nb::handle key : keys) pairs.emplace_back(canonical(any_cell(key)), numbers.data()[i++]);
  std::sort(pairs.begin(), pairs.end());
  Keyed keyed;
  for (auto& [key, number] : pairs) {
    if (!keyed.keys.empty() && keyed.keys.back() == key) {  // their numbers belong together
      keyed.values.back() = add_saturating(keyed.values.back(), number);
      continue;
    }
    keyed.keys.push_back(std::move(key));
    keyed.values.push_back(number);
  }
  return to_python(unlocked_release(mechanism.whole, Private(Data(std::move(keyed)))), mechanism.outcome);
}

nb::object release_tables(const Mechanism& mechanism, const nb::list& tables) {
  const Domain& input = mechanism.whole.input();
  if (const auto* one = std::get_if<TableDomain>(&input)) {
    return to_python(unlocked_release(mechanism.whole, Private(table_from(*one, tables[0]))), mechanism.outcome);
  }
  Tables all;
  std::size_t i = 0;
  for (const TableDomain& one : std::get<TablesDomain>(input).tables) all.push_back(table_from(one, tables[i++]));
  return to_python(unlocked_release(mechanism.whole, Private(std::move(all))), mechanism.outcome);
}

std::optional<std::vector<std::int64_t>> whole_numbers(const std::vector<std::string>& spellings) {
  std::vector<std::int64_t> all;
  for (const std::string& spelling : spellings) {
    if (spelling.empty() || spelling[0] != 'i') return std::nullopt;
    all.push_back(to_int64_checked(parse_int128(spelling.substr(1))));
  }
  return all;
}

// Of a chain over a table of one column that begins with [bucket,] histogram.
std::shared_ptr<const CountFirst> count_first(const AnyMeasurement& whole) {
  const auto* table = std::get_if<TableDomain>(&whole.input());
  const auto& parts = whole.recipe().parts;
  if (table == nullptr || table->columns.size() != 1 || whole.recipe().name != "chain") return nullptr;
  const CellType type = table->columns[0].type;
  const bool buckets = parts[0]->name == "bucket";
  const std::size_t at = buckets ? 1 : 0;
  if (type != (buckets ? CellType::real : CellType::integer) || parts.size() < at + 2) return nullptr;
  if (parts[at]->name != "histogram") return nullptr;
  const auto categories = whole_numbers(parts[at]->texts("categories"));
  if (!categories) return nullptr;
  Recipe rest{"chain", {}, {parts.begin() + static_cast<std::ptrdiff_t>(at) + 1, parts.end()}};
  if (rest.parts.size() == 1) rest = Recipe(*rest.parts[0]);
  AnyTransformation counts = make_transformation(*parts[0], whole.input(), whole.from(), all_makers());
  if (buckets) counts = chain(counts, make_transformation(*parts[1], counts.output(), counts.to(), all_makers()));
  return std::make_shared<const CountFirst>(
      CountFirst{buckets ? parts[0]->numbers("edges") : std::vector<Rational>(), *categories, parts[at]->truth("other"),
                 make_measurement(rest, counts.output(), counts.to(), all_makers())});
}

Data counted_release(const CountFirst& first, const Longs& values) {
  const Unlocked unlocked;
  Integers counts = count_values(std::span(values.data(), values.size()), first.categories, first.other);
  return mechanisms::release(first.rest, Private(std::move(counts))).value();
}
Data counted_release(const CountFirst& first, const Doubles& values) {
  const Unlocked unlocked;
  Integers counts = count_values(std::span(values.data(), values.size()), first.edges, first.categories, first.other);
  return mechanisms::release(first.rest, Private(std::move(counts))).value();
}

// Nothing when the chain does not count such an array first.
template <class Array, bool buckets>
std::optional<nb::object> release_counted(Mechanism& mechanism, const Array& values) {
  if (!mechanism.count_first) mechanism.count_first = count_first(mechanism.whole);
  if (!mechanism.count_first || mechanism.count_first->edges.empty() == buckets) return std::nullopt;
  return to_python(counted_release(*mechanism.count_first, values), mechanism.outcome);
}

}  // namespace

void add_mechanism_releases(nb::module_& core) {
  core.def("release_integers", release_array<Integers, Longs>, nb::arg(), nb::arg().noconvert());
  core.def("release_reals", release_array<Reals, Doubles>, nb::arg(), nb::arg().noconvert());
  core.def("release_big", release_big);
  core.def("release_keyed", release_keyed);
  core.def("release_tables", release_tables);
  core.def("release_counted", release_counted<Longs, false>, nb::arg(), nb::arg().noconvert());
  core.def("release_counted", release_counted<Doubles, true>, nb::arg(), nb::arg().noconvert());
}

}  // namespace dither::python
