#include "predict/dependencies.hpp"

#include <algorithm>
#include <cmath>

#include "predict/traffic.hpp"

namespace sextant::predict {
namespace {

double items_of(const Form& form) { return static_cast<double>(form.work.items); }

// Number of operations per item.
double own_operations(const Form& form) {
  return static_cast<double>(form.work.flops + form.work.integer_operations) / std::max(items_of(form), 1.0);
}

// True if the kernel is a wavefront: its steps are the diagonals of a grid.
bool is_front(const Form& form) {
  const auto diagonals = static_cast<double>(form.extents.x + form.extents.y);
  return form.extents.y > 1 && form.traits.depth <= diagonals && form.traits.depth >= diagonals - 2;
}

// True if each item sums its own data, so that neighbouring items are not vectorized together.
bool sums_of_its_own(const Constants& c, const Form& form) {
  const Traits& traits = form.traits;
  if (traits.loads < c.least_sum || traits.stores > 1) return false;
  return reuse(form) <= c.few_reads || steps_between_items(c, form) > 1 ||
         traits.stride_read * element_bytes(form) > c.lines_apart * cpu_line;
}

// True if each row of items has its own reduction tree, as in softmax.
bool has_trees_of_its_own(const Constants& c, const Form& form) {
  const double levels = std::log2(std::max(items_of(form), 1.0));
  return form.extents.y <= 1 && passes(form) <= 1 && own_operations(form) > c.own_tree &&
         form.traits.depth <= 2 * levels + own_operations(form);
}

// Time per element of a scan, relative to a term of a sum.
double step_of_scan(const Constants& c, const Form& form) {
  const bool looked_up =
      own_operations(form) <= 0 && form.traits.stride_read * element_bytes(form) > cpu_line;
  return looked_up ? c.look_up_step : c.scan_step;
}

// Sequential operations of a sum over all items, or of sums into several shared outputs such as a histogram.
InOrder sums_of_items(const Constants& c, const Form& form, bool indices) {
  const double step = own_operations(form) > 0 ? 1 : c.scan_step;
  if (!adds_to_many(form)) return {items_of(form) * step, indices ? c.shared_terms : 0};
  return {items_of(form) * step * std::max(form.traits.loads / c.table_loads, 1.0), c.shared_tables};
}

// Cost of the writes of one item in a sort, relative to one scattered write. An item has one scattered write
// per pass, but not more than it has stores. Its other stores cost less.
double scatters_of_an_item(const Constants& c, const Form& form) {
  const double stores = form.traits.stores;
  if (stores <= 0) return passes(form);
  const double often = std::min(passes(form), stores);
  return often + c.goes_with_it * (stores - often);
}

// True if each operation of an item depends on the previous one.
bool is_one_chain(const Form& form) {
  const double depth = form.traits.depth, own = own_operations(form);
  return depth > std::max(passes(form), 1.0) && depth <= own && own <= 1.01 * depth;
}

// True for a recurrence that the plain loop computes in sequence. It stores intermediate results for other
// items, has at most the depth of a tree, and few operations per item and tree level.
bool goes_along(const Constants& c, const Form& form) {
  const double depth = form.traits.depth, own = own_operations(form);
  return passes(form) <= 1 && depth > 1 && depth <= std::log2(std::max(items_of(form), 1.0)) + 1 && own > 1 &&
         own <= c.most_of_a_level * depth && form.traits.stores > 1;
}

// True if the data select the items of each step, as in a graph search. The depth then differs from that of a
// tree over all items.
bool goes_by_levels(const Form& form) {
  return form.traits.divergence > 0 && form.traits.reduction <= 0 && own_operations(form) < 1 &&
         form.traits.depth != std::ceil(std::log2(std::max(items_of(form), 1.0)));
}

}  // namespace

double steps_between_items(const Constants& c, const Form& form) {
  const double items = std::max(items_of(form), 1.0);
  const double crossing = form.traits.depth - std::max(own_operations(form), passes(form));
  if (has_trees_of_its_own(c, form)) return 0;
  if (crossing > 0 && goes_by_levels(form)) return crossing;
  return crossing > 0 ? std::max(crossing - std::log2(items), 1.0) : 0;
}

double chain_time(const Constants& c, const Form& form, double latency, double all_wait, double agreeing) {
  const double steps = steps_between_items(c, form);
  if (steps <= 0) return 0;
  const double width = std::max(items_of(form) / form.traits.depth, 1.0);
  const double waits = steps > 1 && form.traits.divergence > 0 ? agreeing : 1;
  return steps * (latency + waits * all_wait * (1 - 1 / width) / (is_front(form) ? c.tile : 1));
}

bool adds_to_many(const Form& form) { return form.traits.reduction > 0 && form.traits.stores >= 1; }

InOrder in_order(const Constants& c, const Form& form) {
  const Traits& traits = form.traits;
  const double items = items_of(form), flops = static_cast<double>(form.work.flops),
               own = own_operations(form);
  const bool indices = traits.loads * items > c.indexed * flops;
  if (traits.reduction > 0) return sums_of_items(c, form, indices);
  if (is_one_chain(form) || goes_along(c, form)) return {items * own, c.shared_terms, true};
  if (passes(form) > 1 && traits.depth > passes(form) && flops < items)
    return {items * scatters_of_an_item(c, form) * c.scattered_step, c.shared_tables, true, true};
  if (steps_between_items(c, form) == 1) return {items * step_of_scan(c, form), c.shared_terms, true};
  if (flops > 0 && sums_of_its_own(c, form))
    // Each term of a sum takes one product and one addition.
    return {flops / 2, indices ? c.shared_gathers : 0};
  return {};
}

}  // namespace sextant::predict
