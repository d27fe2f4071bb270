// Messages between MPI processes that have one GPU each. They are sent from GPU memory if MPI supports it,
// and otherwise copied through pinned host memory.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "suite/gpu_rank.hpp"

namespace sextant::gpu_ranks {

enum class Way : std::uint8_t { straight, staged };

// Returns the reason why messages cannot be sent in this way, or null.
inline const char* why_not(const parts::GpuRank& rank, Way way) {
  return way == Way::staged || rank.sends_gpu_memory || rank.size == 1
             ? nullptr
             : "this MPI does not accept addresses in GPU memory; cuda.mpi_staged sends "
               "through host memory";
}

inline cudaStream_t stream_of(const parts::GpuRank& rank) {
  return static_cast<cudaStream_t>(rank.stream[0]);
}

// Pinned host memory, which the GPU can copy to and from asynchronously.
class PinnedMemory {
 public:
  PinnedMemory() = default;
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() {
    if (memory_) cudaFreeHost(memory_);
  }
  // Returns false if the allocation failed.
  bool allocate(std::int64_t bytes) {
    if (cudaMallocHost(&memory_, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1))) == cudaSuccess)
      return true;
    cudaGetLastError();  // clears the error, so that the next launch does not report it
    return false;
  }
  template <typename T>
  T* data() const {
    return static_cast<T*>(memory_);
  }

 private:
  void* memory_ = nullptr;
};

// A block of this GPU's memory to send to, or receive from, rank `other`.
struct Message {
  char* memory = nullptr;
  std::int64_t bytes = 0;
  int other = 0;
};

// A set of messages that is exchanged repeatedly.
class Mail {
 public:
  Mail(const parts::GpuRank& rank, Way way) : rank_(rank), way_(way) {}
  Mail(const Mail&) = delete;
  Mail& operator=(const Mail&) = delete;

  // Returns false if pinned memory for the messages could not be allocated.
  bool make(std::vector<Message> sent, std::vector<Message> received) {
    sent_ = std::move(sent), received_ = std::move(received);
    requests_.resize(sent_.size() + received_.size());
    return way_ == Way::straight || (out_.allocate(bytes_of(sent_)) && in_.allocate(bytes_of(received_)));
  }

  // Starts sending and receiving. First waits until the stream is idle, so that the data to send are
  // complete.
  void begin(cudaStream_t stream) {
    if (way_ == Way::staged)
      for_all(sent_, out_, [&](const Message& message, char* host) {
        cudaMemcpyAsync(host, message.memory, static_cast<std::size_t>(message.bytes), cudaMemcpyDeviceToHost,
                        stream);
      });
    cudaStreamSynchronize(stream);
    auto request = requests_.begin();
    for_all(received_, in_, [&](const Message& message, char* host) {
      rank_.irecv(place_of(message, host), message.bytes, message.other, &*request++);
    });
    for_all(sent_, out_, [&](const Message& message, char* host) {
      rank_.isend(place_of(message, host), message.bytes, message.other, &*request++);
    });
  }

  // Waits for all messages. Later work on the stream finds the received data in GPU memory.
  void end(cudaStream_t stream) {
    rank_.waitall(static_cast<int>(requests_.size()), requests_.data());
    if (way_ == Way::staged)
      for_all(received_, in_, [&](const Message& message, char* host) {
        cudaMemcpyAsync(message.memory, host, static_cast<std::size_t>(message.bytes), cudaMemcpyHostToDevice,
                        stream);
      });
  }

 private:
  static std::int64_t bytes_of(const std::vector<Message>& messages) {
    std::int64_t bytes = 0;
    for (const Message& message : messages) bytes += message.bytes;
    return bytes;
  }
  char* place_of(const Message& message, char* host) const {
    return way_ == Way::staged ? host : message.memory;
  }
  // Calls action(message, its address in pinned memory) for each message.
  template <typename Action>
  static void for_all(const std::vector<Message>& messages, const PinnedMemory& pinned, Action action) {
    char* host = pinned.data<char>();
    for (const Message& message : messages) {
      action(message, host);
      host += message.bytes;
    }
  }

  const parts::GpuRank& rank_;
  Way way_;
  std::vector<Message> sent_, received_;
  std::vector<parts::Request> requests_;
  PinnedMemory out_, in_;
};

}  // namespace sextant::gpu_ranks
