// Calls cuBLAS's gemmStridedBatched, which is loaded at run time. cuBLAS expects column-major storage, so it
// sees all matrices transposed and computes C' = B'A'.
#include <limits>

#include "loop.hpp"
#include "toolbox/cuda/cublas.hpp"

namespace sextant {
namespace {

struct Batched {
  DynamicLibrary library{{"libcublas.so.13", "libcublas.so.12", "libcublas.so"}, "cuBLAS (the CUDA toolkit)"};
  decltype(cublasSgemmStridedBatched)* single;
  decltype(cublasDgemmStridedBatched)* twice;

  Batched() {
    library.find("cublasSgemmStridedBatched", &single);
    library.find("cublasDgemmStridedBatched", &twice);
  }
};

const Batched& batched() {
  static const Batched batched;
  return batched;
}

const char* unavailable() {
  const std::string& problem = batched().library.problem;
  return problem.empty() ? cublas::unavailable() : problem.c_str();
}

template <typename T>
void launch(const Call& call) {
  const auto m = static_cast<int>(gemm_batched::size_of(call.problem));
  const std::int64_t count = std::int64_t{m} * m;
  const T one = 1, zero = 0;
  cublas::of_type<T>(batched().single, batched().twice)(
      static_cast<cublas::State*>(call.state)->handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &one,
      call.array<const T>(1), m, count, call.array<const T>(0), m, count, &zero, call.array<T>(2), m, count,
      static_cast<int>(gemm_batched::batches_of(call.problem)));
}

}  // namespace

std::vector<Variant> gemm_batched_library_cu() {
  Variant variant = cublas::variant("cuBLAS gemmStridedBatched, without TF32; weak up to 32 rows",
                                    SEXTANT_FLOAT_DOUBLE(launch));
  variant.name = "cublas";
  variant.unavailable = unavailable;
  variant.constraint = [](const Problem& problem, const int*) -> const char* {
    return gemm_batched::batches_of(problem) > std::numeric_limits<int>::max()
               ? "more matrices than cuBLAS can count in an int"
               : nullptr;
  };
  return {variant};
}

}  // namespace sextant
