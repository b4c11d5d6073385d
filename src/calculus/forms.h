// What a recipe of each name needs: for documents, for other languages, and for whoever writes one by hand.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/canonical.h"
#include "calculus/recipe.h"

namespace dither::calculus {

// What a parameter holds, and in which alternative of Recipe::Value it lies.
enum class ParameterKind {
  number,   // Rational
  count,    // Rational, a whole number
  width,    // Rational: a length of noise, in steps of the input's grid
  square,   // Rational: its square, in squared steps
  text,     // the name of a column, a metric, a rule
  truth,    // bool
  numbers,  // any rationals
  counts,   // whole numbers
  texts,    // names of columns
  cell,     // one value of a table, as recipes spell it
  cells,    // several of them
  bytes,    // one text, spelled as a cell
  keys,     // public keys: canonical bytes in hexadecimal
  names,    // public keys: canonical bytes, spelled as cells
};
std::string_view kind_name(ParameterKind kind);

struct Parameter {
  std::string name;
  ParameterKind kind;
  std::string about;  // one line
  bool optional = false;
};

// What a step of this name stands behind.
enum class Takes { table, tables, vector, reals, keyed, same_as_parts };
std::string_view takes_name(Takes takes);

struct Form {
  std::string name;
  Takes takes;
  std::string metric;  // in which its theorem is stated, for whoever names no other; "" where the input must say it
  std::vector<Parameter> parameters;
  bool each = false;      // treats every number alike, with noise of its own: a vector may be done in pieces
  std::string size = "";  // of vectors: "" any, "1", or the parameter that says how many ("matrix": its columns)
};

// The forms of all recipes that this room makes, in the order of documents. Names are those of Makers.
std::span<const Form> forms();

// A value as a recipe holds it: of `cell` and `bytes` one, of `cells`, `keys` and `names` all of them. Refuses other
// kinds, for which nothing is to be spelled (wrong-type).
Recipe::Value spelled(ParameterKind kind, const std::vector<Cell>& cells);

}  // namespace dither::calculus
