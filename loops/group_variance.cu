// Mean and variance of each school's marks: a school's pupils lie together, schools are small and large.
// What "group by" does in a statistics package, in two passes over each group.
/* sextant
name = "group_variance"
formula = "mean[g] and variance[g] of value[first[g] .. first[g + 1])"
sizes = { groups = "max(1, N / 60)", n = "max(1, N - 3 * groups - 1)" }
arrays = [
  { name = "value", role = "in", length = "n", type = "double", fill = { low = 0, high = 100 } },
  { name = "first", role = "in", length = "groups + 1", type = "int", fill = { offsets = "n" } },
  { name = "mean", role = "out", length = "groups", type = "double" },
  { name = "variance", role = "out", length = "groups", type = "double" },
]
reference = "serial.baseline"
tolerance = { relative = "n * eps", absolute = "10000 * eps", reason = "sums of up to n positive terms; a mean near 100 is off by 100 eps, and a deviation from it is at most 100" }

[variant."serial.baseline"]
function = "spread"
arguments = ["int(groups)", "first", "value", "mean", "variance"]

[variant."openmp.groups"]
function = "spread_threads"
arguments = ["int(groups)", "first", "value", "mean", "variance"]

[variant."cuda.groups"]
function = "spread_kernel"
arguments = ["int(groups)", "first", "value", "mean", "variance"]
block = [128]
grid = ["ceil_div(groups, 128)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #define ON_BOTH static inline
#endif

ON_BOTH void spread_of(const double* value, int count, double* mean, double* variance) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += value[i];
  const double centre = count > 0 ? sum / count : 0.0;
  double squares = 0.0;
  for (int i = 0; i < count; ++i) squares += (value[i] - centre) * (value[i] - centre);
  *mean = centre;
  *variance = count > 1 ? squares / (count - 1) : 0.0;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void spread_kernel(int groups, const int* first, const double* value, double* mean,
                              double* variance) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g < groups) spread_of(value + first[g], first[g + 1] - first[g], &mean[g], &variance[g]);
}
#else
void spread(int groups, const int* first, const double* value, double* mean, double* variance) {
  for (int g = 0; g < groups; ++g)
    spread_of(value + first[g], first[g + 1] - first[g], &mean[g], &variance[g]);
}

void spread_threads(int groups, const int* first, const double* value, double* mean, double* variance) {
  #pragma omp parallel for schedule(dynamic, 16)
  for (int g = 0; g < groups; ++g)
    spread_of(value + first[g], first[g + 1] - first[g], &mean[g], &variance[g]);
}
#endif
