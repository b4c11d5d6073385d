// What is attacked: a mechanism that can be run, as often as one likes, on neighbouring inputs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "audit/outputs.h"
#include "audit/promise.h"
#include "audit/words.h"

namespace dither::random {
class Source;
}

namespace dither::audit {

// Fills `out` with `runs` more outputs of one input: independent of each other, with fresh noise. Called from several
// threads at once, each with its own source and outputs; noise from elsewhere (another program) ignores the source.
using Draw = std::function<void(Outputs& out, std::int64_t runs, random::Source& source)>;

// Two neighbouring inputs: the promise holds for them in both directions.
struct Pair {
  std::string first, second;  // in words, for the witness
  Draw draw_first, draw_second;
};

// A black box with its promise. What a mechanism does when it fails (an error, a crash, NaN) is an output like any other.
struct Target {
  std::string name;
  Promise promise;
  Shape shape;
  std::vector<Pair> pairs;
  Words words = {};       // what the codes of word columns stand for, for people
  std::size_t parts = 0;  // so many columns, the last ones, are parts of texts (text_parts.h): of what others say
  // Of recorded outputs, which run out: called before each event is tested. The first time marks where the test begins,
  // later ones go back there: no row of the test chose an event, and each event has an alarm of its own.
  std::function<void()> before_event = {};
};

// A mechanism on vectors of numbers, such as query answers: what generators of inputs and searches over inputs work on.
struct VectorMechanism {
  std::string name;
  Promise promise;
  Shape shape;
  std::function<void(std::span<const double> input, Outputs& out, std::int64_t runs, random::Source& source)> draw;
  Words words = {};
};

}  // namespace dither::audit
