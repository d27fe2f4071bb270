// In a whole program: Amdahl's and Gustafson's laws with the measured speed-ups, and when copies pay.
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
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    const Machine& machine = context.machines[i];
    for (const AmdahlCase& one : amdahl_cases(machine.rows, AmdahlBaseline::serial))
      choices.push_back({choice_name(context, one), one.baseline_seconds, one.kernel_seconds,
                         one.transfer_seconds.value_or(0)});
    for (Table table : amdahl_view(machine.rows, context.options.share).texts) {
      if (context.several()) table.title += ", on " + machine.label;
      tables += html_table({table, "amdahl" + (context.several() ? "-m" + std::to_string(i + 1) : "")});
    }
  }
  if (choices.empty())
    return html +
           "<p>Two versions of a kernel are needed, one of them on the CPU: nothing can be said here.</p>\n"
           "</section>\n";
  html +=
      "<p>What a kernel's speed-up gives a program depends on the kernel's share of the program's time "
      "(Amdahl: the work stays the same; Gustafson: the work grows with the machine) and on how often its "
      "data are used on the device once they are there.</p>\n";
  html +=
      amdahl_figure({"amdahl-figure", "Speed-up of the whole program, by the kernel's share of it",
                     "Interactive: choose a kernel, its share and how often its data are reused; the table "
                     "below holds the figures for a share of " +
                         format_percent(context.options.share) + "."},
                    context.options.share, choices);
  return html + tables + "</section>\n";
}

}  // namespace sextant::report
