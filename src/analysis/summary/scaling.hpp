// Compares problems that run on several ranks or GPUs (parts) with runs on one: speed-up, efficiency and the
// cost of the exchange.
#pragma once

#include <string>
#include <vector>

#include "analysis/summary/summary.hpp"

namespace sextant {

// Returns the case of one rank or GPU with which a weak-scaling case is compared. It is the same problem with
// the size that each rank or GPU has. Any other case is returned unchanged.
Case each_of(Case what);

// Sets the scaling members of the summaries. T1 is the time on one part (rank or GPU), and Tn the time on n
// parts. The speed-up is T1 / Tn for strong scaling and n T1 / Tn for weak scaling. Two references give T1:
//   self         the same variant and tuning with one part (1xcpu, gpu0:1)
//   best_single  the fastest correct variant that is not split into parts (cpu, gpu0)
// Efficiency is the speed-up divided by the factor of additional hardware. On a processor, this factor counts
// cores, because a single rank may already use several.
void add_scaling(std::vector<Summary>* summaries);

// Measurements that differ only in the number of ranks or GPUs, sorted by that number. All are correct, and
// each is the newest of its case.
struct ScalingCurve {
  std::string machine;
  std::string title;  // such as "heat3d_r1 double, 256x256x64 in all (strong scaling): openmp.mpi"
  bool weak = false;
  std::vector<const Summary*> points;  // the point with one rank or GPU belongs to strong and to weak scaling
};
std::vector<ScalingCurve> scaling_curves(const std::vector<Summary>& summaries);

}  // namespace sextant
