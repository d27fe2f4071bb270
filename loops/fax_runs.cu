// For each line of a packed black-and-white scan: how many runs of equal pixels it has and how long the longest white one is.
// Someone who estimates how well a fax code will compress pages would write it.
/* sextant
name = "fax_runs"
formula = "runs[y], longest[y] of line y's 1728 pixels, eight in a byte"
sizes = { row_bytes = "min(216, max(1, N / 3))", lines = "max(1, N / (row_bytes + 2))" }
arrays = [
  { name = "scan", role = "in", length = "row_bytes * lines", type = "uint8", fill = { low = 0, high = 16 } },
  { name = "runs", role = "out", length = "lines", type = "int16" },
  { name = "longest", role = "out", length = "lines", type = "int16" },
]
reference = "serial.baseline"

[variant."serial.baseline"]
function = "scan_lines"
arguments = ["lines", "int(row_bytes)", "scan", "runs", "longest"]

[variant."openmp.lines"]
function = "scan_lines_threads"
arguments = ["lines", "int(row_bytes)", "scan", "runs", "longest"]

[variant."cuda.lines"]
function = "scan_lines_kernel"
arguments = ["int(lines)", "int(row_bytes)", "scan", "runs", "longest"]
block = [128]
grid = ["ceil_div(lines, 128)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #define ON_BOTH static inline
#endif

ON_BOTH void scan_line(int row_bytes, const unsigned char* line, short* runs, short* longest) {
  int count = 1, best = 0, white = 0;
  int before = line[0] >> 7;
  for (int x = 0; x < 8 * row_bytes; ++x) {
    int pixel = line[x / 8] >> (7 - x % 8) & 1;
    if (pixel != before) {
      ++count;
      before = pixel;
    }
    if (pixel) {
      white = 0;
    } else {
      ++white;
      if (white > best) best = white;
    }
  }
  *runs = count;
  *longest = best;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void scan_lines_kernel(int lines, int row_bytes, const unsigned char* scan, short* runs,
                                  short* longest) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < lines) scan_line(row_bytes, scan + (long long)y * row_bytes, &runs[y], &longest[y]);
}
#else
void scan_lines(long lines, int row_bytes, const unsigned char* scan, short* runs, short* longest) {
  for (long y = 0; y < lines; ++y) scan_line(row_bytes, scan + y * row_bytes, &runs[y], &longest[y]);
}

void scan_lines_threads(long lines, int row_bytes, const unsigned char* scan, short* runs, short* longest) {
  #pragma omp parallel for
  for (long y = 0; y < lines; ++y) scan_line(row_bytes, scan + y * row_bytes, &runs[y], &longest[y]);
}
#endif
