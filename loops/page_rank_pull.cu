// One round of PageRank: each page collects the shares of the pages that link to it (rows as in CSR).
// Every graph course has it; pages have very different numbers of links.
/* sextant
name = "page_rank_pull"
formula = "rank[p] = 0.15 + 0.85 sum of share[from[k]], k = first[p] .. first[p + 1) - 1"
types = ["float"]
sizes = { pages = "(N - 1) / 11", links = "8 * pages" }
arrays = [
  { name = "first", role = "in", length = "pages + 1", type = "int", fill = { offsets = "links" } },
  { name = "from", role = "in", length = "links", type = "int", fill = { low = 0, high = "pages" } },
  { name = "share", role = "in", length = "pages", fill = { low = 0, high = 1 } },
  { name = "rank", role = "out", length = "pages" },
]
work = { items = "pages" }
reference = "serial.baseline"
tolerance = { relative = "300 * eps", reason = "sums of positive shares, one rounding for each link of the page" }

[variant."serial.baseline"]
function = "pull"
arguments = ["int(pages)", "first", "from", "share", "rank"]

[variant."openmp.pages"]
function = "pull_threads"
arguments = ["int(pages)", "first", "from", "share", "rank"]

[variant."cuda.pages"]
function = "pull_kernel"
arguments = ["int(pages)", "first", "from", "share", "rank"]
block = [256]
grid = ["ceil_div(pages, 256)"]
*/
#ifdef SEXTANT_MODEL_CUDA
__global__ void pull_kernel(int pages, const int* first, const int* from, const T* share, T* rank) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pages) return;
  T sum = 0;
  for (int k = first[p]; k < first[p + 1]; k++) sum += share[from[k]];
  rank[p] = T(0.15) + T(0.85) * sum;
}
#else
void pull(int pages, const int* first, const int* from, const T* share, T* rank) {
  for (int p = 0; p < pages; p++) {
    T sum = 0;
    for (int k = first[p]; k < first[p + 1]; k++) sum += share[from[k]];
    rank[p] = T(0.15) + T(0.85) * sum;
  }
}

void pull_threads(int pages, const int* first, const int* from, const T* share, T* rank) {
  #pragma omp parallel for schedule(dynamic, 1024)
  for (int p = 0; p < pages; p++) {
    T sum = 0;
    for (int k = first[p]; k < first[p + 1]; k++) sum += share[from[k]];
    rank[p] = T(0.15) + T(0.85) * sum;
  }
}
#endif
