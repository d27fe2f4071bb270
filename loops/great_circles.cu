// Distance over the ground between pairs of places in Europe, from latitudes and longitudes in degrees.
// The haversine formula that everyone finds first, in a delivery or running app.
/* sextant
name = "great_circles"
formula = "km = 2 R asin(sqrt(sin^2(dlat / 2) + cos lat1 cos lat2 sin^2(dlon / 2)))"
types = ["double"]
sizes = { n = "N / 5" }
arrays = [
  { name = "lat1", role = "in", length = "n", fill = { low = 35, high = 70 } },
  { name = "lon1", role = "in", length = "n", fill = { low = -10, high = 40 } },
  { name = "lat2", role = "in", length = "n", fill = { low = 35, high = 70 } },
  { name = "lon2", role = "in", length = "n", fill = { low = -10, high = 40 } },
  { name = "km", role = "out", length = "n" },
]
work = { items = "n" }
reference = "serial.baseline"
tolerance = { absolute = "60000 * eps", reason = "an Earth of 12742 km across, a few roundings of the angle" }

[variant."serial.baseline"]
function = "distances"
arguments = ["n", "lat1", "lon1", "lat2", "lon2", "km"]

[variant."openmp.pairs"]
function = "distances"
arguments = ["n", "lat1", "lon1", "lat2", "lon2", "km"]

[variant."cuda.pairs"]
function = "distances_kernel"
arguments = ["int(n)", "lat1", "lon1", "lat2", "lon2", "km"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #include <math.h>
  #define FN static inline
#endif

FN T haversine(T lat1, T lon1, T lat2, T lon2) {
  const T radian = T(0.017453292519943295);
  T a = sin((lat2 - lat1) * radian / 2), b = sin((lon2 - lon1) * radian / 2);
  T h = a * a + cos(lat1 * radian) * cos(lat2 * radian) * b * b;
  return T(12742) * asin(sqrt(h));
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void distances_kernel(int n, const T* lat1, const T* lon1, const T* lat2, const T* lon2, T* km) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) km[i] = haversine(lat1[i], lon1[i], lat2[i], lon2[i]);
}
#else
void distances(long n, const T* lat1, const T* lon1, const T* lat2, const T* lon2, T* km) {
  #pragma omp parallel for
  for (long i = 0; i < n; i++) km[i] = haversine(lat1[i], lon1[i], lat2[i], lon2[i]);
}
#endif
