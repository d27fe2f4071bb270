// Sequential dependencies of a kernel: chains between items, and dependent operations of the plain loop.
#pragma once

#include "predict/form.hpp"

namespace sextant::predict {

// Number of chain steps between items: the kernel's depth minus the operations within an item and the levels
// of a tree over all items. A tree alone, such as a reduction, counts as one step.
double steps_between_items(const Form& form);

// Seconds of such a chain. Each step costs `latency`, plus `all_wait` if several items take part in it.
// `agreeing` multiplies the wait if data decide which items take part, as in a graph search. A wavefront
// through a grid is tiled, so that threads wait only once per row of tiles.
double chain_time(const Form& form, double latency, double all_wait, double agreeing);

// True if items accumulate into shared outputs at positions that depend on data, such as histograms.
bool adds_to_many(const Form& form);

// Sequential part of the plain loop.
struct InOrder {
  double terms = 0;         // operations that wait for the previous one
  double sharing = 0;       // slowdown of a term if cores share the terms; 0: shared terms do not wait
  bool recurrence = false;  // the terms form a chain from item to item, not a sum
  bool scattered = false;   // the terms are writes of a sort, at positions that depend on data
};

// Recognizes these sequential patterns:
// - sums over all items;
// - scans, which the plain loop computes as a chain;
// - sorts: passes that write at positions which depend on data;
// - items whose operations form one chain;
// - items that sum data no other item reads, or strided data, so that sums are not vectorized across items.
// More loads than terms imply indexed access, which cores do not vectorize either. Cores that accumulate into
// shared outputs use one table per core and merge the tables at the end.
InOrder in_order(const Form& form);

}  // namespace sextant::predict
