/* sextant
name = "group_span"
formula = "span[g] = largest - smallest of group g, groups of uneven length"
sizes = { groups = "N / 34", n = "N - 2 * groups - 1" }
arrays = [
  { name = "value", role = "in", length = "n", type = "float", fill = { low = -40, high = 60 } },
  { name = "first", role = "in", length = "groups + 1", type = "int", fill = { offsets = "n" } },
  { name = "span", role = "out", length = "groups", type = "float" },
]
reference = { variant = "serial.baseline", precision = "float" }
tolerance = { relative = "eps", reason = "one difference of two inputs" }

[variant."serial.baseline"]
function = "spans"
arguments = ["int(groups)", "first", "value", "span"]

[variant."openmp.dynamic"]
function = "spans_dynamic"
arguments = ["int(groups)", "first", "value", "span"]

[variant."cuda.groups"]
function = "spans_kernel"
arguments = ["int(groups)", "first", "value", "span"]
block = [128]
grid = ["ceil_div(groups, 128)"]
*/
// How far each weather station's temperature ranges; stations reported as often as they liked, some never. Offsets as in CSR.
#ifdef SEXTANT_MODEL_CUDA
__global__ void spans_kernel(int groups, const int* first, const float* value, float* span) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups) return;
  int begin = first[g], end = first[g + 1];
  if (begin == end) {
    span[g] = 0.0f;
    return;
  }
  float low = value[begin], high = low;
  for (int i = begin + 1; i < end; i++) {
    low = fminf(low, value[i]);
    high = fmaxf(high, value[i]);
  }
  span[g] = high - low;
}
#else
void spans(int groups, const int* first, const float* value, float* span) {
  for (int g = 0; g < groups; g++) {
    int begin = first[g], end = first[g + 1];
    if (begin == end) {
      span[g] = 0.0f;
      continue;
    }
    float low = value[begin], high = low;
    for (int i = begin + 1; i < end; i++) {
      if (value[i] < low) low = value[i];
      if (value[i] > high) high = value[i];
    }
    span[g] = high - low;
  }
}

void spans_dynamic(int groups, const int* first, const float* value, float* span) {
  #pragma omp parallel for schedule(dynamic, 64)
  for (int g = 0; g < groups; g++) {
    int begin = first[g], end = first[g + 1];
    if (begin == end) {
      span[g] = 0.0f;
      continue;
    }
    float low = value[begin], high = low;
    for (int i = begin + 1; i < end; i++) {
      if (value[i] < low) low = value[i];
      if (value[i] > high) high = value[i];
    }
    span[g] = high - low;
  }
}
#endif
