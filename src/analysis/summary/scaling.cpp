#include "analysis/summary/scaling.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "record/keys.hpp"
#include "record/place.hpp"

namespace sextant {
namespace {

std::string key_of_problem(const Summary& s, Case what) {
  return s.machine + "|" + key_of(problem_case(std::move(what)));
}

// Returns the key of a variant and its tuning at a problem, independent of the device.
std::string key_of_code(const Summary& s, const Case& each) {
  return key_of_problem(s, each) + "|" + each.variant + "|" + tuning_text(each.tuning);
}

// Returns the number of cores that the process of a case without ranks may use. These are all cores available
// to OpenMP, or fewer if the tuning sets fewer threads.
std::optional<double> cores_of_process(const Summary& s) {
  if (!s.session) return {};
  const std::string threads = value_of(s.session->environment, "openmp.threads");
  double cores = std::atof(threads.c_str());
  for (const auto& [name, value] : s.measurement->what.tuning)
    if (name == "threads") cores = std::min(cores, static_cast<double>(value.number));
  return cores > 0 ? std::optional(cores) : std::nullopt;
}

Interval times(Interval interval, double factor) {
  interval.low *= factor, interval.median *= factor, interval.high *= factor, interval.minimum *= factor;
  return interval;
}

// Sets the speed-up of `s` over `single`, and the efficiency if `more` is known. `work` and `more` are the
// work and the hardware of `s`, each divided by that of `single`.
void hold_against(const Summary& single, double work, std::optional<double> more, const Summary& s,
                  Interval* speedup, Interval* efficiency) {
  const bool is_itself = &single == &s;
  *speedup = is_itself
                 ? Interval{.low = 1, .median = 1, .high = 1, .minimum = 1, .samples = s.call_time.samples}
                 : times(ratio_of_medians(single.call_time, s.call_time), work);
  if (more && *more > 0) *efficiency = times(*speedup, 1 / *more);
}

std::optional<double> ratio(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b && *b > 0 ? std::optional(*a / *b) : std::nullopt;
}

// Sets the exposed time: the part of the exchange that the computation does not overlap. Sets the hidden
// share: the overlapped fraction of the shorter of the two times. If these times are unknown, sets only the
// bus bandwidth, from the whole call time.
void add_exchange(Summary* s) {
  const Measurement& m = *s->measurement;
  if (m.compute_times.empty() || m.exchange_times.empty()) {
    if (m.work.bytes_sent > 0 && s->call_time.median > 0)
      s->bus_bandwidth = static_cast<double>(m.work.bytes_sent) / s->call_time.median;
    return;
  }
  const double all = s->call_time.median, compute = median_interval(m.compute_times).median,
               exchange = median_interval(m.exchange_times).median;
  s->compute_time = compute;
  s->exchange_time = exchange;
  s->exposed_time = std::max(0.0, all - compute);
  if (const double shorter = std::min(compute, exchange); shorter > 0)
    s->hidden_share = std::clamp((compute + exchange - all) / shorter, 0.0, 1.0);
  if (exchange > 0) s->bus_bandwidth = static_cast<double>(m.work.bytes_sent) / exchange;
}

struct Singles {
  // `self` is indexed by key_of_code, `best` by key_of_problem.
  std::unordered_map<std::string, const Summary*> self, best;
};

Singles singles_of(const std::vector<Summary>& summaries) {
  Singles singles;
  for (const Summary& s : summaries) {
    const Case& what = s.measurement->what;
    if (!s.ok() || !s.current) continue;
    if (s.parts == 1) singles.self[key_of_code(s, what)] = &s;
    if (s.parts > 0 || s.excluded_from_ranking) continue;
    const Summary*& best = singles.best[key_of_problem(s, what) + (s.on_host ? "|cpu" : "|gpu")];
    if (!best || s.call_time.median < best->call_time.median) best = &s;
  }
  return singles;
}

std::string size_of_curve(const Case& what) {
  return what.problem_class.empty() ? std::to_string(what.problem.n) : what.problem_class;
}

// Returns the title of a scaling curve. It names everything that the curve's points have in common, so it
// omits the number of ranks or GPUs.
std::string title_of_curve(const Summary& s) {
  const Case& what = s.measurement->what;
  const std::string tuning = tuning_text(what.tuning);
  return what.kernel + " " + name_of(what.problem.type) + ", " + size_of_curve(each_of(what)) +
         (is_weak(what.problem_class) ? " in each part (weak scaling)" : " in all (strong scaling)") + ": " +
         what.variant + (tuning.empty() ? "" : " " + tuning) +
         (what.cache == CacheMode::cold ? ", cold caches" : "") +
         (what.fill == InputFill::uniform ? std::string() : std::string(", ") + description_of(what.fill));
}

}  // namespace

Case each_of(Case what) {
  if (!is_weak(what.problem_class)) return what;
  Problem& problem = what.problem;
  const int parts = std::max(1, problem.parts);
  std::int64_t& slowest = problem.extents.z > 1   ? problem.extents.z
                          : problem.extents.y > 1 ? problem.extents.y
                                                  : problem.extents.x;
  slowest /= parts;
  problem.n /= parts;
  what.problem_class.resize(what.problem_class.size() - std::string(each_part).size());
  if (what.problem_class == std::to_string(problem.n)) what.problem_class.clear();
  return what;
}

void add_scaling(std::vector<Summary>* summaries) {
  const Singles singles = singles_of(*summaries);
  for (Summary& s : *summaries) {
    if (s.parts == 0 || !s.ok()) continue;
    add_exchange(&s);
    const Case& what = s.measurement->what;
    const Case each = each_of(what);
    const double work = is_weak(what.problem_class) ? what.problem.parts : 1;
    const auto by_parts = std::optional<double>(what.problem.parts);
    if (const auto self = singles.self.find(key_of_code(s, each)); self != singles.self.end())
      hold_against(*self->second, work,
                   s.on_host ? ratio(s.measurement->cores, self->second->measurement->cores) : by_parts, s,
                   &s.speedup_self, &s.efficiency_self);
    else
      s.notes.emplace_back(std::string("the same variant was not measured with one part (-d ") +
                           (s.on_host ? "1xcpu)" : "gpu0:1)"));
    const auto best = singles.best.find(key_of_problem(s, each) + (s.on_host ? "|cpu" : "|gpu"));
    if (best != singles.best.end())
      hold_against(*best->second, work,
                   s.on_host ? ratio(s.measurement->cores, cores_of_process(*best->second)) : by_parts, s,
                   &s.speedup_best_single, &s.efficiency_best_single);
    else
      s.notes.emplace_back("no variant without parts was measured (correctly) for this problem");
  }
}

std::vector<ScalingCurve> scaling_curves(const std::vector<Summary>& summaries) {
  std::map<std::pair<std::string, std::string>, ScalingCurve> curves;
  for (const Summary& s : summaries) {
    if (s.parts == 0 || !s.ok() || !s.current) continue;
    ScalingCurve& curve = curves[{s.machine, title_of_curve(s)}];
    curve.points.push_back(&s);
    curve.weak = is_weak(s.measurement->what.problem_class);
  }
  std::vector<ScalingCurve> list;
  for (auto& [key, curve] : curves) {
    std::tie(curve.machine, curve.title) = key;
    if (curve.weak) {
      Case each = each_of(curve.points.front()->measurement->what);
      for (const Summary& s : summaries) {
        each.device = s.measurement->what.device;
        if (s.parts == 1 && s.ok() && s.current && s.machine == curve.machine &&
            key_of(s.measurement->what) == key_of(each))
          curve.points.push_back(&s);
      }
    }
    std::stable_sort(curve.points.begin(), curve.points.end(),
                     [](const Summary* a, const Summary* b) { return a->parts < b->parts; });
    list.push_back(std::move(curve));
  }
  // First points of the weak-scaling curves. A strong-scaling curve that has only such a point is omitted.
  std::set<const Summary*> weak;
  for (const ScalingCurve& curve : list)
    if (curve.weak) weak.insert(curve.points.front());
  std::erase_if(list, [&](const ScalingCurve& curve) {
    return !curve.weak && curve.points.size() == 1 && weak.contains(curve.points.front());
  });
  return list;
}

}  // namespace sextant
