// Solves a tridiagonal system along each line of 512 points by Thomas's method: eliminate downwards, insert upwards.
// The implicit half step of a heat or option code; a line is one long chain of divisions.
/* sextant
name = "thomas_lines"
formula = "lower[i] x[i - 1] + middle[i] x[i] + upper[i] x[i + 1] = right[i], lines of 512"
types = ["double"]
sizes = { lines = "N / 3072", n = "512 * lines" }
arrays = [
  { name = "lower", role = "in", length = "n" },
  { name = "middle", role = "in", length = "n", fill = { low = 4, high = 6 } },
  { name = "upper", role = "in", length = "n" },
  { name = "right", role = "in", length = "n" },
  { name = "ratio", role = "out", length = "n" },
  { name = "x", role = "out", length = "n" },
]
work = { items = "n" }
reference = "serial.baseline"
tolerance = { absolute = "40 * eps", reason = "the middle outweighs its neighbours, so an error of a few roundings fades from point to point" }

[variant."serial.baseline"]
function = "solve"
arguments = ["int(lines)", "lower", "middle", "upper", "right", "ratio", "x"]

[variant."openmp.lines"]
function = "solve_threads"
arguments = ["int(lines)", "lower", "middle", "upper", "right", "ratio", "x"]

[variant."cuda.lines"]
function = "solve_kernel"
arguments = ["int(lines)", "lower", "middle", "upper", "right", "ratio", "x"]
block = [64]
grid = ["ceil_div(lines, 64)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN void solve_line(long s, const T* lower, const T* middle, const T* upper, const T* right, T* ratio, T* x) {
  ratio[s] = upper[s] / middle[s];
  x[s] = right[s] / middle[s];
  for (long i = s + 1; i < s + 512; i++) {
    T pivot = middle[i] - lower[i] * ratio[i - 1];
    ratio[i] = upper[i] / pivot;
    x[i] = (right[i] - lower[i] * x[i - 1]) / pivot;
  }
  for (long i = s + 510; i >= s; i--) x[i] -= ratio[i] * x[i + 1];
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void solve_kernel(int lines, const T* lower, const T* middle, const T* upper, const T* right,
                             T* ratio, T* x) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line < lines) solve_line(512L * line, lower, middle, upper, right, ratio, x);
}
#else
void solve(int lines, const T* lower, const T* middle, const T* upper, const T* right, T* ratio, T* x) {
  for (int line = 0; line < lines; line++) solve_line(512L * line, lower, middle, upper, right, ratio, x);
}

void solve_threads(int lines, const T* lower, const T* middle, const T* upper, const T* right, T* ratio,
                   T* x) {
  #pragma omp parallel for
  for (int line = 0; line < lines; line++) solve_line(512L * line, lower, middle, upper, right, ratio, x);
}
#endif
