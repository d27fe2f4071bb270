#include "predict/analytic_model.hpp"

#include <algorithm>
#include <cmath>

#include "predict/dependencies.hpp"
#include "predict/traffic.hpp"

namespace sextant::predict {
namespace {

// FLOP that one integer operation counts for if no integer rate was measured: as many as a fused
// multiply-add.
constexpr double flops_of_fma = 2;
// FLOP that a division, root, exponential or logarithm counts for. GPUs have special function units for them.
constexpr double special_on_cpu = 12, special_on_gpu = 4;
// Largest fraction of a core's peak FLOP rate that CPU code reaches.
constexpr double most_arithmetic = 0.7;
// Time of an integer operation relative to a FLOP in typical CPU code.
constexpr double integer_on_cpu = 0.35;
// Integer throughput rises with the number of operations per memory access, up to this factor.
constexpr double most_integers = 2;
// Speedup of arithmetic if consecutive items share operands, which then stay in registers. It applies if an
// element is accessed more than `reuse_in_common` times on average.
constexpr double in_common = 2.5, reuse_in_common = 8;
// Speedup of threaded matrix code by cache blocking: reuse / `reuse_in_blocks`, clamped to [1,
// `most_in_blocks`].
constexpr double reuse_in_blocks = 150, most_in_blocks = 3;
// Slowdown of arithmetic and first-level cache accesses if all cores are busy.
constexpr double all_at_once = 1.3;
// Additional slowdown if all items take different branches, because such items are not vectorized. For a
// fraction of the items, it is multiplied by that fraction.
constexpr double diverging = 16;
// Waits per step of algorithms in which the data decide which items take part, such as a graph search.
constexpr double agreeing_in_openmp = 2.5, agreeing_on_gpu = 5;
// Seconds to start a serial call, and to start one row of a grid.
constexpr double call_start = 1e-8, row_start = 6e-9;
// Seconds until a dependent operation can use a result.
constexpr double cpu_latency = 2e-9, gpu_latency = 50e-9;
constexpr double term_in_order = 0.5e-9;  // seconds per term of a sequential sum
// Contention for a shared sum grows with the number of cores up to this number.
constexpr double many_cores = 16;
// Seconds to fetch a cache line from another core's cache when several fetches overlap.
constexpr double line_hop = 13e-9;
// Fraction of a plain loop's loads and stores that access the cache. The others use a register.
constexpr double loaded_again = 0.5;
// Seconds per strided access of one core, which is not vectorized: `written_apart` for strided writes,
// `read_apart` if only the reads are strided. Items with at least `few_loads` loads are vectorized across
// items and have no such cost. Transforms (FFT steps) always use `read_apart`.
constexpr double written_apart = 0.15e-9, read_apart = 0.1e-9, few_loads = 8;
// Assumed range of an item's scattered writes, in strides from its own element.
constexpr double window = 2;
constexpr double near_bytes = 64 << 10;  // footprint in bytes per core that fits in its nearest caches
// Fraction of the sum of several cores' caches that is usable, because they hold duplicate lines.
constexpr double near_of_many = 0.5;
// Factor on the size of arrays that cores share. In the ceiling benchmark each core uses its own section, so
// its caches hold more.
constexpr double shared_footprint = 2.5;
// Number of items per CPU thread from which an additional thread pays off.
constexpr double grain = 40;
// Single-core time in seconds from which an additional thread pays off, even for few items.
constexpr double worth_a_thread = 1e-6;
// Maximum resident threads per multiprocessor for compute capability 8.0 and 9.0 (CUDA C++ Programming Guide,
// table "Technical Specifications per Compute Capability"). Other GPUs hold 1024 or 1536.
constexpr double threads_a_multiprocessor = 2048;
// Number of operations per GPU thread when CUDA and library code splits the sum of one item over several
// threads.
constexpr double split_sums = 10;
// CPU libraries are vectorized by hand but use few threads. `library_call`: seconds of a call that starts no
// threads. `library_threads`: fraction of all threads that effectively work.
constexpr double library_call = 4e-8, library_threads = 0.1;
constexpr Efficiency of_library = {of_plain_code.memory, 0.4};
// `transform`: factor on the predicted arithmetic time of a library's FFT step. `transforms_shared_above`:
// single-core seconds from which a library uses all threads for it.
constexpr double transform = 2.5, transforms_shared_above = 4.5e-5;
// A library splits a chain of dependent steps among its threads if one core takes longer than `shared_above`
// seconds. Each step then costs up to `wait_in_library` OpenMP launches of waiting.
constexpr double shared_above = 1e-4, wait_in_library = 6;
// Time of a GPU library call relative to a kernel written for the problem. Libraries are more general.
constexpr double gpu_library_call = 1.4;
// Cost of one wait in a CPU sort, as a multiple of an ordinary wait.
constexpr double waits_of_sort = 0.25;
// Costs of other waits, as multiples of an ordinary wait:
// - sums: nothing, because threads meet at the end of the call anyway;
// - tables: merging the per-thread tables;
// - loops over 1-D arrays: each loop starts its own threads;
// - grids: the loop over rows runs inside one parallel region.
constexpr double waits_of_sum = 0, waits_of_tables = 0.7, waits_of_loop = 2, waits_of_grid = 0.8;
// Seconds on a GPU per doubling of an item's dependency depth (its longest chain of dependent operations).
constexpr double doubled_depth = 0.4e-6;
// cudaMalloc serves arrays of at most `cut_out_below` bytes from memory that it already holds. `cut_out` and
// `new_block` are factors on the measured cost of smaller and larger arrays. `new_block` exceeds 1 because
// the ceiling benchmark gets the same block again and again.
constexpr double cut_out_below = 917504, cut_out = 0.06, new_block = 1.3;
constexpr double first_launch = 8e-6;  // additional seconds of a launch that follows copies to the device

constexpr std::int64_t of_memory = std::int64_t{1} << 40;  // bytes; a footprint larger than every cache

// Number of items that can run in parallel. If each item sums many elements, these elements can also run in
// parallel.
double independent(const Form& form) {
  const auto bytes = static_cast<double>(form.work.bytes_read + form.work.bytes_written);
  return std::max({static_cast<double>(form.work.items) / passes(form), bytes / element_bytes(form), 1.0});
}

// Factors on the time of each resource compared with its ceiling. `special_flops`: FLOP that one special
// operation (such as a root) counts for. `footprint`: factor on the size of the arrays.
struct Slower {
  double memory, arithmetic, integers, special_flops, footprint = 1;
};

Slower slower_by(double times, Efficiency efficiency, double special_flops, double integers) {
  return {times / efficiency.memory, times / efficiency.arithmetic, times / efficiency.arithmetic * integers,
          special_flops};
}

// FLOP rate for a type. The float rate is at least the double rate, because a lower one is a disturbed
// measurement.
std::optional<double> rate_of_flops(const Roofline& roofline, ElementType type) {
  const auto own = roofline.flop_rate(type, false),
             of_doubles = roofline.flop_rate(ElementType::float64, false);
  return own && of_doubles ? std::max(own, type == ElementType::float32 ? of_doubles : own) : own;
}

// Memory and arithmetic time by the roofline model. Returns nothing if a ceiling is missing.
std::optional<CallTime> roofline_time(const Form& form, const Traffic& moved, const Roofline& roofline,
                                      const Slower& slower) {
  CallTime time;
  if (moved.bytes > 0) {
    const double footprint = slower.footprint * footprint_of(form);
    const auto rate =
        roofline.bandwidth(form.cold ? of_memory : static_cast<std::int64_t>(footprint), moved.write_share);
    if (!rate) return std::nullopt;
    time.memory = slower.memory * moved.bytes / *rate;
  }
  const auto own = rate_of_flops(roofline, form.type),
             of_floats = rate_of_flops(roofline, ElementType::float32);
  if (form.work.flops > 0) {
    if (!own) return std::nullopt;
    time.arithmetic = slower.arithmetic * static_cast<double>(form.work.flops) / *own;
  }
  const double special = std::max(form.traits.special_flops, 0.0) * static_cast<double>(form.work.items);
  if (own && special > 0) time.arithmetic += slower.arithmetic * slower.special_flops * special / *own;
  const auto integers =
      roofline.integer_rate() || !of_floats ? roofline.integer_rate() : *of_floats / flops_of_fma;
  if (integers && form.work.integer_operations > 0)
    time.arithmetic += slower.integers * static_cast<double>(form.work.integer_operations) / *integers;
  return time;
}

// True for a transform step (FFT): its items read and write many strided elements.
bool is_transform(const Traits& traits) {
  return traits.stride_read > 1 && traits.stride_write > 1 && traits.loads >= few_loads &&
         traits.stores >= few_loads;
}

// Seconds of `accesses` strided accesses, which are not vectorized, split evenly over `cores`.
double time_apart(const Traits& traits, double accesses, double cores) {
  if (is_transform(traits)) return read_apart * accesses / cores;
  if (traits.loads >= few_loads) return 0;
  const double each = traits.stride_write > 1 ? written_apart : traits.stride_read > 1 ? read_apart : 0;
  return each * accesses / cores;
}

// Seconds of the loads and stores that hit the first-level caches of `cores` cores. `roofline`: ceilings
// measured on `sharing` cores. `slower`: factor on the time by these ceilings.
double access_time(const Form& form, const Roofline& roofline, double cores, double sharing, double slower) {
  const Traits& traits = form.traits;
  if (traits.loads < 0 || traits.stores < 0) return 0;
  const double accesses = (traits.loads + traits.stores) * static_cast<double>(form.work.items);
  const double apart = time_apart(traits, accesses, cores);
  const auto rate = roofline.bandwidth(static_cast<std::int64_t>(sharing * near_bytes),
                                       traits.stores / std::max(traits.loads + traits.stores, 1e-9));
  return rate ? std::max(apart, slower * loaded_again * accesses * element_bytes(form) / *rate) : apart;
}

// Factor on the arithmetic rate: square root of an item's operations per memory access; 1 if unknown.
// `operations`: sum over all items.
double by_operations_an_access(const Form& form, std::int64_t operations) {
  const double accesses = form.traits.loads + form.traits.stores,
               own = static_cast<double>(operations) / std::max(static_cast<double>(form.work.items), 1.0);
  const bool known = form.traits.loads >= 0 && form.traits.stores >= 0;
  return known && accesses > 0 && own > 0 ? std::sqrt(own / accesses) : 1;
}

// Factor on the rate of integer operations, from 1 to `most_integers`. It rises with the operations per
// memory access and falls with branch divergence.
double integer_efficiency(const Form& form) {
  const double more =
      std::clamp(by_operations_an_access(form, form.work.integer_operations), 1.0, most_integers) - 1;
  return 1 + more * std::max(1 - 2 * std::max(form.traits.divergence, 0.0), 0.0);
}

// True if consecutive items of a 1-D problem read the same data.
bool have_in_common(const Form& form) {
  const Traits& traits = form.traits;
  return form.bytes_in > 0 && form.extents.y <= 1 && traits.stride_read <= 1 && traits.stride_write <= 1 &&
         traits.special_flops <= 0 && reuse(form) > reuse_in_common;
}

// Speedup of threaded code by cache blocking; 1 if the problem is not a matrix.
double efficiency_in_blocks(const Form& form) {
  const double often = reuse(form);
  const bool matrix = form.extents.y > 1 && form.extents.z <= 1 && std::isfinite(often);
  return matrix ? std::clamp(often / reuse_in_blocks, 1.0, most_in_blocks) : 1;
}

// Memory and arithmetic time on `cores` cores. `roofline`: ceilings measured on `sharing` cores. `times`:
// factor on the time by these ceilings. If the second-level cache keeps the lines of a strided loop until
// their next use, memory time is the larger of cache time and main memory time.
std::optional<CallTime> cpu_time(const Form& form, const Profile& profile, double cores,
                                 const Roofline& roofline, double sharing, double times,
                                 Efficiency efficiency) {
  const double near = cores * profile.l1_cache * (cores > 1 ? near_of_many : 1);
  const Walk read = walk(form, form.traits.stride_read, profile.l2_cache, cores),
             written = walk(form, form.traits.stride_write, profile.l2_cache, cores);
  const bool stays = std::max(read.uses, written.uses) > 1;
  const Traffic lines = traffic(form, stays ? cpu_line : line_of_sweeps(form), near);
  const double crowded = cores > 1 ? all_at_once : 1, blocks = cores > 1 ? efficiency_in_blocks(form) : 1;
  const double accesses = crowded / blocks * access_time(form, roofline, cores, sharing, times);
  efficiency.arithmetic =
      std::min(efficiency.arithmetic * by_operations_an_access(form, form.work.flops), most_arithmetic);
  efficiency.arithmetic *= have_in_common(form) ? in_common : 1;
  efficiency.arithmetic *= blocks;
  efficiency.arithmetic /= crowded * (1 + diverging * std::max(form.traits.divergence, 0.0));
  Slower slower = slower_by(times, efficiency, special_on_cpu, integer_on_cpu / integer_efficiency(form));
  slower.footprint = cores > 1 ? shared_footprint : 1;
  if (!stays) {
    auto time = roofline_time(form, lines, roofline, slower);
    if (time) time->memory = std::max(time->memory, accesses);
    return time;
  }
  const double writes = lines.bytes * lines.write_share, reads = lines.bytes - writes;
  Traffic moved = {reads / read.uses + writes / written.uses, 0};
  moved.write_share = writes / written.uses / moved.bytes;
  std::optional<CallTime> time = roofline_time(form, moved, roofline, slower);
  const double swept = sharing * std::max(read.lines, written.lines);
  const auto rate = roofline.bandwidth(static_cast<std::int64_t>(swept), lines.write_share);
  if (time && rate) time->memory = std::max({time->memory, accesses, slower.memory * lines.bytes / *rate});
  return time;
}

// Time on one core. It uses the ceilings of one core or, if these are missing, an equal fraction of the
// all-core ceilings.
std::optional<CallTime> one_core_time(const Form& form, const Profile& profile, Efficiency efficiency) {
  const double threads = std::max(profile.threads, 1.0);
  return profile.one_core.empty()
             ? cpu_time(form, profile, 1, profile.all_cores, threads, threads, efficiency)
             : cpu_time(form, profile, 1, profile.one_core, 1, 1, efficiency);
}

// Seconds to start the loops over all rows of a grid.
double row_starts(const Form& form) {
  return form.extents.y <= 1
             ? 0
             : row_start * static_cast<double>(form.extents.y * std::max<std::int64_t>(form.extents.z, 1));
}

std::optional<CallTime> serial_time(const Form& form, const Profile& profile) {
  auto time = one_core_time(form, profile, of_plain_code);
  if (!time) return time;
  time->launches = call_start + row_starts(form) + chain_time(form, cpu_latency, 0, 1);
  time->arithmetic = std::max(time->arithmetic, term_in_order * in_order(form).terms);
  return time;
}

// Seconds to move cache lines between cores that write at random positions. If items write near their own
// element, only lines at the borders between the cores' sections move.
double line_hops(const Form& form, double cores) {
  const double element = element_bytes(form), stride = form.traits.stride_write;
  const bool reads_rows = form.traits.stride_read > 1 && !at_random(form, form.traits.stride_read);
  if (cores <= 1 || stride * element <= cpu_line || form.extents.y > 1 || reads_rows) return 0;
  const double of_a_core = std::max(static_cast<double>(form.work.items), 1.0) / cores;
  const double others = std::min(window * stride / of_a_core, 1.0);
  return others * static_cast<double>(form.work.bytes_written) / element * line_hop / cores;
}

// Number of CPU threads that pay off, by the number of items (`grain`) or by single-core time
// (`worth_a_thread`). The larger number counts.
double busy_threads(const Form& form, const Profile& profile) {
  double pay = independent(form) / grain;
  if (const auto alone = one_core_time(form, profile, of_plain_code))
    pay = std::max(pay, std::min(independent(form), alone->total() / worth_a_thread));
  return std::clamp(pay, 1.0, std::max(profile.threads, 1.0));
}

// Seconds that CPU threads wait for each other between steps. `wait`: seconds of one wait.
double waits_of_threads(const Form& form, const InOrder& waiting, double wait) {
  const Traits& traits = form.traits;
  const bool loops = form.extents.y <= 1 && traits.depth == passes(form);
  const bool grid =
      form.extents.y > 1 && traits.depth <= 1 && traits.stride_read == 1 && traits.stride_write == 1;
  const double of_chain = waiting.scattered      ? waits_of_sort
                          : adds_to_many(form)   ? waits_of_tables
                          : traits.reduction > 0 ? waits_of_sum
                                                 : 1;
  return (passes(form) - 1) * (loops ? waits_of_loop : 1) * wait + (grid ? waits_of_grid * wait : 0) +
         chain_time(form, cpu_latency, of_chain * wait, agreeing_in_openmp);
}

// Contention between cores: 0 for one core, 1 for `many_cores` cores and more.
double many(double cores) { return std::min(std::log2(cores) / std::log2(many_cores), 1.0); }

// Factor on the time of a sum's sequential additions if `cores` cores share the sum. `by_many`: the factor
// for `many_cores` cores.
double shared_by(double cores, double by_many) {
  return by_many > 1 ? 1 + (by_many - 1) * many(cores) : by_many;
}

std::optional<CallTime> threads_time(const Form& form, const Profile& profile) {
  const double threads = std::max(profile.threads, 1.0);
  const double busy = busy_threads(form, profile);
  auto time = cpu_time(form, profile, busy, profile.all_cores, threads, threads / busy, of_plain_code);
  if (!time) return time;
  time->memory = std::max(time->memory, line_hops(form, busy));
  const InOrder waiting = in_order(form);
  const double shared = shared_by(busy, waiting.sharing) * term_in_order * waiting.terms / busy;
  time->arithmetic = std::max(time->arithmetic, shared);
  const double launch = profile.all_cores.launch_cost("openmp").value_or(0);
  time->launches =
      launch + row_starts(form) / busy + waits_of_threads(form, waiting, wait_in_openmp * launch);
  return time;
}

// Number of GPU threads that can run in parallel. OpenACC runs one item per thread; other code also splits
// sums over threads.
double at_once_on_gpu(const Form& form, Option option) {
  const auto operations = static_cast<double>(form.work.flops + form.work.integer_operations);
  const double split = operations / std::max(form.traits.depth, 1.0) / split_sums;
  return std::max(independent(form), option == Option::openacc ? 0 : split);
}

double room_on_gpu(const Profile& profile) {
  return std::max(profile.gpu->multiprocessors, 1.0) * threads_a_multiprocessor;
}

std::optional<CallTime> gpu_time(const Form& form, const Profile& profile, Option option) {
  if (!profile.gpu) return std::nullopt;
  const auto launch = profile.on_gpu.launch_cost(option == Option::openacc ? "openacc" : "cuda");
  if (!launch) return std::nullopt;
  const double filled = std::min(1.0, at_once_on_gpu(form, option) / room_on_gpu(profile));
  const double longer = option == Option::gpu_library ? gpu_library_call : 1;
  auto time = roofline_time(form, traffic(form, gpu_sector, 0), profile.on_gpu,
                            slower_by(longer / filled, of_gpu, special_on_gpu, 1));
  if (!time) return time;
  // CUDA code runs all passes in one launch. OpenACC launches a pass while the previous one runs. Only the
  // first launch counts in full. The steps of a user kernel, which has no traits, are launches of their own.
  const double wait = *launch * (!has_traits(form)           ? 1
                                 : option == Option::openacc ? wait_in_openacc
                                                             : wait_in_cuda);
  time->launches =
      longer * (*launch + (passes(form) - 1) * wait + chain_time(form, gpu_latency, wait, agreeing_on_gpu)) +
      doubled_depth * std::log2(std::max(form.traits.depth, 1.0));
  return time;
}

// Factor on the all-core time if a library uses only few threads. Cache blocking lowers the factor.
double few_threads(const Form& form, double threads) {
  return 1 / (std::max(library_threads, 1 / threads) * efficiency_in_blocks(form));
}

// Time of a CPU library call if all threads share each step of a chain of dependent steps.
std::optional<CallTime> shared_steps_time(const Form& form, const Profile& profile, double launch) {
  Form vectors = form;
  vectors.traits.loads = Traits::not_known;
  const double threads = std::max(profile.threads, 1.0);
  auto time =
      cpu_time(vectors, profile, threads, profile.all_cores, threads, few_threads(form, threads), of_library);
  const double wait = wait_in_library * launch * many(threads);
  if (time) time->launches = launch + chain_time(form, cpu_latency, wait, 1);
  return time;
}

// Time of a CPU library's transforms (FFT). Each thread computes its own transforms.
std::optional<CallTime> transforms_time(const Form& form, const Profile& profile, double launch) {
  Form vectors = form;
  vectors.traits.loads = Traits::not_known;
  auto one = one_core_time(vectors, profile, of_library);
  if (!one) return one;
  one->launches = library_call, one->arithmetic *= transform;
  if (one->total() <= transforms_shared_above) return one;
  const double threads = std::max(profile.threads, 1.0);
  auto all = cpu_time(vectors, profile, threads, profile.all_cores, threads, 1, of_library);
  if (all) all->launches = launch + library_call, all->arithmetic *= transform;
  return all;
}

// Time of a CPU library call: the shorter of one core and all threads. Recurrences run as plain serial code
// and scans as threaded code; each costs one additional launch.
std::optional<CallTime> cpu_library_time(const Form& form, const Profile& profile) {
  const double launch = profile.all_cores.launch_cost("openmp").value_or(0);
  const bool sums = form.traits.reduction > 0;
  if (is_transform(form.traits)) return transforms_time(form, profile, launch);
  if (in_order(form).recurrence || (!sums && steps_between_items(form) > 1)) {
    auto time = steps_between_items(form) == 1 ? threads_time(form, profile) : serial_time(form, profile);
    if (time) time->launches += launch;
    if (in_order(form).recurrence || !time || time->total() <= shared_above) return time;
    return shared_steps_time(form, profile, launch);
  }
  Form vectors = form;
  vectors.traits.loads = Traits::not_known;
  auto one = one_core_time(vectors, profile, of_library);
  if (!one) return one;
  one->launches = library_call;
  const double threads = std::max(profile.threads, 1.0);
  auto all =
      cpu_time(vectors, profile, threads, profile.all_cores, threads, few_threads(form, threads), of_library);
  if (all) all->launches = launch + library_call;
  return all && all->total() < one->total() ? all : one;
}

// Seconds to copy `arrays` arrays with a total of `bytes` bytes, one copy for each array.
std::optional<double> copies(const CostOverSize& cost, std::int64_t arrays, std::int64_t bytes) {
  const auto one = cost.at(bytes / std::max<std::int64_t>(arrays, 1));
  if (!one) return std::nullopt;
  return static_cast<double>(arrays) * *one;
}

double allocation(const Form& form, const GpuProfile& gpu) {
  const auto in_and_out = static_cast<double>(std::max<std::int64_t>(form.bytes_in + form.bytes_out, 1));
  const double once = std::min(1.0, static_cast<double>(form.working_set) / in_and_out);
  const double arrays =
      std::max(1.0, std::round(static_cast<double>(form.arrays_in + form.arrays_out) * once));
  const double each = static_cast<double>(form.working_set) / arrays;
  const auto bytes = static_cast<std::int64_t>(each);
  return arrays * (each > cut_out_below ? new_block : cut_out) *
         (gpu.allocate.at(bytes).value_or(0) + gpu.release.at(bytes).value_or(0));
}

}  // namespace

std::optional<CallTime> call_time(const Form& form, const Profile& profile, Option option) {
  if (option == Option::serial) return serial_time(form, profile);
  if (option == Option::cpu_library) return cpu_library_time(form, profile);
  return on_gpu(option) ? gpu_time(form, profile, option) : threads_time(form, profile);
}

std::optional<double> analytic_time(const Form& form, const Profile& profile, Option option, Target target,
                                    double reuse) {
  const std::optional<CallTime> call = call_time(form, profile, option);
  if (!call) return std::nullopt;
  if (target == Target::call) return call->total();
  if (!on_gpu(option)) return reuse * call->total();
  const GpuProfile& gpu = *profile.gpu;
  const auto in = copies(gpu.copy_in, form.arrays_in, form.bytes_in),
             out = copies(gpu.copy_out, form.arrays_out, form.bytes_out);
  if (!in || !out) return std::nullopt;
  return allocation(form, gpu) + first_launch + *in + reuse * call->total() + *out;
}

double filled_part(const Form& form, const Profile& profile, Option option) {
  if (!on_gpu(option) || !profile.gpu) return 1;
  return std::min(1.0, static_cast<double>(form.work.items) / passes(form) / room_on_gpu(profile));
}

double least_time(const Form& form, const Profile& profile, Option option) {
  const std::optional<CallTime> time = call_time(form, profile, option);
  const bool one_core = option == Option::serial && !profile.one_core.empty();
  const Roofline& roofline = on_gpu(option) ? profile.on_gpu
                             : one_core     ? profile.one_core
                                            : profile.all_cores;
  const auto rate = roofline.flop_rate(form.type, true), plain = roofline.flop_rate(form.type, false);
  const double fastest = std::max(rate.value_or(0), plain.value_or(0));
  const double arithmetic = fastest > 0 ? static_cast<double>(form.work.flops) / fastest : 0;
  const double memory = time ? time->memory * (on_gpu(option) ? of_gpu : of_plain_code).memory : 0;
  return std::max(memory, arithmetic);
}

double share_of_work(const Form& form, const Profile& profile, Option option, Target target) {
  const std::optional<double> total = analytic_time(form, profile, option, target);
  const std::optional<CallTime> call = call_time(form, profile, option);
  return total && call && *total > 0 ? std::clamp(1 - call->launches / *total, 0.0, 1.0) : 1;
}

}  // namespace sextant::predict
