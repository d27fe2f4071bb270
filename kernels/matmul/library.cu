#include <cublasLt.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "toolbox/cuda/cublas.hpp"

namespace sextant {
namespace {

// cuBLASLt, loaded at run time. Its heuristic proposes algorithms; the first one is often not the fastest.
struct Functions {
  DynamicLibrary library{{"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"},
                         "cuBLAS (the CUDA toolkit)"};
  decltype(cublasLtCreate)* create;
  decltype(cublasLtDestroy)* destroy;
  decltype(cublasLtMatmulDescCreate)* create_operation;
  decltype(cublasLtMatmulDescDestroy)* destroy_operation;
  decltype(cublasLtMatrixLayoutCreate)* create_layout;
  decltype(cublasLtMatrixLayoutDestroy)* destroy_layout;
  decltype(cublasLtMatmulPreferenceCreate)* create_preference;
  decltype(cublasLtMatmulPreferenceDestroy)* destroy_preference;
  decltype(cublasLtMatmulPreferenceSetAttribute)* set_preference;
  decltype(cublasLtMatmulAlgoGetHeuristic)* propose;
  decltype(cublasLtMatmul)* multiply;

  Functions() {
    library.find("cublasLtCreate", &create);
    library.find("cublasLtDestroy", &destroy);
    library.find("cublasLtMatmulDescCreate", &create_operation);
    library.find("cublasLtMatmulDescDestroy", &destroy_operation);
    library.find("cublasLtMatrixLayoutCreate", &create_layout);
    library.find("cublasLtMatrixLayoutDestroy", &destroy_layout);
    library.find("cublasLtMatmulPreferenceCreate", &create_preference);
    library.find("cublasLtMatmulPreferenceDestroy", &destroy_preference);
    library.find("cublasLtMatmulPreferenceSetAttribute", &set_preference);
    library.find("cublasLtMatmulAlgoGetHeuristic", &propose);
    library.find("cublasLtMatmul", &multiply);
  }
};

const Functions& lt() {
  static const Functions functions;
  return functions;
}

const char* unavailable() {
  const std::string& problem = lt().library.problem;
  return problem.empty() ? nullptr : problem.c_str();
}

constexpr std::size_t workspace_bytes = std::size_t{32} << 20;  // as for cublas::prepare

// A product of row-major n by n matrices, and the fastest of the algorithms that were tried for it.
struct Product {
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;
  void* workspace = nullptr;
  cublasLtMatmulAlgo_t fastest{};

  Product() = default;
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  ~Product() {
    cudaFree(workspace);
    if (preference) lt().destroy_preference(preference);
    if (layout) lt().destroy_layout(layout);
    if (operation) lt().destroy_operation(operation);
    if (handle) lt().destroy(handle);
  }

  // Without a TF32 compute type, cuBLASLt does not use TF32.
  bool describe(const Call& call) {
    const bool is_double = call.problem.type == ElementType::float64;
    const cudaDataType_t type = is_double ? CUDA_R_64F : CUDA_R_32F;
    const auto n = static_cast<std::uint64_t>(call.problem.extents.x);
    const std::size_t most = workspace_bytes;
    return lt().create(&handle) == CUBLAS_STATUS_SUCCESS &&
           lt().create_operation(&operation, is_double ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, type) ==
               CUBLAS_STATUS_SUCCESS &&
           lt().create_layout(&layout, type, n, n, static_cast<std::int64_t>(n)) == CUBLAS_STATUS_SUCCESS &&
           lt().create_preference(&preference) == CUBLAS_STATUS_SUCCESS &&
           lt().set_preference(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most) ==
               CUBLAS_STATUS_SUCCESS &&
           cudaMalloc(&workspace, workspace_bytes) == cudaSuccess;
  }

  template <typename T>
  cublasStatus_t multiply(const Call& call, const cublasLtMatmulAlgo_t& algorithm, void* c) const {
    const T one = 1, zero = 0;
    return lt().multiply(handle, operation, &one, call.address(1), layout, call.address(0), layout, &zero, c,
                         layout, c, layout, &algorithm, workspace, workspace_bytes,
                         static_cast<cudaStream_t>(call.stream));
  }

  // Returns the milliseconds of the fastest of three products, after one that is not timed.
  template <typename T>
  float time(const Call& call, const cublasLtMatmulAlgo_t& algorithm, void* c, cudaEvent_t start,
             cudaEvent_t end) const {
    const auto stream = static_cast<cudaStream_t>(call.stream);
    float least = std::numeric_limits<float>::infinity();
    for (int i = 0; i < 4; ++i) {
      float milliseconds = 0;
      cudaEventRecord(start, stream);
      if (multiply<T>(call, algorithm, c) != CUBLAS_STATUS_SUCCESS) return least;
      cudaEventRecord(end, stream);
      if (cudaEventSynchronize(end) != cudaSuccess) return least;
      if (i > 0 && cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess)
        least = std::min(least, milliseconds);
    }
    return least;
  }

  // Tries the algorithms that the heuristic proposes. Results go to `c`, which is not the call's output.
  template <typename T>
  bool search(const Call& call, void* c) {
    constexpr int most = 16;
    std::vector<cublasLtMatmulHeuristicResult_t> proposed(most);
    int count = 0;
    if (lt().propose(handle, operation, layout, layout, layout, layout, preference, most, proposed.data(),
                     &count) != CUBLAS_STATUS_SUCCESS)
      return false;
    cudaEvent_t start = nullptr, end = nullptr;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    float least = std::numeric_limits<float>::infinity();
    for (int i = 0; i < count; ++i) {
      if (proposed[i].state != CUBLAS_STATUS_SUCCESS) continue;
      const float milliseconds = time<T>(call, proposed[i].algo, c, start, end);
      if (milliseconds < least) least = milliseconds, fastest = proposed[i].algo;
    }
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    return least < std::numeric_limits<float>::infinity();
  }
};

const char* prepare(const Call& call, void** state) {
  auto* mine = new Product;
  *state = mine;
  void* c = nullptr;
  const auto n = static_cast<std::size_t>(call.problem.extents.x);
  const bool is_double = call.problem.type == ElementType::float64;
  const char* problem = nullptr;
  if (!mine->describe(call))
    problem =
        "cuBLASLt could not describe the product, or there is no device memory for its workspace of 32 MiB";
  else if (cudaMalloc(&c, n * n * (is_double ? sizeof(double) : sizeof(float))) != cudaSuccess)
    problem = "no device memory for the result of the search of algorithms";
  else if (!(is_double ? mine->search<double>(call, c) : mine->search<float>(call, c)))
    problem = "no algorithm that cuBLASLt proposes can compute this product";
  cudaFree(c);
  cudaGetLastError();  // clears errors of refused algorithms, so that no later check reports them
  return problem;
}

template <typename T>
void launch(const Call& call) {
  const auto& product = *static_cast<const Product*>(call.state);
  product.multiply<T>(call, product.fastest, call.address(2));
}

}  // namespace

Variant matmul_library_cublas() {
  return cublas::variant("cuBLAS gemm, no TF32", SEXTANT_FLOAT_DOUBLE(cublas::gemm));
}

std::vector<Variant> matmul_library_cu() {
  Variant searched;
  searched.name = "cublaslt";
  searched.description = "cuBLASLt, no TF32: the fastest of up to 16 algorithms that its heuristic proposes";
  searched.memory_space = MemorySpace::cuda;
  searched.launch = SEXTANT_FLOAT_DOUBLE(launch);
  searched.prepare = prepare;
  searched.release = [](void* state) { delete static_cast<Product*>(state); };
  searched.unavailable = unavailable;
  return {named("cublas", matmul_library_cublas()), searched};
}

}  // namespace sextant
