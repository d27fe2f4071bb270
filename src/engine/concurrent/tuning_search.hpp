// Finds the fastest of many tunings of a variant. Only the fastest and the default tuning are measured in
// full.
#pragma once

#include <optional>
#include <span>

#include "engine/form/settings.hpp"
#include "record/measurement.hpp"

namespace sextant {

// Returns the first cases of the list that differ only in their tuning.
std::span<const Case> tunings_in_front(std::span<const Case> cases);

// Returns true if these tunings of one variant and problem are measured as a search. This needs at least four
// tunings, on a GPU.
bool is_search(std::span<const Case> tunings);

// In a search, most tunings get no end-to-end pass, because copies do not depend on the tuning. Their calls
// may overlap measurements on other GPUs, even if that changes call times. Only the default and the fastest
// tuning are measured in full.
//
// The fastest tuning is known only at the end. Until then, the measurement of the fastest tuning so far is
// held back. At the end that tuning is measured again to add the missing times.
class TuningSearch {
 public:
  // If `by_device` is true, device times are compared where they are known, otherwise call times.
  explicit TuningSearch(std::span<const Case> tunings, bool by_device = false);

  // Returns true if this tuning is not measured in full.
  bool is_brief(const Case& what) const;
  // Adds a measurement, and holds it back if it may be the fastest. Returns a measurement that need not be
  // held back, if there is one.
  std::optional<Measurement> add(Measurement one);
  // Call these after all add(). unfinished() returns the case to measure again, or null. what_it_lacks()
  // returns which of its times are missing.
  const Case* unfinished() const;
  Timed what_it_lacks() const;
  // Adds the result of the second measurement.
  void finish(Measurement again);
  // Returns the measurement that was held back, if there is one.
  std::optional<Measurement> take();

 private:
  struct Times {
    double call, on_device;  // seconds of a call and of the device; 0: unknown
  };
  static Times times_of(const Measurement& measurement);
  bool is_faster(const Times& one, const Times& other) const;

  bool is_search_, by_device_;
  std::optional<Times> fastest_whole_;  // times of the fastest tuning that was measured in full
  std::optional<Measurement> held_;     // fastest measurement that still lacks some times
};

}  // namespace sextant
