#include <algorithm>

#include "partials.hpp"
#include "suite/choices.hpp"
#include "table.hpp"

namespace sextant {
namespace {

using namespace ep;

using VectorLengths = Choices<64, 128, 256>;
constexpr int bits = 6;                   // of the logarithm's table
constexpr std::int64_t least_pairs = 64;  // a thread
constexpr int field = 16;                 // bits of a packed counter

struct State {
  double* partials;
  LogEntry* table;
};

// As in streams.cuh, as far as OpenACC reaches: a stretch of the stream a thread, logarithm by table (from
// the first-level cache), nothing in arrays. What lies in ring 3 or beyond, one pair in 200, is counted in
// two words of four fields.
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
    double sx = 0, sy = 0, abs_sx = 0, abs_sy = 0;
    int accepted = 0, from_1 = 0, from_2 = 0, from_3 = 0;
    std::uint64_t near = 0, far = 0;
    for (int i = 0; i < count; ++i) {
      shifted *= npb::random_multiplier;
      const double x = symmetric(shifted);
      shifted *= npb::random_multiplier;
      const double y = symmetric(shifted);
      const double t = x * x + y * y;
      if (t < 1) {
        const auto high = static_cast<unsigned>(bits_of(t) >> 32);
        const LogEntry& entry = table[(high >> (20 - bits)) & ((table_binades << bits) - 1)];
        double w = minus_twice_log<bits>(entry, polynomial.q[0], polynomial, t);
        if (t < 0x1p-16) w = -2 * __builtin_log(t);
        const double f = __builtin_sqrt(w / t);
        const double X = x * f, Y = y * f, abs_X = __builtin_fabs(X), abs_Y = __builtin_fabs(Y);
        const double larger = abs_X > abs_Y ? abs_X : abs_Y;
        sx += X, sy += Y, abs_sx += abs_X, abs_sy += abs_Y;
        accepted += 1;
        from_1 += larger >= 1;
        from_2 += larger >= 2;
        if (larger >= 3) {
          const int l = static_cast<int>(larger) - 3;
          from_3 += 1;
          (l < 4 ? near : far) += std::uint64_t{1} << (l % 4 * field);
        }
      }
    }
    partials[thread] = sx;
    partials[threads + thread] = sy;
    partials[2 * threads + thread] = abs_sx;
    partials[3 * threads + thread] = abs_sy;
    partials[4 * threads + thread] = accepted - from_1;
    partials[5 * threads + thread] = from_1 - from_2;
    partials[6 * threads + thread] = from_2 - from_3;
    for (int l = 0; l < ring_count - 3; ++l)
      partials[(7 + l) * threads + thread] =
          static_cast<double>(((l < 4 ? near : far) >> (l % 4 * field)) & ((1u << field) - 1));
  }
}

// Threads that run at once, unless each had so much that its packed counters could run over.
std::int64_t pairs_a_thread(const Problem& problem, const int* tuning) {
  constexpr std::int64_t most = std::int64_t{1} << 22;
  const std::int64_t threads = std::int64_t{tuning[1]} * 1024;
  return std::clamp((problem.extents.x + threads - 1) / threads, least_pairs, most);
}

std::int64_t threads_of(const Problem& problem, const int* tuning) {
  const std::int64_t each = pairs_a_thread(problem, tuning);
  return (problem.extents.x + each - 1) / each;
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t threads = threads_of(call.problem, call.tuning);
  call.phase("pairs");
  VectorLengths::with(call.tuning[0], [&]<int V>() {
    tally_streams<V>(call.problem.extents.x, threads, pairs_a_thread(call.problem, call.tuning), state.table,
                     state.partials);
  });
  call.phase("sums");
  add_partials(threads, state.partials, call.array<double>(0), call.array<double>(1));
  call.phase("");
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
  const char* reason = allocate_partials(threads_of(call.problem, call.tuning), &partials);
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

Variant npb_ep_openacc_streams() {
  Variant variant;
  variant.description = "a stream a thread, all in registers: logarithm by table, packed counters";
  variant.home = Home::openacc;
  variant.tunables = {{"vector_length", VectorLengths::list(), 128},
                      {"kilothreads", {66, 132, 264, 528}, 132}};
  variant.launch = {.float64 = launch};
  variant.constraint = [](const Problem& problem, const int* tuning) -> const char* {
    return threads_of(problem, tuning) > std::int64_t{1} << 24 ? "more than 2^24 threads" : nullptr;
  };
  variant.prepare = prepare;
  variant.workspace = [](const Problem& problem, const int* tuning) {
    return partial_bytes(threads_of(problem, tuning)) +
           (std::int64_t{table_binades} << bits) * std::int64_t{sizeof(LogEntry)};
  };
  variant.release = release;
  return variant;
}

}  // namespace sextant
