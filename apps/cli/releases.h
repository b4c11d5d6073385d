// Releases described by options: the common cases, without a file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accounting/calibrate.h"
#include "accounting/event.h"
#include "cli/arguments.h"

namespace dither::cli {

// A mechanism that one number describes.
struct PlainMechanism {
  std::string name;                            // "gaussian"
  std::string parameter;                       // the option for that number: "sigma"
  std::string is;                              // what it does, for --list
  std::optional<accounting::Unknown> unknown;  // what calibration calls that number, if it can solve for it
  accounting::Mechanism (*make)(const Rational& value, const Given& given);
};

std::span<const PlainMechanism> plain_mechanisms();
// unknown-mechanism, with the nearest right name, for others.
const PlainMechanism& find_mechanism(const std::string& name);

// The options beside the mechanism's own number: --sensitivity, --categories, --sample, --times, --neighbours, --unit.
std::span<const Option> release_options();

// All options that describe one event: each mechanism with its number, and those.
std::vector<Option> event_options();
// The mechanism that is given; none when there is none, bad-argument when there are two.
const PlainMechanism* chosen_mechanism(const Given& given);
// bad-argument for options of a single event beside a file of events.
void refuse_beside_file(const Given& given);

// A number of accounting, which may be far smaller than noise: up to 1000 digits.
Rational loss_number(const std::string& name, const std::string& text);

// A sampler as written on a command line: poisson:0.01, without-replacement:100/50000, with-replacement:100/50000,
// shuffled-batches:390, random-allocation:390, all-or-nothing:0.1.
accounting::Sampler read_sampler(const std::string& text);

// The relation of --neighbours; bad-argument when it is not given, since it has no default.
accounting::Neighbours read_neighbours(const Given& given);

// The event of a mechanism with this number in it, and of the options given.
accounting::Event make_event(const PlainMechanism& mechanism, const Rational& value, const Given& given);

// The unit of --unit, or the one that is there; bad-argument for one that is empty or cannot be printed.
void set_unit(const Given& given, accounting::EventList& list);

}  // namespace dither::cli
