// Any bytes are expressions over a few rows: DuckDB gives what they mean, within their facts, and nothing fails.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "engine/facts_check.h"
#include "engine/hostile_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dither;          // NOLINT: one function
  using namespace dither::engine;  // NOLINT
  static FactsChecker checker;
  Choices choices(std::span(data, size));
  std::vector<plan::Expression> expressions;
  const bool logic = choices.below(2) == 0;
  const auto& functions = logic ? functions_of_logic() : every_function();
  for (std::uint64_t i = choices.below(4) + 1; i > 0; --i) {
    const auto type = static_cast<plan::Type>(choices.below(6));
    expressions.push_back(random_expression(choices, type, 4, functions));
  }
  CheckTable table{hostile_columns(), {}};
  for (std::uint64_t i = choices.below(5) + 1; i > 0; --i) {
    std::vector<Cell>& row = table.rows.emplace_back();
    for (const plan::Type type : table.types) {
      row.push_back(logic ? simple_cell(choices, type) : random_cell(choices, type));
    }
  }
  std::vector<CheckCase> cases;
  for (const plan::Expression& expression : expressions) cases.push_back(make_case(expression, table));
  const auto wrong = checker.wrong_with(table, cases, [&](std::size_t n) { return choices.below(n); });
  if (wrong) {
    std::fprintf(stderr, "%s\n", wrong->c_str());
    std::abort();
  }
  return 0;
}
