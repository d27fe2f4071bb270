// A savings account with monthly interest and a monthly deposit, for many customers: the balance after each of ten years.
// A beginner's exercise in finance, and a bank's batch job at night.
/* sextant
name = "savings_path"
formula = "balance[y * customers + c] after year y: each month times (1 + rate / 12), plus the deposit"
sizes = { customers = "max(1, N / 13)" }
arrays = [
  { name = "start", role = "in", length = "customers", type = "double", fill = { low = 0, high = 10000 } },
  { name = "rate", role = "in", length = "customers", type = "double", fill = { low = 0, high = 0.08 } },
  { name = "deposit", role = "in", length = "customers", type = "double", fill = { low = 0, high = 500 } },
  { name = "balance", role = "out", length = "10 * customers", type = "double" },
]
work = { flops = "240 * customers" }
reference = "serial.baseline"
tolerance = { relative = "500 * eps", reason = "120 months of two roundings each; all numbers are positive; on both sides" }

[variant."serial.baseline"]
function = "save"
arguments = ["customers", "start", "rate", "deposit", "balance"]

[variant."openmp.customers"]
function = "save_threads"
arguments = ["customers", "start", "rate", "deposit", "balance"]

[variant."cuda.customers"]
function = "save_kernel"
arguments = ["customers", "start", "rate", "deposit", "balance"]
block = [256]
grid = ["ceil_div(customers, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
__global__ void save_kernel(long long customers, const double* start, const double* rate,
                            const double* deposit, double* balance) {
  long long c = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= customers) return;
  double money = start[c];
  const double factor = 1.0 + rate[c] / 12.0, more = deposit[c];
  for (int year = 0; year < 10; ++year) {
    for (int month = 0; month < 12; ++month) money = money * factor + more;
    balance[year * customers + c] = money;
  }
}
#else
void save(long long customers, const double* start, const double* rate, const double* deposit,
          double* balance) {
  for (long long c = 0; c < customers; ++c) {
    double money = start[c];
    const double factor = 1.0 + rate[c] / 12.0;
    for (int year = 0; year < 10; ++year) {
      for (int month = 0; month < 12; ++month) money = money * factor + deposit[c];
      balance[year * customers + c] = money;
    }
  }
}

void save_threads(long long customers, const double* start, const double* rate, const double* deposit,
                  double* balance) {
  #pragma omp parallel for
  for (long long c = 0; c < customers; ++c) {
    double money = start[c];
    const double factor = 1.0 + rate[c] / 12.0;
    for (int year = 0; year < 10; ++year) {
      for (int month = 0; month < 12; ++month) money = money * factor + deposit[c];
      balance[year * customers + c] = money;
    }
  }
}
#endif
