// Hardware counters of what a GPU runs, through CUPTI's range profiler, for CUDA and OpenACC alike.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sextant {

// What is read, by the name it is stored under, and the profiler's metric behind it times `scale`.
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
    {"instructions", "smsp__inst_executed.sum", 1},  // of warps
};

using Counters = std::vector<std::pair<std::string, double>>;

// Runs `execute`, which launches on the current GPU and waits, as often as the counters need passes, and
// returns what all of it did together. Metrics that the GPU does not have are left out. Every pass must do
// the same work. Throws DeviceError with what CUPTI said: no CUPTI, no permission (a setting of the driver),
// no such profiler for this GPU.
Counters read_counters(int gpu, const std::function<void()>& execute);

}  // namespace sextant
