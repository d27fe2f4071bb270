// Report section on the state of GPUs: the cases that were sampled while the GPU was throttled, or at two
// clocks.
#include <algorithm>
#include <set>

#include "base/plural.hpp"
#include "present/views.hpp"
#include "record/modes.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

bool is_throttled(const Summary& s) { return throttled_share(*s.measurement).value_or(0) > 0; }

// Numbers of cases that were sampled with their state.
struct StateCounts {
  std::size_t cases = 0, throttled = 0, of_two_modes = 0;
  std::set<std::string> reasons;
};

// Returns the rows with only the cases that are throttled or have two modes, and counts the cases.
std::vector<StudyRow> notable_rows(const std::vector<StudyRow>& rows, StateCounts* counts) {
  std::vector<StudyRow> notable;
  for (StudyRow row : rows) {
    std::erase_if(row.all, [&](const Summary* s) {
      if (!s->ok() || s->measurement->states.empty()) return true;
      const bool throttled = is_throttled(*s), has_modes = !modes_text(*s->measurement).empty();
      ++counts->cases;
      counts->throttled += throttled;
      counts->of_two_modes += has_modes;
      if (throttled) counts->reasons.insert(throttle_reasons(*s->measurement));
      return !throttled && !has_modes;
    });
    if (!row.all.empty()) notable.push_back(std::move(row));
  }
  return notable;
}

std::string state_sentence(const StateCounts& counts) {
  std::string text = "Of " + plural(counts.cases, "case") + " whose GPU was watched, " +
                     std::to_string(counts.throttled) + " had samples at a lowered clock";
  if (!counts.reasons.empty()) text += " (" + *counts.reasons.begin() + ")";
  return text + ", and " + std::to_string(counts.of_two_modes) +
         " had two separate clocks or times. Such samples are kept.";
}

}  // namespace

std::string state_section(const Context& context) {
  StateCounts counts;
  std::string tables;
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    std::size_t number = 0;
    for (const Table& table : state_view(notable_rows(context.machines[i].rows, &counts)).texts)
      tables += html_table({table, "state-" + std::to_string(++number) + machine_suffix(context, i)});
  }
  if (counts.cases == 0) return "";
  return section_open("state", "Clock and power") + element("p", state_sentence(counts)) +
         folded("These cases", tables) + command_html(context, "--by state") + "</section>\n";
}

}  // namespace sextant::report
