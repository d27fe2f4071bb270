/* sextant
name = "my_saxpy"
formula = "y[i] = a*x[i] + y[i]"
types = ["float", "double"]
sizes = { n = "N / 2" }
arrays = [ { name = "x", role = "in", length = "n" }, { name = "y", role = "inout", length = "n" } ]
scalars = { a = 2.5 }
work = { flops = "2*n", items = "n" }
reference = "serial.baseline"
tolerance = { absolute = "4 * eps", reason = "a product of at most 2.5 and a sum of at most 3.5: two roundings" }

[variant."serial.baseline"]
function = "saxpy_loop"
arguments = ["n", "a", "x", "y"]

[variant."openmp.threads"]
function = "saxpy_threads"
arguments = ["n", "a", "x", "y"]

[variant."cuda.items"]
function = "saxpy<T>"
arguments = ["n", "a", "x", "y"]
block = ["block_size"]
grid = ["ceil_div(n, block_size * items)"]
tune = { block_size = [256, 64, 128, 512, 1024], items = [1, 2, 4, 8] }
constraint = "block_size * items <= 4096"
*/
#if defined(SEXTANT_MODEL_CUDA)
template <typename U>
__global__ void saxpy(long long n, U a, const U* x, U* y) {
  for (int k = 0; k < items; ++k) {
    const long long i = (static_cast<long long>(blockIdx.x) * items + k) * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
  }
}
#else
void saxpy_loop(long long n, T a, const T* x, T* y) {
  for (long long i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

void saxpy_threads(long long n, T a, const T* x, T* y) {
  #pragma omp parallel for simd
  for (long long i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
#endif
