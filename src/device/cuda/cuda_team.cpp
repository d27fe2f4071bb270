#include <cuda_runtime_api.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "device/cuda/missing_gpu.hpp"
#include "device/cuda/partition.hpp"
#include "device/team.hpp"
#include "toolbox/team_waited.hpp"

namespace sextant {
namespace {

void require_of_team(cudaError_t status, const char* action) {
  if (status != cudaSuccess)
    throw DeviceError(std::string(action) + ": " + cudaGetErrorString(status) + " (" +
                      cudaGetErrorName(status) + ")");
}

void choose(const parts::Team& team, int part) {
  require_of_team(cudaSetDevice(team.device[part]), "choosing a partition's GPU");
}

// Waits for the default stream. The partitions' streams are non-blocking and do not wait for it themselves.
void wait_for_default_stream(const char* action) {
  require_of_team(cudaStreamSynchronize(cudaStreamLegacy), action);
}

const parts::Memory memory_of_gpus = {
    .allocate = [](const parts::Team& team, int part, std::int64_t bytes) -> void* {
      choose(team, part);
      void* memory = nullptr;
      if (cudaMalloc(&memory, static_cast<std::size_t>(bytes)) == cudaSuccess) return memory;
      // Clear the error, so that the next launch does not report it. The caller sees the null pointer.
      cudaGetLastError();
      return nullptr;
    },
    .release = [](const parts::Team&, int, void* memory) { cudaFree(memory); },
    .write =
        [](const parts::Team& team, int part, void* to, const void* host, std::int64_t bytes) {
          choose(team, part);
          require_of_team(cudaMemcpy(to, host, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice),
                          "copying to a partition");
          wait_for_default_stream("copying to a partition");
        },
    .read =
        [](const parts::Team& team, int part, void* host, const void* from, std::int64_t bytes) {
          choose(team, part);
          require_of_team(cudaMemcpy(host, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost),
                          "copying from a partition");
        },
    .fill =
        [](const parts::Team& team, int part, void* to, unsigned char byte, std::int64_t bytes) {
          choose(team, part);
          require_of_team(cudaMemset(to, byte, static_cast<std::size_t>(bytes)),
                          "filling a partition's memory");
          wait_for_default_stream("filling a partition's memory");
        },
};

class CudaTeam : public DeviceTeam {
 public:
  CudaTeam(int first, int devices, int sharing) : first_(first), devices_(devices) {
    require_of_team(cudaGetDevice(&before_), "asking for the current GPU");
    for (int device = first; device < first + devices; ++device) {
      require_of_team(cudaSetDevice(device), "choosing a partition's GPU");
      require_of_team(cudaFree(nullptr), "initialising a partition's GPU");
      for (int i = 0; i < sharing; ++i) {
        cudaStream_t stream = nullptr;
        require_of_team(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                        "making a partition's stream");
        streams_.push_back(stream);
        device_of_part_.push_back(device);
      }
    }
    team_.parts = static_cast<int>(streams_.size());
    team_.sharing = sharing;
    team_.device = device_of_part_.data();
    team_.stream = streams_.data();
    team_.memory = &memory_of_gpus;
    team_.reaches_all = open_peers();
  }
  CudaTeam(const CudaTeam&) = delete;
  CudaTeam& operator=(const CudaTeam&) = delete;
  ~CudaTeam() override {
    for (const auto& [from, to] : opened_) {
      cudaSetDevice(from);
      cudaDeviceDisablePeerAccess(to);
    }
    for (std::size_t part = 0; part < streams_.size(); ++part) {
      cudaSetDevice(device_of_part_[part]);
      cudaStreamDestroy(stream_of(part));
      for (const std::vector<cudaEvent_t>* events : {&begun_, &ended_})
        if (part < events->size()) cudaEventDestroy((*events)[part]);
    }
    cudaSetDevice(before_);
  }

  const parts::Team& team() const override { return team_; }

  void synchronise() override {
    require_of_team(cudaGetLastError(), "launching");
    if (const char* error = foreign_gpu_error()) throw DeviceError(std::string("launching: ") + error);
    if (std::exchange(parts::launch_has_waited, false)) return;
    for (std::size_t part = 0; part < streams_.size(); ++part)
      require_of_team(cudaStreamSynchronize(stream_of(part)), "running");
  }

  void synchronise_all() override {
    for (int device = first_; device < first_ + devices_; ++device) {
      require_of_team(cudaSetDevice(device), "choosing a partition's GPU");
      require_of_team(cudaDeviceSynchronize(), "preparing");
    }
  }

  std::size_t free_memory() const override {
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (int device = first_; device < first_ + devices_; ++device) {
      std::size_t available = 0, total = 0;
      require_of_team(cudaSetDevice(device), "choosing a partition's GPU");
      require_of_team(cudaMemGetInfo(&available, &total), "asking for free device memory");
      least = std::min(least, available);
    }
    return least;
  }

  void begin_times() override { record(&begun_); }

  std::vector<double> times_of_parts() override {
    record(&ended_);
    // Make synchronise() wait, because the GPUs may not have reached the events yet.
    parts::launch_has_waited = false;
    synchronise();
    std::vector<double> seconds;
    for (std::size_t part = 0; part < streams_.size(); ++part) {
      float milliseconds = 0;
      require_of_team(cudaEventElapsedTime(&milliseconds, begun_[part], ended_[part]), "timing a partition");
      seconds.push_back(1e-3 * static_cast<double>(milliseconds));
    }
    return seconds;
  }

 private:
  cudaStream_t stream_of(std::size_t part) const { return static_cast<cudaStream_t>(streams_[part]); }

  // Records an event on each partition's stream. The events are created when first used.
  void record(std::vector<cudaEvent_t>* events) {
    for (std::size_t part = 0; part < streams_.size(); ++part) {
      choose(team_, static_cast<int>(part));
      if (events->size() == part)
        require_of_team(cudaEventCreate(&events->emplace_back()), "making an event");
      require_of_team(cudaEventRecord((*events)[part], stream_of(part)), "timing a partition");
    }
  }

  // Enables access between all pairs of GPUs that support it. Returns true if all pairs do.
  bool open_peers() {
    bool all = true;
    for (int from = first_; from < first_ + devices_; ++from)
      for (int to = first_; to < first_ + devices_; ++to) {
        int can = 0;
        if (from == to) continue;
        require_of_team(cudaDeviceCanAccessPeer(&can, from, to), "asking for access among GPUs");
        require_of_team(cudaSetDevice(from), "choosing a partition's GPU");
        if (can && cudaDeviceEnablePeerAccess(to, 0) == cudaSuccess)
          opened_.emplace_back(from, to);
        else
          all = false;
        cudaGetLastError();
      }
    return all;
  }

  int first_, devices_, before_ = 0;
  std::vector<int> device_of_part_;
  std::vector<void*> streams_;
  std::vector<cudaEvent_t> begun_, ended_;
  std::vector<std::pair<int, int>> opened_;
  parts::Team team_;
};

}  // namespace

int gpus_of_machine() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

std::unique_ptr<DeviceTeam> open_team(int first, int devices, int sharing, std::string* why_not) {
  if (multiprocessors_asked() > 0) {
    *why_not = "device groups need whole GPUs: unset SEXTANT_MULTIPROCESSORS";
    return nullptr;
  }
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && first + devices <= count)
    return std::make_unique<CudaTeam>(first, devices, sharing);
  if (status != cudaSuccess)
    *why_not = "no usable NVIDIA GPU: " + why_no_gpu(status);
  else
    *why_not = "there is no GPU " + std::to_string(first + devices - 1) + ", only " + std::to_string(count);
  return nullptr;
}

}  // namespace sextant
