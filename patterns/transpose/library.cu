// Transposes by cuBLAS geam, which is loaded at run time. cuBLAS assumes column-major matrices, but the
// transpose of row-major matrices is the same operation.
#include <limits>

#include "toolbox/cuda/cublas.hpp"

namespace sextant {
namespace {

struct Geam {
  DynamicLibrary library{{"libcublas.so.13", "libcublas.so.12", "libcublas.so"}, "cuBLAS (the CUDA toolkit)"};
  decltype(cublasSgeam)* single;
  decltype(cublasDgeam)* twice;

  Geam() {
    library.find("cublasSgeam", &single);
    library.find("cublasDgeam", &twice);
  }
};

const Geam& geam() {
  static const Geam geam;
  return geam;
}

const char* unavailable() {
  const std::string& problem = geam().library.problem;
  return problem.empty() ? cublas::unavailable() : problem.c_str();
}

template <typename T>
void launch(const Call& call) {
  const auto rows = static_cast<int>(call.problem.extents.y),
             columns = static_cast<int>(call.problem.extents.x);
  const T one = 1, zero = 0;
  T* y = call.array<T>(1);
  cublas::of_type<T>(geam().single, geam().twice)(static_cast<cublas::State*>(call.state)->handle,
                                                  CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one,
                                                  call.array<const T>(0), columns, &zero, y, rows, y, rows);
}

}  // namespace

std::vector<Variant> transpose_library_cu() {
  Variant variant = cublas::variant("cuBLAS geam", SEXTANT_FLOAT_DOUBLE(launch));
  variant.name = "cublas";
  variant.unavailable = unavailable;
  variant.constraint = [](const Problem& problem, const int*) -> const char* {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    return problem.extents.x > most || problem.extents.y > most
               ? "a side is longer than an int32 of cuBLAS can count"
               : nullptr;
  };
  return {variant};
}

}  // namespace sextant
