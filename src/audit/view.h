// What is seen of private data: measurements, and questions that follow answers, as targets.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "audit/target.h"
#include "calculus/measurement.h"

namespace dither::audit {

// Two neighbouring inputs.
struct DataPair {
  std::string first, second;  // in words
  calculus::Data x, y;
};

// A mechanism on data, with neighbours to try it on.
struct View {
  std::string name;
  Promise promise;  // for each of the pairs
  std::vector<DataPair> pairs;
  std::function<calculus::Data(const calculus::Private& data, random::Source& source)> ask;  // any thread
  // Of noise on one number, whatever the others: one release of a long vector is as many runs, which is faster. That
  // numbers have noise of their own is for other attacks.
  bool coordinates_are_runs = false;
};

// A measurement on inputs within d, with the promise loss(d).
// Refuses    pairs that are further apart, in either sense (bad-distance): such an attack would prove nothing.
View view_of(std::string name, const calculus::AnyMeasurement& measurement, const calculus::Distance& d,
             std::vector<DataPair> pairs);

// The same as a black box: answers become rows of numbers.
//
// Columns    of integers and reals one for each coordinate; of numbers by key one for each key that was seen in some
//            first releases, absent where the key is not shown, and the number of other keys; of several answers all of
//            theirs. Integers beyond 53 bits are shown as differences from one of the first. An error that asking
//            throws is an answer too: its text, in the last column.
// Cost       some releases, to see what answers look like.
Target target_of(const View& view);

}  // namespace dither::audit
