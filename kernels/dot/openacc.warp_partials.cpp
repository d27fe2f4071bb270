// Expected on an H200, from what the same form of the sum reaches there (4242 GB/s of doubles at 2^28
// elements): 4100 to 4250 GB/s at 2^28 elements an array.
#include "loop.hpp"
#include "warp_partials.hpp"

namespace sextant {
namespace {

struct Owner {};
using Workers = Choices<4, 8, 16, 32>;

template <typename T>
void launch(const Call& call) {
  const auto& workspace = *static_cast<const dot::Workspace*>(call.state);
  T* sum = static_cast<T*>(acc_deviceptr(call.arrays[2]));
  Workers::with(call.tuning[1], [&]<int W>() {
    dot::sum_of_products<Owner, W>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                   sum, workspace, call.tuning[0], acc_async_sync);
  });
}

void release(void* state) {
  auto* workspace = static_cast<dot::Workspace*>(state);
  dot::free_workspace(*workspace);
  delete workspace;
}

const char* prepare(const Call&, void** state) {
  auto* workspace = new dot::Workspace(dot::make_workspace());
  if (!workspace->partials || !workspace->arrived) {
    release(workspace);
    return "no device memory for the partial sums";
  }
  *state = workspace;
  return nullptr;
}

const std::vector<int> gang_counts = {33, 66, 132, 264, 528, 1056};

// As many gangs as have some 250 KB each to read: what was best for the sum of one array.
void adapt(const Problem& problem, int* tuning) {
  const std::int64_t bytes = 2 * problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  tuning[0] = 66;
  for (const int gangs : gang_counts)
    if (gangs > 66 && gangs <= 528 && bytes >= std::int64_t{gangs} * 250000) tuning[0] = gangs;
}

}  // namespace

Variant dot_openacc_warp_partials() {
  Variant variant;
  variant.description = "a partial sum a warp; the last warp to arrive adds them up; 16-byte packs";
  variant.home = Home::openacc;
  variant.tunables = {{"num_gangs", gang_counts, 528}, {"num_workers", Workers::list(), 8}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.adapt = adapt;
  variant.prepare = prepare;
  variant.release = release;
  return variant;
}

}  // namespace sextant
