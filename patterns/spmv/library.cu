
#include <cuda_runtime_api.h>

#include "loop.hpp"
#include "toolbox/cuda/cusparse.hpp"

// Products by cuSPARSE. `prepare` lets cuSPARSE preprocess the matrix.
namespace sextant::spmv {

struct Product {
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t x = nullptr, y = nullptr;
  void* buffer = nullptr;
  cudaDataType type = CUDA_R_32F;
  float single[2] = {1, 0};
  double twice[2] = {1, 0};

  Product() = default;
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  ~Product() {
    cudaFree(buffer);
    if (y) cusparse().destroy_vector(y);
    if (x) cusparse().destroy_vector(x);
    if (matrix) cusparse().destroy_matrix(matrix);
    if (handle) cusparse().destroy(handle);
  }

  bool describe(const Call& call) {
    const std::int64_t m = rows_of(call.problem);
    type = call.problem.type == ElementType::float64 ? CUDA_R_64F : CUDA_R_32F;
    return cusparse().create(&handle) == CUSPARSE_STATUS_SUCCESS &&
           cusparse().set_stream(handle, static_cast<cudaStream_t>(call.stream)) == CUSPARSE_STATUS_SUCCESS &&
           cusparse().create_csr(&matrix, m, m, entries_of(call.problem), call.address(0), call.address(1),
                                 call.address(2), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_BASE_ZERO, type) == CUSPARSE_STATUS_SUCCESS &&
           cusparse().create_vector(&x, m, call.address(3), type) == CUSPARSE_STATUS_SUCCESS &&
           cusparse().create_vector(&y, m, call.address(4), type) == CUSPARSE_STATUS_SUCCESS;
  }

  // Return the addresses of the numbers 1 and 0 in the product's type.
  const void* one() const { return type == CUDA_R_64F ? static_cast<const void*>(twice) : single; }
  const void* zero() const { return type == CUDA_R_64F ? static_cast<const void*>(twice + 1) : single + 1; }

  // Calls `function`, which is cusparseSpMV or its preprocessing function. Both have the same arguments.
  cusparseStatus_t run(decltype(cusparseSpMV)* function, cusparseSpMVAlg_t algorithm) const {
    return function(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, one(), matrix, x, zero(), y, type, algorithm,
                    buffer);
  }
};

template <cusparseSpMVAlg_t algorithm>
const char* prepare_product(const Call& call, void** state) {
  auto* product = new Product;
  const char* problem = nullptr;
  std::size_t bytes = 0;
  if (!product->describe(call))
    problem = "cuSPARSE rejected the matrix, a vector or the stream";
  else if (cusparse().buffer_size(product->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, product->one(),
                                  product->matrix, product->x, product->zero(), product->y, product->type,
                                  algorithm, &bytes) != CUSPARSE_STATUS_SUCCESS ||
           cudaMalloc(&product->buffer, bytes) != cudaSuccess)
    problem = "no device memory for cuSPARSE's buffer";
  else if (product->run(cusparse().preprocess ? cusparse().preprocess : cusparse().multiply, algorithm) !=
           CUSPARSE_STATUS_SUCCESS)
    problem = "cuSPARSE's preprocessing of the matrix failed";
  if (problem) {
    cudaGetLastError();  // clear the error, so that a later check does not report it
    delete product;
    return problem;
  }
  *state = product;
  return nullptr;
}

template <cusparseSpMVAlg_t algorithm>
void launch_product(const Call& call) {
  static_cast<const Product*>(call.state)->run(cusparse().multiply, algorithm);
}

template <cusparseSpMVAlg_t algorithm>
Variant cusparse_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description = description;
  variant.launch = {.float32 = launch_product<algorithm>, .float64 = launch_product<algorithm>};
  variant.prepare = prepare_product<algorithm>;
  variant.prepare_depends_on = DependsOn::structure;
  variant.release = [](void* state) { delete static_cast<Product*>(state); };
  variant.unavailable = cusparse_unavailable;
  return variant;
}

}  // namespace sextant::spmv

namespace sextant {

std::vector<Variant> spmv_library_cu() {
  return {
      named("cusparse", spmv::cusparse_variant<CUSPARSE_SPMV_CSR_ALG1>(
                            "cuSPARSE SpMV, default algorithm for CSR (CUSPARSE_SPMV_CSR_ALG1)")),
      named("cusparse_deterministic",
            spmv::cusparse_variant<CUSPARSE_SPMV_CSR_ALG2>(
                "cuSPARSE SpMV, deterministic algorithm for CSR (CUSPARSE_SPMV_CSR_ALG2)")),
  };
}

}  // namespace sextant
