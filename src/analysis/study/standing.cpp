#include "analysis/study/standing.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "analysis/summary/time_of.hpp"
#include "base/join.hpp"

namespace sextant {
namespace {

bool timed(const Summary& s, TimeOf time_of) {
  return s.ok() && !s.excluded_from_ranking && time_of(s).samples && time_of(s).median > 0;
}

// Returns each variant's fastest tuning, by the kind of time that `time_of` selects.
std::map<std::string, const Summary*> variants_of(const StudyRow& row, TimeOf time_of) {
  std::map<std::string, const Summary*> best;
  for (const Summary* s : row.all) {
    if (!timed(*s, time_of)) continue;
    const Summary*& known = best[s->measurement->what.variant];
    if (!known || time_of(*s).median < time_of(*known).median) known = s;
  }
  return best;
}

Standing standing_of(const StudyRow& row, bool by_variant, bool with_transfers) {
  const TimeOf time_of = with_transfers ? whole_of : call_of;
  Standing result;
  result.row = &row;
  result.by_variant = by_variant;
  for (const auto& [name, s] : by_variant ? variants_of(row, time_of) : row.best_by(with_transfers))
    result.entrants.push_back({name, s});
  if (result.entrants.empty()) return result;
  std::stable_sort(result.entrants.begin(), result.entrants.end(), [&](const Entrant& a, const Entrant& b) {
    return time_of(*a.summary).median < time_of(*b.summary).median;
  });
  const Summary& fastest = result.fastest();
  for (Entrant& one : result.entrants) {
    const Contest contest = contest_of(*one.summary, fastest, with_transfers);
    const Interval& ratio = contest.ratio;
    one.decision = one.summary == &fastest ? Decision::equal : contest.decision;
    one.leads = one.decision != Decision::faster;
    if (one.leads) result.apart = time_of(*one.summary).median / time_of(fastest).median;
    if (!one.leads && !result.lead.samples) result.lead = ratio;
    if (one.summary != &fastest && !*result.by)
      result.by = with_transfers ? "end-to-end" : contest.by_device ? "device" : "call";
  }
  result.over_cpu = with_transfers ? fastest.speedup_cpu_with_transfers : fastest.speedup_cpu;
  return result;
}

}  // namespace

bool Standing::tied() const {
  return std::count_if(entrants.begin(), entrants.end(), [](const Entrant& e) { return e.leads; }) > 1;
}

bool Standing::equal() const {
  return tied() && std::none_of(entrants.begin(), entrants.end(),
                                [](const Entrant& e) { return e.decision == Decision::open; });
}

std::vector<std::string> Standing::leaders() const {
  std::vector<std::string> names;
  const auto leads = [this](const std::string& name) {
    return std::any_of(entrants.begin(), entrants.end(),
                       [&](const Entrant& e) { return e.leads && e.name == name; });
  };
  if (by_variant) {
    for (const Entrant& e : entrants)
      if (e.leads) names.push_back(e.name);
  } else {
    for (const char* column : study_columns)
      if (leads(column)) names.emplace_back(column);
  }
  return names;
}

std::vector<Standing> standings(const StudyGroup& group, bool with_transfers) {
  std::set<std::string> columns;  // models that were measured at any size
  for (const StudyRow* row : group)
    for (const auto& [column, s] : row->best) columns.insert(column);
  std::vector<Standing> result;
  for (const StudyRow* row : group) {
    Standing one = standing_of(*row, columns.size() == 1, with_transfers);
    if (!one.entrants.empty()) result.push_back(std::move(one));
  }
  std::set<std::string> leaders;
  for (const Standing& one : result)
    if (one.contested())
      for (const std::string& name : one.leaders()) leaders.insert(name);
  for (Standing& one : result)
    for (const std::string& name : leaders)
      if (std::none_of(one.entrants.begin(), one.entrants.end(),
                       [&](const Entrant& e) { return e.name == name; }))
        one.missing.push_back(name);
  return result;
}

const char* outcome_of(const Standing& standing) {
  if (!standing.contested()) return "";
  return !standing.tied() ? "faster" : standing.equal() ? "equal" : "open";
}

std::string text_of(const Standing& standing) {
  if (!standing.contested()) return standing.entrants.front().name + " alone";
  return join(standing.leaders(), " or ");
}

}  // namespace sextant
