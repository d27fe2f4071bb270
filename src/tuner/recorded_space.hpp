// Spaces whose points were measured before: what a search can be replayed on without a device, and what priors are made
// of. Read from results files and from other tuners' files, and written for them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/results.hpp"
#include "tuner/evaluation.hpp"
#include "tuner/prior.hpp"
#include "tuner/space.hpp"

namespace sextant::tuner {

enum class Format : std::uint8_t { t4, kernel_tuner, compact };

// Kernel Tuner's mark for a time that is none, in milliseconds; whatever is no smaller is no time in any format.
inline constexpr double no_time = 1e20;

struct RecordedPoint {
  Evaluation evaluation;
  std::string source;  // what its file said of it, as JSON; empty for files that are not JSON
};

struct RecordedSpace {
  std::string name;    // what it is of: a case without its tuning, or a file's name
  std::string header;  // what its file said of all points, as JSON; empty for files that are not JSON
  Format format = Format::compact;
  Space space;
  std::vector<RecordedPoint> points;  // by number
  // What it is of, without its tuning, and where it was measured, if its file has several machines' sessions. Other
  // tuners' files say neither.
  std::optional<Case> what = {};
  std::string machine = {};

  std::size_t usable() const;
  double optimum() const;  // seconds, the smallest time; infinite if no point has one
};

// Read `text`, calling the space `name`; throw UserError saying what is wrong with it. A time that is no positive
// number below no_time makes its point a failed one.
// T4 results 1.0.0 (https://github.com/odgaard/TuningSchema): milliseconds; `compilation` and `compilation_time`.
RecordedSpace read_t4(const std::string& text, const std::string& name);
// A cache of Kernel Tuner, without its closing brackets, too: milliseconds; failures as texts or under `__error__`.
RecordedSpace read_kernel_tuner(const std::string& text, const std::string& name);
// "AXES POINTS"; a line an axis: name, number of choices, choices; a line a point: the choices' positions and its
// time in milliseconds, or -1.
RecordedSpace read_compact(const std::string& text, const std::string& name);
// Whichever of them `text` is.
RecordedSpace read_recorded(const std::string& text, const std::string& name);

// The spaces of a results file: measurements that differ in their tuning alone, two points at least. Times are those of
// the device where it has any, else of the call.
std::vector<RecordedSpace> recorded_spaces(const Results& results);

// What was read from a format is written in it as it was; from others, what both have.
std::string write_t4(const RecordedSpace& recorded);
std::string write_kernel_tuner(const RecordedSpace& recorded);
std::string write_compact(const RecordedSpace& recorded);

// What `others` say of the points of `space`; those that share no point with it are left out. Of a space of which little was tried (1000 points), what was not is taken for the nearest
// that was; of others for the worst. A choice is found by its
// text, an axis by its name, in any order.
Prior prior_of(const Space& space, std::span<const RecordedSpace* const> others);

}  // namespace sextant::tuner
