// How many steps each number takes to reach one: halve it if even, else three times it plus one.
// A puzzle from programming contests, and a favourite for showing that items cost different time.
/* sextant
name = "collatz_length"
formula = "steps[i] = Collatz steps from start[i] to 1"
sizes = { n = "max(1, N / 2)" }
arrays = [
  { name = "start", role = "in", length = "n", type = "uint32", fill = { low = 1, high = 1000000 } },
  { name = "steps", role = "out", length = "n", type = "uint16" },
]
reference = "serial.baseline"

[variant."serial.baseline"]
function = "lengths"
arguments = ["n", "start", "steps"]

[variant."openmp.dynamic"]
function = "lengths_threads"
arguments = ["n", "start", "steps"]

[variant."cuda.numbers"]
function = "lengths_kernel"
arguments = ["int(n)", "start", "steps"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
__device__
#else
static inline
#endif
    unsigned short
    length_from(unsigned start) {
  unsigned long long value = start;
  int count = 0;
  while (value > 1) {
    if (value % 2 == 0)
      value /= 2;
    else
      value = 3 * value + 1;
    ++count;
  }
  return (unsigned short)count;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void lengths_kernel(int n, const unsigned* start, unsigned short* steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) steps[i] = length_from(start[i]);
}
#else
void lengths(long n, const unsigned* start, unsigned short* steps) {
  for (long i = 0; i < n; ++i) steps[i] = length_from(start[i]);
}

void lengths_threads(long n, const unsigned* start, unsigned short* steps) {
  #pragma omp parallel for schedule(dynamic, 1000)
  for (long i = 0; i < n; ++i) steps[i] = length_from(start[i]);
}
#endif
