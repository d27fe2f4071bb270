
#include <openacc.h>

#include "gangs.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

// Each gang decodes one sequence at a time (gangs.hpp); its lanes synchronize after each step. If `one_word`,
// score and state are packed in one word (packed.hpp).
namespace sextant::viterbi::openacc {

// Vector lengths: 32 for up to 32 states, 128 for up to 128 states, 256 for more.
using Lengths = Choices<32, 128, 256>;

template <bool one_word, int length_of_vectors>
void decode(Task task, int gangs, std::int64_t bytes_of_gang, char* memory) {
  const std::int64_t states = task.states, length = task.length, sequences = task.sequences;
  const std::int32_t *a = task.a, *e = task.e, *observed = task.observed;
  std::int32_t* path = task.path;
#pragma acc parallel loop gang num_gangs(gangs) vector_length(length_of_vectors) \
    deviceptr(a, e, observed, path, memory)
  for (int g = 0; g < gangs; ++g) {
    const Task mine = {states, length, sequences, a, e, observed, path};
    const Packing packing(states);
    char* bytes = memory + g * bytes_of_gang;
#pragma acc loop seq
    for (std::int64_t b = g; b < sequences; b += gangs) {
      const std::int32_t* own = observed + b * length;
#pragma acc loop vector
      for (int j = 0; j < states; ++j) begin<one_word>(mine, packing, own, j, bytes);
#pragma acc loop seq
      for (std::int64_t t = 1; t < length; ++t)
#pragma acc loop vector
        for (int j = 0; j < states; ++j) advance<one_word>(mine, packing, own, t, j, bytes);
#pragma acc loop vector
      for (int j = 0; j < 1; ++j) finish(mine, b, bytes);
    }
  }
}

template <typename T>
T* on_device(const Call& call, int index) {
  return static_cast<T*>(acc_deviceptr(call.address(index)));
}

template <bool one_word>
void launch(const Call& call) {
  const auto shape = call.tuned<Gangs>();
  Task task = task_of(call);
  task.a = on_device<const std::int32_t>(call, 0);
  task.e = on_device<const std::int32_t>(call, 1);
  task.observed = on_device<const std::int32_t>(call, 2);
  task.path = on_device<std::int32_t>(call, 3);
  Lengths::with(task.states <= 32    ? 32
                : task.states <= 128 ? 128
                                     : 256,
                [&]<int length>() {
                  decode<one_word, length>(task, gangs_of(call.problem, shape), bytes_of_one(task),
                                           static_cast<char*>(call.state));
                });
}

inline const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(bytes_of_gangs(call.problem, call.tuned<Gangs>())));
  return *state ? nullptr : "no device memory for the predecessor states";
}

template <bool one_word>
Variant by_gangs() {
  Variant variant;
  variant.memory_space = MemorySpace::openacc;
  variant.tunables = tunables<Gangs>({{"num_gangs", &Gangs::num_gangs, {132, 528, 1056, 2112, 4224}}});
  variant.workspace = by_name<bytes_of_gangs>;
  variant.prepare = prepare;
  variant.release = [](void* state) { acc_free(state); };
  variant.launch.int32 = launch<one_word>;
  return variant;
}

}  // namespace sextant::viterbi::openacc

namespace sextant {
namespace {

namespace gang_sequence {

Variant form() {
  Variant variant = viterbi::openacc::by_gangs<true>();
  variant.description = "one sequence per gang, one state per lane; score and state packed in one word";
  return variant;
}

}  // namespace gang_sequence

namespace parallel_loop {

Variant form() {
  Variant variant = viterbi::openacc::by_gangs<false>();
  variant.description = "the plain form: one sequence per gang, one state per lane";
  return variant;
}

}  // namespace parallel_loop

}  // namespace

std::vector<Variant> viterbi_openacc() {
  return {
      named("gang_sequence", gang_sequence::form()),
      named("parallel_loop", parallel_loop::form()),
  };
}

}  // namespace sextant
