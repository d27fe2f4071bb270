#include "device/open.hpp"
#include "device/target/directives.hpp"

namespace sextant {
namespace {

// Plugin through which the OpenMP run time of this compiler uses NVIDIA GPUs.
#ifdef __clang__
constexpr const char* plugin = "libomptarget.rtl.cuda.so";
#else
constexpr const char* plugin = "libgomp-plugin-nvptx.so.1";
#endif

// A GPU through OpenMP offloading. A negative index selects the host instead, for checking results without a
// GPU. Target regions are synchronous.
class TargetDevice : public Device {
 public:
  TargetDevice(int index, std::unique_ptr<Device> below) : below_(std::move(below)) {
    if (index >= 0) target::use_gpu(index);
  }

  MemorySpace memory_space() const override { return MemorySpace::target; }
  void* map(void* host, std::size_t bytes) override {
    target::enter_data_alloc(static_cast<char*>(host), bytes);
    return host;
  }
  void unmap(void* device_copy, std::size_t bytes) override {
    target::exit_data_delete(static_cast<char*>(device_copy), bytes);
  }
  // `device_copy` is the address of the host array, because OpenMP identifies an array by its host address.
  void copy_in(void* device_copy, const void*, std::size_t bytes) override {
    target::update_to(static_cast<char*>(device_copy), bytes);
  }
  void copy_out(void*, void* device_copy, std::size_t bytes) override {
    target::update_from(static_cast<char*>(device_copy), bytes);
  }
  void copy_in_fast(void* device_copy, const void* host, std::size_t bytes) override {
    below_->copy_in_fast(target::place_of(device_copy), host, bytes);
  }
  void copy_out_fast(void* host, void* device_copy, std::size_t bytes) override {
    below_->copy_out_fast(host, target::place_of(device_copy), bytes);
  }
  std::optional<std::uint64_t> sum_of(const void* device_copy, std::size_t bytes) override {
    return below_->sum_of(target::place_of(const_cast<void*>(device_copy)), bytes);
  }
  void* keep(const void* device_copy, std::size_t bytes) override {
    return below_->keep(target::place_of(const_cast<void*>(device_copy)), bytes);
  }
  void restore(void* device_copy, const void* kept, std::size_t bytes) override {
    below_->restore(target::place_of(device_copy), kept, bytes);
  }
  void drop(void* kept) override { below_->drop(kept); }
  void fill(void* device_copy, unsigned char byte, std::size_t bytes) override {
    below_->fill(target::place_of(device_copy), byte, bytes);
  }
  void synchronise() override { below_->synchronise(); }
  void flush_caches() override { below_->flush_caches(); }
  std::size_t free_memory() const override { return below_->free_memory(); }
  bool pin(void* host, std::size_t bytes) override { return below_->pin(host, bytes); }
  void unpin(void* host) override { below_->unpin(host); }

 private:
  // The same GPU through CUDA, or the host. It performs the operations that OpenMP lacks.
  std::unique_ptr<Device> below_;
};

}  // namespace

std::unique_ptr<Device> open_target_device(int index, std::string* why_not) {
  if (index < 0) return std::make_unique<TargetDevice>(index, open_host_device());
  // CUDA is opened first. libgomp then adopts the current CUDA context, so that CUDA and OpenMP share it.
  std::unique_ptr<Device> gpu = open_cuda_device(index, why_not);
  if (!gpu) return nullptr;
  if (target::gpu_count() <= index) {
    if (why_not)
      *why_not =
          "OpenMP's run time sees no GPU: its plugin " + std::string(plugin) +
          " is missing or from another release, or OMP_TARGET_OFFLOAD=DISABLED keeps regions on the host";
    return nullptr;
  }
  return std::make_unique<TargetDevice>(index, std::move(gpu));
}

int target_gpu_count() { return target::gpu_count(); }

}  // namespace sextant
