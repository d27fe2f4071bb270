#include "faults/rank_faults.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "cheating.hpp"
#include "faults/cheats.hpp"
#include "registry/registry.hpp"
#include "suite/choices.hpp"
#include "toolbox/host/slab.hpp"

namespace sextant {
namespace {

struct Part {
  std::array<std::unique_ptr<Slab>, 2> arrays;
};

bool is_last(const Call& call) { return call.parts.ranks->rank + 1 == call.parts.ranks->size; }

void right(const Call& call) {
  const auto* part = static_cast<const Part*>(call.state);
  const float* a = part->arrays[0]->data<float>();
  float* c = part->arrays[1]->data<float>();
  for (std::int64_t i = 0; i < part->arrays[0]->own().count; ++i) c[i] = a[i] + 1;
}

void lacks_a_choice(const Call& call) {
  Choices<128, 256>::with(2048, [&]<int block_size>() { right(call); });
}

float* last_of(const Call& call) {
  const auto* part = static_cast<const Part*>(call.state);
  return part->arrays[1]->data<float>() + part->arrays[1]->own().count - 1;
}

void last_element_off(const Call& call) {
  right(call);
  if (is_last(call)) *last_of(call) += 0.25f;
}

void misses_a_part(const Call& call) {
  if (!is_last(call)) right(call);
}

void writes_past_its_part(const Call& call) {
  right(call);
  if (is_last(call)) last_of(call)[1] = 0;
}

void crashes(const Call& call) {
  right(call);
  if (is_last(call)) std::abort();
}

void leaves(const Call& call) {
  right(call);
  if (is_last(call)) ::_exit(3);
}

void hangs(const Call& call) {
  right(call);
  while (is_last(call)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

// The result is right, but the last rank takes 3 ms longer to compute.
void last_is_slow(const Call& call) {
  right(call);
  if (is_last(call) && call.parts.what != parts::Do::exchange)
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
}

// Applies a cheat from cheating.hpp to the elements that the rank owns.
template <template <typename> class Cheat>
void cheats(const Call& call) {
  const auto* part = static_cast<const Part*>(call.state);
  cheating::cheat<Cheat<float>>(cheating::Arrays<float>{
      part->arrays[0]->own().count, part->arrays[0]->data<float>(), part->arrays[1]->data<float>()});
}

const char* prepare(const Call& call, void** state) {
  auto part = std::make_unique<Part>();
  for (std::unique_ptr<Slab>& array : part->arrays)
    array = std::make_unique<Slab>(*call.parts.ranks, call.problem.extents.x, 4, 0);
  *state = part.release();
  return nullptr;
}

// Prepares the variant. Returns an error text instead if two ranks may use the same processor.
const char* prepare_on_own_cores(const Call& call, void** state) {
  cpu_set_t own;
  if (::sched_getaffinity(0, sizeof own, &own) != 0) return "its processors are not known";
  std::vector<double> ranks_of(CPU_SETSIZE, 0.0);
  for (std::size_t processor = 0; processor < ranks_of.size(); ++processor)
    ranks_of[processor] = CPU_ISSET(processor, &own) ? 1 : 0;
  call.parts.ranks->allreduce(ranks_of.data(), static_cast<std::int64_t>(ranks_of.size()),
                              parts::Combine::sum);
  const bool shared = std::any_of(ranks_of.begin(), ranks_of.end(), [](double ranks) { return ranks > 1; });
  return shared ? "a processor is of two ranks" : prepare(call, state);
}

const char* prepare_but_the_last(const Call& call, void** state) {
  return is_last(call) ? "the last rank has none" : prepare(call, state);
}

void scatter(const Call& call) {
  const auto* part = static_cast<const Part*>(call.state);
  for (std::size_t i = 0; i < 2; ++i) part->arrays[i]->scatter(call.address(i));
}

void gather(const Call& call) { static_cast<const Part*>(call.state)->arrays[1]->gather(call.address(1)); }

Variant ranks_variant(const char* name, void (*launch)(const Call&)) {
  Variant variant;
  variant.name = std::string("openmp.") + name;
  variant.model = Model::openmp;
  variant.memory_space = MemorySpace::partitioned;
  variant.parts.needs_mpi = true;
  variant.launch.float32 = launch;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Part*>(state); };
  variant.parts.scatter = scatter;
  variant.parts.gather = gather;
  return variant;
}

}  // namespace

std::string test_rank() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "sextant_test_rank").string();
}

Kernel parts_kernel(const char* name) {
  Kernel kernel;
  kernel.name = name;
  kernel.group = "faults";
  kernel.arrays = {{"a", Role::in}, {"c", Role::out}};
  kernel.extents = [](std::int64_t n) { return Extents{n / 2, 1, 1}; };
  kernel.work = [](const Problem& p) {
    return Work{.bytes_read = 4 * p.extents.x, .bytes_written = 4 * p.extents.x, .items = p.extents.x};
  };
  kernel.reference.float32 = [](const Problem& problem, const void* const* arrays, double* const* results) {
    const auto* a = static_cast<const float*>(arrays[0]);
    for (std::int64_t i = 0; i < problem.extents.x; ++i) results[1][i] = static_cast<double>(a[i]) + 1;
  };
  kernel.tolerance = [](const Problem&) { return Tolerance{.absolute = 1e-6}; };
  return kernel;
}

std::vector<Original> planted_in_ranks() {
  return {
      {"heat3d_r1",
       "openmp.mpi",
       {Cheat::honest, Cheat::skips_a_part, Cheat::does_nothing, Cheat::leaves_out_exchange}},
      {"heat3d_r1", "cuda.mpi_staged", cheats_with_exchange},
      {"triad", "cuda.mpi", cheats_without_exchange},
      {"all_reduce", "cuda.mpi_staged", {Cheat::honest, Cheat::does_nothing, Cheat::repeats_its_answer}},
  };
}

void add_rank_faults() {
  std::vector<Variant> variants = {
      ranks_variant("right", right),
      ranks_variant("last_element_off", last_element_off),
      ranks_variant("misses_a_part", misses_a_part),
      ranks_variant("writes_past_its_part", writes_past_its_part),
      ranks_variant("lacks_a_choice", lacks_a_choice),
      ranks_variant("crashes", crashes),
      ranks_variant("leaves", leaves),
      ranks_variant("hangs", hangs),
      ranks_variant("last_is_slow", last_is_slow),
      ranks_variant("one_is_not_prepared", right),
      ranks_variant("has_own_cores", right),
      ranks_variant("gathers_nothing", right),
      ranks_variant("scatters_nothing", right),
  };
  for (Variant& variant : variants) {
    variant.parts.separable = variant.name == "openmp.last_is_slow";
    if (variant.name == "openmp.one_is_not_prepared") variant.prepare = prepare_but_the_last;
    if (variant.name == "openmp.has_own_cores") variant.prepare = prepare_on_own_cores;
    if (variant.name == "openmp.gathers_nothing") variant.parts.gather = [](const Call&) {};
    if (variant.name == "openmp.scatters_nothing") variant.parts.scatter = [](const Call&) {};
  }
  Kernel kernel = parts_kernel("parts");
  kernel.work = [](const Problem& p) {
    return Work{.bytes_read = 4 * p.extents.x,
                .bytes_written = 4 * p.extents.x,
                .items = p.extents.x,
                .bytes_sent = 4};
  };
  add_to_registry({kernel, variants});
  add_to_registry({costly_kernel(),
                   {ranks_variant("honest", cheats<cheating::Honest>),
                    ranks_variant("already_there", cheats<cheating::AlreadyThere>),
                    ranks_variant("recognises", cheats<cheating::Recognises>),
                    ranks_variant("computes_twice", cheats<cheating::ComputesTwice>),
                    ranks_variant("keeps_its_first", cheats<cheating::KeepsItsFirst>),
                    ranks_variant("writes_rubbish", cheats<cheating::WritesRubbish>),
                    ranks_variant("joins_later", cheats<cheating::JoinsLater>)}});
  for (const Original& original : planted_in_ranks()) plant(original);
}

}  // namespace sextant
