/* sextant
name = "above_mean"
formula = "mean of x; above[i] = x[i] > mean"
types = ["float", "double"]
sizes = { n = "(N - 1) / 2" }
arrays = [ { name = "x", role = "in", length = "n" },
           { name = "mean", role = "out", length = 1 },
           { name = "above", role = "out", length = "n", type = "uint8" } ]
work = { flops = "2 * n" }
reference = "serial.baseline"
tolerance = { absolute = "64 * eps", outliers = 0.001, reason = "a sum of numbers up to 1; x may be as near to the mean as that" }

[variant."serial.baseline"]
function = "mark_above"
arguments = ["n", "x", "mean", "above"]

[variant."cuda.three_kernels"]
temporaries = [ { name = "part", length = "blocks" } ]
steps = [ { function = "sum_blocks<T>", arguments = ["int(n)", "x", "part"], block = ["block_size"], grid = ["blocks"] },
          { function = "finish<T>", arguments = ["int(n)", "int(blocks)", "part", "mean"], block = [256], grid = [1] },
          { function = "mark<T>", arguments = ["int(n)", "x", "mean", "above"], block = ["block_size"], grid = ["ceil_div(n, block_size)"] } ]
tune = { block_size = [256, 128, 512], blocks = [264, 132, 528] }
*/
// One execution launches three kernels: sums per block, the mean, and the elements above the mean.
#if defined(SEXTANT_MODEL_CUDA)

template <typename U>
__device__ U block_sum(U value) {
  __shared__ U sums[1024];
  sums[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  return sums[0];
}

template <typename U>
__global__ void sum_blocks(int n, const U* x, U* part) {
  U sum = 0;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * blockDim.x)
    sum += x[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) part[blockIdx.x] = sum;
}

template <typename U>
__global__ void finish(int n, int blocks, const U* part, U* mean) {
  U sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < blocks; i += static_cast<int>(blockDim.x)) sum += part[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *mean = sum / static_cast<U>(n);
}

template <typename U>
__global__ void mark(int n, const U* x, const U* mean, unsigned char* above) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) above[i] = x[i] > *mean;
}

#else

void mark_above(long n, const T* x, T* mean, unsigned char* above) {
  T sum = 0;
  for (long begin = 0; begin < n; begin += 256) {  // block sums have smaller rounding errors
    T part = 0;
    for (long i = begin; i < n && i < begin + 256; ++i) part += x[i];
    sum += part;
  }
  *mean = sum / static_cast<T>(n);
  for (long i = 0; i < n; ++i) above[i] = x[i] > *mean;
}

#endif
