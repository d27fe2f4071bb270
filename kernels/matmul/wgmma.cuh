// Matrix products by a warp group with the instruction wgmma. Operands are bfloat16 values in shared memory,
// and sums are floats in registers.
#pragma once

#include <cstdint>

#include "toolbox/cuda/attributes.cuh"

// A warp group has 128 threads (PTX ISA, wgmma.mma_async; machine code for compute capability 9.0a only).
// With w = t/32, g = t%32/4 and q = t%4, thread t of the group holds these elements of the result D:
//     d[4*j + 2*h + i] = D[16*w + g + 8*h][8*j + 2*q + i].
//
// Tensor cores truncate their sums at the last place of the largest term instead of rounding. Long sums must
// therefore be accumulated elsewhere.
namespace sextant::matmul {

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
inline constexpr bool have_warp_groups = true;
#else
inline constexpr bool have_warp_groups = false;
#endif

// Returns the descriptor of a matrix in shared memory. `leading` and `stride` are the bytes between groups of
// rows or columns. `swizzle` selects how 16-byte vectors are permuted: 1 for rows of 128 bytes, 2 for rows of
// 64 bytes.
__device__ __forceinline__ std::uint64_t matrix_in_shared(unsigned address, int leading, int stride,
                                                          int swizzle) {
  return static_cast<std::uint64_t>((address & 0x3ffff) >> 4) |
         static_cast<std::uint64_t>(leading >> 4) << 16 | static_cast<std::uint64_t>(stride >> 4) << 32 |
         static_cast<std::uint64_t>(swizzle) << 62;
}

__device__ __forceinline__ void open_products() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}
__device__ __forceinline__ void finish_products() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile(
      "wgmma.commit_group.sync.aligned;\n"
      "wgmma.wait_group.sync.aligned 0;" ::
          : "memory");
#endif
}

// Sets the number of registers per thread of the calling warp group.
template <int registers>
__device__ __forceinline__ void take_registers() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
#endif
}
template <int registers>
__device__ __forceinline__ void give_registers() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
#endif
}

// Computes d = a*b, or d += a*b if `keep` is not 0. The matrices a and b are 64 by 16 and 16 by `columns`.
// Both are stored row by row.
template <int columns>
__device__ __forceinline__ void multiply_64x16(float (&d)[columns / 2], std::uint64_t a, std::uint64_t b,
                                               int keep);

#define SEXTANT_D8(i)                                                                         \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
      "+f"(d[i + 6]), "+f"(d[i + 7])
#define SEXTANT_D64                                                                             \
  SEXTANT_D8(0), SEXTANT_D8(8), SEXTANT_D8(16), SEXTANT_D8(24), SEXTANT_D8(32), SEXTANT_D8(40), \
      SEXTANT_D8(48), SEXTANT_D8(56)
#define SEXTANT_NAMES64                                                                   \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, " \
  "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, " \
  "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, " \
  "%53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"

template <>
__device__ __forceinline__ void multiply_64x16<128>(float (&d)[64], std::uint64_t a, std::uint64_t b,
                                                    int keep) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" SEXTANT_NAMES64
      "}, %64, %65, p, 1, 1, 0, 1;\n"
      "}\n"
      : SEXTANT_D64
      : "l"(a), "l"(b), "r"(keep));
#endif
}

template <>
__device__ __forceinline__ void multiply_64x16<192>(float (&d)[96], std::uint64_t a, std::uint64_t b,
                                                    int keep) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %98, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n192k16.f32.bf16.bf16 {" SEXTANT_NAMES64
      ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, "
      "%84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, %96, %97, p, 1, 1, 0, 1;\n"
      "}\n"
      : SEXTANT_D64, SEXTANT_D8(64), SEXTANT_D8(72), SEXTANT_D8(80), SEXTANT_D8(88)
      : "l"(a), "l"(b), "r"(keep));
#endif
}

#undef SEXTANT_D8
#undef SEXTANT_D64
#undef SEXTANT_NAMES64

// Stores 1 in *answer if the program has code for compute capability 9.0a, which variants with warp groups
// need.

template <int>
__global__ void say_warp_groups(int* answer) {
  *answer = have_warp_groups;
}

// True if this build has code for warp groups and the device accepts it.
inline bool built_for_warp_groups() {
  int *on_device = nullptr, answer = 0;
  if (cudaMalloc(&on_device, sizeof answer) == cudaSuccess) {
    say_warp_groups<0><<<1, 1>>>(on_device);
    cudaMemcpy(&answer, on_device, sizeof answer, cudaMemcpyDeviceToHost);
  }
  cudaFree(on_device);
  cudaGetLastError();  // Clears the error; a later check would report it.
  return answer == 1;
}

inline const char* warp_groups_unavailable() {
  if (device_attribute(cudaDevAttrComputeCapabilityMajor, 0) != 9)
    return "needs compute capability 9.0, because code with warp-group instructions runs on no other GPU";
  if (!built_for_warp_groups())
    return "the program was built without code for compute capability 9.0a; build with "
           "CMAKE_CUDA_ARCHITECTURES=90";
  return nullptr;
}

}  // namespace sextant::matmul
