// How many letters must be changed, added or dropped to make a dictionary's word out of the one that was typed?
// Someone who writes a spelling checker would try every word like this.
/* sextant
name = "edit_distance"
formula = "distance[i] = edit distance of word i (1 to 16 letters, 16 bytes apart) and the typed one"
sizes = { words = "max(1, (N - 10) / 18)" }
arrays = [
  { name = "letters", role = "in", length = "16 * words", type = "uint8", fill = { low = 97, high = 105 } },
  { name = "length", role = "in", length = "words", type = "uint8", fill = { low = 1, high = 17 } },
  { name = "typed", role = "in", length = 10, type = "uint8", fill = { low = 97, high = 105 } },
  { name = "distance", role = "out", length = "words", type = "uint8" },
]
reference = "serial.baseline"

[variant."serial.baseline"]
function = "compare_all"
arguments = ["words", "letters", "length", "typed", "distance"]

[variant."openmp.words"]
function = "compare_all_threads"
arguments = ["words", "letters", "length", "typed", "distance"]

[variant."cuda.words"]
function = "compare_kernel"
arguments = ["int(words)", "letters", "length", "typed", "distance"]
block = [128]
grid = ["ceil_div(words, 128)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #define ON_BOTH static inline
#endif

// row[j]: the distance of the first letters of the word so far and the first j typed ones
ON_BOTH int edits(const unsigned char* word, int length, const unsigned char* typed) {
  int row[11];
  for (int j = 0; j <= 10; ++j) row[j] = j;
  for (int i = 1; i <= length; ++i) {
    int corner = row[0];
    row[0] = i;
    for (int j = 1; j <= 10; ++j) {
      int best = corner + (word[i - 1] != typed[j - 1]);
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      corner = row[j];
      row[j] = best;
    }
  }
  return row[10];
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void compare_kernel(int words, const unsigned char* letters, const unsigned char* length,
                               const unsigned char* typed, unsigned char* distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < words) distance[i] = edits(letters + 16LL * i, length[i], typed);
}
#else
void compare_all(long words, const unsigned char* letters, const unsigned char* length,
                 const unsigned char* typed, unsigned char* distance) {
  for (long i = 0; i < words; ++i) distance[i] = edits(letters + 16 * i, length[i], typed);
}

void compare_all_threads(long words, const unsigned char* letters, const unsigned char* length,
                         const unsigned char* typed, unsigned char* distance) {
  #pragma omp parallel for
  for (long i = 0; i < words; ++i) distance[i] = edits(letters + 16 * i, length[i], typed);
}
#endif
