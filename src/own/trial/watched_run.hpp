// Runs the reference of a user kernel in child processes and records which elements of its arrays it
// accesses.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "own/description/description.hpp"

namespace sextant::own {

// The accesses to one array. Indices and lengths count C++ elements; a struct is one.
struct ArrayAccess {
  std::int64_t length = 0;            // number of elements in the description
  std::int64_t least = 0, most = -1;  // lowest and highest index; `most` is below `least` without an access

  bool accessed() const { return most >= least; }
  std::int64_t needed() const { return accessed() ? most + 1 : 0; }
  bool in_bounds() const { return !accessed() || (least >= 0 && most < length); }
};

struct WatchedRun {
  enum class Ending : std::uint8_t {
    returned,
    too_far,   // an index is so far outside an array that the run ended; the access is recorded
    too_long,  // the run exceeded its limit of accesses or time
    crashed,
    refused  // the description cannot be evaluated at these sizes
  };
  Ending ending = Ending::refused;
  std::vector<ArrayAccess> arrays;  // of the description, then of the reference's temporary arrays
  std::int64_t accesses = 0;        // to these arrays
  double seconds = 0;               // processor time of the reference
  bool has_nan = false;             // true if a result is not a number
  // Smallest and largest absolute value of the results that are real numbers; 0 without any.
  double smallest = 0, largest = 0;
  bool has_signs = false;  // true if such results are positive and negative

  // True if the function returned and no index is negative. Arrays may be too short.
  bool returned() const;
  bool in_bounds() const;
};

// The reference of a description, compiled so that it reports its accesses.
class WatchedReference {
 public:
  // Compiles the reference. `problem()` is not empty if that fails.
  explicit WatchedReference(const Description& description);
  ~WatchedReference();
  WatchedReference(const WatchedReference&) = delete;
  WatchedReference& operator=(const WatchedReference&) = delete;
  const std::string& problem() const { return problem_; }

  // Runs it once. `description` may differ from that of the constructor in its sizes, lengths and fills.
  // `values` are the values of description.size_names().
  WatchedRun run(const Description& description, const std::vector<std::int64_t>& values);
  int runs() const { return runs_; }

 private:
  struct Memory;
  std::string image_, problem_;
  std::unique_ptr<Memory> memory_;
  int runs_ = 0;
};

}  // namespace sextant::own
