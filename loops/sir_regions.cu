/* sextant
name = "sir_regions"
formula = "90 days of susceptible, infected, recovered in each region by Euler's method; the peak of infected and its day"
types = ["float"]
sizes = { regions = "max(1, N / 5)" }
arrays = [
  { name = "contact", role = "in", length = "regions", fill = { low = 0.1, high = 0.6 } },
  { name = "recovery", role = "in", length = "regions", fill = { low = 0.05, high = 0.2 } },
  { name = "first_sick", role = "in", length = "regions", fill = { low = 0.0001, high = 0.01 } },
  { name = "peak", role = "out", length = "regions" },
  { name = "peak_day", role = "out", length = "regions", type = "uint8" },
]
reference = "serial.baseline"
tolerance = { absolute = "3000 * eps", outliers = 0.001, reason = "90 days of six roundings, which growth may magnify; two days near a flat peak may change places" }

[variant."serial.baseline"]
function = "epidemic"
arguments = ["regions", "contact", "recovery", "first_sick", "peak", "peak_day"]

[variant."openmp.regions"]
function = "epidemic_threads"
arguments = ["regions", "contact", "recovery", "first_sick", "peak", "peak_day"]

[variant."cuda.regions"]
function = "epidemic_kernel<T>"
arguments = ["int(regions)", "contact", "recovery", "first_sick", "peak", "peak_day"]
block = [128]
grid = ["ceil_div(regions, 128)"]
*/
// The simplest model of an epidemic, once for each region with its own rates. From a course on differential equations.
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #define ON_BOTH static inline
#endif

template <typename U>
ON_BOTH void run_region(U contact, U recovery, U sick, U* peak, unsigned char* peak_day) {
  U healthy = 1 - sick, highest = sick;
  int day_of_highest = 0;
  for (int day = 1; day <= 90; ++day) {
    const U caught = contact * healthy * sick;
    const U cured = recovery * sick;
    healthy -= caught;
    sick += caught - cured;
    if (sick > highest) {
      highest = sick;
      day_of_highest = day;
    }
  }
  *peak = highest;
  *peak_day = (unsigned char)day_of_highest;
}

#if defined(SEXTANT_MODEL_CUDA)
template <typename U>
__global__ void epidemic_kernel(int regions, const U* contact, const U* recovery, const U* first_sick,
                                U* peak, unsigned char* peak_day) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < regions) run_region(contact[r], recovery[r], first_sick[r], &peak[r], &peak_day[r]);
}
#else
void epidemic(long regions, const T* contact, const T* recovery, const T* first_sick, T* peak,
              unsigned char* peak_day) {
  for (long r = 0; r < regions; ++r)
    run_region(contact[r], recovery[r], first_sick[r], &peak[r], &peak_day[r]);
}

void epidemic_threads(long regions, const T* contact, const T* recovery, const T* first_sick, T* peak,
                      unsigned char* peak_day) {
  #pragma omp parallel for
  for (long r = 0; r < regions; ++r)
    run_region(contact[r], recovery[r], first_sick[r], &peak[r], &peak_day[r]);
}
#endif
