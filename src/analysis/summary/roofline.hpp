// What the measured ceilings of a device allow.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

// The least time in which a device can do some work.
struct Bound {
  double seconds = 0;
  bool by_arithmetic = false;  // a ceiling of FLOP or integer operations is what bounds it, not the bandwidth
  bool by_link = false;        // what a GPU of several must send is
};

// Those whose ceilings say what is possible on a device: itself; of a team its first GPU, and what its links
// are stored under.
std::vector<std::string> devices_of_ceilings(const std::string& device);

// One device's ceilings, ready to be asked; of a team those of its first GPU for each of its GPUs, and its
// links'.
class Roofline {
 public:
  Roofline(const std::vector<Ceiling>& ceilings, const std::string& device);

  bool empty() const { return curves_.empty() && flop_rates_.empty(); }

  // Bytes per second at this footprint (bytes touched) and share of writes (0 to 1), or nothing if no
  // bandwidth was measured. Over footprints each curve is linear in their logarithm and constant beyond its
  // ends; between the curves of read (no writes), triad (1/3), copy (1/2) and write (all) the time per byte
  // is linear in the share.
  std::optional<double> bandwidth(std::int64_t footprint, double write_share) const;

  // max(bytes / bandwidth, FLOP / FLOP rate, integer operations / their rate); nothing if none is known. With
  // cold caches all comes from memory: the largest footprint's bandwidth counts. `matrix_units`: doubles are
  // held against the rate of those, where it was measured. A team's GPUs have a share each; what one sends
  // takes what their links allow, and nothing is known where these were not measured.
  std::optional<Bound> bound(const Work& work, const Problem& problem, CacheMode cache,
                             bool matrix_units = false) const;

  // FLOP per second of the plain units, or of the matrix units; of all GPUs of a team.
  std::optional<double> flop_rate(ElementType type, bool matrix_units) const;

  // Operations of 32 bits per second; nothing where that was not measured.
  std::optional<double> integer_rate() const {
    return integer_rate_ > 0 ? std::optional(integer_rate_) : std::nullopt;
  }

  // Seconds that one launch and the wait for it cost the host in a model; nothing where that was not
  // measured.
  std::optional<double> launch_cost(const std::string& model) const;

  bool lacks_links() const { return devices_ > 1 && !(link_rate_ > 0); }

  // The least footprint of which a bandwidth is known; 0: none is.
  std::int64_t least_footprint() const;

 private:
  using Curve = std::map<std::int64_t, double>;  // footprint -> bytes/s
  std::map<double, Curve> curves_;               // share of writes -> curve
  std::map<ElementType, double> flop_rates_;
  // Of doubles; of floats that of 16 bits, as forms that make float's products of several of those have.
  std::map<ElementType, double> matrix_rates_;
  double integer_rate_ = 0;                     // of 32 bits; 0: not known
  int devices_ = 1;                             // of a team
  double link_rate_ = 0;                        // bytes per second out of one of them, at most; 0: not known
  std::map<std::string, double> launch_costs_;  // name of the ceiling -> seconds
};

}  // namespace sextant
