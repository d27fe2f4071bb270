#include "cli/machine_session.hpp"

#include <cstdio>

#include "base/error.hpp"
#include "cli/held.hpp"
#include "cli/load.hpp"
#include "cli/sweep.hpp"

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

Session measured_session() { return measured_session(ask_environment(worker_command())); }

Session stored_session(const std::string& path) {
  const Results results = load_results(path);
  for (auto session = results.sessions.rbegin(); session != results.sessions.rend(); ++session)
    if (!session->ceilings.empty()) return *session;
  throw UserError("`" + path +
                  "` holds no ceilings: it was made with --no-ceilings. `sextant list ceilings` measures "
                  "this machine's.");
}

}  // namespace sextant
