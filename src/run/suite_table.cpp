#include "run/suite_table.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/study/study.hpp"
#include "analysis/summary/summary.hpp"
#include "present/views.hpp"

namespace sextant {

bool is_suite_of_programs(const Selection& selection) {
  return !selection.suites.empty() &&
         std::all_of(selection.suites.begin(), selection.suites.end(),
                     [](const std::string& suite) { return suite == "npb" || suite == "programs"; });
}

std::string suite_table(const Results& results, const std::vector<Case>& cases, const std::string& machine,
                        bool colour, int columns) {
  const auto problem_of = [](const Case& one) {
    return std::pair(one.kernel,
                     one.problem_class.empty() ? std::to_string(one.problem.n) : one.problem_class);
  };
  std::set<std::pair<std::string, std::string>> problems;
  for (const Case& one : cases) problems.insert(problem_of(one));
  std::vector<Summary> summaries = summarise(results);
  std::erase_if(summaries, [&](const Summary& s) {
    return s.machine != machine || !problems.contains(problem_of(s.measurement->what));
  });
  std::string text;
  for (const Table& table : suite_view(study_rows(summaries)).texts)
    text += "\n" + to_text(table, colour, columns);
  return text;
}

}  // namespace sextant
