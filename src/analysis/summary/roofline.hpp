// Computes the shortest time that a device's measured ceilings allow.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

// The shortest time in which a device can do some work.
struct Bound {
  double seconds = 0;
  bool by_arithmetic = false;  // the limit is a rate of FLOP or integer operations, not bandwidth
  bool by_link = false;        // the limit is the data that a GPU sends to other GPUs
};

// The devices whose ceilings apply to a device: the device itself. A device group uses the ceilings of its
// first GPU and its own link ceilings.
std::vector<std::string> devices_of_ceilings(const std::string& device);

// The ceilings of one device. For a device group, every GPU is assumed to have the first GPU's ceilings, and
// the links' ceilings are added.
class Roofline {
 public:
  Roofline(const std::vector<Ceiling>& ceilings, const std::string& device);

  bool empty() const { return curves_.empty() && flop_rates_.empty(); }

  // Bytes per second at this footprint (bytes touched) and fraction of writes (0 to 1); nothing if no
  // bandwidth was measured. Each curve over footprints is interpolated linearly in log(footprint) and
  // constant beyond its ends. Between the curves of read (no writes), triad (1/3), copy (1/2) and write
  // (all), the time per byte is interpolated linearly.
  std::optional<double> bandwidth(std::int64_t footprint, double write_share) const;

  // The time max(bytes / bandwidth, FLOP / FLOP rate, integer operations / integer rate); nothing if no rate
  // is known. With cold caches, the bandwidth at the largest footprint applies. `matrix_units` selects the
  // matrix units' FLOP rate if it was measured. The GPUs of a group share the work equally, and the data that
  // one GPU sends are limited by the links. Without link ceilings, the bound of a group that sends data is
  // unknown.
  std::optional<Bound> bound(const Work& work, const Problem& problem, CacheMode cache,
                             bool matrix_units = false) const;

  // FLOP per second of the ordinary arithmetic units or of the matrix units; summed over a group's GPUs.
  std::optional<double> flop_rate(ElementType type, bool matrix_units) const;

  // 32-bit integer operations per second; nothing if not measured.
  std::optional<double> integer_rate() const {
    return integer_rate_ > 0 ? std::optional(integer_rate_) : std::nullopt;
  }

  // Host time of one launch and the wait for it in a model, in seconds; nothing if not measured.
  std::optional<double> launch_cost(const std::string& model) const;

  bool lacks_links() const { return devices_ > 1 && !(link_rate_ > 0); }

  // The smallest footprint with a known bandwidth; 0 if there is none.
  std::int64_t least_footprint() const;

 private:
  using Curve = std::map<std::int64_t, double>;  // footprint -> bytes/s
  std::map<double, Curve> curves_;               // fraction of writes -> curve
  std::map<ElementType, double> flop_rates_;
  // For double, the FP64 matrix rate. For float, the BF16 matrix rate, because variants can split a float
  // product into several BF16 products.
  std::map<ElementType, double> matrix_rates_;
  double integer_rate_ = 0;  // 32-bit operations per second; 0: unknown
  int devices_ = 1;          // number of GPUs of the group
  double link_rate_ = 0;     // highest measured rate out of one GPU, in bytes per second; 0: unknown
  std::map<std::string, double> launch_costs_;  // name of the ceiling -> seconds
};

}  // namespace sextant
