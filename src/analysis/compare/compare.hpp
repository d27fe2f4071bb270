// One side's measurements against another's, case by case.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/compare/run_noise.hpp"
#include "analysis/summary/summary.hpp"

namespace sextant {

// What is compared: one file or several, each session of which is a run. All summaries point into Results
// that outlive the side.
struct Side {
  std::string name;
  std::vector<Summary> summaries;
};

enum class Verdict : std::uint8_t { same, faster, slower, ambiguous, broken, repaired, no_result };

constexpr const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::same:
      return "same";
    case Verdict::faster:
      return "faster";
    case Verdict::slower:
      return "slower";
    case Verdict::ambiguous:
      return "ambiguous";
    case Verdict::broken:
      return "broken";
    case Verdict::repaired:
      return "repaired";
    case Verdict::no_result:
      return "no result";
  }
  return "?";
}

// steadiest: the device's where both sides have it and it is the kernels' (not copies that a variant makes of
// its own), else the call's.
enum class ComparedTime : std::uint8_t { steadiest, call, device };

constexpr const char* name_of(ComparedTime time) {
  switch (time) {
    case ComparedTime::steadiest:
      return "steadiest";
    case ComparedTime::call:
      return "call";
    case ComparedTime::device:
      return "device";
  }
  return "?";
}

// True where kernels take less than half of the device's time: a variant that copies its arrays itself, from
// and to the host's memory, at the host's pace.
bool copies_itself(const Measurement& measurement);

struct ComparedCase {
  const Summary* base = nullptr;  // the newest run of each side
  const Summary* other = nullptr;
  ComparedTime time = ComparedTime::call;     // what it is judged by: call or device
  std::size_t base_runs = 0, other_runs = 0;  // correct and timed
  double base_time = 0, other_time = 0;  // seconds: the median of the runs' medians (device: middle means)
  Interval ratio;     // other over base, with its 95 % interval, run-to-run noise included: the case's own
                      // where it has enough runs (shift_interval); minimum: of all runs' minima
  Interval sampling;  // the same ratio with the interval that the samples alone give
  Verdict verdict = Verdict::ambiguous;
  std::string reason;  // of broken, repaired, no result and ambiguous
};

// The noise between single runs of the cases judged by one kind of time.
struct TimeNoise {
  ComparedTime time = ComparedTime::call;
  std::size_t cases = 0;
  RunNoise noise;           // of all their ratios
  double common_ratio = 1;  // what most cases have in common, taken out of the noise; 1 for equal builds
  double least_limit = 0, greatest_limit = 0;  // of the cases: what a difference has to exceed
};

struct Comparison {
  bool in_turns = false;  // each case by its own turns (analysis/compare/turns.hpp): no noise is learned
  NoiseModel noise;
  std::vector<TimeNoise> times;
  std::vector<ComparedCase> cases;
};

// A case that some of the sides have and others have not.
struct MissingCase {
  const Summary* found = nullptr;
  std::vector<std::size_t> missing_on;  // sides
};

struct MatchedCase {
  // By side: the runs of this case, oldest first.
  std::vector<std::vector<const Summary*>> runs;
};

struct Matching {
  std::vector<MatchedCase> matched;  // on all sides, in the first's order
  std::vector<MissingCase> missing;
};

// Cases are equal if kernel, variant, type, size, parameters, tuning and cache are. Machines count only where
// a side has several, which of the machine's GPUs only where a side used several, and threads with their
// binding only where a side measured a case with several. Skipped cases count as
// missing. Of a side's runs those of the newest build are taken.
Matching match(const std::vector<Side>& sides);

// The runs of each case that any side has, oldest first and of any build, without skipped ones. Cases are
// told apart as `match` does.
std::vector<std::vector<const Summary*>> runs_of_cases(const std::vector<Side>& sides);

// What such runs are judged by: call or device.
ComparedTime time_for(const std::vector<const Summary*>& runs, ComparedTime asked);

// A run's time in seconds, the median of its samples (device: middle mean); nothing if it has none that
// counts.
std::optional<double> time_of_run(const Summary& run, ComparedTime time);

// A ceiling that both sides measured, in its own unit; with several sessions their median.
struct ComparedCeiling {
  Ceiling base;
  double other = 0;
};
// In the order of the base's newest session; empty where a side is of several machines.
std::vector<ComparedCeiling> compare_ceilings(const Side& base, const Side& other);

// Every matched case of sides[other] against sides[0]. `threshold`: the smallest relative difference worth a
// verdict, 0.05 for 5 %.
Comparison compare(const std::vector<Side>& sides, const Matching& matching, std::size_t other,
                   double threshold, ComparedTime time);

// The environment's entries in which two sides differ, of those that say where and of what was measured, with
// both values ("" for none).
struct Difference {
  std::string key, base, other;
};
std::vector<Difference> setting_differences(const Side& base, const Side& other);

}  // namespace sextant
