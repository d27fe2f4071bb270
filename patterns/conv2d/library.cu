// Convolution by cuDNN, which is loaded at run time. Its cross-correlation mode computes this kernel's
// formula. cuDNN is not part of the CUDA toolkit, so this file declares the few functions that it uses, as in
// versions 8 and 9. Reduced-precision tensor cores and transform algorithms are excluded, because they round
// differently.
#include <algorithm>
#include <limits>

#include "base/dynamic_library.hpp"
#include "loop.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

constexpr int success = 0, by_rows = 0 /* CUDNN_TENSOR_NCHW */, as_float = 0, as_double = 1,
              cross_correlation = 1, fma_math = 3,
              last_product = 2 /* of three algorithms by matrix products: IMPLICIT_GEMM is the first */;

// cudnnConvolutionFwdAlgoPerf_t
struct Tried {
  int algorithm, status;
  float milliseconds;
  std::size_t memory;
  int determinism, math, reserved[3];
};

struct Cudnn {
  DynamicLibrary library{{"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so"}, "cuDNN"};
  int (*create)(void** handle);
  int (*destroy)(void* handle);
  int (*set_stream)(void* handle, cudaStream_t stream);
  int (*create_tensor)(void** tensor);
  int (*destroy_tensor)(void* tensor);
  int (*set_tensor)(void* tensor, int format, int type, int n, int c, int h, int w);
  int (*create_filter)(void** filter);
  int (*destroy_filter)(void* filter);
  int (*set_filter)(void* filter, int type, int format, int k, int c, int h, int w);
  int (*create_convolution)(void** convolution);
  int (*destroy_convolution)(void* convolution);
  int (*set_convolution)(void* convolution, int pad_h, int pad_w, int stride_h, int stride_w, int dilation_h,
                         int dilation_w, int mode, int type);
  int (*set_math)(void* convolution, int math);
  int (*find)(void* handle, const void* x, const void* w, const void* convolution, const void* y, int most,
              int* count, Tried* tried);
  int (*workspace_size)(void* handle, const void* x, const void* w, const void* convolution, const void* y,
                        int algorithm, std::size_t* bytes);
  int (*forward)(void* handle, const void* alpha, const void* x_tensor, const void* x, const void* w_filter,
                 const void* w, const void* convolution, int algorithm, void* workspace, std::size_t bytes,
                 const void* beta, const void* y_tensor, void* y);

  Cudnn() {
    library.find("cudnnCreate", &create);
    library.find("cudnnDestroy", &destroy);
    library.find("cudnnSetStream", &set_stream);
    library.find("cudnnCreateTensorDescriptor", &create_tensor);
    library.find("cudnnDestroyTensorDescriptor", &destroy_tensor);
    library.find("cudnnSetTensor4dDescriptor", &set_tensor);
    library.find("cudnnCreateFilterDescriptor", &create_filter);
    library.find("cudnnDestroyFilterDescriptor", &destroy_filter);
    library.find("cudnnSetFilter4dDescriptor", &set_filter);
    library.find("cudnnCreateConvolutionDescriptor", &create_convolution);
    library.find("cudnnDestroyConvolutionDescriptor", &destroy_convolution);
    library.find("cudnnSetConvolution2dDescriptor", &set_convolution);
    library.find("cudnnSetConvolutionMathType", &set_math);
    library.find("cudnnFindConvolutionForwardAlgorithm", &find);
    library.find("cudnnGetConvolutionForwardWorkspaceSize", &workspace_size);
    library.find("cudnnConvolutionForward", &forward);
  }
};

const Cudnn& cudnn() {
  static const Cudnn functions;
  return functions;
}

struct State {
  void *handle = nullptr, *tensor = nullptr, *filter = nullptr, *convolution = nullptr, *workspace = nullptr;
  std::size_t bytes = 0;
  int algorithm = 0;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    cudaFree(workspace);
    if (convolution) cudnn().destroy_convolution(convolution);
    if (filter) cudnn().destroy_filter(filter);
    if (tensor) cudnn().destroy_tensor(tensor);
    if (handle) cudnn().destroy(handle);
  }

  bool describe(const Call& call) {
    const int n = static_cast<int>(call.problem.extents.x),
              R = static_cast<int>(conv2d::radius_of(call.problem)),
              type = call.problem.type == ElementType::float64 ? as_double : as_float;
    return cudnn().create(&handle) == success && cudnn().set_stream(handle, stream_of(call)) == success &&
           cudnn().create_tensor(&tensor) == success &&
           cudnn().set_tensor(tensor, by_rows, type, 1, 1, n, n) == success &&
           cudnn().create_filter(&filter) == success &&
           cudnn().set_filter(filter, type, by_rows, 1, 1, 2 * R + 1, 2 * R + 1) == success &&
           cudnn().create_convolution(&convolution) == success &&
           cudnn().set_convolution(convolution, R, R, 1, 1, 1, 1, cross_correlation, type) == success &&
           cudnn().set_math(convolution, fma_math) == success;
  }

  // Lets cuDNN try its algorithms, and takes the fastest that is not a transform.
  bool search() {
    constexpr int most = 16;
    Tried tried[most];
    int count = 0;
    if (cudnn().find(handle, tensor, filter, convolution, tensor, most, &count, tried) != success)
      return false;
    const auto fits = [](const Tried& one) { return one.status == success && one.algorithm <= last_product; };
    const Tried* fastest = std::find_if(tried, tried + count, fits);  // they are sorted by their time
    if (fastest == tried + count) return false;
    algorithm = fastest->algorithm;
    return cudnn().workspace_size(handle, tensor, filter, convolution, tensor, algorithm, &bytes) == success;
  }
};

template <typename T>
void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const T one = 1, zero = 0;
  cudnn().forward(state.handle, &one, state.tensor, call.address(0), state.filter, call.address(1),
                  state.convolution, state.algorithm, state.workspace, state.bytes, &zero, state.tensor,
                  call.address(2));
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  const char* problem = nullptr;
  if (!mine->describe(call))
    problem = "cuDNN could not create a handle, or rejected the stream, the grid or the weights";
  else if (!mine->search())
    problem = "cuDNN's search found no algorithm by matrix products";
  else if (mine->bytes > 0 && cudaMalloc(&mine->workspace, mine->bytes) != cudaSuccess)
    problem = "no device memory for cuDNN's workspace";
  if (problem) {
    cudaGetLastError();  // clear the error, so that a later check does not report it
    delete mine;
    return problem;
  }
  *state = mine;
  return nullptr;
}

const char* unavailable() {
  const std::string& problem = cudnn().library.problem;
  return problem.empty() ? nullptr : problem.c_str();
}

}  // namespace

std::vector<Variant> conv2d_library_cu() {
  return {
      {.name = "cudnn",
       .description = "cuDNN ConvolutionForward by the fastest matrix product of its search, without TF32",
       .memory_space = MemorySpace::cuda,
       .launch = SEXTANT_FLOAT_DOUBLE(launch),
       .constraint = [](const Problem& problem, const int*) -> const char* {
         return problem.extents.count() > std::numeric_limits<int>::max()
                    ? "more points than cuDNN can count in an int"
                    : nullptr;
       },
       .prepare = prepare,
       .release = [](void* state) { delete static_cast<State*>(state); },
       .unavailable = unavailable}};
}

}  // namespace sextant
