// Compares problems that run on several ranks or GPUs (parts) with runs on one: speed-up, efficiency and the
// cost of the exchange.
#pragma once

#include <string>
#include <vector>

#include "analysis/summary/summary.hpp"

namespace sextant {

// For weak scaling, the single-part case with the size of one part. Any other case is returned unchanged.
Case each_of(Case what);

// Sets the scaling members of the summaries. Speed-ups are T1 / Tn for strong scaling, and n T1 / Tn for weak
// scaling. Two references give T1:
// self the same variant and tuning with one part (1xcpu, gpu0:1)
// best_single the fastest correct variant without parts (cpu, gpu0)
// Efficiency is the speed-up divided by the factor of additional hardware. On a processor that factor counts
// cores, because the ranks of one machine share the cores that a single rank has alone.
void add_scaling(std::vector<Summary>* summaries);

// Measurements that differ only in the number of parts, sorted by it. All are correct and the newest of their
// kind.
struct ScalingCurve {
  std::string machine;
  std::string title;  // "heat3d_r1 double, 256x256x64 in all (strong scaling): openmp.mpi"
  bool weak = false;
  std::vector<const Summary*> points;  // a point with one part belongs to both kinds of scaling
};
std::vector<ScalingCurve> scaling_curves(const std::vector<Summary>& summaries);

}  // namespace sextant
