#include <cstring>
#include <memory>

#include "counters.hpp"

namespace sextant {
namespace {

using namespace npb_is;

struct State {
  HostKeys keys;
  HostMemory<std::uint8_t> bytes;
};

void count_in_bytes(std::int64_t n, std::int64_t values, int ahead, const std::int32_t* keys,
                    std::uint8_t* byte, std::uint32_t* c) {
  std::memset(byte, 0, static_cast<std::size_t>(values));
  each_key(
      keys, 0, n, ahead, [=](std::int32_t v) { __builtin_prefetch(byte + v, 1); },
      [=](std::int32_t v) {
        if (++byte[v] == 0) c[v] += 256;
      });
  for (std::int64_t v = 0; v < values; ++v) c[v] += byte[v];
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t n = key_count(call.problem), values = value_count(call.problem);
  const auto tuned = call.tuned<Counters>();
  rank_all(call, state.keys.get(), [&](const std::int32_t* keys, std::uint32_t* c) {
    call.phase("count");
    std::fill(c, c + values, 0u);
    if (tuned.bits == 8)
      count_in_bytes(n, values, tuned.ahead, keys, state.bytes.get(), c);
    else
      each_key(
          keys, 0, n, tuned.ahead, [=](std::int32_t v) { __builtin_prefetch(c + v, 1); },
          [=](std::int32_t v) { ++c[v]; });
    call.phase("sum");
    std::uint32_t sum = 0;
    for (std::int64_t v = 0; v < values; ++v) c[v] = sum += c[v];
    call.phase("");
  });
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  made->keys = make_keys(call.problem);
  made->bytes = allocate_host<std::uint8_t>(value_count(call.problem));
  if (!made->keys || !made->bytes) return "host memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace

Variant npb_is_serial_native() {
  Variant variant =
      counter_variant("one table, of one-byte counters where it is large, called into the cache ahead");
  variant.launch.int32 = launch;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = [](const Problem& problem, const int*) {
    return key_bytes(problem) + value_count(problem);
  };
  return variant;
}

}  // namespace sextant
