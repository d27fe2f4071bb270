// Copies rectangular boxes of matrices from global to shared memory by bulk tensor copies (PTX ISA,
// cp.async.bulk.tensor; compute capability 9.0). One thread starts a copy, and a barrier counts its bytes.
// Elements outside the matrix are filled with zeros. Each row of the matrix must start at a multiple of 16
// bytes.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "toolbox/cuda/arrival_barrier.cuh"

namespace sextant::tensor_copies {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
inline constexpr bool have_bulk_tensor_copies = true;
#else
inline constexpr bool have_bulk_tensor_copies = false;
#endif

// Shared-memory swizzling: 16-byte chunks of each row of 64 or 128 bytes are permuted by the row index. Reads
// down a column then have no bank conflicts (CUDA C++ Programming Guide, "Swizzle modes").
enum class Swizzle : int { none = 0, rows_of_64 = 64, rows_of_128 = 128 };

// copy_box copies the box at column x and row y. copy_boxes copies several boxes at once: with a map from
// `describe` the box of every matrix, and with a map from `describe_groups` the column groups from z on.
__device__ __forceinline__ void copy_box(void* to, const CUtensorMap* map, int x, int y,
                                         ArrivalBarrier barrier) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], "
      "[%2];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(map), "r"(barrier.at), "r"(x), "r"(y)
      : "memory");
#endif
}
__device__ __forceinline__ void copy_boxes(void* to, const CUtensorMap* map, int x, int y,
                                           ArrivalBarrier barrier, int z = 0) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], "
      "[%2];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(map), "r"(barrier.at), "r"(x), "r"(y), "r"(z)
      : "memory");
#endif
}

// Makes barriers that the calling thread has initialized visible to the copy engine.
__device__ __forceinline__ void publish_barriers() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

// ---- on the host

// `count` matrices of one type, n by n, one after the other in memory. `pitch` is the distance between rows,
// in elements.
struct Matrices {
  CUtensorMapDataType type;
  int element;  // size of an element in bytes
  const void* first;
  std::int64_t n, pitch;
  int count = 1;
};
struct Box {
  int width, height;
  Swizzle swizzle;
  int groups = 1;
};

using EncodeTensorMap = decltype(&cuTensorMapEncodeTiled);

// Returns the driver's cuTensorMapEncodeTiled, or null if the driver lacks it. It is looked up at run time
// because the program is not linked with the driver.
inline EncodeTensorMap tensor_map_encoder() {
  static const EncodeTensorMap encoder = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
#else
    const cudaError_t error =
        cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result);
#endif
    return error == cudaSuccess && result == cudaDriverEntryPointSuccess
               ? reinterpret_cast<EncodeTensorMap>(found)
               : nullptr;
  }();
  return encoder;
}

// Fills in `map` for copying boxes of the matrices. Returns false if the driver refuses.
inline bool describe(const Matrices& matrices, const Box& box, CUtensorMap* map) {
  const auto encode = tensor_map_encoder();
  if (!encode) return false;
  const auto n = static_cast<cuuint64_t>(matrices.n);
  const auto row = static_cast<cuuint64_t>(matrices.pitch * matrices.element);
  const cuuint64_t extents[3] = {n, n, static_cast<cuuint64_t>(matrices.count)}, strides[2] = {row, row * n};
  const cuuint32_t sides[3] = {static_cast<cuuint32_t>(box.width), static_cast<cuuint32_t>(box.height),
                               static_cast<cuuint32_t>(matrices.count)};
  const cuuint32_t steps[3] = {1, 1, 1};
  const CUtensorMapSwizzle swizzle = box.swizzle == Swizzle::none         ? CU_TENSOR_MAP_SWIZZLE_NONE
                                     : box.swizzle == Swizzle::rows_of_64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                                                          : CU_TENSOR_MAP_SWIZZLE_128B;
  return encode(map, matrices.type, matrices.count == 1 ? 2 : 3, const_cast<void*>(matrices.first), extents,
                strides, sides, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

// Fills in `map` for one matrix whose columns are divided into groups as wide as the box. A copy stores
// `box.groups` groups one after the other in shared memory, each with contiguous rows. The map's third extent
// counts groups. The pitch must be a multiple of the box's width.
inline bool describe_groups(const Matrices& matrix, const Box& box, CUtensorMap* map) {
  const auto encode = tensor_map_encoder();
  if (!encode) return false;
  const auto width = static_cast<cuuint64_t>(box.width), element = static_cast<cuuint64_t>(matrix.element);
  const cuuint64_t extents[3] = {width, static_cast<cuuint64_t>(matrix.n),
                                 static_cast<cuuint64_t>(matrix.pitch) / width};
  const cuuint64_t strides[2] = {static_cast<cuuint64_t>(matrix.pitch) * element, width * element};
  const cuuint32_t sides[3] = {static_cast<cuuint32_t>(box.width), static_cast<cuuint32_t>(box.height),
                               static_cast<cuuint32_t>(box.groups)};
  const cuuint32_t steps[3] = {1, 1, 1};
  return encode(map, matrix.type, 3, const_cast<void*>(matrix.first), extents, strides, sides, steps,
                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace sextant::tensor_copies
