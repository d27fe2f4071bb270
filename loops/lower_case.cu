// Makes the capital letters of an ASCII text small, in place.
// It is the first thing a home-made search or word count does with its text.
/* sextant
name = "lower_case"
formula = "text[i] += 32 where text[i] is A to Z"
sizes = { n = "N" }
arrays = [ { name = "text", role = "inout", length = "n", type = "uint8", fill = { low = 32, high = 127 } } ]
work = { items = "n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "lower"
arguments = ["n", "text"]

[variant."openmp.characters"]
function = "lower_threads"
arguments = ["n", "text"]

[variant."cuda.characters"]
function = "lower_kernel"
arguments = ["n", "text"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
__global__ void lower_kernel(long long n, unsigned char* text) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && text[i] >= 'A' && text[i] <= 'Z') text[i] += 32;
}
#else
void lower(long long n, unsigned char* text) {
  for (long long i = 0; i < n; ++i)
    if (text[i] >= 'A' && text[i] <= 'Z') text[i] += 32;
}

void lower_threads(long long n, unsigned char* text) {
  #pragma omp parallel for simd
  for (long long i = 0; i < n; ++i)
    if (text[i] >= 'A' && text[i] <= 'Z') text[i] += 32;
}
#endif
