#include "machine/energy.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/plural.hpp"

namespace sextant {
namespace {

std::string line_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

// Returns the number in a file; empty if there is none.
std::optional<double> number_in(const std::string& file) {
  const std::string line = line_of(file);
  char* end = nullptr;
  const double value = std::strtod(line.c_str(), &end);
  return end != line.c_str() && value >= 0 ? std::optional<double>(value) : std::nullopt;
}

// Returns true for packages and for memory. The other zones are parts of a package, or contain packages.
bool counts(const std::string& zone) { return zone.starts_with("package") || zone == "dram"; }

}  // namespace

std::string powercap_folder() {
  const char* folder = std::getenv("SEXTANT_POWERCAP");
  return folder ? folder : "/sys/class/powercap";
}

CpuEnergy::CpuEnergy(const std::string& folder) {
  std::vector<std::filesystem::path> folders;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename().string().starts_with("intel-rapl:")) folders.push_back(entry->path());
  std::sort(folders.begin(), folders.end());
  for (const std::filesystem::path& zone : folders)
    if (counts(line_of(zone / "name")))
      zones_.push_back({zone / "energy_uj", number_in(zone / "max_energy_range_uj").value_or(0), -1, 0});
  // Results files have this text, so it does not name the folder.
  if (zones_.empty())
    obstacle_ = "there is no energy counter of a processor (RAPL)";
  else if (!read())
    obstacle_ =
        "the energy counters of the processor cannot be read. `sudo chmod a+r "
        "/sys/class/powercap/intel-rapl:*/energy_uj` permits it";
}

std::optional<double> CpuEnergy::read() {
  double sum = 0;
  for (Zone& zone : zones_) {
    const std::optional<double> now = number_in(zone.file);
    if (!now) return std::nullopt;
    const double last = zone.last < 0 ? *now : zone.last;
    zone.consumed += *now >= last ? *now - last : *now - last + zone.range;
    zone.last = *now;
    sum += zone.consumed;
  }
  return zones_.empty() ? std::nullopt : std::optional<double>(sum * 1e-6);
}

EnergyCounter energy_counter(int gpu) {
  constexpr double busy = 0.02;  // utilisation of a GPU from which it does not count as idle
  if (gpu < 0) {
    const auto cpu = std::make_shared<CpuEnergy>();
    return {[cpu] { return cpu->read(); }, [cpu] { return cpu->obstacle(); }, [] { return false; }};
  }
  const auto obstacle = [gpu]() -> std::string {
    if (!gpu_energy(gpu)) return "the driver does not count the energy of gpu" + std::to_string(gpu);
    if (const int others = other_programs_on_gpu(gpu).value_or(0); others > 0)
      return plural(others, "other program") + " used gpu" + std::to_string(gpu) +
             ", whose energy counts, too";
    return "";
  };
  const auto is_busy = [gpu] { return gpu_utilisation(gpu).value_or(0) > busy; };
  return {[gpu] { return gpu_energy(gpu); }, obstacle, is_busy};
}

}  // namespace sextant
