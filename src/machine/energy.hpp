// Reads the energy that processors and GPUs have consumed, from counters of the kernel and the driver.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sextant {

// The folder in which Linux lists energy counters: /sys/class/powercap, or the variable SEXTANT_POWERCAP.
std::string powercap_folder();

// The counters of the processor packages and, if it has its own, of the memory (RAPL). They count in
// microjoules and start again at zero after some minutes.
class CpuEnergy {
 public:
  explicit CpuEnergy(const std::string& folder = powercap_folder());
  // Returns why the counters cannot be read; empty if they can.
  const std::string& obstacle() const { return obstacle_; }
  // Returns the joules since the first call; empty if a counter cannot be read. Call it every minute or more
  // often.
  std::optional<double> read();

 private:
  struct Zone {
    std::string file;     // of the counter
    double range = 0;     // microjoules at which the counter starts again
    double last = -1;     // microjoules at the last reading; negative before the first one
    double consumed = 0;  // microjoules since the first reading
  };
  std::vector<Zone> zones_;
  std::string obstacle_;
};

// Returns the joules that a GPU has consumed since its driver was loaded; empty if the driver does not count
// them.
std::optional<double> gpu_energy(int index);
// Returns the number of other programs that use the GPU; empty if it is unknown.
std::optional<int> other_programs_on_gpu(int index);
// Returns the fraction of about the last second in which the GPU worked; empty if it is unknown.
std::optional<double> gpu_utilisation(int index);

// An energy counter of a device.
struct EnergyCounter {
  std::function<std::optional<double>()> read;  // in joules since a fixed moment; empty if it failed
  // Returns why the energy of calls cannot be known at this moment; empty if it can.
  std::function<std::string()> obstacle;
  // Returns true if the device works, although this process has not used it for a second.
  std::function<bool()> is_busy;
};
// Returns the counter of a GPU, or of the CPU if `gpu` is negative.
EnergyCounter energy_counter(int gpu);

}  // namespace sextant
