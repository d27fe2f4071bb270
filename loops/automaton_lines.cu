// Runs a finite automaton of 16 states over each line of 80 characters: its last state, and how often it accepted.
// What a generated lexer or a compiled regular expression does; every step waits for the table.
/* sextant
name = "automaton_lines"
formula = "state = next[64 state + text[80 i + k]]; hits[i] = how often state is above 12, last[i] the last state"
sizes = { lines = "(N - 1024) / 82" }
arrays = [
  { name = "next", role = "in", length = 1024, type = "uint8", fill = { low = 0, high = 16 } },
  { name = "text", role = "in", length = "80 * lines", type = "uint8", fill = { low = 0, high = 64 } },
  { name = "last", role = "out", length = "lines", type = "uint8" },
  { name = "hits", role = "out", length = "lines", type = "uint8" },
]
work = { items = "lines" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "scan"
arguments = ["int(lines)", "next", "text", "last", "hits"]

[variant."openmp.lines"]
function = "scan_threads"
arguments = ["int(lines)", "next", "text", "last", "hits"]

[variant."cuda.lines"]
function = "scan_kernel"
arguments = ["int(lines)", "next", "text", "last", "hits"]
block = [128]
grid = ["ceil_div(lines, 128)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif
typedef unsigned char Byte;

FN void scan_line(int i, const Byte* next, const Byte* text, Byte* last, Byte* hits) {
  int state = 0, count = 0;
  for (int k = 0; k < 80; k++) {
    state = next[64 * state + text[80L * i + k]];
    if (state > 12) count++;
  }
  last[i] = (Byte)state;
  hits[i] = (Byte)count;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void scan_kernel(int lines, const Byte* next, const Byte* text, Byte* last, Byte* hits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < lines) scan_line(i, next, text, last, hits);
}
#else
void scan(int lines, const Byte* next, const Byte* text, Byte* last, Byte* hits) {
  for (int i = 0; i < lines; i++) scan_line(i, next, text, last, hits);
}

void scan_threads(int lines, const Byte* next, const Byte* text, Byte* last, Byte* hits) {
  #pragma omp parallel for
  for (int i = 0; i < lines; i++) scan_line(i, next, text, last, hits);
}
#endif
