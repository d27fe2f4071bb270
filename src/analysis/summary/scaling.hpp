// Problems in parts held against one: what several processes gain, and what of their time goes into
// exchanging.
#pragma once

#include <string>
#include <vector>

#include "analysis/summary/summary.hpp"

namespace sextant {

// The case of which each part of a weakly scaled one has as much; of any other, the case itself.
Case each_of(Case what);

// Fills in what Summary has of parts.
//   self          over the same variant and tuning with one part (1xcpu, gpu0:1): T1 / Tn
//   best_single   over the fastest correct variant without parts (cpu, gpu0)
// A weakly scaled problem has n times as much to do: n T1 / Tn. Efficiency is the speed-up by how many times
// more hardware was used: of ranks on a processor its cores, since several ranks of one machine share what
// one has alone.
void add_scaling(std::vector<Summary>* summaries);

// What differs in the number of parts alone, in its order; all is correct and the newest of its kind.
struct ScalingCurve {
  std::string machine;
  std::string title;  // "heat3d_r1 double, 256x256x64 in all (strong scaling): openmp.mpi"
  bool weak = false;
  std::vector<const Summary*> points;  // what one part does belongs to both kinds of scaling
};
std::vector<ScalingCurve> scaling_curves(const std::vector<Summary>& summaries);

}  // namespace sextant
