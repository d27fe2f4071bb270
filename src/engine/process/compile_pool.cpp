#include "engine/process/compile_pool.hpp"

#include <algorithm>
#include <set>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "engine/case/case_subject.hpp"
#include "engine/form/settings_json.hpp"
#include "own/kernel/described_kernel.hpp"
#include "record/json.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

constexpr double between_looks = 0.005;  // seconds between polls of the compiler processes
// maximum seconds to start a process and compile once; the compilation also has a shorter limit of its own
constexpr double maximum_wait = 90;
constexpr std::size_t enough = 32;  // maximum number of compiler processes

// Returns true if this process knows the kernel and the case cannot run, so that its code is not needed.
bool is_refused(const Case& what) {
  CaseSubject subject;
  return find_kernel(what.kernel) &&
         (!find_subject(what, &subject).empty() || !tune_subject(what, "here", &subject).empty());
}

}  // namespace

CompilePool::CompilePool(const WorkerCommand& command, const std::string& arch)
    : command_{command.arguments},
      arch_(arch),
      most_(std::min<std::size_t>(enough, std::max(1u, std::thread::hardware_concurrency()))) {}

CompilePool::~CompilePool() {
  for (Member& one : members_)
    if (one.process && !one.running.empty()) one.process->kill();
}

std::string CompilePool::code_of(const Case& what) {
  std::string code = what.kernel + "|" + what.variant + "|" + name_of(what.problem.type) + "|" + what.device;
  for (const auto& [name, value] : what.tuning)
    if (own::is_in_code(what.kernel, what.variant, name)) code += "|" + name + "=" + value_text(value);
  return code;
}

bool CompilePool::is_running(const Case& what) const {
  return std::any_of(members_.begin(), members_.end(),
                     [code = code_of(what)](const Member& one) { return one.running == code; });
}

bool CompilePool::is_busy() const {
  return std::any_of(members_.begin(), members_.end(),
                     [](const Member& one) { return !one.running.empty(); });
}

std::string CompilePool::problem_of(const Case& what) const {
  const auto known = found_.find(code_of(what));
  return known == found_.end() || known->second.empty() || is_refused(what) ? "" : known->second;
}

void CompilePool::expect(std::span<const Case> cases, std::size_t processes) {
  allowed_ = std::clamp<std::size_t>(processes, 1, most_);
  queue_.clear();
  std::set<std::string> codes;
  for (const Case& one : cases)
    if (!knows(one) && !is_refused(one) && codes.insert(code_of(one)).second) queue_.push_back(one);
  look();
}

std::string CompilePool::arch_of(const std::string& device) const {
  const auto known = archs_.find(device);
  return !arch_.empty() || known == archs_.end() ? arch_ : known->second;
}

// Returns true if another process is still asking this GPU for its architecture. Later processes are told the
// answer, so that they do not start the GPU's driver.
bool CompilePool::has_to_wait(const Case& what) const {
  return gpu_index(what.device) >= 0 && arch_of(what.device).empty() &&
         std::any_of(members_.begin(), members_.end(),
                     [&](const Member& one) { return !one.running.empty() && one.device == what.device; });
}

bool CompilePool::begin(Member* member, const Case& what) {
  try {
    if (!member->process) member->process = std::make_unique<WorkerProcess>(command_, false);
  } catch (const UserError&) {
    return false;
  }
  Json request = {{"ask", "compile"}, {"case", json_of(what)}};
  if (const std::string arch = arch_of(what.device); !arch.empty()) request["arch"] = arch;
  member->running = code_of(what);
  member->device = what.device;
  member->until = now() + maximum_wait;
  if (member->process->send(text_of(request))) return true;
  found(member, "");
  member->process.reset();
  return false;
}

void CompilePool::found(Member* member, const std::string& problem) {
  found_[member->running] = problem;
  member->running.clear();
}

// Reads the result of one process. If the process died or hangs, no error is recorded; the worker that
// measures the case then reports it.
void CompilePool::hear(Member* member) {
  std::string line;
  const Received received = member->process->receive(&line, 0);
  if (received == Received::line) {
    const Json reply = answer_in(line);
    if (reply.contains("arch")) archs_[member->device] = reply["arch"].get<std::string>();
    if (reply.contains("compiled"))
      found(member, reply["compiled"].get<std::string>());
    else if (reply.contains("error"))
      found(member, "");
    return;
  }
  if (received == Received::nothing && now() < member->until) return;
  member->process->kill();
  member->process.reset();
  found(member, "");
}

void CompilePool::look() {
  for (Member& one : members_)
    if (!one.running.empty()) hear(&one);
  std::size_t busy = 0;
  for (const Member& one : members_) busy += one.running.empty() ? 0 : 1;
  while (!queue_.empty() && busy < allowed_ && !has_to_wait(queue_.front())) {
    auto idle =
        std::find_if(members_.begin(), members_.end(), [](const Member& one) { return one.running.empty(); });
    Member& member = idle == members_.end() ? members_.emplace_back() : *idle;
    const Case what = std::move(queue_.front());
    queue_.pop_front();
    if (begin(&member, what)) ++busy;
  }
}

void CompilePool::finish(const std::function<bool()>& stop) {
  for (look(); is_busy() || !queue_.empty(); look()) {
    if (stop && stop()) return queue_.clear();
    std::this_thread::sleep_for(std::chrono::duration<double>(between_looks));
  }
}

void CompilePool::finish(const Case& what, const std::function<bool()>& stop) {
  for (look(); is_running(what); look()) {
    if (stop && stop()) return;
    std::this_thread::sleep_for(std::chrono::duration<double>(between_looks));
  }
}

}  // namespace sextant
