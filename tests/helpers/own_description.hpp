// Provides the source of a user kernel with its description, for tests.
#pragma once

#include <cstddef>
#include <string>

namespace sextant::test {

inline const std::string saxpy = R"own(// the user's own file
/* sextant
name = "saxpy"
formula = "y[i] = a*x[i] + y[i]"
types = ["float", "double"]
sizes = { n = "N / 2" }
arrays = [ { name = "x", role = "in", length = "n" }, { name = "y", role = "inout", length = "n" } ]
scalars = { a = 2.5 }
work = { flops = "2*n", items = "n" }
reference = "serial.plain"
tolerance = { relative = 1e-6, reason = "one multiply-add" }

[variant."serial.plain"]
function = "saxpy_loop"
arguments = ["n", "a", "x", "y"]

[variant."cuda.mine"]
function = "saxpy<T>"
arguments = ["int(n)", "a", "x", "y"]
block = ["block_size"]
grid = ["ceil_div(n, block_size * items)"]
tune = { block_size = [64, 128, 256, 512, 1024], items = [1, 2, 4, 8], flag.math = ["", "-use_fast_math"] }
constraint = "block_size * items <= 4096"
*/
#if defined(SEXTANT_MODEL_CUDA)
template <typename U>
__global__ void saxpy(int n, U a, const U* x, U* y) {
  for (int k = 0; k < items; ++k) {
    const int i = (blockIdx.x * items + k) * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
  }
}
#else
void saxpy_loop(long n, T a, const T* x, T* y) {
  for (long i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
#endif
)own";

// Returns `text` with `from` replaced by `to`. `text` must contain `from`.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) return "the test replaces what is not there: " + from;
  return text.replace(at, from.size(), to);
}

// Provides a CUDA variant that launches kernels itself, with a struct by value, a stream, a temporary array
// and a returned number.
inline const std::string mean = R"own(/* sextant
name = "mean"
types = ["float"]
sizes = { n = "N" }
arrays = [
  { name = "by", role = "in", length = "1", type = { struct = "Factor", member = "float", members = 2 } },
  { name = "x", role = "in", length = "n" }, { name = "out", role = "out", length = "1" } ]
reference = "serial.baseline"
compiler = "nvcc"
tolerance = { absolute = "n * eps", reason = "a sum" }

[variant."serial.baseline"]
function = "mean_cpu"
arguments = ["*by", "x", "int(n)"]
result = "out"

[variant."cuda.mean"]
launcher = true
temporaries = [ { name = "scaled", length = "n" } ]
function = "mean_gpu"
arguments = ["*by", "x", "int(n)", "scaled", "stream"]
result = "out"
*/
#include <vector>
struct Factor { float factor, more; };
float mean_cpu(Factor by, const T* x, int n) {
  T s = 0;
  for (int i = 0; i < n; ++i) s += x[i] * by.factor;
  return s / n;
}
__global__ void scale(Factor by, const float* x, int n, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * by.factor;
}
float mean_gpu(Factor by, const float* d_x, int n, float* d_scaled, cudaStream_t stream) {
  scale<<<(n + 255) / 256, 256, 0, stream>>>(by, d_x, n, d_scaled);
  std::vector<float> y(n);
  cudaMemcpy(y.data(), d_scaled, n * sizeof(float), cudaMemcpyDeviceToHost);
  float s = 0;
  for (float one : y) s += one;
  return s / n;
}
)own";

inline const std::string t1 = R"own({
  "General": {"BenchmarkName": "Scale"},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "block_size_x", "Type": "int", "Values": "[32, 64, 128]", "Default": 64},
      {"Name": "tile", "Type": "int", "Values": "list(range(1, 9, 2))"},
      {"Name": "padding", "Type": "bool", "Values": "[True, False]"}],
    "Conditions": [{"Expression": "block_size_x // tile >= 16 and not (tile == 3 or padding)",
                    "Parameters": ["block_size_x"]}]},
  "KernelSpecification": {
    "Language": "CUDA", "KernelName": "scale", "KernelFile": "scale.cu", "GlobalSizeType": "CUDA",
    "CompilerOptions": ["-std=c++17"],
    "LocalSize": {"X": "block_size_x", "Y": "1", "Z": "1"},
    "GlobalSize": {"X": "math.ceil(4096 / (block_size_x * tile))", "Y": "1"},
    "SharedMemory": 128,
    "Arguments": [
      {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 4096},
      {"Name": "source", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly", "Size": 4096,
       "FillType": "Random", "FillValue": 1.0},
      {"Name": "factors", "Type": "float2", "MemoryType": "Symbol", "AccessType": "ReadOnly", "Size": 8,
       "FillType": "Constant", "FillValue": 0.5},
      {"Name": "out", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly", "Size": 4096,
       "FillType": "Constant", "FillValue": 0}]}})own";

}  // namespace sextant::test
