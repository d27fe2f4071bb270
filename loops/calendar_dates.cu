// Year, month, day and weekday of day numbers counted from 1 March of the year 0.
// Import filters for logs and ledgers do this for every line: a handful of whole divisions.
/* sextant
name = "calendar_dates"
formula = "date[i] = 10000 year + 100 month + day; weekday[i] = 0 for Sunday to 6"
sizes = { n = "N / 3" }
arrays = [
  { name = "number", role = "in", length = "n", type = "int", fill = { low = 0, high = 1000000 } },
  { name = "date", role = "out", length = "n", type = "int" },
  { name = "weekday", role = "out", length = "n", type = "uint8" },
]
work = { items = "n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "convert"
arguments = ["n", "number", "date", "weekday"]

[variant."openmp.days"]
function = "convert"
arguments = ["n", "number", "date", "weekday"]

[variant."cuda.days"]
function = "convert_kernel"
arguments = ["int(n)", "number", "date", "weekday"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#ifdef SEXTANT_MODEL_CUDA
__device__
#else
static inline
#endif
    int
    civil_date(int number) {
  int era = number / 146097, of_era = number % 146097;  // 400 years
  int year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  int of_year = of_era - (365 * year + year / 4 - year / 100);
  int from_march = (5 * of_year + 2) / 153;
  int day = of_year - (153 * from_march + 2) / 5 + 1;
  int month = from_march < 10 ? from_march + 3 : from_march - 9;
  return 10000 * (400 * era + year + (month <= 2)) + 100 * month + day;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void convert_kernel(int n, const int* number, int* date, unsigned char* weekday) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  date[i] = civil_date(number[i]);
  weekday[i] = (unsigned char)((number[i] + 3) % 7);
}
#else
void convert(long n, const int* number, int* date, unsigned char* weekday) {
  #pragma omp parallel for
  for (long i = 0; i < n; i++) {
    date[i] = civil_date(number[i]);
    weekday[i] = (unsigned char)((number[i] + 3) % 7);
  }
}
#endif
