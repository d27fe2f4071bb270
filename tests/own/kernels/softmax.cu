/* sextant
name = "softmax_of_others"
formula = "out[row] = softmax of in[row]"
types = ["float"]
sizes = { rows = "sqrt(N / 2)", cols = "rows" }  # of N, the elements of all arrays
arrays = [
  { name = "in", role = "in", length = "rows * cols" },
  { name = "out", role = "out", length = "rows * cols" },
]
work = { flops = "5 * rows * cols" }
# It says float; with T in place of that, and without precision here, it is run in double precision.
reference = { variant = "serial.baseline", precision = "float" }
tolerance = { relative = "(2 * cols + 16) * eps", reason = "two sums of cols roundings each, and those of exp and division" }
compiler = "nvcc"

[variant."cuda.softmax_naive"]
function = "softmax_naive"
arguments = ["in", "out", "int(rows)", "int(cols)"]
block = ["block_size"]
grid = ["ceil_div(rows, block_size)"]
tune = { block_size = [128, 64, 256, 512, 1024] }

[variant."cuda.softmax_block"]
function = "softmax_block"
arguments = ["in", "out", "int(rows)", "int(cols)"]
block = ["THREADS"]
grid = ["rows"]
tune = { THREADS = [256, 32, 64, 128, 512, 1024] }

[variant."serial.baseline"]
function = "softmax_cpu"
arguments = ["in", "out", "int(rows)", "int(cols)"]
*/
// Softmax over the rows of a matrix. Public domain.
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <vector>

#ifndef THREADS
  #define THREADS 256
#endif

// One thread per row.
__global__ void softmax_naive(const float* in, float* out, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + (size_t)row * cols;
  float* y = out + (size_t)row * cols;
  float largest = -FLT_MAX;
  for (int i = 0; i < cols; ++i) largest = fmaxf(largest, x[i]);
  float sum = 0;
  for (int i = 0; i < cols; ++i) sum += expf(x[i] - largest);
  for (int i = 0; i < cols; ++i) y[i] = expf(x[i] - largest) / sum;
}

// One block per row: maximum and sum by reductions in shared memory.
__global__ void softmax_block(const float* in, float* out, int rows, int cols) {
  __shared__ float shared[THREADS];
  int row = blockIdx.x, tid = threadIdx.x;
  if (row >= rows) return;
  const float* x = in + (size_t)row * cols;
  float* y = out + (size_t)row * cols;
  float largest = -FLT_MAX;
  for (int i = tid; i < cols; i += THREADS) largest = fmaxf(largest, x[i]);
  shared[tid] = largest;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (tid < half) shared[tid] = fmaxf(shared[tid], shared[tid + half]);
    __syncthreads();
  }
  largest = shared[0];
  __syncthreads();
  float sum = 0;
  for (int i = tid; i < cols; i += THREADS) sum += expf(x[i] - largest);
  shared[tid] = sum;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (tid < half) shared[tid] += shared[tid + half];
    __syncthreads();
  }
  sum = shared[0];
  for (int i = tid; i < cols; i += THREADS) y[i] = expf(x[i] - largest) / sum;
}

void softmax_cpu(const float* in, float* out, int rows, int cols) {
  for (int row = 0; row < rows; ++row) {
    const float* x = in + (size_t)row * cols;
    float* y = out + (size_t)row * cols;
    float largest = x[0], sum = 0;
    for (int i = 1; i < cols; ++i) largest = fmaxf(largest, x[i]);
    for (int i = 0; i < cols; ++i) sum += expf(x[i] - largest);
    for (int i = 0; i < cols; ++i) y[i] = expf(x[i] - largest) / sum;
  }
}

int main() {
  const int rows = 4096, cols = 1000;
  std::vector<float> in(rows * cols), want(rows * cols), got(rows * cols);
  for (size_t i = 0; i < in.size(); ++i) in[i] = (float)(i % 17) - 8;
  softmax_cpu(in.data(), want.data(), rows, cols);
  float *d_in, *d_out;
  cudaMalloc(&d_in, in.size() * sizeof(float));
  cudaMalloc(&d_out, in.size() * sizeof(float));
  cudaMemcpy(d_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
  softmax_block<<<rows, THREADS>>>(d_in, d_out, rows, cols);
  cudaMemcpy(got.data(), d_out, in.size() * sizeof(float), cudaMemcpyDeviceToHost);
  float worst = 0;
  for (size_t i = 0; i < in.size(); ++i) worst = fmaxf(worst, fabsf(got[i] - want[i]));
  printf("largest difference %g\n", worst);
}
