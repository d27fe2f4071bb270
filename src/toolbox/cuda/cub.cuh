// Variants that call CUB's device-wide algorithms. CUB functions are called twice: without temporary storage,
// they only return its size. `prepare` makes this first call and allocates the storage.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include "suite/variant.hpp"

namespace sextant::cub_algorithm {

struct Storage {
  void* memory = nullptr;
  std::size_t bytes = 0;
};

template <typename T, typename Value>
Value& of_type(PerType<Value>& all) {
  if constexpr (std::is_same_v<T, float>)
    return all.float32;
  else if constexpr (std::is_same_v<T, double>)
    return all.float64;
  else
    return all.int32;
}

template <typename Algorithm, typename T>
cudaError_t run(const Call& call, Storage& storage) {
  return Algorithm::template run<T>(call, storage.memory, storage.bytes,
                                    static_cast<cudaStream_t>(call.stream));
}

template <typename Algorithm, typename T>
void launch(const Call& call) {
  run<Algorithm, T>(call, *static_cast<Storage*>(call.state));
}

inline void release(void* state) {
  cudaFree(static_cast<Storage*>(state)->memory);
  delete static_cast<Storage*>(state);
}

template <typename Algorithm, typename... Types>
const char* prepare(const Call& call, void** state) {
  PerType<cudaError_t (*)(const Call&, Storage&)> ask;
  ((of_type<Types>(ask) = run<Algorithm, Types>), ...);
  auto* storage = new Storage;
  if (ask[call.problem.type](call, *storage) == cudaSuccess &&
      cudaMalloc(&storage->memory, storage->bytes) == cudaSuccess) {
    *state = storage;
    return nullptr;
  }
  cudaGetLastError();  // clears the error, so that no later check reports it
  release(storage);
  return "no device memory for CUB's temporary storage";
}

// Makes a variant of a CUB algorithm for these element types. `Algorithm` must define
//   template <typename T> static cudaError_t run(call, storage, bytes, stream);
template <typename Algorithm, typename... Types>
Variant variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.memory_space = MemorySpace::cuda;
  ((of_type<Types>(variant.launch) = launch<Algorithm, Types>), ...);
  variant.prepare = prepare<Algorithm, Types...>;
  variant.release = release;
  return variant;
}

}  // namespace sextant::cub_algorithm
