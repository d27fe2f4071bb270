// Variant library.cusparse: matrix-vector products by cuSPARSE, which is loaded at run time. The vector
// operations are the same as in cuda.rows. `prepare` includes cuSPARSE's analysis of the matrix.
#include "steps.cuh"
#include "toolbox/cuda/cusparse.hpp"

namespace sextant {
namespace {

using namespace npb_cg;

// Converts offsets to int32, because cuSPARSE requires offsets and columns of the same type.
__global__ void shorten(std::int64_t count, const std::int64_t* from, std::int32_t* to) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) to[i] = static_cast<std::int32_t>(from[i]);
}

struct State {
  DeviceRows rows;
  DeviceMemory<std::int32_t> row;
  DeviceMemory<double> parts;
  DeviceMemory<char> buffer;
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t p = nullptr, z = nullptr, q = nullptr;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    for (const cusparseDnVecDescr_t vector : {p, z, q})
      if (vector) cusparse().destroy_vector(vector);
    if (matrix) cusparse().destroy_matrix(matrix);
    if (handle) cusparse().destroy(handle);
  }

  bool describe(const Call& call, std::int64_t entries) {
    const std::int64_t n = call.problem.extents.x;
    double* v = rows.vectors.data;
    constexpr auto done = CUSPARSE_STATUS_SUCCESS;
    return cusparse().create(&handle) == done && cusparse().set_stream(handle, stream_of(call)) == done &&
           cusparse().create_csr(&matrix, n, n, entries, row.data, rows.column.data, rows.value.data,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                 CUDA_R_64F) == done &&
           cusparse().create_vector(&z, n, v + n, CUDA_R_64F) == done &&
           cusparse().create_vector(&p, n, v + 3 * n, CUDA_R_64F) == done &&
           cusparse().create_vector(&q, n, v + 4 * n, CUDA_R_64F) == done;
  }

  // Calls `function`, which is cusparseSpMV or its preprocessing; both take the same arguments.
  cusparseStatus_t run(decltype(cusparseSpMV)* function, cusparseDnVecDescr_t from) const {
    return function(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, q, CUDA_R_64F,
                    CUSPARSE_SPMV_CSR_ALG1, buffer.data);
  }

  static constexpr double one = 1, zero = 0;
};

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const double* const p = state.rows.vectors.data + 3 * call.problem.extents.x;
  run_in_steps(call, state.rows, state.parts.data, [&](const double* from, double*) {
    state.run(cusparse().multiply, from == p ? state.p : state.z);
  });
}

const char* make(const Call& call, State& state) {
  const std::int64_t n = call.problem.extents.x;
  if (const char* why_not = state.rows.make(call.problem)) return why_not;
  if (!state.parts.allocate(parts_count) || !state.row.allocate(n + 1)) return "device memory ran out";
  shorten<<<blocks_for(n + 1, 256), 256, 0, stream_of(call)>>>(n + 1, state.rows.row.data, state.row.data);
  std::int64_t entries = 0;
  std::size_t bytes = 0;
  cudaMemcpyAsync(&entries, state.rows.row.data + n, sizeof entries, cudaMemcpyDeviceToHost, stream_of(call));
  cudaStreamSynchronize(stream_of(call));
  if (!state.describe(call, entries)) return "cuSPARSE refused the matrix, a vector or the stream";
  if (cusparse().buffer_size(state.handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &State::one, state.matrix,
                             state.p, &State::zero, state.q, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1,
                             &bytes) != CUSPARSE_STATUS_SUCCESS ||
      !state.buffer.allocate(static_cast<std::int64_t>(bytes)))
    return "no device memory for cuSPARSE's buffer";
  return state.run(cusparse().preprocess ? cusparse().preprocess : cusparse().multiply, state.p) ==
                 CUSPARSE_STATUS_SUCCESS
             ? nullptr
             : "cuSPARSE could not prepare the product";
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  if (const char* why_not = make(call, *made)) return why_not;
  *state = made.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_cg_library_cu() {
  return {{.name = "cusparse",
           .description = "products by cuSPARSE; passes over the vectors as in cuda.rows",
           .memory_space = MemorySpace::cuda,
           .launch = {.float64 = launch},
           .constraint = [](const Problem& problem, const int*) -> const char* {
             return most_entries(problem) > INT32_MAX ? "more nonzeros than an int32 can count" : nullptr;
           },
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = rows_workspace,
           .unavailable = cusparse_unavailable}};
}

}  // namespace sextant
