// The copies of a problem's arrays on a device.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "engine/case/workset.hpp"

namespace sextant {

// Copies of inputs that a device keeps beside the arrays of the launches. All cases of a problem share them.
class KeptOnDevice {
 public:
  explicit KeptOnDevice(Device& device) : device_(device) {}
  ~KeptOnDevice();
  KeptOnDevice(const KeptOnDevice&) = delete;
  KeptOnDevice& operator=(const KeptOnDevice&) = delete;

  bool has(Filling filling) const { return copies_.contains(filling); }
  // Adds a copy of an array for each entry that is not null. Keeps nothing if there is no room.
  void add(Filling filling, const std::vector<const void*>& arrays, const std::vector<std::size_t>& bytes);
  // Copies the kept array `index` to `to`. Returns false if there is none.
  bool restore(Filling filling, std::size_t index, void* to, std::size_t bytes);

 private:
  void drop(Filling filling);

  Device& device_;
  std::map<Filling, std::vector<void*>> copies_;  // by index of the array; null: none
};

// The copies of a problem's arrays on a device, including guard zones.
class DeviceCopies {
 public:
  // Inputs that return are kept in `kept`; null: nowhere.
  DeviceCopies(Device& device, Workset& workset, KeptOnDevice* kept = nullptr);
  ~DeviceCopies();
  DeviceCopies(const DeviceCopies&) = delete;
  DeviceCopies& operator=(const DeviceCopies&) = delete;

  const ArrayAt* arrays() const { return places_.data(); }  // Returns the arrays that a launch gets.
  // Brings the inputs of `filling` to the device from a copy that the device has kept, and makes it the
  // current filling. Returns false if there is no such copy, or if it was overwritten.
  bool restore_inputs(Filling filling);
  // Keeps a copy of the current inputs on the device, if all variants get this filling and memory allows.
  void keep_inputs();
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
  // Returns true if checksums show that all read-only arrays on the device, with guard zones, hold the
  // current inputs. Returns false if the device computes no checksums.
  bool finds_inputs();
  // Compares the outputs on the device with the reference of the current filling and, if asked, inputs with
  // what they were. Returns what is wrong, or an empty string. *worst receives the deviation that is largest
  // relative to its tolerance. Outputs whose checksum on the device is that of outputs which were right for
  // this filling before are not copied to the host.
  std::string compare(Deviation* worst, bool with_inputs = true);
  // Returns the bytes that a check reads on the host, according to the last result of finds_inputs().
  std::size_t bytes_checked() const;

 private:
  void unmap_all();
  void copy_part_in(std::size_t array, std::size_t begin, std::size_t end);
  bool finds_input(std::size_t array);
  std::optional<std::uint64_t> sum_of(std::size_t array);
  bool finds_right_outputs(Deviation* worst);

  Device& device_;
  Workset& workset_;
  KeptOnDevice* const kept_;
  std::vector<void*> bases_;
  std::vector<ArrayAt> places_;
  std::vector<char> copied_;  // by index of the array; nonzero if the array was ever copied to the device
  bool found_inputs_ = false;
};

}  // namespace sextant
