#include "faults/faults.hpp"

#include <unistd.h>
#ifdef __x86_64__
  #include <xmmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <thread>
#include <vector>

#include "faults/cuda_faults.hpp"
#include "registry/registry.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/watched.hpp"

namespace sextant {
namespace {

struct Arrays {
  std::int64_t n;
  float *a, *c;
  explicit Arrays(const Call& call)
      : n(call.problem.extents.x), a(call.array<float>(0)), c(call.array<float>(1)) {}
};

void fill(const Arrays& arrays, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) arrays.c[i] = arrays.a[i] + 1;
}

void right(const Call& call) { fill(Arrays(call), 0, Arrays(call).n); }
void nothing(const Call&) {}

// ---- variants with wrong results ----
void misses_first(const Call& call) { fill(Arrays(call), 1, Arrays(call).n); }
void misses_last(const Call& call) { fill(Arrays(call), 0, Arrays(call).n - 1); }
void misses_last_block(const Call& call) { fill(Arrays(call), 0, Arrays(call).n / 64 * 64); }

void writes_before(const Call& call) {
  right(call);
  Arrays(call).c[-1] = 0;
}

void writes_past(const Call& call) {
  right(call);
  const Arrays arrays(call);
  arrays.c[arrays.n] = 0;
}

// The read past the end does not change the result.
void reads_past(const Call& call) {
  right(call);
  const Arrays arrays(call);
  volatile float seen = arrays.a[arrays.n];
  (void)seen;
}

// Copies the element after the input to the position after the output, which is out of bounds.
void copies_past(const Call& call) {
  right(call);
  const Arrays arrays(call);
  arrays.c[arrays.n] = arrays.a[arrays.n];
}

// Adds an out-of-bounds element, right before or after the input, to the result.
void adds_past(const Call& call) {
  right(call);
  const Arrays arrays(call);
  arrays.c[arrays.n - 1] += arrays.a[arrays.n];
}
void adds_before(const Call& call) {
  right(call);
  const Arrays arrays(call);
  arrays.c[0] += arrays.a[-1];
}

void makes_nan(const Call& call) {
  right(call);
  const Arrays arrays(call);
  arrays.c[arrays.n / 2] = std::nanf("");
}

void slightly_off(const Call& call) {
  right(call);
  const Arrays arrays(call);
  arrays.c[arrays.n / 2] += 1e-4f;
}

void changes_input(const Call& call) {
  right(call);
  const Arrays arrays(call);
  arrays.a[arrays.n - 1] += 1;
}

// Right the first time. Later calls do nothing, so the output holds stale values.
void works_once(const Call& call) {
  static std::atomic<int> calls = 0;
  if (calls++ == 0) right(call);
}

// Right twice, then does nothing.
void works_twice(const Call& call) {
  static std::atomic<int> calls = 0;
  if (calls++ < 2) right(call);
}

// Right throughout the check, then does nothing.
void stops_working(const Call& call) {
  static std::atomic<int> calls = 0;
  if (calls++ < 5) right(call);
}
void stops_working_slowly(const Call& call) {
  static std::atomic<int> calls = 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  if (calls++ < 2) right(call);
}

// Takes 30 ms and is right twenty times.
void works_twenty_times(const Call& call) {
  static std::atomic<int> calls = 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  if (calls++ < 20) right(call);
}

// The result is right, but launches report failure: either all of them or only those after the check.
int launches_that_may_fail = 0;
void counts_launches(const Call& call) {
  ++launches_that_may_fail;
  right(call);
}

// Computes once and then copies the stored answer.
void keeps_its_answer(const Call& call) {
  static std::vector<float> answer;
  const Arrays arrays(call);
  if (answer.empty()) {
    right(call);
    answer.assign(arrays.c, arrays.c + arrays.n);
  }
  std::copy(answer.begin(), answer.end(), arrays.c);
}

// Computes from a copy of the inputs that the preparation made.
const char* keep_operand(const Call& call, void** state) {
  *state = new std::vector<float>(Arrays(call).a, Arrays(call).a + Arrays(call).n);
  return nullptr;
}
void computes_from_kept(const Call& call) {
  const auto& kept = *static_cast<const std::vector<float>*>(call.state);
  std::transform(kept.begin(), kept.end(), Arrays(call).c, [](float a) { return a + 1; });
}

// Threads add to one element without synchronization, so updates are lost.
void races(const Call& call) {
  right(call);
  const Arrays arrays(call);
  volatile float* sum = arrays.c;
  constexpr int threads = 4, rounds = 20000;
  std::atomic<int> ready = 0;
  std::vector<std::thread> team;
  for (int t = 0; t < threads; ++t)
    team.emplace_back([&] {
      for (++ready; ready < threads;) std::this_thread::yield();
      for (int i = 0; i < rounds; ++i) {
        const float seen = *sum;
        if (i % 1000 == 0) std::this_thread::yield();
        *sum = seen + 1;
      }
    });
  for (std::thread& thread : team) thread.join();
  arrays.c[0] -= threads * rounds;  // the result is right if no update was lost
}

// ---- variants that end the process ----
void aborts(const Call&) { std::abort(); }
void dereferences_null(const Call&) {
  volatile int* nowhere = nullptr;
  *nowhere = 1;
}
void exits(const Call&) { ::_exit(0); }
void loops_for_ever(const Call&) {
  for (std::atomic<bool> end = false; !end;) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
void runs_out_of_memory(const Call&) { throw std::bad_alloc(); }
void talks(const Call& call) {
  std::printf("{\"measurement\": garbage}\n\n}{");
  std::fflush(stdout);
  right(call);
}
void complains_and_exits(const Call&) {
  std::fprintf(stderr, "libfault: the device is on fire\n");
  std::_Exit(7);
}

// Takes 0.3 s per call. The engine must not repeat such a long execution.
void slow(const Call& call) {
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  right(call);
}

// Takes 5 ms in the first three calls: two of the check and one more.
void slow_until_warm(const Call& call) {
  static std::atomic<int> calls = 0;
  if (calls++ < 3) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  right(call);
}

// Takes 0.2 s in the first call of a process, like a library that initialises itself.
void slow_at_first(const Call& call) {
  static std::atomic<int> calls = 0;
  if (calls++ == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
  right(call);
}

// Leaves the processor in the mode that flushes denormal numbers to zero.
void flushes(const Call& call) {
  right(call);
#ifdef __x86_64__
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

// Takes 120 ms.
void takes_120(const Call& call) {
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
  right(call);
}

Variant host_variant(const char* name, void (*launch)(const Call&)) {
  Variant variant;
  variant.name = std::string("serial.") + name;
  variant.model = Model::serial;
  variant.launch.float32 = launch;
  return variant;
}

// Returns slow_at_first as a variant of another programming model, with arrays in that model's memory space.
Variant slow_variant(Model model, MemorySpace memory_space) {
  Variant variant = host_variant("slow_at_first", slow_at_first);
  variant.name = std::string(name_of(model)) + ".slow_at_first";
  variant.model = model;
  variant.memory_space = memory_space;
  return variant;
}

Variant unavailable_variant() {
  Variant variant = host_variant("unavailable", right);
  variant.unavailable = [] { return "its library is not on this machine"; };
  return variant;
}

struct Block {
  int block_size = 128;
};

const char* refuse_large(const Problem&, const Block& block) {
  return block.block_size > 1024 ? "more than 1024 threads in a block" : nullptr;
}

Variant keeping_variant() {
  Variant variant = host_variant("keeps_its_operand", computes_from_kept);
  variant.prepare = keep_operand;
  variant.release = [](void* state) { delete static_cast<std::vector<float>*>(state); };
  return variant;
}

template <int after>
struct FailsAfter : Watched {
  const char* failure() const override {
    return launches_that_may_fail > after ? "nobody answered" : nullptr;
  }
};

template <int after>
Variant failing_variant(const char* name) {
  Variant variant = host_variant(name, counts_launches);
  variant.prepare = [](const Call&, void** state) -> const char* {
    *state = new FailsAfter<after>;
    return nullptr;
  };
  variant.release = [](void* state) { delete static_cast<FailsAfter<after>*>(state); };
  return variant;
}

Variant preparing_variant() {
  Variant variant = host_variant("prepares", right);
  variant.prepare = [](const Call&, void**) -> const char* {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return nullptr;
  };
  return variant;
}

// Returns a variant whose preparation is slow and must be repeated for new inputs.
Variant preparing_for_inputs_variant() {
  Variant variant = preparing_variant();
  variant.name = "serial.prepares_for_inputs";
  variant.prepare_depends_on = DependsOn::structure;
  return variant;
}

Variant constrained_variant() {
  Variant variant = host_variant("constrained", right);
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, {128, 2048}}});
  variant.constraint = by_name<refuse_large>;
  return variant;
}

// Code is compiled only for block sizes 128 and 256, but the tunable offers more values.
using Compiled = Choices<128, 256>;

void fill_by_choice(const Call& call) {
  Compiled::with(call.tuned<Block>().block_size, [&]<int block_size>() { right(call); });
}

const char* prepare_by_choice(const Call& call, void**) {
  Compiled::with(call.tuned<Block>().block_size, []<int block_size>() {});
  return nullptr;
}

Variant variant_without_a_choice(const char* name, void (*launch)(const Call&)) {
  Variant variant = host_variant(name, launch);
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, {128, 256, 2048}}});
  return variant;
}

Variant variant_that_prepares_without_a_choice() {
  Variant variant = variant_without_a_choice("lacks_a_choice_to_prepare", right);
  variant.prepare = prepare_by_choice;
  return variant;
}

Variant gpu_variant(const char* name) {  // requires a GPU, which the machine may lack
  Variant variant = host_variant("", right);
  variant.name = std::string("cuda.") + name;
  variant.model = Model::cuda;
  variant.memory_space = MemorySpace::cuda;
  return variant;
}

Variant newer_gpu_variant() {
  Variant variant = gpu_variant("for_a_newer_gpu");
  variant.unavailable = [] { return "it needs a newer GPU"; };
  return variant;
}

Kernel fault_kernel() {
  Kernel kernel;
  kernel.name = "fault";
  kernel.group = "test";
  kernel.formula = "c[i] = a[i] + 1";
  kernel.arrays = {{"a", Role::in}, {"c", Role::out}};
  kernel.extents = [](std::int64_t n) { return Extents{n / 2, 1, 1}; };
  kernel.work = [](const Problem& p) {
    return Work{.bytes_read = 4 * p.extents.x,
                .bytes_written = 4 * p.extents.x,
                .flops = p.extents.x,
                .items = p.extents.x};
  };
  kernel.reference.float32 = [](const Problem& p, const void* const* arrays, double* const* results) {
    for (std::int64_t i = 0; i < p.extents.x; ++i)
      results[1][i] = 1.0 + static_cast<const float*>(arrays[0])[i];
  };
  kernel.tolerance = [](const Problem&) { return Tolerance{.absolute = 0x1p-22}; };
  return kernel;
}

Kernel inout_kernel() {
  Kernel kernel = fault_kernel();
  kernel.name = "fault_inout";
  kernel.formula = "c[i] += 1";
  kernel.arrays = {{"c", Role::inout}};
  kernel.extents = [](std::int64_t n) { return Extents{n, 1, 1}; };
  kernel.reference.float32 = [](const Problem& p, const void* const* arrays, double* const* results) {
    for (std::int64_t i = 0; i < p.extents.x; ++i)
      results[0][i] = 1.0 + static_cast<const float*>(arrays[0])[i];
  };
  return kernel;
}

void increments(const Call& call) {
  float* c = call.array<float>(0);
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) c[i] += 1;
}

}  // namespace

std::string test_worker() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "sextant_test_worker").string();
}

void add_fault_kernels() {
  std::vector<Variant> variants = {
      host_variant("right", right),
      host_variant("nothing", nothing),
      host_variant("misses_first", misses_first),
      host_variant("misses_last", misses_last),
      host_variant("misses_last_block", misses_last_block),
      host_variant("writes_before", writes_before),
      host_variant("writes_past", writes_past),
      host_variant("reads_past", reads_past),
      host_variant("copies_past", copies_past),
      host_variant("adds_past", adds_past),
      host_variant("adds_before", adds_before),
      host_variant("makes_nan", makes_nan),
      host_variant("slightly_off", slightly_off),
      host_variant("changes_input", changes_input),
      host_variant("works_once", works_once),
      host_variant("works_twice", works_twice),
      host_variant("works_twenty_times", works_twenty_times),
      host_variant("stops_working", stops_working),
      host_variant("stops_working_slowly", stops_working_slowly),
      host_variant("keeps_its_answer", keeps_its_answer),
      keeping_variant(),
      host_variant("races", races),
      host_variant("aborts", aborts),
      host_variant("dereferences_null", dereferences_null),
      host_variant("exits", exits),
      host_variant("loops_for_ever", loops_for_ever),
      host_variant("runs_out_of_memory", runs_out_of_memory),
      host_variant("talks", talks),
      host_variant("complains_and_exits", complains_and_exits),
      host_variant("slow", slow),
      host_variant("slow_until_warm", slow_until_warm),
      host_variant("takes_120", takes_120),
      host_variant("flushes", flushes),
      slow_variant(Model::serial, MemorySpace::host),
      slow_variant(Model::openmp, MemorySpace::host),
      slow_variant(Model::stdpar, MemorySpace::host),
      slow_variant(Model::library, MemorySpace::host),
      slow_variant(Model::openacc, MemorySpace::openacc),
      slow_variant(Model::target, MemorySpace::target),
      failing_variant<0>("gives_up"),
      failing_variant<8>("gives_up_later"),
      preparing_variant(),
      preparing_for_inputs_variant(),
      unavailable_variant(),
      constrained_variant(),
      variant_without_a_choice("lacks_a_choice", fill_by_choice),
      variant_that_prepares_without_a_choice(),
      gpu_variant("plain"),
      newer_gpu_variant(),
  };
  for (Variant& variant : cuda_fault_variants()) variants.push_back(std::move(variant));
  add_to_registry({fault_kernel(), variants});
  add_to_registry({inout_kernel(), {host_variant("increments", increments)}});
}

}  // namespace sextant
