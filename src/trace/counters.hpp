// Reads hardware counters of GPU work with CUPTI's range profiler.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sextant {

// A counter: its stored name, the profiler's metric, and the factor from metric to stored value.
struct CounterMetric {
  const char* name;
  const char* metric;
  double scale;
};

inline constexpr CounterMetric counter_metrics[] = {
    {"l1_hit_rate", "l1tex__t_sector_hit_rate.pct", 0.01},
    {"l2_hit_rate", "lts__t_sector_hit_rate.pct", 0.01},
    {"l2_bytes_read", "lts__t_sectors_op_read.sum", 32},  // a sector has 32 bytes
    {"l2_bytes_written", "lts__t_sectors_op_write.sum", 32},
    {"dram_bytes_read", "dram__bytes_read.sum", 1},
    {"dram_bytes_written", "dram__bytes_write.sum", 1},
    {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", 0.01},
    {"instructions", "smsp__inst_executed.sum", 1},  // instructions of whole warps
};

using Counters = std::vector<std::pair<std::string, double>>;

// Runs `execute` once for each pass that the counters need. Returns each counter's sum over the launches of
// one pass. `execute` must do the same work in every pass, on the current GPU, and wait for it. Metrics that
// the GPU lacks are omitted. Throws DeviceError with the reason: no CUPTI, no permission, or no such profiler
// for this GPU.
Counters read_counters(int gpu, const std::function<void()>& execute);

}  // namespace sextant
