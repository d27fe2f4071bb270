// The summed-area table of a grey picture: running sums along each row, then down each column.
// Box filters and face finders start with it; there are only as many chains as rows or columns.
/* sextant
name = "summed_area"
formula = "table[y][x] = sum of grey[v][u] for v <= y, u <= x"
shape = ["w", "h"]
arrays = [
  { name = "grey", role = "in", length = "w * h", type = "uint8" },
  { name = "table", role = "out", length = "w * h", type = "uint32" },
]
work = { items = "w * h" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "sum_up"
arguments = ["int(w)", "int(h)", "grey", "table"]

[variant."openmp.rows_then_columns"]
function = "sum_up_threads"
arguments = ["int(w)", "int(h)", "grey", "table"]

[variant."cuda.rows_then_columns"]
steps = [
  { function = "sum_rows", arguments = ["int(w)", "int(h)", "grey", "table"], block = [64], grid = ["ceil_div(h, 64)"] },
  { function = "sum_columns", arguments = ["int(w)", "int(h)", "table"], block = [64], grid = ["ceil_div(w, 64)"] },
]
*/
#ifdef SEXTANT_MODEL_CUDA
__global__ void sum_rows(int w, int h, const unsigned char* grey, unsigned* table) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= h) return;
  unsigned sum = 0;
  for (int x = 0; x < w; x++) table[y * w + x] = sum += grey[y * w + x];
}

__global__ void sum_columns(int w, int h, unsigned* table) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  unsigned sum = 0;
  for (int y = 0; y < h; y++) table[y * w + x] = sum += table[y * w + x];
}
#else
void sum_up(int w, int h, const unsigned char* grey, unsigned* table) {
  for (int y = 0; y < h; y++) {
    unsigned sum = 0;
    for (int x = 0; x < w; x++) table[y * w + x] = sum += grey[y * w + x];
  }
  for (int y = 1; y < h; y++)
    for (int x = 0; x < w; x++) table[y * w + x] += table[(y - 1) * w + x];
}

void sum_up_threads(int w, int h, const unsigned char* grey, unsigned* table) {
  #pragma omp parallel for
  for (int y = 0; y < h; y++) {
    unsigned sum = 0;
    for (int x = 0; x < w; x++) table[y * w + x] = sum += grey[y * w + x];
  }
  #pragma omp parallel for
  for (int first = 0; first < w; first += 64) {
    int end = first + 64 < w ? first + 64 : w;
    for (int y = 1; y < h; y++)
      for (int x = first; x < end; x++) table[y * w + x] += table[(y - 1) * w + x];
  }
}
#endif
