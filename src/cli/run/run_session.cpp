#include "cli/run/run_session.hpp"

#include <fmt/format.h>

#include "cli/options/invocation.hpp"
#include "engine/form/unmeasured.hpp"
#include "plan/describe.hpp"
#include "record/place.hpp"
#include "record/visits.hpp"
#include "run/ceilings.hpp"
#include "run/held.hpp"

namespace sextant {
namespace {

bool has_links(const std::string& device) {
  const std::optional<Place> place = place_of(device);
  return place && place->devices > 1;
}

}  // namespace

std::set<std::string> devices_of(const std::vector<Case>& cases, const Environment& environment,
                                 const RequestedDevices& requested) {
  std::set<std::string> devices;
  for (const Case& one : cases)
    if (one.device != "cpu" && !requested.names.empty())
      devices.insert(requested.names.begin(), requested.names.end());
    else if (one.device == "cpu" || environment.contains(one.device + ".name") || has_links(one.device))
      devices.insert(one.device);
  return devices;
}

RequestedDevices requested_devices(const RunOptions& options, const Environment& environment,
                                   ProgressReporter& progress) {
  if (options.devices.empty()) return {};
  RequestedDevices requested = devices_asked(options.devices, environment);
  for (const std::string& note : requested.notes) progress.message("note: " + note);
  return requested;
}

Session session_of(const RunRequest& request, const Environment& environment,
                   const RequestedDevices& requested) {
  Session session;
  session.started = timestamp_now();
  session.command = command_line();
  session.version = SEXTANT_VERSION;
  session.environment = environment;
  record_settings(request.settings, &session.environment);
  session.environment[most_visits_key] = std::to_string(request.visits);
  if (!requested.names.empty())
    session.environment["run.devices"] = fmt::format("{}", fmt::join(requested.names, ","));
  session.kernels = describe(request.cases);
  return session;
}

void measure_missing_ceilings(RunRequest request, const std::vector<Case>& asked,
                              const Environment& environment, const RequestedDevices& requested,
                              const WorkerCommand& worker, ProgressReporter& progress, ResultsFile* file,
                              Timings* timings) {
  std::set<std::string> known;
  for (const Session& session : file->load().sessions)
    if (machine_of(session) == value_of(environment, "machine"))
      for (const Ceiling& ceiling : session.ceilings) known.insert(ceiling.device);
  request.cases = asked;
  std::erase_if(request.cases, [&](const Case& one) { return known.contains(one.device); });
  if (devices_of(request.cases, environment, requested).empty()) return;
  const std::int64_t id = file->begin_session(session_of(request, environment, requested));
  RunCeilings(worker, progress, *file, id, *timings)
      .measure(devices_of(request.cases, environment, requested));
  file->require_kept(id);
}

}  // namespace sextant
