// Report section on scaling: speed-up over the number of ranks or GPUs, and the times of computation and data
// exchange.
#include <algorithm>

#include "analysis/summary/scaling.hpp"
#include "present/format.hpp"
#include "present/views.hpp"
#include "record/statistics.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"
#include "scaling/model.hpp"

namespace sextant::report {
namespace {

Point point_at(const Summary& s, const Interval& value) {
  return {static_cast<double>(s.parts), value.median, value.low, value.high};
}

// Returns the ideal speed-up, which is proportional to the number of GPUs or cores.
Line ideal_of(const ScalingCurve& curve, bool efficiency) {
  Line line{"ideal: as much faster as there is more hardware", {}, Line::Role::ideal};
  for (const Summary* s : curve.points)
    if (s->efficiency_self.samples && s->efficiency_self.median > 0)
      line.points.push_back({static_cast<double>(s->parts),
                             efficiency ? 1 : s->speedup_self.median / s->efficiency_self.median});
  return line;
}

Spec curve_lines(const ScalingCurve& curve, bool efficiency) {
  Line self{"over the same code in one part", {}}, best{"over the best of one process", {}};
  for (const Summary* s : curve.points) {
    const Interval& over_self = efficiency ? s->efficiency_self : s->speedup_self;
    const Interval& over_best = efficiency ? s->efficiency_best_single : s->speedup_best_single;
    if (over_self.samples) self.points.push_back(point_at(*s, over_self));
    if (over_best.samples) best.points.push_back(point_at(*s, over_best));
  }
  if (self.points.empty() && best.points.empty()) return "";
  return lines_spec({"parts", "", true},
                    {efficiency ? "efficiency" : "speed-up", efficiency ? "%" : "", !efficiency},
                    {self, best, ideal_of(curve, efficiency)});
}

// Draws a stacked bar for each number of ranks or GPUs. It divides the call time into pure computation,
// computation during the exchange, and waiting for messages.
Spec curve_times(const ScalingCurve& curve) {
  std::vector<std::string> places;
  std::vector<Bars> bars = {
      {"computing", {}}, {"computing while exchanging (hidden)", {}}, {"exchanging (exposed)", {}}};
  bool any = false;
  for (const Summary* s : curve.points) {
    places.push_back(s->measurement->what.device);
    const double compute = s->compute_time.value_or(s->call_time.median);
    const double hidden =
        s->hidden_share ? *s->hidden_share * std::min(compute, s->exchange_time.value_or(0)) : 0;
    any = any || s->exposed_time.has_value();
    bars[0].values.emplace_back(compute - hidden);
    bars[1].values.emplace_back(hidden);
    bars[2].values.emplace_back(s->exposed_time);
  }
  return any ? bars_spec(places, true, {"time of a call", "s", false}, bars) : "";
}

using Choices = std::vector<std::pair<std::string, Spec>>;

std::string scaling_figures(const std::vector<ScalingCurve>& curves, const std::string& number) {
  Choices speed, times;
  for (const ScalingCurve& curve : curves) {
    speed.emplace_back(curve.title + " – speed-up", curve_lines(curve, false));
    speed.emplace_back(curve.title + " – efficiency", curve_lines(curve, true));
    times.emplace_back(curve.title, curve_times(curve));
  }
  return choice_html({"scaling-speed" + number, "Speed-up and efficiency over the number of parts",
                      "Lines over the number of parts: over the same code in one part, over the fastest "
                      "version of one process, and what as much hardware would give ideally; the table below "
                      "holds the numbers."},
                     speed) +
         choice_html(
             {"scaling-times" + number, "Parts of a call's time, by device",
              "Stacked bars, one per device: computing, computing during the exchange, and exchange that "
              "is not hidden; the table below holds the times."},
             times);
}

// Draws the measured speed-up and the model's prediction.
Spec model_lines(const ScalingCurve& curve, const scaling::Model& model) {
  Line measured{"measured", {}},
      ideal{"ideal: as much faster as there is more hardware", {}, Line::Role::ideal},
      line{"model (at " + std::to_string(model.left_out) + " parts, left out of its fit, " +
               left_out_error(model) + ")",
           {},
           Line::Role::model};
  for (const Summary* s : curve.points)
    if (s->speedup_self.samples) measured.points.push_back(point_at(*s, s->speedup_self));
  for (const scaling::Predicted& point : model.points) {
    if (!point.speedup || !point.efficiency) continue;
    const double over = *point.speedup * point.time;  // time of one rank or GPU for the same work
    line.points.push_back(
        {static_cast<double>(point.parts), *point.speedup, over / point.high, over / point.low});
    ideal.points.push_back({static_cast<double>(point.parts), *point.speedup / *point.efficiency});
  }
  if (line.points.empty()) return "";
  return lines_spec({"parts", "", true}, {"speed-up", "", true}, {measured, ideal, line}, {},
                    static_cast<double>(model.fitted_up_to));
}

// Draws the predicted speed-up for up to 4096 ranks or GPUs. A curve needs measurements at three or more
// numbers of ranks.
std::string models_html(const std::vector<ScalingCurve>& curves, const std::vector<Summary>& summaries,
                        const std::string& number) {
  std::vector<int> counts;
  for (int count = 1; count <= 4096; count *= 2) counts.push_back(count);
  std::vector<scaling::Model> models;
  Choices choices;
  for (const ScalingCurve& curve : curves) {
    scaling::Model model = scaling::model_of(curve, summaries, counts, {});
    if (!model.why_not.empty()) continue;
    choices.emplace_back(curve.title, model_lines(curve, model));
    models.push_back(std::move(model));
  }
  if (models.empty()) return "";
  std::string tables;
  std::size_t count = 0;
  for (const Table& table : model_view(models).texts)
    tables += html_table({table, "scaling-model-" + std::to_string(++count) + number});
  return "<h3>Scaling, by model</h3>\n<p>This is a model, not a measurement: it uses the measured times "
         "of parts and messages, and the slowest part from the samples. Network contention is not "
         "included.</p>\n" +
         choice_html(
             {"scaling-model" + number, "Speed-up over the number of parts, by a model",
              "A model, not measured: dashed lines on a hatched background beyond the numbers of parts "
              "in the fit; the table below holds the numbers."},
             choices) +
         folded("The model's tables", tables);
}

// Returns a sentence on the speed-up and efficiency at the largest number of ranks or GPUs.
std::string scaling_sentence(const std::vector<ScalingCurve>& curves) {
  std::vector<double> gains, efficiencies;
  int most = 0;
  for (const ScalingCurve& curve : curves) {
    const Summary& last = *curve.points.back();
    most = std::max(most, last.parts);
    if (last.parts < 2 || !last.efficiency_self.samples) continue;
    gains.push_back(last.speedup_self.median);
    efficiencies.push_back(last.efficiency_self.median);
  }
  std::string text = std::to_string(static_cast<std::int64_t>(curves.size())) +
                     (curves.size() == 1 ? " problem was" : " problems were") + " computed in up to " +
                     std::to_string(most) + (most == 1 ? " part" : " parts");
  if (gains.empty()) return text + "; there is no measurement of the same code in one part to compare with.";
  const auto [least, greatest] = std::minmax_element(gains.begin(), gains.end());
  const auto [low, high] = std::minmax_element(efficiencies.begin(), efficiencies.end());
  return text + ": with the most of them " + format_ratio(*least) +
         (gains.size() > 1 ? " to " + format_ratio(*greatest) : std::string()) +
         " as fast as the same code in one, with an efficiency of " + format_percent(*low) +
         (gains.size() > 1 ? " to " + format_percent(*high) : std::string()) + ".";
}

}  // namespace

std::string scaling_section(const Context& context) {
  std::string html;
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    const Machine& machine = context.machines[i];
    std::vector<Summary> own;
    for (const Summary& s : context.summaries)
      if (s.machine == machine.name) own.push_back(s);
    const std::vector<ScalingCurve> curves = scaling_curves(own);
    if (curves.empty()) continue;
    const std::string number = machine_suffix(context, i);
    html += machine_heading(context, machine) + element("p", scaling_sentence(curves)) +
            scaling_figures(curves, number);
    std::string tables;
    std::size_t count = 0;
    for (const Table& table : scaling_view(own).texts)
      tables += html_table({table, "scaling-" + std::to_string(++count) + number});
    html += folded("The tables", tables) + command_html(context, "--by scaling") +
            models_html(curves, own, number);
  }
  return html.empty()
             ? ""
             : section_open("scaling", "Scaling") + html +
                   "<p class=\"note\">For ranks on a processor, hardware is counted in cores, because "
                   "the ranks of one machine share its cores.</p>\n</section>\n";
}

}  // namespace sextant::report
