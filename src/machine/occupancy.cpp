#include <algorithm>

#include "machine/environment.hpp"

namespace sextant {
namespace {

constexpr std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

// Source of the resource limits: CUDA C++ Programming Guide, "Compute Capabilities". The allocation units are
// those of the CUDA toolkit's occupancy calculator, for compute capability 7.0 and later.
double occupancy(const GpuInfo& gpu, int threads_per_block, int registers_per_thread,
                 std::int64_t shared_memory) {
  constexpr int warp_size = 32, partitions = 4, register_unit = 256;
  if (threads_per_block <= 0 || threads_per_block > gpu.max_threads_per_block) return 0;
  const bool ampere_or_later = gpu.compute_capability >= 80;
  const std::int64_t shared_unit = ampere_or_later ? 128 : 256;
  // bytes of shared memory that the system reserves for each block
  const std::int64_t reserved = ampere_or_later ? 1024 : 0;

  const std::int64_t warps = round_up(threads_per_block, warp_size) / warp_size;
  const std::int64_t most_warps = gpu.threads_per_multiprocessor / warp_size;
  std::int64_t blocks = std::min<std::int64_t>(gpu.blocks_per_multiprocessor, most_warps / warps);
  if (registers_per_thread > 0) {
    // A warp's registers are all in one of the multiprocessor's four partitions.
    const std::int64_t per_warp = round_up(std::int64_t{registers_per_thread} * warp_size, register_unit);
    const std::int64_t room = gpu.registers_per_multiprocessor / partitions / per_warp * partitions;
    blocks = std::min(blocks, room / warps);
  }
  const std::int64_t shared = round_up(shared_memory + reserved, shared_unit);
  if (shared_memory > gpu.shared_memory_per_block) return 0;
  if (shared > 0) blocks = std::min(blocks, gpu.shared_memory_per_multiprocessor / shared);
  return static_cast<double>(blocks * warps) / static_cast<double>(most_warps);
}

}  // namespace sextant
