#include "analysis/summary/thread_curves.hpp"

#include <cstdlib>

#include "record/keys.hpp"

namespace sextant {
namespace {

bool counts(const Summary& s) { return s.ok() && s.current && s.on_host && s.parts == 0; }

// Returns the key of a curve: the variant with its tuning and binding, but without the number of threads.
std::string curve_key(const Summary& s) {
  Tuning tuning = s.measurement->what.tuning;
  std::erase_if(tuning, [](const auto& entry) { return entry.first == "threads"; });
  return problem_key(s) + "|" + s.measurement->what.variant + "|" + tuning_text(tuning) + "|" +
         s.threads.binding;
}

}  // namespace

std::string ThreadCurve::title() const {
  const Case& what = points.begin()->second->measurement->what;
  return what.kernel + " " + what.variant + ", " + name_of(what.problem.type) + " " +
         (what.problem_class.empty() ? "N = " + std::to_string(what.problem.n) : what.problem_class);
}

std::vector<ThreadCurve> thread_curves(const std::vector<Summary>& summaries) {
  std::map<std::string, const Summary*> serial;
  std::map<std::string, std::size_t> index;
  std::vector<ThreadCurve> curves;
  for (const Summary& s : summaries) {
    if (!counts(s)) continue;
    if (s.model == "serial") serial[problem_key(s) + "|" + s.measurement->what.variant] = &s;
    const int threads = std::atoi(s.threads.count.c_str());
    if (threads < 1) continue;
    const auto [found, fresh] = index.try_emplace(curve_key(s), curves.size());
    if (fresh) curves.emplace_back();
    curves[found->second].points[threads] = &s;
  }
  std::erase_if(curves, [](const ThreadCurve& curve) { return curve.points.size() < 2; });
  for (ThreadCurve& curve : curves) {
    const std::string problem = problem_key(*curve.points.begin()->second) + "|";
    if (const auto found = serial.find(problem + "serial.baseline"); found != serial.end())
      curve.baseline = found->second;
    if (const auto found = serial.find(problem + "serial.native"); found != serial.end())
      curve.native = found->second;
  }
  return curves;
}

}  // namespace sextant
