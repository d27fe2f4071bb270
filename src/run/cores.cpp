#include "run/cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/case/sampling.hpp"
#include "engine/concurrent/core_slots.hpp"
#include "engine/concurrent/turns.hpp"
#include "engine/form/callbacks.hpp"
#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"
#include "engine/process/worker_executor.hpp"
#include "engine/process/worker_process.hpp"
#include "machine/gpu_processors.hpp"
#include "plan/guess.hpp"
#include "plan/plan.hpp"
#include "record/keys.hpp"
#include "registry/registry.hpp"
#include "run/interrupt.hpp"
#include "run/sweep.hpp"

namespace sextant {
namespace {

// A run first tries to measure most_slots cases concurrently. On some hosts four cases disturb each other
// (docs/explanation/measuring.md). The run then tries tried_next cases. Each case gets two cores, so that
// timed code does not run on neighbouring cores.
constexpr std::size_t most_slots = 4, tried_next = 3;
constexpr int cores_per_slot = 2;
constexpr double least_gain = 10;  // estimated seconds that concurrent measuring must save
constexpr Trial trial = {12, 4, 0.02};

// Returns one worker slot for each pair of cores, from the last core on, and leaves at least one pair for
// other workers. The result is empty if there are too few cores.
std::vector<WorkerSlot> slots_on(const std::vector<Core>& cores) {
  const std::size_t busy = std::min(cores.size(), static_cast<std::size_t>(std::max(1, processors_to_use())));
  const std::size_t pairs = std::min(most_slots + 1, busy / cores_per_slot);
  std::vector<WorkerSlot> slots;
  if (pairs < 3) return slots;
  for (std::size_t i = 1; i < pairs; ++i) {
    const auto end = cores.end() - static_cast<std::ptrdiff_t>((i - 1) * cores_per_slot);
    WorkerSlot slot{"cpu", worker_command(), true};
    slot.worker.processors = processors_of({end - cores_per_slot, end});
    slot.worker.threads = cores_per_slot;
    slots.push_back(slot);
  }
  return slots;
}

// Estimates the seconds saved by measuring on `slots` worker slots: the time of all cases one after another,
// minus the time of concurrent measuring. The latter is the longest case or an equal share per slot,
// whichever is longer.
double guessed_gain(const std::vector<Case>& cases, const Settings& settings, std::size_t slots) {
  double all = 0, longest = 0;
  for (const Case& what : cases) {
    const double one = guess_seconds(what, sampled_by(settings), false);
    longest = std::max(longest, one);
    all += one;
  }
  return all - std::max(longest, all / static_cast<double>(slots));
}

// Returns the case that tests whether concurrent cases disturb each other. It is serial code like the
// measured cases. A call takes about a millisecond, so that single measurements are short.
std::vector<Case> trial_case() {
  const RegisteredKernel* entry = find_kernel("matmul_naive");
  if (!entry || !find_variant(*entry, "serial.baseline")) return {};
  Selection selection;
  selection.kernels = {"matmul_naive"};
  selection.variants = {"serial.baseline"};
  selection.sizes = {32768};
  selection.types = {ElementType::float32};
  return plan(selection, nullptr);
}

std::vector<std::unique_ptr<CaseExecutor>> executors_on(const std::vector<WorkerSlot>& slots,
                                                        const Settings& settings,
                                                        const Callbacks& callbacks) {
  Settings short_turns = turn_settings(settings);
  short_turns.min_samples = 12;
  short_turns.case_seconds = short_turns.warm_seconds = short_turns.least_seconds;
  std::vector<std::unique_ptr<CaseExecutor>> executors;
  for (const WorkerSlot& slot : slots) {
    executors.push_back(make_worker_executor(slot.worker, short_turns, callbacks));
    // The other executors measure continuously, and the trial waits until their last measurement ends. They
    // therefore take fewer samples.
    short_turns.min_samples = 4;
  }
  return executors;
}

void say(const TrialFound& tried, const std::string& then, ProgressReporter& progress) {
  progress.message(fmt::format(
      "serial code takes {:.3f} times as long ({:.3f} to {:.3f}) when {} cores run it at the same time{}",
      tried.ratio.median, tried.ratio.low, tried.ratio.high, tried.executors, then));
}

std::string text_of(const Interval& ratio) {
  return fmt::format("{:.4f} of {:.4f} to {:.4f}", ratio.median, ratio.low, ratio.high);
}

// Returns as many worker slots as can measure concurrently without disturbing each other, according to one or
// two trials. The result is empty if even the smaller number disturbs, or if no trial was possible.
std::vector<WorkerSlot> undisturbed(std::vector<WorkerSlot> slots, const Settings& settings,
                                    ProgressReporter& progress, Environment* learnt) {
  const std::vector<Case> what = trial_case();
  if (what.empty()) return {};
  const InterruptGuard guard;
  Callbacks callbacks;
  callbacks.stop = [] { return InterruptGuard::interrupted(); };
  std::vector<std::unique_ptr<CaseExecutor>> executors = executors_on(slots, settings, callbacks);
  const std::vector<TrialFound> tried =
      try_concurrent(what.front(), &executors, tried_next, trial, settings.max_noise, callbacks.stop);
  for (const TrialFound& one : tried) {
    const bool last = one.executors == executors.size();
    if (!last) (*learnt)["cores.disturbed"] = fmt::format("{} on {}", text_of(one.ratio), one.executors);
    (*learnt)["cores.lanes"] = std::to_string(one.executors);
    (*learnt)["cores.beside"] = text_of(one.ratio);
    say(one,
        !last           ? ". Fewer cores are tried next"
        : one.disturbed ? ". Therefore one case is measured at a time"
                        : "",
        progress);
  }
  if (tried.empty() || tried.back().disturbed) return {};
  slots.resize(executors.size());
  return slots;
}

}  // namespace

OnCores for_cores(const std::vector<Case>& cases, const Settings& settings, const Environment& environment,
                  ProgressReporter& progress, Environment* learnt) {
  // The counters of a processor count the energy of all its cores.
  if (settings.energy_windows > 0) return {};
  const double core_cache = std::atof(value_of(environment, "cpu.l2_cache").c_str());
  std::vector<Case> found;
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(found),
               [&](const Case& what) { return is_for_a_core(what, core_cache); });
  found = longest_problems_first(std::move(found));
  if (settings.in_process || guessed_gain(found, settings, most_slots) < least_gain) return {};
  const std::vector<Core> cores = cores_near("");
  const std::vector<WorkerSlot> all = slots_on(cores);
  if (all.empty()) return {};
  const std::vector<WorkerSlot> slots = undisturbed(all, settings, progress, learnt);
  if (slots.empty()) return {};
  progress.message(fmt::format("{} cases that are not memory-bound are measured concurrently on {} cores",
                               found.size(), slots.size()));
  return {found, slots, processors_of({cores.begin(), cores.end() - slots.size() * cores_per_slot})};
}

}  // namespace sextant
