#include "predict/physics.hpp"

#include <algorithm>
#include <cmath>

namespace sextant::predict {
namespace {

// Integer operations take the place of a multiplication with addition of 32 bits, which ceilings count as two FLOP.
constexpr double flops_of_fma = 2;
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
  constexpr double fewest = 64;  // steps: farther strides are those of places at random
  const double element = element_bytes(form);
  const double steps = static_cast<double>(form.working_set) / element / std::max(stride, 1.0);
  if (stride * element <= cpu_line || steps < fewest) return {};
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
                                      double slower) {
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
  if (const auto rate = roofline.flop_rate(ElementType::float32, false);
      rate && form.work.integer_operations > 0)
    time.arithmetic += slower * static_cast<double>(form.work.integer_operations) / (*rate / flops_of_fma);
  return time;
}

// As roofline_time, of `cores` that walk, by the ceilings of `sharing` cores: what the second caches hand over, or what
// memory moves of it, whichever takes longer.
std::optional<CallTime> cpu_time(const Form& form, const Profile& profile, double cores,
                                 const Roofline& roofline, double sharing, double slower) {
  const Traffic lines = traffic(form, cpu_line, cores * profile.l1_cache);
  const Walk read = walk(form, form.traits.stride_read, profile.l2_cache, cores),
             written = walk(form, form.traits.stride_write, profile.l2_cache, cores);
  const double uses = std::max(read.uses, written.uses);
  if (uses <= 1) return roofline_time(form, lines, roofline, slower);
  const double writes = lines.bytes * lines.write_share, reads = lines.bytes - writes;
  Traffic moved = {reads / read.uses + writes / written.uses, 0};
  moved.write_share = writes / written.uses / moved.bytes;
  std::optional<CallTime> time = roofline_time(form, moved, roofline, slower);
  const double near = sharing * std::max(read.lines, written.lines);
  const auto rate = roofline.bandwidth(static_cast<std::int64_t>(near), lines.write_share);
  if (time && rate) time->memory = std::max(time->memory, slower * lines.bytes / *rate);
  return time;
}

std::optional<CallTime> serial_time(const Form& form, const Profile& profile) {
  if (!profile.one_core.empty()) return cpu_time(form, profile, 1, profile.one_core, 1, 1);
  const double threads = std::max(profile.threads, 1.0);
  return cpu_time(form, profile, 1, profile.all_cores, threads, threads);
}

std::optional<CallTime> threads_time(const Form& form, const Profile& profile) {
  const double threads = std::max(profile.threads, 1.0);
  const double busy = std::clamp(independent(form) / grain, 1.0, threads);
  auto time = cpu_time(form, profile, busy, profile.all_cores, threads, threads / busy);
  if (time) time->launches = passes(form) * profile.all_cores.launch_cost("openmp").value_or(0);
  return time;
}

std::optional<CallTime> gpu_time(const Form& form, const Profile& profile, Option option) {
  if (!profile.gpu) return std::nullopt;
  const auto launch = profile.on_gpu.launch_cost(option == Option::openacc ? "openacc" : "cuda");
  if (!launch) return std::nullopt;
  const double room = std::max(profile.gpu->multiprocessors, 1.0) * threads_a_multiprocessor;
  const double filled = std::min(1.0, independent(form) / room);
  auto time = roofline_time(form, traffic(form, gpu_sector, 0), profile.on_gpu, 1 / filled);
  // Passes are started while the ones before run: only the first is waited for.
  const auto next = profile.on_gpu.launch_cost(option == Option::openacc ? "openacc_async" : "cuda_interval");
  if (time) time->launches = *launch + (passes(form) - 1) * std::min(*launch, next.value_or(*launch));
  return time;
}

// A library takes one thread where that is quicker.
std::optional<CallTime> cpu_library_time(const Form& form, const Profile& profile) {
  const auto one = serial_time(form, profile), all = threads_time(form, profile);
  return one && all && one->total() < all->total() ? one : all;
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
