// Threads for what is made before the clock runs, in variants of every model: compilers of CUDA and of serial code build
// without OpenMP.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace sextant::npb_cg {
namespace {

// Hands out 0..count-1, `chunk` at a time.
struct Chunks {
  std::int64_t count, chunk;
  std::atomic<std::int64_t> next = 0;

  template <typename Each>
  void operator()(const Each& each) {
    for (std::int64_t first; (first = next.fetch_add(chunk)) < count;)
      for (std::int64_t i = first; i < std::min(count, first + chunk); ++i) each(i);
  }
};

// Calls work(chunks) on as many threads as there is use for; each takes chunks with chunks(each).
template <typename Work>
void in_chunks(std::int64_t count, std::int64_t chunk, const Work& work) {
  Chunks chunks{count, chunk};
  const std::int64_t useful = (count + chunk - 1) / chunk,
                     most = std::min<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()), useful);
  std::vector<std::thread> threads;
  for (std::int64_t t = 1; t < most; ++t) threads.emplace_back([&] { work(chunks); });
  work(chunks);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace sextant::npb_cg
