// Checks a variant's result element by element before anything is timed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "suite/kernel.hpp"
#include "suite/variant.hpp"

namespace sextant {

// The host side of a problem: inputs, their pristine copies' checksum, guard zones, and the reference result. Made
// once and shared by all variants of a problem.
struct HostArray {
  char* base = nullptr;   // start of the allocation, the leading guard zone
  void* data = nullptr;   // start of the elements, 256-byte aligned
  std::size_t bytes = 0;  // of the elements
  std::size_t total = 0;  // of the allocation: guard + elements + guard
};

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
  std::size_t total_bytes() const;

  // Puts inputs back and poisons outputs.
  void reset(unsigned char poison);
  void fill_inputs();
  // Outputs become bytes of `poison` (0xFF: NaN), guards their pattern.
  void poison_outputs(unsigned char poison);
  // The reference result of output array `index`; computed on first use.
  const std::vector<double>& reference(int index);

  // Compares array contents with the reference, the inputs with what they were and the guards with their pattern.
  // Returns an empty string or what is wrong; *error is the largest |got - reference| (infinity for NaN).
  std::string compare(double* error);

 private:
  const Kernel& kernel_;
  Problem problem_;
  std::uint64_t seed_;
  std::size_t guard_;
  std::vector<HostArray> arrays_;
  std::vector<std::vector<double>> references_;
  bool referenced_ = false;
  std::vector<std::uint64_t> input_hashes_;
};

struct CheckResult {
  bool passed = false;
  std::string reason;  // empty if passed
  double error = 0;
  double tolerance = 0;  // absolute term
};

// A problem's arrays at their place on a device, guard zones included.
class Mapped {
 public:
  Mapped(Device& device, Workset& workset);
  ~Mapped();
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  void** arrays() { return pointers_.data(); }  // what a launch is handed
  void copy_in();                               // everything, poison and guards too
  void copy_out();

 private:
  Device& device_;
  Workset& workset_;
  std::vector<void*> bases_, pointers_;
};

// Runs the variant once on poisoned outputs and compares; then once more on another poison, so that a result left
// over from before, or one that happens to equal the poison, cannot pass. Throws DeviceError if the device fails.
CheckResult check(const Variant& variant, const Call& call, Device& device, Workset& workset, Mapped& mapped);

}  // namespace sextant
