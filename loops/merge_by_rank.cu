// Merges two sorted lists: an element's place is its own number plus its rank in the other list.
// The merge of a parallel merge sort in a first course, one binary search for each element.
/* sextant
name = "merge_by_rank"
formula = "out = a and b in ascending order; of equal elements those of a come first"
sizes = { n = "N / 4" }
arrays = [
  { name = "a", role = "in", length = "n", type = "int", fill = { low = 0, high = 100000000, sorted = true } },
  { name = "b", role = "in", length = "n", type = "int", fill = { low = 0, high = 100000000, sorted = true } },
  { name = "out", role = "out", length = "2 * n", type = "int" },
]
work = { items = "2 * n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "merge"
arguments = ["int(n)", "a", "b", "out"]

[variant."openmp.elements"]
function = "merge_threads"
arguments = ["int(n)", "a", "b", "out"]

[variant."cuda.elements"]
function = "merge_kernel"
arguments = ["int(n)", "a", "b", "out"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

// how many elements of list are below value
FN int rank_of(int value, int n, const int* list) {
  int low = 0, high = n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (list[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

FN void place(int i, int n, const int* a, const int* b, int* out) {
  out[i + rank_of(a[i], n, b)] = a[i];
  out[i + rank_of(b[i] + 1, n, a)] = b[i];
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void merge_kernel(int n, const int* a, const int* b, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) place(i, n, a, b, out);
}
#else
void merge(int n, const int* a, const int* b, int* out) {
  for (int i = 0; i < n; i++) place(i, n, a, b, out);
}

void merge_threads(int n, const int* a, const int* b, int* out) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++) place(i, n, a, b, out);
}
#endif
