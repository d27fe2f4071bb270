// Counts the letters, digits, blanks and other characters of each line of a text; lines have very different lengths.
// Someone who looks for tables or code in documents would write it.
/* sextant
name = "character_classes"
formula = "count[l] = letters, digits, blanks, others in text[start[l] .. start[l+1])"
sizes = { lines = "max(1, (N - 1) / 53)", chars = "48 * lines" }
arrays = [
  { name = "text", role = "in", length = "chars", type = "uint8", fill = { low = 32, high = 127 } },
  { name = "start", role = "in", length = "lines + 1", type = "int", fill = { offsets = "chars" } },
  { name = "count", role = "out", length = "lines", type = { struct = "Classes", member = "int", members = 4 } },
]
reference = "serial.baseline"

[variant."serial.baseline"]
function = "count_lines"
arguments = ["lines", "text", "start", "count"]

[variant."openmp.lines"]
function = "count_lines_threads"
arguments = ["lines", "text", "start", "count"]

[variant."cuda.lines"]
function = "count_lines_kernel"
arguments = ["int(lines)", "text", "start", "count"]
block = [256]
grid = ["ceil_div(lines, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #define ON_BOTH static inline
#endif

struct Classes {
  int letters, digits, blanks, others;
};

ON_BOTH Classes classes_of(const unsigned char* text, int begin, int end) {
  Classes c = {0, 0, 0, 0};
  for (int k = begin; k < end; ++k) {
    unsigned char ch = text[k];
    if ((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z'))
      ++c.letters;
    else if (ch >= '0' && ch <= '9')
      ++c.digits;
    else if (ch == ' ' || ch == '\t')
      ++c.blanks;
    else
      ++c.others;
  }
  return c;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void count_lines_kernel(int lines, const unsigned char* text, const int* start, Classes* count) {
  int l = blockIdx.x * blockDim.x + threadIdx.x;
  if (l < lines) count[l] = classes_of(text, start[l], start[l + 1]);
}
#else
void count_lines(long lines, const unsigned char* text, const int* start, Classes* count) {
  for (long l = 0; l < lines; ++l) count[l] = classes_of(text, start[l], start[l + 1]);
}

void count_lines_threads(long lines, const unsigned char* text, const int* start, Classes* count) {
  #pragma omp parallel for schedule(dynamic, 64)
  for (long l = 0; l < lines; ++l) count[l] = classes_of(text, start[l], start[l + 1]);
}
#endif
