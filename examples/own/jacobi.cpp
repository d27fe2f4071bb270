/* sextant
name = "jacobi"
formula = "ten steps of v = mean of u's four neighbours, then u and v change places"
types = ["float", "double"]
shape = ["w", "h"]
arrays = [ { name = "u", role = "inout", length = "w * h" }, { name = "v", role = "inout", length = "w * h", fill = "zero" } ]
work = { flops = "10 * 4 * (w - 2) * (h - 2)", items = "10 * (w - 2) * (h - 2)" }
reference = "serial.baseline"
tolerance = { absolute = "40 * eps", reason = "ten steps of four roundings of numbers of at most 1" }

[variant."serial.baseline"]
function = "step"
arguments = ["w", "h", "u", "v"]
repeat = 10
swap = ["u", "v"]

[variant."serial.tiles"]
function = "step_tiles"
arguments = ["w", "h", "u", "v"]
repeat = 10
swap = ["u", "v"]
tune = { tile = [256, 32, 64, 128, 512] }

[variant."openmp.rows"]
function = "step_rows"
arguments = ["w", "h", "u", "v"]
repeat = 10
swap = ["u", "v"]
tune = { flag.maths = ["", "-ffast-math"] }
*/
inline T mean(long long w, const T* u, long long at) {
  return (u[at - 1] + u[at + 1] + u[at - w] + u[at + w]) * T(0.25);
}

void step(long long w, long long h, const T* u, T* v) {
  for (long long y = 1; y < h - 1; ++y)
    for (long long x = 1; x < w - 1; ++x) v[y * w + x] = mean(w, u, y * w + x);
}

#ifdef tile
void step_tiles(long long w, long long h, const T* u, T* v) {
  for (long long begin = 1; begin < w - 1; begin += tile)
    for (long long y = 1; y < h - 1; ++y)
      for (long long x = begin; x < begin + tile && x < w - 1; ++x) v[y * w + x] = mean(w, u, y * w + x);
}
#endif

void step_rows(long long w, long long h, const T* u, T* v) {
#pragma omp parallel for
  for (long long y = 1; y < h - 1; ++y)
    for (long long x = 1; x < w - 1; ++x) v[y * w + x] = mean(w, u, y * w + x);
}
