#include "openacc_passes.hpp"

namespace sextant {
namespace {

using namespace npb_ft;
using VectorLengths = Choices<64, 128, 256>;

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  for (void* memory : {static_cast<void*>(mine->u), static_cast<void*>(mine->own_w),
                       static_cast<void*>(mine->decay), static_cast<void*>(mine->roots)})
    if (memory) acc_free(memory);
  delete mine;
}

std::int64_t table_bytes(const Problem& problem) {
  return axis_entries(problem.extents) * (16 + 8 * iterations(problem));
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  const std::int64_t entries = axis_entries(call.problem.extents);
  const auto bytes = static_cast<std::size_t>(field_bytes(call.problem));
  mine->u = static_cast<Complex*>(acc_malloc(bytes));
  if (!with_field(call.problem)) mine->own_w = static_cast<Complex*>(acc_malloc(bytes));
  mine->w = with_field(call.problem) ? static_cast<Complex*>(acc_deviceptr(call.address(field))) : mine->own_w;
  mine->decay = static_cast<double*>(
      acc_malloc(static_cast<std::size_t>(iterations(call.problem) * entries) * sizeof(double)));
  mine->roots = static_cast<Complex*>(acc_malloc(static_cast<std::size_t>(entries) * sizeof(Complex)));
  if (!mine->u || !mine->w || !mine->decay || !mine->roots) {
    release(mine);
    return "device memory ran out";
  }
  *state = mine;
  return nullptr;
}

void launch(const Call& call) {
  VectorLengths::with(call.tuned<Passes>().vector_length, [&]<int V>() { Program<V>(call).run(); });
}

// The radix with fewer passes; 8, which needs half the registers, where both have as many.
void adapt(const Problem& problem, Passes& passes) {
  const Extents& e = problem.extents;
  int passes_of_8 = 0, passes_of_16 = 0;
  for (const std::int64_t n : {e.x, e.y, e.z}) {
    passes_of_8 += (log2_of(n) + 2) / 3;
    passes_of_16 += (log2_of(n) + 3) / 4;
  }
  passes.radix = passes_of_8 <= passes_of_16 ? 8 : 16;
}

}  // namespace

std::vector<Variant> npb_ft_openacc() {
  return {{.name = "passes",
.description = "a loop over butterflies a pass, in place, digit-reversed in between, neighbours along x",
.memory_space = MemorySpace::openacc,
.tunables = tunables<Passes>(
      {{"vector_length", &Passes::vector_length, VectorLengths::list()}, {"radix", &Passes::radix, {8, 16}}}),
.launch = {.float64 = launch},
.adapt = by_name<adapt>,
.prepare = prepare,
.release = release,
.workspace = [](const Problem& problem, const int*) {
    return state_bytes(problem) + table_bytes(problem);
  }}};
}

}  // namespace sextant
