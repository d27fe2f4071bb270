#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "unrolled.hpp"

namespace sextant {
namespace {

using Lengths = Choices<32, 64, 128, 256>;

struct Gang {
  int vector_length = 64;
};

namespace parallel_loop {

// The vector length is a template argument because GCC accepts only a constant there.
template <int length>
void digest_all(std::int64_t n, const std::uint32_t* message, const std::uint32_t* k, std::uint32_t* digest) {
  const std::int64_t count = n * sha256::words;
#pragma acc parallel loop gang vector vector_length(length) present(message [0:count], digest [0:count]) \
    copyin(k [0:64])
  for (std::int64_t i = 0; i < n; ++i)
    sha256::digest_plain(message + i * sha256::words, k, digest + i * sha256::words);
}

void launch(const Call& call) {
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    digest_all<length>(call.problem.extents.x, call.array<const std::uint32_t>(0), sha256::host_constants.k,
                       call.array<std::uint32_t>(1));
  });
}

}  // namespace parallel_loop

namespace unrolled {

// The vector length is a template argument because GCC accepts only a constant there.
template <int length>
void digest_all(std::int64_t n, const std::uint32_t* message, std::uint32_t* digest) {
  const std::int64_t count = n * sha256::words;
#pragma acc parallel loop gang vector vector_length(length) present(message [0:count], digest [0:count])
  for (std::int64_t i = 0; i < n; ++i)
    sha256::digest_unrolled(message + i * sha256::words, digest + i * sha256::words);
}

void launch(const Call& call) {
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    digest_all<length>(call.problem.extents.x, call.array<const std::uint32_t>(0),
                       call.array<std::uint32_t>(1));
  });
}

}  // namespace unrolled

}  // namespace

std::vector<Variant> sha256_openacc() {
  return {
      {.name = "parallel_loop",
       .description = "the plain form: a parallel loop over messages, message schedule in an array",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}}),
       .launch = {.int32 = parallel_loop::launch}},
      {.name = "unrolled",
       .description = "one message per lane, rounds unrolled, message schedule in registers",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}}),
       .launch = {.int32 = unrolled::launch}},
  };
}

}  // namespace sextant
