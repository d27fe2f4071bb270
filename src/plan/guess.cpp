#include "plan/guess.hpp"

#include <algorithm>
#include <thread>

#include "record/place.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

// Expected speed of a variant. Only the order of magnitude matters.
struct Speed {
  double bandwidth, flop_rate;
};

Speed speed_of(const Case& what) {
  if (!is_on_cpu(what.device)) return {1e12, 1e12};
  if (what.variant == "serial.baseline") return {5e9, 3e9};
  if (what.variant.starts_with("serial")) return {8e9, 10e9};  // serial code uses vector instructions
  const double cores = std::max(1u, std::thread::hardware_concurrency());
  return {std::min(10e9 * cores, 200e9), 25e9 * cores};
}

// Returns true for a named problem. Its reference result is published or quick to compute.
bool is_named(const Kernel& kernel, const Case& what) {
  return std::any_of(kernel.classes.begin(), kernel.classes.end(),
                     [&](const NamedProblem& one) { return one.name == what.problem_class; });
}

// Returns the speed at which reference results are computed on all cores: double precision, simple code.
Speed reference_speed() {
  const double cores = std::max(1u, std::thread::hardware_concurrency());
  return {2e9 * cores, 2e9 * cores};
}

// Returns the seconds to fill, poison, copy and compare all arrays of a problem once.
double check_seconds(const Kernel& kernel, const Problem& problem) {
  constexpr double of_a_core = 0.25e9, most = 2e9;  // bytes per second; part of the work is serial
  const double cores = std::max(1u, std::thread::hardware_concurrency());
  double bytes = 0;
  for (std::size_t i = 0; i < kernel.arrays.size(); ++i)
    bytes += static_cast<double>(kernel.bytes(problem, static_cast<int>(i)));
  return bytes / std::min(of_a_core * cores, most);
}

double seconds_at(const Work& work, const Speed& speed) {
  return std::max(static_cast<double>(work.bytes_read + work.bytes_written) / speed.bandwidth,
                  static_cast<double>(work.flops) / speed.flop_rate);
}

}  // namespace

bool same_reference(const Case& a, const Case& b) {
  return a.kernel == b.kernel && a.problem.type == b.problem.type && a.problem.extents == b.problem.extents &&
         a.problem.parameters == b.problem.parameters;
}

double most_slow_seconds(const Sampled& by) {
  return by.stay_seconds > 0 ? 24 * by.stay_seconds : 6 * by.case_seconds;
}

double guess_seconds(const Case& what, const Sampled& by, bool first_of_problem) {
  constexpr double overhead = 0.02;  // seconds for setup, warm-up and copies of a case
  constexpr int audits = 3;          // checks of a case with other inputs
  // Most medians are precise enough after this fraction of the time limit `case_seconds`.
  constexpr double share_of_sampling = 0.3;
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (!entry) return overhead;
  const Work work = entry->kernel.work(what.problem);
  const double once = seconds_at(work, speed_of(what));
  const double check = check_seconds(entry->kernel, what.problem);
  const double references =
      first_of_problem && !is_named(entry->kernel, what) ? seconds_at(work, reference_speed()) : 0;
  // a slow case runs once, for both the check and the only sample
  if (once > by.case_seconds * 10 && !by.all) return overhead + references + check + once;
  const double set_up = overhead + (1 + audits) * (references + check + once);
  const double usual = share_of_sampling * by.case_seconds;
  const double enough = by.stay_seconds > 0 ? std::min(by.stay_seconds, usual) : usual;
  if (by.all) return set_up + std::max(by.min_samples * once, enough);
  return set_up +
         std::min(std::max(by.min_samples * once, enough), std::max(most_slow_seconds(by), 2 * once));
}

double guess_call_seconds(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  return entry ? seconds_at(entry->kernel.work(what.problem), speed_of(what)) : 0;
}

double guess_visit_seconds(const Case& what) {
  constexpr double overhead = 0.02;
  constexpr int calls = 6;
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (!entry) return overhead;
  const Work work = entry->kernel.work(what.problem);
  const double reference = is_named(entry->kernel, what) ? 0 : seconds_at(work, reference_speed());
  return overhead + reference + check_seconds(entry->kernel, what.problem) +
         calls * seconds_at(work, speed_of(what));
}

}  // namespace sextant
