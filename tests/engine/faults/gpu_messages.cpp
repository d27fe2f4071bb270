#include "faults/gpu_messages.hpp"

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <list>
#include <map>
#include <vector>

namespace sextant {
namespace {

using Bytes = std::vector<char>;

const parts::Messages* under = nullptr;
std::list<Bytes> kept;  // message buffers in host memory; kept after completion, too

struct Arrival {
  void* to;
  const Bytes* from;
};
std::map<const parts::Request*, Arrival> arrivals;

bool is_on_gpu(const void* memory) {
  cudaPointerAttributes attributes;
  const bool known = cudaPointerGetAttributes(&attributes, memory) == cudaSuccess;
  cudaGetLastError();
  return known && attributes.type == cudaMemoryTypeDevice;
}

Bytes* of(std::int64_t bytes) { return &kept.emplace_back(static_cast<std::size_t>(bytes)); }

Bytes* read(const void* from, std::int64_t bytes) {
  Bytes* const host = of(bytes);
  cudaMemcpy(host->data(), from, host->size(), cudaMemcpyDeviceToHost);
  return host;
}

void write(void* to, const Bytes& host) {
  cudaMemcpy(to, host.data(), host.size(), cudaMemcpyHostToDevice);
  cudaStreamSynchronize(cudaStreamLegacy);
}

void isend(const void* data, std::int64_t bytes, int to, parts::Request* request) {
  under->isend(is_on_gpu(data) ? read(data, bytes)->data() : data, bytes, to, request);
}

void irecv(void* data, std::int64_t bytes, int from, parts::Request* request) {
  if (!is_on_gpu(data)) return under->irecv(data, bytes, from, request);
  Bytes* const host = of(bytes);
  arrivals[request] = {data, host};
  under->irecv(host->data(), bytes, from, request);
}

void waitall(int count, parts::Request* requests) {
  under->waitall(count, requests);
  for (int i = 0; i < count; ++i)
    if (const auto arrival = arrivals.find(&requests[i]); arrival != arrivals.end()) {
      write(arrival->second.to, *arrival->second.from);
      arrivals.erase(arrival);
    }
  if (arrivals.empty()) kept.clear();
}

void allreduce(const double* from, double* to, std::int64_t count, parts::Combine combine) {
  if (!is_on_gpu(from)) return under->allreduce(from, to, count, combine);
  Bytes* const host = read(from, count * static_cast<std::int64_t>(sizeof(double)));
  auto* const values = reinterpret_cast<double*>(host->data());
  under->allreduce(values, values, count, combine);
  write(to, *host);
}

void alltoall(const void* from, void* to, std::int64_t bytes) {
  if (!is_on_gpu(from)) return under->alltoall(from, to, bytes);
  int ranks = 1;
  if (const char* size = std::getenv("OMPI_COMM_WORLD_SIZE")) ranks = std::atoi(size);
  const Bytes* const out = read(from, ranks * bytes);
  Bytes* const in = of(ranks * bytes);
  under->alltoall(out->data(), in->data(), bytes);
  write(to, *in);
}

}  // namespace

void stand_in_for_gpu_memory(parts::Ranks* ranks, RankPlace* place) {
  if (!std::getenv(stand_in_for_gpu_messages)) return;
  under = ranks->messages;
  static const parts::Messages messages = {isend,     irecv,    waitall,       under->testall,
                                           allreduce, alltoall, under->barrier};
  ranks->messages = &messages;
  place->sends_gpu_memory = true;
}

}  // namespace sextant
