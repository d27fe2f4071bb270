#include "predict/physics.hpp"

#include <algorithm>
#include <cmath>

#include "predict/chains.hpp"
#include "predict/traffic.hpp"

namespace sextant::predict {
namespace {

// Integer operations take the place of a multiplication with addition of 32 bits, which ceilings count as two
// FLOP.
constexpr double flops_of_fma = 2;
// A division, root, exponential or logarithm takes the place of so many FLOP; GPUs have units for it.
constexpr double special_on_cpu = 12, special_on_gpu = 4;
// Of the operations that a core can do at best no plain loop reaches more.
constexpr double most_reached = 0.7;
// Of a FLOP's time at what CPUs reach: vectors of integers are what compilers make more readily.
constexpr double integer_on_cpu = 0.35;
// Of integers so many times as many operations, the more an item does with what it loads and stores.
constexpr double most_integers = 2;
// Where items in a row have what they read in common they find it in registers, and operations take so much
// less.
constexpr double in_common = 2.5, reuse_in_common = 8;
// What is written for threads takes matrices in blocks, the more often each element is used: so many times
// the operations, and of loads from its first cache as much less.
constexpr double reuse_in_blocks = 150, most_in_blocks = 3;
constexpr double all_at_once =
    1.3;  // so many times longer operations and near accesses take where all cores do them
// Items that leave the others' path at a branch are no vectors: so many times longer, were all of them to
// leave it.
constexpr double diverging = 16;
// Waits of a step whose items data choose, as those of a search: for all to have found theirs, and for all to
// know.
constexpr double agreeing_in_openmp = 2.5, agreeing_on_gpu = 5;
// Seconds of a call, and of a row of a grid besides its points.
constexpr double call_start = 1e-8, row_start = 6e-9;
constexpr double cpu_latency = 2e-9, gpu_latency = 50e-9;  // seconds from a value to one that needs it
constexpr double term_in_order = 0.5e-9;                   // seconds from a term of a sum to the next
constexpr double many_cores = 16;  // so many that share such terms are as much in each other's way as more
constexpr double line_hop =
    13e-9;  // seconds until another core's cache hands over a line, some under way at once
constexpr double loaded_again =
    0.5;  // of the accesses of a plain loop; others find their value in a register
// Seconds of an access of a core whose neighbours lie elsewhere, so that several are no vector: where writes
// do, and where reads alone. Of items with fewer loads than these; others are vectors of items, but for those
// with as many stores: a transform's, which takes each as where reads alone do.
constexpr double written_apart = 0.15e-9, read_apart = 0.1e-9, few_loads = 8;
constexpr double window = 2;             // strides that writes at places near the item's own reach
constexpr double near_bytes = 64 << 10;  // a core's share of a footprint that its nearest caches hold
constexpr double near_of_many = 0.5;     // of their caches, as lines lie in several
// Cores that share arrays keep less of them than the ceilings' do, each of which walks through a part of its
// own: as if arrays were so many times as large.
constexpr double shared_footprint = 2.5;
// Items below which another thread does not pay on a CPU: a few cache lines of elements.
constexpr double grain = 40;
constexpr double worth_a_thread =
    1e-6;  // seconds of one core's for which another thread pays, however few items
// Threads that a multiprocessor holds, of compute capability 8.0 and 9.0 (CUDA C++ Programming Guide, table
// "Technical Specifications per Compute Capability"); others hold 1024 or 1536.
constexpr double threads_a_multiprocessor = 2048;
// What is written for a GPU's threads splits what an item sums among them: for so many operations each.
constexpr double split_sums = 10;
// Libraries of a CPU: their vectors are made by hand; their threads are few for what they compute. Seconds of
// a call that starts none.
constexpr double library_call = 4e-8, library_threads = 0.1;
constexpr Reach of_library = {of_plain_code.memory, 0.4};
// A library's transforms take one core so many times longer; what takes it longer than this all threads
// share, and none of them is idle.
constexpr double transform = 2.5, transforms_shared_above = 4.5e-5;
// Steps of a chain that take one core longer than this a library shares, block by block; all its threads wait
// for each for so many launches of OpenMP, where they are many.
constexpr double shared_above = 1e-4, wait_in_library = 6;
// A call of a library of a GPU is more general than a kernel of one's own, and so many times as long.
constexpr double gpu_library_call = 1.4;
// Of the waits of a chain so many are those of a sort on a CPU, whose cores go through parts of their own in
// between.
constexpr double waits_of_sort = 0.25;
// Of such waits: of threads that combine what they summed, as they meet at the end anyway; that put their
// tables into one; of loops over arrays of one dimension, each of which starts threads of its own; of a grid,
// whose loop over rows is within what threads do together.
constexpr double waits_of_sum = 0, waits_of_tables = 0.7, waits_of_loop = 2, waits_of_grid = 0.8;
constexpr double doubled_depth =
    0.4e-6;  // seconds of a GPU for each doubling of the operations of an item that need each other
// cudaMalloc cuts arrays below so many bytes out of blocks that it has already: such a share of what a new
// block takes. Each array of its own takes more than a ceiling's, whose block is at hand again.
constexpr double cut_out_below = 917504, cut_out = 0.06, new_block = 1.3;
constexpr double first_launch = 8e-6;  // seconds that a launch takes longer behind copies

constexpr std::int64_t of_memory = std::int64_t{1} << 40;  // a footprint that no cache holds any of

// What can be done at once: items, or elements where an item is a sum of many.
double independent(const Form& form) {
  const auto bytes = static_cast<double>(form.work.bytes_read + form.work.bytes_written);
  return std::max({static_cast<double>(form.work.items) / passes(form), bytes / element_bytes(form), 1.0});
}

// How many times longer than by the ceilings, of which `reach` is reached; `footprint`: how many times as
// large arrays seem.
struct Slower {
  double memory, arithmetic, integers, special_flops, footprint = 1;
};

Slower slower_by(double times, Reach reach, double special_flops, double integers) {
  return {times / reach.memory, times / reach.arithmetic, times / reach.arithmetic * integers, special_flops};
}

// Floats are computed no slower than doubles: a rate that says so was measured beside something else.
std::optional<double> rate_of_flops(const Roofline& roofline, ElementType type) {
  const auto own = roofline.flop_rate(type, false),
             of_doubles = roofline.flop_rate(ElementType::float64, false);
  return own && of_doubles ? std::max(own, type == ElementType::float32 ? of_doubles : own) : own;
}

// Memory and arithmetic by a roofline.
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

// Whether items are made of many that lie apart, and so are what they make: a transform's steps.
bool is_transform(const Traits& traits) {
  return traits.stride_read > 1 && traits.stride_write > 1 && traits.loads >= few_loads &&
         traits.stores >= few_loads;
}

// The time of loads and stores one by one, of `cores` that share them.
double time_apart(const Traits& traits, double accesses, double cores) {
  if (is_transform(traits)) return read_apart * accesses / cores;
  if (traits.loads >= few_loads) return 0;
  const double each = traits.stride_write > 1 ? written_apart : traits.stride_read > 1 ? read_apart : 0;
  return each * accesses / cores;
}

// The time of the loads and stores of `cores`, each of which its first cache serves.
double access_time(const Form& form, const Roofline& roofline, double cores, double sharing, double slower) {
  const Traits& traits = form.traits;
  if (traits.loads < 0 || traits.stores < 0) return 0;
  const double accesses = (traits.loads + traits.stores) * static_cast<double>(form.work.items);
  const double apart = time_apart(traits, accesses, cores);
  const auto rate = roofline.bandwidth(static_cast<std::int64_t>(sharing * near_bytes),
                                       traits.stores / std::max(traits.loads + traits.stores, 1e-9));
  return rate ? std::max(apart, slower * loaded_again * accesses * element_bytes(form) / *rate) : apart;
}

// Of a core's operations a loop reaches the more of them it does with what it loads and stores: such a share
// of `reach`, for so many of all items.
double by_operations_an_access(const Form& form, std::int64_t operations) {
  const double accesses = form.traits.loads + form.traits.stores,
               own = static_cast<double>(operations) / std::max(static_cast<double>(form.work.items), 1.0);
  const bool known = form.traits.loads >= 0 && form.traits.stores >= 0;
  return known && accesses > 0 && own > 0 ? std::sqrt(own / accesses) : 1;
}

// The same of integers, which are scalars: at least once, and less where items part.
double integers_reached(const Form& form) {
  const double more =
      std::clamp(by_operations_an_access(form, form.work.integer_operations), 1.0, most_integers) - 1;
  return 1 + more * std::max(1 - 2 * std::max(form.traits.divergence, 0.0), 0.0);
}

// Whether items in a row read the same: more than there is for each of them.
bool have_in_common(const Form& form) {
  const Traits& traits = form.traits;
  return form.bytes_in > 0 && form.extents.y <= 1 && traits.stride_read <= 1 && traits.stride_write <= 1 &&
         traits.special_flops <= 0 && reuse(form) > reuse_in_common;
}

// How many times the operations of the plain loop what is written for threads reaches.
double reached_in_blocks(const Form& form) {
  const double often = reuse(form);
  const bool matrix = form.extents.y > 1 && form.extents.z <= 1 && std::isfinite(often);
  return matrix ? std::clamp(often / reuse_in_blocks, 1.0, most_in_blocks) : 1;
}

// As roofline_time, of `cores` that walk, by the ceilings of `sharing` cores, `times` longer: what the second
// caches hand over, or what memory moves of it, whichever takes longer.
std::optional<CallTime> cpu_time(const Form& form, const Profile& profile, double cores,
                                 const Roofline& roofline, double sharing, double times, Reach reach) {
  const double near = cores * profile.l1_cache * (cores > 1 ? near_of_many : 1);
  const Walk read = walk(form, form.traits.stride_read, profile.l2_cache, cores),
             written = walk(form, form.traits.stride_write, profile.l2_cache, cores);
  const bool stays = std::max(read.uses, written.uses) > 1;
  const Traffic lines = traffic(form, stays ? cpu_line : line_of_sweeps(form), near);
  const double crowded = cores > 1 ? all_at_once : 1, blocks = cores > 1 ? reached_in_blocks(form) : 1;
  const double accesses = crowded / blocks * access_time(form, roofline, cores, sharing, times);
  reach.arithmetic =
      std::min(reach.arithmetic * by_operations_an_access(form, form.work.flops), most_reached);
  reach.arithmetic *= have_in_common(form) ? in_common : 1;
  reach.arithmetic *= blocks;
  reach.arithmetic /= crowded * (1 + diverging * std::max(form.traits.divergence, 0.0));
  Slower slower = slower_by(times, reach, special_on_cpu, integer_on_cpu / integers_reached(form));
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

// Of one core, by its ceilings, or, where they were not measured, by its share of all.
std::optional<CallTime> one_core_time(const Form& form, const Profile& profile, Reach reach) {
  const double threads = std::max(profile.threads, 1.0);
  return profile.one_core.empty() ? cpu_time(form, profile, 1, profile.all_cores, threads, threads, reach)
                                  : cpu_time(form, profile, 1, profile.one_core, 1, 1, reach);
}

// Of a grid's rows, whose loops begin and end.
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

// Lines that cores write at random places go from one core's cache to another's: all of them, or, where an
// item's place is near its own, those at the ends of what each core has.
double line_hops(const Form& form, double cores) {
  const double element = element_bytes(form), stride = form.traits.stride_write;
  const bool reads_rows = form.traits.stride_read > 1 && !at_random(form, form.traits.stride_read);
  if (cores <= 1 || stride * element <= cpu_line || form.extents.y > 1 || reads_rows) return 0;
  const double of_a_core = std::max(static_cast<double>(form.work.items), 1.0) / cores;
  const double others = std::min(window * stride / of_a_core, 1.0);
  return others * static_cast<double>(form.work.bytes_written) / element * line_hop / cores;
}

// Threads that pay: of as many items as there are at least, and of what takes one core longer than to start
// another.
double busy_threads(const Form& form, const Profile& profile) {
  double pay = independent(form) / grain;
  if (const auto alone = one_core_time(form, profile, of_plain_code))
    pay = std::max(pay, std::min(independent(form), alone->total() / worth_a_thread));
  return std::clamp(pay, 1.0, std::max(profile.threads, 1.0));
}

// What threads wait for each other between steps, of which one takes `wait`.
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

// How much so many cores are in each other's way, of what many are: 0 for one core, 1 for many.
double many(double cores) { return std::min(std::log2(cores) / std::log2(many_cores), 1.0); }

// How many times longer terms in order take where so many cores share them, of what many cores take.
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

// What a GPU's threads can do at once. Directives give each item one.
double at_once_on_gpu(const Form& form, Option option) {
  const auto operations = static_cast<double>(form.work.flops + form.work.integer_operations);
  const double split = operations / std::max(form.traits.depth, 1.0) / split_sums;
  return std::max(independent(form), option == Option::openacc ? 0 : split);
}

std::optional<CallTime> gpu_time(const Form& form, const Profile& profile, Option option) {
  if (!profile.gpu) return std::nullopt;
  const auto launch = profile.on_gpu.launch_cost(option == Option::openacc ? "openacc" : "cuda");
  if (!launch) return std::nullopt;
  const double room = std::max(profile.gpu->multiprocessors, 1.0) * threads_a_multiprocessor;
  const double filled = std::min(1.0, at_once_on_gpu(form, option) / room);
  const double longer = option == Option::gpu_library ? gpu_library_call : 1;
  auto time = roofline_time(form, traffic(form, gpu_sector, 0), profile.on_gpu,
                            slower_by(longer / filled, of_gpu, special_on_gpu, 1));
  if (!time) return time;
  // Passes are started while the ones before run, by CUDA within one launch: only the first is waited for.
  const double wait = *launch * (option == Option::openacc ? wait_in_openacc : wait_in_cuda);
  time->launches =
      longer * (*launch + (passes(form) - 1) * wait + chain_time(form, gpu_latency, wait, agreeing_on_gpu)) +
      doubled_depth * std::log2(std::max(form.traits.depth, 1.0));
  return time;
}

// How many times longer all threads of a library take: few work, but one at least, more where they take
// blocks.
double few_threads(const Form& form, double threads) {
  return 1 / (std::max(library_threads, 1 / threads) * reached_in_blocks(form));
}

// Of all threads of a library, which take a chain's steps together.
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

// Of a library's transforms, of which each thread takes its own.
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

// One core, without a start of threads, or all of them. Recurrences are no better in a library than
// elsewhere; scans are shared by its threads, which start once more.
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

// Of so many arrays of `bytes` in all, each copied on its own.
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

std::optional<double> physics(const Form& form, const Profile& profile, Option option, Target target,
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

double share_of_work(const Form& form, const Profile& profile, Option option, Target target) {
  const std::optional<double> total = physics(form, profile, option, target);
  const std::optional<CallTime> call = call_time(form, profile, option);
  return total && call && *total > 0 ? std::clamp(1 - call->launches / *total, 0.0, 1.0) : 1;
}

}  // namespace sextant::predict
