#include "cli/files/machine_session.hpp"

#include <algorithm>
#include <cstdio>

#include "base/error.hpp"
#include "cli/files/load.hpp"
#include "engine/process/worker_questions.hpp"
#include "predict/data_machines.hpp"
#include "predict/first_uses.hpp"
#include "record/place.hpp"
#include "run/sweep.hpp"
#include "suite/team.hpp"

namespace sextant {

Session measured_session(const Environment& environment) {
  const WorkerCommand worker = worker_command();
  Session session;
  session.environment = environment;
  std::vector<std::string> devices = {"cpu"};
  for (int i = 0; has_device(environment, "gpu" + std::to_string(i)); ++i)
    devices.push_back("gpu" + std::to_string(i));
  for (const std::string& device : devices) {
    std::fprintf(stderr, "measuring %s\n", device.c_str());
    for (const Ceiling& ceiling : ask_ceilings(worker, device)) session.ceilings.push_back(ceiling);
  }
  return session;
}

std::string team_of_gpus(const Environment& environment) {
  int gpus = 0;
  while (environment.contains("gpu" + std::to_string(gpus) + ".peers")) ++gpus;
  return gpus < 2 ? "" : "gpu0-" + std::to_string(std::min(gpus, parts::most_of_a_team) - 1);
}

Session measured_session() {
  Session session = measured_session(ask_environment(worker_command()));
  const std::string team = team_of_gpus(session.environment);
  if (team.empty()) return session;
  std::fprintf(stderr, "measuring the links among %s\n", team.c_str());
  for (const Ceiling& ceiling : ask_ceilings(worker_command(), team)) session.ceilings.push_back(ceiling);
  return session;
}

namespace {

const Session& session_in(const Results& results, const std::string& path) {
  for (auto session = results.sessions.rbegin(); session != results.sessions.rend(); ++session)
    if (!session->ceilings.empty()) return *session;
  throw UserError("`" + path +
                  "` holds no ceilings (the highest measured speeds of its machine), because it was made "
                  "with --no-ceilings. `sextant list ceilings` measures the ceilings of this machine.");
}

}  // namespace

Session stored_session(const std::string& path) { return session_in(load_results(path), path); }

predict::Profile stored_profile(const std::string& path) {
  const Results results = load_results(path);
  const Session& session = session_in(results, path);
  predict::Profile profile = predict::profile_of(session);
  predict::add_first_uses(predict::first_uses(results, predict::machine_name(session)), &profile);
  return profile;
}

}  // namespace sextant
