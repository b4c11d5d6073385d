#include "answer.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/answer_output.h"
#include "cli/budget_output.h"
#include "ledger/outlook.h"
#include "parts.h"
#include "unlocked.h"

namespace dither::python {

namespace nb = nanobind;

namespace {

using session::Answer;
using session::ValueError;
using Errors = std::vector<std::vector<ValueError>>;

// What intervals at other levels are made of.
struct Basis {
  std::shared_ptr<const session::Basis> of;
};

nb::object none() { return nb::none(); }

// Days and microseconds stay whole numbers: dither/answer.py makes dates of them when it is asked.
nb::object cell_object(const Cell& cell) {
  if (const auto* truth = std::get_if<bool>(&cell)) return nb::bool_(*truth);
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return nb::int_(*whole);
  if (const auto* real = std::get_if<double>(&cell)) return nb::float_(*real);
  const auto* text = std::get_if<std::string>(&cell);
  if (text == nullptr) return none();
  PyObject* made = PyUnicode_DecodeUTF8(text->data(), static_cast<Py_ssize_t>(text->size()), "replace");
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

template <class Of>
nb::list column_list(std::size_t rows, const Of& of) {
  nb::list column;
  for (std::size_t r = 0; r < rows; ++r) column.append(of(r));
  return column;
}

nb::object real_object(const std::optional<double>& value) { return value ? nb::float_(*value) : none(); }

// By column; None for one of which nothing is known.
template <class What>
nb::list error_columns(const Errors& errors, std::size_t width, const What& what) {
  nb::list columns;
  for (std::size_t i = 0; i < width; ++i) {
    const bool known = std::any_of(errors.begin(), errors.end(), [&](const auto& row) { return what(row[i]); });
    columns.append(
        known ? nb::object(column_list(errors.size(), [&](std::size_t r) { return real_object(what(errors[r][i])); }))
              : none());
  }
  return columns;
}

std::optional<double> low_of(const ValueError& error) { return error.high ? error.low : std::nullopt; }
std::optional<double> high_of(const ValueError& error) { return error.low ? error.high : std::nullopt; }

nb::tuple interval_columns(const Errors& errors, std::size_t width) {
  return nb::make_tuple(error_columns(errors, width, low_of), error_columns(errors, width, high_of));
}

nb::tuple intervals_at(const Basis& basis, double level, std::size_t width) {
  const Errors errors = [&] {
    const Unlocked unlocked;
    return errors_at(*basis.of, level);
  }();
  return interval_columns(errors, width);
}

// Path, share that is used, and in words what is left and the limit.
nb::list payers_of(const Answer& answer) {
  nb::list payers;
  for (const session::BudgetState& payer : answer.payers) {
    const double share = ledger::share_spent(payer.rule, payer.spent);
    payers.append(nb::make_tuple(payer.path, std::isfinite(share) ? share : 1.0,
                                 cli::left_text(payer.rule, payer.spent), cli::limit_text(payer.rule)));
  }
  return payers;
}

Cell cell_from(const nb::handle& value, plan::Type type) {
  if (value.is_none()) return {};
  switch (type) {
    case plan::Type::boolean:
      return nb::cast<bool>(value);
    case plan::Type::real:
      return nb::cast<double>(value);
    case plan::Type::text:
      return nb::cast<std::string>(value);
    default:
      return nb::cast<std::int64_t>(value);
  }
}

std::optional<double> real_from(const nb::handle& columns, std::size_t column, std::size_t row) {
  const nb::object list = nb::object(columns[column]);
  return list.is_none() ? std::nullopt : nb::cast<std::optional<double>>(nb::object(list[row]));
}

// The other way, for the table that people see: rows as dither/answer.py keeps them.
Answer answer_from(const std::vector<std::string>& names, const std::vector<std::string>& types,
                   const nb::list& columns, const nb::tuple& intervals,
                   const std::vector<std::vector<std::string>>& cut_by, std::size_t rows) {
  Answer answer;
  answer.names = names;
  answer.cut_by = cut_by;
  for (const std::string& type : types) answer.types.push_back(plan::type_from(type));
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<Cell>& cells = answer.rows.emplace_back();
    std::vector<ValueError>& errors = answer.errors.emplace_back(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      cells.push_back(cell_from(nb::object(columns[i][r]), answer.types[i]));
      errors[i].low = real_from(intervals[0], i, r);
      errors[i].high = real_from(intervals[1], i, r);
    }
  }
  return answer;
}

std::string rows_text(const std::vector<std::string>& names, const std::vector<std::string>& types,
                      const nb::list& columns, const nb::tuple& intervals,
                      const std::vector<std::vector<std::string>>& cut_by, std::size_t rows) {
  return cli::rows_text(answer_from(names, types, columns, intervals, cut_by, rows));
}

// Titles, which of them are numbers, and rows.
nb::tuple shown_table(const std::vector<std::string>& names, const std::vector<std::string>& types,
                      const nb::list& columns, const nb::tuple& intervals,
                      const std::vector<std::vector<std::string>>& cut_by, std::size_t rows) {
  const cli::ShownTable table = cli::shown_table(answer_from(names, types, columns, intervals, cut_by, rows));
  std::vector<std::string> titles;
  std::vector<bool> numbers;
  for (const show::Column& title : table.titles) {
    titles.push_back(title.title);
    numbers.push_back(title.align == show::Align::right);
  }
  return nb::make_tuple(titles, numbers, table.rows);
}

}  // namespace

nb::object answer_object(const Answer& answer, const std::string& accounted) {
  const std::size_t width = answer.names.size();
  nb::list columns;
  for (std::size_t i = 0; i < width; ++i) {
    columns.append(column_list(answer.rows.size(), [&](std::size_t r) { return cell_object(answer.rows[r][i]); }));
  }
  const nb::object facts =
      nb::module_::import_("json").attr("loads")(show::json_line(cli::answer_facts_json(answer)).c_str());
  return nb::module_::import_("dither.answer")
      .attr("Answer")
      .attr("_made")(facts, columns, interval_columns(answer.errors, width),
                     error_columns(answer.errors, width, [](const ValueError& e) { return e.standard_error; }),
                     payers_of(answer), cli::price_text(std::span(&answer, 1)), accounted, Basis{answer.basis});
}

void add_answer(nb::module_& core) {
  nb::class_<Basis>(core, "Basis", "What an answer was made of: released numbers and public parameters.")
      .def("intervals", intervals_at, nb::arg("level"), nb::arg("width"));
  core.def("rows_text", rows_text, nb::arg("names"), nb::arg("types"), nb::arg("columns"), nb::arg("intervals"),
           nb::arg("cut_by"), nb::arg("rows"));
  core.def("shown_table", shown_table, nb::arg("names"), nb::arg("types"), nb::arg("columns"), nb::arg("intervals"),
           nb::arg("cut_by"), nb::arg("rows"));
  core.def("flat_names", cli::flat_names, nb::arg("names"), nb::arg("measured"));
}

}  // namespace dither::python
