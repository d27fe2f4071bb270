// Tuning spaces whose points were measured before, for replaying searches without a device and for making
// priors. Reads results files, and reads and writes other tuners' files.
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

// Milliseconds that Kernel Tuner writes for a missing time. Numbers this large are invalid in every format.
inline constexpr double no_time = 1e20;

struct RecordedPoint {
  Evaluation evaluation;  // its `time` is the value that strategies minimize (see set_times)
  std::string source;     // JSON text of the point in the file; empty if it cannot be written again
  double value = 0;       // measured value of the objective, in the unit of RecordedSpace::value
};

struct RecordedSpace {
  std::string name;    // name of a case without its tuning, or name of a file
  std::string header;  // JSON text that concerns all points of the file; empty if the file is not JSON
  Format format = Format::compact;
  Space space;
  std::vector<RecordedPoint> points;  // index: number of the point in `space`
  // The case without its tuning. `machine` is set only if the file has sessions of several machines. Both are
  // empty for other tuners' files.
  std::optional<Case> what = {};
  std::string machine = {};
  RecordedObjective objective = {};

  std::size_t usable() const;
  double optimum() const;  // the smallest Evaluation::time of all points; infinite if there is none
  // Value of a point: seconds if the objective is a time, otherwise in the objective's unit.
  double value(std::size_t point) const;
  // Quality of a point with this Evaluation::time, as a fraction of the best: the ratio of two times or of
  // two rates. If the objective has values of 0 or less, it goes linearly from 1 (best) to 0 (worst).
  double fraction(double time) const;
};

// Computes Evaluation::time of all points that have a value. Times stay unchanged, and rates are inverted. If
// some values are not positive, times go from 1 for the best value to e for the worst.
void set_times(std::vector<RecordedPoint>* points, RecordedObjective* objective);

// The readers call the space `name` and throw UserError for an invalid file. A point counts as failed if its
// objective is not a number below no_time, or if its time is 0 or less.
//
// T4 results 1.0.0 (https://github.com/odgaard/TuningSchema). The first objective counts; without objectives,
// the first measurement; without measurements, `times.runtimes`. The unit is the measurement's, otherwise the
// metadata's `timeunit`, otherwise milliseconds.
RecordedSpace read_t4(const std::string& text, const std::string& name);
// Reads a cache of Kernel Tuner, which may be truncated. Times are in milliseconds. Failures have a text
// instead of a time, or a text under `__error__`.
RecordedSpace read_kernel_tuner(const std::string& text, const std::string& name);
// Reads JSON results of the tuner KTT. The time is TotalDuration, in the metadata's TimeUnit.
RecordedSpace read_ktt(const std::string& text, const std::string& name);
// Reads the compact format. The first line is "AXES POINTS", the numbers of axes (tunables) and points. Each
// axis has a line: name, number of choices, choices. Each point has a line: the indices of its choices, and
// its time in milliseconds or -1 for a failure. A choice is JSON without blanks, or a text without quotes.
RecordedSpace read_compact(const std::string& text, const std::string& name);
// Detects which of these formats `text` has, and reads it.
RecordedSpace read_recorded(const std::string& text, const std::string& name);

// The spaces of a results file. A space has at least two measurements that differ only in their tuning. Times
// are device times if known, otherwise call times.
std::vector<RecordedSpace> recorded_spaces(const Results& results);

// Writes a space as text. Nothing is lost if the space was read from the same format. Throws UserError for an
// objective that the format cannot store: the compact format stores only times.
std::string write_t4(const RecordedSpace& recorded);
std::string write_kernel_tuner(const RecordedSpace& recorded);
std::string write_compact(const RecordedSpace& recorded);

// Makes a prior for the points of `space` from the spaces `others`. Sources without a common point are left
// out. A point that a source lacks counts as its nearest point if the source has at most 1000 common points,
// otherwise as the worst one. Choices match by text, and axes by name.
Prior prior_of(const Space& space, std::span<const RecordedSpace* const> others);

}  // namespace sextant::tuner
