#include "engine/profile_run.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "engine/parts/process_runner.hpp"

namespace sextant {
namespace {

// Records the device activity and OpenACC constructs of `calls` calls of `execute`. Each call also gets a
// record that encloses its constructs.
void record(const std::function<void()>& execute, int calls, ProfileRun* run) {
  if (const char* why = activity_unavailable()) run->without_records = why;
  const bool records = run->without_records.empty();
  if (records) start_activity(ActivityDetail::host_calls);
  start_constructs(activity_clock);
  std::vector<ConstructRecord> made;
  for (int i = 0; i < calls; ++i) {
    ConstructRecord call{};
    call.kind = ConstructRecord::Kind::call;
    call.directive = "call";
    call.start = activity_clock();
    execute();
    call.end = activity_clock();
    made.push_back(call);
  }
  std::vector<ConstructRecord> constructs = stop_constructs();
  if (records) run->activities = stop_activity();
  for (ConstructRecord& construct : constructs)
    if (!construct.function.empty()) construct.function = demangled(construct.function);
  made.insert(made.end(), constructs.begin(), constructs.end());
  std::stable_sort(made.begin(), made.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
  run->constructs = std::move(made);
}

}  // namespace

ProfileRun profile_case(const Case& what, int calls) {
  ProfileRun run;
  Settings settings;
  settings.check_only = true;
  settings.in_process = true;
  std::string why_not;
  settings.offload_on_host = !open_device(MemorySpace::cuda, 0, &why_not);
  ProcessRunner runner([](Stage) {});
  runner.observe([&](const std::function<void()>& execute) { record(execute, calls, &run); });
  const Measurement measurement = runner.run(what, settings);
  const std::string name = what.kernel + " " + what.variant;
  switch (measurement.status) {
    case Status::ok:
      return run;
    case Status::wrong:
      throw UserError(name +
                          " is not profiled because its result is wrong: " + as_sentence(measurement.reason) +
                          " Correct the variant, then check it with `sextant verify`.",
                      ExitCode::check_failed);
    case Status::skipped:
      throw UserError(name + " cannot be profiled here: " + as_sentence(measurement.reason) +
                          " `sextant doctor` shows what is missing.",
                      ExitCode::missing);
    default:
      throw DeviceError(name + ": " + measurement.reason);
  }
}

}  // namespace sextant
