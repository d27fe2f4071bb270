// One round of Bellman and Ford: every road may shorten the way to the place it leads to. Old distances are read, new ones written.
// A homework loop on shortest paths; the atomic minimum is the question people ask in forums.
/* sextant
name = "relax_edges"
formula = "shorter[v] = min(distance[v], distance[u] + length of each edge u -> v)"
sizes = { vertices = "max(1, N / 20)", edges = "max(1, (N - 2 * vertices) / 3)" }
arrays = [
  { name = "tail", role = "in", length = "edges", type = "int", fill = { low = 0, high = "vertices" } },
  { name = "head", role = "in", length = "edges", type = "int", fill = { low = 0, high = "vertices" } },
  { name = "metres", role = "in", length = "edges", type = "int", fill = { low = 1, high = 1000 } },
  { name = "distance", role = "in", length = "vertices", type = "int", fill = { low = 0, high = 100000 } },
  { name = "shorter", role = "out", length = "vertices", type = "int" },
]
reference = "serial.baseline"

[variant."serial.baseline"]
function = "relax"
arguments = ["int(vertices)", "int(edges)", "tail", "head", "metres", "distance", "shorter"]

[variant."openmp.critical_when_shorter"]
function = "relax_threads"
arguments = ["int(vertices)", "int(edges)", "tail", "head", "metres", "distance", "shorter"]

[variant."cuda.atomic_min"]
steps = [
  { function = "copy_distances", arguments = ["int(vertices)", "distance", "shorter"], block = [256], grid = ["ceil_div(vertices, 256)"] },
  { function = "relax_kernel", arguments = ["int(edges)", "tail", "head", "metres", "distance", "shorter"], block = [256], grid = ["ceil_div(edges, 256)"] },
]
*/
#ifdef SEXTANT_MODEL_CUDA
__global__ void copy_distances(int vertices, const int* distance, int* shorter) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < vertices) shorter[v] = distance[v];
}

__global__ void relax_kernel(int edges, const int* tail, const int* head, const int* metres,
                             const int* distance, int* shorter) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  int way = distance[tail[e]] + metres[e];
  if (way < distance[head[e]]) atomicMin(&shorter[head[e]], way);
}
#else
void relax(int vertices, int edges, const int* tail, const int* head, const int* metres, const int* distance,
           int* shorter) {
  for (int v = 0; v < vertices; v++) shorter[v] = distance[v];
  for (int e = 0; e < edges; e++) {
    int way = distance[tail[e]] + metres[e];
    if (way < shorter[head[e]]) shorter[head[e]] = way;
  }
}

void relax_threads(int vertices, int edges, const int* tail, const int* head, const int* metres,
                   const int* distance, int* shorter) {
  #pragma omp parallel for
  for (int v = 0; v < vertices; v++) shorter[v] = distance[v];
  #pragma omp parallel for
  for (int e = 0; e < edges; e++) {
    int way = distance[tail[e]] + metres[e];
    if (way < distance[head[e]]) {  // only then is the lock worth taking
  #pragma omp critical
      if (way < shorter[head[e]]) shorter[head[e]] = way;
    }
  }
}
#endif
