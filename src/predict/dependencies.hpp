// Sequential dependencies of a kernel: chains from item to item, and dependent operations of the plain loop.
#pragma once

#include "predict/form.hpp"

namespace sextant::predict {

// Number of steps in the chain of dependencies between items. It is the kernel's depth minus the operations
// within an item and the levels of a tree over all items. A tree alone, such as a reduction, counts as one
// step.
double steps_between_items(const Form& form);

// Seconds of the chain of dependencies between items. Each step costs `latency`, plus a wait of `all_wait`
// seconds if several items take part in it. `agreeing` multiplies the wait if data decide which items take
// part, as in a graph search. A wavefront through a grid is tiled, so that threads wait only once per row of
// tiles.
double chain_time(const Form& form, double latency, double all_wait, double agreeing);

// True if items add to several shared outputs at positions that depend on data, as in a histogram.
bool adds_to_many(const Form& form);

// The operations of the plain loop that must run in sequence.
struct InOrder {
  double terms = 0;    // number of operations that wait for the previous one
  double sharing = 0;  // slowdown of a term if several cores share the terms; 0: shared terms do not wait
  bool recurrence = false;  // the terms form a chain from item to item, not a sum
  bool scattered = false;   // the terms are writes of a sort, at positions that depend on data
};

// Recognizes these sequential patterns:
// - sums over all items;
// - scans, which the plain loop computes as a chain;
// - sorts: passes that write at positions which depend on data;
// - items in which each operation depends on the previous one;
// - items that sum data no other item reads, or strided data, so that sums are not vectorized across items.
// More loads than terms imply indexed access, which cores do not vectorize either. Cores that accumulate into
// shared outputs use one table per core and merge the tables at the end.
InOrder in_order(const Form& form);

}  // namespace sextant::predict
