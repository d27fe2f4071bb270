// Computes the shortest time that a device's ceilings (measured bandwidths and arithmetic rates) allow.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

// Two measurements of a ceiling differ by up to this factor.
inline constexpr double ceiling_repeatability = 1.1;

// The shortest time in which a device can do some work.
struct Bound {
  double seconds = 0;
  bool by_arithmetic = false;  // the limit is a rate of FLOP or integer operations, not bandwidth
  bool by_link = false;        // the limit is the data that a GPU sends to other GPUs
};

// Returns the names of the devices whose ceilings apply to `device`. Usually that is only the device itself.
// A group of GPUs uses the ceilings of its first GPU and the group's own link ceilings.
std::vector<std::string> devices_of_ceilings(const std::string& device);

// The ceilings of one device or of a group of GPUs. Every GPU of a group is assumed to have the first GPU's
// ceilings, and the ceilings of the links between them are added.
class Roofline {
 public:
  Roofline(const std::vector<Ceiling>& ceilings, const std::string& device);

  bool empty() const { return curves_.empty() && flop_rates_.empty(); }

  // Returns the bandwidth in bytes per second for a footprint (bytes touched) and a fraction of writes (0 to
  // 1). Empty if no bandwidth was measured. Four benchmarks give a curve each: read (no writes), triad (1/3),
  // copy (1/2) and write (only writes). Within a curve, the bandwidth is interpolated linearly in
  // log(footprint) and is constant beyond both ends. Between curves, the time per byte is interpolated
  // linearly.
  std::optional<double> bandwidth(std::int64_t footprint, double write_share) const;

  // Returns the longest of bytes / bandwidth, FLOP / FLOP rate and integer operations / integer rate. Empty
  // if no rate is known. With cold caches, the bandwidth at the largest footprint applies. `matrix_units`
  // selects the matrix units' FLOP rate if it was measured. The GPUs of a group share the work equally. The
  // links limit the data that one GPU sends. Without link ceilings, the bound of a group that sends data is
  // unknown.
  std::optional<Bound> bound(const Work& work, const Problem& problem, CacheMode cache,
                             bool matrix_units = false) const;

  // FLOP per second of the ordinary arithmetic units or of the matrix units. For a group of GPUs, this is the
  // sum over its GPUs.
  std::optional<double> flop_rate(ElementType type, bool matrix_units) const;

  // 32-bit integer operations per second; nothing if not measured.
  std::optional<double> integer_rate() const {
    return integer_rate_ > 0 ? std::optional(integer_rate_) : std::nullopt;
  }

  // Host time in seconds that one launch and the wait for its end take in this programming model. Nothing if
  // not measured.
  std::optional<double> launch_cost(const std::string& model) const;

  bool lacks_links() const { return devices_ > 1 && !(link_rate_ > 0); }

  // Returns the smallest footprint with a known bandwidth; 0 if there is none.
  std::int64_t least_footprint() const;

 private:
  using Curve = std::map<std::int64_t, double>;  // footprint -> bytes/s
  std::map<double, Curve> curves_;               // fraction of writes -> curve
  std::map<ElementType, double> flop_rates_;
  // For double, the FP64 matrix rate. For float, the BF16 matrix rate, because variants can split a float
  // product into several BF16 products.
  std::map<ElementType, double> matrix_rates_;
  double integer_rate_ = 0;  // 32-bit operations per second; 0: unknown
  int devices_ = 1;          // number of GPUs in the group; 1 for a single device
  double link_rate_ = 0;     // bytes per second: the highest measured rate out of one GPU; 0: unknown
  std::map<std::string, double> launch_costs_;  // by ceiling name: seconds of one launch
};

}  // namespace sextant
