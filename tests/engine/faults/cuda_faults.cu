#include <chrono>
#include <thread>
#include <vector>

#include "faults/cuda_faults.hpp"

namespace sextant {
namespace {

__global__ void add_one(std::int64_t n, const float* a, float* c) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + 1;
}

__global__ void write_at(float* where, std::int64_t offset) { where[offset] = 0; }

__global__ void add_from(float* where, std::int64_t to, const float* from, std::int64_t at) {
  where[to] += from[at];
}

__global__ void copy_from(float* where, const float* from, std::int64_t at) { where[at] = from[at]; }

__global__ void spin(volatile float* word) {
  while (word[0] != 12345.0f) {
  }
}

// All threads add to one element without atomics, so updates are lost.
__global__ void add_to_one(float* word) {
  for (int i = 0; i < 100; ++i) {
    const float seen = *static_cast<volatile float*>(word);
    *static_cast<volatile float*>(word) = seen + 1;
  }
}

struct Arguments {
  std::int64_t n;
  float *a, *c;
  cudaStream_t stream;
  explicit Arguments(const Call& call)
      : n(call.problem.extents.x),
        a(call.array<float>(0)),
        c(call.array<float>(1)),
        stream(static_cast<cudaStream_t>(call.stream)) {}
};

void right(const Call& call) {
  const Arguments x(call);
  add_one<<<static_cast<unsigned>((x.n + 127) / 128), 128, 0, x.stream>>>(x.n, x.a, x.c);
}

void nothing(const Call&) {}

void misses_last_block(const Call& call) {
  const Arguments x(call);
  if (const auto blocks = static_cast<unsigned>(x.n / 128))
    add_one<<<blocks, 128, 0, x.stream>>>(x.n, x.a, x.c);
}

void writes_past(const Call& call) {
  right(call);
  const Arguments x(call);
  write_at<<<1, 1, 0, x.stream>>>(x.c, x.n);
}

void writes_before(const Call& call) {
  right(call);
  const Arguments x(call);
  write_at<<<1, 1, 0, x.stream>>>(x.c, -1);
}

// Copies the element after the input to the position after the output, which is out of bounds.
void copies_past(const Call& call) {
  right(call);
  const Arguments x(call);
  copy_from<<<1, 1, 0, x.stream>>>(x.c, x.a, x.n);
}

// Adds an out-of-bounds element, right before or after the input, to the result.
void adds_past(const Call& call) {
  right(call);
  const Arguments x(call);
  add_from<<<1, 1, 0, x.stream>>>(x.c, x.n - 1, x.a, x.n);
}
void adds_before(const Call& call) {
  right(call);
  const Arguments x(call);
  add_from<<<1, 1, 0, x.stream>>>(x.c, 0, x.a, -1);
}

void changes_input(const Call& call) {
  right(call);
  const Arguments x(call);
  write_at<<<1, 1, 0, x.stream>>>(x.a, x.n - 1);
}

void races(const Call& call) {
  right(call);
  const Arguments x(call);
  add_to_one<<<64, 64, 0, x.stream>>>(x.c);
}

void illegal_address(const Call& call) {
  const Arguments x(call);
  write_at<<<1, 1, 0, x.stream>>>(x.c, std::int64_t{1} << 44);
}

void loops_for_ever(const Call& call) {
  const Arguments x(call);
  spin<<<1, 1, 0, x.stream>>>(x.c);
}

void slow_at_first(const Call& call) {
  static bool called = false;
  if (!called) std::this_thread::sleep_for(std::chrono::milliseconds(200));
  called = true;
  right(call);
}

void too_many_threads(const Call& call) {
  const Arguments x(call);
  add_one<<<1, 2048, 0, x.stream>>>(x.n, x.a, x.c);
}

void allocates_too_much(const Call& call) {
  void* pointer = nullptr;
  if (cudaMalloc(&pointer, std::size_t{1} << 50) == cudaSuccess) right(call);
}

// After the second preparation, launches do nothing.
const char* prepare_once(const Call&, void** state) {
  static bool prepared = false;
  static char again;
  *state = prepared ? &again : nullptr;
  prepared = true;
  return nullptr;
}
void right_at_first(const Call& call) {
  if (!call.state) right(call);
}

}  // namespace

std::vector<Variant> cuda_fault_variants() {
  const struct {
    const char* name;
    void (*launch)(const Call&);
  } faults[] = {{"right", right},
                {"nothing", nothing},
                {"misses_last_block", misses_last_block},
                {"writes_past", writes_past},
                {"writes_before", writes_before},
                {"copies_past", copies_past},
                {"adds_past", adds_past},
                {"adds_before", adds_before},
                {"changes_input", changes_input},
                {"races", races},
                {"illegal_address", illegal_address},
                {"loops_for_ever", loops_for_ever},
                {"too_many_threads", too_many_threads},
                {"allocates_too_much", allocates_too_much},
                {"slow_at_first", slow_at_first},
                {"prepares_once", right_at_first}};
  std::vector<Variant> variants;
  for (const auto& fault : faults) {
    Variant variant;
    variant.name = std::string("cuda.") + fault.name;
    variant.model = Model::cuda;
    variant.memory_space = MemorySpace::cuda;
    variant.launch.float32 = fault.launch;
    if (fault.launch == right_at_first) variant.prepare = prepare_once;
    variants.push_back(variant);
  }
  return variants;
}

}  // namespace sextant
