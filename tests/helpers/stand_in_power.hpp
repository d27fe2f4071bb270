// A stand-in for the kernel's energy counters of a processor.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace sextant {

// A folder with one counter that advances every millisecond at a constant power. SEXTANT_POWERCAP names the
// folder while the object exists.
class StandInPower {
 public:
  StandInPower(const std::string& folder, double watts) : zone_(folder + "/intel-rapl:0"), watts_(watts) {
    std::filesystem::create_directories(zone_);
    std::ofstream(zone_ + "/name") << "package-0\n";
    std::ofstream(zone_ + "/max_energy_range_uj") << "262143328850\n";
    write(0);
    ::setenv("SEXTANT_POWERCAP", folder.c_str(), 1);
    thread_ = std::thread([this] { run(); });
  }
  ~StandInPower() {
    ends_ = true;
    thread_.join();
    ::unsetenv("SEXTANT_POWERCAP");
  }
  StandInPower(const StandInPower&) = delete;
  StandInPower& operator=(const StandInPower&) = delete;

 private:
  // Replaces the file as a whole, so that a reader never sees a part of it.
  void write(double seconds) const {
    std::ofstream(zone_ + "/next") << static_cast<long long>(watts_ * seconds * 1e6) << "\n";
    std::filesystem::rename(zone_ + "/next", zone_ + "/energy_uj");
  }
  void run() const {
    const auto begin = std::chrono::steady_clock::now();
    while (!ends_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      write(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
  }

  std::string zone_;
  double watts_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

}  // namespace sextant
