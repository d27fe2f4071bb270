// Holds a problem's arrays on the host, which all its variants share, and their copies on a device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/overrun.hpp"
#include "engine/case/comparison.hpp"
#include "record/input_fill.hpp"
#include "suite/kernel.hpp"

namespace sextant {

// An array on the host. Guard zones before and after it reveal out-of-bounds accesses.
struct HostArray {
  char* base = nullptr;   // start of the allocation, which begins with a guard zone
  void* data = nullptr;   // first element, aligned to 256 bytes
  std::size_t bytes = 0;  // size of the elements in bytes
  std::size_t total = 0;  // size of the allocation in bytes: guard zone, elements, guard zone
};

// A filling is a numbered set of inputs for a problem's arrays. Filling 0 is drawn from the user's seed and
// is timed, and only it depends on InputFill. Every other filling has uniform numbers with full significands
// where the kernel has no data of its own, and a seed that each process draws anew, so that no variant can
// know it in advance.
using Filling = std::uint32_t;
inline constexpr Filling timed_filling = 0, other_filling = 0xFFFFFFFF;

// How much of an output is poisoned (filled with values that are never right). Samples of it suffice where
// the whole array will be overwritten with a device's outputs; they reveal parts that were not.
enum class Poisoned : std::uint8_t { whole, samples };

// Returns the checksum of toolbox/byte_sum.hpp over memory of the host.
std::uint64_t byte_sum(const char* data, std::size_t bytes);

class Workset {
 public:
  // Allocates the arrays (first touch in parallel), fills inputs from `seed` and poisons outputs: fills them
  // with values that are never right. Throws std::bad_alloc.
  Workset(const Kernel& kernel, const Problem& problem, std::uint64_t seed, std::size_t guard_bytes = 16384,
          InputFill fill = InputFill::uniform);
  ~Workset();
  Workset(const Workset&) = delete;
  Workset& operator=(const Workset&) = delete;

  const Kernel& kernel() const { return kernel_; }
  const Problem& problem() const { return problem_; }
  std::vector<HostArray>& arrays() { return arrays_; }
  const std::vector<HostArray>& arrays() const { return arrays_; }
  std::size_t total_bytes() const;

  // Restores the inputs and poisons the outputs. Refills inout arrays and inputs that compare() found
  // changed, or all inputs if `filling` is another one. After distrust_inputs(), it also refills inputs whose
  // checksum has changed.
  void reset(unsigned char poison, Filling filling = timed_filling, Poisoned poisoned = Poisoned::whole);
  // Makes `filling` the current one and writes its inputs, changed or not. Leaves outputs unchanged.
  void refill(Filling filling);
  // Makes `filling` the current one without writing the host's arrays, because a device has its inputs
  // already. Returns false, and changes nothing, if a later bring_inputs() would not be quick. Until then the
  // host's arrays hold other inputs.
  bool select(Filling filling);
  void bring_inputs();  // writes the inputs of the current filling to the host's arrays, if they lack them
  Filling filling() const { return filling_; }
  // Returns true if all fillings have the same inputs, or if there are no inputs. This is known after the
  // first refill() with a filling other than the timed one.
  bool has_fixed_data() const { return has_fixed_data_; }
  // Returns true if this is certain, because no input is small. The current filling is then always the timed
  // one.
  bool has_same_inputs() const { return has_same_inputs_; }
  void read_outputs() const;  // brings the outputs to the caches
  // Changes every element of the outputs by more than any tolerance allows, and never to a NaN.
  void alter_outputs();
  // Call this after code has run on the host's arrays, because it may have changed inputs.
  void distrust_inputs() { inputs_trusted_ = false; }
  // Fills the outputs with bytes of `poison` (0xFF: NaN), and the guard zones with their pattern. For arrays
  // that are read, the pattern is a NaN (in integer arrays, a large integer). For arrays that are only
  // written, it is another value.
  void poison_outputs(unsigned char poison, Poisoned poisoned = Poisoned::whole);
  // Returns the reference result of output array `index` for the current filling. It is computed on first
  // use, so call this while the inputs are unchanged. The result for the timed filling is kept, the others as
  // memory allows.
  const std::vector<double>& reference(int index);
  void compute_reference();        // computes the reference of all output arrays
  void compute_reference_again();  // computes it even if it is known
  // seconds of the last computation of the reference
  double reference_seconds() const { return reference_seconds_; }
  // Returns the number of fillings, in addition to the timed one, whose reference is kept. It is 1 if no more
  // fit into the `bytes` of keep_references().
  std::size_t most_fillings() const;
  void keep_references(double bytes) { kept_bytes_ = static_cast<std::size_t>(std::max(bytes, 0.0)); }
  bool has_short_reference() const { return reference_seconds_ <= 2e-3; }

  // Keeps the outputs for the next compare(), so that later writes to the arrays do not count. Outputs that
  // were right before are kept by their checksum; others are copied if they are small.
  void keep_outputs();
  // Compares outputs with the reference, inputs with their checksums, and guard zones with their pattern.
  // Returns an empty string, or a description of the error. *worst receives the deviation that is largest
  // relative to its tolerance. Without `with_inputs`, inputs are assumed to be unchanged.
  std::string compare(Deviation* worst, bool with_inputs = true);
  // Returns a hash of every byte of the outputs.
  std::uint64_t outputs_hash() const;
  // Returns the deviation of output `index` if an array with the same checksum (toolbox/byte_sum.hpp, with
  // the guard zones) was compared before, for the current filling, and was right. Otherwise returns null.
  const Deviation* right_output(std::size_t index, std::uint64_t sum) const;

  // Returns true if arrays that are only read are unchanged, as far as is known.
  bool trusts_inputs() const { return inputs_trusted_; }
  // Returns the checksum (toolbox/byte_sum.hpp) of the read-only array `index` with its guard zones, for the
  // current filling.
  std::uint64_t input_sum(std::size_t index) const { return input_sums_[index]; }

 private:
  using Results = std::vector<std::vector<double>>;  // reference results by index of the array
  using References = std::map<Filling, Results>;
  struct KeptInputs {
    std::vector<std::unique_ptr<char[]>> data;  // by index of the array; null if it is not an input
    std::vector<std::uint64_t> sums;
  };

  void fill_input(std::size_t index);
  void find_fixed_data();
  bool take_kept_inputs();
  void keep_inputs();
  std::string compare_outputs(Deviation* worst, bool with_inputs);
  std::string compare_output(std::size_t index, Deviation* worst);
  std::uint64_t data_hash() const;
  bool inputs_changed(std::size_t index) const;
  References::node_type place_for_reference();
  std::size_t reference_bytes() const;  // bytes of the reference results for one filling

  const Kernel& kernel_;
  Problem problem_;
  std::uint64_t seed_;
  InputFill fill_;
  std::size_t guard_;
  std::vector<HostArray> arrays_;
  References references_;
  double reference_seconds_ = 0;
  std::map<Filling, KeptInputs> kept_inputs_;
  // deviations of right outputs, by index and checksum
  std::map<Filling, std::map<std::pair<std::size_t, std::uint64_t>, Deviation>> right_outputs_;
  Filling latest_kept_ = other_filling;  // latest kept filling that only one variant gets
  struct KeptOutput {
    std::optional<Deviation> right;  // the deviation of an output that is known to be right
    std::vector<char> copy;          // empty if the output was not copied
    std::uint64_t sum = 0;           // checksum of an output that was copied, with its guard zones
  };
  std::vector<KeptOutput> kept_outputs_;  // by array; empty if none are kept
  std::size_t kept_bytes_ = std::size_t{64} << 20;
  bool inputs_trusted_ = true;
  Filling filling_ = timed_filling;  // the current filling
  bool on_host_ = true;              // false after select(): the host's arrays lack the current inputs
  bool has_fixed_data_ = false, has_same_inputs_ = false, asked_for_fixed_data_ = false;
  std::uint64_t others_seed_;              // seed of all fillings except the timed one
  std::vector<std::uint64_t> input_sums_;  // checksums by index of the array; valid for read-only arrays
  std::vector<std::uint64_t> timed_sums_;  // the same for the timed filling
  std::uint64_t timed_data_ = 0;           // hash of all inputs of the timed filling
  // by array: a copy of data that are the same in all fillings, or null
  std::vector<std::unique_ptr<char[]>> fixed_inputs_;

  friend class ClosedGuards;
};

// During its lifetime, AddressSanitizer ends the program at any access to a guard zone of the host's arrays.
// This works in builds with AddressSanitizer and in processes that search for out-of-bounds accesses
// (base/overrun.hpp).
class ClosedGuards {
 public:
  explicit ClosedGuards(const Workset& workset);
  ~ClosedGuards();
  ClosedGuards(const ClosedGuards&) = delete;
  ClosedGuards& operator=(const ClosedGuards&) = delete;

 private:
  const Workset& workset_;
  KnownArrays known_;
};

}  // namespace sextant
