#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"
#include "unrolled.hpp"

namespace sextant {
namespace {

namespace plain {

struct Block {
  int block_size = 128;
};

__constant__ sha256::Constants constants = sha256::make_constants();

__global__ void digest_all(std::int64_t n, const std::uint32_t* __restrict__ message,
                           std::uint32_t* __restrict__ digest) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) sha256::digest_plain(message + i * sha256::words, constants.k, digest + i * sha256::words);
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  digest_all<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, call.array<const std::uint32_t>(0),
                                                                  call.array<std::uint32_t>(1));
}

}  // namespace plain

namespace unrolled {

using Blocks = Choices<64, 128, 256>;
using MessagesPerThread = Choices<1, 2>;
// words: number of 32-bit words per message. half: number of words per 16-byte access.
constexpr int words = sha256::words, half = 4;

struct Shape {
  int block_size = 256, messages_per_thread = 1;
};

// Each thread digests `messages` messages, which are blockDim.x apart. The compiler can interleave their
// rounds, because messages are independent.
template <int messages>
__global__ void __launch_bounds__(256) digest_all(std::int64_t n, const std::uint32_t* __restrict__ message,
                                                  std::uint32_t* __restrict__ digest) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x * messages + threadIdx.x;
  std::uint32_t w[messages][words];
#pragma unroll
  for (int m = 0; m < messages; ++m) {
    const std::int64_t i = min(first + m * blockDim.x, n - 1);
#pragma unroll
    for (int part = 0; part < words; part += half) {
      const auto read = load<half>(message + i * words + part);
#pragma unroll
      for (int k = 0; k < half; ++k) w[m][part + k] = read[k];
    }
  }
#pragma unroll
  for (int m = 0; m < messages; ++m) sha256::digest_unrolled(w[m], w[m]);
#pragma unroll
  for (int m = 0; m < messages; ++m) {
    const std::int64_t i = first + m * blockDim.x;
    if (i >= n) return;
#pragma unroll
    for (int part = 0; part < words; part += half) {
      Vector<std::uint32_t, half> written;
#pragma unroll
      for (int k = 0; k < half; ++k) written[k] = w[m][part + k];
      *reinterpret_cast<Vector<std::uint32_t, half>*>(digest + i * words + part) = written;
    }
  }
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto shape = call.tuned<Shape>();
  MessagesPerThread::with(shape.messages_per_thread, [&]<int messages>() {
    digest_all<messages>
        <<<blocks_for(n, std::int64_t{shape.block_size} * messages), shape.block_size, 0, stream_of(call)>>>(
            n, call.array<const std::uint32_t>(0), call.array<std::uint32_t>(1));
  });
}

// Chooses small blocks if there are few messages, so that all 132 multiprocessors of an H200 have work.
void adapt(const Problem& problem, Shape& shape) {
  shape.block_size = problem.extents.x < 132 * 256 ? 64 : 256;
}

}  // namespace unrolled

}  // namespace

std::vector<Variant> sha256_cuda() {
  return {
      {.name = "plain",
       .description = "the plain form: one message per thread, as in the standard (FIPS 180-4)",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<plain::Block>({{"block_size", &plain::Block::block_size, {32, 64, 128, 256, 512}}}),
       .launch = {.int32 = plain::launch}},
      {.name = "unrolled",
       .description =
           "one or two messages per thread, 16-byte accesses, rounds unrolled, message schedule in "
           "registers",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<unrolled::Shape>({{"block_size", &unrolled::Shape::block_size, unrolled::Blocks::list()},
                                      {"messages_per_thread", &unrolled::Shape::messages_per_thread,
                                       unrolled::MessagesPerThread::list()}}),
       .launch = {.int32 = unrolled::launch},
       .adapt = by_name<unrolled::adapt>},
  };
}

}  // namespace sextant
