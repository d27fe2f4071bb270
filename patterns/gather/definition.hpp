// The part of the kernel definition that gather and scatter share. They differ only in how the indices are
// used.
#pragma once

#include "places.hpp"
#include "suite/extents.hpp"
#include "suite/kernel.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant::places {

inline void fill(const Problem& problem, std::uint64_t seed, std::int32_t* p) {
  const std::int64_t n = problem.extents.x, size = are_near(problem) ? window : n;
  const Permutation everywhere(seed, n);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t first = i / size * size;
    p[i] = static_cast<std::int32_t>(
        are_near(problem) ? first + Permutation(random_bits(seed, static_cast<std::uint64_t>(i / size)),
                                                std::min(size, n - first))(i - first)
                          : everywhere(i));
  }
}

template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  if (index == 0)
    fill(problem, seed, static_cast<std::int32_t*>(data));
  else
    fill_uniform(seed, problem.extents.x, static_cast<T*>(data));
}

// The mean distance between consecutive indices: a third of the range from which they are drawn.
inline double mean_way(const Problem& problem) {
  const auto n = static_cast<double>(problem.extents.x), full = static_cast<double>(window);
  if (!are_near(problem)) return std::max(1.0, n / 3);
  const auto rest = static_cast<double>(problem.extents.x % window);
  return std::max(1.0, ((n - rest) * full + rest * rest) / (3 * n));
}

inline Kernel kernel(Order order, const char* name, const char* group, const char* formula) {
  Kernel kernel;
  kernel.name = name;
  kernel.group = group;
  kernel.family = "gather and scatter";
  kernel.formula = formula;
  kernel.arrays = {{"p", Role::in, ElementType::int32}, {"a", Role::in}, {"y", Role::out}};
  kernel.parameters = {order};
  kernel.extents = vector_extents<3>;
  kernel.refuse = [](const Problem& p) {
    return p.extents.x > INT32_MAX ? "more elements than an int32 can count" : nullptr;
  };
  kernel.work = [](const Problem& p) {
    const auto size = static_cast<std::int64_t>(element_size(p.type));
    return Work{
        .bytes_read = p.extents.x * (4 + size), .bytes_written = p.extents.x * size, .items = p.extents.x};
  };
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.fillable = [](const Problem&, int index) { return index == 1; };
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "elements only change their position, so every bit must match";
  kernel.sizes = pattern_sizes;
  return kernel;
}

}  // namespace sextant::places
