// Finds the fastest of many tunings of a variant, because only this one and the default tuning are measured
// in full.
#pragma once

#include <optional>
#include <span>

#include "engine/form/settings.hpp"
#include "record/measurement.hpp"

namespace sextant {

// The leading cases that differ only in their tuning.
std::span<const Case> tunings_in_front(std::span<const Case> cases);

// True if these tunings of one variant and problem are a search: at least four, on a GPU.
bool is_search(std::span<const Case> tunings);

// In a search, most tunings get no end-to-end pass, because copies do not depend on the tuning. If concurrent
// measurements disturb their calls, these are not isolated either. Only the default and the fastest tuning
// are measured in full.
// The fastest is known only at the end. Until then the fastest so far is held back. It is finally measured
// again for what it lacks.
class TuningSearch {
 public:
  // `by_device`: compares device times where they are known, otherwise call times.
  explicit TuningSearch(std::span<const Case> tunings, bool by_device = false);

  // True if this tuning is not measured in full.
  bool is_brief(const Case& what) const;
  // Adds a measurement, and holds it back if it may be the fastest. Returns a measurement that need not be
  // held back, if any.
  std::optional<Measurement> add(Measurement one);
  // After all add(): the case to measure again and the times it lacks. Null: none.
  const Case* unfinished() const;
  Timed what_it_lacks() const;
  // Takes the result of the second measurement.
  void finish(Measurement again);
  // Returns the measurement that is held back, if any.
  std::optional<Measurement> take();

 private:
  struct Times {
    double call, on_device;  // seconds; 0: unknown
  };
  static Times times_of(const Measurement& measurement);
  bool is_faster(const Times& one, const Times& other) const;

  bool is_search_, by_device_;
  std::optional<Times> fastest_whole_;  // fastest tuning measured in full
  std::optional<Measurement> held_;     // fastest of the others
};

}  // namespace sextant
