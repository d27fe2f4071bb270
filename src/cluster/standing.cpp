#include "cluster/standing.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "record/keys.hpp"

namespace sextant::cluster {
namespace {

std::string key_on_any_gpu(Case what) {
  if (what.device != "cpu") what.device = "any gpu";
  return key_of(what);
}

}  // namespace

Standing standing_of(const std::vector<Case>& cases, const Results& results) {
  std::set<std::int64_t> distributed;  // sessions that used several GPUs
  for (const Session& session : results.sessions)
    if (session.environment.contains("run.devices")) distributed.insert(session.id);
  std::map<std::string, Status> held;
  for (const StoredMeasurement& stored : results.measurements) {
    held[key_of(stored.measurement.what)] = stored.measurement.status;
    if (distributed.contains(stored.session))
      held[key_on_any_gpu(stored.measurement.what)] = stored.measurement.status;
  }
  Standing standing;
  standing.cases = cases.size();
  for (const Case& one : cases) {
    auto found = held.find(key_of(one));
    if (found == held.end()) found = held.find(key_on_any_gpu(one));
    if (found == held.end())
      ++standing.missing;
    else if (found->second == Status::ok)
      ++standing.measured;
    else if (found->second == Status::skipped)
      ++standing.skipped;
    else
      ++standing.bad;
  }
  return standing;
}

std::vector<std::string> kinds_of_machine(const Results& results) {
  std::vector<std::string> kinds;
  for (const Session& session : results.sessions) {
    std::string kind = value_of(session.environment, "cpu");
    const std::string gpu = value_of(session.environment, "gpu0.name");
    if (!gpu.empty()) kind += ", " + gpu;
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}

}  // namespace sextant::cluster
