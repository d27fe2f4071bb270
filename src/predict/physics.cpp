#include "predict/physics.hpp"

#include <algorithm>
#include <cmath>

namespace sextant::predict {
namespace {

// Integer operations take the place of a multiplication with addition of 32 bits, which ceilings count as two FLOP.
constexpr double flops_of_fma = 2;
// A division, root, exponential or logarithm takes the place of so many FLOP; GPUs have units for it.
constexpr double special_on_cpu = 40, special_on_gpu = 4;
constexpr double cpu_latency = 4e-9, gpu_latency = 50e-9;  // seconds from a value to one that needs it
constexpr double in_order =
    0.5e-9;  // seconds of an operation whose result the next one needs, with some under way at once
constexpr double fewest_steps =
    64;  // of a stride through the arrays: farther ones are those of places at random
constexpr double line_hop =
    20e-9;  // seconds until another core's cache hands over a line, some under way at once
constexpr double loaded_again =
    0.5;  // of the accesses of a plain loop; others find their value in a register
constexpr double near_bytes = 64 << 10;  // a core's share of a footprint that its nearest caches hold
constexpr double cpu_line = 64, gpu_sector = 32;  // bytes that memory gives at least, whatever is asked for
// Items below which another thread does not pay on a CPU: a few cache lines of elements.
constexpr double grain = 64;
// Threads that a multiprocessor holds, of compute capability 8.0 and 9.0 (CUDA C++ Programming Guide, table "Technical
// Specifications per Compute Capability"); others hold 1024 or 1536.
constexpr double threads_a_multiprocessor = 2048;

double element_bytes(const Form& form) { return static_cast<double>(element_size(form.type)); }

double passes(const Form& form) { return std::max(form.traits.launches, 1.0); }

// How many times more bytes than asked for memory moves when elements are `stride` apart.
double waste(double stride, double element, double least) {
  return stride > 1 ? std::max(1.0, std::min(stride * element, least) / element) : 1;
}

struct Traffic {
  double bytes = 0, write_share = 0;
};

// Bytes of all passes: what the problem asks for, or all arrays once a pass where that is more, as a pass that needs the
// one before finds them in no register. Strides waste what lies between, but for arrays that fit into `cache`, the one
// beside the core, which keeps it for its turn: caches further off hand over whole lines, too.
Traffic traffic(const Form& form, double least, double cache) {
  double read = static_cast<double>(form.work.bytes_read),
         written = static_cast<double>(form.work.bytes_written);
  const auto all = static_cast<double>(form.working_set);
  const double more = std::max(1.0, passes(form) * all / std::max(read + written, 1.0));
  read *= more, written *= more;
  if (all > cache) {
    read *= waste(form.traits.stride_read, element_bytes(form), least);
    written *= waste(form.traits.stride_write, element_bytes(form), least);
  }
  const double bytes = read + written;
  return {bytes, bytes > 0 ? written / bytes : 0};
}

// A CPU's walk by strides: a sweep touches a line at each step, and the next one asks for what lies beside. Where the lines
// of a sweep stay in the core's second cache until then, memory moves them once, and that cache hands them over each time.
struct Walk {
  double lines = 0;  // bytes of a sweep
  double uses = 1;   // of a line by the core that has it
};

// `cores` share the sweeps: each has so many at a stretch. Of strides of 2^k lines only one set of a cache in 2^k has lines.
Walk walk(const Form& form, double stride, double l2_cache, double cores) {
  const double element = element_bytes(form);
  const double steps = static_cast<double>(form.working_set) / element / std::max(stride, 1.0);
  if (stride * element <= cpu_line || steps < fewest_steps) return {};
  double sets = l2_cache;
  for (double lines = stride * element / cpu_line; lines >= 2 && std::fmod(lines, 2) == 0; lines /= 2)
    sets /= 2;
  const Walk stays = {steps * cpu_line, std::clamp(stride / cores, 1.0, cpu_line / element)};
  return stays.lines <= sets ? stays : Walk{};
}

// What can be done at once: items, or elements where an item is a sum of many.
double independent(const Form& form) {
  const auto bytes = static_cast<double>(form.work.bytes_read + form.work.bytes_written);
  return std::max({static_cast<double>(form.work.items) / passes(form), bytes / element_bytes(form), 1.0});
}

// max(memory, arithmetic) by a roofline, both times `slower`.
std::optional<CallTime> roofline_time(const Form& form, const Traffic& moved, const Roofline& roofline,
                                      double slower, double special_flops) {
  CallTime time;
  if (moved.bytes > 0) {
    const auto rate = roofline.bandwidth(form.working_set, moved.write_share);
    if (!rate) return std::nullopt;
    time.memory = slower * moved.bytes / *rate;
  }
  if (form.work.flops > 0) {
    const auto rate = roofline.flop_rate(form.type, false);
    if (!rate) return std::nullopt;
    time.arithmetic = slower * static_cast<double>(form.work.flops) / *rate;
  }
  const double special = std::max(form.traits.special_flops, 0.0) * static_cast<double>(form.work.items);
  if (const auto rate = roofline.flop_rate(form.type, false); rate && special > 0)
    time.arithmetic += slower * special_flops * special / *rate;
  const auto of_floats = roofline.flop_rate(ElementType::float32, false);
  const auto rate =
      roofline.integer_rate() || !of_floats ? roofline.integer_rate() : *of_floats / flops_of_fma;
  if (rate && form.work.integer_operations > 0)
    time.arithmetic += slower * static_cast<double>(form.work.integer_operations) / *rate;
  return time;
}

// Steps of the longest chain that go from one item to another: what is left of its depth when an item's own operations, which
// are a chain at worst, and a tree over all items are taken off, which takes no more than one wait in all.
double steps_between_items(const Form& form) {
  const double items = std::max(static_cast<double>(form.work.items), 1.0);
  const double own = static_cast<double>(form.work.flops + form.work.integer_operations) / items;
  const double crossing = form.traits.depth - std::max(own, passes(form));
  return crossing > 0 ? std::max(crossing - std::log2(items), 1.0) : 0;
}

// What a step of such a chain costs: the wait for a value, and, where a step has several items, for those who have them.
double chain_time(const Form& form, double latency, double all_wait) {
  const double steps = steps_between_items(form);
  if (steps <= 0) return 0;
  const double width = std::max(static_cast<double>(form.work.items) / form.traits.depth, 1.0);
  return steps * (latency + all_wait * (1 - 1 / width));
}

// The time of the cores' loads and stores, each of which its first cache serves.
double access_time(const Form& form, const Roofline& roofline, double sharing, double slower) {
  const Traits& traits = form.traits;
  if (traits.loads < 0 || traits.stores < 0) return 0;
  const double accesses = (traits.loads + traits.stores) * static_cast<double>(form.work.items);
  const auto rate = roofline.bandwidth(static_cast<std::int64_t>(sharing * near_bytes),
                                       traits.stores / std::max(traits.loads + traits.stores, 1e-9));
  return rate ? slower * loaded_again * accesses * element_bytes(form) / *rate : 0;
}

// As roofline_time, of `cores` that walk, by the ceilings of `sharing` cores: what the second caches hand over, or what
// memory moves of it, whichever takes longer.
std::optional<CallTime> cpu_time(const Form& form, const Profile& profile, double cores,
                                 const Roofline& roofline, double sharing, double slower) {
  const Traffic lines = traffic(form, cpu_line, cores * profile.l1_cache);
  const Walk read = walk(form, form.traits.stride_read, profile.l2_cache, cores),
             written = walk(form, form.traits.stride_write, profile.l2_cache, cores);
  const double uses = std::max(read.uses, written.uses);
  const double accesses = access_time(form, roofline, sharing, slower / reached_by_cpu);
  slower /= reached_by_cpu;
  if (uses <= 1) {
    auto time = roofline_time(form, lines, roofline, slower, special_on_cpu);
    if (time) time->memory = std::max(time->memory, accesses);
    return time;
  }
  const double writes = lines.bytes * lines.write_share, reads = lines.bytes - writes;
  Traffic moved = {reads / read.uses + writes / written.uses, 0};
  moved.write_share = writes / written.uses / moved.bytes;
  std::optional<CallTime> time = roofline_time(form, moved, roofline, slower, special_on_cpu);
  const double near = sharing * std::max(read.lines, written.lines);
  const auto rate = roofline.bandwidth(static_cast<std::int64_t>(near), lines.write_share);
  if (time && rate) time->memory = std::max({time->memory, accesses, slower * lines.bytes / *rate});
  return time;
}

std::optional<CallTime> serial_time(const Form& form, const Profile& profile) {
  const double threads = std::max(profile.threads, 1.0);
  auto time = profile.one_core.empty() ? cpu_time(form, profile, 1, profile.all_cores, threads, threads)
                                       : cpu_time(form, profile, 1, profile.one_core, 1, 1);
  if (!time) return time;
  time->launches = chain_time(form, cpu_latency, 0);
  if (form.traits.reduction > 0)  // sums in a given order are no vectors
    time->arithmetic = std::max(
        time->arithmetic, in_order * static_cast<double>(form.work.flops + form.work.integer_operations));
  return time;
}

// Lines that cores write at random places go from one core's cache to another's.
double line_hops(const Form& form, double cores) {
  const double stride = form.traits.stride_write, element = element_bytes(form);
  const double steps = static_cast<double>(form.working_set) / element / std::max(stride, 1.0);
  if (cores <= 1 || stride * element <= cpu_line || steps >= fewest_steps) return 0;
  return static_cast<double>(form.work.bytes_written) / element * line_hop / cores;
}

std::optional<CallTime> threads_time(const Form& form, const Profile& profile) {
  const double threads = std::max(profile.threads, 1.0);
  const double busy = std::clamp(independent(form) / grain, 1.0, threads);
  auto time = cpu_time(form, profile, busy, profile.all_cores, threads, threads / busy);
  if (!time) return time;
  time->memory = std::max(time->memory, line_hops(form, busy));
  const double launch = profile.all_cores.launch_cost("openmp").value_or(0), wait = wait_in_openmp * launch;
  time->launches = launch + (passes(form) - 1) * wait + chain_time(form, cpu_latency, wait);
  return time;
}

std::optional<CallTime> gpu_time(const Form& form, const Profile& profile, Option option) {
  if (!profile.gpu) return std::nullopt;
  const auto launch = profile.on_gpu.launch_cost(option == Option::openacc ? "openacc" : "cuda");
  if (!launch) return std::nullopt;
  const double room = std::max(profile.gpu->multiprocessors, 1.0) * threads_a_multiprocessor;
  const double filled = std::min(1.0, independent(form) / room);
  auto time = roofline_time(form, traffic(form, gpu_sector, 0), profile.on_gpu, 1 / (filled * reached_by_gpu),
                            special_on_gpu);
  if (!time) return time;
  // Passes are started while the ones before run, by CUDA within one launch: only the first is waited for.
  const double wait = *launch * (option == Option::openacc ? wait_in_openacc : wait_in_cuda);
  time->launches = *launch + (passes(form) - 1) * wait + chain_time(form, gpu_latency, wait);
  return time;
}

// How much of a library's call all cores share is not known: as one core's, which they all wait for.
std::optional<CallTime> cpu_library_time(const Form& form, const Profile& profile) {
  auto time = serial_time(form, profile);
  if (time) time->launches += profile.all_cores.launch_cost("openmp").value_or(0);
  return time;
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
  const auto in = gpu.copy_in.at(form.bytes_in), out = gpu.copy_out.at(form.bytes_out);
  if (!in || !out) return std::nullopt;
  const auto arrays = [](std::int64_t count, double seconds) { return count > 0 ? seconds : 0; };
  return gpu.allocate.at(form.working_set).value_or(0) + arrays(form.arrays_in, *in) + reuse * call->total() +
         arrays(form.arrays_out, *out) + gpu.release.at(form.working_set).value_or(0);
}

}  // namespace sextant::predict
