/* sextant
name = "histogram"
formula = "bins[x[i]] += 1, 256 bins"
types = ["int"]
sizes = { n = "N - 256" }
arrays = [
  { name = "x", role = "in", length = "n", fill = { low = 0, high = 256 } },
  { name = "bins", role = "out", length = 256 },
]
work = { items = "n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "count"
arguments = ["n", "x", "bins"]

[variant."serial.copies"]
function = "count_in_copies"
arguments = ["n", "x", "bins"]
tune = { copies = [4, 1, 2, 8] }

[variant."openmp.private"]
function = "count_in_threads"
arguments = ["n", "x", "bins"]
*/
inline int bin_of(int x) { return x & 255; }

void count(long long n, const int* x, int* bins) {
  for (int b = 0; b < 256; ++b) bins[b] = 0;
  for (long long i = 0; i < n; ++i) ++bins[bin_of(x[i])];
}

#ifdef copies
void count_in_copies(long long n, const int* x, int* bins) {
  int own[copies][256] = {};
  for (long long i = 0; i < n; ++i) ++own[i % copies][bin_of(x[i])];
  for (int b = 0; b < 256; ++b) {
    bins[b] = 0;
    for (int c = 0; c < copies; ++c) bins[b] += own[c][b];
  }
}
#endif

void count_in_threads(long long n, const int* x, int* bins) {
  for (int b = 0; b < 256; ++b) bins[b] = 0;
#pragma omp parallel for reduction(+ : bins[:256])
  for (long long i = 0; i < n; ++i) ++bins[bin_of(x[i])];
}
