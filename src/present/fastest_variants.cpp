#include "present/fastest_variants.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "present/format.hpp"
#include "present/search_view.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

// The winner of one search. If the search reached its final comparison, `time` comes from that, else from the
// first measurement. `low` and `high` have the relative width of the first measurement's interval.
struct Searched {
  const Search* search;
  double time, low, high;
};

Searched winner_in(const Search& search) {
  const Tuning tuning = winner_of(search);
  for (const SearchStep& step : search.steps) {
    if (step.status != Status::ok || step.tuning != tuning || !(step.time > 0)) continue;
    const double time = search.finalists.empty() ? step.time : search.finalists.front().time;
    return {&search, time, step.low * time / step.time, step.high * time / step.time};
  }
  return {&search, 0, 0, 0};
}

std::string problem_text(const Case& space) {
  return fmt::format("{} {} {}{}", space.kernel, name_of(space.problem.type),
                     space.problem_class.empty() ? std::to_string(space.problem.n) : space.problem_class,
                     space.device == "cpu" || space.device == "gpu0" ? "" : " on " + space.device);
}

// Returns the key of a problem: a search space without its variant. The key contains the device, because call
// times on a CPU and kernel times on a GPU are not comparable.
std::string problem_key(Case space) {
  space.variant.clear();
  return key_of(space);
}

std::string line(std::vector<Searched> winners) {
  std::sort(winners.begin(), winners.end(),
            [](const Searched& a, const Searched& b) { return a.time < b.time; });
  const Searched &best = winners[0], &next = winners[1];
  std::string text = fmt::format("  {}: {}", problem_text(best.search->space), best.search->space.variant);
  const std::string tuning = tuning_text(winner_of(*best.search));
  text += fmt::format("{} ({})", tuning.empty() ? "" : " " + tuning, minimized_text(*best.search, best.time));
  const std::string& other = next.search->space.variant;
  if (best.high >= next.low)
    return text +
           fmt::format(", undecided against {} ({})\n", other, minimized_text(*next.search, next.time));
  return text + fmt::format(", {} ({} to {}) as {} as the next, {}\n", format_ratio(next.time / best.time),
                            format_ratio(next.low / best.high), format_ratio(next.high / best.low),
                            minimizes_time(*best.search) ? "fast" : "efficient", other);
}

}  // namespace

std::string fastest_variants(const std::vector<Search>& searches) {
  std::vector<std::string> keys;
  std::vector<std::vector<Searched>> problems;
  for (const Search& search : searches) {
    const Searched winner = winner_in(search);
    if (!(winner.time > 0)) continue;
    const std::string key = problem_key(search.space);
    const std::size_t at = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
    if (at == keys.size()) {
      keys.push_back(key);
      problems.emplace_back();
    }
    problems[at].push_back(winner);
  }
  std::string text;
  for (const std::vector<Searched>& winners : problems)
    if (winners.size() > 1) text += line(winners);
  const bool by_time = std::all_of(searches.begin(), searches.end(), minimizes_time);
  return text.empty() ? "" : (by_time ? "Fastest variant:\n" : "Variant of least energy:\n") + text;
}

}  // namespace sextant
