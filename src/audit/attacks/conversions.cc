// Steps from one distance to another.
#include "calculus/conversions.h"

#include "audit/attacks/steps.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: steps, domains and metrics are all there is here
using namespace steps;     // NOLINT

namespace {

TableDomain limited(std::uint64_t rows_per_unit) {
  TableDomain domain = visits();
  domain.rows_per_unit = rows_per_unit;
  return domain;
}

void add_norms(Attacks& attacks) {
  using Make = AnyTransformation (*)(const Domain&);
  const std::pair<const char*, Make> all[] = {
      {"cells-to-l1", make_cells_to_l1}, {"cells-to-l2", make_cells_to_l2}, {"cells-to-linf", make_cells_to_linf},
      {"l1-to-l2", make_l1_to_l2},       {"l1-to-linf", make_l1_to_linf},   {"l2-to-l1", make_l2_to_l1},
      {"l2-to-linf", make_l2_to_linf},   {"linf-to-l1", make_linf_to_l1},   {"linf-to-l2", make_linf_to_l2},
  };
  for (const auto& [claim, make] : all) {
    add_step(attacks, claim, "three numbers", [make = make] { return make(VectorDomain{3}); });
  }
}

}  // namespace

void add_conversion_attacks(Attacks& attacks) {
  add_step(attacks, "change-one-to-symmetric", "rows", [] { return make_change_one_to_symmetric(visits()); });
  add_step(attacks, "symmetric-to-change-one", "five rows", [] {
    TableDomain sized = visits();
    sized.rows = 5;
    return make_symmetric_to_change_one(sized);
  });
  add_step(attacks, "hamming-to-change-one", "rows", [] { return make_hamming_to_change_one(visits()); });
  add_step(attacks, "insert-delete-to-symmetric", "rows", [] { return make_insert_delete_to_symmetric(visits()); });
  add_from(attacks, "units-to-symmetric", {kAdded, kReplaced, kChanged},
           [](const Metric& m) { return make_units_to_symmetric(limited(2), m); });
  add_from(attacks, "units-to-units-added", {kReplaced, kChanged},
           [](const Metric& m) { return make_units_to_units_added(visits(), m); });
  add_step(attacks, "units-replaced-to-units-changed", "rows",
           [] { return make_units_replaced_to_units_changed(visits()); });
  add_norms(attacks);
}

}  // namespace dither::audit
