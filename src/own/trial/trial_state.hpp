// The state of the search for changes of a draft: the changes so far, and runs of the reference with them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "own/trial/size_fit.hpp"
#include "own/trial/trials.hpp"
#include "own/trial/watched_run.hpp"

namespace sextant::own {

// Values of Description::size_names() for one run.
using TrialPoint = std::vector<std::int64_t>;

class TrialState {
 public:
  explicit TrialState(const TrialAsked& asked);

  const Description& description() const { return description_; }
  const DraftChanges& changes() const { return changes_; }
  bool compiled() const { return reference_.problem().empty(); }
  bool has_time() const { return std::chrono::steady_clock::now() < end_; }

  bool is_constant(std::size_t size) const;

  // Applies changes to the draft. Returns false, and changes nothing, if the result is no valid description.
  bool change(const std::function<void(DraftChanges*)>& how);

  // Makes points() vary a size that has a constant value in the description.
  void vary(std::size_t size);
  // Gives a size a constant value, which points() do not vary.
  bool fix(std::size_t size, std::int64_t value, const std::string& why);

  // Returns sizes for runs. Sizes that follow from N differ from each other, and a product of two differs
  // from a square.
  std::vector<TrialPoint> points() const;
  // Indices of the values that vary: those that follow from N, and those given to vary().
  std::vector<std::size_t> free_sizes() const;
  // The smallest value that a size can have: 4 for "max(n, 4)", and for a size that equals this one.
  std::int64_t least_size(std::size_t size) const;
  // Returns the names of these sizes, for fits, and their values at a point.
  SizeFit fit() const;
  Observation observed(const TrialPoint& point, std::int64_t number) const;

  WatchedRun run(const Description& description, const TrialPoint& point);

  bool is_unknown(std::size_t array) const;
  // Indices of the inputs that hold whole numbers, also as members of structs.
  std::vector<std::size_t> whole_inputs() const;
  // The largest number that an element of such an array may have in a trial.
  std::int64_t most_value(std::size_t array) const;

 private:
  const TrialAsked& asked_;
  DraftChanges changes_;
  std::set<std::string> varied_;  // names of sizes
  Description description_;
  WatchedReference reference_;
  std::chrono::steady_clock::time_point end_;
};

// Fills an array with one number. The whole numbers of structs get numbers from 0 to `value`.
void fill_with(std::int64_t value, std::size_t array, Description* description);
// Fills all arrays of whole numbers with zeros, except those in `kept`.
Description with_zeros(const TrialState& state, const std::vector<std::size_t>& kept = {});

}  // namespace sextant::own
