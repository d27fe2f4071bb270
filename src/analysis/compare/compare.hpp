// Compares the measurements of two sides (files or groups of files) case by case.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/summary/summary.hpp"
#include "record/device_time.hpp"

namespace sextant {

// One side of a comparison, consisting of one or several results files. Each session in these files counts as
// a run. The summaries point into Results that must outlive the side.
struct Side {
  std::string name;
  std::vector<Summary> summaries;
};

enum class Verdict : std::uint8_t { equal, faster, slower, open, broken, repaired, no_result };

constexpr const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::equal:
      return "equal";
    case Verdict::faster:
      return "faster";
    case Verdict::slower:
      return "slower";
    case Verdict::open:
      return "open";
    case Verdict::broken:
      return "broken";
    case Verdict::repaired:
      return "repaired";
    case Verdict::no_result:
      return "no result";
  }
  return "?";
}

// The time that a comparison uses. `steadiest` selects the device time if both sides have it and kernels
// dominate it (see copies_itself), else the call time.
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

struct ComparedCase {
  // newest run of the case on the first side; `other` is the newest run on the other side
  const Summary* base = nullptr;
  const Summary* other = nullptr;
  ComparedTime time = ComparedTime::call;     // the kind of time that is compared: call or device
  std::size_t base_runs = 0, other_runs = 0;  // number of correct and timed runs of each side
  double base_time = 0, other_time = 0;       // seconds; each is the geometric mean over the runs of its side
  // The other side's time over the base's time. Its 95 % interval includes the differences between runs. The
  // member `minimum` is the ratio of the shortest times of the two sides.
  Interval ratio;
  Verdict verdict = Verdict::open;
  // Explains the verdicts broken, repaired, no_result and open. Explains faster and slower if the clock does.
  std::string reason;
};

// The source of the noise estimate for two runs of one case. `typical`: built-in values. `comparison`: the
// ratios of all cases of this comparison. `visits`: repeated runs, or visits (short re-measurements in
// separate processes).
enum class NoiseSource : std::uint8_t { typical, comparison, visits };

// The smallest and the largest limit of all cases that use one kind of time. A case counts as faster or
// slower only if the logarithm of its time ratio exceeds its limit. The limit is half the width of the 99.5 %
// interval of that logarithm.
struct Limits {
  ComparedTime time = ComparedTime::call;
  std::size_t cases = 0;
  double least = 0, greatest = 0;  // logarithms of time ratios
};

struct Comparison {
  // True if each case was measured in A-B-B-A pairs (analysis/compare/turns.hpp). Such cases need no limits.
  bool in_turns = false;
  NoiseSource source = NoiseSource::typical;
  std::vector<Limits> limits;
  std::vector<ComparedCase> cases;
};

// A case that some sides have and others lack.
struct MissingCase {
  const Summary* found = nullptr;
  std::vector<std::size_t> missing_on;  // indices of the sides that lack the case
};

struct MatchedCase {
  // runs[side] has the runs of this case on that side, oldest first.
  std::vector<std::vector<const Summary*>> runs;
};

struct Matching {
  std::vector<MatchedCase> matched;  // cases that all sides have, in the first side's order
  std::vector<MissingCase> missing;
};

// Matches cases by kernel, variant, type, size, parameters, tuning, cache mode and fill. The machine is
// compared only if a side has several machines, and the GPU only if a side used several. Threads and their
// binding are compared only if a side measured a case with several settings. A skipped case counts as
// missing. Only the runs of a side's newest build are kept.
Matching match(const std::vector<Side>& sides);

// Returns the runs of each case over all sides and builds, oldest first, without skipped runs. Cases are
// matched as in `match`.
std::vector<std::vector<const Summary*>> runs_of_cases(const std::vector<Side>& sides);

// Returns the kind of time (call or device) by which these runs are compared.
ComparedTime time_for(const std::vector<const Summary*>& runs, ComparedTime asked);

// Returns the time of a run in seconds: the median of its call samples, or the middle mean of its device
// samples. Nothing if the run is not correct or has no samples.
std::optional<double> time_of_run(const Summary& run, ComparedTime time);

// A ceiling (measured hardware limit) that both sides have, in its own unit. If a side has several sessions,
// its value is the median over them.
struct ComparedCeiling {
  Ceiling base;
  double other = 0;
  // The other side's value over the base's value. The bounds cover the smallest and largest values of both
  // sides, and the difference between two measurements of one ceiling.
  Interval ratio;
};
// True if the ratio's interval excludes 1 and the values differ by more than `threshold`.
bool differs(const ComparedCeiling& ceiling, double threshold);
// Compares ceilings in the order of the base's newest session. Empty if a side has several machines.
std::vector<ComparedCeiling> compare_ceilings(const Side& base, const Side& other);

// Compares every matched case of sides[other] with sides[0]. `threshold` is the smallest relative difference
// that gets a verdict (0.05 for 5 %).
Comparison compare(const std::vector<Side>& sides, const Matching& matching, std::size_t other,
                   double threshold, ComparedTime time);

// An environment entry that differs between two sides, with both values ("" for none). Only entries that
// describe the machine, the build or the settings are compared.
struct Difference {
  std::string key, base, other;
};
std::vector<Difference> setting_differences(const Side& base, const Side& other);

}  // namespace sextant
