#include "suite/kernel.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "loop.hpp"
#include "toolbox/draws.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using namespace dfa;

std::int64_t length(const Problem& p, int index) {
  return index == 0 ? table_words : index == 1 ? words_of(p) : blocks_of(p);
}

// The largest number of 32-bit words of text that fit in n words together with the table and the states.
// Returns 0 if not even one block fits.
Extents extents(std::int64_t n) {
  const std::int64_t room = std::max<std::int64_t>(n - table_words, 0);
  const std::int64_t whole = room / (block_words + 1) * block_words;
  const std::int64_t words = whole + std::min(room % (block_words + 1), block_words - 1);
  return {words < block_words ? 0 : words, 1, 1};
}

// One row of the table: the successor of each state for one input byte. The successors are random states, or
// a random permutation of the states.
std::array<unsigned char, states> row_of(std::int64_t kind, std::int64_t byte) {
  std::array<unsigned char, states> row{};
  for (std::int64_t q = 0; q < states; ++q) {
    const auto at = static_cast<std::size_t>(q);
    if (kind == converging) {
      row[at] = static_cast<unsigned char>(below(structure_seed(1), states * byte + q, states));
    } else {
      row[at] = static_cast<unsigned char>(q);
      std::swap(row[at], row[static_cast<std::size_t>(below(structure_seed(1), states * byte + q, q + 1))]);
    }
  }
  return row;
}

void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  if (index == 0) {
    auto* table = static_cast<unsigned char*>(data);
    for (std::int64_t byte = 0; byte < symbols; ++byte) {
      const auto row = row_of(problem.parameters[0], byte);
      std::copy(row.begin(), row.end(), table + states * byte);
    }
    return;
  }
  auto* text = static_cast<std::uint32_t*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < words_of(problem); ++i)
    text[i] = static_cast<std::uint32_t>(random_bits(seed, static_cast<std::uint64_t>(i)) >> 32);
}

// Returns the state reached from each start state after `count` bytes. All states advance together, so that
// their dependent lookups overlap.
std::array<int, states> ends_of(const unsigned char* table, const unsigned char* text, std::int64_t count) {
  std::array<int, states> now{};
  std::iota(now.begin(), now.end(), 0);
  for (std::int64_t i = 0; i < count; ++i)
    for (int& state : now) state = state_after(table, text + i, 1, state);
  return now;
}

// Splits the text into chunks of whole blocks. Computes the transition function of each chunk, then its start
// state, then all states.
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  constexpr std::int64_t part = 4096;  // blocks per chunk
  const auto* table = static_cast<const unsigned char*>(arrays[0]);
  const auto* text = static_cast<const unsigned char*>(arrays[1]);
  const std::int64_t blocks = blocks_of(problem), parts = (blocks + part - 1) / part;
  std::vector<std::array<int, states>> ends(static_cast<std::size_t>(parts));
  std::vector<int> begins(static_cast<std::size_t>(parts));
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t t = 0; t < parts - 1; ++t)
    ends[static_cast<std::size_t>(t)] = ends_of(table, text + t * part * block_bytes, part * block_bytes);
  for (std::size_t t = 1; t < begins.size(); ++t)
    begins[t] = ends[t - 1][static_cast<std::size_t>(begins[t - 1])];
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t t = 0; t < parts; ++t) {
    int now = begins[static_cast<std::size_t>(t)];
    for (std::int64_t b = t * part; b < std::min(blocks, (t + 1) * part); ++b) {
      now = state_after(table, text + b * block_bytes, block_bytes, now);
      results[2][b] = now;
    }
  }
}

// Bytes after the last whole block do not affect the result, but are counted.
Work work(const Problem& p) {
  return {.bytes_read = 4 * (words_of(p) + table_words),
          .bytes_written = 4 * blocks_of(p),
          .items = 4 * words_of(p)};
}

// A byte costs a quarter of a 32-bit word of text and one table entry. Successive table entries are a third
// of the table apart on average.
Traits traits(const Problem& p) {
  Traits traits = elementwise_traits(1.25, 1.0 / block_bytes, static_cast<double>(table_words) / 3, 1);
  traits.depth = levels(4 * words_of(p));
  return traits;
}

Kernel with_table(Kind kind, const char* name, const char* formula) {
  Kernel kernel;
  kernel.name = name;
  kernel.group = "dfa";
  kernel.dwarf = "finite state machine";
  kernel.formula = formula;
  kernel.arrays = {{"table", Role::in}, {"text", Role::in}, {"state", Role::out}};
  kernel.parameters = {kind};
  kernel.extents = extents;
  kernel.length = length;
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise.int32 = initialise;
  kernel.reference.int32 = reference;
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "after each block there is only one correct state";
  kernel.sizes = pattern_sizes;
  return kernel;
}

}  // namespace

std::vector<Kernel> dfa_kernels() {
  return {with_table(converging, "dfa_converging",
                     "s = table[byte][s], random successors; s is stored after every 64th byte"),
          with_table(permuting, "dfa_permuting",
                     "s = table[byte][s], permuted successors; s is stored after every 64th byte")};
}

}  // namespace sextant
