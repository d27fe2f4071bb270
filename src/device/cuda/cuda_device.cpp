#include <cuda_runtime_api.h>

#include <string>

#include "device/cuda/byte_sum.hpp"
#include "device/cuda/cycle_counter.hpp"
#include "device/cuda/missing_gpu.hpp"
#include "device/cuda/partition.hpp"
#include "device/cuda/staging.hpp"
#include "device/open.hpp"

namespace sextant {
namespace {

void require(cudaError_t status, const char* action) {
  if (status != cudaSuccess)
    throw DeviceError(std::string(action) + ": " + cudaGetErrorString(status) + " (" +
                      cudaGetErrorName(status) + ")");
}

// A GPU through CUDA. It works in the CUDA context that is current when it is constructed.
class CudaDevice : public Device {
 public:
  explicit CudaDevice(int index) {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
    cudaDeviceProp properties;
    require(cudaGetDeviceProperties(&properties, index), "asking for the GPU's properties");
    cycle_counter_.set_multiprocessors(properties.multiProcessorCount);
    flush_bytes_ = 2 * static_cast<std::size_t>(properties.l2CacheSize);
    // Keep one small allocation alive, so that the driver keeps its memory page mapped. Otherwise the driver
    // maps a page for the first small array and unmaps it with the last one, which takes time.
    require(cudaMalloc(&kept_, 256), "allocating device memory");
  }
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;
  ~CudaDevice() override {
    for (cudaEvent_t event : marks_) cudaEventDestroy(event);
    if (start_) cudaEventDestroy(start_);
    if (end_) cudaEventDestroy(end_);
    cudaFree(flush_);
    cudaFree(kept_);
    cudaStreamDestroy(stream_);
  }

  MemorySpace memory_space() const override { return MemorySpace::cuda; }

  void* map(void*, std::size_t bytes) override {
    void* pointer = nullptr;
    require(cudaMalloc(&pointer, bytes), "allocating device memory");
    return pointer;
  }
  void unmap(void* device_copy, std::size_t) override {
    require(cudaFree(device_copy), "freeing device memory");
  }

  void copy_in(void* device_copy, const void* host, std::size_t bytes) override {
    require(cudaMemcpy(device_copy, host, bytes, cudaMemcpyHostToDevice), "copying to the GPU");
    // For pageable host memory, cudaMemcpy may return before the data have reached the GPU. Wait for the
    // default stream here, because stream_ does not wait for it.
    require(cudaStreamSynchronize(cudaStreamLegacy), "copying to the GPU");
  }
  void copy_out(void* host, void* device_copy, std::size_t bytes) override {
    require(cudaMemcpy(host, device_copy, bytes, cudaMemcpyDeviceToHost), "copying from the GPU");
  }
  void copy_in_fast(void* device_copy, const void* host, std::size_t bytes) override {
    require(staging_.to_device(device_copy, host, bytes), "copying data to the GPU");
  }
  void copy_out_fast(void* host, void* device_copy, std::size_t bytes) override {
    require(staging_.to_host(host, device_copy, bytes), "copying data from the GPU");
  }

  std::optional<std::uint64_t> sum_of(const void* device_copy, std::size_t bytes) override {
    if (bytes < Staging::least_bytes) return std::nullopt;
    std::uint64_t sum = 0;
    require(byte_sum_.of(device_copy, bytes, stream_, &sum), "computing a checksum on the GPU");
    return sum;
  }

  void* keep(const void* device_copy, std::size_t bytes) override {
    void* kept = nullptr;
    if (cudaMalloc(&kept, bytes) != cudaSuccess) {
      cudaGetLastError();  // clears the error, so that no launch reports it
      return nullptr;
    }
    restore(kept, device_copy, bytes);
    return kept;
  }
  void restore(void* device_copy, const void* kept, std::size_t bytes) override {
    require(cudaMemcpyAsync(device_copy, kept, bytes, cudaMemcpyDeviceToDevice, stream_),
            "copying on the GPU");
    require(cudaStreamSynchronize(stream_), "copying on the GPU");
  }
  void drop(void* kept) override { require(cudaFree(kept), "freeing device memory"); }

  void fill(void* device_copy, unsigned char byte, std::size_t bytes) override {
    require(cudaMemset(device_copy, byte, bytes), "filling device memory");
    require(cudaStreamSynchronize(cudaStreamLegacy), "filling device memory");
  }

  void* stream() override { return stream_; }

  void synchronise() override {
    require(cudaGetLastError(), "launching");
    if (const char* error = foreign_gpu_error()) throw DeviceError(std::string("launching: ") + error);
    require(cudaStreamSynchronize(stream_), "running");
  }

  void synchronise_all() override { require(cudaDeviceSynchronize(), "preparing"); }

  void flush_caches() override {
    if (!flush_) require(cudaMalloc(&flush_, flush_bytes_), "allocating the flush buffer");
    require(cudaMemsetAsync(flush_, 0, flush_bytes_, stream_), "flushing the caches");
    require(cudaStreamSynchronize(stream_), "flushing the caches");
  }

  std::size_t free_memory() const override {
    std::size_t available = 0, total = 0;
    require(cudaMemGetInfo(&available, &total), "asking for free device memory");
    return available;
  }

  bool pin(void* host, std::size_t bytes) override {
    require(cudaHostRegister(host, bytes, cudaHostRegisterDefault), "page-locking host memory");
    return true;
  }
  void unpin(void* host) override { require(cudaHostUnregister(host), "releasing page-locked memory"); }

  void mark() override {
    if (used_marks_ == marks_.size()) {
      cudaEvent_t event = nullptr;
      require(cudaEventCreate(&event), "making an event");
      marks_.push_back(event);
    }
    require(cudaEventRecord(marks_[used_marks_++], stream_), "recording an event");
  }

  std::vector<double> take_marks() override {
    synchronise();
    std::vector<double> seconds;
    // Add up the intervals between neighbouring events. CUDA returns milliseconds as a float, which is too
    // imprecise for long intervals.
    double last = 0;
    for (std::size_t i = 0; i < used_marks_; ++i) {
      float milliseconds = 0;
      if (i > 0) require(cudaEventElapsedTime(&milliseconds, marks_[i - 1], marks_[i]), "reading the events");
      seconds.push_back(last += static_cast<double>(milliseconds) * 1e-3);
    }
    used_marks_ = 0;
    return seconds;
  }

  double time_on_device(const std::function<void()>& launch) override {
    if (!start_) require(cudaEventCreate(&start_), "making an event");
    if (!end_) require(cudaEventCreate(&end_), "making an event");
    require(cudaEventRecord(start_, stream_), "recording an event");
    launch();
    require(cudaEventRecord(end_, stream_), "recording an event");
    synchronise();
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, start_, end_), "reading the events");
    return static_cast<double>(milliseconds) * 1e-3;
  }

  std::vector<CycleCount> cycle_counts() override {
    synchronise();
    std::vector<CycleCount> counts;
    require(cycle_counter_.read(stream_, &counts), "reading the cycle counters");
    return counts;
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t start_ = nullptr, end_ = nullptr;
  std::vector<cudaEvent_t> marks_;  // events that mark() has recorded; created when first needed
  std::size_t used_marks_ = 0;
  Staging staging_;
  ByteSum byte_sum_;
  CycleCounter cycle_counter_;
  void* kept_ = nullptr;
  void* flush_ = nullptr;
  std::size_t flush_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Device> open_cuda_device(int index, std::string* why_not) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || index >= count) {
    if (why_not)
      *why_not = status == cudaSuccess && count > 0
                     ? "there is no GPU " + std::to_string(index) + ", only " + std::to_string(count)
                     : "no usable NVIDIA GPU: " + why_no_gpu(status);
    return nullptr;
  }
  require(cudaSetDevice(index), "choosing the GPU");
  require(cudaFree(nullptr), "initialising the GPU");
  if (multiprocessors_asked() > 0)
    if (const std::string problem = enter_partition(index); !problem.empty()) {
      if (why_not) *why_not = problem;
      return nullptr;
    }
  return std::make_unique<CudaDevice>(index);
}

}  // namespace sextant
