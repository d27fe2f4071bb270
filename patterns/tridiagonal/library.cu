// Calls cuSPARSE's gtsv2StridedBatch, which does not pivot. cuSPARSE is loaded at run time. The function
// overwrites the right-hand side, so each call copies it first.
#include <cusparse.h>

#include <limits>

#include "base/dynamic_library.hpp"
#include "loop.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Cusparse {
  DynamicLibrary library{{"libcusparse.so.12", "libcusparse.so.11", "libcusparse.so"},
                         "cuSPARSE (the CUDA toolkit)"};
  decltype(cusparseCreate)* create;
  decltype(cusparseDestroy)* destroy;
  decltype(cusparseSetStream)* set_stream;
  decltype(cusparseSgtsv2StridedBatch_bufferSizeExt)* buffer_single;
  decltype(cusparseDgtsv2StridedBatch_bufferSizeExt)* buffer_twice;
  decltype(cusparseSgtsv2StridedBatch)* solve_single;
  decltype(cusparseDgtsv2StridedBatch)* solve_twice;

  Cusparse() {
    library.find("cusparseCreate", &create);
    library.find("cusparseDestroy", &destroy);
    library.find("cusparseSetStream", &set_stream);
    library.find("cusparseSgtsv2StridedBatch_bufferSizeExt", &buffer_single);
    library.find("cusparseDgtsv2StridedBatch_bufferSizeExt", &buffer_twice);
    library.find("cusparseSgtsv2StridedBatch", &solve_single);
    library.find("cusparseDgtsv2StridedBatch", &solve_twice);
  }
};

const Cusparse& cusparse() {
  static const Cusparse functions;
  return functions;
}

const char* unavailable() {
  const std::string& problem = cusparse().library.problem;
  return problem.empty() ? nullptr : problem.c_str();
}

struct State {
  cusparseHandle_t handle = nullptr;
  void* buffer = nullptr;
};

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  cudaFree(mine->buffer);
  if (mine->handle) cusparse().destroy(mine->handle);
  delete mine;
}

int length_of(const Call& call) { return static_cast<int>(tridiagonal::length_of(call.problem)); }
int systems_of(const Call& call) { return static_cast<int>(tridiagonal::systems_of(call.problem)); }

template <typename T, typename Function>
cusparseStatus_t buffer_size(Function* function, const Call& call, cusparseHandle_t handle,
                             std::size_t* bytes) {
  return function(handle, length_of(call), call.array<const T>(0), call.array<const T>(1),
                  call.array<const T>(2), call.array<const T>(4), systems_of(call), length_of(call), bytes);
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  std::size_t bytes = 0;
  const bool made = cusparse().create(&mine->handle) == CUSPARSE_STATUS_SUCCESS &&
                    cusparse().set_stream(mine->handle, stream_of(call)) == CUSPARSE_STATUS_SUCCESS &&
                    (call.problem.type == ElementType::float64
                         ? buffer_size<double>(cusparse().buffer_twice, call, mine->handle, &bytes)
                         : buffer_size<float>(cusparse().buffer_single, call, mine->handle, &bytes)) ==
                        CUSPARSE_STATUS_SUCCESS;
  const char* problem = made ? nullptr : "cuSPARSE rejected the systems or the stream";
  if (made && cudaMalloc(&mine->buffer, bytes) != cudaSuccess)
    problem = "no device memory for cuSPARSE's buffer";
  if (problem) {
    cudaGetLastError();  // clear the error, so that a later check does not report it
    release(mine);
    return problem;
  }
  *state = mine;
  return nullptr;
}

template <typename T>
void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t count = tridiagonal::systems_of(call.problem) * tridiagonal::length_of(call.problem);
  T* x = call.array<T>(4);
  cudaMemcpyAsync(x, call.array<const T>(3), static_cast<std::size_t>(count) * sizeof(T),
                  cudaMemcpyDeviceToDevice, stream_of(call));
  const auto solve = [&](auto* function) {
    function(state.handle, length_of(call), call.array<const T>(0), call.array<const T>(1),
             call.array<const T>(2), x, systems_of(call), length_of(call), state.buffer);
  };
  if constexpr (sizeof(T) == 8)
    solve(cusparse().solve_twice);
  else
    solve(cusparse().solve_single);
}

const char* refuse(const Problem& problem, const int*) {
  if (tridiagonal::length_of(problem) < 3) return "cuSPARSE needs systems of at least 3 unknowns";
  return tridiagonal::systems_of(problem) > std::numeric_limits<int>::max()
             ? "more systems than an int32 of cuSPARSE can count"
             : nullptr;
}

}  // namespace

std::vector<Variant> tridiagonal_library_cu() {
  return {{.name = "cusparse",
           .description = "cuSPARSE gtsv2StridedBatch, without pivoting, after a copy of the right-hand side",
           .memory_space = MemorySpace::cuda,
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = refuse,
           .prepare = prepare,
           .release = release,
           .unavailable = unavailable}};
}

}  // namespace sextant
