// Sequential dependencies of a kernel: chains from item to item, and sequential operations within a loop.
#pragma once

#include "predict/constants.hpp"
#include "predict/form.hpp"

namespace sextant::predict {

// Number of sequential steps between items: the kernel's depth minus the operations within an item and the
// levels of a tree over all items. A tree alone, such as a reduction, counts as one step.
double steps_between_items(const Constants& c, const Form& form);

// Seconds of the chain of dependent steps between items. Each step costs `latency`, plus a wait of `all_wait`
// seconds if several items run in it. `agreeing` multiplies the wait if the data select these items, as in a
// graph search. Wavefronts are tiled, so that threads wait only once per row of tiles.
double chain_time(const Constants& c, const Form& form, double latency, double all_wait, double agreeing);

// True if items add to several shared outputs at positions that depend on data, as in a histogram.
bool adds_to_many(const Form& form);

// The operations of a plain loop that must run one after the other.
struct InOrder {
  double terms = 0;         // number of operations that depend on the previous one
  double sharing = 0;       // factor on a term's time if cores share the sum; 0: shared terms need not wait
  bool recurrence = false;  // the terms form a chain from item to item, not a sum
  bool scattered = false;   // the terms are writes of a sort, at positions that depend on data
};

// Recognizes these sequential patterns:
// - sums over all items;
// - scans, which the plain loop computes as a chain;
// - sorts: passes that write to positions which depend on the data;
// - items in which each operation depends on the previous one;
// - items that each sum their own data or strided data, which are not vectorized across items.
// More loads than terms imply indexed access, which is not vectorized either. Sums into shared outputs use
// one table per core, which are merged at the end.
InOrder in_order(const Constants& c, const Form& form);

}  // namespace sextant::predict
