#include "cli/tune/known.hpp"

#include <utility>

#include "analysis/summary/roofline.hpp"
#include "record/keys.hpp"
#include "record/threads.hpp"
#include "registry/registry.hpp"
#include "suite/thread_count.hpp"

namespace sextant {

std::optional<BestKnown> best_known(const Results& results, const Case& space, tuner::Goal goal) {
  const Measurement* best = nullptr;
  std::int64_t points = 0;
  // A time that was disturbed by other GPUs ranks below every undisturbed time.
  const auto rank = [&](const Measurement& one) {
    return std::pair(!tuner::tells_goal_time(one, goal), tuner::goal_time(one, goal).median);
  };
  for (const StoredMeasurement& stored : results.measurements) {
    const Measurement& one = stored.measurement;
    if (space_key_of(one.what) != space_key_of(space)) continue;
    ++points;
    if (one.status != Status::ok || tuner::goal_time(one, goal).samples == 0) continue;
    if (!best || rank(one) < rank(*best)) best = &one;
  }
  if (!best) return {};
  Tuning tuning = best->what.tuning;
  if (!space.tuning.empty() && space.tuning.back().first == thread_count &&
      tuning.size() + 1 == space.tuning.size())
    tuning.push_back(space.tuning.back());
  return BestKnown{tuning, points};
}

KnownHere known_here(const Results& held, const Environment& environment) {
  std::map<std::int64_t, const Session*> sessions;
  for (const Session& session : held.sessions) sessions[session.id] = &session;
  const auto here = [&](std::int64_t id, const Case& what) {
    const Session* session = sessions[id];
    return session && machine_of(*session) == value_of(environment, "machine") &&
           key_of(what, session->environment) == key_of(what, environment) &&
           loaded_code(session->environment, what.kernel) == loaded_code(environment, what.kernel);
  };
  KnownHere known;
  for (const StoredMeasurement& stored : held.measurements)
    if (here(stored.session, stored.measurement.what) && stored.measurement.status != Status::skipped &&
        stored.measurement.status != Status::timed_out)
      known.measurements[key_of(stored.measurement.what)] = &stored.measurement;
  for (const Search& search : held.searches)
    if (here(search.session, search.space)) known.searches[key_of(search.space)] = search;
  return known;
}

double least_time(std::span<const Results* const> files, const std::string& machine, const Case& space) {
  const RegisteredKernel* entry = find_kernel(space.kernel);
  std::optional<Roofline> roofline;
  for (const Results* results : files)
    for (const Session& session : results->sessions)
      if (Roofline one(session.ceilings, space.device); machine_of(session) == machine && !one.empty())
        roofline = std::move(one);
  if (!entry || !roofline) return 0;
  // The bound uses the measured peak rate of the matrix units, if there are any. It is higher, and the
  // variant may use these units.
  const std::optional<Bound> bound =
      roofline->bound(entry->kernel.work(space.problem), space.problem, space.cache, true);
  return bound ? bound->seconds : 0;
}

}  // namespace sextant
