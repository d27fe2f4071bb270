#include "machine/host.hpp"

#include <omp.h>
#include <sys/mman.h>
#include <time.h>

#include <chrono>
#include <cmath>

#include "base/clock.hpp"
#include "device/device.hpp"
#include "device/open.hpp"
#include "machine/ceilings/detail.hpp"
#include "machine/ceilings/host_loops.hpp"
#include "machine/thread_count.hpp"

namespace sextant {
namespace {

constexpr double sample_seconds = 1e-3;  // target duration of one sample
constexpr std::int64_t granule = 64;     // a thread's chunk is a multiple of this many elements

// Memory whose pages are not touched yet, so that each thread can place its pages. Uses huge pages if
// available.
class Memory {
 public:
  explicit Memory(std::size_t bytes) : bytes_(bytes) {
    void* got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) throw DeviceError("not enough memory to measure the ceilings");
    data_ = static_cast<double*>(got);
    madvise(got, bytes, MADV_HUGEPAGE);
  }
  ~Memory() { munmap(data_, bytes_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  double* data() const { return data_; }

 private:
  double* data_ = nullptr;
  std::size_t bytes_;
};

// A thread's chunk of an array.
struct Part {
  std::int64_t begin, count;
};

Part part_of(std::int64_t count, int thread, int threads) {
  const std::int64_t granules = count / granule;
  const std::int64_t begin = granules * thread / threads, end = granules * (thread + 1) / threads;
  return {begin * granule, (end - begin) * granule};
}

// Returns the calling thread's CPU time in seconds.
double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Returns the seconds that `work` takes on all threads. Time without a processor does not count, because
// other programs would otherwise lower the measured ceiling.
template <typename Work>
double seconds_of_all(const Work& work) {
  double longest = 0;
  const double start = now();
#pragma omp parallel reduction(max : longest)
  {
    const double had = processor_time();
    work();
    longest = processor_time() - had;
  }
  return std::min(now() - start, longest);
}

// Returns the seconds of one call of body(part) on all threads, each with its own chunk of the arrays. Each
// thread calls it `repeats` times without waiting for the other threads.
template <typename Body>
double time_once(std::int64_t count, std::int64_t repeats, const Body& body) {
  return seconds_of_all([&] {
           const Part part = part_of(count, omp_get_thread_num(), omp_get_num_threads());
           for (std::int64_t repeat = 0; repeat < repeats; ++repeat) body(part);
         }) /
         static_cast<double>(repeats);
}

// Returns the seconds of one pass of all threads over `arrays` arrays of `count` elements each. It takes the
// fastest of a few samples, as STREAM does, because other programs can only slow the loop down. The number of
// repetitions comes from an assumed upper limit of the bandwidth per core.
template <typename Body>
double best_time(std::int64_t count, int arrays, const Body& body) {
  const double bytes_per_thread = static_cast<double>(count * 8 * arrays) / omp_get_max_threads();
  const double core_rate = bytes_per_thread > 4e6 ? 10e9 : 100e9;
  const auto repeats = static_cast<std::int64_t>(std::ceil(sample_seconds * core_rate / bytes_per_thread));
  return fastest_of([&] { return time_once(count, repeats, body); }, now);
}

// The three arrays of the bandwidth patterns. Each thread always gets the chunk whose pages it touched first.
struct Arrays {
  double *a, *b, *c;
  std::int64_t count;  // number of elements of each array
};

double value_b(std::int64_t i) { return static_cast<double>(i & 1023); }
double value_c(std::int64_t i) { return static_cast<double>(i >> 4 & 255); }

void fill(const Arrays& arrays) {
#pragma omp parallel
  {
    const Part part = part_of(arrays.count, omp_get_thread_num(), omp_get_num_threads());
    for (std::int64_t i = part.begin; i < part.begin + part.count; ++i) {
      arrays.a[i] = -1;
      if (arrays.b) arrays.b[i] = value_b(i);
      if (arrays.c) arrays.c[i] = value_c(i);
    }
  }
}

// Returns true if a[i] equals expected(i) for all i. Then sets a to -1, so that the next check cannot pass
// with old results.
template <typename Expected>
bool holds(const Arrays& arrays, Expected expected) {
  std::int64_t wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong)
  for (std::int64_t i = 0; i < arrays.count; ++i) {
    wrong += arrays.a[i] != expected(i);
    arrays.a[i] = -1;
  }
  return wrong == 0;
}

double copy_time(const Arrays& x, decltype(HostLoops::copy) loop, const CeilingList& list) {
  const double time = best_time(x.count, 2, [&](Part p) { loop(x.a + p.begin, x.b + p.begin, p.count); });
  list.require(holds(x, value_b), "copy left a wrong result");
  return time;
}

double triad_time(const Arrays& x, decltype(HostLoops::triad) loop, const CeilingList& list) {
  const double time =
      best_time(x.count, 3, [&](Part p) { loop(x.a + p.begin, x.b + p.begin, x.c + p.begin, 3, p.count); });
  list.require(holds(x, [](std::int64_t i) { return value_b(i) + 3 * value_c(i); }),
               "triad left a wrong result");
  return time;
}

double write_time(const Arrays& x, decltype(HostLoops::write) loop, const CeilingList& list) {
  const double time = best_time(x.count, 1, [&](Part p) { loop(x.a + p.begin, 7, p.count); });
  list.require(holds(x, [](std::int64_t) { return 7.0; }), "write left a wrong result");
  return time;
}

double read_time(const Arrays& x, decltype(HostLoops::read) loop, const CeilingList& list) {
  // Each thread's sum has its own cache line.
  std::vector<double> sums(static_cast<std::size_t>(omp_get_max_threads()) * 8);
  const double time = best_time(x.count, 1, [&](Part p) {
    sums[static_cast<std::size_t>(omp_get_thread_num()) * 8] = loop(x.a + p.begin, p.count);
  });
  double sum = 0;
  for (double part : sums) sum += part;
  // All elements of the array are -1.
  list.require(sum == -static_cast<double>(x.count), "read left a wrong sum");
  return time;
}

// Returns the shorter time of the plain loop and the loop with streaming (non-temporal) stores.
template <typename Time, typename Loop>
double quicker(const Time& time, const Arrays& x, Loop plain, Loop streaming, bool try_streaming,
               const CeilingList& list) {
  const double cached = time(x, plain, list);
  return streaming && try_streaming ? std::min(cached, time(x, streaming, list)) : cached;
}

// Measures the patterns for one memory footprint in bytes. Their names get the `suffix`.
void measure_footprint(std::int64_t footprint, const Memory& memory, bool beyond_caches,
                       const std::string& suffix, CeilingList* list) {
  const HostLoops& loops = best_host_loops();
  for (const BandwidthPattern& pattern : bandwidth_patterns) {
    const std::int64_t count = footprint / (8 * pattern.arrays) / granule * granule;
    Arrays x = {memory.data(), nullptr, nullptr, count};
    if (pattern.arrays > 1) x.b = x.a + count;
    if (pattern.arrays > 2) x.c = x.b + count;
    fill(x);
    const std::string name = pattern.name;
    const double time =
        name == "copy"    ? quicker(copy_time, x, loops.copy, loops.copy_streaming, beyond_caches, *list)
        : name == "triad" ? quicker(triad_time, x, loops.triad, loops.triad_streaming, beyond_caches, *list)
        : name == "read"  ? read_time(x, loops.read, *list)
                          : quicker(write_time, x, loops.write, loops.write_streaming, beyond_caches, *list);
    list->add(name + suffix, static_cast<double>(count * 8 * pattern.arrays) / time, footprint);
  }
}

// Returns the next footprint to measure. The steps are finer near the size of the last-level cache, where the
// bandwidth drops.
std::int64_t after(std::int64_t footprint, std::int64_t caches) {
  return footprint * (footprint >= caches / 8 && footprint < 4 * caches ? 2 : 4);
}

void measure_footprints(std::int64_t first, std::int64_t last, std::int64_t caches, const std::string& suffix,
                        CeilingList* list) {
  // Not initialized, because the thread that first touches a page determines its NUMA node.
  const Memory memory(static_cast<std::size_t>(std::max(first, last)));
  for (std::int64_t footprint = first; footprint <= last; footprint = after(footprint, caches))
    measure_footprint(footprint, memory, footprint > caches / 2, suffix, list);
}

void measure_bandwidth(CeilingList* list) {
  constexpr std::int64_t least = 64 << 10, beyond_a_core = std::int64_t{256} << 20;
  const HostInfo host = find_host();
  const std::int64_t beyond =
      std::clamp(8 * host.last_level_cache, std::int64_t{256} << 20, std::int64_t{1} << 30);
  const auto quarter = static_cast<std::int64_t>(open_host_device()->free_memory() / 4);
  const std::int64_t most = std::min(beyond, quarter);
  std::int64_t first = least;
  while (first < omp_get_max_threads() * std::int64_t{4096}) first *= 4;
  measure_footprints(first, most, host.last_level_cache, "", list);
  const GivenThreads one(1);
  measure_footprints(least, std::min(most, beyond_a_core), host.last_level_cache, "_core", list);
}

// Returns the operations per second of all threads. Each thread calls loop(rounds, &chains). A chain does two
// operations per round. right(result, chains) checks the result.
template <typename Loop, typename Right>
double rate_of(Loop loop, Right right, const char* what, const CeilingList& list) {
  constexpr std::int64_t rounds = 1 << 20;  // enough for a few milliseconds
  int chains = 0;
  int wrong = 0;
  const auto time = [&] {
    return seconds_of_all([&] {
      int mine = 0;
      const auto result = loop(rounds, &mine);
#pragma omp critical
      {
        wrong += !right(result, mine);
        chains = mine;
      }
    });
  };
  double seconds = time();
  for (int sample = 0; sample < 8; ++sample) seconds = std::min(seconds, time());
  list.require(wrong == 0, std::string(what) + " left a wrong result");
  return 2.0 * chains * static_cast<double>(rounds) * omp_get_max_threads() / seconds;
}

// Measures independent chains of x = x / 2 + 1, which converge to 2.
template <typename T, typename Loop>
double fma_rate(Loop fma, const CeilingList& list) {
  return rate_of([=](std::int64_t rounds, int* chains) { return fma(T(0.5), T(1), rounds, chains); },
                 [](T sum, int chains) { return sum == T(2) * static_cast<T>(chains); }, "multiply-add",
                 list);
}

// Measures independent chains of x = not (x + 12345). Two rounds restore x.
double integer_rate(const CeilingList& list) {
  constexpr int start = chains_of_a_lane * (chains_of_a_lane - 1) / 2;  // initial sum in one vector lane
  return rate_of(
      [](std::int64_t rounds, int* chains) {
        return best_host_loops().add_xor(12345, ~std::uint32_t{0}, rounds, chains);
      },
      [](std::uint32_t sum, int chains) {
        return sum == static_cast<std::uint32_t>(chains / chains_of_a_lane * start);
      },
      "integer arithmetic", list);
}

void measure_rates(const std::string& suffix, CeilingList* list) {
  list->add("fp32" + suffix, fma_rate<float>(best_host_loops().fma32, *list));
  list->add("fp64" + suffix, fma_rate<double>(best_host_loops().fma64, *list));
  list->add("int32" + suffix, integer_rate(*list));
}

void measure_one_core_rates(CeilingList* list) {
  const GivenThreads one(1);
  measure_rates("_core", list);
}

double parallel_region_time() {
  std::vector<double> times;
  for (int sample = 0; sample < 21; ++sample) {
    constexpr int regions = 200;
    const double start = now();
    for (int region = 0; region < regions; ++region) {
#pragma omp parallel
      asm volatile("");
    }
    times.push_back((now() - start) / regions);
  }
  return median_of(times);
}

}  // namespace

const HostLoops& best_host_loops() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return host_loops_avx512();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return host_loops_avx2();
#endif
  return host_loops_generic();
}

void measure_host_ceilings(CeilingList* list) {
  measure_bandwidth(list);
  measure_rates("", list);
  measure_one_core_rates(list);
  list->add("launch_openmp", parallel_region_time());
}

}  // namespace sextant
