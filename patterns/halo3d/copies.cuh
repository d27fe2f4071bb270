// Copies rectangular regions of arrays ("pieces"), either all in one kernel launch or with one launch per
// piece.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "cut.hpp"
#include "toolbox/cuda/peers.cuh"

namespace sextant::halo3d {

inline constexpr int at_a_time = 4;  // elements per thread and loop iteration

template <typename T>
struct PieceCopy {
  const T* from;
  T* to;
  Region in, out;
  unsigned nx, ny, nz;
  std::int64_t begin, end;  // the piece's range among all elements of the launch
};

template <typename T>
struct Copies {
  int count = 0;
  PieceCopy<T> at[directions];

  __host__ __device__ std::int64_t elements() const { return count == 0 ? 0 : at[count - 1].end; }
  void add(const Piece& piece, const T* from, const Region& in, T* to, const Region& out) {
    const std::int64_t begin = elements();
    at[count++] = {from,
                   to,
                   in,
                   out,
                   static_cast<unsigned>(piece.nx),
                   static_cast<unsigned>(piece.ny),
                   static_cast<unsigned>(piece.nz),
                   begin,
                   begin + piece.count()};
  }
};

// Returns the array index of element i of the launch, which belongs to `piece`. `region` is the piece's
// source or destination.
template <typename T>
__device__ __forceinline__ std::int64_t place(const PieceCopy<T>& piece, const Region& region,
                                              std::int64_t i) {
  const auto element = static_cast<std::uint64_t>(i - piece.begin);
  if (element <= 0xFFFFFFFFu) {  // Use 32-bit divisions if possible; 64-bit ones take several times as long.
    const auto n = static_cast<unsigned>(element), row = n / piece.nx, plane = row / piece.ny;
    return region.first + n % piece.nx + row % piece.ny * region.row + plane % piece.nz * region.plane +
           plane / piece.nz * region.variable;
  }
  const std::uint64_t row = element / piece.nx, plane = row / piece.ny;
  return region.first +
         static_cast<std::int64_t>(element % piece.nx + row % piece.ny * region.row +
                                   plane % piece.nz * region.plane + plane / piece.nz * region.variable);
}

template <typename T>
__device__ __forceinline__ void copy_elements(const Copies<T>& copies) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x, elements = copies.elements();
  int piece = 0;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < elements;
       i += at_a_time * stride) {
    T value[at_a_time];
    T* to[at_a_time];
#pragma unroll
    for (int k = 0; k < at_a_time; ++k) {
      const std::int64_t element = i + k * stride;
      if (element >= elements) break;
      while (element >= copies.at[piece].end) ++piece;
      const PieceCopy<T>& copy = copies.at[piece];
      value[k] = copy.from[place(copy, copy.in, element)];
      to[k] = copy.to + place(copy, copy.out, element);
    }
#pragma unroll
    for (int k = 0; k < at_a_time; ++k)
      if (i + k * stride < elements) *to[k] = value[k];
  }
}

template <typename T>
__global__ void copy_pieces(const __grid_constant__ Copies<T> copies) {
  copy_elements(copies);
}

// Copies all pieces. Barriers over all GPUs come before and after the copies.
template <typename T>
__global__ void copy_together(const __grid_constant__ Copies<T> copies, peers::Meeting meeting) {
  peers::begin_together(meeting);
  copy_elements(copies);
  peers::end_together(meeting);
}

inline unsigned blocks_of(std::int64_t elements, int block_size, int most) {
  return static_cast<unsigned>(
      std::clamp<std::int64_t>((elements + block_size - 1) / block_size, 1, std::max(most, 1)));
}

// Copies all pieces in one launch if `fused` is true, otherwise with one launch per piece.
template <typename T>
void launch_copies(const Copies<T>& copies, bool fused, int block_size, int most_blocks,
                   cudaStream_t stream) {
  if (copies.count == 0) return;
  if (fused) {
    copy_pieces<T><<<blocks_of(copies.elements(), block_size, most_blocks), block_size, 0, stream>>>(copies);
    return;
  }
  for (int i = 0; i < copies.count; ++i) {
    Copies<T> one;
    one.count = 1;
    one.at[0] = copies.at[i];
    one.at[0].end -= one.at[0].begin;
    one.at[0].begin = 0;
    copy_pieces<T><<<blocks_of(one.elements(), block_size, most_blocks), block_size, 0, stream>>>(one);
  }
}

}  // namespace sextant::halo3d
