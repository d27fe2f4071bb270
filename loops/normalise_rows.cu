/* sextant
name = "normalise_rows"
formula = "v[r] = v[r] / |v[r]|, rows of 64"
types = ["float"]
sizes = { rows = "N / 64" }
arrays = [ { name = "v", role = "inout", length = "64 * rows" } ]
reference = "serial.baseline"
tolerance = { relative = "40 * eps", reason = "64 positive squares are summed, the root halves that error, then two more roundings" }

[variant."serial.baseline"]
function = "normalise"
arguments = ["int(rows)", "v"]

[variant."openmp.rows"]
function = "normalise"
arguments = ["int(rows)", "v"]

[variant."cuda.rows"]
function = "normalise_kernel"
arguments = ["int(rows)", "v"]
block = [256]
grid = ["ceil_div(rows, 256)"]
*/
// Scales word vectors of 64 numbers to length one before a similarity search. Done in place.
#ifdef SEXTANT_MODEL_CUDA
__global__ void normalise_kernel(int rows, float* v) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float* row = v + (size_t)r * 64;
  float sum = 0.0f;
  for (int k = 0; k < 64; k++) sum += row[k] * row[k];
  if (sum == 0.0f) return;
  float scale = 1.0f / sqrtf(sum);
  for (int k = 0; k < 64; k++) row[k] *= scale;
}
#else
  #include <cmath>
  #include <cstddef>
void normalise(int rows, T* v) {
  #pragma omp parallel for
  for (int r = 0; r < rows; r++) {
    T* row = v + (size_t)r * 64;
    T sum = 0;
    for (int k = 0; k < 64; k++) sum += row[k] * row[k];
    if (sum == 0) continue;
    T scale = 1 / std::sqrt(sum);
    for (int k = 0; k < 64; k++) row[k] *= scale;
  }
}
#endif
