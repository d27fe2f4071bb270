// Calls cuSOLVER's potrf, which is loaded at run time. It works in place, so each call first copies A's lower
// triangle. cuSOLVER expects column-major storage, so the row-major lower triangle is an upper triangle for
// it.
#include <cusolverDn.h>

#include "base/dynamic_library.hpp"
#include "loop.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Cusolver {
  DynamicLibrary library{{"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"},
                         "cuSOLVER (the CUDA toolkit)"};
  decltype(cusolverDnCreate)* create;
  decltype(cusolverDnDestroy)* destroy;
  decltype(cusolverDnSetStream)* set_stream;
  decltype(cusolverDnSpotrf_bufferSize)* buffer_single;
  decltype(cusolverDnDpotrf_bufferSize)* buffer_twice;
  decltype(cusolverDnSpotrf)* factor_single;
  decltype(cusolverDnDpotrf)* factor_twice;

  Cusolver() {
    library.find("cusolverDnCreate", &create);
    library.find("cusolverDnDestroy", &destroy);
    library.find("cusolverDnSetStream", &set_stream);
    library.find("cusolverDnSpotrf_bufferSize", &buffer_single);
    library.find("cusolverDnDpotrf_bufferSize", &buffer_twice);
    library.find("cusolverDnSpotrf", &factor_single);
    library.find("cusolverDnDpotrf", &factor_twice);
  }
};

const Cusolver& cusolver() {
  static const Cusolver functions;
  return functions;
}

const char* unavailable() {
  const std::string& problem = cusolver().library.problem;
  return problem.empty() ? nullptr : problem.c_str();
}

struct State {
  cusolverDnHandle_t handle = nullptr;
  void* memory = nullptr;  // device memory: potrf's status (info), then at offset 256 bytes its workspace
  int elements = 0;
};

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  cudaFree(mine->memory);
  if (mine->handle) cusolver().destroy(mine->handle);
  delete mine;
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  const int n = static_cast<int>(call.problem.extents.x);
  const bool in_double = call.problem.type == ElementType::float64;
  const char* problem = nullptr;
  if (cusolver().create(&mine->handle) != CUSOLVER_STATUS_SUCCESS ||
      cusolver().set_stream(mine->handle, stream_of(call)) != CUSOLVER_STATUS_SUCCESS ||
      (in_double ? cusolver().buffer_twice(mine->handle, CUBLAS_FILL_MODE_UPPER, n, call.array<double>(1), n,
                                           &mine->elements)
                 : cusolver().buffer_single(mine->handle, CUBLAS_FILL_MODE_UPPER, n, call.array<float>(1), n,
                                            &mine->elements)) != CUSOLVER_STATUS_SUCCESS)
    problem = "cuSOLVER rejected the matrix or the stream";
  else if (cudaMalloc(&mine->memory, 256 + static_cast<std::size_t>(mine->elements) *
                                               element_size(call.problem.type)) != cudaSuccess)
    problem = "no device memory for cuSOLVER's workspace";
  if (problem) {
    cudaGetLastError();  // clear the error, so that a later check does not report it
    release(mine);
    return problem;
  }
  *state = mine;
  return nullptr;
}

template <typename T>
__global__ void copy_lower(std::int64_t n, const T* __restrict__ a, T* __restrict__ l) {
  const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at < n * n) l[at] = at % n <= at / n ? a[at] : T(0);
}

template <typename T>
void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t n = call.problem.extents.x;
  T* l = call.array<T>(1);
  copy_lower<<<blocks_for(n * n, 256), 256, 0, stream_of(call)>>>(n, call.array<const T>(0), l);
  int* info = static_cast<int*>(state.memory);
  T* buffer = reinterpret_cast<T*>(static_cast<char*>(state.memory) + 256);
  const int side = static_cast<int>(n);
  if constexpr (sizeof(T) == 8)
    cusolver().factor_twice(state.handle, CUBLAS_FILL_MODE_UPPER, side, l, side, buffer, state.elements,
                            info);
  else
    cusolver().factor_single(state.handle, CUBLAS_FILL_MODE_UPPER, side, l, side, buffer, state.elements,
                             info);
}

}  // namespace

std::vector<Variant> cholesky_library_cu() {
  return {{.name = "cusolver",
           .description = "cuSOLVER potrf, after a copy of A",
           .memory_space = MemorySpace::cuda,
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .prepare = prepare,
           .release = release,
           .unavailable = unavailable}};
}

}  // namespace sextant
