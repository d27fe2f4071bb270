#include "analysis/summary/outcome.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace sextant {
namespace {

bool competes(const Summary& s) {
  return s.ok() && s.current && !s.aside && s.parts == 0 && s.call_time.median > 0;
}

// Returns "fastest" if the fastest is certainly faster than all others. Otherwise returns the least certain
// outcome among the others.
const char* name_of_fastest(const std::vector<Summary*>& others) {
  const char* name = "fastest";
  for (const Summary* s : others) {
    if (s->outcome.name == std::string("open")) return "open";
    if (s->outcome.name == std::string("equal")) name = "equal";
  }
  return name;
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
    for (Summary* s : all) {
      const Contest contest = contest_of_calls(*s, *fastest);
      s->outcome = {contest.decision == Decision::faster  ? "slower"
                    : contest.decision == Decision::equal ? "equal"
                                                          : "open",
                    contest.ratio, contest.by_device ? "device" : "call"};
    }
    if (!all.empty())
      fastest->outcome = {name_of_fastest(all), {1, 1, 1, 1, fastest->call_time.samples}, "call"};
  }
}

}  // namespace sextant
