#include <cstring>

#include "device/cuda/cycle_counter.hpp"

namespace sextant {
namespace {

// A partition may have multiprocessors with high numbers, so there is an element for every possible number.
constexpr unsigned most_multiprocessors = 512;

// x: cycles, y: nanoseconds. A reading is one store of 16 bytes, so blocks on one multiprocessor do not mix
// their values.
using Reading = ulonglong2;

__global__ void read_counters(Reading* readings) {
  unsigned multiprocessor = 0;
  Reading reading;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(reading.x));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(reading.y));
  if (multiprocessor < most_multiprocessors) readings[multiprocessor] = reading;
}

}  // namespace

CycleCounter::~CycleCounter() { cudaFreeHost(readings_); }

cudaError_t CycleCounter::read(cudaStream_t stream, std::vector<CycleCount>* counts) {
  constexpr std::size_t bytes = most_multiprocessors * sizeof(Reading);
  if (!readings_)
    if (const cudaError_t status = cudaHostAlloc(&readings_, bytes, cudaHostAllocMapped);
        status != cudaSuccess)
      return status;
  std::memset(readings_, 0, bytes);
  read_counters<<<static_cast<unsigned>(multiprocessors_), 1, 0, stream>>>(static_cast<Reading*>(readings_));
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess) return status;
  if (const cudaError_t status = cudaStreamSynchronize(stream); status != cudaSuccess) return status;
  const auto* const readings = static_cast<const Reading*>(readings_);
  counts->clear();
  for (unsigned i = 0; i < most_multiprocessors; ++i)
    if (readings[i].y != 0) counts->push_back({static_cast<int>(i), readings[i].x, readings[i].y});
  return cudaSuccess;
}

}  // namespace sextant
