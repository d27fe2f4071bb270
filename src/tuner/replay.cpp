#include "tuner/replay.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace sextant::tuner {
namespace {

double processor_seconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

Trajectory replay(const RecordedSpace& recorded, const std::string& name, const Prior* prior,
                  std::uint64_t seed, std::size_t budget) {
  Trajectory run;
  const double began = processor_seconds();
  const auto strategy = make_strategy(name, recorded.space, prior, seed);
  while (run.points.size() < budget) {
    const std::optional<std::size_t> point = strategy->next();
    if (!point) break;
    run.points.push_back(*point);
    strategy->learn(*point, recorded.points[*point].evaluation);
  }
  run.seconds = processor_seconds() - began;
  return run;
}

double fraction_after(const RecordedSpace& recorded, const Trajectory& run, std::size_t evaluations) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(evaluations, run.points.size()); ++i) {
    const Evaluation& evaluation = recorded.points[run.points[i]].evaluation;
    if (evaluation.usable()) best = std::min(best, evaluation.time);
  }
  return std::isfinite(best) ? recorded.fraction(best) : 0;
}

Score score_of(const RecordedSpace& recorded, const std::vector<Trajectory>& runs, std::size_t evaluations) {
  std::vector<double> fractions;
  Score score;
  for (const Trajectory& run : runs) fractions.push_back(fraction_after(recorded, run, evaluations));
  if (fractions.empty()) return score;
  std::sort(fractions.begin(), fractions.end());
  for (const double fraction : fractions) score.mean += fraction / static_cast<double>(fractions.size());
  score.worst = fractions.front();
  const double place = 0.1 * static_cast<double>(fractions.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double above = fractions[std::min(below + 1, fractions.size() - 1)];
  score.percentile_10 = fractions[below] + (place - static_cast<double>(below)) * (above - fractions[below]);
  return score;
}

std::string trajectories(const RecordedSpace& recorded, const std::vector<Trajectory>& runs) {
  std::string text;
  for (const Trajectory& run : runs) {
    if (!text.empty()) text += "\n";
    for (const std::size_t point : run.points) {
      std::string line;
      const std::span<const Choice> choices = recorded.space.choices(point);
      for (std::size_t a = 0; a < choices.size(); ++a) {
        const Axis& axis = recorded.space.axes()[a];
        line += (a ? ", \"" : "{\"") + axis.name + "\": " + axis.texts[choices[a]];
      }
      text += line + "}\n";
    }
  }
  return text;
}

}  // namespace sextant::tuner
