// Softmax by cuDNN, which is loaded at run time. cuDNN is not part of the CUDA toolkit, so the few functions
// used are declared here, as in versions 8 and 9. Handles and descriptors are pointers, and enumerations are
// ints.
#include <limits>

#include "base/dynamic_library.hpp"
#include "loop.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

constexpr int success = 0, by_rows = 0 /* CUDNN_TENSOR_NCHW */, as_float = 0, as_double = 1,
              accurate = 1 /* less the maximum */, over_row = 0 /* CUDNN_SOFTMAX_MODE_INSTANCE */;

struct Cudnn {
  DynamicLibrary library{{"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so"}, "cuDNN"};
  int (*create)(void** handle);
  int (*destroy)(void* handle);
  int (*set_stream)(void* handle, cudaStream_t stream);
  int (*create_tensor)(void** tensor);
  int (*destroy_tensor)(void* tensor);
  int (*set_tensor)(void* tensor, int format, int type, int n, int c, int h, int w);
  int (*softmax)(void* handle, int algorithm, int mode, const void* alpha, const void* x_tensor,
                 const void* x, const void* beta, const void* y_tensor, void* y);

  Cudnn() {
    library.find("cudnnCreate", &create);
    library.find("cudnnDestroy", &destroy);
    library.find("cudnnSetStream", &set_stream);
    library.find("cudnnCreateTensorDescriptor", &create_tensor);
    library.find("cudnnDestroyTensorDescriptor", &destroy_tensor);
    library.find("cudnnSetTensor4dDescriptor", &set_tensor);
    library.find("cudnnSoftmaxForward", &softmax);
  }
};

const Cudnn& cudnn() {
  static const Cudnn functions;
  return functions;
}

struct State {
  void *handle = nullptr, *tensor = nullptr;
};

template <typename T>
void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const T one = 1, zero = 0;
  cudnn().softmax(state.handle, accurate, over_row, &one, state.tensor, call.address(0), &zero, state.tensor,
                  call.address(1));
}

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  if (mine->tensor) cudnn().destroy_tensor(mine->tensor);
  if (mine->handle) cudnn().destroy(mine->handle);
  delete mine;
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  if (cudnn().create(&mine->handle) == success &&
      cudnn().set_stream(mine->handle, stream_of(call)) == success &&
      cudnn().create_tensor(&mine->tensor) == success &&
      cudnn().set_tensor(mine->tensor, by_rows,
                         call.problem.type == ElementType::float64 ? as_double : as_float,
                         static_cast<int>(softmax::rows_of(call.problem)),
                         static_cast<int>(softmax::columns_of(call.problem)), 1, 1) == success) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // clear the error, so that a later check does not report it
  release(mine);
  return "cuDNN rejected its handle, the stream or the matrix";
}

const char* unavailable() {
  const std::string& problem = cudnn().library.problem;
  return problem.empty() ? nullptr : problem.c_str();
}

}  // namespace

std::vector<Variant> softmax_library_cu() {
  return {{.name = "cudnn",
           .description = "cuDNN SoftmaxForward, accurate algorithm",
           .memory_space = MemorySpace::cuda,
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = [](const Problem& problem, const int*) -> const char* {
             return softmax::rows_of(problem) * softmax::columns_of(problem) > std::numeric_limits<int>::max()
                        ? "more elements than cuDNN's int32 sizes can count"
                        : nullptr;
           },
           .prepare = prepare,
           .release = release,
           .unavailable = unavailable}};
}

}  // namespace sextant
