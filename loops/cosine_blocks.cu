// The cosine transform of blocks of 8 x 8 pixels, rows first and then columns, blocks one after the other.
// The heart of a home-made picture or video coder; the even and the odd half of each row are separate.
/* sextant
name = "cosine_blocks"
formula = "F[v][u] = sum of f[y][x] k_u k_v cos((2 x + 1) u pi / 16) cos((2 y + 1) v pi / 16)"
types = ["float"]
sizes = { n = "N / 128" }
arrays = [
  { name = "f", role = "in", length = "64 * n" },
  { name = "spectrum", role = "out", length = "64 * n" },
]
work = { items = "n" }
reference = "serial.baseline"
tolerance = { absolute = "60 * eps", reason = "at most 8 in size, from two rounds of eight terms" }

[variant."serial.baseline"]
function = "transform"
arguments = ["int(n)", "f", "spectrum"]

[variant."openmp.blocks"]
function = "transform"
arguments = ["int(n)", "f", "spectrum"]

[variant."cuda.blocks"]
function = "transform_kernel"
arguments = ["int(n)", "f", "spectrum"]
block = [64]
grid = ["ceil_div(n, 64)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

// eight numbers at a distance of step; c_k = cos(k pi / 16) / 2
FN void eight(const T* a, T* out, int step) {
  const T c1 = T(0.49039264020161522), c2 = T(0.46193976625564337), c3 = T(0.41573480615127262);
  const T c4 = T(0.35355339059327376), c5 = T(0.27778511650980109), c6 = T(0.19134171618254489);
  const T c7 = T(0.09754516100806413);
  T s[4], d[4];
  for (int k = 0; k < 4; k++) {
    s[k] = a[k * step] + a[(7 - k) * step];
    d[k] = a[k * step] - a[(7 - k) * step];
  }
  out[0] = c4 * (s[0] + s[1] + s[2] + s[3]);
  out[2 * step] = c2 * (s[0] - s[3]) + c6 * (s[1] - s[2]);
  out[4 * step] = c4 * (s[0] - s[1] - s[2] + s[3]);
  out[6 * step] = c6 * (s[0] - s[3]) - c2 * (s[1] - s[2]);
  out[step] = c1 * d[0] + c3 * d[1] + c5 * d[2] + c7 * d[3];
  out[3 * step] = c3 * d[0] - c7 * d[1] - c1 * d[2] - c5 * d[3];
  out[5 * step] = c5 * d[0] - c1 * d[1] + c7 * d[2] + c3 * d[3];
  out[7 * step] = c7 * d[0] - c5 * d[1] + c3 * d[2] - c1 * d[3];
}

FN void block_of(const T* f, T* spectrum) {
  T rows[64];
  for (int y = 0; y < 8; y++) eight(f + 8 * y, rows + 8 * y, 1);
  for (int x = 0; x < 8; x++) eight(rows + x, spectrum + x, 8);
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void transform_kernel(int n, const T* f, T* spectrum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) block_of(f + 64 * i, spectrum + 64 * i);
}
#else
void transform(int n, const T* f, T* spectrum) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++) block_of(f + 64 * i, spectrum + 64 * i);
}
#endif
