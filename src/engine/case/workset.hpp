// Holds a problem's arrays on the host, which all its variants share, and their copies on a device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/overrun.hpp"
#include "device/device.hpp"
#include "engine/case/comparison.hpp"
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
// is timed. Every other filling has the same kind and structure of inputs, but a seed that each process draws
// anew, so that no variant can know it in advance.
using Filling = std::uint32_t;
inline constexpr Filling timed_filling = 0, other_filling = 0xFFFFFFFF;

class Workset {
 public:
  // Allocates the arrays (first touch in parallel), fills inputs from `seed` and poisons outputs: fills them
  // with values that are never right. Throws std::bad_alloc.
  Workset(const Kernel& kernel, const Problem& problem, std::uint64_t seed, std::size_t guard_bytes = 16384);
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
  void reset(unsigned char poison, Filling filling = timed_filling);
  // Refills all inputs, changed or not. Leaves outputs unchanged.
  void refill(Filling filling);
  Filling filling() const { return filling_; }
  // Returns true if all fillings have the same inputs, or if there are no inputs. This is known after the
  // first refill() with a filling other than the timed one.
  bool has_fixed_data() const { return has_fixed_data_; }
  // Changes every element of the outputs by more than any tolerance allows, and never to a NaN.
  void alter_outputs();
  // Call this after code has run on the host's arrays, because it may have changed inputs.
  void distrust_inputs() { inputs_trusted_ = false; }
  // Fills the outputs with bytes of `poison` (0xFF: NaN), and the guard zones with their pattern. For arrays
  // that are read, the pattern is a NaN (in integer arrays, a large integer). For arrays that are only
  // written, it is another value.
  void poison_outputs(unsigned char poison);
  // Returns the reference result of output array `index` for the current filling. It is computed on first
  // use, so call this while the inputs are unchanged. The result for the timed filling is kept, the others as
  // memory allows.
  const std::vector<double>& reference(int index);
  void compute_reference();        // computes the reference of all output arrays
  void compute_reference_again();  // computes it even if it is known
  // seconds of the last computation of the reference
  double reference_seconds() const { return reference_seconds_; }
  // Returns the number of fillings, in addition to the timed one, whose reference is kept. It is 1 if
  // computing the reference takes hardly any time, or if no more fit into the `bytes` of keep_references().
  std::size_t most_fillings() const;
  void keep_references(double bytes) { kept_bytes_ = static_cast<std::size_t>(std::max(bytes, 0.0)); }
  bool has_short_reference() const { return reference_seconds_ <= 2e-3; }

  // Copies small outputs for the next compare(), so that later writes to the arrays do not count.
  void keep_outputs();
  // Compares outputs with the reference, inputs with their checksums, and guard zones with their pattern.
  // Returns an empty string, or a description of the error. *worst receives the deviation that is largest
  // relative to its tolerance. Without `with_inputs`, inputs are assumed to be unchanged.
  std::string compare(Deviation* worst, bool with_inputs = true);
  // Returns a hash of every byte of the outputs.
  std::uint64_t outputs_hash() const;

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
  bool take_kept_inputs();
  void keep_inputs();
  std::string compare_outputs(Deviation* worst, bool with_inputs);
  std::uint64_t data_hash() const;
  bool inputs_changed(std::size_t index) const;
  References::node_type place_for_reference();
  std::size_t reference_bytes() const;  // bytes of the reference results for one filling

  const Kernel& kernel_;
  Problem problem_;
  std::uint64_t seed_;
  std::size_t guard_;
  std::vector<HostArray> arrays_;
  References references_;
  double reference_seconds_ = 0;
  std::map<Filling, KeptInputs> kept_inputs_;
  Filling latest_kept_ = other_filling;          // latest kept filling that only one variant gets
  std::vector<std::vector<char>> kept_outputs_;  // by array; empty if none are kept
  std::size_t kept_bytes_ = std::size_t{64} << 20;
  bool inputs_trusted_ = true;
  Filling filling_ = timed_filling;  // the filling that the arrays contain now
  bool has_fixed_data_ = false, asked_for_fixed_data_ = false;
  std::uint64_t others_seed_;              // seed of all fillings except the timed one
  std::vector<std::uint64_t> input_sums_;  // checksums by index of the array; valid for read-only arrays
  std::uint64_t timed_data_ = 0;           // hash of all inputs of the timed filling

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

// The copies of a problem's arrays on a device, including guard zones.
class DeviceCopies {
 public:
  DeviceCopies(Device& device, Workset& workset);
  ~DeviceCopies();
  DeviceCopies(const DeviceCopies&) = delete;
  DeviceCopies& operator=(const DeviceCopies&) = delete;

  const ArrayAt* arrays() const { return places_.data(); }  // Returns the arrays that a launch gets.
  enum class Which { all, outputs };  // `outputs` selects out and inout arrays with their guard zones
  // Fills the out arrays on the device with bytes of `poison`. Copies inout arrays and all guard zones from
  // the host. With Which::all, also copies read-only arrays, unless their checksum on the device shows that
  // they are there already.
  void copy_in(Which which, unsigned char poison);
  // Copies all inputs, including inout arrays, to the device, even if they are there already. Leaves the out
  // arrays on the device unchanged.
  void copy_inputs_in();
  // Copies the out arrays (not inout) from the host to the device.
  void copy_outputs_in();
  void copy_out(Which which = Which::all);
  // Returns true if the device's checksums show that all read-only arrays, with guard zones, are as on the
  // host. Returns false if the device computes no checksums.
  bool finds_inputs();
  // Returns the bytes that a check reads on the host, according to the last result of finds_inputs().
  std::size_t bytes_checked() const;

 private:
  void unmap_all();
  void copy_part_in(std::size_t array, std::size_t begin, std::size_t end);
  bool finds_input(std::size_t array);

  Device& device_;
  Workset& workset_;
  std::vector<void*> bases_;
  std::vector<ArrayAt> places_;
  std::vector<char> copied_;  // by index of the array; nonzero if the array was ever copied to the device
  bool found_inputs_ = false;
};

}  // namespace sextant
