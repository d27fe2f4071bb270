// Report section on threads: speed-up and efficiency of each variant that ran with several thread counts.
#include "analysis/summary/thread_curves.hpp"
#include "present/views.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

Spec speedup_lines(const ThreadCurve& curve) {
  Line self{"over one thread", {}}, baseline{"over the -O2 loop", {}}, native{"over the native loop", {}},
      ideal{"ideal: as many times as threads", {}, Line::Role::ideal};
  const auto add = [](Line* line, int threads, const Summary* slow, const Summary& fast) {
    if (!slow) return;
    const Interval ratio = ratio_of_medians(slow->call_time, fast.call_time);
    line->points.push_back({static_cast<double>(threads), ratio.median, ratio.low, ratio.high});
  };
  for (const auto& [threads, s] : curve.points) {
    add(&self, threads, curve.one_thread(), *s);
    add(&baseline, threads, curve.baseline, *s);
    add(&native, threads, curve.native, *s);
    ideal.points.push_back({static_cast<double>(threads), static_cast<double>(threads)});
  }
  return lines_spec({"threads", "", true}, {"times as fast", "", true}, {self, baseline, native, ideal});
}

Spec efficiency_lines(const ThreadCurve& curve) {
  Line line{"efficiency", {}}, ideal{"ideal", {}, Line::Role::ideal};
  for (const auto& [threads, s] : curve.points) {
    if (!curve.one_thread()) continue;
    const Interval ratio = ratio_of_medians(curve.one_thread()->call_time, s->call_time);
    line.points.push_back(
        {static_cast<double>(threads), ratio.median / threads, ratio.low / threads, ratio.high / threads});
    ideal.points.push_back({static_cast<double>(threads), 1});
  }
  return line.points.empty() ? ""
                             : lines_spec({"threads", "", true}, {"efficiency", "%", false}, {line, ideal});
}

}  // namespace

std::string threads_section(const Context& context) {
  const std::vector<ThreadCurve> curves = thread_curves(context.summaries);
  if (curves.empty()) return "";
  std::vector<std::pair<std::string, Spec>> choices;
  for (const ThreadCurve& curve : curves) {
    const std::string machine = context.several() ? ", on " + curve.points.begin()->second->machine : "";
    choices.emplace_back(curve.title() + machine + " – speed-up", speedup_lines(curve));
    choices.emplace_back(curve.title() + machine + " – efficiency", efficiency_lines(curve));
  }
  std::string tables;
  for (const Table& table : threads_view(context.summaries).texts)
    tables += html_table({table, "threads-" + table.title});
  return section_open("threads", "Threads") +
         "<p>One variant on several numbers of threads. Over one thread: what threads gain. Efficiency: that "
         "gain divided by the number of threads. Over the -O2 loop and the native loop: the same times "
         "against the two serial loops, compiled for any and for this processor; they also hold what the "
         "code of one thread gains, such as vector instructions.</p>\n" +
         choice_html({"threads-figure", "Speed-up and efficiency over the number of threads",
                      "Lines over the number of threads; the tables below hold the numbers."},
                     choices) +
         folded("The tables", tables) + command_html(context, "--by threads") + "</section>\n";
}

}  // namespace sextant::report
