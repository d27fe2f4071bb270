// cuBLAS, loaded at run time, for the library variants of dense linear algebra. cuBLAS stores matrices by
// columns, so it sees a row-major matrix as its transpose. To get C = A*B by rows, the variants compute C' =
// B'*A' by columns.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "base/dynamic_library.hpp"
#include "suite/variant.hpp"

namespace sextant::cublas {

struct Functions {
  DynamicLibrary library{{"libcublas.so.13", "libcublas.so.12", "libcublas.so"}, "cuBLAS (the CUDA toolkit)"};
  decltype(cublasCreate_v2)* create;
  decltype(cublasDestroy_v2)* destroy;
  decltype(cublasSetStream_v2)* set_stream;
  decltype(cublasSetWorkspace_v2)* set_workspace;
  decltype(cublasSetMathMode)* set_math_mode;
  decltype(cublasSgemv_v2)* sgemv;
  decltype(cublasDgemv_v2)* dgemv;
  decltype(cublasSgemm_v2)* sgemm;
  decltype(cublasDgemm_v2)* dgemm;

  Functions() {
    library.find("cublasCreate_v2", &create);
    library.find("cublasDestroy_v2", &destroy);
    library.find("cublasSetStream_v2", &set_stream);
    library.find("cublasSetWorkspace_v2", &set_workspace);
    library.find("cublasSetMathMode", &set_math_mode);
    library.find("cublasSgemv_v2", &sgemv);
    library.find("cublasDgemv_v2", &dgemv);
    library.find("cublasSgemm_v2", &sgemm);
    library.find("cublasDgemm_v2", &dgemm);
  }
};

inline const Functions& functions() {
  static const Functions functions;
  return functions;
}

inline const char* unavailable() {
  const std::string& problem = functions().library.problem;
  return problem.empty() ? nullptr : problem.c_str();
}

struct State {
  cublasHandle_t handle = nullptr;
  void* workspace = nullptr;
};

inline void release(void* state) {
  auto* mine = static_cast<State*>(state);
  if (mine->handle) functions().destroy(mine->handle);
  cudaFree(mine->workspace);
  delete mine;
}

// Makes a handle with the call's stream and a workspace of 32 MiB, so that no launch allocates memory. cuBLAS
// recommends this size on Hopper (its manual, cublasSetWorkspace). The default math mode does not use TF32.
inline const char* prepare(const Call& call, void** state) {
  constexpr std::size_t workspace_bytes = std::size_t{32} << 20;
  auto* mine = new State;
  const char* problem = nullptr;
  if (functions().create(&mine->handle) != CUBLAS_STATUS_SUCCESS)
    problem = "cuBLAS could not create a handle";
  else if (cudaMalloc(&mine->workspace, workspace_bytes) != cudaSuccess)
    problem = "no device memory for cuBLAS's workspace of 32 MiB";
  else if (functions().set_stream(mine->handle, static_cast<cudaStream_t>(call.stream)) !=
               CUBLAS_STATUS_SUCCESS ||
           functions().set_workspace(mine->handle, mine->workspace, workspace_bytes) !=
               CUBLAS_STATUS_SUCCESS ||
           functions().set_math_mode(mine->handle, CUBLAS_DEFAULT_MATH) != CUBLAS_STATUS_SUCCESS)
    problem = "cuBLAS refused its stream, workspace or math mode";
  if (problem) {
    cudaGetLastError();  // clears the error, so that no later check reports it
    release(mine);
    return problem;
  }
  *state = mine;
  return nullptr;
}

// Returns one of the two functions, according to the precision of T.
template <typename T, typename Single, typename Double>
auto of_type(Single* in_single, Double* in_double) {
  if constexpr (sizeof(T) == 8)
    return in_double;
  else
    return in_single;
}

// Computes y = A*x for a row-major n by n matrix A.
template <typename T>
void gemv(const Call& call) {
  const int n = static_cast<int>(call.problem.extents.x);
  const T one = 1, zero = 0;
  const auto multiply = of_type<T>(functions().sgemv, functions().dgemv);
  multiply(static_cast<State*>(call.state)->handle, CUBLAS_OP_T, n, n, &one, call.array<const T>(0), n,
           call.array<const T>(1), 1, &zero, call.array<T>(2), 1);
}

// Computes C = A*B for row-major n by n matrices.
template <typename T>
void gemm(const Call& call) {
  const int n = static_cast<int>(call.problem.extents.x);
  const T one = 1, zero = 0;
  const auto multiply = of_type<T>(functions().sgemm, functions().dgemm);
  multiply(static_cast<State*>(call.state)->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one,
           call.array<const T>(1), n, call.array<const T>(0), n, &zero, call.array<T>(2), n);
}

// Returns a variant with the fields that all cuBLAS variants share.
inline Variant variant(const char* description, PerType<Function<void(const Call&)>> launch) {
  Variant variant;
  variant.description = description;
  variant.memory_space = MemorySpace::cuda;
  variant.launch = launch;
  variant.prepare = prepare;
  variant.release = release;
  variant.unavailable = unavailable;
  return variant;
}

}  // namespace sextant::cublas
