// Tables of aligned text.
#pragma once

#include <string>
#include <vector>

namespace dither::show {

enum class Align { left, right };

struct Column {
  std::string title;
  Align align;  // of title and cells: right for numbers
};

// Lines of cells under their titles and a rule, two spaces between columns, no trailing spaces, each line ended:
//
//   city    count
//   ------  -----
//   Berlin     12
//
// Cells are made printable first, so each row is one line. A row has one cell per column.
std::string text_table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows);

}  // namespace dither::show
