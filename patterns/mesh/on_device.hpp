// Lists that OpenACC's forms make in prepare, on the device.
#pragma once

#include <openacc.h>

#include <vector>

#include "lists.hpp"
#include "loop.hpp"
#include "mesh.hpp"

namespace sextant::mesh {

// The ends of edges, as the device has them.
inline std::vector<std::int32_t> ends_from_device(const Call& call) {
  std::vector<std::int32_t> ends(static_cast<std::size_t>(2 * edges_of(call.problem)));
  acc_memcpy_from_device(ends.data(), acc_deviceptr(call.arrays[0]), 4 * ends.size());
  return ends;
}

// Null where there is no memory.
template <typename T>
T* to_device(const std::vector<T>& values) {
  T* device = static_cast<T*>(acc_malloc(values.size() * sizeof(T)));
  if (device) acc_memcpy_to_device(device, const_cast<T*>(values.data()), values.size() * sizeof(T));
  return device;
}

template <typename T>
T* array_on_device(const Call& call, int index) {
  return static_cast<T*>(acc_deviceptr(call.arrays[index]));
}

}  // namespace sextant::mesh
