// Declarations of CUDA names that libclang needs to parse signatures and indices. They replace CUDA's
// headers, so that no toolkit is needed.
#pragma once

namespace sextant::own {

constexpr const char* cuda_names = R"own(
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...)
#define __forceinline__ inline
#define __noinline__
#define __grid_constant__
#define __restrict__ __restrict
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
#define SEXTANT_STRUCTS(name, type) \
  struct name##1 { type x; }; struct name##2 { type x, y; }; \
  struct name##3 { type x, y, z; }; struct name##4 { type x, y, z, w; }; \
  __host__ __device__ name##2 make_##name##2(type, type); \
  __host__ __device__ name##3 make_##name##3(type, type, type); \
  __host__ __device__ name##4 make_##name##4(type, type, type, type);
SEXTANT_STRUCTS(char, signed char) SEXTANT_STRUCTS(uchar, unsigned char) SEXTANT_STRUCTS(short, short)
SEXTANT_STRUCTS(ushort, unsigned short) SEXTANT_STRUCTS(int, int) SEXTANT_STRUCTS(uint, unsigned)
SEXTANT_STRUCTS(long, long) SEXTANT_STRUCTS(ulong, unsigned long)
SEXTANT_STRUCTS(longlong, long long) SEXTANT_STRUCTS(ulonglong, unsigned long long)
SEXTANT_STRUCTS(float, float) SEXTANT_STRUCTS(double, double)
#undef SEXTANT_STRUCTS
extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;
extern __device__ const int warpSize;
struct __half { unsigned short bits; }; typedef __half half;
struct __half2 { __half x, y; }; typedef __half2 half2;
struct __nv_bfloat16 { unsigned short bits; }; typedef __nv_bfloat16 nv_bfloat16;
struct __nv_bfloat162 { __nv_bfloat16 x, y; };
typedef float2 cuFloatComplex; typedef float2 cuComplex; typedef double2 cuDoubleComplex;
typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long long cudaTextureObject_t; typedef unsigned long long cudaSurfaceObject_t;
typedef int cudaError_t; struct CUstream_st; typedef CUstream_st* cudaStream_t;
struct CUevent_st; typedef CUevent_st* cudaEvent_t;
extern "C" __host__ __device__ unsigned cudaConfigureCall(dim3, dim3, unsigned long = 0, cudaStream_t = 0);
extern "C" __host__ __device__
unsigned __cudaPushCallConfiguration(dim3, dim3, unsigned long = 0, cudaStream_t = 0);
__device__ void __syncthreads();
template <typename A, typename B> __host__ __device__ A min(A, B);
template <typename A, typename B> __host__ __device__ A max(A, B);
template <typename A> __device__ A __ldg(const A*);
#define SEXTANT_ATOMIC(name) template <typename A, typename B> __device__ A name(A*, B);
SEXTANT_ATOMIC(atomicAdd) SEXTANT_ATOMIC(atomicSub) SEXTANT_ATOMIC(atomicMin) SEXTANT_ATOMIC(atomicMax)
SEXTANT_ATOMIC(atomicExch) SEXTANT_ATOMIC(atomicAnd) SEXTANT_ATOMIC(atomicOr) SEXTANT_ATOMIC(atomicXor)
template <typename A, typename B, typename C> __device__ A atomicCAS(A*, B, C);
#undef SEXTANT_ATOMIC
)own";

// Names that nearly every source file gets from some header.
constexpr const char* common_names = R"own(
typedef float T;
typedef unsigned long size_t; typedef long ptrdiff_t;
typedef signed char int8_t; typedef unsigned char uint8_t;
typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned int uint32_t; typedef long int64_t; typedef unsigned long uint64_t;
)own";

}  // namespace sextant::own
