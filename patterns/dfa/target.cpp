#include "parts.hpp"
#include "toolbox/target/memory.hpp"

namespace sextant {
namespace {

constexpr std::int64_t table_bytes = 4 * dfa::table_words;

// Each team is one warp. Each lane processes one chunk for one start state (parts.hpp).
namespace enumerate {

struct Shape {
  int chunks = 16384, teams = 1024;
};

dfa::Parts parts_in(const Shape& shape) { return {shape.chunks}; }

void find_ends(std::int64_t blocks, std::int64_t parts, const unsigned char* table, const unsigned char* text,
               unsigned char* ends, int teams) {
  const std::int64_t count = blocks * dfa::block_bytes, jobs = parts * dfa::states;
#pragma omp target SEXTANT_ONE_WARP map(table [0:table_bytes], text [0:count], ends [0:jobs])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t job = 0; job < jobs; ++job) dfa::find_end(blocks, parts, table, text, ends, job);
}

void walk_parts(std::int64_t blocks, std::int64_t parts, const unsigned char* table,
                const unsigned char* text, const unsigned char* begins, std::int32_t* state, int teams) {
  const std::int64_t count = blocks * dfa::block_bytes;
#pragma omp target SEXTANT_ONE_WARP map(table [0:table_bytes], text [0:count], begins [0:parts], \
                                        state [0:blocks])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t part = 0; part < parts; ++part)
    dfa::walk_part(blocks, parts, table, text, begins, state, part);
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const dfa::Task task(call);
  const std::int64_t parts = dfa::parts_of(call.problem, parts_in(shape)), jobs = parts * dfa::states;
  unsigned char *ends = target::memory_of<unsigned char>(call), *begins = ends + jobs;
  find_ends(task.blocks, parts, task.table, task.text, ends,
            target::teams_for(shape.teams, jobs, target::lanes));
#pragma omp target update from(ends [0:jobs])
  dfa::choose(parts, ends, begins);
#pragma omp target update to(begins [0:parts])
  walk_parts(task.blocks, parts, task.table, task.text, begins, task.state,
             target::teams_for(shape.teams, parts, target::lanes));
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return dfa::bytes_between(problem, parts_in(shape));
}

Variant form() {
  Variant variant = target::mapped_variant("as parallel_for, but in teams of one warp");
  variant.tunables = tunables<Shape>(
      {{"chunks", &Shape::chunks, dfa::part_counts}, {"teams", &Shape::teams, target::team_counts}});
  target::add_memory<by_name<workspace>>(&variant);
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace enumerate

// The straightforward implementation (parts.hpp).
namespace parallel_for {

using Shape = dfa::Parts;

const dfa::Parts& parts_in(const Shape& shape) { return shape; }

void find_ends(std::int64_t blocks, std::int64_t parts, const unsigned char* table, const unsigned char* text,
               unsigned char* ends) {
  const std::int64_t count = blocks * dfa::block_bytes, jobs = parts * dfa::states;
#pragma omp target teams distribute parallel for map(table [0:table_bytes], text [0:count], ends [0:jobs])
  for (std::int64_t job = 0; job < jobs; ++job) dfa::find_end(blocks, parts, table, text, ends, job);
}

void walk_parts(std::int64_t blocks, std::int64_t parts, const unsigned char* table,
                const unsigned char* text, const unsigned char* begins, std::int32_t* state) {
  const std::int64_t count = blocks * dfa::block_bytes;
#pragma omp target teams distribute parallel for map(table [0:table_bytes], text [0:count], \
                                                     begins [0:parts], state [0:blocks])
  for (std::int64_t part = 0; part < parts; ++part)
    dfa::walk_part(blocks, parts, table, text, begins, state, part);
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const dfa::Task task(call);
  const std::int64_t parts = dfa::parts_of(call.problem, parts_in(shape)), jobs = parts * dfa::states;
  unsigned char *ends = target::memory_of<unsigned char>(call), *begins = ends + jobs;
  find_ends(task.blocks, parts, task.table, task.text, ends);
#pragma omp target update from(ends [0:jobs])
  dfa::choose(parts, ends, begins);
#pragma omp target update to(begins [0:parts])
  walk_parts(task.blocks, parts, task.table, task.text, begins, task.state);
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return dfa::bytes_between(problem, parts_in(shape));
}

Variant form() {
  Variant variant = target::mapped_variant(
      "the plain form: one thread per chunk and start state; the host finds the true start states; one "
      "thread per chunk");
  variant.tunables = tunables<Shape>({{"chunks", &Shape::chunks, dfa::part_counts}});
  target::add_memory<by_name<workspace>>(&variant);
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace parallel_for

}  // namespace

std::vector<Variant> dfa_target() {
  return {
      named("enumerate", enumerate::form()),
      named("parallel_for", parallel_for::form()),
  };
}

}  // namespace sextant
