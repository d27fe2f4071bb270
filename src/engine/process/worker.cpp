// The loop of a worker process. It reads cases and writes stages and measurements, as one JSON object per
// line.
#include "engine/process/worker.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <optional>

#include "base/error.hpp"
#include "base/forked.hpp"
#include "base/overrun.hpp"
#include "engine/case/case_runner.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/settings_json.hpp"
#include "engine/form/stage.hpp"
#include "engine/form/unmeasured.hpp"
#include "engine/parts/process_runner.hpp"
#include "engine/process/line_channel.hpp"
#include "machine/ceilings/ceilings.hpp"
#include "machine/environment.hpp"
#include "own/compile/compile.hpp"
#include "own/kernel/described_cuda.hpp"
#include "own/kernel/forms_check.hpp"
#include "own/kernel/load.hpp"
#include "record/place.hpp"

namespace sextant {

namespace {

// Loads all user kernels. Returns why one cannot be loaded, or an empty string.
std::string problem_of(const std::vector<Load>& loads) {
  try {
    load_all(loads);
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

Json answer_forms() {
  Json problems = Json::array();
  for (const Loaded& one : loaded())
    for (const std::string& name : one.kernels)
      if (const std::string problem = problem_of_forms(*find_kernel(name)); !problem.empty())
        problems.push_back(problem);
  return {{"forms", problems}};
}

Json compiled(const char* problem) { return {{"compiled", problem ? problem : ""}}; }

// Compiles the code of a case, unless the case cannot run here anyway. The answer contains the compiler's
// error, if there is one. Before it compiles for a GPU, it tells the GPU's architecture.
Json answer_compile(const Json& request, const std::function<void(const Json&)>& tell) {
  const Case what = case_from(request.at("case"));
  own::CompileTarget& target = own::compile_target();
  target.gpu = std::max(0, gpu_index(what.device));
  target.arch = request.value("arch", "");
  const RegisteredKernel* entry = find_kernel(what.kernel);
  const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
  const Json nothing = {{"compiled", ""}};
  if (!variant || !variant->compile) return nothing;
  if (target.arch.empty() && variant->unavailable && variant->unavailable()) return nothing;
  std::vector<int> tuning;
  for (const Tunable& tunable :
       variant->tunables)  // the case may have other values, which are not tunables of the variant
    for (const auto& [name, value] : what.tuning)
      if (name == tunable.name) tuning.push_back(value);
  if (tuning.size() != variant->tunables.size()) return nothing;
  if (variant->refusal(what.problem, tuning.data())) return nothing;
  if (!needs_gpu(*variant)) return compiled(compile_anywhere(*variant, what.problem, tuning.data()));
  target.arch = own::arch_to_compile_for();
  if (target.arch.empty()) return nothing;
  tell({{"arch", target.arch}});
  return compiled(compile_anywhere(*variant, what.problem, tuning.data()));
}

// `tell` sends a message before the answer.
Json answer(const Json& request, const std::function<void(const Json&)>& tell) {
  try {
    if (request.at("ask") == "environment") {
      Environment environment = read_environment();
      record_loads(&environment);
      return {{"environment", environment}};
    }
    if (request.at("ask") == "forms") return answer_forms();
    if (request.at("ask") == "compile") return answer_compile(request, tell);
    Json list = Json::array();
    const auto part = static_cast<CeilingPart>(request.value("part", 0));
    for (const Ceiling& ceiling : measure_ceilings(request.at("device"), part))
      list.push_back(json_of(ceiling));
    return {{"ceilings", list}};
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

pid_t parent = 0;

// Ends this process when its parent ends. Linux also sends the signal when the thread that started this
// process ends (prctl(2)). The signal handler therefore tests whether the parent still exists.
void end_with_parent() {
  parent = ::getppid();
  struct sigaction action {};
  action.sa_flags = SA_RESTART;
  action.sa_handler = [](int) {
    if (::getppid() != parent) ::kill(::getpid(), SIGKILL);
  };
  const int parent_ended = SIGRTMAX - 1;
  ::sigaction(parent_ended, &action, nullptr);
  ::prctl(PR_SET_PDEATHSIG, parent_ended);
}

}  // namespace

int worker_main(int in, int out, const std::vector<Load>& loads) {
  end_with_parent();
  // A batch scheduler sends these signals to all processes of a job. Only the parent acts on them; it then
  // ends its worker itself.
  ::signal(SIGTERM, SIG_IGN);
  ::signal(SIGINT, SIG_IGN);
  watch_copies(in, out);
  // programs started by user code may outlive this process and must not keep the descriptors open
  for (const int descriptor : {in, out})
    if (descriptor > STDERR_FILENO) ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  open_offloaded_when_used();
  tell_overruns([out](const std::string& text) { write_line(out, text_of(Json{{"overrun", text}})); });
  LineReader reader(in);
  // the running case, if the parent requires that the worker asks before each stage; otherwise empty
  std::optional<Case> asks_for;
  const ProcessRunner* running = nullptr;
  ProcessRunner runner(
      [&](Stage stage) {
        end_if_copy();
        if (!asks_for) {
          write_line(out, text_of(Json{{"stage", name_of(stage)}}));
          return;
        }
        const bool is_light = running && running->is_light();
        write_line(out, text_of(Json{{"stage", name_of(stage)},
                                     {"class", name_of(class_of_stage(stage, *asks_for, is_light))},
                                     {"call", running ? running->expected_call() : 0}}));
        std::string answer;  // the only possible answer is the permission to begin
        if (reader.next(&answer, -1) != Received::line) std::_Exit(0);
      },
      [out](const Measurement& taken) {
        write_line(out, text_of(Json{{"taken", json_of(taken)}}));
      });
  running = &runner;
  if (!write_line(out, text_of(Json{{"ready", ::getpid()}}))) return 0;
  const std::string problem = problem_of(loads);
  std::string line;
  while (reader.next(&line, -1) == Received::line) {
    const Json request = parse_json(line);
    if (request.contains("load_code")) {
      for (const Json& one : request["load_code"]) runner.load_code(case_from(one));
      if (!write_line(out, text_of(Json{{"loaded", true}}))) return 0;
      continue;
    }
    if (request.contains("ask")) {
      const auto tell = [out](const Json& message) { write_line(out, text_of(message)); };
      if (!write_line(out, text_of(problem.empty() ? answer(request, tell) : Json{{"error", problem}})))
        return 0;
      continue;
    }
    const Case what = case_from(request.at("case"));
    const Settings settings = settings_from(request.at("settings"));
    asks_for.reset();
    if (request.value("asks", false)) asks_for = what;
    const Measurement measurement = problem.empty()
                                        ? runner.run(what, settings)
                                        : unmeasured(what, Status::failed, problem, settings.seed);
    Json reply = {{"measurement", json_of(measurement)}};
    if (runner.device_lost()) reply["leaving"] = true;
    if (!write_line(out, text_of(reply))) return 0;
    // The device context is lost, so the destructors of this process's device objects are skipped.
    if (runner.device_lost()) std::_Exit(0);
  }
  return 0;
}

}  // namespace sextant
