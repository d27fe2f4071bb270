#include <algorithm>

#include "device/cuda/byte_sum.hpp"
#include "toolbox/byte_sum.hpp"

namespace sextant {
namespace {

constexpr int threads = 256, most_blocks = 2048;

__global__ void __launch_bounds__(threads)
    add_words(const std::uint64_t* words, std::int64_t count, unsigned long long* sum) {
  const std::int64_t step = std::int64_t{gridDim.x} * threads;
  std::uint64_t own = 0;
  for (std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x; i < count; i += step)
    own += summand_of(words[i], static_cast<std::uint64_t>(i));
  for (int offset = 16; offset > 0; offset /= 2) own += __shfl_down_sync(~0u, own, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, static_cast<unsigned long long>(own));
}

}  // namespace

ByteSum::~ByteSum() { cudaFree(sum_); }

cudaError_t ByteSum::of(const void* memory, std::size_t bytes, cudaStream_t stream, std::uint64_t* sum) {
  if (!sum_)
    if (const cudaError_t status = cudaMalloc(&sum_, sizeof *sum); status != cudaSuccess) return status;
  if (const cudaError_t status = cudaMemsetAsync(sum_, 0, sizeof *sum, stream); status != cudaSuccess)
    return status;
  const auto count = static_cast<std::int64_t>(bytes / sizeof *sum);
  const std::int64_t blocks = std::clamp<std::int64_t>((count + threads - 1) / threads, 1, most_blocks);
  add_words<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(
      static_cast<const std::uint64_t*>(memory), count, static_cast<unsigned long long*>(sum_));
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess) return status;
  if (const cudaError_t status = cudaMemcpyAsync(sum, sum_, sizeof *sum, cudaMemcpyDeviceToHost, stream);
      status != cudaSuccess)
    return status;
  return cudaStreamSynchronize(stream);
}

}  // namespace sextant
