#include "loop.hpp"
#include "toolbox/cuda/cublas.hpp"

namespace sextant {
namespace {

// cuBLAS functions that dot needs in addition to those that the matrix kernels load. The functions with
// 64-bit lengths need CUDA 12.
struct DotFunctions {
  DynamicLibrary library{{"libcublas.so.13", "libcublas.so.12", "libcublas.so"}, "cuBLAS (the CUDA toolkit)"};
  decltype(cublasSetPointerMode_v2)* set_pointer_mode;
  decltype(cublasSdot_v2_64)* sdot;
  decltype(cublasDdot_v2_64)* ddot;

  DotFunctions() {
    library.find("cublasSetPointerMode_v2", &set_pointer_mode);
    library.find("cublasSdot_v2_64", &sdot);
    library.find("cublasDdot_v2_64", &ddot);
  }
};

const DotFunctions& dot_functions() {
  static const DotFunctions functions;
  return functions;
}

template <typename T>
void launch(const Call& call) {
  const auto dot = cublas::of_type<T>(dot_functions().sdot, dot_functions().ddot);
  dot(static_cast<cublas::State*>(call.state)->handle, call.problem.extents.x, call.array<const T>(0), 1,
      call.array<const T>(1), 1, call.array<T>(2));
}

const char* prepare(const Call& call, void** state) {
  if (const char* problem = cublas::prepare(call, state)) return problem;
  const cublasHandle_t handle = static_cast<cublas::State*>(*state)->handle;
  // The result is stored on the device, so that the host does not wait for it after a launch.
  if (dot_functions().set_pointer_mode(handle, CUBLAS_POINTER_MODE_DEVICE) == CUBLAS_STATUS_SUCCESS)
    return nullptr;
  cublas::release(*state);
  *state = nullptr;
  return "cuBLAS could not be set to store results in device memory";
}

const char* unavailable() {
  if (const char* problem = cublas::unavailable()) return problem;
  const std::string& problem = dot_functions().library.problem;
  return problem.empty() ? nullptr : problem.c_str();
}

}  // namespace

std::vector<Variant> dot_library_cu() {
  Variant variant = cublas::variant("cuBLAS dot", SEXTANT_FLOAT_DOUBLE(launch));
  variant.name = "cublas";
  variant.prepare = prepare;
  variant.unavailable = unavailable;
  return {variant};
}

}  // namespace sextant
