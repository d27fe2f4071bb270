// How many incomes fall into each of nine classes with uneven limits; most fall into the first few.
// A statistics office's table, or a question in a forum about atomics on few counters.
/* sextant
name = "income_classes"
formula = "count[k] = number of incomes from limit k - 1 up to limit k"
sizes = { people = "max(1, N - 9)" }
arrays = [
  { name = "draw", role = "in", length = "people", type = "float", fill = { low = 0, high = 1 } },
  { name = "count", role = "out", length = "9", type = "uint32" },
]
reference = { variant = "serial.baseline", precision = "float" }

[variant."serial.baseline"]
function = "classes"
arguments = ["people", "draw", "count"]

[variant."openmp.reduction"]
function = "classes_threads"
arguments = ["people", "draw", "count"]

[variant."cuda.atomic"]
steps = [
  { function = "no_people", arguments = ["count"], block = [9], grid = [1] },
  { function = "classes_kernel", arguments = ["int(people)", "draw", "count"], block = [256], grid = ["ceil_div(people, 256)"] },
]
*/
#ifdef SEXTANT_MODEL_CUDA
__device__
#else
static inline
#endif
    int
    class_of(float draw) {
  // an even draw becomes an uneven income; only products, which are alike on every machine
  const float income = 250000.0f * draw * draw * draw * draw;
  int k = 0;
  for (float limit = 1000.0f; k < 8 && income >= limit; limit *= 2.0f) ++k;
  return k;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void no_people(unsigned* count) { count[threadIdx.x] = 0; }

__global__ void classes_kernel(int people, const float* draw, unsigned* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < people) atomicAdd(&count[class_of(draw[i])], 1u);
}
#else
void classes(long people, const float* draw, unsigned* count) {
  for (int k = 0; k < 9; ++k) count[k] = 0;
  for (long i = 0; i < people; ++i) ++count[class_of(draw[i])];
}

void classes_threads(long people, const float* draw, unsigned* count) {
  for (int k = 0; k < 9; ++k) count[k] = 0;
  #pragma omp parallel for reduction(+ : count[:9])
  for (long i = 0; i < people; ++i) ++count[class_of(draw[i])];
}
#endif
