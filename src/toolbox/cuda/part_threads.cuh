// Launches on several GPUs at the same time, with one host thread per partition. Each thread launches a
// recorded CUDA graph on its GPU and waits for it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "toolbox/cuda/peers.cuh"
#include "toolbox/team_waited.hpp"
#include "toolbox/watched.hpp"

namespace sextant::peers {

class PartThreads : public Watched {
 public:
  // The team must outlive this object. The threads inherit the CPU affinity of the calling thread.
  explicit PartThreads(const parts::Team& team) : team_(team), ended_(static_cast<std::size_t>(team.parts)) {
    for (int part = 1; part < team.parts; ++part) threads_.emplace_back([this, part] { serve(part); });
  }
  ~PartThreads() override {
    work_ = nullptr;
    begin();
    for (std::thread& thread : threads_) thread.join();
    for (const Graphs& graphs : graphs_)
      for (cudaGraphExec_t graph : graphs)
        if (graph) cudaGraphExecDestroy(graph);
  }

  // Records the launches of launch_all(), which launches the work of all partitions on their streams.
  // `launch(what)` replays this recording. Returns null or CUDA's error text.
  template <typename LaunchAll>
  const char* record_together(LaunchAll launch_all, parts::Do what = parts::Do::all) {
    cudaError_t error = cudaSuccess;
    const auto keep = [&](cudaError_t one) {
      if (error == cudaSuccess) error = one;
      return one == cudaSuccess;
    };
    for_parts(team_, [&](int, cudaStream_t stream) {
      keep(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    });
    if (error == cudaSuccess) launch_all();
    for_parts(team_, [&](int part, cudaStream_t stream) {
      cudaGraph_t graph = nullptr;
      if (!keep(cudaStreamEndCapture(stream, &graph))) return;
      keep(cudaGraphInstantiate(&graphs_of(what)[static_cast<std::size_t>(part)], graph, 0));
      cudaGraphDestroy(graph);
    });
    if (error == cudaSuccess) return nullptr;
    cudaGetLastError();  // clears the error, so that the next launch does not report it; the caller gets it
    return cudaGetErrorString(error);
  }

  // Like record_together. Calls launch_part(part, stream) for each partition, with its GPU as the current
  // device.
  template <typename LaunchPart>
  const char* record(LaunchPart launch_part, parts::Do what = parts::Do::all) {
    return record_together([&] { for_parts(team_, launch_part); }, what);
  }

  // Launches the recorded graphs and waits until all streams are idle. The caller launches partition 0, and
  // each thread its own partition.
  void launch(parts::Do what = parts::Do::all) {
    work_ = &graphs_of(what);
    const std::uint32_t round = begin();
    do_part(0);
    for (std::size_t part = 1; part < ended_.size(); ++part)
      while (ended_[part].round.load(std::memory_order_acquire) != round) pause();
    parts::launch_has_waited = true;
  }

  const char* failure() const override {
    const cudaError_t error = error_.load();
    return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
  }

 private:
  // Number of polls before a thread sleeps. They take longer than the time between consecutive calls.
  static constexpr int most_looks = 1 << 14;
  using Graphs = std::array<cudaGraphExec_t, parts::most_of_a_team>;
  struct alignas(128) Ended {
    std::atomic<std::uint32_t> round = 0;
  };

  Graphs& graphs_of(parts::Do what) { return graphs_[static_cast<std::size_t>(what)]; }

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  std::uint32_t begin() {
    const std::uint32_t round = round_.load(std::memory_order_relaxed) + 1;
    round_.store(round, std::memory_order_release);
    round_.notify_all();
    return round;
  }

  void do_part(int part) {
    cudaSetDevice(team_.device[part]);
    const cudaStream_t stream = stream_of_part(team_, part);
    cudaError_t error = cudaGraphLaunch((*work_)[static_cast<std::size_t>(part)], stream), none = cudaSuccess;
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
    if (error != cudaSuccess) error_.compare_exchange_strong(none, error);
  }

  void serve(int part) {
    for (std::uint32_t round = 0;;) {
      for (int look = 0; look < most_looks && round_.load(std::memory_order_acquire) == round; ++look)
        pause();
      round_.wait(round, std::memory_order_acquire);
      round = round_.load(std::memory_order_acquire);
      if (!work_) return;
      do_part(part);
      ended_[static_cast<std::size_t>(part)].round.store(round, std::memory_order_release);
    }
  }

  const parts::Team& team_;
  std::array<Graphs, 3> graphs_ = {};  // one set of graphs for each value of parts::Do
  const Graphs* work_ = nullptr;       // graphs to launch next; null tells the threads to end
  std::atomic<std::uint32_t> round_ = 0;
  std::vector<Ended> ended_;
  std::atomic<cudaError_t> error_ = cudaSuccess;
  std::vector<std::thread> threads_;
};

}  // namespace sextant::peers
