// Spaces whose points were measured before: what a search can be replayed on without a device, and what
// priors are made of. Read from results files and from other tuners' files, and written for them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/results.hpp"
#include "tuner/evaluation.hpp"
#include "tuner/prior.hpp"
#include "tuner/recorded_objective.hpp"
#include "tuner/space.hpp"

namespace sextant::tuner {

enum class Format : std::uint8_t { t4, kernel_tuner, ktt, compact };

// Kernel Tuner's mark for a time that is none, in milliseconds. Numbers of that size are no values in any
// format.
inline constexpr double no_time = 1e20;

struct RecordedPoint {
  Evaluation evaluation;  // its time is what strategies minimise, see set_times
  std::string source;     // what its file says of it, as JSON, if that can be written again
  double value = 0;       // of the objective: seconds, or in the objective's unit; see RecordedSpace::value
};

struct RecordedSpace {
  std::string name;    // what it is of: a case without its tuning, or a file's name
  std::string header;  // what its file said of all points, as JSON; empty for files that are not JSON
  Format format = Format::compact;
  Space space;
  std::vector<RecordedPoint> points;  // by number
  // What it is of, without its tuning, and where it was measured, if its file has several machines' sessions.
  // Other tuners' files say neither.
  std::optional<Case> what = {};
  std::string machine = {};
  RecordedObjective objective = {};

  std::size_t usable() const;
  double optimum() const;                 // the smallest time of Evaluation; infinite if no point has one
  double value(std::size_t point) const;  // of the objective: seconds of a time, else in the objective's unit
  // How good a time of Evaluation is, as a part of the optimum: the ratio of two times, or of two rates. Of
  // an objective that has values of 0 or less: 1 for the best value, 0 for the worst, in proportion between
  // them.
  double fraction(double time) const;
};

// Fills in the times of the points that have a value, from all values: a time as it is; of a rate its
// inverse; of objectives that are not all positive 1 for the best value to e for the worst.
void set_times(std::vector<RecordedPoint>* points, RecordedObjective* objective);

// Read `text`, calling the space `name`; throw UserError saying what is wrong with it. A point whose
// objective is no number below no_time is a failed one; so is one with a time of 0 or less. T4 results 1.0.0
// (https://github.com/odgaard/TuningSchema): the first objective in its unit, else the metadata's `timeunit`,
// else milliseconds; without objectives the first measurement, without measurements `times.runtimes`.
RecordedSpace read_t4(const std::string& text, const std::string& name);
// A cache of Kernel Tuner that may end anywhere: milliseconds; failures as texts or under `__error__`.
RecordedSpace read_kernel_tuner(const std::string& text, const std::string& name);
// KTT's own JSON results: TotalDuration in the metadata's TimeUnit.
RecordedSpace read_ktt(const std::string& text, const std::string& name);
// "AXES POINTS"; a line an axis: name, number of choices, choices; a line a point: the choices' positions and
// its time in milliseconds, or -1. A choice is JSON without blanks, or else a text without quotes.
RecordedSpace read_compact(const std::string& text, const std::string& name);
// Whichever of them `text` is.
RecordedSpace read_recorded(const std::string& text, const std::string& name);

// The spaces of a results file: measurements that differ in their tuning alone, two points at least. Times
// are those of the device where it has any, else of the call.
std::vector<RecordedSpace> recorded_spaces(const Results& results);

// What was read from a format is written in it as it was; from others, what both have. Throws UserError for
// an objective that the format has no place for: compact spaces hold times.
std::string write_t4(const RecordedSpace& recorded);
std::string write_kernel_tuner(const RecordedSpace& recorded);
std::string write_compact(const RecordedSpace& recorded);

// What `others` say of the points of `space`; those that share no point with it are left out. A point that
// was not tried counts as the nearest one that was, if that few were tried (1000), else as the worst. Choices
// are found by their text, axes by their name, in any order.
Prior prior_of(const Space& space, std::span<const RecordedSpace* const> others);

}  // namespace sextant::tuner
