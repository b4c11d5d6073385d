#include "calculus/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "calculus/detail/cells.h"
#include "calculus/detail/steps.h"
#include "calculus/detail/wide_sum.h"

namespace dither::calculus {

namespace {

Rational whole(std::uint64_t number) { return Rational(static_cast<Int128>(number)); }

detail::Carried into_parts(const Metric& from, bool other) {
  const auto [to, factor] = detail::row_by_row(from, {other ? 1u : 0u, 1}, "partition-by-key");
  switch (from.kind) {
    case MetricKind::symmetric:
    case MetricKind::insert_delete:
      return {{MetricKind::sum, from.kind}, 1};
    case MetricKind::change_one:
      return {{MetricKind::sum, MetricKind::symmetric}, 2};
    case MetricKind::hamming:
      return {{MetricKind::sum, MetricKind::insert_delete}, 2};
    default:
      if (detail::counts_units(from)) return {to, factor};
      detail::no_theorem(from, "partition-by-key", "make it for symmetric or units-added");
  }
}

AnyTransformation::Map reduced(const Metric& from, const Rational& group) {
  switch (from.kind) {
    case MetricKind::l1:
      return detail::times(1);
    case MetricKind::l2:
    case MetricKind::linf:
      return detail::times(group);
    case MetricKind::cells:
      return [group](const Distance& d) -> Distance {
        const CellsDistance& four = cells_of(d);
        return CellsDistance{four.cells, four.l1, std::min(Rational(group * four.l2_squared), four.l1 * four.l1),
                             std::min(Rational(group * four.largest), four.l1)};
      };
    default:
      detail::no_theorem(from, "reduce-by-partition", "make it for l1, l2, linf or cells");
  }
}

}  // namespace

AnyTransformation make_partition_by_key(const TableDomain& input, const Metric& from, std::string_view column,
                                        const std::vector<Cell>& keys, bool other) {
  const std::size_t at = input.column(column);
  std::unordered_map<std::string, std::size_t> parts;
  for (const Cell& key : keys) parts.emplace(canonical(key), parts.size());
  if (keys.empty()) throw Error{Code::bad_count, "a partition by no key", "list at least one public key"};
  if (parts.size() != keys.size()) {
    throw Error{Code::duplicate_key, "a key of the partition is listed twice", "list each key once"};
  }
  const auto [to, factor] = into_parts(from, other);
  TableDomain part = input;
  part.rows = std::nullopt;
  const std::size_t count = keys.size() + (other ? 1 : 0);
  return AnyTransformation({
      .recipe = {"partition-by-key",
                 {{"column", std::string(column)}, {"keys", detail::spelled(keys)}, {"other", other}}},
      .input = input,
      .output = TablesDomain{std::vector(count, part)},
      .from = from,
      .to = to,
      .map = detail::times(factor),
      .function = [at, parts, count, other](const Data& data) -> Data {
        Tables result(count);
        for (const Row& row : as<Table>(data)) {
          const auto part_of = parts.find(canonical(row[at]));
          if (part_of != parts.end()) {
            result[part_of->second].push_back(row);
          } else if (other) {
            result.back().push_back(row);
          }
        }
        return result;
      },
  });
}

AnyTransformation make_part_counts(const TablesDomain& input, const Metric& from) {
  const bool summed = from.kind == MetricKind::sum;
  if (!(summed || from.kind == MetricKind::largest) ||
      (from.inner != MetricKind::symmetric && from.inner != MetricKind::insert_delete)) {
    detail::no_theorem(from, "part-counts", "use `sum of symmetric`");
  }
  const Rational parts = whole(input.tables.size());
  return AnyTransformation({
      .recipe = {"part-counts"},
      .input = input,
      .output = VectorDomain{input.tables.size()},
      .from = from,
      .to = {MetricKind::cells},
      .map = [parts, summed](const Distance& distance) -> Distance {
        const Rational& d = number(distance);
        if (summed) return CellsDistance{std::min(d, parts), d, d * d, d};
        return CellsDistance{parts, parts * d, parts * d * d, d};
      },
      .function = [](const Data& data) -> Data {
        Integers counts;
        for (const Table& one : as<Tables>(data)) counts.push_back(static_cast<Int128>(one.size()));
        return counts;
      },
  });
}

AnyTransformation make_reduce_by_partition(const VectorDomain& input, const Metric& from,
                                           const std::vector<std::uint64_t>& groups, std::uint64_t count) {
  if (input.dimension != groups.size()) {
    throw Error{Code::mixed_domains,
                fmt::format("{} coordinates are given a place, but the input has {}", groups.size(), describe(input)),
                "declare the dimension, and give each coordinate one place"};
  }
  if (count > std::uint64_t{1} << 32) {
    throw Error{Code::bad_count, fmt::format("{} places are more than 2^32", count), "name fewer places"};
  }
  std::vector<std::uint64_t> sizes(count, 0);
  std::vector<Rational> places;
  for (const std::uint64_t group : groups) {
    if (group >= count) {
      throw Error{Code::out_of_range, fmt::format("place {} of {}", group, count), "places are numbered from 0"};
    }
    ++sizes[group];
    places.push_back(whole(group));
  }
  const Rational largest = whole(count == 0 ? 0 : *std::max_element(sizes.begin(), sizes.end()));
  return AnyTransformation({
      .recipe = {"reduce-by-partition", {{"groups", places}, {"count", whole(count)}}},
      .input = input,
      .output = VectorDomain{count, input.step},
      .from = from,
      .to = from,
      .map = reduced(from, largest),
      .function = [groups, count](const Data& data) -> Data {
        std::vector<detail::WideSum> sums(count);
        const Integers& x = as<Integers>(data);
        for (std::size_t i = 0; i < groups.size(); ++i) sums[groups[i]] += x[i];
        Integers result;
        for (const detail::WideSum& sum : sums) result.push_back(sum.cut());
        return result;
      },
  });
}

}  // namespace dither::calculus
