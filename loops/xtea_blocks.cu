// Encrypts blocks of 64 bits by the XTEA cipher, 32 rounds, each block by itself.
// A small cipher that firmware and hobby projects carry along as a few lines of C.
/* sextant
name = "xtea_blocks"
formula = "cipher[2 i], cipher[2 i + 1] = XTEA of plain[2 i], plain[2 i + 1] with a key of four words"
sizes = { n = "(N - 4) / 4" }
arrays = [
  { name = "key", role = "in", length = 4, type = "uint32" },
  { name = "plain", role = "in", length = "2 * n", type = "uint32" },
  { name = "cipher", role = "out", length = "2 * n", type = "uint32" },
]
work = { items = "n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "encrypt"
arguments = ["int(n)", "key", "plain", "cipher"]

[variant."openmp.blocks"]
function = "encrypt_threads"
arguments = ["int(n)", "key", "plain", "cipher"]

[variant."cuda.blocks"]
function = "encrypt_kernel"
arguments = ["int(n)", "key", "plain", "cipher"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN void encipher(const unsigned* key, const unsigned* plain, unsigned* cipher) {
  unsigned left = plain[0], right = plain[1], sum = 0;
  for (int round = 0; round < 32; round++) {
    left += ((right << 4 ^ right >> 5) + right) ^ (sum + key[sum & 3]);
    sum += 0x9e3779b9u;
    right += ((left << 4 ^ left >> 5) + left) ^ (sum + key[sum >> 11 & 3]);
  }
  cipher[0] = left;
  cipher[1] = right;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void encrypt_kernel(int n, const unsigned* key, const unsigned* plain, unsigned* cipher) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) encipher(key, plain + 2 * i, cipher + 2 * i);
}
#else
void encrypt(int n, const unsigned* key, const unsigned* plain, unsigned* cipher) {
  for (int i = 0; i < n; i++) encipher(key, plain + 2 * i, cipher + 2 * i);
}

void encrypt_threads(int n, const unsigned* key, const unsigned* plain, unsigned* cipher) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++) encipher(key, plain + 2 * i, cipher + 2 * i);
}
#endif
