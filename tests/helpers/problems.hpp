// Provides problems of about N elements for tests that run all kernels, and queries about what a variant
// accepts.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

#include "suite/kernel.hpp"
#include "suite/variant.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant {

// Returns a problem of size N. Kernels that accept any shape get an uneven box of about N points, or a
// rectangle if they reject boxes.
inline Problem problem_of(const Kernel& kernel, std::int64_t n, ElementType type) {
  Problem problem{n, type, {}, kernel.standard_parameters()};
  if (!kernel.shaped) {
    problem.extents = kernel.extents(n);
    return problem;
  }
  const double side = std::cbrt(static_cast<double>(n));
  problem.extents.x = std::max<std::int64_t>(1, std::llround(1.7 * side));
  problem.extents.y = std::max<std::int64_t>(1, std::llround(side / 1.3));
  problem.extents.z = std::max<std::int64_t>(1, n / (problem.extents.x * problem.extents.y));
  if (kernel.refuse && kernel.refuse(problem)) {  // the kernel has only two extents
    const double flat = std::sqrt(static_cast<double>(n));
    problem.extents.x = std::max<std::int64_t>(1, std::llround(1.7 * flat));
    problem.extents.y = std::max<std::int64_t>(1, n / problem.extents.x);
    problem.extents.z = 1;
  }
  if (kernel.refuse && kernel.refuse(problem))
    problem.extents = kernel.extents(n);  // accepts no uneven shapes
  return problem;
}

// Two iterations detect the same errors as many, because the second continues from the result of the first.
inline void keep_iterations_few(const Kernel& kernel, Problem* problem) {
  for (std::size_t i = 0; i < kernel.parameter_list.size(); ++i)
    if (kernel.parameter_list[i].name == std::string_view("iterations"))
      problem->parameters[i] = std::min<std::int64_t>(problem->parameters[i], 2);
}

// Operations and bytes of one launch.
inline std::int64_t effort(const Kernel& kernel, const Problem& problem) {
  if (!kernel.work) return 0;
  const Work work = kernel.work(problem);
  return work.flops + work.integer_operations + work.bytes_read + work.bytes_written;
}

// True if the check takes seconds, because the work grows fast with N (such as n-body, where all bodies
// interact).
inline bool takes_long(const Kernel& kernel, const Problem& problem) {
  return effort(kernel, problem) > (address_sanitizer ? 300'000'000 : 1'200'000'000);
}

// True if the variant allows some tuning for this problem.
inline bool allows_any(const Variant& variant, const Problem& problem) {
  std::vector<int> values(variant.tunables.size());
  const std::function<bool(std::size_t)> try_from = [&](std::size_t i) {
    if (i == values.size()) return !variant.constraint(problem, values.data());
    for (const int choice : variant.tunables[i].choices) {
      values[i] = choice;
      if (try_from(i + 1)) return true;
    }
    return false;
  };
  return try_from(0);
}

}  // namespace sextant
