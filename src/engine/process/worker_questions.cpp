#include "engine/process/worker_questions.hpp"

#include <cstdio>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "engine/case/sampling.hpp"
#include "engine/form/settings_json.hpp"
#include "engine/process/overrun_search.hpp"
#include "engine/process/worker_process.hpp"
#include "record/json.hpp"
#include "record/place.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

constexpr double forms_seconds = 60;  // seconds for calling the functions of loaded kernels at small sizes

// A worker's task in error messages: what the worker does, and what the user can do if it ends.
struct Task {
  const char* what;
  const char* remedy;
};
constexpr Task inspection = {"inspects the machine", "Check the driver with `nvidia-smi`, then try again."};
constexpr Task kernel_check = {"checks the loaded kernels",
                               "It calls the kernels' functions at small sizes. Correct these functions."};

// Sends the question to a worker and returns its answer.
Json ask(const WorkerCommand& command, const Json& question, double seconds, const Task& task) {
  std::unique_ptr<WorkerProcess> worker = take_worker(command);
  SteadyClock clock;
  worker->send(text_of(question));
  std::string line;
  for (const double end = clock.now() + seconds; clock.now() < end;) {
    const Received received = worker->receive(&line, end - clock.now());
    if (received == Received::nothing) continue;
    if (received == Received::closed)
      throw UserError(
          std::string("the worker process that ") + task.what + " " + worker->ending() + ". " + task.remedy,
          ExitCode::internal);
    const Json reply = answer_in(line);
    if (reply.contains("error")) throw UserError(reply["error"].get<std::string>(), ExitCode::missing);
    if (reply.contains("ready")) continue;
    leave_worker(command, std::move(worker));
    return reply;
  }
  worker->kill();
  char limit[32];
  std::snprintf(limit, sizeof limit, "%g", seconds);
  throw UserError(std::string("the worker process that ") + task.what + " did not answer within " + limit +
                      " s. Either other programs use the processors, or a device driver hangs (check it with "
                      "`nvidia-smi`). Try again on a quiet machine.",
                  ExitCode::internal);
}

}  // namespace

Environment ask_environment(const WorkerCommand& worker, double seconds) {
  return ask(worker, {{"ask", "environment"}}, seconds, inspection).at("environment").get<Environment>();
}

std::vector<std::string> ask_forms(const WorkerCommand& worker) {
  try {
    return ask(worker, {{"ask", "forms"}}, forms_seconds, kernel_check)
        .at("forms")
        .get<std::vector<std::string>>();
  } catch (const UserError& error) {
    const std::string found = error.code == ExitCode::internal ? find_overrun_of_references(worker) : "";
    if (found.empty()) throw;
    throw UserError("the reference " + found +
                    ". The array is too short for the reference's indices, or its fill has values that are "
                    "not valid indices. Correct its length or fill.");
  }
}

std::vector<Ceiling> ask_ceilings(const WorkerCommand& worker, const std::string& device, CeilingPart part) {
  std::vector<Ceiling> ceilings;
  const Json reply = ask(worker, {{"ask", "ceilings"}, {"device", device}, {"part", static_cast<int>(part)}},
                         180, inspection);
  for (const Json& ceiling : reply.at("ceilings")) ceilings.push_back(ceiling_from(ceiling));
  return ceilings;
}

std::vector<Case> one_for_each_library(const std::vector<Case>& cases) {
  std::vector<Case> chosen;
  std::set<std::pair<std::string, Model>> known;
  for (const Case& what : cases) {
    if (gpu_index(what.device) < 0) continue;
    const RegisteredKernel* entry = find_kernel(what.kernel);
    const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
    if (variant && is_offloaded(variant->model) && known.insert({entry->folder, variant->model}).second)
      chosen.push_back(what);
  }
  return chosen;
}

void ask_to_load_code(const WorkerCommand& command, const std::vector<Case>& cases,
                      const std::function<bool()>& stop) {
  if (cases.empty()) return;
  std::unique_ptr<WorkerProcess> worker = take_worker(command);
  Json list = Json::array();
  for (const Case& what : cases) list.push_back(json_of(what));
  worker->send(text_of(Json{{"load_code", list}}));
  SteadyClock clock;
  std::string line;
  for (const double end = clock.now() + gpu_start_seconds; clock.now() < end && !(stop && stop());) {
    const Received received = worker->receive(&line, tick);
    if (received == Received::closed) return;
    if (received == Received::line && answer_in(line).contains("loaded"))
      return leave_worker(command, std::move(worker));
  }
  worker->kill();
}

}  // namespace sextant
