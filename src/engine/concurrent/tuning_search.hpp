// Many tunings of a variant at a problem: what only the default and the fastest of them are measured with.
#pragma once

#include <optional>
#include <span>

#include "engine/form/settings.hpp"
#include "record/measurement.hpp"

namespace sextant {

// As many of the first cases as differ in nothing but their tuning.
std::span<const Case> tunings_in_front(std::span<const Case> cases);

// Whether so many tunings, of one variant at a problem on a GPU, are a search.
bool is_search(std::span<const Case> tunings);

// Of a search only the default and the fastest have a pass from end to end, as copies do not depend on a
// tuning, and have their calls sampled with nothing beside them, where neighbours move calls. The fastest is
// known when all are measured. Until then the fastest so far is held back; it is measured once more for what
// it lacks.
class TuningSearch {
 public:
  // `by_device`: the fastest is told by times on the device, where they are known, not by calls.
  explicit TuningSearch(std::span<const Case> tunings, bool by_device = false);

  // Whether the case, one of the tunings, is measured without that.
  bool is_brief(const Case& what) const;
  // A case was measured. What is held back no longer, or need not be.
  std::optional<Measurement> add(Measurement one);
  // What is to be measured once more when all were added, and of what; null: nothing.
  const Case* unfinished() const;
  Timed what_it_lacks() const;
  // It was.
  void finish(Measurement again);
  // What is held back.
  std::optional<Measurement> take();

 private:
  struct Times {
    double call, on_device;  // seconds; 0: not known
  };
  static Times times_of(const Measurement& measurement);
  bool is_faster(const Times& one, const Times& other) const;

  bool is_search_, by_device_;
  std::optional<Times> fastest_whole_;  // of those that lack nothing
  std::optional<Measurement> held_;     // the fastest of the others
};

}  // namespace sextant
