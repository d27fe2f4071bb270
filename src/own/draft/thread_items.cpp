#include "own/draft/thread_items.hpp"

#include <algorithm>

namespace sextant::own {

void count_items(Signature* function) {
  for (Axis& axis : function->axes) {
    if (!axis.items && !axis.blocks) axis.items = axis.of_block;
    if (!axis.items && !axis.threads) axis.items = axis.block_items;
  }
  Axis& axis = function->axes[0];
  const bool checked = axis.items || axis.block_items;
  for (Parameter& one : function->parameters) {
    const auto of_threads = [](const Polynomial& length) { return length.has(unchecked_threads); };
    const bool any = std::any_of(one.lengths.begin(), one.lengths.end(), of_threads);
    if (any && !checked) axis.items = Polynomial::of(unchecked_threads);
    if (!any || !checked) continue;
    std::erase_if(one.lengths, of_threads);
    one.has_unknown = true;
  }
}

void multiply_threads(Signature* function, bool adds_atomically) {
  if (!function->kernel) return;
  Polynomial threads(1);
  for (const Axis& axis : function->axes)
    if (const std::optional<Polynomial>& items = axis.items ? axis.items : axis.block_items)
      threads = threads * *items;
  if (function->work.empty()) function->work.emplace_back(1);
  for (Polynomial& one : function->work) one = one * threads;
  const bool more = !function->terms || function->terms->degree() < threads.degree();
  if (adds_atomically && more && threads.grows()) function->terms = threads;
}

}  // namespace sextant::own
