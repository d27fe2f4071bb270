// Checks the launch limits that all GPUs of compute capability 8.0 or later have in common, and the limit of
// a compiled kernel.
#include <algorithm>

#include "base/intern.hpp"
#include "base/join.hpp"
#include "own/kernel/described_cuda.hpp"

namespace sextant::own {

const char* why_no_launch(const DescribedStep& step, const std::vector<std::int64_t>& values) {
  constexpr std::int64_t most_threads = 1024, most_x = 2147483647, most_yz = 65535;
  std::int64_t threads = 1;
  for (const Expression& one : step.block) {
    const std::int64_t size = one.at(values);
    if (size < 1 || size > most_threads)
      return intern("a block of " + std::to_string(size) + " threads is not possible: use 1 to 1024");
    threads *= size;
  }
  if (threads > most_threads)
    return intern("a block of " + std::to_string(threads) + " threads is not possible: use 1 to 1024");
  for (std::size_t i = 0; i < step.grid.size(); ++i) {
    const std::int64_t size = step.grid[i].at(values);
    if (size < 1 || size > (i == 0 ? most_x : most_yz))
      return intern("a grid of " + std::to_string(size) + " blocks on an axis");
  }
  return nullptr;
}

std::string why_block_too_large(const CudaContext& context, const DescribedStep& step,
                                const std::vector<std::int64_t>& values, int most_threads) {
  std::int64_t threads = 1;
  for (const Expression& one : step.block) threads *= one.at(values);
  if (threads <= most_threads) return "";
  std::vector<std::string> tuning;
  std::size_t name = context.description->size_names().size();
  for (const DescribedTunable& tunable : context.variant->tunables) {
    if (std::any_of(step.block.begin(), step.block.end(),
                    [&](const Expression& one) { return one.uses(name); }))
      tuning.push_back(tunable.name + " = " + std::to_string(values[name]));
    ++name;
  }
  return step.function + " allows at most " + std::to_string(most_threads) +
         " threads per block on this GPU, because of its registers or launch bounds, but its block has " +
         std::to_string(threads) + (tuning.empty() ? "" : " with " + join(tuning, " and "));
}

}  // namespace sextant::own
