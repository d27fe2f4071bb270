/* sextant
name = "row_argmax"
formula = "label[r] = position of the largest of 100 scores; right = how many labels are true"
sizes = { rows = "(N - 1) / 102" }
arrays = [
  { name = "score", role = "in", length = "100 * rows", type = "float" },
  { name = "truth", role = "in", length = "rows", type = "uint8", fill = { low = 0, high = 100 } },
  { name = "label", role = "out", length = "rows", type = "int" },
  { name = "right", role = "out", length = 1, type = "int" },
]
reference = { variant = "serial.baseline", precision = "float" }

[variant."serial.baseline"]
function = "classify"
arguments = ["int(rows)", "score", "truth", "label", "right"]

[variant."openmp.rows"]
function = "classify_threads"
arguments = ["int(rows)", "score", "truth", "label", "right"]

[variant."cuda.rows"]
steps = [
  { function = "clear", arguments = ["right"], block = [1], grid = [1] },
  { function = "classify_rows", arguments = ["int(rows)", "score", "truth", "label", "right"], block = [128], grid = ["ceil_div(rows, 128)"] },
]
*/
// The accuracy of a classifier with 100 classes: the best score of each row, and how often it is the right class.
#ifdef SEXTANT_MODEL_CUDA
__global__ void clear(int* right) { *right = 0; }

__global__ void classify_rows(int rows, const float* score, const unsigned char* truth, int* label,
                              int* right) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* s = score + (size_t)r * 100;
  int best = 0;
  for (int k = 1; k < 100; k++)
    if (s[k] > s[best]) best = k;
  label[r] = best;
  if (best == truth[r]) atomicAdd(right, 1);
}
#else
  #include <cstddef>
void classify(int rows, const float* score, const unsigned char* truth, int* label, int* right) {
  int count = 0;
  for (int r = 0; r < rows; r++) {
    const float* s = score + (size_t)r * 100;
    int best = 0;
    for (int k = 1; k < 100; k++)
      if (s[k] > s[best]) best = k;
    label[r] = best;
    if (best == truth[r]) count++;
  }
  *right = count;
}

void classify_threads(int rows, const float* score, const unsigned char* truth, int* label, int* right) {
  int count = 0;
  #pragma omp parallel for reduction(+ : count)
  for (int r = 0; r < rows; r++) {
    const float* s = score + (size_t)r * 100;
    int best = 0;
    for (int k = 1; k < 100; k++)
      if (s[k] > s[best]) best = k;
    label[r] = best;
    if (best == truth[r]) count++;
  }
  *right = count;
}
#endif
