// Report section on whole programs: Amdahl's and Gustafson's laws with the measured speed-ups, and when
// copies to the GPU pay.
#include <algorithm>

#include "analysis/study/amdahl.hpp"
#include "present/format.hpp"
#include "present/views.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

std::string choice_name(const Context& context, const AmdahlCase& one) {
  std::string name =
      short_name_of(*one.row) + ", " + one.row->size + ", " + one.column + " over " + one.baseline;
  if (context.several()) name += ", on " + one.row->machine;
  return name;
}

}  // namespace

std::string amdahl_section(const Context& context) {
  std::string html = section_open("amdahl", "In a whole program"), tables;
  std::vector<AmdahlChoice> choices;
  std::vector<double> gains;
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    const Machine& machine = context.machines[i];
    const std::vector<StudyRow> rows = largest_rows(machine);
    for (const AmdahlCase& one : amdahl_cases(rows, AmdahlBaseline::serial)) {
      choices.push_back({choice_name(context, one), one.baseline_seconds, one.kernel_seconds,
                         one.transfer_seconds.value_or(0)});
      gains.push_back(amdahl(context.options.share, one.speedup()));
    }
    for (Table table : amdahl_view(rows, context.options.share).texts) {
      if (context.several()) table.title += ", on " + machine.label;
      tables += html_table({table, "amdahl" + (context.several() ? "-m" + std::to_string(i + 1) : "")});
    }
  }
  std::stable_partition(choices.begin(), choices.end(),
                        [](const AmdahlChoice& one) { return one.transfer_seconds > 0; });
  const bool copies = !choices.empty() && choices.front().transfer_seconds > 0;
  if (choices.empty())
    return html +
           "<p>Two versions of a kernel are needed, one of them on the CPU: nothing can be said here.</p>\n"
           "</section>\n";
  const auto [least, most] = std::minmax_element(gains.begin(), gains.end());
  html += element("p", "As " + format_percent(context.options.share) +
                           " of a program's time, the kernels at their largest sizes make the whole " +
                           format_ratio(*least) + " to " + format_ratio(*most) + " as fast" +
                           (copies ? ", with the data where they are used" : "") +
                           "; an infinitely fast kernel would give " +
                           format_ratio(1 / (1 - std::min(context.options.share, 0.999999))) + ".");
  html +=
      "<p>What a kernel's speed-up gives a program depends on the kernel's share of the program's time "
      "(Amdahl: the work stays the same; Gustafson: the work grows with the machine)" +
      std::string(copies ? " and on how often its data are used on the device once they are there" : "") +
      ".</p>\n";
  html += figure_html(
      {"amdahl-figure", "Speed-up of the whole program, by the kernel's share of it",
       "Interactive: choose a kernel" +
           std::string(copies ? ", its share and how often its data are reused" : " and its share") +
           "; the table below holds the figures for a share of " + format_percent(context.options.share) +
           "."},
      amdahl_spec(context.options.share, choices));
  return html + folded("The table", tables) + command_html(context, "--by amdahl") + "</section>\n";
}

}  // namespace sextant::report
