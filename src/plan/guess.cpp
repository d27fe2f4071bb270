#include "plan/guess.hpp"

#include <algorithm>
#include <thread>

#include "record/place.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

// Expected bytes per second and operations per second of a variant. Only the order of magnitude matters.
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

// Returns true for a named problem. Its reference result is published, or takes only seconds to compute.
bool is_named(const Kernel& kernel, const Case& what) {
  return std::any_of(kernel.classes.begin(), kernel.classes.end(),
                     [&](const NamedProblem& one) { return one.name == what.problem_class; });
}

// Returns the speed at which reference results are computed on all cores: double precision, simple code.
Speed reference_speed() {
  const double cores = std::max(1u, std::thread::hardware_concurrency());
  return {2e9 * cores, 2e9 * cores};
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

double guess_seconds(const Case& what, const Sampled& by, bool first_of_problem) {
  constexpr double overhead = 0.01;  // seconds for setup and copies of a case
  // Most medians are known well enough after this fraction of the time limit `case_seconds`.
  constexpr double share_of_sampling = 0.3;
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (!entry) return overhead;
  const Work work = entry->kernel.work(what.problem);
  const double once = seconds_at(work, speed_of(what));
  const double set_up =
      overhead +
      (first_of_problem && !is_named(entry->kernel, what) ? seconds_at(work, reference_speed()) : 0);
  if (by.all) return set_up + std::max((3 + by.min_samples) * once, share_of_sampling * by.case_seconds);
  if (once > by.case_seconds * 10) return set_up + once;  // a single execution serves as check and as sample
  const double wanted = std::max(by.min_samples * once, share_of_sampling * by.case_seconds);
  return set_up + 3 * once + std::min(wanted, 6 * by.case_seconds);
}

}  // namespace sextant
