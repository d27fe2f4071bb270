#include "ep.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using namespace ep;

struct Batches {
  int block_size = 128, batch_log2 = 16;
};

constexpr int buffer_pairs = 128;

// The published form: a thread takes one batch of 2^batch_log2 pairs and works through it in chunks, as the
// reference program's loop does. A chunk's random numbers go to a buffer in the thread's local memory, the
// counts of the annuli to an array there, the sums to registers; in the end the thread adds all of them to
// the results by atomic operations.
__global__ void npb_ep_batches(std::int64_t pairs, int batch_log2, double* sums, double* counts) {
  const std::int64_t batch = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t first = batch << batch_log2;
  if (first >= pairs) return;
  const std::int64_t end = min(pairs, first + (std::int64_t{1} << batch_log2));
  double numbers[2 * buffer_pairs], rings[ring_count] = {};
  double sx = 0, sy = 0, abs_sx = 0, abs_sy = 0, accepted = 0;
  std::uint64_t state = state_before(first);
  for (std::int64_t begin = first; begin < end; begin += buffer_pairs) {
    const int count = static_cast<int>(min(static_cast<std::int64_t>(buffer_pairs), end - begin));
    for (int i = 0; i < 2 * count; ++i) {
      state = npb::random_next(state);
      numbers[i] = npb::random_value(state);
    }
    for (int i = 0; i < count; ++i) {
      const double x = 2 * numbers[2 * i] - 1, y = 2 * numbers[2 * i + 1] - 1;
      const double t = x * x + y * y;
      if (t > 1) continue;
      const double f = sqrt(-2 * log(t) / t);
      const double X = x * f, Y = y * f;
      rings[static_cast<int>(fmax(fabs(X), fabs(Y)))] += 1;
      accepted += 1;
      sx += X, sy += Y, abs_sx += fabs(X), abs_sy += fabs(Y);
    }
  }
  const double mine[sum_count] = {sx, sy, abs_sx, abs_sy, accepted};
  for (int i = 0; i < sum_count; ++i) atomicAdd(&sums[i], mine[i]);
  for (int l = 0; l < ring_count; ++l)
    if (rings[l] > 0) atomicAdd(&counts[l], rings[l]);
}

void launch(const Call& call) {
  const std::int64_t pairs = call.problem.extents.x;
  const auto [block_size, batch_log2] = call.tuned<Batches>();
  const std::int64_t batches = (pairs + (std::int64_t{1} << batch_log2) - 1) >> batch_log2;
  cudaMemsetAsync(call.array<double>(0), 0, sum_count * sizeof(double), stream_of(call));
  cudaMemsetAsync(call.array<double>(1), 0, ring_count * sizeof(double), stream_of(call));
  npb_ep_batches<<<blocks_for(batches, block_size), block_size, 0, stream_of(call)>>>(
      pairs, batch_log2, call.array<double>(0), call.array<double>(1));
}

const char* constraint(const Problem& problem, const Batches& batches) {
  const bool fits = problem.extents.x >> batches.batch_log2 <= std::int64_t{1} << 30;
  return fits ? nullptr : "more than 2^30 batches";
}

}  // namespace

Variant npb_ep_cuda_batches() {
  Variant variant;
  variant.description =
      "the published form: a thread a batch of 2^16 pairs, numbers and counts in local memory";
  variant.home = Home::cuda;
  variant.tunables = tunables<Batches>({{"block_size", &Batches::block_size, {32, 64, 128, 256, 512}},
                                        {"batch_log2", &Batches::batch_log2, {8, 10, 12, 14, 16}}});
  variant.launch = {.float64 = launch};
  variant.constraint = by_name<constraint>;
  return variant;
}

}  // namespace sextant
