#include <algorithm>

#include "partials.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "table.hpp"
#include "toolbox/openacc/pack.hpp"  // SEXTANT_INLINE

namespace sextant {
namespace {

using namespace ep;

struct Threads {
  int vector_length = 128, kilothreads = 132;
};

using VectorLengths = Choices<64, 128, 256>;
constexpr int bits = 6;                   // mantissa bits that index the logarithm's table
constexpr std::int64_t least_pairs = 64;  // minimum number of pairs per thread
constexpr int field = 16;                 // number of bits of one packed counter

struct State {
  double* partials;
  LogEntry* table;
};

// The algorithm of streams.cuh in OpenACC. A thread processes one contiguous range of the random sequence and
// reads the logarithm from a table in the L1 cache. Sums and counts stay in registers, which cannot be
// indexed by ring. Comparisons therefore count the pairs with max(|X|, |Y|) of at least 1, 2 and 3. Pairs in
// ring 3 or beyond, one in 200, are counted in two words of four packed counters each.
struct Registers {
  double sx, sy, abs_sx, abs_sy;
  int accepted, from_1, from_2, from_3;  // accepted pairs, and those with max(|X|, |Y|) of at least 1, 2, 3
  std::uint64_t near, far;               // packed counters of rings 3 to 6 and 7 to 9
};

SEXTANT_INLINE void add_deviates(double X, double Y, Registers& mine) {
  const double abs_X = __builtin_fabs(X), abs_Y = __builtin_fabs(Y);
  const double larger = abs_X > abs_Y ? abs_X : abs_Y;
  mine.sx += X, mine.sy += Y, mine.abs_sx += abs_X, mine.abs_sy += abs_Y;
  mine.accepted += 1;
  mine.from_1 += larger >= 1;
  mine.from_2 += larger >= 2;
  if (larger >= 3) {
    const int l = static_cast<int>(larger) - 3;
    mine.from_3 += 1;
    (l < 4 ? mine.near : mine.far) += std::uint64_t{1} << (l % 4 * field);
  }
}

SEXTANT_INLINE void add_pair(double x, double y, const LogEntry* table, const LogPolynomial& polynomial,
                             Registers& mine) {
  const double t = x * x + y * y;
  if (t < 1) {
    const auto high = static_cast<unsigned>(bits_of(t) >> 32);
    const LogEntry& entry = table[(high >> (20 - bits)) & ((table_binades << bits) - 1)];
    double w = minus_twice_log<bits>(entry, polynomial.q[0], polynomial, t);
    if (t < 0x1p-16) w = -2 * __builtin_log(t);  // the table does not cover such a small t
    const double f = __builtin_sqrt(w / t);
    add_deviates(x * f, y * f, mine);
  }
}

SEXTANT_INLINE void write_partials(const Registers& mine, std::int64_t thread, std::int64_t threads,
                                   double* partials) {
  partials[thread] = mine.sx;
  partials[threads + thread] = mine.sy;
  partials[2 * threads + thread] = mine.abs_sx;
  partials[3 * threads + thread] = mine.abs_sy;
  partials[4 * threads + thread] = mine.accepted - mine.from_1;
  partials[5 * threads + thread] = mine.from_1 - mine.from_2;
  partials[6 * threads + thread] = mine.from_2 - mine.from_3;
  for (int l = 0; l < ring_count - 3; ++l)
    partials[(7 + l) * threads + thread] =
        static_cast<double>(((l < 4 ? mine.near : mine.far) >> (l % 4 * field)) & ((1u << field) - 1));
}

template <int vector_length_>
void tally_streams(std::int64_t pairs, std::int64_t threads, std::int64_t pairs_a_thread,
                   const LogEntry* table, double* partials) {
  const LogPolynomial polynomial = log_polynomial(bits);
#pragma acc parallel loop gang vector vector_length(vector_length_) deviceptr(table, partials) \
    firstprivate(polynomial)
  for (std::int64_t thread = 0; thread < threads; ++thread) {
    const std::int64_t first = thread * pairs_a_thread, left = pairs - first;
    const int count = static_cast<int>(left < pairs_a_thread ? left : pairs_a_thread);
    std::uint64_t shifted = state_before(first) << 6;
    Registers mine = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < count; ++i) {
      shifted *= npb::random_multiplier;
      const double x = symmetric(shifted);
      shifted *= npb::random_multiplier;
      const double y = symmetric(shifted);
      add_pair(x, y, table, polynomial, mine);
    }
    write_partials(mine, thread, threads, partials);
  }
}

// Distributes the random sequence over the threads. The number of threads is a tunable within two limits.
// Each thread must have enough pairs to pay for computing its starting state, and too few to overflow the
// packed counters.
struct Stretches {
  std::int64_t pairs_a_thread, threads;

  Stretches(const Problem& problem, const Threads& wanted) {
    constexpr std::int64_t most_pairs = std::int64_t{1} << 22;
    const std::int64_t pairs = problem.extents.x, at_once = std::int64_t{wanted.kilothreads} * 1024;
    pairs_a_thread = std::clamp((pairs + at_once - 1) / at_once, least_pairs, most_pairs);
    threads = (pairs + pairs_a_thread - 1) / pairs_a_thread;
  }
};

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const auto tuned = call.tuned<Threads>();
  const Stretches stretches(call.problem, tuned);
  call.phase("pairs");
  VectorLengths::with(tuned.vector_length, [&]<int V>() {
    tally_streams<V>(call.problem.extents.x, stretches.threads, stretches.pairs_a_thread, state.table,
                     state.partials);
  });
  call.phase("sums");
  add_partials(stretches.threads, state.partials, call.array<double>(0), call.array<double>(1));
  call.phase("");
}

const char* constraint(const Problem& problem, const Threads& tuned) {
  return Stretches(problem, tuned).threads > std::int64_t{1} << 24 ? "more than 2^24 threads" : nullptr;
}

std::int64_t workspace(const Problem& problem, const Threads& tuned) {
  return partial_bytes(Stretches(problem, tuned).threads) +
         (std::int64_t{table_binades} << bits) * std::int64_t{sizeof(LogEntry)};
}

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  if (mine->partials) acc_free(mine->partials);
  if (mine->table) acc_free(mine->table);
  delete mine;
}

const char* prepare(const Call& call, void** state) {
  std::vector<LogEntry> table = log_table(bits);
  const std::size_t bytes = table.size() * sizeof(LogEntry);
  void* partials = nullptr;
  const Stretches stretches(call.problem, call.tuned<Threads>());
  const char* reason = allocate_partials(stretches.threads, &partials);
  auto* mine = new State{static_cast<double*>(partials), static_cast<LogEntry*>(acc_malloc(bytes))};
  if (!reason && !mine->table) reason = "no device memory for the table";
  if (reason) {
    release(mine);
    return reason;
  }
  acc_memcpy_to_device(mine->table, table.data(), bytes);
  *state = mine;
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_ep_openacc_streams() {
  return {{.name = "streams",
           .description =
               "one range of the random sequence per thread, in registers; table logarithm; packed counters",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Threads>({{"vector_length", &Threads::vector_length, VectorLengths::list()},
                                          {"kilothreads", &Threads::kilothreads, {66, 132, 264, 528}}}),
           .launch = {.float64 = launch},
           .constraint = by_name<constraint>,
           .prepare = prepare,
           .release = release,
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
