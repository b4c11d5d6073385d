// dither-figures FOLDER: the figures of docs/accounting.md, as CSV and SVG, and that of docs/speed.md, as SVG from the CSV there.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "accounting/accountant.h"
#include "accounting/sampled_gaussian_renyi.h"
#include "accounting/sampling_renyi.h"
#include "accounting/zcdp.h"
#include "base/error.h"
#include "show/chart.h"
#include "show/csv.h"

namespace dither::figures {

namespace {

using accounting::Accountant;
using accounting::Composition;
using accounting::EventList;
using accounting::Neighbours;

// A first column, and curves over it.
struct Figure {
  std::string name;
  std::string title;
  std::string down;  // what the curves show
  show::Scale scale;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

double epsilon(const accounting::Mechanism& mechanism, std::uint64_t times, Accountant accountant) {
  const EventList list{Neighbours::add_remove, {"record"}, 1, {{{}, mechanism, times}}};
  return Composition(list).epsilon_by(accountant, Rational::parse("1e-6")).epsilon.upper;
}

// The book's theorem on its own, which is the simple conversion of eps^2 / 2-zCDP: the accountant of that name takes
// a better mean loss, and falls back to the sum.
double advanced_theorem(std::uint64_t times) {
  return accounting::zcdp_epsilon_simple_up(static_cast<double>(times) / 200, 1e-6);
}

// A 0.1-DP mechanism, and Gaussian noise of the variance that Laplace noise would have, 2 / 0.1^2 (book figure 3.1, A-28).
Figure compositions() {
  const accounting::Mechanism box = accounting::BlackBox{Rational(1, 10)};
  const accounting::Mechanism noise = accounting::Gaussian{Rational::parse("14.142135623730950488")};
  Figure figure{"compositions",
                "Repeated 0.1-DP releases at delta = 1e-6",
                "epsilon",
                show::Scale::linear,
                {"releases", "basic", "advanced", "zCDP", "optimal", "Gaussian noise"},
                {}};
  for (std::uint64_t times = 10; times <= 1000; times += times < 200 ? 10 : 50) {
    figure.rows.push_back({static_cast<double>(times), epsilon(box, times, Accountant::basic), advanced_theorem(times),
                           epsilon(box, times, Accountant::zcdp), epsilon(box, times, Accountant::optimal),
                           epsilon(noise, times, Accountant::gdp)});
  }
  return figure;
}

// Gaussian noise of sigma 1, which is 1/2-zCDP, after Poisson sampling at rate 0.05 (book figure 3.2, A-61).
Figure sampling() {
  const accounting::SampledGaussianRenyi exact(1.0, 0.05);
  Figure figure{"sampling",
                "Gaussian noise, sigma = 1, each record with probability 0.05",
                "Renyi divergence",
                show::Scale::logarithmic,
                {"order", "exact", "bound for small orders", "bound for large orders", "without sampling"},
                {}};
  for (int tenths = 11; tenths <= 200; ++tenths) {
    const double order = tenths / 10.0;
    figure.rows.push_back({order, exact(order), accounting::poisson_renyi_analytic_zcdp_up(order, 0.05, 0.5),
                           accounting::poisson_renyi_large_order_up(order, 0.05, order / 2), order / 2});
  }
  return figure;
}

// What `./dev bench sql --growth` measured and wrote down: a line of titles, then numbers.
Figure growth(const std::string& path) {
  Figure figure{"growth", "COUNT and SUM by 50 keys, 10 rows a person", "seconds", show::Scale::linear, {}, {}};
  std::ifstream file(path);
  std::string line, cell;
  std::getline(file, line);
  for (std::istringstream titles(line); std::getline(titles, cell, ',');) figure.columns.push_back(cell);
  while (std::getline(file, line)) {
    figure.rows.emplace_back();
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) figure.rows.back().push_back(std::stod(cell));
  }
  return figure;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error{Code::cannot_write, fmt::format("{} cannot be written", path), "name a folder that exists"};
}

std::string csv(const Figure& figure) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : figure.rows) {
    rows.emplace_back();
    for (const double value : row) rows.back().push_back(show::csv_real(value));
  }
  return show::csv_table(figure.columns, rows);
}

std::string svg(const Figure& figure) {
  show::Chart chart{figure.title, "", {figure.columns[0], show::Scale::linear}, {figure.down, figure.scale}, {}};
  for (std::size_t column = 1; column < figure.columns.size(); ++column) {
    show::Series series{figure.columns[column], {}, {}};
    for (const auto& row : figure.rows) series.points.push_back({row[0], row[column]});
    chart.series.push_back(series);
  }
  return show::svg_chart(chart);
}

}  // namespace

void draw(const std::string& folder) {
  for (const Figure& figure : {compositions(), sampling()}) {
    write(fmt::format("{}/{}.csv", folder, figure.name), csv(figure));
    write(fmt::format("{}/{}.svg", folder, figure.name), svg(figure));
  }
  const std::string measured = folder + "/growth.csv";
  if (std::filesystem::exists(measured)) write(folder + "/growth.svg", svg(growth(measured)));
}

}  // namespace dither::figures

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "Usage:  dither-figures FOLDER\n");
    return 2;
  }
  try {
    dither::figures::draw(argv[1]);
  } catch (const dither::Error& error) {
    fmt::print(stderr, "{}\n", error.str());
    return 4;
  }
  return 0;
}
