#include <algorithm>
#include <cstdlib>
#include <vector>

#include "suite/tunables.hpp"
#include "toolbox/openacc/warp_partials.hpp"

// Helpers for the OpenACC variants whose directives copy both arrays to the device on every call.
namespace sextant::dot {

// Number of gangs for the sum. The choices range from half a gang to four gangs per multiprocessor of an
// H200, which has 132.
struct Gangs {
  int num_gangs = 264;
};

inline std::vector<Tunable> gangs_tunables() {
  return tunables<Gangs>({{"num_gangs", &Gangs::num_gangs, {66, 132, 264, 528}}});
}

inline std::int64_t product_bytes(const Problem& problem) {
  return problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
}

// Gives the variant a state: host memory for the products a[i] * b[i], allocated in `prepare`.
inline void keep_products(Variant& variant) {
  variant.prepare = [](const Call& call, void** state) -> const char* {
    *state = std::malloc(static_cast<std::size_t>(product_bytes(call.problem)));
    return *state ? nullptr : "no host memory for the products";
  };
  variant.release = std::free;
  variant.workspace = [](const Problem& problem, const int*) { return product_bytes(problem); };
}

}  // namespace sextant::dot

namespace sextant {
namespace {

struct Owner {};

// Processes the arrays in chunks on two queues: one queue copies while the other computes. The copies use
// pageable memory, because OpenACC cannot page-lock it. The driver stages such copies through the host, so
// only the kernels overlap with the copies.
namespace async {

// Two gangs for each of the 132 multiprocessors of an H200. OpenACC does not report the number of
// multiprocessors.
constexpr int gangs = 264, workers = 8;
constexpr int queues = 2;

struct Chunk {
  int chunk_mib = 8;
};

struct State {
  openacc::PartialSums partial_sums[queues];
  void* device_sums = nullptr;  // device memory, one sum per chunk
  std::vector<double> sums;     // host copy of device_sums; double is large enough for float too
};

std::int64_t chunk_length(const Call& call) {
  const std::int64_t bytes = std::int64_t{call.tuned<Chunk>().chunk_mib} << 20;
  return bytes / static_cast<std::int64_t>(element_size(call.problem.type));
}

std::int64_t chunks_of(const Call& call) {
  return (call.problem.extents.x + chunk_length(call) - 1) / chunk_length(call);
}

template <typename T>
void launch(const Call& call) {
  auto& state = *static_cast<State*>(call.state);
  const std::int64_t n = call.problem.extents.x, length = chunk_length(call), chunks = chunks_of(call);
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* device_sums = static_cast<T*>(state.device_sums);
  // Each array has a directive of its own. GCC would place both arrays of one directive in one allocation,
  // where b might not be aligned for 16-byte accesses.
#pragma acc data create(a [0:n])
#pragma acc data create(b [0:n])
  {
    for (std::int64_t c = 0; c < chunks; ++c) {
      const std::int64_t begin = c * length, count = std::min(length, n - begin);
      const int queue = static_cast<int>(c % queues);
#pragma acc update device(a [begin:count], b [begin:count]) async(queue)
      openacc::sum_of_products<Owner, 2, workers>(count, a + begin, b + begin, device_sums + c,
                                                  state.partial_sums[queue], gangs, queue);
    }
#pragma acc wait
  }
  T* sums = reinterpret_cast<T*>(state.sums.data());
  acc_memcpy_from_device(sums, device_sums, static_cast<std::size_t>(chunks) * sizeof(T));
  T sum = 0;
  for (std::int64_t c = 0; c < chunks; ++c) sum += sums[c];
  *call.array<T>(2) = sum;
}

void release(void* pointer) {
  auto* state = static_cast<State*>(pointer);
  for (const openacc::PartialSums& sums : state->partial_sums) openacc::free_partial_sums(sums);
  if (state->device_sums) acc_free(state->device_sums);
  delete state;
}

const char* prepare(const Call& call, void** pointer) {
  auto* state = new State;
  const auto chunks = static_cast<std::size_t>(chunks_of(call));
  state->sums.resize(chunks);
  state->device_sums = acc_malloc(chunks * sizeof(double));
  bool complete = state->device_sums != nullptr;
  for (openacc::PartialSums& sums : state->partial_sums) {
    sums = openacc::make_partial_sums(gangs * workers);
    complete = complete && sums.complete();
  }
  if (!complete) {
    release(state);
    return "no device memory for the partial sums";
  }
  *pointer = state;
  return nullptr;
}

}  // namespace async

// As in `parallel_loop`, but one data region encloses both loops, as in the talk "Introduction to OpenACC".
// The products never leave the device.
namespace data_region {

template <typename T>
T dot_product(std::int64_t n, const T* a, const T* b, T* c, int gangs) {
  T sum = 0;
#pragma acc data copyin(a [0:n], b [0:n]) create(c [0:n])
  {
#pragma acc parallel loop gang vector present(a [0:n], b [0:n], c [0:n]) vector_length(256)
    for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] * b[i];
#pragma acc parallel loop gang worker vector present(c [0:n]) num_gangs(gangs) num_workers(32) \
    vector_length(32) reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) sum += c[i];
  }
  return sum;
}

template <typename T>
void launch(const Call& call) {
  *call.array<T>(2) = dot_product(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                  static_cast<T*>(call.state), call.tuned<dot::Gangs>().num_gangs);
}

Variant form() {
  Variant variant;
  variant.description = "the talk's second form: one data region encloses the products and their sum";
  variant.memory_space = MemorySpace::host;
  variant.tunables = dot::gangs_tunables();
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  dot::keep_products(variant);
  return variant;
}

}  // namespace data_region

// One loop multiplies and adds. It needs no array for the products, half the memory traffic and a single
// launch.
namespace fused {

template <typename T>
T dot_product(std::int64_t n, const T* a, const T* b, int gangs) {
  T sum = 0;
#pragma acc parallel loop gang worker vector copyin(a [0:n], b [0:n]) num_gangs(gangs) num_workers(32) \
    vector_length(32) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  *call.array<T>(2) = dot_product(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                  call.tuned<dot::Gangs>().num_gangs);
}

}  // namespace fused

// The first version in the talk "Introduction to OpenACC": one `kernels` region computes the products, a
// second one adds them. Without an enclosing data region, the products are copied to the host and back
// between the regions. Host memory for the products is allocated before the call.
namespace kernels {

template <typename T>
T dot_product(std::int64_t n, const T* a, const T* b, T* c) {
  T sum = 0;
#pragma acc kernels copyin(a [0:n], b [0:n]) copyout(c [0:n])
#pragma acc loop independent
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] * b[i];
  // The counter `i` is declared outside the loop. GCC 12 allocates no device memory for a counter declared in
  // the loop, and the region aborts.
  std::int64_t i;
#pragma acc kernels copyin(c [0:n])
  for (i = 0; i < n; ++i) sum += c[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  *call.array<T>(2) = dot_product(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                  static_cast<T*>(call.state));
}

Variant form() {
  Variant variant;
  variant.description = "the talk's first form: two kernels regions, each with its own copies";
  variant.memory_space = MemorySpace::host;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  dot::keep_products(variant);
  return variant;
}

}  // namespace kernels

// As in `kernels`, but with parallel loops. The compiler need not prove that iterations are independent, and
// the sum is declared as a reduction.
namespace parallel_loop {

template <typename T>
T dot_product(std::int64_t n, const T* a, const T* b, T* c, int gangs) {
  T sum = 0;
#pragma acc parallel loop gang vector copyin(a [0:n], b [0:n]) copyout(c [0:n]) vector_length(256)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] * b[i];
#pragma acc parallel loop gang worker vector copyin(c [0:n]) num_gangs(gangs) num_workers(32) \
    vector_length(32) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += c[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  *call.array<T>(2) = dot_product(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                  static_cast<T*>(call.state), call.tuned<dot::Gangs>().num_gangs);
}

Variant form() {
  Variant variant;
  variant.description = "products, then their sum: two parallel loops, each with its own copies";
  variant.memory_space = MemorySpace::host;
  variant.tunables = dot::gangs_tunables();
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  dot::keep_products(variant);
  return variant;
}

}  // namespace parallel_loop

}  // namespace

std::vector<Variant> dot_openacc() {
  return {
      {.name = "async",
       .description = "copies and sums chunks on two queues; both arrays are copied in on every call",
       .memory_space = MemorySpace::host,
       .tunables =
           tunables<async::Chunk>({{"chunk_mib", &async::Chunk::chunk_mib, {1, 2, 4, 8, 16, 32, 64}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(async::launch),
       .prepare = async::prepare,
       .release = async::release},
      named("data_region", data_region::form()),
      {.name = "fused",
       .description = "one parallel loop with a reduction; both arrays are copied in on every call",
       .memory_space = MemorySpace::host,
       .tunables = dot::gangs_tunables(),
       .launch = SEXTANT_FLOAT_DOUBLE(fused::launch)},
      named("kernels", kernels::form()),
      named("parallel_loop", parallel_loop::form()),
      // On an H200, 4100 to 4250 GB/s are expected at 2^28 elements per array. The variant of the same name
      // of the kernel `reduction` reaches 4242 GB/s of doubles there.
      named("warp_partials", openacc::warp_partials_variant<Owner, 2>()),
  };
}

}  // namespace sextant
