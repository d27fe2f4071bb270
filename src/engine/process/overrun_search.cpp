#include "engine/process/overrun_search.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/overrun.hpp"
#include "engine/case/sampling.hpp"
#include "engine/form/settings_json.hpp"
#include "engine/process/worker_process.hpp"
#include "own/compile/compile.hpp"
#include "record/json.hpp"
#include "registry/registry.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant {
namespace {

// most seconds to compile the variant and its reference and to check once
constexpr double most_seconds = 60;
constexpr std::int64_t wide_guards = std::int64_t{1} << 20;

// Returns the variant if it is compiled from a user's file, otherwise null.
const Variant* variant_of_file(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  const Variant* variant =
      entry && !entry->loaded_from.empty() ? find_variant(*entry, what.variant) : nullptr;
  return variant && variant->compile ? variant : nullptr;
}

// Returns the out-of-bounds access that the worker reports, or an empty string if it ends or answers without
// one.
std::string heard_of(WorkerProcess& worker) {
  SteadyClock clock;
  for (const double end = clock.now() + most_seconds; clock.now() < end;) {
    std::string line;
    const Received received = worker.receive(&line, end - clock.now());
    if (received == Received::closed) return {};
    if (received != Received::line) continue;
    const Json reply = Json::parse(line, nullptr, false);
    if (reply.is_object() && reply.contains("overrun")) return reply["overrun"].get<std::string>();
    if (!reply.is_object() || reply.contains("measurement") || reply.contains("forms")) return {};
  }
  worker.kill();
  return {};
}

// Sends the question to a worker with AddressSanitizer. Returns the out-of-bounds access that it reports, or
// an empty string.
std::string asked(const WorkerCommand& command, bool offload_on_host, const Json& question) {
  if (address_sanitizer || finds_overruns() || std::getenv("LD_PRELOAD")) return {};
  const std::string library = own::address_sanitizer_library();
  if (library.empty()) return {};
  WorkerCommand watched = command;
  watched.idle = nullptr;
  for (const std::string& one : {"LD_PRELOAD=" + library, std::string("SEXTANT_FIND_OVERRUNS=1"),
                                 std::string("ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1")})
    watched.environment.push_back(one);
  try {
    WorkerProcess worker(watched, offload_on_host);
    worker.send(text_of(question));
    return heard_of(worker);
  } catch (const std::exception&) {  // the user still gets the original error, only without the location
    return {};
  }
}

}  // namespace

std::string find_overrun(const WorkerCommand& command, const Case& what, Settings settings) {
  const Variant* variant = variant_of_file(what);
  if (!variant || variant->model == Model::cuda) return {};
  settings.check_only = true;
  settings.guard_bytes = std::max(settings.guard_bytes, wide_guards);
  return asked(command, settings.offload_on_host,
               {{"case", json_of(what)}, {"settings", json_of(settings)}, {"asks", false}});
}

std::string find_hidden_overrun(const WorkerCommand& command, const Case& what, const Settings& settings) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  const Variant* variant = variant_of_file(what);
  if (!variant) return {};
  const std::string reference = entry->checked_by.substr(0, entry->checked_by.find(','));
  const Variant* known = reference.empty() ? nullptr : find_variant(*entry, reference);
  return known && known->description == variant->description ? "" : find_overrun(command, what, settings);
}

std::string find_overrun_of_references(const WorkerCommand& command) {
  return asked(command, false, {{"ask", "forms"}});
}

std::string sanitizer_command(const WorkerCommand& command, const Case& what) {
  const Variant* variant = variant_of_file(what);
  if (!variant || variant->model != Model::cuda) return {};
  std::string text = "compute-sanitizer sextant verify --in-process";
  for (std::size_t i = 0; i + 1 < command.arguments.size(); ++i)
    if (command.arguments[i] == "--load") text += " --load " + command.arguments[i + 1];
  return text + " -k " + what.kernel + " -v " + what.variant + " -n " +
         (what.problem_class.empty() ? std::to_string(what.problem.n) : what.problem_class) + " --type " +
         name_of(what.problem.type);
}

}  // namespace sextant
