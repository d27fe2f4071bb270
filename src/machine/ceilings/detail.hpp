// Helpers for the ceilings of the host and of GPUs.
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

// The four bandwidth patterns, and the number of arrays that each reads or writes once. Cache traffic beyond
// that is not counted.
struct BandwidthPattern {
  const char* name;
  int arrays;
};
inline constexpr BandwidthPattern bandwidth_patterns[] = {
    {"copy", 2}, {"triad", 3}, {"read", 1}, {"write", 1}};

// Returns the fastest of eight samples, or of fewer if they take more than 30 ms. If the two fastest differ
// by more than 10 %, another program probably used a core. More samples then follow until two agree, for half
// a second at most.
double fastest_of(const std::function<double()>& sample, const std::function<double()>& clock);

// Collects the ceilings of one device. A rate that is not a positive number, or a wrong result of a kernel,
// is a bug of this program or of the device; both throw DeviceError.
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
// One function per group of GPU ceilings; all throw DeviceError.
void measure_gpu_ceilings(int index, CeilingPart part, CeilingList* list);
void measure_gpu_bandwidth(CeilingList* list);
void wake_gpu();  // raises the clocks
void measure_gpu_rates(CeilingList* list);
void measure_gpu_launches(CeilingList* list);
void measure_gpu_transfers(CeilingList* list);
void measure_link_ceilings(int first, int devices, CeilingList* list);
void measure_openacc_launches(int index, CeilingList* list);  // adds nothing if OpenACC has no GPU
void measure_target_launches(int index, CeilingList* list);   // adds nothing if OpenMP offloading has no GPU

}  // namespace sextant
