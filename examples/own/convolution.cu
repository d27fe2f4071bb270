/* sextant
name = "convolution"
formula = "out = filter (9 x 9) over in, both planes of w x h"
types = ["float"]
shape = ["w", "h"]
arrays = [
  { name = "in", role = "in", length = "(w + 8) * (h + 8)" },
  { name = "filter", role = "in", length = 81, fill = { low = 0, high = 0.0125 } },
  { name = "out", role = "out", length = "w * h" },
]
work = { flops = "2 * 81 * w * h" }
reference = "serial.baseline"
tolerance = { absolute = "81 * eps", reason = "81 products, whose magnitudes add up to at most about 1, each rounded, then summed" }

[variant."serial.baseline"]
function = "convolve"
arguments = ["w", "h", "in", "filter", "out"]

[variant."openmp.rows"]
function = "convolve_rows"
arguments = ["w", "h", "in", "filter", "out"]

[variant."cuda.tiles"]
function = "convolve_tiles"
arguments = ["int(w)", "int(h)", "in", "out"]
constants = { d_filter = "filter" }
block = ["block_x", "block_y"]
grid = ["ceil_div(w, block_x * tile_x)", "ceil_div(h, block_y * tile_y)"]
tune = { block_x = [32, 16, 64, 128], block_y = [8, 1, 2, 4, 16], tile_x = [1, 2, 4], tile_y = [1, 2, 4], use_shared = [1, 0], padding = [0, 1], unroll_x = [0, 1], read_only = [0, 1] }
constraint = [
  { condition = "32 <= block_x * block_y and block_x * block_y <= 1024", reason = "a block has 32 to 1024 threads" },
  { condition = "padding == 0 or use_shared == 1", reason = "padding is of shared memory" },
  { condition = "use_shared == 0 or (block_x * tile_x + 8 + padding) * (block_y * tile_y + 8) <= 12288", reason = "a block has 48 KiB of shared memory" },
]
*/
#if defined(SEXTANT_MODEL_CUDA)
__constant__ float d_filter[81];

__device__ inline float load(const float* from) {
  #if read_only
  return __ldg(from);
  #else
  return *from;
  #endif
}

__global__ void convolve_tiles(int w, int h, const float* in, float* out) {
  constexpr int across = block_x * tile_x, down = block_y * tile_y, unrolled = unroll_x ? 9 : 1;
  const int left = blockIdx.x * across, top = blockIdx.y * down;
  #if use_shared
  __shared__ float tile[down + 8][across + 8 + padding];
  for (int y = threadIdx.y; y < down + 8; y += block_y)
    for (int x = threadIdx.x; x < across + 8; x += block_x)
      if (left + x < w + 8 && top + y < h + 8) tile[y][x] = load(&in[(top + y) * (w + 8) + left + x]);
  __syncthreads();
  #endif
  for (int ty = 0; ty < tile_y; ++ty)
    for (int tx = 0; tx < tile_x; ++tx) {
      const int x = threadIdx.x + tx * block_x, y = threadIdx.y + ty * block_y;
      if (left + x >= w || top + y >= h) continue;
      float sum = 0;
      for (int j = 0; j < 9; ++j)
  #pragma unroll(unrolled)
        for (int i = 0; i < 9; ++i) {
  #if use_shared
          sum += tile[y + j][x + i] * d_filter[j * 9 + i];
  #else
          sum += load(&in[(top + y + j) * (w + 8) + left + x + i]) * d_filter[j * 9 + i];
  #endif
        }
      out[(top + y) * w + left + x] = sum;
    }
}
#else
inline T point(long long w, const T* in, const T* filter, long long x, long long y) {
  T sum = 0;
  for (long long j = 0; j < 9; ++j)
    for (long long i = 0; i < 9; ++i) sum += in[(y + j) * (w + 8) + x + i] * filter[j * 9 + i];
  return sum;
}

void convolve(long long w, long long h, const T* in, const T* filter, T* out) {
  for (long long y = 0; y < h; ++y)
    for (long long x = 0; x < w; ++x) out[y * w + x] = point(w, in, filter, x, y);
}

void convolve_rows(long long w, long long h, const T* in, const T* filter, T* out) {
  #pragma omp parallel for
  for (long long y = 0; y < h; ++y)
    for (long long x = 0; x < w; ++x) out[y * w + x] = point(w, in, filter, x, y);
}
#endif
