// dither.audit: the testers of `dither verify` on a Python function.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "audit/foreign.h"
#include "audit/patterns.h"
#include "audit/promise.h"
#include "base/error.h"
#include "cli/verify_output.h"
#include "errands.h"
#include "parts.h"
#include "run_values.h"

namespace dither::python {

namespace nb = nanobind;

namespace {

using audit::RunValue;
using Clock = std::chrono::steady_clock;

// The function under test. Every member is used with the interpreter's lock, on the thread that called.
struct Function {
  nb::object call;
  nb::object cells;  // reads an output that is no simple one
  nb::object rows;   // reads the outputs of a batch; None where there is none
  Clock::time_point deadline;
  audit::BatchSize batch;
  audit::Tally tally;

  bool is_in_time() const { return Clock::now() < deadline; }
  RunValue run(nb::handle input) const;
  std::vector<RunValue> run_batch(nb::handle input, std::int64_t runs);
  // Fewer when time is up.
  std::vector<RunValue> draw(nb::handle input, std::int64_t runs);
};

RunValue Function::run(nb::handle input) const {
  PyObject* said = PyObject_CallOneArg(call.ptr(), input.ptr());
  if (said == nullptr) return run_that_raised();
  return run_value(nb::steal(said), cells);
}

std::vector<RunValue> Function::run_batch(nb::handle input, std::int64_t runs) {
  const auto start = Clock::now();
  const nb::object count = nb::int_(runs);
  PyObject* said = PyObject_CallFunctionObjArgs(call.ptr(), input.ptr(), count.ptr(), nullptr);
  if (said == nullptr) {
    throw Error{Code::bad_source,
                fmt::format("the function raised {} in a batch of {} runs", run_that_raised().status, runs),
                "which run it was is not known: return what a failed run says, or leave batch=True out"};
  }
  std::vector<RunValue> values = run_values(rows(nb::steal(said)), cells);
  if (std::ssize(values) != runs) {
    throw Error{Code::bad_source, fmt::format("the function returned {} outputs for {} runs", values.size(), runs),
                "return one output for each run: fn(x, runs) gives an array or a list of that length"};
  }
  batch.took(Clock::now() - start);
  return values;
}

std::vector<RunValue> Function::draw(nb::handle input, std::int64_t runs) {
  std::vector<RunValue> values;
  while (std::ssize(values) < runs && is_in_time()) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (rows.is_none()) {
      values.push_back(run(input));
      continue;
    }
    std::vector<RunValue> more = run_batch(input, std::min(batch.runs(), runs - std::ssize(values)));
    std::move(more.begin(), more.end(), std::back_inserter(values));
  }
  tally.see(values);
  return values;
}

struct Question {
  audit::Promise promise;
  std::string name;
  std::vector<std::string> testers;
};

using Words = std::vector<std::pair<std::string, std::string>>;

// On the working thread: no object of Python is touched but in errands.
std::vector<audit::Report> tested(Function& function, const std::vector<std::pair<nb::handle, nb::handle>>& inputs,
                                  const Words& words, const Question& question, const audit::Effort& effort,
                                  Errands& errands) {
  const auto input = [&](nb::handle object, const std::string& in_words) -> audit::ForeignInput {
    return {in_words, [&function, &errands, object](std::int64_t runs) {
              std::vector<RunValue> values;
              errands.run([&] { values = function.draw(object, runs); });
              return values;
            }};
  };
  std::vector<audit::ForeignPair> pairs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    pairs.push_back({input(inputs[i].first, words[i].first), input(inputs[i].second, words[i].second)});
  }
  const auto refuse = [&](const std::string& status) {
    throw Error{Code::bad_source, fmt::format("{} failed in every run: {}", question.name, status),
                "call it on the first input by hand to see why: nothing was tested"};
  };
  const audit::LearntTarget learnt =
      audit::learn_target(question.name, pairs, question.promise, effort.deadline, refuse);
  return audit::test_foreign(learnt, question.testers, effort);
}

// JSON and text of one report for each tester.
Words told(const std::vector<audit::Report>& reports) {
  Words result;
  for (const audit::Report& report : reports) {
    const cli::Verified verified{report, "", false};
    result.emplace_back(show::json_line(cli::report_json(verified, false)), cli::report_text(verified));
  }
  return result;
}

audit::Promise promise_of(const std::string& claim, bool is_document) {
  return is_document ? audit::Promise::from_document(claim, "claim") : audit::Promise::from_text(claim);
}

std::vector<std::string> testers_of(const std::string& name) {
  try {
    return audit::testers_named(name);
  } catch (const Error& error) {
    throw Error{error.code(), error.what(),
                fmt::format("choose one of: all, {}", fmt::join(audit::testers_named("all"), ", "))};
  }
}

Words run_audit(const nb::object& call, const nb::object& cells, const nb::object& rows,
                const nb::typed<nb::list, nb::any>& inputs, const Words& words, const std::string& name,
                const std::pair<std::string, bool>& claim, const std::string& tester, std::int64_t runs, double seconds,
                double false_alarm, std::uint64_t seed) {
  const Question question{promise_of(claim.first, claim.second), name, testers_of(tester)};
  audit::Effort effort =
      audit::foreign_effort(runs, std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds)));
  effort.false_alarm = false_alarm / static_cast<double>(question.testers.size());
  effort.seed = seed;
  effort.threads = 1;  // all runs are made on this one
  Function function{call, cells, rows, *effort.deadline, {}, {}};
  std::vector<std::pair<nb::handle, nb::handle>> pairs;  // kept alive by `inputs`
  for (const nb::handle pair : inputs)
    pairs.emplace_back(PyTuple_GetItem(pair.ptr(), 0), PyTuple_GetItem(pair.ptr(), 1));
  std::vector<audit::Report> reports = with_errands([&](Errands& errands, const CancelToken& token) {
    audit::Effort mine = effort;
    mine.cancel = token;
    return tested(function, pairs, words, question, mine, errands);
  });
  if (std::none_of(reports.begin(), reports.end(), [](const audit::Report& report) { return report.runs > 0; })) {
    throw Error{Code::bad_source,
                fmt::format("{} was not tested: no runs were left for the test when time was up", name),
                "give more seconds, fewer pairs of inputs, fewer testers, or a faster function"};
  }
  audit::note_failures(function.tally, reports);
  return told(reports);
}

std::vector<std::pair<std::vector<double>, std::vector<double>>> pattern_inputs(std::size_t length, bool one) {
  audit::InputRules rules;
  rules.length = length;
  rules.adjacent = one ? audit::Adjacent::one_coordinate : audit::Adjacent::all_coordinates;
  std::vector<std::pair<std::vector<double>, std::vector<double>>> pairs;
  for (const audit::InputPair& pair : audit::pattern_inputs(rules)) pairs.emplace_back(pair.first, pair.second);
  return pairs;
}

}  // namespace

void add_audit(nb::module_& core) {
  core.def("audit", &run_audit, nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
           nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg());
  core.def("pattern_inputs", &pattern_inputs);
}

}  // namespace dither::python
