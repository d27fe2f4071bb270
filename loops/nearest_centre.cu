// Which of 24 centres is nearest to each point in space? The assigning half of the k-means method.
// The first clustering program of most people who learn about data.
/* sextant
name = "nearest_centre"
formula = "label[i] = k with the smallest distance of point i to centre k, the first of equal ones"
sizes = { n = "(N - 72) / 4" }
arrays = [
  { name = "point", role = "in", length = "n", type = { struct = "Point", member = "float", members = 3 } },
  { name = "centre", role = "in", length = 24, type = { struct = "Point", member = "float", members = 3 } },
  { name = "label", role = "out", length = "n", type = "uint8" },
]
work = { items = "n" }
reference = { variant = "serial.baseline", precision = "float" }
tolerance = { outliers = 0.0005, reason = "points half-way between two centres" }

[variant."serial.baseline"]
function = "assign"
arguments = ["n", "point", "centre", "label"]

[variant."openmp.points"]
function = "assign_threads"
arguments = ["n", "point", "centre", "label"]

[variant."cuda.points"]
function = "assign_kernel"
arguments = ["int(n)", "point", "centre", "label"]
block = ["block_size"]
grid = ["ceil_div(n, block_size)"]
tune = { block_size = [256, 128, 64] }
*/
struct Point {
  float x, y, z;
};

#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN unsigned char nearest(Point p, const Point* centre) {
  float best = 1e30f;
  int label = 0;
  for (int k = 0; k < 24; k++) {
    float dx = p.x - centre[k].x, dy = p.y - centre[k].y, dz = p.z - centre[k].z;
    float square = dx * dx + dy * dy + dz * dz;
    if (square < best) {
      best = square;
      label = k;
    }
  }
  return (unsigned char)label;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void assign_kernel(int n, const Point* point, const Point* centre, unsigned char* label) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) label[i] = nearest(point[i], centre);
}
#else
void assign(long n, const Point* point, const Point* centre, unsigned char* label) {
  for (long i = 0; i < n; i++) label[i] = nearest(point[i], centre);
}

void assign_threads(long n, const Point* point, const Point* centre, unsigned char* label) {
  #pragma omp parallel for
  for (long i = 0; i < n; i++) label[i] = nearest(point[i], centre);
}
#endif
