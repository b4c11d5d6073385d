#include "cli/demo_data.h"

namespace dither::cli {

std::string demo_project() {
  return R"(# A year of visits to doctors in a country that does not exist. `dither demo` made the data; nobody is real.
# Every number here comes from what is publicly known about such visits, and none from the data: docs/project-file.md.
version: 1
data_version: "2025"
privacy: {unit: person, neighbours: add-remove}  # one person more or less barely changes what is published

tables:
  visits:
    source: visits.csv
    unit: person                       # all visits with the same number are one person's
    bounds:                            # what one person may count for; more is cut off before anything is added up
      rows_per_unit: 12                # visits in all
      keys_per_unit: 6                 # with GROUP BY: in how many groups
      rows_per_key: 8                  # and how many visits in each; hardly anybody has more
    expected: {rows: 130000}           # a public guess, for predicted errors
    columns:
      person: {type: integer}
      day: {type: date, bounds: ["2025-01-01", "2025-12-31"], outside: null}
      region: {type: text, keys: [Amberley, Brackwater, Coldharbour, Dunmere, Eastholm, Fenwick, Glenrock, Highmoor],
               outside: other}         # public keys: all of them are answered, also where nobody came
      drug: {type: text}
      cost: {type: decimal, grid: 0.01, bounds: [0, 400], outside: clamp}
      minutes: {type: integer}         # no bounds: the demo shows what happens then

  people:
    source: people.csv
    unit: person
    unique: [person]
    bounds: {rows_per_unit: 1, keys_per_unit: 1, rows_per_key: 1}
    expected: {rows: 60000}
    columns:
      person: {type: integer}
      region: {type: text, keys: [Amberley, Brackwater, Coldharbour, Dunmere, Eastholm, Fenwick, Glenrock, Highmoor],
               outside: other}
      birth_year: {type: integer, bounds: [1920, 2025], outside: clamp}
      sex: {type: text, keys: [f, m], outside: null}

  drugs:                               # nobody's rows: public
    source: drugs.csv
    public: true
    unique: [code]
    columns:
      code: {type: text}
      name: {type: text}
      class: {type: text, keys: [pain, heart, diabetes, lungs, infection, mind, skin, none], outside: other}

  regions:
    source: regions.csv
    public: true
    unique: [region]
    columns:
      region: {type: text}
      population: {type: integer}
      kind: {type: text, keys: [city, coast, country, mountains], outside: other}

budgets:
  main: {epsilon: 8, delta: 1e-6}                      # all that will ever be published about these people
  alice: {parent: main, epsilon: 4, delta: 5e-7}       # an analyst
  press: {parent: main, epsilon: 0.5, delta: 0}        # what goes into the newspaper
)";
}

}  // namespace dither::cli
