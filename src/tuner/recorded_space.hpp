// Spaces whose points were measured before. Searches can be replayed on them without a device, and priors are
// made of them. Reads results files and other tuners' files, and writes the latter.
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

// Kernel Tuner's mark for a missing time, in milliseconds. Numbers of this size are not valid in any format.
inline constexpr double no_time = 1e20;

struct RecordedPoint {
  Evaluation evaluation;  // its time is what strategies minimize, see set_times
  std::string source;     // its JSON in the file, if it can be written again
  double value = 0;       // value of the objective; its unit is that of RecordedSpace::value
};

struct RecordedSpace {
  std::string name;    // a case without its tuning, or a file name
  std::string header;  // JSON of the file that concerns all points; empty for files that are not JSON
  Format format = Format::compact;
  Space space;
  std::vector<RecordedPoint> points;  // by point number
  // The case without its tuning, and its machine if the file has sessions of several machines. Both are empty
  // for other tuners' files.
  std::optional<Case> what = {};
  std::string machine = {};
  RecordedObjective objective = {};

  std::size_t usable() const;
  double optimum() const;  // smallest time of Evaluation; infinite if no point has one
  double value(
      std::size_t point) const;  // in seconds if the objective is a time, otherwise in the objective's unit
  // Quality of a time of Evaluation, as a fraction of the optimum: the ratio of two times or of two rates.
  // For an objective with values of 0 or less: 1 for the best value, 0 for the worst, linear in between.
  double fraction(double time) const;
};

// Computes the times of all points that have a value. A time stays unchanged; a rate is inverted. If some
// values are not positive, times go from 1 for the best value to e for the worst.
void set_times(std::vector<RecordedPoint>* points, RecordedObjective* objective);

// Reads `text` and names the space `name`. The readers throw UserError that says what is wrong. A point fails
// if its objective is not a number below no_time, or if its time is 0 or less.
//
// T4 results 1.0.0 (https://github.com/odgaard/TuningSchema): the first objective in its unit, otherwise in
// the metadata's `timeunit`, otherwise in milliseconds. Without objectives, the first measurement counts;
// without measurements, `times.runtimes`.
RecordedSpace read_t4(const std::string& text, const std::string& name);
// A cache of Kernel Tuner, possibly truncated. Times are in milliseconds; failures are texts or under
// `__error__`.
RecordedSpace read_kernel_tuner(const std::string& text, const std::string& name);
// KTT's own JSON results: TotalDuration in the metadata's TimeUnit.
RecordedSpace read_ktt(const std::string& text, const std::string& name);
// The compact format starts with the line "AXES POINTS". One line per axis follows: name, number of choices,
// choices. Then comes one line per point: the positions of its choices and its time in milliseconds, or -1. A
// choice is JSON without blanks, or a text without quotes.
RecordedSpace read_compact(const std::string& text, const std::string& name);
// Detects the format of `text`.
RecordedSpace read_recorded(const std::string& text, const std::string& name);

// The spaces of a results file: at least two measurements that differ only in their tuning. Times are those
// of the device if there are any, otherwise call times.
std::vector<RecordedSpace> recorded_spaces(const Results& results);

// Writing a space in the format that it was read from keeps everything. Other formats keep what both support.
// Throws UserError for an objective that the format cannot store: compact spaces store times only.
std::string write_t4(const RecordedSpace& recorded);
std::string write_kernel_tuner(const RecordedSpace& recorded);
std::string write_compact(const RecordedSpace& recorded);

// Prior from `others` for the points of `space`; leaves out spaces without a common point. A point that was
// not tried counts as the nearest tried one if at most 1000 were tried, otherwise as the worst. Choices match
// by text, axes by name in any order.
Prior prior_of(const Space& space, std::span<const RecordedSpace* const> others);

}  // namespace sextant::tuner
