#include "record/search.hpp"

namespace sextant {

const SearchStep* best_of(const Search& search) {
  const SearchStep* best = nullptr;
  for (const SearchStep& step : search.steps)
    if (step.status == Status::ok && step.time > 0 && (!best || step.time < best->time)) best = &step;
  return best;
}

Tuning winner_of(const Search& search) {
  if (!search.finalists.empty()) return search.finalists.front().tuning;
  const SearchStep* best = best_of(search);
  return best ? best->tuning : Tuning();
}

}  // namespace sextant
