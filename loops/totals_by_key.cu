/* sextant
name = "totals_by_key"
formula = "total[shop[i]] += cents[i], 500 shops"
sizes = { sales = "(N - 500) / 2" }
arrays = [
  { name = "shop", role = "in", length = "sales", type = "uint16", fill = { low = 0, high = 500 } },
  { name = "cents", role = "in", length = "sales", type = "int", fill = { low = -2000, high = 50000 } },
  { name = "total", role = "out", length = 500, type = "int64" },
]
work = { items = "sales" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "add_up"
arguments = ["sales", "shop", "cents", "total"]

[variant."openmp.atomic"]
function = "add_up_atomic"
arguments = ["sales", "shop", "cents", "total"]

[variant."openmp.reduction"]
function = "add_up_reduction"
arguments = ["sales", "shop", "cents", "total"]

[variant."cuda.atomic"]
steps = [
  { function = "clear", arguments = ["total"], block = [256], grid = [2] },
  { function = "add_sales", arguments = ["sales", "shop", "cents", "total"], block = ["block_size"], grid = ["ceil_div(sales, block_size)"] },
]
tune = { block_size = [256, 128, 512] }
*/
// A day's takings for each of 500 shops from an unsorted list of sales and refunds: SELECT shop, SUM(cents) ... GROUP BY shop.
#ifdef SEXTANT_MODEL_CUDA
__global__ void clear(long long* total) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < 500) total[k] = 0;
}

__global__ void add_sales(long long sales, const unsigned short* shop, const int* cents, long long* total) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  // there is no atomicAdd for long long; in two's complement the unsigned one does the same
  if (i < sales) atomicAdd((unsigned long long*)&total[shop[i]], (unsigned long long)(long long)cents[i]);
}
#else
  #include <cstdint>
void add_up(long long sales, const unsigned short* shop, const int* cents, std::int64_t* total) {
  for (int k = 0; k < 500; k++) total[k] = 0;
  for (long long i = 0; i < sales; i++) total[shop[i]] += cents[i];
}

void add_up_atomic(long long sales, const unsigned short* shop, const int* cents, std::int64_t* total) {
  for (int k = 0; k < 500; k++) total[k] = 0;
  #pragma omp parallel for
  for (long long i = 0; i < sales; i++) {
  #pragma omp atomic
    total[shop[i]] += cents[i];
  }
}

void add_up_reduction(long long sales, const unsigned short* shop, const int* cents, std::int64_t* total) {
  for (int k = 0; k < 500; k++) total[k] = 0;
  #pragma omp parallel for reduction(+ : total[:500])
  for (long long i = 0; i < sales; i++) total[shop[i]] += cents[i];
}
#endif
