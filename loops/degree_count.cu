// How many edges touch each vertex, from a plain list of edges (both ends count).
// The first pass of nearly every graph program, before the rows of a CSR matrix are laid out.
/* sextant
name = "degree_count"
formula = "degree[v] = number of edge ends at v"
sizes = { vertices = "max(1, N / 17)", edges = "max(1, (N - vertices) / 2)" }
arrays = [
  { name = "from", role = "in", length = "edges", type = "uint32", fill = { low = 0, high = "vertices" } },
  { name = "to", role = "in", length = "edges", type = "uint32", fill = { low = 0, high = "vertices" } },
  { name = "degree", role = "out", length = "vertices", type = "uint32" },
]
work = { items = "edges" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "degrees"
arguments = ["vertices", "edges", "from", "to", "degree"]

[variant."openmp.atomic"]
function = "degrees_threads"
arguments = ["vertices", "edges", "from", "to", "degree"]

[variant."cuda.atomic"]
steps = [
  { function = "clear_degrees", arguments = ["int(vertices)", "degree"], block = [256], grid = ["ceil_div(vertices, 256)"] },
  { function = "count_ends", arguments = ["int(edges)", "from", "to", "degree"], block = [256], grid = ["ceil_div(edges, 256)"] },
]
*/
#if defined(SEXTANT_MODEL_CUDA)
__global__ void clear_degrees(int vertices, unsigned* degree) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < vertices) degree[v] = 0;
}

__global__ void count_ends(int edges, const unsigned* from, const unsigned* to, unsigned* degree) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  atomicAdd(&degree[from[e]], 1u);
  atomicAdd(&degree[to[e]], 1u);
}
#else
void degrees(long vertices, long edges, const unsigned* from, const unsigned* to, unsigned* degree) {
  for (long v = 0; v < vertices; ++v) degree[v] = 0;
  for (long e = 0; e < edges; ++e) {
    ++degree[from[e]];
    ++degree[to[e]];
  }
}

void degrees_threads(long vertices, long edges, const unsigned* from, const unsigned* to, unsigned* degree) {
  #pragma omp parallel
  {
  #pragma omp for
    for (long v = 0; v < vertices; ++v) degree[v] = 0;
  #pragma omp for
    for (long e = 0; e < edges; ++e) {
  #pragma omp atomic
      ++degree[from[e]];
  #pragma omp atomic
      ++degree[to[e]];
    }
  }
}
#endif
