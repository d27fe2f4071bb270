// What the results of one machine advise: which model to use where, what copies change, OpenACC's place
// beside CUDA, how sure that is and why. Facts alone; present/advice_text.hpp makes sentences of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/study/standing.hpp"

namespace sextant {

// Of ratios or counts: their ends and geometric mean.
struct Spread {
  double low = 0, high = 0, mean = 0;
  std::size_t count = 0;
};
Spread spread_of(const std::vector<double>& values);

// From which N on a device beats the best CPU version of one kernel and type, at every size from there on.
struct Frontier {
  StudyGroup group;                 // its sizes with an N at which both were measured
  std::optional<std::size_t> from;  // index in group; nothing: never
  bool tied = false;                // not beaten, but tied with at the largest size
  double estimate = 0;              // where the ratio passes 1, interpolated; 0: not between two sizes
  std::string device;               // the column that is the fastest device's at most sizes from there on
  Spread gain;                      // over the best CPU version, at those sizes
  double gain_at_largest = 0;
};

// Who leads most kernels from one N to another: "serial at 7936, openmp at 130560".
struct LeadRange {
  std::string column;
  std::int64_t first = 0, last = 0;  // N
};

struct Frontiers {
  std::vector<Frontier> all;
  std::int64_t typical_from = 0;  // the N from which on the device leads in most kernels; 0: in none
  double estimate = 0;            // median of the estimates; 0: unknown
  std::vector<LeadRange> cpu;     // of the CPU's models, below it
  std::string device;             // the column that leads most often from there on
  Spread gain;                    // over the best CPU version, at all sizes from each frontier on
  Spread gain_at_largest;         // of all kernels, at their largest N
};
Frontiers frontiers(const std::vector<StudyRow>& rows, bool with_transfers);

// How often data must be used on the device until its copies pay, at the largest N of each kernel.
struct Reuse {
  std::int64_t n = 0;  // the N of most of them
  std::int64_t least = 0, median = 0, most = 0;
  std::size_t kernels = 0, never = 0;  // never: the kernel alone is no faster than the CPU
};
Reuse reuse(const std::vector<StudyRow>& rows);

// OpenACC's call time over CUDA's in one group of kernels ("stream", "stencil", …), at the largest N.
struct BesideCuda {
  std::string group;
  std::int64_t n = 0;
  Spread ratio;
  std::int64_t close_from = 0;  // from this N on it is within 5 % for every kernel of the group; 0: nowhere
};
std::vector<BesideCuda> beside_cuda(const std::vector<StudyRow>& rows);

// Who leads how often, for machines without both a CPU and a device.
struct Tally {
  std::vector<std::pair<std::string, std::size_t>> leaders;  // most first
  std::size_t problems = 0, contested = 0, ties = 0, alone = 0, incomparable = 0;
};
Tally tally(const std::vector<StudyRow>& rows, bool with_transfers);
// Who leads most of the problems with a rival at each N; neighbours merged.
std::vector<LeadRange> leaders_by_size(const std::vector<StudyRow>& rows);

struct Certainty {
  std::size_t cases = 0, wrong = 0, failed = 0;
  std::size_t too_fast = 0;     // right, but faster than the ceilings allow: Status::impossible
  std::size_t without_gpu = 0;  // skipped, as the machine has no such GPU: none of `cases`
  std::size_t timed = 0;        // correct cases with samples enough for an interval
  std::size_t few = 0;          // correct cases with too few of them
  std::size_t noisy = 0;        // of `timed`: the interval is wider than ± 5 %
  std::map<std::string, std::size_t> noisy_by_column;
  double worst_noise = 0;  // 0: unknown
  const Summary* noisiest = nullptr;
};
Certainty certainty(const std::vector<StudyRow>& rows);

// What limits the fastest of each problem that several versions were measured of, at all sizes or those of
// the largest N of each kernel.
struct Reasons {
  std::map<Limit, std::vector<const StudyRow*>> rows;  // without those whose limit is unknown
  double median_fraction = 0;                          // of the ceiling; 0: unknown
  bool on_host = true;                                 // all of them on the CPU
  std::size_t known() const;
};
Reasons reasons(const std::vector<StudyRow>& rows, bool largest);

// Seconds that a launch costs the host in a model, by the latest session that measured it; nothing: unknown.
std::optional<double> launch_cost(const std::vector<StudyRow>& rows, const std::string& model);

}  // namespace sextant
