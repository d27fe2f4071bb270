/* sextant
name = "gram_schmidt_step"
formula = "w = v - sum of (q_j . v / q_j . q_j) q_j for 12 vectors q_j, then w / |w|"
types = ["double"]
sizes = { n = "(N - 12) / 14" }
arrays = [
  { name = "q", role = "in", length = "12 * n" },
  { name = "v", role = "in", length = "n" },
  { name = "h", role = "out", length = 12 },
  { name = "w", role = "out", length = "n" },
]
work = { flops = "4 * 12 * n + 2 * 12 * n + 3 * n" }
reference = "serial.baseline"
tolerance = { absolute = "n * eps + 1000 * eps", reason = "dot products of n terms, 12 of them subtracted; with few rows little of v is left, and its error is scaled up" }

[variant."serial.baseline"]
function = "orthogonalise"
arguments = ["n", "q", "v", "h", "w"]

[variant."openmp.loops"]
function = "orthogonalise_threads"
arguments = ["n", "q", "v", "h", "w"]

[variant."cuda.four_kernels"]
temporaries = [ { name = "norm", length = 1 } ]
steps = [
  { function = "project", arguments = ["n", "q", "v", "h"], block = [256], grid = [12] },
  { function = "subtract", arguments = ["n", "q", "v", "h", "w"], block = [256], grid = ["ceil_div(n, 256)"] },
  { function = "length_of", arguments = ["n", "w", "norm"], block = [256], grid = [1] },
  { function = "divide", arguments = ["n", "norm", "w"], block = [256], grid = ["ceil_div(n, 256)"] },
]
*/
// One step of an Arnoldi or QR loop: take the part along 12 earlier vectors out of a new one and scale the rest to length one.
#define K 12
#ifdef SEXTANT_MODEL_CUDA
// one block for each earlier vector
__global__ void project(long long n, const double* q, const double* v, double* h) {
  __shared__ double qv[256], qq[256];
  const double* mine = q + blockIdx.x * n;
  double a = 0, b = 0;
  for (long long i = threadIdx.x; i < n; i += 256) {
    a += mine[i] * v[i];
    b += mine[i] * mine[i];
  }
  qv[threadIdx.x] = a;
  qq[threadIdx.x] = b;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      qv[threadIdx.x] += qv[threadIdx.x + half];
      qq[threadIdx.x] += qq[threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) h[blockIdx.x] = qv[0] / qq[0];
}

__global__ void subtract(long long n, const double* q, const double* v, const double* h, double* w) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  double rest = v[i];
  for (int j = 0; j < K; j++) rest -= h[j] * q[j * n + i];
  w[i] = rest;
}

__global__ void length_of(long long n, const double* w, double* norm) {
  __shared__ double part[256];
  double s = 0;
  for (long long i = threadIdx.x; i < n; i += 256) s += w[i] * w[i];
  part[threadIdx.x] = s;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *norm = sqrt(part[0]);
}

__global__ void divide(long long n, const double* norm, double* w) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) w[i] /= *norm;
}
#else
  #include <cmath>
void orthogonalise(long long n, const double* q, const double* v, double* h, double* w) {
  for (long long i = 0; i < n; i++) w[i] = v[i];
  for (int j = 0; j < K; j++) {
    double qv = 0, qq = 0;
    for (long long i = 0; i < n; i++) {
      qv += q[j * n + i] * v[i];
      qq += q[j * n + i] * q[j * n + i];
    }
    h[j] = qv / qq;
    for (long long i = 0; i < n; i++) w[i] -= h[j] * q[j * n + i];
  }
  double sum = 0;
  for (long long i = 0; i < n; i++) sum += w[i] * w[i];
  const double norm = std::sqrt(sum);
  for (long long i = 0; i < n; i++) w[i] /= norm;
}

void orthogonalise_threads(long long n, const double* q, const double* v, double* h, double* w) {
  #pragma omp parallel for
  for (long long i = 0; i < n; i++) w[i] = v[i];
  for (int j = 0; j < K; j++) {
    double qv = 0, qq = 0;
  #pragma omp parallel for reduction(+ : qv, qq)
    for (long long i = 0; i < n; i++) {
      qv += q[j * n + i] * v[i];
      qq += q[j * n + i] * q[j * n + i];
    }
    h[j] = qv / qq;
  #pragma omp parallel for
    for (long long i = 0; i < n; i++) w[i] -= h[j] * q[j * n + i];
  }
  double sum = 0;
  #pragma omp parallel for reduction(+ : sum)
  for (long long i = 0; i < n; i++) sum += w[i] * w[i];
  const double norm = std::sqrt(sum);
  #pragma omp parallel for
  for (long long i = 0; i < n; i++) w[i] /= norm;
}
#endif
