/* sextant
name = "gaussian_blur5"
formula = "5 x 5 binomial blur of a grey image, along rows and then along columns"
shape = ["w", "h"]
arrays = [
  { name = "src", role = "in", length = "w * h", type = "uint8" },
  { name = "dst", role = "out", length = "w * h", type = "uint8" },
]
reference = "serial.baseline"

[variant."serial.baseline"]
temporaries = [ { name = "tmp", length = "w * h", type = "uint16" } ]
steps = [ { function = "blur_rows", arguments = ["int(w)", "int(h)", "src", "tmp"] },
          { function = "blur_columns", arguments = ["int(w)", "int(h)", "tmp", "dst"] } ]

[variant."openmp.rows"]
temporaries = [ { name = "tmp", length = "w * h", type = "uint16" } ]
steps = [ { function = "blur_rows", arguments = ["int(w)", "int(h)", "src", "tmp"] },
          { function = "blur_columns", arguments = ["int(w)", "int(h)", "tmp", "dst"] } ]

[variant."cuda.pixels"]
temporaries = [ { name = "tmp", length = "w * h", type = "uint16" } ]
steps = [ { function = "blur_rows_kernel", arguments = ["int(w)", "int(h)", "src", "tmp"], block = [32, 8], grid = ["ceil_div(w, 32)", "ceil_div(h, 8)"] },
          { function = "blur_columns_kernel", arguments = ["int(w)", "int(h)", "tmp", "dst"], block = [32, 8], grid = ["ceil_div(w, 32)", "ceil_div(h, 8)"] } ]
*/
// The usual small blur before edge detection: weights 1 4 6 4 1 in both directions, whole numbers only, edges repeated.
#ifdef SEXTANT_MODEL_CUDA
  #define BOTH __device__
#else
  #define BOTH
#endif
BOTH inline int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

BOTH inline unsigned short row_sum(int w, const unsigned char* line, int x) {
  return line[clamped(x - 2, w)] + 4 * line[clamped(x - 1, w)] + 6 * line[x] + 4 * line[clamped(x + 1, w)] +
         line[clamped(x + 2, w)];
}

BOTH inline unsigned char column_mean(int w, int h, const unsigned short* tmp, int x, int y) {
  int s = tmp[(long long)clamped(y - 2, h) * w + x] + 4 * tmp[(long long)clamped(y - 1, h) * w + x] +
          6 * tmp[(long long)y * w + x] + 4 * tmp[(long long)clamped(y + 1, h) * w + x] +
          tmp[(long long)clamped(y + 2, h) * w + x];
  return (s + 128) >> 8;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void blur_rows_kernel(int w, int h, const unsigned char* src, unsigned short* tmp) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) tmp[(long long)y * w + x] = row_sum(w, src + (long long)y * w, x);
}

__global__ void blur_columns_kernel(int w, int h, const unsigned short* tmp, unsigned char* dst) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) dst[(long long)y * w + x] = column_mean(w, h, tmp, x, y);
}
#else
void blur_rows(int w, int h, const unsigned char* src, unsigned short* tmp) {
  #pragma omp parallel for
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) tmp[(long long)y * w + x] = row_sum(w, src + (long long)y * w, x);
}

void blur_columns(int w, int h, const unsigned short* tmp, unsigned char* dst) {
  #pragma omp parallel for
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) dst[(long long)y * w + x] = column_mean(w, h, tmp, x, y);
}
#endif
