#include "predict/chains.hpp"

#include <algorithm>
#include <cmath>

#include "predict/traffic.hpp"

namespace sextant::predict {
namespace {

constexpr double tile = 32;            // steps of a front through a grid that are taken in one go
constexpr double least_sum = 8;        // loads of an item that sums
constexpr double few_reads = 3;        // of each element: items share none of their own
constexpr double indexed = 1.1;        // loads for each operation: the others are of indices
constexpr double most_of_a_level = 2;  // operations of an item of a recurrence at a level of the tree
constexpr double scan_step = 0.45;     // of a term of a sum: parts of a scan are vectors
constexpr double look_up_step = 1;     // likewise, where an item is looked up where the one before says
constexpr double own_tree = 3;         // operations of an item that no scan does
constexpr double table_loads = 2;  // loads of an item that adds to many: of others each takes as long again
constexpr double lines_apart = 2;  // that far terms of neighbours are vectors
// So many times longer terms take where cores share them, who start and meet; those of indices; those that go
// to a table of each.
constexpr double shared_terms = 1.5, shared_gathers = 2.5, shared_tables = 4.5;
constexpr double scattered_step = 4;  // of an item that is written where its value says
constexpr double goes_with_it = 0.5;  // so much more of each element that goes with it

double items_of(const Form& form) { return static_cast<double>(form.work.items); }

// Operations of an item.
double own_operations(const Form& form) {
  return static_cast<double>(form.work.flops + form.work.integer_operations) / std::max(items_of(form), 1.0);
}

// Whether its steps are the diagonals of a grid.
bool is_front(const Form& form) {
  const auto diagonals = static_cast<double>(form.extents.x + form.extents.y);
  return form.extents.y > 1 && form.traits.depth <= diagonals && form.traits.depth >= diagonals - 2;
}

// Whether what an item sums is its own, so that neighbours are no vectors.
bool sums_of_its_own(const Form& form) {
  const Traits& traits = form.traits;
  if (traits.loads < least_sum || traits.stores > 1) return false;
  return reuse(form) <= few_reads || steps_between_items(form) > 1 ||
         traits.stride_read * element_bytes(form) > lines_apart * cpu_line;
}

// Whether an item's depth is that of trees among a row of others, each row by itself: it does more than items
// of a scan over all do.
bool has_trees_of_its_own(const Form& form) {
  const double levels = std::log2(std::max(items_of(form), 1.0));
  return form.extents.y <= 1 && passes(form) <= 1 && own_operations(form) > own_tree &&
         form.traits.depth <= 2 * levels + own_operations(form);
}

// Of an item of a scan, in terms of a sum.
double step_of_scan(const Form& form) {
  const bool looked_up =
      own_operations(form) <= 0 && form.traits.stride_read * element_bytes(form) > cpu_line;
  return looked_up ? look_up_step : scan_step;
}

// Of sums of all items, or of some of them.
InOrder sums_of_items(const Form& form, bool indices) {
  const double step = own_operations(form) > 0 ? 1 : scan_step;
  if (!adds_to_many(form)) return {items_of(form) * step, indices ? shared_terms : 0};
  return {items_of(form) * step * std::max(form.traits.loads / table_loads, 1.0), shared_tables};
}

// How often an item is written where its value says: once a pass, and no more often than it stores. What else
// it stores goes along.
double scatters_of_an_item(const Form& form) {
  const double stores = form.traits.stores;
  if (stores <= 0) return passes(form);
  const double often = std::min(passes(form), stores);
  return often + goes_with_it * (stores - often);
}

// Whether an item's operations are one chain.
bool is_one_chain(const Form& form) {
  const double depth = form.traits.depth, own = own_operations(form);
  return depth > std::max(passes(form), 1.0) && depth <= own && own <= 1.01 * depth;
}

// Whether it is a recurrence, which the plain loop goes along: its depth is that of a tree over items at
// most, at whose levels the items have less to do than a transform's, and what an item stores besides its
// result others read.
bool goes_along(const Form& form) {
  const double depth = form.traits.depth, own = own_operations(form);
  return passes(form) <= 1 && depth > 1 && depth <= std::log2(std::max(items_of(form), 1.0)) + 1 && own > 1 &&
         own <= most_of_a_level * depth && form.traits.stores > 1;
}

// Whether its steps are levels of items that data choose, as those of a search, however few: no tree over all
// items is so deep.
bool goes_by_levels(const Form& form) {
  return form.traits.divergence > 0 && form.traits.reduction <= 0 && own_operations(form) < 1 &&
         form.traits.depth != std::ceil(std::log2(std::max(items_of(form), 1.0)));
}

}  // namespace

double steps_between_items(const Form& form) {
  const double items = std::max(items_of(form), 1.0);
  const double crossing = form.traits.depth - std::max(own_operations(form), passes(form));
  if (has_trees_of_its_own(form)) return 0;
  if (crossing > 0 && goes_by_levels(form)) return crossing;
  return crossing > 0 ? std::max(crossing - std::log2(items), 1.0) : 0;
}

double chain_time(const Form& form, double latency, double all_wait, double agreeing) {
  const double steps = steps_between_items(form);
  if (steps <= 0) return 0;
  const double width = std::max(items_of(form) / form.traits.depth, 1.0);
  const double waits = steps > 1 && form.traits.divergence > 0 ? agreeing : 1;
  return steps * (latency + waits * all_wait * (1 - 1 / width) / (is_front(form) ? tile : 1));
}

bool adds_to_many(const Form& form) { return form.traits.reduction > 0 && form.traits.stores >= 1; }

InOrder in_order(const Form& form) {
  const Traits& traits = form.traits;
  const double items = items_of(form), flops = static_cast<double>(form.work.flops),
               own = own_operations(form);
  const bool indices = traits.loads * items > indexed * flops;
  if (traits.reduction > 0) return sums_of_items(form, indices);
  if (is_one_chain(form) || goes_along(form)) return {items * own, shared_terms, true};
  if (passes(form) > 1 && traits.depth > passes(form) && flops < items)
    return {items * scatters_of_an_item(form) * scattered_step, shared_tables, true, true};
  if (steps_between_items(form) == 1) return {items * step_of_scan(form), shared_terms, true};
  if (flops > 0 && sums_of_its_own(form))
    return {flops / 2, indices ? shared_gathers : 0};  // a product and a sum a term
  return {};
}

}  // namespace sextant::predict
