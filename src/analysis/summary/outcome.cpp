#include "analysis/summary/outcome.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace sextant {
namespace {

bool competes(const Summary& s) {
  return s.ok() && s.current && !s.excluded_from_ranking && s.parts == 0 && s.call_time.median > 0;
}

}  // namespace

void add_outcomes(std::vector<Summary>* summaries) {
  std::unordered_map<std::string, std::vector<Summary*>> problems;
  for (Summary& s : *summaries)
    if (competes(s)) problems[problem_key(s)].push_back(&s);
  for (auto& [key, all] : problems) {
    const auto least = std::min_element(all.begin(), all.end(), [](const Summary* a, const Summary* b) {
      return a->call_time.median < b->call_time.median;
    });
    Summary* const fastest = *least;
    all.erase(least);
    bool is_open = false, is_equal = false;
    for (Summary* s : all) {
      const Contest contest = contest_of_calls(*s, *fastest);
      is_open = is_open || contest.decision == Decision::open;
      is_equal = is_equal || contest.decision == Decision::equal;
      s->outcome = {contest.decision == Decision::faster  ? "slower"
                    : contest.decision == Decision::equal ? "equal"
                                                          : "open",
                    contest.ratio, contest.by_device ? "device" : "call"};
    }
    if (!all.empty())
      fastest->outcome = {is_open    ? "open"
                          : is_equal ? "equal"
                                     : "fastest",
                          {1, 1, 1, 1, fastest->call_time.samples},
                          "call"};
  }
}

}  // namespace sextant
