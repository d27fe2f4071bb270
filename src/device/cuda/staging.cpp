#include "device/cuda/staging.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sextant {
namespace {

void copy_by_all_threads(void* to_place, const void* from_place, std::size_t bytes) {
  char* to = static_cast<char*>(to_place);
  const char* from = static_cast<const char*>(from_place);
  constexpr std::size_t block = std::size_t{1} << 16;
  const auto blocks = static_cast<std::int64_t>((bytes + block - 1) / block);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < blocks; ++i) {
    const std::size_t begin = static_cast<std::size_t>(i) * block;
    std::memcpy(to + begin, from + begin, std::min(block, bytes - begin));
  }
}

cudaError_t copy_by_driver(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const cudaError_t status = cudaMemcpy(to, from, bytes, kind);
  // For pageable host memory, cudaMemcpy may return before the data have reached the GPU. Work on other
  // streams could then start too early.
  return status == cudaSuccess ? cudaStreamSynchronize(cudaStreamLegacy) : status;
}

}  // namespace

Staging::~Staging() {
  for (const Piece& piece : pieces_) {
    if (piece.crossed) cudaEventDestroy(piece.crossed);
    cudaFreeHost(piece.memory);
  }
  if (stream_) cudaStreamDestroy(stream_);
}

bool Staging::is_ready() {
  if (!tried_) {
    tried_ = true;
    bool made = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking) == cudaSuccess;
    for (Piece& piece : pieces_)
      made = made && cudaEventCreateWithFlags(&piece.crossed, cudaEventDisableTiming) == cudaSuccess &&
             cudaMallocHost(&piece.memory, piece_bytes) == cudaSuccess;
    if (!made) cudaGetLastError();
  }
  return pieces_.back().memory != nullptr;
}

cudaError_t Staging::to_device(void* device, const void* host, std::size_t bytes) {
  if (bytes < least_bytes || !is_ready()) return copy_by_driver(device, host, bytes, cudaMemcpyHostToDevice);
  std::size_t index = 0;
  for (std::size_t begin = 0; begin < bytes; begin += piece_bytes, index ^= 1) {
    const Piece& piece = pieces_[index];
    const std::size_t size = std::min(piece_bytes, bytes - begin);
    // Wait until the buffer's previous content has reached the GPU.
    if (const cudaError_t status = cudaEventSynchronize(piece.crossed); status != cudaSuccess) return status;
    copy_by_all_threads(piece.memory, static_cast<const char*>(host) + begin, size);
    cudaError_t status = cudaMemcpyAsync(static_cast<char*>(device) + begin, piece.memory, size,
                                         cudaMemcpyHostToDevice, stream_);
    if (status == cudaSuccess) status = cudaEventRecord(piece.crossed, stream_);
    if (status != cudaSuccess) return status;
  }
  return cudaStreamSynchronize(stream_);
}

cudaError_t Staging::to_host(void* host, const void* device, std::size_t bytes) {
  if (bytes < least_bytes || !is_ready()) return copy_by_driver(host, device, bytes, cudaMemcpyDeviceToHost);
  const auto ask = [&](std::size_t begin, const Piece& piece) {
    if (begin >= bytes) return cudaSuccess;
    const cudaError_t status =
        cudaMemcpyAsync(piece.memory, static_cast<const char*>(device) + begin,
                        std::min(piece_bytes, bytes - begin), cudaMemcpyDeviceToHost, stream_);
    return status == cudaSuccess ? cudaEventRecord(piece.crossed, stream_) : status;
  };
  cudaError_t status = ask(0, pieces_[0]);
  std::size_t index = 0;
  for (std::size_t begin = 0; begin < bytes && status == cudaSuccess; begin += piece_bytes, index ^= 1) {
    status = ask(begin + piece_bytes, pieces_[index ^ 1]);
    if (status == cudaSuccess) status = cudaEventSynchronize(pieces_[index].crossed);
    if (status == cudaSuccess)
      copy_by_all_threads(static_cast<char*>(host) + begin, pieces_[index].memory,
                          std::min(piece_bytes, bytes - begin));
  }
  return status == cudaSuccess ? cudaStreamSynchronize(stream_) : status;
}

}  // namespace sextant
