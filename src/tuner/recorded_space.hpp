// Tuning spaces whose points were measured before. Searches can be replayed on them without a device, and
// priors are made from them. The functions read results files and other tuners' files, and write the latter.
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

// The number of milliseconds that Kernel Tuner writes for a missing time. Numbers this large are invalid in
// every format.
inline constexpr double no_time = 1e20;

struct RecordedPoint {
  Evaluation evaluation;  // its time is the value that search strategies minimize (see set_times)
  std::string source;     // JSON text of the point in the file; empty if it cannot be written again
  double value = 0;       // measured value of the objective, in the unit of RecordedSpace::value
};

struct RecordedSpace {
  std::string name;    // name of a case without its tuning, or name of a file
  std::string header;  // JSON text of the file that concerns all points; empty for files that are not JSON
  Format format = Format::compact;
  Space space;
  std::vector<RecordedPoint> points;  // index: number of the point in `space`
  // The case without its tuning. `machine` is set only if the file has sessions of several machines. Both are
  // empty for other tuners' files.
  std::optional<Case> what = {};
  std::string machine = {};
  RecordedObjective objective = {};

  std::size_t usable() const;
  double optimum() const;  // the smallest time of all points (Evaluation::time); infinite if no point has one
  // Value of a point, in seconds if the objective is a time, otherwise in the objective's unit.
  double value(std::size_t point) const;
  // Quality of a point with this time (Evaluation::time), as a fraction of the best: the ratio of two times
  // or of two rates. If the objective has values of 0 or less, it is linear from 1 for the best value to 0
  // for the worst.
  double fraction(double time) const;
};

// Computes Evaluation::time of all points that have a value. A time stays unchanged, and a rate is inverted.
// If some values are not positive, times go from 1 for the best value to e for the worst.
void set_times(std::vector<RecordedPoint>* points, RecordedObjective* objective);

// Reads `text` and names the space `name`. The readers throw UserError that says what is wrong. A point fails
// if its objective is not a number below no_time, or if its time is 0 or less.
//
// T4 results 1.0.0 (https://github.com/odgaard/TuningSchema): the first objective in its unit, otherwise in
// the metadata's `timeunit`, otherwise in milliseconds. Without objectives, the first measurement counts;
// without measurements, `times.runtimes`.
RecordedSpace read_t4(const std::string& text, const std::string& name);
// Reads a cache of Kernel Tuner, which may be truncated. Times are in milliseconds. A failure is a text
// instead of a time, or a text under `__error__`.
RecordedSpace read_kernel_tuner(const std::string& text, const std::string& name);
// Reads KTT's own JSON results. The time is TotalDuration in the unit that the metadata's TimeUnit names.
RecordedSpace read_ktt(const std::string& text, const std::string& name);
// Reads the compact format. The first line is "AXES POINTS", the numbers of axes (tunables) and points. One
// line per axis follows: name, number of choices, choices. Then comes one line per point: the positions of
// its choices and its time in milliseconds, or -1 for a failure. A choice is JSON without blanks, or a text
// without quotes.
RecordedSpace read_compact(const std::string& text, const std::string& name);
// Reads `text` in any of these formats, which it detects.
RecordedSpace read_recorded(const std::string& text, const std::string& name);

// The spaces of a results file. A space consists of at least two measurements that differ only in their
// tuning. Times are device times if there are any, otherwise call times.
std::vector<RecordedSpace> recorded_spaces(const Results& results);

// Writes a space as text. If the format is the one that the space was read from, nothing is lost. Otherwise,
// the text has what both formats support. Throws UserError for an objective that the format cannot store: the
// compact format stores only times.
std::string write_t4(const RecordedSpace& recorded);
std::string write_kernel_tuner(const RecordedSpace& recorded);
std::string write_compact(const RecordedSpace& recorded);

// Makes a prior for the points of `space` from the spaces `others`, except those without a common point. A
// point that was not tried in a source counts as the nearest tried one if at most 1000 points were tried
// there, otherwise as the worst one. Choices match by text, and axes match by name in any order.
Prior prior_of(const Space& space, std::span<const RecordedSpace* const> others);

}  // namespace sextant::tuner
