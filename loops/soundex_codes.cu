// The Soundex code of each family name: its first letter and three digits for the sounds that follow.
// Archives and clinics find "meyer" under "maier" with it; names lie in fields of 16 bytes.
/* sextant
name = "soundex_codes"
formula = "code[4 i ..] = Soundex of name[16 i .. 16 i + 16), which ends before the first byte above z"
sizes = { n = "N / 20" }
arrays = [
  { name = "name", role = "in", length = "16 * n", type = "uint8", fill = { low = 97, high = 128 } },
  { name = "code", role = "out", length = "4 * n", type = "uint8" },
]
work = { items = "n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "encode_names"
arguments = ["n", "name", "code"]

[variant."openmp.names"]
function = "encode_names_threads"
arguments = ["n", "name", "code"]

[variant."cuda.names"]
function = "encode_names_kernel"
arguments = ["int(n)", "name", "code"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN char sound(char letter) {
  const char* sounds = "01230120022455012623010202";  // of a to z
  return sounds[letter - 'a'];
}

FN void soundex(const unsigned char* name, unsigned char* code) {
  bool empty = name[0] > 'z';
  code[0] = empty ? '?' : name[0] - 'a' + 'A';
  int digits = 0;
  char last = empty ? '0' : sound(name[0]);
  for (int k = 1; k < 16 && !empty && digits < 3 && name[k] <= 'z'; k++) {
    if (name[k] == 'h' || name[k] == 'w') continue;
    char now = sound(name[k]);
    if (now != '0' && now != last) code[1 + digits++] = now;
    last = now;
  }
  while (digits < 3) code[1 + digits++] = '0';
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void encode_names_kernel(int n, const unsigned char* name, unsigned char* code) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) soundex(name + 16 * i, code + 4 * i);
}
#else
void encode_names(long n, const unsigned char* name, unsigned char* code) {
  for (long i = 0; i < n; i++) soundex(name + 16 * i, code + 4 * i);
}

void encode_names_threads(long n, const unsigned char* name, unsigned char* code) {
  #pragma omp parallel for
  for (long i = 0; i < n; i++) soundex(name + 16 * i, code + 4 * i);
}
#endif
