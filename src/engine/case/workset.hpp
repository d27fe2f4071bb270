// A problem's data on the host, made once and shared by all its variants, and its place on a device.
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

// The host side of a problem: inputs, their pristine copies' checksum, guard zones, and the reference result.
// Made once and shared by all variants of a problem.
struct HostArray {
  char* base = nullptr;   // start of the allocation, the leading guard zone
  void* data = nullptr;   // start of the elements, 256-byte aligned
  std::size_t bytes = 0;  // of the elements
  std::size_t total = 0;  // of the allocation: guard + elements + guard
};

// Which inputs a problem's arrays hold. Number 0: those of the seed, which are timed. Every other number:
// inputs of the same kind and structure, drawn by the process, so that no variant knows them before it gets
// them.
using Filling = std::uint32_t;
inline constexpr Filling timed_filling = 0, other_filling = 0xFFFFFFFF;

class Workset {
 public:
  // Allocates (first touch in parallel), fills inputs from `seed` and poisons the rest.
  Workset(const Kernel& kernel, const Problem& problem, std::uint64_t seed, std::size_t guard_bytes = 16384);
  ~Workset();
  Workset(const Workset&) = delete;
  Workset& operator=(const Workset&) = delete;

  const Kernel& kernel() const { return kernel_; }
  const Problem& problem() const { return problem_; }
  std::vector<HostArray>& arrays() { return arrays_; }
  const std::vector<HostArray>& arrays() const { return arrays_; }
  std::size_t total_bytes() const;

  // Puts inputs back as they were and poisons outputs. Inputs are made anew only where they changed: inout
  // arrays, where another filling is asked for, and inputs that compare() or, after distrust_inputs(), their
  // checksum finds changed.
  void reset(unsigned char poison, Filling filling = timed_filling);
  // Makes all inputs anew, whether they changed or not. Outputs stay as they are.
  void refill(Filling filling);
  Filling filling() const { return filling_; }
  // True if all fillings are the same inputs, or there are none; known after the first refill with another
  // number.
  bool has_fixed_data() const { return has_fixed_data_; }
  // Changes every element of the outputs by more than a tolerance allows; none of them becomes a NaN.
  void alter_outputs();
  // Something ran on the host arrays since they were last compared.
  void distrust_inputs() { inputs_trusted_ = false; }
  // Outputs become bytes of `poison` (0xFF: NaN), guards their pattern: NaN around arrays that are read
  // (large numbers in int32), another value around those that are only written.
  void poison_outputs(unsigned char poison);
  // The reference result of output array `index` for the filling that is there, computed on first use: call
  // it while inputs are as they were. Results for the timed filling are kept, those for others as memory
  // allows.
  const std::vector<double>& reference(int index);
  void compute_reference();                                        // of all output arrays
  void compute_reference_again();                                  // though it is known
  double reference_seconds() const { return reference_seconds_; }  // that computing the last one took
  // Fillings other than the timed one whose reference is kept: one where it is computed in hardly any time or
  // does not fit into `bytes` of keep_references().
  std::size_t most_fillings() const;
  void keep_references(double bytes) { kept_bytes_ = static_cast<std::size_t>(std::max(bytes, 0.0)); }
  bool has_short_reference() const { return reference_seconds_ <= 2e-3; }

  // Copies outputs off, for the next compare(): what is written to them from now on comes too late. Small
  // ones alone.
  void keep_outputs();
  // Compares array contents with the reference, the inputs with what they were and the guards with their
  // pattern. Returns an empty string or what is wrong; *worst is the deviation that is the largest share of
  // what is allowed. with_inputs false: inputs are taken to be unchanged.
  std::string compare(Deviation* worst, bool with_inputs = true);
  // Depends on every byte of the outputs.
  std::uint64_t outputs_hash() const;

  // Whether what is only read is, as far as is known, unchanged.
  bool trusts_inputs() const { return inputs_trusted_; }
  // Of array `index`, which is only read, with its guard zones: the sum of toolbox/byte_sum.hpp of the
  // filling that is there.
  std::uint64_t input_sum(std::size_t index) const { return input_sums_[index]; }

 private:
  using Results = std::vector<std::vector<double>>;  // by array
  using References = std::map<Filling, Results>;
  struct KeptInputs {
    std::vector<std::unique_ptr<char[]>> data;  // by array; null: no input
    std::vector<std::uint64_t> sums;
  };

  void fill_input(std::size_t index);
  bool take_kept_inputs();
  void keep_inputs();
  std::string compare_outputs(Deviation* worst, bool with_inputs);
  std::uint64_t data_hash() const;
  bool inputs_changed(std::size_t index) const;
  References::node_type place_for_reference();
  std::size_t reference_bytes() const;  // of one filling

  const Kernel& kernel_;
  Problem problem_;
  std::uint64_t seed_;
  std::size_t guard_;
  std::vector<HostArray> arrays_;
  References references_;
  double reference_seconds_ = 0;
  std::map<Filling, KeptInputs> kept_inputs_;
  std::vector<std::vector<char>> kept_outputs_;  // by array; empty: none are
  std::size_t kept_bytes_ = std::size_t{64} << 20;
  bool inputs_trusted_ = true;
  Filling filling_ = timed_filling;  // what the arrays hold
  bool has_fixed_data_ = false, asked_for_fixed_data_ = false;
  std::uint64_t others_seed_;              // of all fillings but the timed one
  std::vector<std::uint64_t> input_sums_;  // by array; of what is only read
  std::uint64_t timed_data_ = 0;           // depends on all inputs of the timed filling

  friend class ClosedGuards;
};

// While it lives, AddressSanitizer ends the program at a read or write of a guard zone of the host's arrays:
// in builds with it, and in processes that find overruns (base/overrun.hpp).
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

// A problem's arrays at their place on a device, guard zones included.
class Mapped {
 public:
  Mapped(Device& device, Workset& workset);
  ~Mapped();
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  const ArrayAt* arrays() const { return places_.data(); }  // what a launch is handed
  enum class Which { all, outputs };  // outputs: out and inout arrays; guards are copied, too
  // Outputs (out, not inout) become bytes of `poison` there, whatever the host has; their guard zones are the
  // host's. What is only read is not copied where the device finds that it is there.
  void copy_in(Which which, unsigned char poison);
  // All inputs, inout arrays included, whatever is there. Outputs stay as they are there.
  void copy_inputs_in();
  // Outputs (out, not inout) as the host has them.
  void copy_outputs_in();
  void copy_out(Which which = Which::all);
  // Whether all that is only read is there as the host has it, guard zones included, as the device finds;
  // false where it cannot.
  bool finds_inputs();
  // Bytes that a check goes through on the host where `finds_inputs` was true the last time.
  std::size_t bytes_checked() const;

 private:
  void unmap_all();
  void copy_part_in(std::size_t array, std::size_t begin, std::size_t end);
  bool finds_input(std::size_t array);

  Device& device_;
  Workset& workset_;
  std::vector<void*> bases_;
  std::vector<ArrayAt> places_;
  std::vector<char> copied_;  // by array, whether it was ever copied in
  bool found_inputs_ = false;
};

}  // namespace sextant
