// Arrays cut into as many parts as there are GPUs: what is the same whether one process has all of them, or each has its own.
#pragma once

#include "operation.cuh"
#include "toolbox/parts_of_vector.hpp"

namespace sextant::triad {

template <typename T>
void launch_part(const Call& call, std::int64_t n, const T* a, const T* b, T* c, cudaStream_t stream) {
  const auto [items_per_thread, block] = call.tuned<stream::VectorBlock>();
  const std::int64_t threads = n / vector_length<T> + n % vector_length<T>;
  stream::Items::with(items_per_thread, [&]<int items>() {
    stream::vector<Operation, items><<<blocks_for(threads, block * items), block, 0, stream>>>(n, a, b, c);
  });
}

inline void fit_part(const Problem& problem, stream::VectorBlock& block) {
  stream::adapt_vector<Operation>(longest_part(problem), block);
}

// All but what launches, and keeps the parts.
inline Variant variant_of_parts() {
  Variant variant = stream::vector_variant<Operation>();
  variant.home = Home::ranks;
  variant.adapt = by_name<fit_part>;
  variant.constraint = [](const Problem& problem, const int*) { return refuse_few_elements(problem); };
  variant.workspace = [](const Problem& problem, const int*) { return bytes_of_longest_part(problem, 3); };
  return variant;
}

}  // namespace sextant::triad
