// Derives advice from the results of one machine: which model to use where, the effect of copies, OpenACC
// compared with CUDA, certainty and causes. present/advice_text.hpp turns these figures into sentences.
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
  StudyGroup group;                 // the group's sizes with an N at which CPU and device were measured
  std::optional<std::size_t> from;  // index in group; nothing: the device does not win at the largest size
  bool tied = false;                // not faster at the largest size, but tied there
  double estimate = 0;              // N at which the ratio passes 1, interpolated; 0: not between two sizes
  std::string device;               // the device column that is fastest at most sizes from `from` on
  Spread gain;                      // speed-up over the best CPU version at those sizes
  double gain_at_largest = 0;
};

// The column that leads most kernels from one N to another: "serial at 7936, openmp at 130560".
struct LeadRange {
  std::string column;
  std::int64_t first = 0, last = 0;  // N
};

struct Frontiers {
  std::vector<Frontier> all;
  std::int64_t typical_from = 0;  // the most frequent N at which a device starts to win; 0: in no kernel
  double estimate = 0;            // median of the estimates; 0: unknown
  std::vector<LeadRange> cpu;     // the CPU models that lead below typical_from
  std::string device;             // the most frequent device column over all frontiers
  Spread gain;                    // speed-up over the best CPU version, at all sizes from each frontier on
  Spread gain_at_largest;         // speed-up of all kernels at their largest N
};
Frontiers frontiers(const std::vector<StudyRow>& rows, bool with_transfers);

// Number of uses of data on the device after which its copies pay, at the largest N of each kernel.
struct Reuse {
  std::int64_t n = 0;  // the most frequent largest N
  std::int64_t least = 0, median = 0, most = 0;
  std::size_t kernels = 0, never = 0;  // never: kernels that are not faster than the CPU even without copies
};
Reuse reuse(const std::vector<StudyRow>& rows);

// OpenACC's call time over CUDA's in one group of kernels ("stream", "stencil", …), at the largest N.
struct BesideCuda {
  std::string group;
  std::int64_t n = 0;
  Spread ratio;
  // From this N on, OpenACC is within 5 % of CUDA for every kernel of the group; 0: nowhere.
  std::int64_t close_from = 0;
};
std::vector<BesideCuda> beside_cuda(const std::vector<StudyRow>& rows);

// How often each column is fastest, for machines that lack a CPU or a device result.
struct Tally {
  std::vector<std::pair<std::string, std::size_t>> leaders;  // most frequent first
  // contested: at least two competitors; incomparable: a leader of another size was not measured; alone: one
  // competitor.
  std::size_t problems = 0, contested = 0, ties = 0, alone = 0, incomparable = 0;
};
Tally tally(const std::vector<StudyRow>& rows, bool with_transfers);
// The column that is fastest in most contested problems at each N; adjacent N with the same column are
// merged.
std::vector<LeadRange> leaders_by_size(const std::vector<StudyRow>& rows);

struct Certainty {
  std::size_t cases = 0, wrong = 0, failed = 0;
  std::size_t too_fast = 0;     // correct, but faster than the ceilings allow: Status::impossible
  std::size_t without_gpu = 0;  // skipped because the machine lacks the GPU; not counted in `cases`
  std::size_t timed = 0;        // correct cases with enough samples for an interval
  std::size_t few = 0;          // correct cases with too few samples
  std::size_t noisy = 0;        // timed cases whose interval is wider than ± 5 %
  std::map<std::string, std::size_t> noisy_by_column;
  double worst_noise = 0;  // 0: unknown
  const Summary* noisiest = nullptr;
};
Certainty certainty(const std::vector<StudyRow>& rows);

// The limits of the fastest variants, over problems with at least two competitors: at all sizes, or at each
// kernel's largest size.
// kernel's largest.
struct Reasons {
  std::map<Limit, std::vector<const StudyRow*>> rows;  // without problems whose limit is unknown
  double median_fraction = 0;                          // median fraction of the ceiling; 0: unknown
  bool on_host = true;                                 // the fastest variants all ran on the CPU
  std::size_t known() const;
};
Reasons reasons(const std::vector<StudyRow>& rows, bool largest);

// Host time of one launch in a model, in seconds, from the latest session that measured it; nothing: unknown.
std::optional<double> launch_cost(const std::vector<StudyRow>& rows, const std::string& model);

}  // namespace sextant
