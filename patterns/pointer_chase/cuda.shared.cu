// Each block brings the table to its shared memory first: a step then waits for that alone, and needs no address made of a base
// and a place, as the table has offsets of bytes there; or places of 16 bits, where those of 32 do not fit.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using Threads = Choices<256, 512, 1024>;

struct Block {
  int block_size = 1024;
};

// What a place is in shared memory.
struct Offsets {
  using Word = std::uint32_t;
  static __device__ __forceinline__ Word of(std::int32_t place) {
    return static_cast<Word>(place) * static_cast<Word>(sizeof(Word));
  }
  static __device__ __forceinline__ Word follow(const unsigned char* table, Word at) {
    return *reinterpret_cast<const Word*>(table + at);
  }
  static __device__ __forceinline__ std::int32_t place(Word at) {
    return static_cast<std::int32_t>(at / static_cast<Word>(sizeof(Word)));
  }
};
struct Shorts {
  using Word = std::uint16_t;
  static __device__ __forceinline__ Word of(std::int32_t place) { return static_cast<Word>(place); }
  static __device__ __forceinline__ Word follow(const unsigned char* table, Word at) {
    return reinterpret_cast<const Word*>(table)[at];
  }
  static __device__ __forceinline__ std::int32_t place(Word at) { return at; }
};

template <typename How>
__device__ __forceinline__ void bring(int places, const std::int32_t* __restrict__ next,
                                      unsigned char* table) {
  auto* const words = reinterpret_cast<typename How::Word*>(table);
  const int vectors = places / 4, thread = static_cast<int>(threadIdx.x),
            threads = static_cast<int>(blockDim.x);
#pragma unroll 8
  for (int v = thread; v < vectors; v += threads) {
    const Vector<std::int32_t, 4> four = load<4>(next + 4 * v);
    Vector<typename How::Word, 4> converted;
#pragma unroll
    for (int k = 0; k < 4; ++k) converted[k] = How::of(four[k]);
    *reinterpret_cast<Vector<typename How::Word, 4>*>(words + 4 * v) = converted;
  }
  if (const int i = 4 * vectors + thread; i < places) words[i] = How::of(next[i]);
}

template <typename How>
__global__ void chase(int places, std::int64_t chains, std::int64_t steps,
                      const std::int32_t* __restrict__ next, const std::int32_t* __restrict__ start,
                      std::int32_t* __restrict__ last) {
  extern __shared__ __align__(16) unsigned char table[];
  bring<How>(places, next, table);
  __syncthreads();
  for (std::int64_t c = blockIdx.x + static_cast<std::int64_t>(threadIdx.x) * gridDim.x; c < chains;
       c += static_cast<std::int64_t>(blockDim.x) * gridDim.x) {
    typename How::Word at = How::of(start[c]);
#pragma unroll 8
    for (std::int64_t s = 0; s < steps; ++s) at = How::follow(table, at);
    last[c] = How::place(at);
  }
}

// Bytes of shared memory that a block may ask for; without a GPU, an H200's.
std::int64_t most_bytes() { return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448); }

bool has_offsets(const Problem& problem) { return pointer_chase::places_of(problem) <= most_bytes() / 4; }

std::int64_t table_bytes(const Problem& problem) {
  return (has_offsets(problem) ? 4 : 2) * pointer_chase::places_of(problem);
}

template <typename How>
void launch_as(const Call& call) {
  const std::int64_t chains = pointer_chase::chains_of(call.problem);
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(chains, multiprocessors()));
  chase<How><<<blocks, call.tuned<Block>().block_size, static_cast<std::size_t>(table_bytes(call.problem)),
               stream_of(call)>>>(static_cast<int>(pointer_chase::places_of(call.problem)), chains,
                                  pointer_chase::steps_of(call.problem), call.array<const std::int32_t>(0),
                                  call.array<const std::int32_t>(1), call.array<std::int32_t>(2));
}

void launch(const Call& call) {
  has_offsets(call.problem) ? launch_as<Offsets>(call) : launch_as<Shorts>(call);
}

const char* prepare(const Call& call, void**) {
  const auto* kernel = has_offsets(call.problem) ? reinterpret_cast<const void*>(chase<Offsets>)
                                                 : reinterpret_cast<const void*>(chase<Shorts>);
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(table_bytes(call.problem))) == cudaSuccess
             ? nullptr
             : "no block of this GPU has so much shared memory";
}

const char* refuse(const Problem& problem, const Block&) {
  const bool fits = has_offsets(problem) ||
                    (pointer_chase::places_of(problem) <= 65536 && table_bytes(problem) <= most_bytes());
  return fits ? nullptr : "the table does not fit into a block's shared memory";
}

}  // namespace

Variant pointer_chase_cuda_shared() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "the table in the shared memory of each block, chains spread over all multiprocessors";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, Threads::list()}});
  variant.constraint = by_name<refuse>;
  variant.prepare = prepare;
  variant.release = [](void*) {};  // nothing but a limit was set
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
