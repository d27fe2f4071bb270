#include "run/sentinels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "machine/host_gpus.hpp"
#include "plan/plan.hpp"
#include "present/format.hpp"
#include "record/statistics.hpp"
#include "registry/registry.hpp"
#include "run/interrupt.hpp"

namespace sextant {
namespace {

struct Sentinel {
  const char *name, *kernel, *variant, *on_host_gpu;
  std::int64_t n, n_on_host_gpu;  // number of elements of all arrays together
  int rounds;
  double seconds, warm;  // seconds of sampling in each measurement, and of warm-up before it
};

// A sentinel is a test case that shows whether GPUs disturb each other. The three sentinels are limited by
// launch latency, memory bandwidth and power. The launch sentinel alternates short measurements, because
// launch latency drifts within seconds. The power sentinel measures longer, because a GPU reaches its power
// limit late.
constexpr Sentinel sentinels[] = {
    {"launch", "triad", "cuda.vector", "openacc.parallel_loop", 7936, 7936, 6, 0.004, 0.001},
    {"memory", "triad", "cuda.vector", "openacc.parallel_loop", 1 << 25, 1 << 16, 2, 0.004, 0.002},
    {"power", "matmul", "cuda.register_tile", "openacc.tile", 3 << 22, 3 << 12, 1, 0.04, 0.01}};
// NVIDIA GPUs report times in steps of 32 ns, which is 1.6 % of the shortest sentinel's time. Differences
// below this limit (in seconds) are ignored.
constexpr double least_on_device = 1.5 * 32e-9;

// Returns the ratio of the median times with busy neighbours and without. Returns 0 if there are no samples,
// and 1 if the medians differ by less than `least` seconds.
double ratio(const std::vector<double>& concurrent, const std::vector<double>& isolated, double least) {
  if (concurrent.empty() || isolated.empty()) return 0;
  const double with = median_interval(concurrent).median, without = median_interval(isolated).median;
  return std::abs(with - without) < least ? 1 : with / without;
}

bool moved(const Interval& ratio, double max_noise) {
  return ratio.median > 0 && (ratio.low > 1 + max_noise || ratio.high < 1 - max_noise ||
                              std::abs(ratio.median - 1) > 2 * max_noise);
}

// True for the sentinel with short calls, which shows whether call times change. Longer calls are dominated
// by the device's time.
bool tells_of_calls(const SentinelRatio& one) { return one.sentinel == sentinels[0].name; }

// Returns the ratio that is furthest from 1.
const SentinelRatio* worst(const std::vector<SentinelRatio>& ratios, Interval SentinelRatio::*which) {
  const SentinelRatio* found = nullptr;
  for (const SentinelRatio& one : ratios)
    if ((one.*which).median > 0 && (which == &SentinelRatio::on_device || tells_of_calls(one)) &&
        (!found || std::abs((one.*which).median - 1) > std::abs((found->*which).median - 1)))
      found = &one;
  return found;
}

// Returns the median ratio over the rounds in which both measurements succeeded, or 0 if there is none.
Interval ratio_of(const BothWays& both, std::vector<double> Measurement::*times, double least) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < std::min(both.isolated.size(), both.concurrent.size()); ++round) {
    const Measurement &isolated = both.isolated[round], &concurrent = both.concurrent[round];
    if (isolated.status != Status::ok || concurrent.status != Status::ok) continue;
    if (const double one = ratio(concurrent.*times, isolated.*times, least); one > 0) ratios.push_back(one);
  }
  return ratios.empty() ? Interval() : median_interval(ratios);
}

// Returns the interval of the times of all rounds without busy neighbours.
Interval isolated_time(const BothWays& both) {
  std::vector<double> device, call;
  for (const Measurement& one : both.isolated) {
    if (one.status != Status::ok) continue;
    device.insert(device.end(), one.device_times.begin(), one.device_times.end());
    call.insert(call.end(), one.call_times.begin(), one.call_times.end());
  }
  return median_interval(device.empty() ? call : device);
}

const char* kernel_of(const std::string& sentinel) {
  for (const Sentinel& one : sentinels)
    if (sentinel == one.name) return one.kernel;
  return "?";
}

void tell_failures(const std::vector<std::vector<BothWays>>& results, const std::vector<std::string>& names,
                   ProgressReporter& progress) {
  std::set<std::string> told;
  for (const std::vector<BothWays>& device : results)
    for (std::size_t i = 0; i < device.size(); ++i)
      for (const auto* rounds : {&device[i].isolated, &device[i].concurrent})
        for (const Measurement& one : *rounds)
          if (one.status != Status::ok && told.insert(names[i] + one.reason).second)
            progress.message(fmt::format("the sentinel `{}` could not be measured on {}: {}", names[i],
                                         one.what.device, one.reason));
}

}  // namespace

std::vector<Tried> sentinel_cases(const Settings& settings, std::vector<std::string>* names) {
  const bool on_host = !host_gpus().empty();
  std::vector<Tried> cases;
  for (const Sentinel& sentinel : sentinels) {
    const char* variant = on_host ? sentinel.on_host_gpu : sentinel.variant;
    const RegisteredKernel* entry = find_kernel(sentinel.kernel);
    if (!entry || !find_variant(*entry, variant)) continue;
    Selection selection;
    selection.kernels = {sentinel.kernel};
    selection.variants = {variant};
    selection.sizes = {on_host ? sentinel.n_on_host_gpu : sentinel.n};
    selection.types = {ElementType::float32};
    cases.push_back({plan(selection, nullptr).front(), sentinel.rounds, settings});
    cases.back().settings.least_seconds = cases.back().settings.case_seconds = sentinel.seconds;
    cases.back().settings.warm_seconds = sentinel.warm;
    names->emplace_back(sentinel.name);
  }
  return cases;
}

std::vector<SentinelRatio> ratios_of(const std::vector<std::vector<BothWays>>& results,
                                     const std::vector<std::string>& names) {
  std::vector<SentinelRatio> ratios;
  for (const std::vector<BothWays>& device : results)
    for (std::size_t i = 0; i < device.size(); ++i) {
      const Interval call = ratio_of(device[i], &Measurement::call_times, 0);
      if (call.median == 0) continue;
      ratios.push_back({device[i].isolated.front().what.device, names[i], call,
                        ratio_of(device[i], &Measurement::device_times, least_on_device),
                        median_interval(device[i].isolated.front().call_times).median,
                        isolated_time(device[i])});
    }
  return ratios;
}

std::vector<SentinelRatio> middle_of(const std::array<std::vector<SentinelRatio>, 3>& tries) {
  std::vector<SentinelRatio> middle = tries[0];
  for (SentinelRatio& one : middle) {
    std::vector<Interval> calls;
    for (const std::vector<SentinelRatio>& ratios : tries)
      for (const SentinelRatio& other : ratios)
        if (other.device == one.device && other.sentinel == one.sentinel && other.call.median > 0)
          calls.push_back(other.call);
    if (calls.size() < tries.size()) continue;
    std::sort(calls.begin(), calls.end(),
              [](const Interval& a, const Interval& b) { return a.median < b.median; });
    one.call = calls[calls.size() / 2];
  }
  return middle;
}

Concurrency concurrency_by(const std::vector<SentinelRatio>& ratios, double max_noise) {
  Concurrency concurrency{.short_call = 0,
                          .tried = std::any_of(ratios.begin(), ratios.end(), tells_of_calls)};
  for (const SentinelRatio& one : ratios) {
    if (moved(one.on_device, max_noise)) concurrency.overlap = Overlap::nothing;
    if (!tells_of_calls(one) || !moved(one.call, max_noise)) continue;
    concurrency.overlap = std::max(concurrency.overlap, Overlap::long_calls);
    concurrency.short_call =
        std::max(concurrency.short_call, std::abs(one.call.median - 1) * one.seconds / max_noise);
  }
  return concurrency;
}

std::string disturbance_of(const Concurrency& concurrency, const std::vector<SentinelRatio>& ratios,
                           double max_noise) {
  if (concurrency.overlap == Overlap::all) return {};
  const bool device = concurrency.overlap == Overlap::nothing;
  const auto which = device ? &SentinelRatio::on_device : &SentinelRatio::call;
  const SentinelRatio* one = worst(ratios, which);
  if (!one) return {};
  return fmt::format(
      "while other GPUs are busy, `{}` takes {:.3f} times as long ({}) on {} as isolated, which is more "
      "than ± {:g} %",
      one->sentinel, (one->*which).median, device ? "device time" : "call time", one->device,
      100 * max_noise);
}

std::string reason_of(const Concurrency& concurrency, const std::vector<SentinelRatio>& ratios,
                      double max_noise) {
  const std::string disturbance = disturbance_of(concurrency, ratios, max_noise);
  if (disturbance.empty()) return {};
  if (concurrency.overlap == Overlap::nothing)
    return disturbance + ". This run therefore uses one device at a time";
  return disturbance +
         fmt::format(
             ". Calls of up to {} are therefore timed while no other GPU is busy, in searches only with the "
             "default and the fastest tuning. Device times are measured concurrently",
             format_seconds(concurrency.short_call));
}

std::string differences_of(const std::vector<SentinelRatio>& ratios) {
  std::string text, device;
  for (const SentinelRatio& one : ratios) {
    const auto first = std::find_if(ratios.begin(), ratios.end(), [&](const SentinelRatio& other) {
      return other.sentinel == one.sentinel && other.device == ratios.front().device;
    });
    if (first == ratios.end() || one.device == first->device) continue;
    const Interval over = ratio_of_medians(one.isolated, first->isolated);
    if (!(over.median > 0)) continue;
    if (device != one.device)
      text += fmt::format("{}{} over {}: ", text.empty() ? "" : "\n", one.device, first->device);
    else
      text += "; ";
    device = one.device;
    text += fmt::format("{} ({}) {:.3f}x ({:.3f} to {:.3f})", one.sentinel, kernel_of(one.sentinel),
                        over.median, over.low, over.high);
  }
  return text;
}

void record_ratios(const std::vector<SentinelRatio>& ratios, const std::string& when,
                   Environment* environment) {
  for (const SentinelRatio& one : ratios)
    for (const auto& [name, value] :
         {std::pair("call", one.call.median), std::pair("device", one.on_device.median)})
      if (value > 0)
        (*environment)[fmt::format("sentinel.{}.{}.{}.{}", when, one.device, one.sentinel, name)] =
            fmt::format("{:.6g}", value);
  for (const SentinelRatio& one : ratios)
    if (one.isolated.median > 0)
      (*environment)[fmt::format("sentinel.{}.{}.{}.isolated", when, one.device, one.sentinel)] =
          fmt::format("{:.6g}", one.isolated.median);
}

std::string text_of(const std::vector<SentinelRatio>& ratios) {
  std::string text;
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    const SentinelRatio& one = ratios[i];
    text += i == 0 ? one.device + ": " : ratios[i - 1].device == one.device ? "; " : "\n" + one.device + ": ";
    text += fmt::format("{} {:.3f}x call", one.sentinel, one.call.median);
    if (one.on_device.median > 0) text += fmt::format(", {:.3f}x device", one.on_device.median);
  }
  return text;
}

std::optional<std::vector<SentinelRatio>> measure_sentinels(const std::vector<WorkerSlot>& slots,
                                                            const Settings& settings,
                                                            ProgressReporter& progress, bool only_calls) {
  std::vector<WorkerSlot> gpus;
  for (const WorkerSlot& slot : slots)
    if (slot.device != "cpu") gpus.push_back(slot);
  Settings chosen = with_seed(settings);
  chosen.transfers = chosen.counters = false;
  chosen.energy_windows = 0;
  chosen.steady_seconds = 0;
  chosen.check_once = true;  // a result that was correct once is not checked again
  chosen.max_samples = 10'000;
  chosen.timeout = std::max(chosen.timeout, 300.0);  // leaves enough time for computing the references
  std::vector<std::string> names;
  std::vector<Tried> cases = sentinel_cases(chosen, &names);
  if (only_calls) {
    const auto tells = std::find(names.begin(), names.end(), sentinels[0].name);
    if (tells == names.end()) return std::vector<SentinelRatio>();
    cases = {cases[static_cast<std::size_t>(tells - names.begin())]};
    names = {sentinels[0].name};
  }
  const InterruptGuard guard;
  Callbacks callbacks;
  callbacks.message = [&](const std::string& text) { progress.message(text); };
  callbacks.stop = [] { return InterruptGuard::interrupted(); };
  const std::vector<std::vector<BothWays>> results = run_side_by_side(cases, chosen, gpus, callbacks);
  if (InterruptGuard::interrupted()) return std::nullopt;
  tell_failures(results, names, progress);
  return ratios_of(results, names);
}

}  // namespace sextant
