// Grades a picture by a cube of colours: each pixel is looked up between the cube's eight nearest corners.
// Video tools read such cubes of 17 or 33 colours a side from .cube files; a plug-in author would write the loop.
/* sextant
name = "colour_cube"
formula = "graded[i] = cube at (red, green, blue) of frame[i], linear in three directions"
sizes = { side = "N > 40000 ? 17 : 2", n = "max(1, (N - 3 * side * side * side) / 6)" }
arrays = [
  { name = "frame", role = "in", length = "n", type = { struct = "Rgb8", member = "uint8", members = 3 } },
  { name = "cube", role = "in", length = "side * side * side", type = { struct = "Rgb", member = "float", members = 3 }, fill = { low = 0, high = 1 } },
  { name = "graded", role = "out", length = "n", type = { struct = "Rgb", member = "float", members = 3 } },
]
reference = { variant = "serial.baseline", precision = "float" }
tolerance = { absolute = "128 * eps", reason = "a place up to 16 in the cube has an error of 16 eps, which counts once in each of three directions" }

[variant."serial.baseline"]
function = "grade"
arguments = ["n", "int(side)", "frame", "cube", "graded"]

[variant."openmp.pixels"]
function = "grade_threads"
arguments = ["n", "int(side)", "frame", "cube", "graded"]

[variant."cuda.pixels"]
function = "grade_kernel"
arguments = ["int(n)", "int(side)", "frame", "cube", "graded"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #define ON_BOTH static inline
#endif

struct Rgb8 {
  unsigned char r, g, b;
};

struct Rgb {
  float r, g, b;
};

ON_BOTH Rgb mix(Rgb a, Rgb b, float t) {
  Rgb m;
  m.r = a.r + t * (b.r - a.r);
  m.g = a.g + t * (b.g - a.g);
  m.b = a.b + t * (b.b - a.b);
  return m;
}

ON_BOTH Rgb look_up(int side, const Rgb* cube, Rgb8 pixel) {
  float scale = float(side - 1) / 255.0f;
  float x = pixel.r * scale, y = pixel.g * scale, z = pixel.b * scale;
  int i = int(x), j = int(y), k = int(z);
  if (i > side - 2) i = side - 2;
  if (j > side - 2) j = side - 2;
  if (k > side - 2) k = side - 2;
  const Rgb* c = cube + (k * side + j) * side + i;
  float u = x - i, v = y - j, w = z - k;
  Rgb near = mix(mix(c[0], c[1], u), mix(c[side], c[side + 1], u), v);
  c += side * side;
  Rgb far = mix(mix(c[0], c[1], u), mix(c[side], c[side + 1], u), v);
  return mix(near, far, w);
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void grade_kernel(int n, int side, const Rgb8* frame, const Rgb* cube, Rgb* graded) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) graded[i] = look_up(side, cube, frame[i]);
}
#else
void grade(long n, int side, const Rgb8* frame, const Rgb* cube, Rgb* graded) {
  for (long i = 0; i < n; ++i) graded[i] = look_up(side, cube, frame[i]);
}

void grade_threads(long n, int side, const Rgb8* frame, const Rgb* cube, Rgb* graded) {
  #pragma omp parallel for
  for (long i = 0; i < n; ++i) graded[i] = look_up(side, cube, frame[i]);
}
#endif
