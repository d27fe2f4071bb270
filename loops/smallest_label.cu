// One sweep of connected components: each vertex takes the smallest label among itself and its neighbours (rows as in CSR).
// Someone who labels clusters or picture regions would repeat it until nothing changes.
/* sextant
name = "smallest_label"
formula = "next[v] = min of label[v] and label[u] of v's neighbours u; changed[v] says whether it differs"
sizes = { vertices = "max(1, N / 14)", edges = "max(1, N - 4 * vertices - 1)" }
arrays = [
  { name = "row", role = "in", length = "vertices + 1", type = "int", fill = { offsets = "edges" } },
  { name = "column", role = "in", length = "edges", type = "int", fill = { low = 0, high = "vertices" } },
  { name = "label", role = "in", length = "vertices", type = "int", fill = "permutation" },
  { name = "next", role = "out", length = "vertices", type = "int" },
  { name = "changed", role = "out", length = "vertices", type = "uint8" },
]
reference = "serial.baseline"

[variant."serial.baseline"]
function = "sweep"
arguments = ["int(vertices)", "row", "column", "label", "next", "changed"]

[variant."openmp.vertices"]
function = "sweep_threads"
arguments = ["int(vertices)", "row", "column", "label", "next", "changed"]

[variant."cuda.vertices"]
function = "sweep_kernel"
arguments = ["int(vertices)", "row", "column", "label", "next", "changed"]
block = [128]
grid = ["ceil_div(vertices, 128)"]
*/
#ifdef SEXTANT_MODEL_CUDA
__global__ void sweep_kernel(int vertices, const int* row, const int* column, const int* label, int* next,
                             unsigned char* changed) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  int best = label[v];
  for (int k = row[v]; k < row[v + 1]; k++) best = min(best, label[column[k]]);
  next[v] = best;
  changed[v] = best != label[v];
}
#else
void sweep(int vertices, const int* row, const int* column, const int* label, int* next,
           unsigned char* changed) {
  for (int v = 0; v < vertices; v++) {
    int best = label[v];
    for (int k = row[v]; k < row[v + 1]; k++)
      if (label[column[k]] < best) best = label[column[k]];
    next[v] = best;
    changed[v] = best != label[v];
  }
}

void sweep_threads(int vertices, const int* row, const int* column, const int* label, int* next,
                   unsigned char* changed) {
  #pragma omp parallel for schedule(guided)
  for (int v = 0; v < vertices; v++) {
    int best = label[v];
    for (int k = row[v]; k < row[v + 1]; k++)
      if (label[column[k]] < best) best = label[column[k]];
    next[v] = best;
    changed[v] = best != label[v];
  }
}
#endif
