// Which types of a source are read as which declared types, and how each cell is read.
#pragma once

#include <set>
#include <string>

#include "engine/detail/source_part.h"
#include "plan/project.h"

namespace dither::engine::detail {

// A table, with the columns that tell whose a row is: its unit, and both sides of the foreign keys that lead to one.
struct Declared {
  Declared(const plan::Project& project, const plan::TableDeclaration& table);

  const plan::TableDeclaration& table;
  std::set<std::string> owners;
};

// Where a declared column stands in the source. bad-source where it has none of this name.
std::size_t place_of(const SourcePart& part, const plan::ColumnDeclaration& column);

// How a cell of this column is written, so that it has the declared type; NULL where it cannot be read as that.
//
// The type of a source's column is often chosen by a library that looked at all cells: one missing id makes floats of whole
// numbers, and ids beyond 2^53 merge; one `X` makes texts of zip codes that were numbers. Declarations alone must decide what the
// other cells are. So for a private table:
//
// Promise    Let a library write the same cells as whole numbers of any width, doubles, decimals of any scale or texts. Under one
//            declaration every two of these forms are read as the same cells, or one of them is refused by its type.
// Proof      Texts, booleans and owners are read from one form (and from texts). Reals: all forms give the double nearest to the
//            number. Integers: doubles and decimals with digits behind the point are read only where bounds or keys lie within
//            +- (2^53 - 1), and there numbers beyond 64 bits are read as the nearest that has 64. A whole number below 2^53 is its own
//            double. One from 2^53 on has a double from 2^53 on, of the same sign: in every form it lies outside, on the same side.
// Taken for granted   that texts spell the number; a library may also round the last digit of a fraction that it reads.
//
// Public tables are read from whatever has a cast.
//
// Refuses    a column that is missing, or whose type is not read as the declared one (bad-source); no value plays a part.
std::string typed_cell(const SourcePart& part, const Declared& declared, const plan::ColumnDeclaration& column);

}  // namespace dither::engine::detail
