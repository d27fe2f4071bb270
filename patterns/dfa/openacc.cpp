// Two compute regions. Between them the host finds the start state of each chunk of text (parts.hpp).
#include <openacc.h>

#include "parts.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Lengths = Choices<32, 64, 128, 256>;

struct Shape {
  int chunks = 16384, vector_length = 128;
};

dfa::Parts parts_in(const Shape& shape) { return {shape.chunks}; }

// Device memory for the final states (`ends`) and start states (`begins`) of the chunks, and copies on the
// host.
struct Between {
  unsigned char* device;
  std::vector<unsigned char> ends, begins;
};

template <int length>
void find_ends(std::int64_t blocks, std::int64_t parts, const unsigned char* table, const unsigned char* text,
               unsigned char* ends) {
#pragma acc parallel loop gang vector vector_length(length) deviceptr(table, text, ends)
  for (std::int64_t job = 0; job < parts * dfa::states; ++job)
    dfa::find_end(blocks, parts, table, text, ends, job);
}

template <int length>
void walk_parts(std::int64_t blocks, std::int64_t parts, const unsigned char* table,
                const unsigned char* text, const unsigned char* begins, std::int32_t* state) {
#pragma acc parallel loop gang vector vector_length(length) deviceptr(table, text, begins, state)
  for (std::int64_t part = 0; part < parts; ++part)
    dfa::walk_part(blocks, parts, table, text, begins, state, part);
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t blocks = dfa::blocks_of(call.problem),
                     parts = dfa::parts_of(call.problem, parts_in(shape));
  auto& between = *static_cast<Between*>(call.state);
  const auto* table = static_cast<const unsigned char*>(acc_deviceptr(call.address(0)));
  const auto* text = static_cast<const unsigned char*>(acc_deviceptr(call.address(1)));
  auto* state = static_cast<std::int32_t*>(acc_deviceptr(call.address(2)));
  unsigned char* begins = between.device + parts * dfa::states;
  Lengths::with(shape.vector_length, [&]<int length>() {
    find_ends<length>(blocks, parts, table, text, between.device);
    acc_memcpy_from_device(between.ends.data(), between.device, between.ends.size());
    dfa::choose(parts, between.ends.data(), between.begins.data());
    acc_memcpy_to_device(begins, between.begins.data(), between.begins.size());
    walk_parts<length>(blocks, parts, table, text, begins, state);
  });
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return dfa::bytes_between(problem, parts_in(shape));
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  const auto parts = static_cast<std::size_t>(dfa::parts_of(call.problem, parts_in(shape)));
  auto* device =
      static_cast<unsigned char*>(acc_malloc(static_cast<std::size_t>(workspace(call.problem, shape))));
  if (!device) return "no device memory for the final states of the chunks";
  *state =
      new Between{device, std::vector<unsigned char>(parts * dfa::states), std::vector<unsigned char>(parts)};
  return nullptr;
}

void release(void* state) {
  acc_free(static_cast<Between*>(state)->device);
  delete static_cast<Between*>(state);
}

}  // namespace

std::vector<Variant> dfa_openacc() {
  return {
      {.name = "enumerate",
       .description =
           "one thread per chunk and start state; the host finds the true start states; one thread per chunk",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Shape>({{"chunks", &Shape::chunks, dfa::part_counts},
                                    {"vector_length", &Shape::vector_length, Lengths::list()}}),
       .launch = {.int32 = launch},
       .prepare = prepare,
       .release = release,
       .workspace = by_name<workspace>}};
}

}  // namespace sextant
