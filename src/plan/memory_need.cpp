#include "plan/memory_need.hpp"

#include <cstdio>

namespace sextant {
namespace {

constexpr double usable_host = 0.9, usable_device = 0.95;

// Returns the memory space of the complete arrays. A problem that is partitioned has them on the host.
MemorySpace place_of_arrays(MemorySpace memory_space) {
  return memory_space == MemorySpace::partitioned ? MemorySpace::host : memory_space;
}

Problem problem_of_size(const Kernel& kernel, const Problem& like, std::int64_t n) {
  Problem problem = like;
  problem.n = n;
  problem.extents = kernel.extents(n);
  return problem;
}

// Returns the largest N below problem.n that fits into memory, or 0. It uses bisection, because the memory
// need grows with N.
template <typename Fits>
std::int64_t largest_that_fits(const Kernel& kernel, const Problem& problem, Fits&& fits) {
  std::int64_t low = 0, high = problem.n;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    const Problem smaller = problem_of_size(kernel, problem, middle);
    (fits(smaller) ? low : high) = middle;
  }
  return low;
}

}  // namespace

MemoryNeed memory_need(const Kernel& kernel, const Problem& problem, const VariantNeed& variant,
                       std::int64_t guard_bytes) {
  MemoryNeed need;
  const MemorySpace memory_space = place_of_arrays(variant.memory_space);
  if (variant.workspace)
    (memory_space == MemorySpace::host && !variant.on_gpus ? need.host : need.device) +=
        variant.copies * static_cast<double>(variant.workspace(problem, variant.tuning));
  for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
    const int array_index = static_cast<int>(i);
    const auto elements = static_cast<double>(kernel.elements(problem, array_index));
    const double array = elements * static_cast<double>(element_size(kernel.type_of(problem, array_index))) +
                         2.0 * static_cast<double>(guard_bytes);
    need.host += array;
    if (kernel.arrays[i].role != Role::in) need.host += elements * sizeof(double);
    if (memory_space != MemorySpace::host) need.device += array;
  }
  return need;
}

std::string why_too_large(const Kernel& kernel, const Problem& problem, const VariantNeed& variant,
                          std::int64_t guard_bytes, double free_host, double free_device) {
  const MemorySpace memory_space = place_of_arrays(variant.memory_space);
  const auto fits = [&](const Problem& candidate) {
    const MemoryNeed need = memory_need(kernel, candidate, variant, guard_bytes);
    return need.host <= usable_host * free_host && ((memory_space == MemorySpace::host && !variant.on_gpus) ||
                                                    need.device <= usable_device * free_device);
  };
  if (fits(problem)) return {};
  const MemoryNeed need = memory_need(kernel, problem, variant, guard_bytes);
  const bool on_host = need.host > usable_host * free_host;
  const double there = on_host ? free_host : free_device, usable = on_host ? usable_host : usable_device;
  std::string reason = "needs " + shown_bytes(on_host ? need.host : need.device) +
                       (on_host ? " of host memory" : " of device memory") + ", but only " +
                       shown_bytes(usable * there) + " of the " + shown_bytes(there) + " free may be used";
  if (problem.n <= 0 || !kernel.extents || problem.extents != kernel.extents(problem.n))
    return reason + ". Choose a smaller class or shape";
  const std::int64_t largest = largest_that_fits(kernel, problem, fits);
  return largest > 0 ? reason + ". The largest N that fits is " + std::to_string(largest) : reason;
}

std::string shown_bytes(double bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %s", bytes, units[unit]);
  return text;
}

}  // namespace sextant
