// A number that the threads of a launch count up, and as many threads as an H200 has room for.
#pragma once

#include "suite/tunables.hpp"
#include "tiles.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::mandelbrot {

struct Crew {
  int block_size = 128, blocks = 2112;
};

using Counter = unsigned long long;

inline const char* prepare_counter(const Call&, void** state) {
  if (cudaMalloc(state, sizeof(Counter)) == cudaSuccess) return nullptr;
  cudaGetLastError();  // an error that is reported must not be found by a later check
  return "no device memory for a counter";
}

inline Counter* cleared_counter(const Call& call) {
  cudaMemsetAsync(call.state, 0, sizeof(Counter), stream_of(call));
  return static_cast<Counter*>(call.state);
}

inline Variant queue_variant(const char* description) {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = description;
  variant.tunables = tunables<Crew>(
      {{"block_size", &Crew::block_size, {64, 128, 256}}, {"blocks", &Crew::blocks, {132, 528, 1056, 2112}}});
  variant.prepare = prepare_counter;
  variant.release = [](void* state) { cudaFree(state); };
  variant.workspace = [](const Problem&, const int*) { return static_cast<std::int64_t>(sizeof(Counter)); };
  return variant;
}

}  // namespace sextant::mandelbrot
