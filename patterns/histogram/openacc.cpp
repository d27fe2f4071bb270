#include <openacc.h>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

namespace atomic {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument because GCC requires a constant.
template <int length>
void count(std::int64_t n, std::int64_t bins, const std::int32_t* k, std::int32_t* c) {
#pragma acc parallel loop present(c [0:bins]) vector_length(length)
  for (std::int64_t b = 0; b < bins; ++b) c[b] = 0;
#pragma acc parallel loop present(k [0:n], c [0:bins]) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) {
#pragma acc atomic update
    c[k[i]] += 1;
  }
}

void launch(const Call& call) {
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    count<length>(call.problem.extents.x, histogram::bins_of(call.problem), call.array<const std::int32_t>(0),
                  call.array<std::int32_t>(1));
  });
}

}  // namespace atomic

// Each gang has its own table in global memory, so that gangs do not wait for each other. A second loop adds
// up the tables.
namespace private_tables {

using Lengths = Choices<128, 256, 512, 1024>;
constexpr std::int64_t most_bins = 1 << 14;  // limit of the table size: 64 KiB per gang

// The selectable numbers of gangs suit the 132 multiprocessors of an H200.
struct Launch {
  int num_gangs = 528, vector_length = 512;
};

template <int length>
void count(std::int64_t n, std::int64_t bins, std::int64_t gangs, const std::int32_t* k, std::int32_t* tables,
           std::int32_t* c) {
  const std::int64_t share = (n + gangs - 1) / gangs;
#pragma acc parallel loop deviceptr(tables) vector_length(length)
  for (std::int64_t b = 0; b < gangs * bins; ++b) tables[b] = 0;
#pragma acc parallel loop gang deviceptr(k, tables) num_gangs(gangs) vector_length(length)
  for (std::int64_t gang = 0; gang < gangs; ++gang) {
    const std::int64_t begin = gang * share, end = begin + share < n ? begin + share : n;
#pragma acc loop vector
    for (std::int64_t i = begin; i < end; ++i) {
#pragma acc atomic update
      tables[gang * bins + k[i]] += 1;
    }
  }
#pragma acc parallel loop deviceptr(tables, c) vector_length(length)
  for (std::int64_t b = 0; b < bins; ++b) {
    std::int32_t sum = 0;
    for (std::int64_t gang = 0; gang < gangs; ++gang) sum += tables[gang * bins + b];
    c[b] = sum;
  }
}

void launch(const Call& call) {
  const auto shape = call.tuned<Launch>();
  Lengths::with(shape.vector_length, [&]<int length>() {
    count<length>(call.problem.extents.x, histogram::bins_of(call.problem), shape.num_gangs,
                  static_cast<const std::int32_t*>(acc_deviceptr(call.address(0))),
                  static_cast<std::int32_t*>(call.state),
                  static_cast<std::int32_t*>(acc_deviceptr(call.address(1))));
  });
}

const char* refuse(const Problem& problem, const Launch&) {
  return histogram::bins_of(problem) > most_bins ? "a table per gang would exceed 64 KiB" : nullptr;
}

std::int64_t workspace(const Problem& problem, const Launch& shape) {
  return shape.num_gangs * histogram::bins_of(problem) * std::int64_t{sizeof(std::int32_t)};
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, call.tuned<Launch>())));
  return *state ? nullptr : "no device memory for the gangs' tables";
}

}  // namespace private_tables

}  // namespace

std::vector<Variant> histogram_openacc() {
  return {
      {.name = "atomic",
       .description = "the plain form: a parallel loop with atomic updates of one table",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<atomic::Gang>({{"vector_length", &atomic::Gang::vector_length, BlockSizes::list()}}),
       .launch = {.int32 = atomic::launch}},
      {.name = "private",
       .description = "one table per gang in global memory, added up at the end",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<private_tables::Launch>(
           {{"num_gangs", &private_tables::Launch::num_gangs, {132, 264, 528, 1056}},
            {"vector_length", &private_tables::Launch::vector_length, private_tables::Lengths::list()}}),
       .launch = {.int32 = private_tables::launch},
       .constraint = by_name<private_tables::refuse>,
       .prepare = private_tables::prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = by_name<private_tables::workspace>},
  };
}

}  // namespace sextant
