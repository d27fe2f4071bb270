// Report section that tests a published study's findings with these results.
#include "analysis/study/findings.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

Cell answer_cell(StudyFinding::Answer answer) {
  switch (answer) {
    case StudyFinding::Answer::confirmed:
      return Cell("confirmed", Tone::good);
    case StudyFinding::Answer::refuted:
      return Cell("refuted", Tone::bad);
    case StudyFinding::Answer::depends:
      return Cell("depends on N", Tone::warning);
    case StudyFinding::Answer::unknown:
      return Cell("not measured", Tone::quiet);
  }
  return {};
}

}  // namespace

std::string study_section(const Context& context) {
  Table table;
  table.title = "What the source study found (RTX 3080 against an i5-2400), held against these results";
  table.columns = {{"claim", "finding"}, {"answer", "here"}, {"evidence", "measured"}};
  if (context.several()) table.columns.insert(table.columns.begin(), {"machine"});
  std::size_t confirmed = 0, refuted = 0, depends = 0;
  for (const Machine& machine : context.machines)
    for (const StudyFinding& f : study_findings(machine.rows)) {
      if (f.answer == StudyFinding::Answer::unknown) continue;
      confirmed += f.answer == StudyFinding::Answer::confirmed;
      refuted += f.answer == StudyFinding::Answer::refuted;
      depends += f.answer == StudyFinding::Answer::depends;
      std::vector<Cell> row = {f.claim, answer_cell(f.answer), f.evidence};
      if (context.several()) row.insert(row.begin(), machine.label);
      table.rows.push_back(row);
    }
  if (table.rows.empty()) return "";
  return section_open("study", "The source study") + "<p>Of its findings that were measured here " +
         std::to_string(confirmed) + (confirmed == 1 ? " is" : " are") + " confirmed, " +
         std::to_string(refuted) + " refuted, " + std::to_string(depends) +
         (depends == 1 ? " depends" : " depend") +
         " on N. They are judged by calls, as the study did.</p>\n" + html_table({table, "study-findings"}) +
         "</section>\n";
}

}  // namespace sextant::report
