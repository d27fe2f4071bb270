#include "cli/tune/known.hpp"

#include "analysis/summary/roofline.hpp"
#include "record/keys.hpp"
#include "registry/registry.hpp"
#include "suite/thread_count.hpp"

namespace sextant {

std::optional<BestKnown> best_known(const Results& results, const Case& space, tuner::Goal goal) {
  const Measurement* best = nullptr;
  std::int64_t points = 0;
  for (const StoredMeasurement& stored : results.measurements) {
    const Measurement& one = stored.measurement;
    if (space_key_of(one.what) != space_key_of(space)) continue;
    ++points;
    if (one.status != Status::ok) continue;
    if (!best || tuner::goal_time(one, goal).median < tuner::goal_time(*best, goal).median) best = &one;
  }
  if (!best) return {};
  Tuning tuning = best->what.tuning;
  if (!space.tuning.empty() && space.tuning.back().first == thread_count &&
      tuning.size() + 1 == space.tuning.size())
    tuning.push_back(space.tuning.back());
  return BestKnown{tuning, points};
}

double least_time(std::span<const Results* const> files, const std::string& machine, const Case& space) {
  const RegisteredKernel* entry = find_kernel(space.kernel);
  std::optional<Roofline> roofline;
  for (const Results* results : files)
    for (const Session& session : results->sessions)
      if (Roofline one(session.ceilings, space.device); machine_of(session) == machine && !one.empty())
        roofline = std::move(one);
  if (!entry || !roofline) return 0;
  // Matrix units are the higher ceiling where there are any: whether they are used is not known yet.
  const std::optional<Bound> bound =
      roofline->bound(entry->kernel.work(space.problem), space.problem, space.cache, true);
  return bound ? bound->seconds : 0;
}

}  // namespace sextant
