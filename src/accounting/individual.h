// Individual accounting: every record has its own budget and drops out when its own loss would exceed it.
#pragma once

#include <cstddef>
#include <vector>

#include "accounting/amount.h"
#include "accounting/neighbours.h"
#include "base/int128.h"
#include "base/secret.h"

namespace dither::accounting {

// Which loss is summed for each record.
enum class IndividualMeasure {
  zcdp,       // rho_i = (distance the record moves the answer)^2 / (2 sigma^2)
  renyi_one,  // the divergence at one order, fixed beforehand
  gdp,        // mu_i^2
};

// One filter for each record.
//
// Guarantee  the whole interaction satisfies `limit` in the measure, though single releases may cost others more:
//            Feldman and Zrnic (2021) at a fixed Renyi order, and so zCDP; Koskela, Tobaben and Honkela (2023) for GDP.
// Holds if   the loss given for a record is what its removal can change at most, given the answers so far, and a record
//            that may not take part is left out of the release altogether.
// Refuses    other relations than add-remove (no-theorem): what a replaced record would have cost is not known; a record
//            number that does not exist (out-of-range).
// Secret     losses and decisions are private data: the sums cannot be read, printed, copied or compared, and a decision
//            can only be opened by a measurement. The decision about a record depends on its own losses alone.
// Cost       16 bytes a record; a decision a few ns.
// Spec       B-22.
class IndividualFilter {
 public:
  IndividualFilter(IndividualMeasure measure, LossAmount limit, Neighbours neighbours, std::size_t records);
  ~IndividualFilter();
  IndividualFilter(const IndividualFilter&) = delete;
  IndividualFilter& operator=(const IndividualFilter&) = delete;

  IndividualMeasure measure() const { return measure_; }
  LossAmount limit() const { return limit_; }

  // Whether the record takes part in a release that costs it `loss`: then it is charged, otherwise not.
  Secret<bool> take_part(std::size_t record, LossAmount loss);
  // The same for what the record adds to a sum: 0 unless it takes part. Measurements open such numbers and add noise.
  Secret<Int128> share(std::size_t record, LossAmount loss, Int128 value);

 private:
  bool charge(std::size_t record, LossAmount loss);

  IndividualMeasure measure_;
  LossAmount limit_;
  std::vector<LossAmount> spent_;
};

}  // namespace dither::accounting
