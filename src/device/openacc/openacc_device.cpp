#include "device/open.hpp"
#include "device/openacc/directives.hpp"

namespace sextant {
namespace {

// A GPU through OpenACC. A negative index selects the host instead, for checking results without a GPU.
class OpenaccDevice : public Device {
 public:
  OpenaccDevice(int index, std::unique_ptr<Device> below) : below_(std::move(below)) {
    if (index >= 0) openacc::use_gpu(index);
  }

  MemorySpace memory_space() const override { return MemorySpace::openacc; }
  void* map(void* host, std::size_t bytes) override {
    openacc::enter_data_create(static_cast<char*>(host), bytes);
    return host;
  }
  void unmap(void* device_copy, std::size_t bytes) override {
    openacc::exit_data_delete(static_cast<char*>(device_copy), bytes);
  }
  // `device_copy` is the address of the host array, because OpenACC identifies an array by its host address.
  void copy_in(void* device_copy, const void*, std::size_t bytes) override {
    openacc::update_device(static_cast<char*>(device_copy), bytes);
  }
  void copy_out(void*, void* device_copy, std::size_t bytes) override {
    openacc::update_self(static_cast<char*>(device_copy), bytes);
  }
  void copy_in_fast(void* device_copy, const void* host, std::size_t bytes) override {
    below_->copy_in_fast(openacc::place_of(device_copy), host, bytes);
  }
  void copy_out_fast(void* host, void* device_copy, std::size_t bytes) override {
    below_->copy_out_fast(host, openacc::place_of(device_copy), bytes);
  }
  std::optional<std::uint64_t> sum_of(const void* device_copy, std::size_t bytes) override {
    return below_->sum_of(openacc::place_of(const_cast<void*>(device_copy)), bytes);
  }
  void* keep(const void* device_copy, std::size_t bytes) override {
    return below_->keep(openacc::place_of(const_cast<void*>(device_copy)), bytes);
  }
  void restore(void* device_copy, const void* kept, std::size_t bytes) override {
    below_->restore(openacc::place_of(device_copy), kept, bytes);
  }
  void drop(void* kept) override { below_->drop(kept); }
  void fill(void* device_copy, unsigned char byte, std::size_t bytes) override {
    below_->fill(openacc::place_of(device_copy), byte, bytes);
  }
  void synchronise() override {
    openacc::wait();
    below_->synchronise();
  }
  void mark() override {
    openacc::wait();  // waits for queued work, which belongs to the previous phase
    Device::mark();
  }
  void flush_caches() override { below_->flush_caches(); }
  std::size_t free_memory() const override { return below_->free_memory(); }
  bool pin(void* host, std::size_t bytes) override { return below_->pin(host, bytes); }
  void unpin(void* host) override { below_->unpin(host); }

 private:
  // The same GPU through CUDA, or the host. It performs the operations that OpenACC lacks.
  std::unique_ptr<Device> below_;
};

}  // namespace

std::unique_ptr<Device> open_openacc_device(int index, std::string* why_not) {
  if (index < 0) return std::make_unique<OpenaccDevice>(index, open_host_device());
  // CUDA is opened first. libgomp then adopts the current CUDA context, so that both share it (see
  // docs/reference/openacc.md).
  std::unique_ptr<Device> gpu = open_cuda_device(index, why_not);
  if (!gpu) return nullptr;
  if (openacc::gpu_count() <= index) {
    if (why_not)
      *why_not =
          "OpenACC's run time sees no GPU: its plugin libgomp-plugin-nvptx.so.1 is missing or from "
          "another release";
    return nullptr;
  }
  return std::make_unique<OpenaccDevice>(index, std::move(gpu));
}

int openacc_gpu_count() { return openacc::gpu_count(); }

}  // namespace sextant
