// Measures the links among a group of GPUs, by copy engines and by kernels. First each pair of GPUs:
// bandwidth in one and in both directions, and latency of a flag. Then all GPUs at once: ring, all-to-all,
// and NCCL's all-reduce.
#include <cuda_runtime.h>

#include <array>
#include <cmath>
#include <cstring>

#include "base/clock.hpp"
#include "device/team.hpp"
#include "machine/ceilings/cuda_detail.hpp"
#include "toolbox/cuda/nccl.hpp"
#include "toolbox/cuda/peers.cuh"

namespace sextant {
namespace {

constexpr std::size_t link_bytes = std::size_t{256} << 20;
constexpr unsigned turns = 2000;
constexpr int samples = 7, at_a_time = 4;

// Copies between the memories of two GPUs with loads and stores. The kernel runs on one of the two.
__global__ void move(std::int64_t count, const uint4* from, uint4* to) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += at_a_time * stride) {
    uint4 unit[at_a_time];
#pragma unroll
    for (int k = 0; k < at_a_time; ++k)
      if (i + k * stride < count) unit[k] = from[i + k * stride];
#pragma unroll
    for (int k = 0; k < at_a_time; ++k)
      if (i + k * stride < count) to[i + k * stride] = unit[k];
  }
}

// Measures the round trip of a flag (ping-pong) between two GPUs, with one thread on each. The thread with
// `begins` true sets the other GPU's flag and waits for the answer in its own flag.
__global__ void play(unsigned* own, unsigned* others, bool begins, PollLimit poll_limit) {
  for (unsigned turn = 1; turn <= turns; ++turn) {
    if (begins) peers::raise(others, turn);
    peers::wait_for(own, turn, poll_limit);
    if (!begins) peers::raise(others, turn);
  }
}

// One GPU of the group, with a send buffer, a receive buffer and a flag.
struct End {
  int device;
  gpu::Buffer from{link_bytes}, to{link_bytes}, flag{256};
  WaitFlag gave_up;
  cudaStream_t stream = nullptr;

  End(int its_device, cudaStream_t its_stream) : device(its_device), stream(its_stream) {
    gpu::require(cudaMemset(from.as<char>(), 0x40 + its_device, link_bytes));
    gpu::require(gave_up.make());
    gpu::require(cudaDeviceSynchronize());
  }
};

class Links {
 public:
  Links(DeviceTeam& team, CeilingList* list) : team_(team), list_(list) {
    peers::for_parts(team.team(), [&](int part, cudaStream_t stream) {
      ends_[static_cast<std::size_t>(part)] = std::make_unique<End>(team.team().device[part], stream);
    });
    peers::load_everywhere(team.team(), move);
    peers::load_everywhere(team.team(), play);
  }

  void measure(int from, int to) {
    End &a = end(from), &b = end(to);
    std::string pair = "_";  // because GCC 12 warns about "_" + text
    pair.append(std::to_string(a.device)).append("_").append(std::to_string(b.device));
    const auto copy = [](const End& one, const End& other) {
      gpu::require(cudaMemcpyPeerAsync(other.to.as<char>(), other.device, one.from.as<char>(), one.device,
                                       link_bytes, one.stream));
    };
    add("link_copy" + pair, time([&] { copy(a, b); }));
    check(a, b, "link_copy" + pair);
    if (from < to) add("link_both" + pair, time([&] { copy(a, b), copy(b, a); }));
    if (!team_.team().reaches_all) return;
    add("link_store" + pair, time([&] { move_by(a, a, b); }));
    check(a, b, "link_store" + pair);
    add("link_load" + pair, time([&] { move_by(b, a, b); }));
    check(a, b, "link_load" + pair);
    if (from < to) add_flag("link_flag" + pair + "_latency", a, b);
  }

  // Measures stores by kernels on all GPUs at once: first each to its neighbour in a ring, then all-to-all.
  // Reports the bytes per second that one GPU sends.
  void measure_together() {
    const int parts = team_.team().parts;
    if (!team_.team().reaches_all) return;
    add("link_ring", time([&] {
          for (int part = 0; part < parts; ++part) move_by(end(part), end(part), end((part + 1) % parts));
        }));
    for (int part = 0; part < parts; ++part) check(end(part), end((part + 1) % parts), "link_ring");
    const std::size_t piece = link_bytes / static_cast<std::size_t>(parts) / 64 * 64;
    const double seconds = time([&] {
      for (int step = 1; step < parts; ++step)
        for (int part = 0; part < parts; ++part)
          move_by(end(part), end(part), end((part + step) % parts), static_cast<std::size_t>(part) * piece,
                  piece);
    });
    add("link_all_to_all", seconds, static_cast<std::size_t>(parts - 1) * piece);
    for (int part = 0; part < parts; ++part)
      for (int from = 0; from < parts; ++from)
        if (from != part)
          check(end(from), end(part), "link_all_to_all", static_cast<std::size_t>(from + 1) * piece);
  }

  // Measures NCCL's all-reduce. The rate is NCCL's "bus bandwidth": the bytes that each GPU sends in a ring
  // algorithm, divided by the time. Adds nothing if NCCL is missing.
  void measure_nccl() {
    const parts::Team& team = team_.team();
    const nccl::Communicator* communicators = nullptr;
    if (nccl::unavailable() || nccl::communicators_of(team, &communicators)) return;
    const nccl::Functions& of = nccl::functions();
    nccl::Said said;
    const double seconds = time([&] {
      said.hear(of.group_start());
      for (int part = 0; part < team.parts; ++part)
        said.hear(of.all_reduce(end(part).from.as<float>(), end(part).to.as<float>(),
                                link_bytes / sizeof(float), nccl::type_of(0.0F), nccl::adding,
                                communicators[part], end(part).stream));
      said.hear(of.group_end());
    });
    list_->require(!said.failure(),
                   std::string("link_nccl_all_reduce: ") + (said.failure() ? said.failure() : ""));
    check_sums("link_nccl_all_reduce");
    const double sent = 2.0 * (team.parts - 1) / team.parts * static_cast<double>(link_bytes);
    list_->add("link_nccl_all_reduce", sent / seconds, static_cast<std::int64_t>(link_bytes));
  }

 private:
  End& end(int part) { return *ends_[static_cast<std::size_t>(part)]; }

  void add(const std::string& name, double seconds, std::size_t bytes = link_bytes) {
    list_->add(name, static_cast<double>(bytes) / seconds, static_cast<std::int64_t>(bytes));
  }

  template <typename Launch>
  double time(const Launch& launch) {
    constexpr int in_a_row = 4;
    std::vector<double> times;
    for (int sample = -1; sample < samples; ++sample) {
      const double began = now();
      for (int i = 0; i < in_a_row; ++i) launch();
      team_.synchronise();
      if (sample >= 0) times.push_back((now() - began) / in_a_row);
    }
    return median_of(times);
  }

  // Copies with the kernel `move`, which runs on the GPU of `mover`.
  static void move_by(const End& mover, const End& from, const End& to, std::size_t first = 0,
                      std::size_t bytes = link_bytes) {
    constexpr int block = 512;
    gpu::require(cudaSetDevice(mover.device));
    move<<<4 * multiprocessors(), block, 0, mover.stream>>>(static_cast<std::int64_t>(bytes / sizeof(uint4)),
                                                            from.from.as<uint4>() + first / sizeof(uint4),
                                                            to.to.as<uint4>() + first / sizeof(uint4));
  }

  // Checks the last 64 bytes before the offset `end`, then overwrites the buffer.
  void check(const End& from, const End& to, const std::string& name, std::size_t end = link_bytes) {
    std::array<char, 64> last = {};
    gpu::require(cudaSetDevice(to.device));
    gpu::require(
        cudaMemcpy(last.data(), to.to.as<char>(end - last.size()), last.size(), cudaMemcpyDeviceToHost));
    for (const char byte : last)
      list_->require(byte == static_cast<char>(0x40 + from.device), name + " changed the data");
    gpu::require(cudaMemset(to.to.as<char>(), 0, end));
    gpu::require(cudaDeviceSynchronize());
  }

  // Checks the last all-reduce result on every GPU. It must be the sum of all GPUs' initial values.
  void check_sums(const std::string& name) {
    double sum = 0;
    for (int part = 0; part < team_.team().parts; ++part) {
      float value = 0;
      std::memset(&value, 0x40 + end(part).device, sizeof value);
      sum += static_cast<double>(value);
    }
    for (int part = 0; part < team_.team().parts; ++part) {
      std::array<float, 16> last = {};
      gpu::require(cudaSetDevice(end(part).device));
      gpu::require(cudaMemcpy(last.data(), end(part).to.as<char>(link_bytes - sizeof last), sizeof last,
                              cudaMemcpyDeviceToHost));
      for (const float value : last)
        list_->require(std::abs(static_cast<double>(value) - sum) <= 1e-5 * sum, name + " has a wrong sum");
    }
  }

  // Records the latency of a flag, which is half the time of a round trip.
  void add_flag(const std::string& name, End& a, End& b) {
    std::vector<double> times;
    for (int sample = 0; sample < 5; ++sample) {
      for (End* one : {&a, &b}) {
        gpu::require(cudaSetDevice(one->device));
        gpu::require(cudaMemset(one->flag.as<unsigned>(), 0, sizeof(unsigned)));
        gpu::require(cudaDeviceSynchronize());
      }
      gpu::require(cudaSetDevice(b.device));
      play<<<1, 1, 0, b.stream>>>(b.flag.as<unsigned>(), a.flag.as<unsigned>(), false,
                                  b.gave_up.poll_limit());
      gpu::require(cudaSetDevice(a.device));
      times.push_back(on_stream(a.stream, [&] {
        play<<<1, 1, 0, a.stream>>>(a.flag.as<unsigned>(), b.flag.as<unsigned>(), true,
                                    a.gave_up.poll_limit());
      }));
      team_.synchronise();
      list_->require(!a.gave_up.failure() && !b.gave_up.failure(), name + " got no answer");
    }
    list_->add(name, median_of(times) / (2 * turns), sizeof(unsigned));
  }

  template <typename Launch>
  static double on_stream(cudaStream_t stream, const Launch& launch) {
    cudaEvent_t start = nullptr, stop = nullptr;
    gpu::require(cudaEventCreate(&start));
    gpu::require(cudaEventCreate(&stop));
    gpu::require(cudaEventRecord(start, stream));
    launch();
    gpu::require(cudaEventRecord(stop, stream));
    gpu::require(cudaEventSynchronize(stop));
    float milliseconds = 0;
    gpu::require(cudaEventElapsedTime(&milliseconds, start, stop));
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return milliseconds * 1e-3;
  }

  DeviceTeam& team_;
  CeilingList* list_;
  std::array<std::unique_ptr<End>, parts::most_of_a_team> ends_;
};

}  // namespace

void measure_link_ceilings(int first, int devices, CeilingList* list) {
  std::string why_not;
  const std::unique_ptr<DeviceTeam> team = open_team(first, devices, 1, &why_not);
  list->require(team != nullptr, why_not);
  Links links(*team, list);
  for (int from = 0; from < devices; ++from)
    for (int to = 0; to < devices; ++to)
      if (from != to) links.measure(from, to);
  links.measure_together();
  links.measure_nccl();
}

}  // namespace sextant
