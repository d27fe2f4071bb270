#include "cli/cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cli/interrupt.hpp"
#include "cli/sweep.hpp"
#include "engine/core_lanes.hpp"
#include "engine/turns.hpp"
#include "engine/worker_process.hpp"
#include "machine/gpu_processors.hpp"
#include "plan/guess.hpp"
#include "plan/plan.hpp"
#include "record/keys.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

// More than three were seen to disturb each other (docs/measuring.md). What is timed is not on neighbouring cores.
constexpr std::size_t most_lanes = 3, cores_of_a_lane = 2;
constexpr double least_gain = 10;  // seconds, guessed
constexpr Trial trial = {12, 8, 0.02};

// A lane a share of the cores, but for the first share: this program's other worker begins there. None where there are too few.
std::vector<Lane> lanes_on_cores() {
  const std::vector<Core> cores = cores_near("");
  const std::size_t busy = std::min(cores.size(), static_cast<std::size_t>(std::max(1, processors_to_use())));
  const std::size_t shares = std::min(most_lanes + 1, busy / cores_of_a_lane);
  std::vector<Lane> lanes;
  if (shares < 3) return lanes;
  const auto shared = shared_out(std::vector<std::vector<Core>>(shares, cores));
  for (std::size_t i = 1; i < shares; ++i) {
    Lane lane{"cpu", worker_command(), true};
    lane.worker.processors = processors_of(shared[i]);
    lane.worker.threads = static_cast<int>(shared[i].size());
    lanes.push_back(lane);
  }
  return lanes;
}

// Seconds that would be saved if nothing but the problem that takes longest had to be waited for.
double guessed_gain(const std::vector<Case>& cases, const Settings& settings, std::size_t lanes) {
  double all = 0, longest = 0, problem = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double one = guess_seconds(cases[i], settings.min_samples, settings.case_seconds, false);
    problem =
        i > 0 && key_of(problem_case(cases[i])) == key_of(problem_case(cases[i - 1])) ? problem + one : one;
    longest = std::max(longest, problem);
    all += one;
  }
  return all - std::max(longest, all / static_cast<double>(lanes));
}

// What the trial takes: the same kind of code, for a millisecond a call, so that turns are short.
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

std::optional<Interval> try_cores(const std::vector<Lane>& lanes, const Settings& settings) {
  const std::vector<Case> what = trial_case();
  if (what.empty()) return std::nullopt;
  const InterruptGuard guard;
  Callbacks callbacks;
  callbacks.stop = [] { return InterruptGuard::interrupted(); };
  Settings short_turns = turn_settings(settings);
  short_turns.min_samples = 12;
  short_turns.case_seconds = short_turns.least_seconds;
  std::vector<std::unique_ptr<CaseExecutor>> executors;
  for (const Lane& lane : lanes) {
    executors.push_back(make_worker_executor(lane.worker, short_turns, callbacks));
    // A neighbour is at it all the time; the turn in which it is told to end has to be waited for.
    short_turns.min_samples = 2;
  }
  return beside_over_alone(what.front(), executors, trial, callbacks.stop);
}

}  // namespace

OnCores for_cores(const std::vector<Case>& cases, const Settings& settings, const Environment& environment,
                  ProgressReporter& progress, Environment* learnt) {
  const double core_cache = std::atof(value_of(environment, "cpu.l2_cache").c_str());
  std::vector<Case> found;
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(found),
               [&](const Case& what) { return is_for_a_core(what, core_cache); });
  found = longest_problems_first(std::move(found));
  if (settings.in_process || guessed_gain(found, settings, most_lanes) < least_gain) return {};
  const std::vector<Lane> lanes = lanes_on_cores();
  if (lanes.empty()) return {};
  const std::optional<Interval> ratio = try_cores(lanes, settings);
  if (!ratio) return {};
  (*learnt)["cores.lanes"] = std::to_string(lanes.size());
  (*learnt)["cores.beside"] =
      fmt::format("{:.4f} of {:.4f} to {:.4f}", ratio->median, ratio->low, ratio->high);
  const std::string found_out = fmt::format(
      "serial code takes {:.3f} times as long ({:.3f} to {:.3f}) on each of {} cores that do the same",
      ratio->median, ratio->low, ratio->high, lanes.size());
  if (shows_disturbance(*ratio, settings.max_noise)) {
    progress.message(found_out + ": one case is measured at a time");
    return {};
  }
  progress.message(
      fmt::format("{}: {} cases that the memory does not bound are measured on {} cores at a time", found_out,
                  found.size(), lanes.size()));
  return {found, lanes};
}

}  // namespace sextant
