// How long answers and noise take: numbers of this machine, no verdict.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "audit/side_channels.h"
#include "base/int128.h"
#include "cli/verify.h"
#include "random/discrete_gaussian.h"
#include "random/discrete_laplace.h"
#include "random/source.h"
#include "show/show.h"

namespace dither::cli {

namespace {

constexpr double kFalseAlarm = 0.01;
constexpr auto kDeadline = std::chrono::milliseconds(250);
constexpr audit::HeavyUser kManyRows{20'000, 0};
constexpr audit::HeavyUser kCostlyTexts{3, 65'000};

struct DrawLine {
  std::string law;
  audit::Correlation found;
};
struct AnswerLine {
  std::string how;
  double median_first, median_second;  // milliseconds
  audit::TwoSampleTest test;
  int failures;
};

double median_ms(std::vector<double> nanoseconds) {
  std::nth_element(nanoseconds.begin(), nanoseconds.begin() + static_cast<std::ptrdiff_t>(nanoseconds.size() / 2),
                   nanoseconds.end());
  return nanoseconds[nanoseconds.size() / 2] / 1e6;
}

AnswerLine answer_line(const std::string& what, const audit::HeavyUser& heavy, std::chrono::milliseconds deadline,
                       int pairs, const CancelToken& token) {
  const audit::AnswerTimes found = audit::answer_times(deadline, pairs, 1, token, heavy);
  const bool hardened = deadline.count() > 0;
  const std::string how = hardened ? fmt::format("hardened, deadline {} ms", deadline.count()) : "as they are ready";
  return {what + ", " + how, median_ms(found.times.first), median_ms(found.times.second), found.test, found.failures};
}

std::string text_of(const std::vector<DrawLine>& draws, const std::vector<AnswerLine>& answers, int pairs) {
  using show::Align;
  std::vector<std::vector<std::string>> rows;
  for (const DrawLine& line : draws) {
    rows.push_back({line.law, fmt::format("{:+.4f}", line.found.linear), fmt::format("{:+.4f}", line.found.rank),
                    fmt::format("{:+.4f} to {:+.4f}", line.found.low, line.found.high)});
  }
  std::string text =
      "Time of a draw against the size of the noise (99% interval of the rank correlation)\n\n" +
      show::text_table({{"law", Align::left}, {"r", Align::right}, {"rank", Align::right}, {"interval", Align::right}},
                       rows);
  rows.clear();
  for (const AnswerLine& line : answers) {
    rows.push_back({line.how, fmt::format("{:.2f}", line.median_first), fmt::format("{:.2f}", line.median_second),
                    fmt::format("{:.3f}", line.test.distance), fmt::format("{:.4f}", line.test.p_value),
                    std::to_string(line.failures)});
  }
  text += fmt::format("\nTime of an answer, without and with one heavy user, {} pairs\n\n", pairs);
  text += show::text_table({{"answers", Align::left},
                            {"without, ms", Align::right},
                            {"with, ms", Align::right},
                            {"distance", Align::right},
                            {"p", Align::right},
                            {"late", Align::right}},
                           rows);
  return text +
         "\nA small p says that time tells the data sets apart. Hardened answers should not (p above 0.01 in\n"
         "99 of 100 measurements); answers that leave when they are ready may, and `explain` says so. These\n"
         "are numbers of this machine while it was this busy.\n";
}

std::string json_of(const std::vector<DrawLine>& draws, const std::vector<AnswerLine>& answers, int pairs) {
  show::Json document = {{"draws", show::Json::array()}, {"answers", show::Json::array()}, {"pairs", pairs}};
  for (const DrawLine& line : draws) {
    document["draws"].push_back({{"law", line.law},
                                 {"linear", show::json_real(line.found.linear)},
                                 {"rank", show::json_real(line.found.rank)},
                                 {"low", show::json_real(line.found.low)},
                                 {"high", show::json_real(line.found.high)}});
  }
  for (const AnswerLine& line : answers) {
    document["answers"].push_back({{"how", line.how},
                                   {"median_without_ms", show::json_real(line.median_first)},
                                   {"median_with_ms", show::json_real(line.median_second)},
                                   {"distance", show::json_real(line.test.distance)},
                                   {"p_value", show::json_real(line.test.p_value)},
                                   {"late", line.failures}});
  }
  return show::json_pretty(document) + '\n';
}

}  // namespace

std::string verify_timing(const Given& given, const CancelToken& token, const Step& step) {
  const int draws = given.contains("full") ? 5'000'000 : 1'000'000;
  const int pairs = given.contains("full") ? 500 : 50;
  random::Source source;
  const random::DiscreteLaplace laplace(Rational(100));
  const random::DiscreteGaussian gaussian(Rational(100));
  const auto time = [&](const char* law, const std::function<double()>& draw) {
    return DrawLine{law, audit::draw_times(draw, draws, kFalseAlarm, token)};
  };
  std::vector<DrawLine> lines;
  lines.push_back(time("discrete-laplace 100", [&] { return static_cast<double>(laplace.draw(source)); }));
  step(1, 6);
  lines.push_back(time("discrete-gaussian 100", [&] { return static_cast<double>(gaussian.draw(source)); }));
  step(2, 6);
  std::vector<AnswerLine> answers;
  for (const std::chrono::milliseconds deadline : {kDeadline, std::chrono::milliseconds(0)}) {
    answers.push_back(answer_line("many rows", kManyRows, deadline, pairs, token));
    step(answers.size() + 2, 6);
    answers.push_back(answer_line("costly texts", kCostlyTexts, deadline, pairs, token));
    step(answers.size() + 2, 6);
  }
  return given.contains("json") ? json_of(lines, answers, pairs) : text_of(lines, answers, pairs);
}

}  // namespace dither::cli
