#include "toolbox/host/algorithms.hpp"
#include "workspace.hpp"

namespace sextant {
namespace {

// Number of parallel tasks. Each task solves some of the systems and has its own workspace. There are several
// tasks per thread, for load balancing.
std::int64_t part_count() { return std::int64_t{4} * omp_get_max_threads(); }

template <typename T>
void launch(const Call& call) {
  const std::int64_t length = tridiagonal::length_of(call.problem),
                     systems = tridiagonal::systems_of(call.problem), all = part_count();
  for_each_index(0, all, [=](std::int64_t part) {
    for (std::int64_t s = systems * part / all; s < systems * (part + 1) / all; ++s) {
      const std::int64_t first = s * length;
      tridiagonal::solve(length, call.array<const T>(0) + first, call.array<const T>(1) + first,
                         call.array<const T>(2) + first, call.array<const T>(3) + first,
                         static_cast<T*>(call.state) + part * length, call.array<T>(4) + first);
    }
  });
}

}  // namespace

std::vector<Variant> tridiagonal_stdpar() {
  Variant variant = tridiagonal::host_variant<part_count>(
      "std::for_each over groups of systems, the plain loop for each system");
  variant.name = "for_each";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return {variant};
}

}  // namespace sextant
