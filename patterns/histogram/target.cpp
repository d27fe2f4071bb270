#include <cstdlib>

#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

namespace atomic {

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, bins = histogram::bins_of(call.problem);
  const std::int32_t* k = call.array<const std::int32_t>(0);
  std::int32_t* c = call.array<std::int32_t>(1);
#pragma omp target map(c [0:bins])
#pragma omp teams distribute parallel for
  for (std::int64_t b = 0; b < bins; ++b) c[b] = 0;
#pragma omp target map(k [0:n], c [0:bins])
#pragma omp teams distribute parallel for
  for (std::int64_t i = 0; i < n; ++i) {
#pragma omp atomic update
    c[k[i]] += 1;
  }
}

Variant form() {
  Variant variant = target::mapped_variant(
      "the plain form: target teams distribute parallel for, atomic updates of one table");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace atomic

// Each team has its own table in global memory; a second loop adds up the tables. A team has one thread (no
// `parallel`), whose SIMD lanes share the keys.
namespace private_tables {

constexpr std::int64_t most_bins = 1 << 14;  // limit of the table size: 64 KiB per team

std::int64_t workspace(const Problem& problem, const target::Warps& shape) {
  return shape.teams * histogram::bins_of(problem) * std::int64_t{sizeof(std::int32_t)};
}

// The state: the tables of all teams, in host memory that is mapped to the device.
struct Tables {
  std::int32_t* of_teams;
  std::int64_t words;
};

// Counts the keys. Scalars and pointers are passed by value. A structured binding would refer to its struct,
// which the target region would map together with the host's pointer.
void count(std::int64_t n, std::int64_t bins, int teams, const std::int32_t* k, std::int32_t* tables,
           std::int32_t* c) {
  const std::int64_t words = teams * bins, share = (n + teams - 1) / teams;
#pragma omp target SEXTANT_ONE_WARP map(k [0:n], tables [0:words])
#pragma omp teams distribute num_teams(teams)
  for (int team = 0; team < teams; ++team) {
    const std::int64_t begin = team * share, end = begin + share < n ? begin + share : n;
    std::int32_t* const mine = tables + team * bins;
#pragma omp SEXTANT_LANES
    for (std::int64_t b = 0; b < bins; ++b) mine[b] = 0;
#pragma omp SEXTANT_LANES
    for (std::int64_t i = begin; i < end; ++i) {
#pragma omp atomic update
      mine[k[i]] += 1;
    }
  }
#pragma omp target map(c [0:bins], tables [0:words])
#pragma omp teams distribute parallel for
  for (std::int64_t b = 0; b < bins; ++b) {
    std::int32_t sum = 0;
    for (int team = 0; team < teams; ++team) sum += tables[team * bins + b];
    c[b] = sum;
  }
}

void launch(const Call& call) {
  count(call.problem.extents.x, histogram::bins_of(call.problem), call.tuned<target::Warps>().teams,
        call.array<const std::int32_t>(0), static_cast<const Tables*>(call.state)->of_teams,
        call.array<std::int32_t>(1));
}

const char* refuse(const Problem& problem, const target::Warps&) {
  return histogram::bins_of(problem) > most_bins ? "a table per team would exceed 64 KiB" : nullptr;
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t bytes = workspace(call.problem, call.tuned<target::Warps>());
  auto* tables = static_cast<std::int32_t*>(std::malloc(static_cast<std::size_t>(bytes)));
  if (!tables) return "no host memory for the teams' tables";
  const std::int64_t words = bytes / std::int64_t{sizeof(std::int32_t)};
#pragma omp target enter data map(alloc : tables [0:words])
  *state = new Tables{tables, words};
  return nullptr;
}

void release(void* state) {
  const auto* mine = static_cast<const Tables*>(state);
  std::int32_t* tables = mine->of_teams;
  const std::int64_t words = mine->words;
#pragma omp target exit data map(delete : tables [0:words])
  std::free(tables);
  delete mine;
}

Variant form() {
  Variant variant = target::warps_variant("one table per team in global memory, added up at the end");
  variant.launch.int32 = launch;
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = release;
  return variant;
}

}  // namespace private_tables

}  // namespace

std::vector<Variant> histogram_target() {
  return {
      named("atomic", atomic::form()),
      named("private", private_tables::form()),
  };
}

}  // namespace sextant
