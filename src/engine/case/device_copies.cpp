#include "engine/case/device_copies.hpp"

namespace sextant {

KeptOnDevice::~KeptOnDevice() {
  while (!copies_.empty()) drop(copies_.begin()->first);
}

void KeptOnDevice::drop(Filling filling) {
  for (void* one : copies_[filling]) {
    try {
      if (one) device_.drop(one);
    } catch (const DeviceError&) {
      // the device failed before, and that was reported; nothing is left to free
    }
  }
  copies_.erase(filling);
}

void KeptOnDevice::add(Filling filling, const std::vector<const void*>& arrays,
                       const std::vector<std::size_t>& bytes) {
  std::vector<void*>& copies = copies_[filling];
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    copies.push_back(arrays[i] ? device_.keep(arrays[i], bytes[i]) : nullptr);
    if (arrays[i] && !copies.back()) return drop(filling);
  }
}

bool KeptOnDevice::restore(Filling filling, std::size_t index, void* to, std::size_t bytes) {
  const void* from = copies_.at(filling)[index];
  if (from) device_.restore(to, from, bytes);
  return from != nullptr;
}

DeviceCopies::DeviceCopies(Device& device, Workset& workset, KeptOnDevice* kept)
    : device_(device), workset_(workset), kept_(kept) {
  try {
    for (HostArray& array : workset.arrays()) {
      bases_.push_back(device_.map(array.base, array.total));
      places_.emplace_back(bases_.back(), static_cast<char*>(array.data) - array.base);
      copied_.push_back(0);
    }
  } catch (...) {
    unmap_all();
    throw;
  }
}

DeviceCopies::~DeviceCopies() {
  workset_.bring_inputs();
  unmap_all();
}

void DeviceCopies::unmap_all() {
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    try {
      device_.unmap(bases_[i], workset_.arrays()[i].total);
    } catch (const DeviceError&) {
      // the device failed before, and that was reported; nothing is left to free
    }
  }
}

// Copies bytes [begin, end) of an array, guard zones included, to the device.
void DeviceCopies::copy_part_in(std::size_t array, std::size_t begin, std::size_t end) {
  device_.copy_in_fast(static_cast<char*>(bases_[array]) + begin, workset_.arrays()[array].base + begin,
                       end - begin);
}

bool DeviceCopies::finds_input(std::size_t i) {
  return copied_[i] && workset_.trusts_inputs() && sum_of(i) == workset_.input_sum(i);
}

// Returns the checksum of an array on the device, with its guard zones. Devices compute none of small arrays,
// so beside larger arrays those are copied to the host. Copies to the host's own array would hide a change.
std::optional<std::uint64_t> DeviceCopies::sum_of(std::size_t i) {
  constexpr std::size_t small = std::size_t{1} << 20;
  const std::size_t bytes = workset_.arrays()[i].total;
  const std::optional<std::uint64_t> sum = device_.sum_of(bases_[i], bytes);
  if (sum || bytes > small || workset_.total_bytes() <= 4 * small) return sum;
  std::vector<char> copy(bytes);
  device_.copy_out_fast(copy.data(), bases_[i], bytes);
  return byte_sum(copy.data(), bytes);
}

// Returns true if the device computes the checksums of all outputs, and such outputs were found right before.
// *worst receives their deviation.
bool DeviceCopies::finds_right_outputs(Deviation* worst) {
  if (device_.memory_space() == MemorySpace::host) return false;
  *worst = {};
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    if (workset_.kernel().arrays[i].role == Role::in) continue;
    const std::optional<std::uint64_t> sum = sum_of(i);
    const Deviation* known = sum ? workset_.right_output(i, *sum) : nullptr;
    if (!known) return false;
    *worst = worse_of(*worst, *known);
  }
  return true;
}

std::string DeviceCopies::compare(Deviation* worst, bool with_inputs) {
  const bool inputs_too = with_inputs && !finds_inputs();
  if (!inputs_too && finds_right_outputs(worst)) return {};
  copy_out(inputs_too ? Which::all : Which::outputs);
  return workset_.compare(worst, inputs_too);
}

bool DeviceCopies::restore_inputs(Filling filling) {
  if (!kept_ || !kept_->has(filling) || !workset_.select(filling)) return false;
  bool whole = true;
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    if (!kept_->restore(filling, i, bases_[i], workset_.arrays()[i].total)) continue;
    copied_[i] = 1;
    whole = whole && finds_input(i);  // a launch may have written beside its arrays
  }
  return whole;
}

void DeviceCopies::keep_inputs() {
  constexpr Filling last_of_all = 3;  // later fillings are for a single variant
  if (!kept_ || workset_.filling() > last_of_all || kept_->has(workset_.filling())) return;
  std::vector<const void*> inputs;
  std::vector<std::size_t> bytes;
  std::size_t all = 0;
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    const Role role = workset_.kernel().arrays[i].role;
    if (role == Role::inout) return;
    if (role == Role::in && !finds_input(i)) return;  // also if the device computes no checksums
    bytes.push_back(workset_.arrays()[i].total);
    inputs.push_back(role == Role::in ? bases_[i] : nullptr);
    if (role == Role::in) all += bytes.back();
  }
  if (all <= device_.free_memory() / 16) kept_->add(workset_.filling(), inputs, bytes);
}

bool DeviceCopies::finds_inputs() {
  found_inputs_ = true;
  for (std::size_t i = 0; found_inputs_ && i < bases_.size(); ++i)
    found_inputs_ = workset_.kernel().arrays[i].role != Role::in || finds_input(i);
  return found_inputs_;
}

std::size_t DeviceCopies::bytes_checked() const {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < bases_.size(); ++i)
    if (!found_inputs_ || workset_.kernel().arrays[i].role != Role::in) bytes += workset_.arrays()[i].bytes;
  return bytes;
}

void DeviceCopies::copy_in(Which which, unsigned char poison) {
  if (device_.memory_space() == MemorySpace::host) return;
  if (which == Which::all) workset_.bring_inputs();
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    const Role role = workset_.kernel().arrays[i].role;
    const HostArray& array = workset_.arrays()[i];
    if (role == Role::out) {
      const auto begin = static_cast<std::size_t>(static_cast<char*>(array.data) - array.base);
      copy_part_in(i, 0, begin);
      device_.fill(places_[i].address(), poison, array.bytes);
      copy_part_in(i, begin + array.bytes, array.total);
    } else if (role == Role::inout || (which == Which::all && !finds_input(i))) {
      copy_part_in(i, 0, array.total);
      copied_[i] = 1;
    }
  }
}

void DeviceCopies::copy_inputs_in() {
  if (device_.memory_space() == MemorySpace::host) return;
  workset_.bring_inputs();
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    if (workset_.kernel().arrays[i].role == Role::out) continue;
    copy_part_in(i, 0, workset_.arrays()[i].total);
    copied_[i] = 1;
  }
}

void DeviceCopies::copy_outputs_in() {
  if (device_.memory_space() == MemorySpace::host) return;
  for (std::size_t i = 0; i < bases_.size(); ++i)
    if (workset_.kernel().arrays[i].role == Role::out) copy_part_in(i, 0, workset_.arrays()[i].total);
}

void DeviceCopies::copy_out(Which which) {
  for (std::size_t i = 0; i < bases_.size(); ++i)
    if (which == Which::all || workset_.kernel().arrays[i].role != Role::in)
      device_.copy_out_fast(workset_.arrays()[i].base, bases_[i], workset_.arrays()[i].total);
}

}  // namespace sextant
