// A country that does not exist, and a year of its visits to doctors.
#pragma once

#include <string>

namespace dither::cli {

// Writes people.csv, visits.csv, drugs.csv and regions.csv, about 200,000 rows in all, into a folder. The same rows
// every time, from a generator with a fixed seed; nobody in them is real.
// Refuses    cannot-write.
void write_demo_data(const std::string& folder);

// The project file for them, with words for whoever reads it.
std::string demo_project();

}  // namespace dither::cli
