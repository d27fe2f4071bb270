// The interface to a device that runs kernels and holds their arrays. A device is the host, a GPU through
// CUDA, or a GPU through the data directives of OpenACC or OpenMP. Every function throws DeviceError on
// failure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "suite/variant.hpp"

namespace sextant {

struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The cycle counter and the clock of one multiprocessor, read at the same moment.
struct CycleCount {
  int multiprocessor = 0;
  std::uint64_t cycles = 0, nanoseconds = 0;
};
// Returns the mean clock in Hz of a multiprocessor that both readings contain. Nothing if there is none, or
// if the readings are too close for the resolution of the clock.
std::optional<double> mean_clock(const std::vector<CycleCount>& first, const std::vector<CycleCount>& last);

class Device {
 public:
  virtual ~Device() = default;

  virtual MemorySpace memory_space() const = 0;

  // Creates an uninitialized device copy of a host array and returns the pointer that is passed to launches.
  // For CUDA it points to device memory. On the host, for OpenACC and for OpenMP (`enter data`), it is the
  // host pointer itself.
  virtual void* map(void* host, std::size_t bytes) = 0;
  virtual void unmap(void* device_copy, std::size_t bytes) = 0;

  // Copy between the host array and its device copy. The copy is complete on return. Both do nothing on the
  // host.
  virtual void copy_in(void* device_copy, const void* host, std::size_t bytes) = 0;
  virtual void copy_out(void* host, void* device_copy, std::size_t bytes) = 0;
  // Like copy_in and copy_out, but by the fastest method, for transfers that are not timed.
  virtual void copy_in_fast(void* device_copy, const void* host, std::size_t bytes) {
    copy_in(device_copy, host, bytes);
  }
  virtual void copy_out_fast(void* host, void* device_copy, std::size_t bytes) {
    copy_out(host, device_copy, bytes);
  }
  // Returns the checksum of toolbox/byte_sum.hpp over the device copy; `bytes` must be a multiple of 8.
  // Returns nothing if the device cannot compute it, or if copying the data to the host is as fast.
  virtual std::optional<std::uint64_t> sum_of(const void*, std::size_t) { return std::nullopt; }
  // keep() copies `bytes` of the device copy to other memory of the device, and returns its address. It
  // returns null if there is no room, or if the device's memory is that of the host. restore() copies the
  // kept bytes back and waits for that; drop() frees them.
  virtual void* keep(const void*, std::size_t) { return nullptr; }
  virtual void restore(void*, const void*, std::size_t) {}
  virtual void drop(void*) {}
  // Sets all bytes of the device copy to `byte`, and waits until this is done.
  virtual void fill(void* device_copy, unsigned char byte, std::size_t bytes) = 0;

  virtual void* stream() { return nullptr; }
  // Waits for all launches; throws DeviceError if one of them failed.
  virtual void synchronise() {}
  // Waits for all work on all streams of the device, including work that `prepare` started.
  virtual void synchronise_all() {}
  // Evicts the content of the device's caches, for cold-cache samples.
  virtual void flush_caches() = 0;
  // Free device memory in bytes; the largest value of the type if unknown.
  virtual std::size_t free_memory() const = 0;

  // Page-locks host memory, so that transfers need no staging. Returns false if the device has no such
  // concept.
  virtual bool pin(void*, std::size_t) { return false; }
  virtual void unpin(void*) {}
  // mark() records a time stamp in the work on stream(). take_marks() waits for the work and returns the
  // seconds from the first mark to each mark. The default implementation uses the host's clock.
  virtual void mark();
  virtual std::vector<double> take_marks();
  // Returns the device time in seconds of the work that `launch` puts on stream(). Returns a negative number
  // if the device has no clock.
  virtual double time_on_device(const std::function<void()>&) { return -1; }

  // Waits for all launches on stream(), then reads the counters of the multiprocessors, in their order. Empty
  // if the device has no counters.
  virtual std::vector<CycleCount> cycle_counts() { return {}; }

 private:
  std::vector<double> marks_;
};

// Opens the device for `memory_space`. On failure (for example, no GPU), returns null and stores the reason
// in *why_not. `index` is CUDA's number of the GPU; it is ignored for the host.
std::unique_ptr<Device> open_device(MemorySpace memory_space, int index, std::string* why_not);

// Registers a function that returns the pending CUDA error of a dynamically loaded library as text, or null.
// Such a library has its own CUDA run time, whose errors this program's run time does not report. CUDA
// devices call the function whenever they wait for launches.
void ask_for_gpu_errors(const char* (*last_error)());
// Calls the registered functions and returns the first error text, or null.
const char* foreign_gpu_error();

}  // namespace sextant
