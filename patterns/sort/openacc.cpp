// Bitonic sorting network, one compute region per step. A pair is packed into one number, with the key in the
// high bits and the original index in the low bits. This makes the sort stable.
#include <openacc.h>

#include "loop.hpp"
#include "network.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument because GCC accepts only a constant there.
template <int length, typename Item>
void exchange(std::int64_t n, std::int64_t mask, Item* items) {
#pragma acc parallel loop deviceptr(items) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t j = i ^ mask;
    if (j > i && j < n) {
      const Item a = items[i], b = items[j];
      if (b < a) items[i] = b, items[j] = a;
    }
  }
}

template <int length, typename Item>
void run_network(std::int64_t n, Item* items) {
  sort::for_steps(n, [=](std::int64_t mask) { exchange<length>(n, mask, items); });
}

template <int length, typename T>
void sort_keys(std::int64_t n, const T* keys, T* sorted) {
#pragma acc parallel loop deviceptr(keys, sorted) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) sorted[i] = keys[i];
  run_network<length>(n, sorted);
}

template <int length>
void sort_pairs(std::int64_t n, const std::int32_t* keys, const std::int32_t* values, std::int32_t* sorted,
                std::int32_t* sorted_values, std::uint64_t* items) {
#pragma acc parallel loop deviceptr(keys, items) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) items[i] = sort::placed(keys[i], i);
  run_network<length>(n, items);
#pragma acc parallel loop deviceptr(values, sorted, sorted_values, items) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) {
    sorted[i] = sort::key_of(items[i]);
    sorted_values[i] = values[sort::place_of(items[i])];
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto on_device = [&](int index) { return static_cast<T*>(acc_deviceptr(call.address(index))); };
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    if constexpr (std::is_same_v<T, std::int32_t>)
      if (sort::has_values(call.problem)) {
        sort_pairs<length>(n, on_device(0), on_device(1), on_device(2), on_device(3),
                           static_cast<std::uint64_t*>(call.state));
        return;
      }
    sort_keys<length, T>(n, on_device(0), on_device(1));
  });
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t bytes = sort::bytes_of_items<false>(call.problem, nullptr);
  if (bytes == 0) return nullptr;
  *state = acc_malloc(static_cast<std::size_t>(bytes));
  return *state ? nullptr : "no device memory for the pairs";
}

}  // namespace

std::vector<Variant> sort_openacc() {
  return {{.name = "bitonic",
           .description = "bitonic sorting network, one region per step",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}}),
           .launch = SEXTANT_FLOAT_DOUBLE_INT(launch),
           .prepare = prepare,
           .release =
               [](void* state) {
                 if (state) acc_free(state);
               },
           .workspace = sort::bytes_of_items<false>}};
}

}  // namespace sextant
