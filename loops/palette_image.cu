// Expands a picture of palette numbers to red, green and blue.
// Someone who shows old GIF or BMP files or a false-colour map would write it.
/* sextant
name = "palette_image"
formula = "picture[i] = palette[pixel[i]]"
sizes = { n = "max(1, (N - 768) / 4)" }
arrays = [
  { name = "pixel", role = "in", length = "n", type = "uint8" },
  { name = "palette", role = "in", length = 256, type = { struct = "Colour", member = "uint8", members = 3 } },
  { name = "picture", role = "out", length = "n", type = { struct = "Colour", member = "uint8", members = 3 } },
]
reference = "serial.baseline"

[variant."serial.baseline"]
function = "expand"
arguments = ["n", "pixel", "palette", "picture"]

[variant."openmp.pixels"]
function = "expand_threads"
arguments = ["n", "pixel", "palette", "picture"]

[variant."cuda.pixels"]
function = "expand_kernel"
arguments = ["n", "pixel", "palette", "picture"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
struct Colour {
  unsigned char red, green, blue;
};

#if defined(SEXTANT_MODEL_CUDA)
__global__ void expand_kernel(long long n, const unsigned char* pixel, const Colour* palette,
                              Colour* picture) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) picture[i] = palette[pixel[i]];
}
#else
void expand(long long n, const unsigned char* pixel, const Colour* palette, Colour* picture) {
  for (long long i = 0; i < n; ++i) picture[i] = palette[pixel[i]];
}

void expand_threads(long long n, const unsigned char* pixel, const Colour* palette, Colour* picture) {
  #pragma omp parallel for
  for (long long i = 0; i < n; ++i) picture[i] = palette[pixel[i]];
}
#endif
