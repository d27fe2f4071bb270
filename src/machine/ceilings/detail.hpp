// Helpers for measuring the ceilings (best bandwidths, rates and latencies) of the host and of GPUs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

inline double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

// The four bandwidth patterns, with the number of arrays that each reads or writes once. Other cache traffic,
// such as write-allocate, is not counted.
struct BandwidthPattern {
  const char* name;
  int arrays;
};
inline constexpr BandwidthPattern bandwidth_patterns[] = {
    {"copy", 2}, {"triad", 3}, {"read", 1}, {"write", 1}};

// Returns the shortest of eight samples, or of fewer if they take more than 30 ms in total. If the two
// shortest differ by more than 10 %, another program probably used a core. It then samples until two agree,
// for at most half a second.
double fastest_of(const std::function<double()>& sample, const std::function<double()>& clock);

// Collects the ceilings of one device. Throws DeviceError for a rate that is not a positive number, and for a
// wrong result of a kernel.
class CeilingList {
 public:
  explicit CeilingList(std::string device) : device_(std::move(device)) {}
  void add(const std::string& name, double value, std::int64_t footprint = 0);
  void require(bool right, const std::string& what) const;
  std::vector<Ceiling> take() { return std::move(ceilings_); }

 private:
  std::string device_;
  std::vector<Ceiling> ceilings_;
};

void measure_host_ceilings(CeilingList* list);
// Each function measures one group of GPU ceilings. All throw DeviceError.
void measure_gpu_ceilings(int index, CeilingPart part, CeilingList* list);
void measure_gpu_bandwidth(CeilingList* list);
void wake_gpu();  // raises the GPU's clocks by running kernels
void measure_gpu_rates(CeilingList* list);
void measure_gpu_launches(CeilingList* list);
void measure_gpu_transfers(CeilingList* list);
void measure_link_ceilings(int first, int devices, CeilingList* list);
void measure_openacc_launches(int index, CeilingList* list);  // adds nothing if OpenACC has no GPU
void measure_target_launches(int index, CeilingList* list);   // adds nothing if OpenMP offloading has no GPU

}  // namespace sextant
