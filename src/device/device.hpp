// Where kernels run and their arrays live, behind one small interface: the host, a CUDA device, and the same
// device as OpenACC's and OpenMP's data directives see it. Every call throws DeviceError with what the device
// said.
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

class Device {
 public:
  virtual ~Device() = default;

  virtual MemorySpace memory_space() const = 0;

  // Gives an array that lies in host memory its place on the device, uninitialised, and returns what a launch
  // is handed: the same pointer on the host, for OpenACC and OpenMP (`enter data`), device memory for CUDA.
  virtual void* map(void* host, std::size_t bytes) = 0;
  virtual void unmap(void* mapped, std::size_t bytes) = 0;

  // Between the host array and its place on the device; done when the call returns. No-ops on the host.
  virtual void copy_in(void* mapped, const void* host, std::size_t bytes) = 0;
  virtual void copy_out(void* host, void* mapped, std::size_t bytes) = 0;
  // The same, as fast as may be: for what no times are taken of.
  virtual void bring_in(void* mapped, const void* host, std::size_t bytes) { copy_in(mapped, host, bytes); }
  virtual void bring_out(void* host, void* mapped, std::size_t bytes) { copy_out(host, mapped, bytes); }
  // The sum of toolbox/byte_sum.hpp over `bytes`, a multiple of 8, of an array's place as they are there;
  // nothing where bringing them out takes no longer, or the device makes none.
  virtual std::optional<std::uint64_t> sum_of(const void*, std::size_t) { return std::nullopt; }
  // Makes all bytes of an array's place `byte`; done when the call returns.
  virtual void fill(void* mapped, unsigned char byte, std::size_t bytes) = 0;

  virtual void* stream() { return nullptr; }
  // Waits for all launches; throws DeviceError if one of them failed.
  virtual void synchronise() {}
  // Waits for everything the device was asked for, on whatever stream: for what `prepare` left running.
  virtual void settle() {}
  // Displaces what the device's caches hold, for cold-cache samples.
  virtual void flush_caches() = 0;
  virtual std::size_t free_memory() const = 0;  // bytes; the largest number where it is not known

  // Page-locks host memory, so that copies from and to it need no staging; false where there is no such
  // notion.
  virtual bool pin(void*, std::size_t) { return false; }
  virtual void unpin(void*) {}
  // A moment in the order of what is put on stream(), to be read once all of it is done: seconds since the
  // first of these marks. Where work is done by the time a launch returns, the host's clock will do.
  virtual void mark();
  virtual std::vector<double> take_marks();
  // Seconds on the device's own clock from before to after what `launch` puts on stream(); negative: it has
  // none.
  virtual double time_on_device(const std::function<void()>&) { return -1; }

 private:
  std::vector<double> marks_;
};

// The device behind `memory_space`, or null with *why_not where there is none (no GPU, model not built, …).
// `index` counts GPUs as CUDA does; it is ignored for the host.
std::unique_ptr<Device> open_device(MemorySpace memory_space, int index, std::string* why_not);

// A loaded library has a CUDA run time of its own, whose errors this program's does not see. `last_error`
// gives the text of one that nobody has asked for, or null; CUDA devices ask it whenever they wait for
// launches.
void ask_for_gpu_errors(const char* (*last_error)());
// The first such error, as text, or null.
const char* foreign_gpu_error();

}  // namespace sextant
