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
constexpr double near_bytes = 64 << 10;  // footprint in bytes per core that fits in its nearest caches
// Maximum resident threads per multiprocessor for compute capability 8.0 and 9.0 (CUDA C++ Programming Guide,
// table "Technical Specifications per Compute Capability"). Other GPUs hold 1024 or 1536.
constexpr double threads_a_multiprocessor = 2048;
// cudaMalloc serves arrays of at most this number of bytes from memory that it already holds.
constexpr double cut_out_below = 917504;
constexpr std::int64_t of_memory = std::int64_t{1} << 40;  // bytes; a footprint larger than every cache

// Fractions of the measured ceilings that code reaches: `memory` of the bandwidth, `arithmetic` of the FLOP
// rate.
struct Efficiency {
  double memory, arithmetic;
};

// Factors on the time of each resource compared with its ceiling. `special_flops`: FLOP that one special
// operation (such as a root) counts for. `footprint`: factor on the size of the arrays.
struct Slower {
  double memory, arithmetic, integers, special_flops, footprint = 1;
};

// The terms of the model with their constants.
struct Terms {
  const Constants& c;

  Efficiency plain_code() const { return {c.code_memory, c.code_arithmetic}; }
  Efficiency library_code() const { return {c.code_memory, c.library_arithmetic}; }
  Efficiency gpu_code() const { return {c.gpu_memory, c.gpu_arithmetic}; }

  // Number of items that can run in parallel. If each item sums many elements, these elements can also run in
  // parallel.
  double independent(const Form& form) const {
    const auto bytes = static_cast<double>(form.work.bytes_read + form.work.bytes_written);
    return std::max({static_cast<double>(form.work.items) / passes(form), bytes / element_bytes(form), 1.0});
  }

  Slower slower_by(double times, Efficiency efficiency, double special_flops, double integers) const {
    return {times / efficiency.memory, times / efficiency.arithmetic,
            times / efficiency.arithmetic * integers, special_flops};
  }

  // FLOP rate for a type. The float rate is at least the double rate, because a lower one is a disturbed
  // measurement.
  std::optional<double> rate_of_flops(const Roofline& roofline, ElementType type) const {
    const auto own = roofline.flop_rate(type, false),
               of_doubles = roofline.flop_rate(ElementType::float64, false);
    return own && of_doubles ? std::max(own, type == ElementType::float32 ? of_doubles : own) : own;
  }

  // Memory and arithmetic time by the roofline model. Returns nothing if a ceiling is missing.
  std::optional<CallTime> roofline_time(const Form& form, const Traffic& moved, const Roofline& roofline,
                                        const Slower& slower) const {
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
  bool is_transform(const Traits& traits) const {
    return traits.stride_read > 1 && traits.stride_write > 1 && traits.loads >= c.few_loads &&
           traits.stores >= c.few_loads;
  }

  // Seconds of `accesses` strided accesses, which are not vectorized, split evenly over `cores`.
  double time_apart(const Traits& traits, double accesses, double cores) const {
    if (is_transform(traits)) return c.read_apart * accesses / cores;
    if (traits.loads >= c.few_loads) return 0;
    const double each = traits.stride_write > 1 ? c.written_apart : traits.stride_read > 1 ? c.read_apart : 0;
    return each * accesses / cores;
  }

  // Seconds of the loads and stores that hit the first-level caches of `cores` cores. `roofline`: ceilings
  // measured on `sharing` cores. `slower`: factor on the time by these ceilings.
  double access_time(const Form& form, const Roofline& roofline, double cores, double sharing,
                     double slower) const {
    const Traits& traits = form.traits;
    if (traits.loads < 0 || traits.stores < 0) return 0;
    const double accesses = (traits.loads + traits.stores) * static_cast<double>(form.work.items);
    const double apart = time_apart(traits, accesses, cores);
    const auto rate = roofline.bandwidth(static_cast<std::int64_t>(sharing * near_bytes),
                                         traits.stores / std::max(traits.loads + traits.stores, 1e-9));
    return rate ? std::max(apart, slower * c.loaded_again * accesses * element_bytes(form) / *rate) : apart;
  }

  // Factor on the arithmetic rate: square root of an item's operations per memory access; 1 if unknown.
  // `operations`: sum over all items.
  double by_operations_an_access(const Form& form, std::int64_t operations) const {
    const double accesses = form.traits.loads + form.traits.stores,
                 own = static_cast<double>(operations) / std::max(static_cast<double>(form.work.items), 1.0);
    const bool known = form.traits.loads >= 0 && form.traits.stores >= 0;
    return known && accesses > 0 && own > 0 ? std::sqrt(own / accesses) : 1;
  }

  // Factor on the rate of integer operations, from 1 to `most_integers`. It rises with the operations per
  // memory access and falls with branch divergence.
  double integer_efficiency(const Form& form) const {
    const double more =
        std::clamp(by_operations_an_access(form, form.work.integer_operations), 1.0, c.most_integers) - 1;
    return 1 + more * std::max(1 - 2 * std::max(form.traits.divergence, 0.0), 0.0);
  }

  // True if consecutive items of a 1-D problem read the same data.
  bool have_in_common(const Form& form) const {
    const Traits& traits = form.traits;
    return form.bytes_in > 0 && form.extents.y <= 1 && traits.stride_read <= 1 && traits.stride_write <= 1 &&
           traits.special_flops <= 0 && reuse(form) > c.reuse_in_common;
  }

  // Speedup of threaded code by cache blocking; 1 if the problem is not a matrix.
  double efficiency_in_blocks(const Form& form) const {
    const double often = reuse(form);
    const bool matrix = form.extents.y > 1 && form.extents.z <= 1 && std::isfinite(often);
    return matrix ? std::clamp(often / c.reuse_in_blocks, 1.0, c.most_in_blocks) : 1;
  }

  // Memory and arithmetic time on `cores` cores. `roofline`: ceilings measured on `sharing` cores. `times`:
  // factor on the time by these ceilings. If the second-level cache keeps the lines of a strided loop until
  // their next use, memory time is the larger of cache time and main memory time.
  std::optional<CallTime> cpu_time(const Form& form, const Profile& profile, double cores,
                                   const Roofline& roofline, double sharing, double times,
                                   Efficiency efficiency) const {
    const double near = cores * profile.l1_cache * (cores > 1 ? c.near_of_many : 1);
    const Walk read = walk(c, form, form.traits.stride_read, profile.l2_cache, cores),
               written = walk(c, form, form.traits.stride_write, profile.l2_cache, cores);
    const bool stays = std::max(read.uses, written.uses) > 1;
    const Traffic lines = traffic(form, stays ? cpu_line : line_of_sweeps(c, form), near);
    const double crowded = cores > 1 ? c.all_at_once : 1, blocks = cores > 1 ? efficiency_in_blocks(form) : 1;
    const double accesses = crowded / blocks * access_time(form, roofline, cores, sharing, times);
    efficiency.arithmetic =
        std::min(efficiency.arithmetic * by_operations_an_access(form, form.work.flops), c.most_arithmetic);
    efficiency.arithmetic *= have_in_common(form) ? c.in_common : 1;
    efficiency.arithmetic *= blocks;
    efficiency.arithmetic /= crowded * (1 + c.diverging * std::max(form.traits.divergence, 0.0));
    Slower slower =
        slower_by(times, efficiency, c.special_on_cpu, c.integer_on_cpu / integer_efficiency(form));
    slower.footprint = cores > 1 ? c.shared_footprint : 1;
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
  std::optional<CallTime> one_core_time(const Form& form, const Profile& profile,
                                        Efficiency efficiency) const {
    const double threads = std::max(profile.threads, 1.0);
    return profile.one_core.empty()
               ? cpu_time(form, profile, 1, profile.all_cores, threads, threads, efficiency)
               : cpu_time(form, profile, 1, profile.one_core, 1, 1, efficiency);
  }

  // Seconds to start the loops over all rows of a grid.
  double row_starts(const Form& form) const {
    return form.extents.y <= 1 ? 0
                               : c.row_start * static_cast<double>(form.extents.y *
                                                                   std::max<std::int64_t>(form.extents.z, 1));
  }

  std::optional<CallTime> serial_time(const Form& form, const Profile& profile) const {
    auto time = one_core_time(form, profile, plain_code());
    if (!time) return time;
    time->launches = c.call_start + row_starts(form) + chain_time(c, form, c.cpu_latency, 0, 1);
    time->arithmetic = std::max(time->arithmetic, c.term_in_order * in_order(c, form).terms);
    return time;
  }

  // Seconds to move cache lines between cores that write at random positions. If items write near their own
  // element, only lines at the borders between the cores' sections move.
  double line_hops(const Form& form, double cores) const {
    const double element = element_bytes(form), stride = form.traits.stride_write;
    const bool reads_rows = form.traits.stride_read > 1 && !at_random(c, form, form.traits.stride_read);
    if (cores <= 1 || stride * element <= cpu_line || form.extents.y > 1 || reads_rows) return 0;
    const double of_a_core = std::max(static_cast<double>(form.work.items), 1.0) / cores;
    const double others = std::min(c.window * stride / of_a_core, 1.0);
    return others * static_cast<double>(form.work.bytes_written) / element * c.line_hop / cores;
  }

  // Number of CPU threads that pay off, by the number of items (`grain`) or by single-core time
  // (`worth_a_thread`). The larger number counts.
  double busy_threads(const Form& form, const Profile& profile) const {
    double pay = independent(form) / c.grain;
    if (const auto alone = one_core_time(form, profile, plain_code()))
      pay = std::max(pay, std::min(independent(form), alone->total() / c.worth_a_thread));
    return std::clamp(pay, 1.0, std::max(profile.threads, 1.0));
  }

  // Seconds that CPU threads wait for each other between steps. `wait`: seconds of one wait.
  double waits_of_threads(const Form& form, const InOrder& waiting, double wait) const {
    const Traits& traits = form.traits;
    const bool loops = form.extents.y <= 1 && traits.depth == passes(form);
    const bool grid =
        form.extents.y > 1 && traits.depth <= 1 && traits.stride_read == 1 && traits.stride_write == 1;
    const double of_chain = waiting.scattered      ? c.waits_of_sort
                            : adds_to_many(form)   ? c.waits_of_tables
                            : traits.reduction > 0 ? 0
                                                   : 1;
    return (passes(form) - 1) * (loops ? c.waits_of_loop : 1) * wait + (grid ? c.waits_of_grid * wait : 0) +
           chain_time(c, form, c.cpu_latency, of_chain * wait, c.agreeing_in_openmp);
  }

  // Contention between cores: 0 for one core, 1 for `many_cores` cores and more.
  double many(double cores) const { return std::min(std::log2(cores) / std::log2(c.many_cores), 1.0); }

  // Factor on the time of a sum's sequential additions if `cores` cores share the sum. `by_many`: the factor
  // for `many_cores` cores.
  double shared_by(double cores, double by_many) const {
    return by_many > 1 ? 1 + (by_many - 1) * many(cores) : by_many;
  }

  std::optional<CallTime> threads_time(const Form& form, const Profile& profile) const {
    const double threads = std::max(profile.threads, 1.0);
    const double busy = busy_threads(form, profile);
    auto time = cpu_time(form, profile, busy, profile.all_cores, threads, threads / busy, plain_code());
    if (!time) return time;
    time->memory = std::max(time->memory, line_hops(form, busy));
    const InOrder waiting = in_order(c, form);
    const double shared = shared_by(busy, waiting.sharing) * c.term_in_order * waiting.terms / busy;
    time->arithmetic = std::max(time->arithmetic, shared);
    const double launch = profile.all_cores.launch_cost("openmp").value_or(0);
    time->launches =
        launch + row_starts(form) / busy + waits_of_threads(form, waiting, c.wait_in_openmp * launch);
    return time;
  }

  // Number of GPU threads that can run in parallel. OpenACC runs one item per thread; other code also splits
  // sums over threads.
  double at_once_on_gpu(const Form& form, Option option) const {
    const auto operations = static_cast<double>(form.work.flops + form.work.integer_operations);
    const double split = operations / std::max(form.traits.depth, 1.0) / c.split_sums;
    return std::max(independent(form), option == Option::openacc ? 0 : split);
  }

  double room_on_gpu(const Profile& profile) const {
    return std::max(profile.gpu->multiprocessors, 1.0) * threads_a_multiprocessor;
  }

  std::optional<CallTime> gpu_time(const Form& form, const Profile& profile, Option option) const {
    if (!profile.gpu) return std::nullopt;
    const auto launch = profile.on_gpu.launch_cost(option == Option::openacc ? "openacc" : "cuda");
    if (!launch) return std::nullopt;
    const double filled = std::min(1.0, at_once_on_gpu(form, option) / room_on_gpu(profile));
    const double longer = option == Option::gpu_library ? c.gpu_library_call : 1;
    const double work = option == Option::openacc ? c.openacc_work : longer;
    auto time = roofline_time(form, traffic(form, gpu_sector, 0), profile.on_gpu,
                              slower_by(work / filled, gpu_code(), c.special_on_gpu, 1));
    if (!time) return time;
    // CUDA code runs all passes in one launch. OpenACC launches a pass while the previous one runs. Only the
    // first launch counts in full. The steps of a user kernel, which has no traits, are launches of their
    // own.
    const double wait = *launch * (!has_traits(form)           ? 1
                                   : option == Option::openacc ? c.wait_in_openacc
                                                               : c.wait_in_cuda);
    time->launches = longer * (*launch + (passes(form) - 1) * wait +
                               chain_time(c, form, c.gpu_latency, wait, c.agreeing_on_gpu)) +
                     c.doubled_depth * std::log2(std::max(form.traits.depth, 1.0));
    return time;
  }

  // Factor on the all-core time if a library uses only few threads. Cache blocking lowers the factor.
  double few_threads(const Form& form, double threads) const {
    return 1 / (std::max(c.library_threads, 1 / threads) * efficiency_in_blocks(form));
  }

  // Time of a CPU library call if all threads share each step of a chain of dependent steps.
  std::optional<CallTime> shared_steps_time(const Form& form, const Profile& profile, double launch) const {
    Form vectors = form;
    vectors.traits.loads = Traits::not_known;
    const double threads = std::max(profile.threads, 1.0);
    auto time = cpu_time(vectors, profile, threads, profile.all_cores, threads, few_threads(form, threads),
                         library_code());
    const double wait = c.wait_in_library * launch * many(threads);
    if (time) time->launches = launch + chain_time(c, form, c.cpu_latency, wait, 1);
    return time;
  }

  // Time of a CPU library's transforms (FFT). Each thread computes its own transforms.
  std::optional<CallTime> transforms_time(const Form& form, const Profile& profile, double launch) const {
    Form vectors = form;
    vectors.traits.loads = Traits::not_known;
    auto one = one_core_time(vectors, profile, library_code());
    if (!one) return one;
    one->launches = c.library_call, one->arithmetic *= c.transform;
    if (one->total() <= c.transforms_shared_above) return one;
    const double threads = std::max(profile.threads, 1.0);
    auto all = cpu_time(vectors, profile, threads, profile.all_cores, threads, 1, library_code());
    if (all) all->launches = launch + c.library_call, all->arithmetic *= c.transform;
    return all;
  }

  // Time of a CPU library call: the shorter of one core and all threads. Recurrences run as plain serial code
  // and scans as threaded code; each costs one additional launch.
  std::optional<CallTime> cpu_library_time(const Form& form, const Profile& profile) const {
    const double launch = profile.all_cores.launch_cost("openmp").value_or(0);
    const bool sums = form.traits.reduction > 0;
    if (is_transform(form.traits)) return transforms_time(form, profile, launch);
    if (in_order(c, form).recurrence || (!sums && steps_between_items(c, form) > 1)) {
      auto time =
          steps_between_items(c, form) == 1 ? threads_time(form, profile) : serial_time(form, profile);
      if (time) time->launches += launch;
      if (in_order(c, form).recurrence || !time || time->total() <= c.shared_above) return time;
      return shared_steps_time(form, profile, launch);
    }
    Form vectors = form;
    vectors.traits.loads = Traits::not_known;
    auto one = one_core_time(vectors, profile, library_code());
    if (!one) return one;
    one->launches = c.library_call;
    const double threads = std::max(profile.threads, 1.0);
    auto all = cpu_time(vectors, profile, threads, profile.all_cores, threads, few_threads(form, threads),
                        library_code());
    if (all) all->launches = launch + c.library_call;
    return all && all->total() < one->total() ? all : one;
  }

  // Seconds to copy `arrays` arrays with a total of `bytes` bytes, one copy for each array.
  std::optional<double> copies(const CostOverSize& cost, std::int64_t arrays, std::int64_t bytes) const {
    const auto one = cost.at(bytes / std::max<std::int64_t>(arrays, 1));
    if (!one) return std::nullopt;
    return static_cast<double>(arrays) * *one;
  }

  double allocation(const Form& form, const GpuProfile& gpu) const {
    const auto in_and_out = static_cast<double>(std::max<std::int64_t>(form.bytes_in + form.bytes_out, 1));
    const double once = std::min(1.0, static_cast<double>(form.working_set) / in_and_out);
    const double arrays =
        std::max(1.0, std::round(static_cast<double>(form.arrays_in + form.arrays_out) * once));
    const double each = static_cast<double>(form.working_set) / arrays;
    const auto bytes = static_cast<std::int64_t>(each);
    return arrays * (each > cut_out_below ? c.new_block : c.cut_out) *
           (gpu.allocate.at(bytes).value_or(0) + gpu.release.at(bytes).value_or(0));
  }

  std::optional<CallTime> call_time(const Form& form, const Profile& profile, Option option) const {
    if (option == Option::serial) return serial_time(form, profile);
    if (option == Option::cpu_library) return cpu_library_time(form, profile);
    return on_gpu(option) ? gpu_time(form, profile, option) : threads_time(form, profile);
  }

  std::optional<double> analytic_time(const Form& form, const Profile& profile, Option option, Target target,
                                      double reuse) const {
    const std::optional<CallTime> call = call_time(form, profile, option);
    if (!call) return std::nullopt;
    if (target == Target::call) return call->total();
    if (!on_gpu(option)) return reuse * call->total();
    const GpuProfile& gpu = *profile.gpu;
    const auto in = copies(gpu.copy_in, form.arrays_in, form.bytes_in),
               out = copies(gpu.copy_out, form.arrays_out, form.bytes_out);
    if (!in || !out) return std::nullopt;
    return allocation(form, gpu) + c.first_launch + *in + reuse * call->total() + *out;
  }

  double filled_part(const Form& form, const Profile& profile, Option option) const {
    if (!on_gpu(option) || !profile.gpu) return 1;
    return std::min(1.0, static_cast<double>(form.work.items) / passes(form) / room_on_gpu(profile));
  }

  double least_time(const Form& form, const Profile& profile, Option option) const {
    const std::optional<CallTime> time = call_time(form, profile, option);
    const bool one_core = option == Option::serial && !profile.one_core.empty();
    const Roofline& roofline = on_gpu(option) ? profile.on_gpu
                               : one_core     ? profile.one_core
                                              : profile.all_cores;
    const auto rate = roofline.flop_rate(form.type, true), plain = roofline.flop_rate(form.type, false);
    const double fastest = std::max(rate.value_or(0), plain.value_or(0));
    const double arithmetic = fastest > 0 ? static_cast<double>(form.work.flops) / fastest : 0;
    const double memory = time ? time->memory * (on_gpu(option) ? gpu_code() : plain_code()).memory : 0;
    return std::max(memory, arithmetic);
  }

  double share_of_work(const Form& form, const Profile& profile, Option option, Target target) const {
    const std::optional<double> total = analytic_time(form, profile, option, target, 1);
    const std::optional<CallTime> call = call_time(form, profile, option);
    return total && call && *total > 0 ? std::clamp(1 - call->launches / *total, 0.0, 1.0) : 1;
  }
};

}  // namespace

std::optional<CallTime> AnalyticModel::call_time(const Form& form, const Profile& profile,
                                                 Option option) const {
  return Terms{constants_}.call_time(form, profile, option);
}

std::optional<double> AnalyticModel::time(const Form& form, const Profile& profile, Option option,
                                          Target target, double reuse) const {
  return Terms{constants_}.analytic_time(form, profile, option, target, reuse);
}

double AnalyticModel::filled_part(const Form& form, const Profile& profile, Option option) const {
  return Terms{constants_}.filled_part(form, profile, option);
}

double AnalyticModel::least_time(const Form& form, const Profile& profile, Option option) const {
  return Terms{constants_}.least_time(form, profile, option);
}

double AnalyticModel::share_of_work(const Form& form, const Profile& profile, Option option,
                                    Target target) const {
  return Terms{constants_}.share_of_work(form, profile, option, target);
}

}  // namespace sextant::predict
