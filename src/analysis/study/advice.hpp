// Derives advice from the results of one machine: which model to use where, what copies cost, how OpenACC
// compares with CUDA, and how certain the results are. present/advice_text.hpp turns these figures into
// sentences.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/study/standing.hpp"

namespace sextant {

// Smallest and largest value and geometric mean of positive values (ratios or counts).
struct Spread {
  double low = 0, high = 0, mean = 0;
  std::size_t count = 0;
};
Spread spread_of(const std::vector<double>& values);

// The smallest N from which a device beats the best CPU version of one kernel and type at every larger size.
struct Frontier {
  StudyGroup group;  // the rows with measurements of both CPU and device; each row has an N
  // Index in `group` of the row from which the device wins. Empty if it does not win at the largest size.
  std::optional<std::size_t> from;
  bool tied = false;    // true if the device and the CPU are tied at the largest size
  double estimate = 0;  // interpolated N at which the ratio of CPU time to device time passes 1; 0: unknown
  std::string device;   // the device column that is fastest at most of the winning sizes
  Spread gain;          // speed-up over the best CPU version at the winning sizes
  double gain_at_largest = 0;
};

// A range of N in which the same column leads in most kernels: "serial at 7936, openmp at 130560".
struct LeadRange {
  std::string column;
  std::int64_t first = 0, last = 0;  // smallest and largest N of the range
};

struct Frontiers {
  std::vector<Frontier> all;
  std::int64_t typical_from = 0;  // the most frequent N from which a device wins in a kernel; 0: in no kernel
  double estimate = 0;            // median of the frontiers' interpolated N; 0: unknown
  std::vector<LeadRange> cpu;     // the CPU models that lead below typical_from
  std::string device;             // the most frequent device column over all frontiers
  Spread gain;                    // speed-up over the best CPU version, at all sizes at which a device wins
  Spread gain_at_largest;         // speed-up of all kernels at their largest N
};
Frontiers frontiers(const std::vector<StudyRow>& rows, bool with_transfers);

// How many times a kernel must use the data on the device before the copies pay off. All counts are for the
// largest N of each kernel.
struct Reuse {
  std::int64_t n = 0;  // the largest N of most kernels
  std::int64_t least = 0, median = 0, most = 0;
  // `never`: number of kernels that are not faster than the CPU even without copies.
  std::size_t kernels = 0, never = 0;
};
Reuse reuse(const std::vector<StudyRow>& rows);

// The ratio of OpenACC's call time to CUDA's in one group of kernels ("stream", "stencil", …), at the largest
// N.
struct OpenaccOverCuda {
  std::string group;
  std::int64_t n = 0;
  Spread ratio;
  // From this N on, OpenACC is within 5 % of CUDA for every kernel of the group; 0: nowhere.
  std::int64_t close_from = 0;
};
std::vector<OpenaccOverCuda> openacc_over_cuda(const std::vector<StudyRow>& rows);

// How often each column is fastest, for machines that lack a CPU or a device result.
struct Tally {
  // Columns with the number of problems that they lead, most frequent first.
  std::vector<std::pair<std::string, std::size_t>> leaders;
  // Numbers of problems. `contested`: at least two competitors. `ties`: no certain winner. `alone`: only one
  // competitor. `incomparable`: this problem lacks a measurement of a column that leads at another size.
  std::size_t problems = 0, contested = 0, ties = 0, alone = 0, incomparable = 0;
};
Tally tally(const std::vector<StudyRow>& rows, bool with_transfers);
// Returns the column that is fastest in most contested problems at each N. Adjacent N with the same column
// form one range.
std::vector<LeadRange> leaders_by_size(const std::vector<StudyRow>& rows);

struct Certainty {
  std::size_t cases = 0, wrong = 0, failed = 0;
  std::size_t too_fast = 0;     // correct, but faster than the ceilings allow: Status::impossible
  std::size_t without_gpu = 0;  // skipped because the machine lacks the GPU; not counted in `cases`
  std::size_t timed = 0;        // correct cases with enough samples for an interval
  std::size_t few = 0;          // correct cases with too few samples for an interval
  std::size_t noisy = 0;        // timed cases whose interval is wider than ± 5 %
  std::map<std::string, std::size_t> noisy_by_column;
  double worst_noise = 0;  // the widest interval among timed cases; 0: unknown
  const Summary* noisiest = nullptr;
};
Certainty certainty(const std::vector<StudyRow>& rows);

// What limits the speed of the fastest variants: memory, arithmetic, launches or links. Only problems with at
// least two competitors count. They count at all sizes, or only at each kernel's largest size.
struct Reasons {
  // Maps each limit to its problems. Problems with an unknown limit are omitted.
  std::map<Limit, std::vector<const StudyRow*>> rows;
  double median_fraction = 0;  // median of the fastest variants' fractions of the ceiling; 0: unknown
  bool on_host = true;         // true if all these variants ran on the CPU
  std::size_t known() const;
};
Reasons reasons(const std::vector<StudyRow>& rows, bool largest);

// Returns the host time in seconds of one kernel launch in this programming model, from the latest session
// that measured it. Empty if it is unknown.
std::optional<double> launch_cost(const std::vector<StudyRow>& rows, const std::string& model);

}  // namespace sextant
