/* sextant
name = "histogram"
formula = "bins[data[i]] += 1"
types = ["int"]
sizes = { n = "N - 256" }  # of N, the elements of all arrays
arrays = [
  { name = "data", role = "in", length = "n", fill = { low = 0, high = 256 } },
  { name = "bins", role = "inout", length = 256, fill = "zero" },
]
work = { items = "n" }
reference = "serial.baseline"
compiler = "nvcc"

[variant."cuda.histogram_global"]
function = "histogram_global"
arguments = ["data", "bins", "int(n)"]
block = ["block_size"]
grid = ["min(blocks, ceil_div(n, block_size))"]
tune = { block_size = [128, 64, 256, 512, 1024], blocks = [512, 128, 256, 1024, 2048, 4096] }

[variant."cuda.histogram_shared"]
function = "histogram_shared"
arguments = ["data", "bins", "int(n)"]
block = ["block_size"]
grid = ["min(blocks, ceil_div(n, block_size))"]
tune = { block_size = [128, 64, 256, 512, 1024], blocks = [512, 128, 256, 1024, 2048, 4096] }

[variant."serial.baseline"]
function = "histogram_cpu"
arguments = ["data", "bins", "int(n)"]
*/
// Counts how often each of 256 values occurs in an array. Public domain.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BINS 256
#define BLOCK 256

// Every thread adds to the bins in global memory.
__global__ void histogram_global(const int* data, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  for (; i < n; i += stride) atomicAdd(&bins[data[i]], 1);
}

// Every block counts in its own bins in shared memory and adds them to the result at the end.
__global__ void histogram_shared(const int* data, int* bins, int n) {
  __shared__ int local[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  for (; i < n; i += stride) atomicAdd(&local[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

void histogram_cpu(const int* data, int* bins, int n) {
  for (int i = 0; i < n; ++i) bins[data[i]]++;
}

int main() {
  const int n = 1 << 24;
  std::vector<int> data(n), expected(BINS, 0), got(BINS);
  for (int& value : data) value = rand() % BINS;
  histogram_cpu(data.data(), expected.data(), n);
  int *d_data, *d_bins;
  cudaMalloc(&d_data, n * sizeof(int));
  cudaMalloc(&d_bins, BINS * sizeof(int));
  cudaMemcpy(d_data, data.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, BINS * sizeof(int));
  histogram_shared<<<1024, BLOCK>>>(d_data, d_bins, n);
  cudaMemcpy(got.data(), d_bins, BINS * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%s\n", got == expected ? "right" : "WRONG");
  cudaFree(d_data);
  cudaFree(d_bins);
  return got == expected ? 0 : 1;
}
