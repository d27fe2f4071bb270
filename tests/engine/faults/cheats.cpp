#include "faults/cheats.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <thread>

#include "registry/registry.hpp"

namespace sextant {
namespace {

struct Arrays {
  std::int64_t n;
  float *a, *c;
  explicit Arrays(const Call& call)
      : n(call.problem.extents.x), a(call.array<float>(0)), c(call.array<float>(1)) {}
};

using Launch = void (*)(const Call&);

void compute(const Arrays& x) {
  for (std::int64_t i = 0; i < x.n; ++i) x.c[i] = costly(x.a[i]);
}
void honest(const Call& call) { compute(Arrays(call)); }

// Sorts besides. A predictor learns the branches of a sort, so that inputs that were seen are faster.
void branches(const Call& call) {
  static std::vector<float> sorted;
  const Arrays x(call);
  sorted.assign(x.a, x.a + x.n);
  std::sort(sorted.begin(), sorted.end());
  compute(x);
}

// Takes longer on inputs that it has not just seen.
void learns(const Call& call) {
  static float known = 0;
  const Arrays x(call);
  std::this_thread::sleep_for(std::chrono::microseconds(x.a[0] == known ? 1000 : 5000));
  known = x.a[0];
  compute(x);
}

void already_there(const Call& call) {
  const Arrays x(call);
  if (!is_written(x.c[0]) || !is_written(x.c[x.n - 1])) compute(x);
}

// Keeps its last answer.
void recognises(const Call& call) {
  static std::vector<float> answer, key;
  const Arrays x(call);
  const std::vector<float> seen{static_cast<float>(x.n), x.a[0], x.a[x.n / 2], x.a[x.n - 1]};
  if (seen == key) {
    std::copy(answer.begin(), answer.end(), x.c);
    return;
  }
  compute(x);
  key = seen;
  answer.assign(x.c, x.c + x.n);
}

// Keeps all its answers.
void remembers(const Call& call) {
  static std::map<std::vector<float>, std::vector<float>> answers;
  const Arrays x(call);
  std::vector<float>& answer = answers[{static_cast<float>(x.n), x.a[0], x.a[x.n / 2], x.a[x.n - 1]}];
  if (answer.empty()) {
    compute(x);
    answer.assign(x.c, x.c + x.n);
  } else {
    std::copy(answer.begin(), answer.end(), x.c);
  }
}

// Computes at the first launches of a size, and copies the last of those answers from then on.
template <int honest_launches>
void computes_at_first(const Call& call) {
  static std::map<std::int64_t, std::pair<int, std::vector<float>>> by_size;
  const Arrays x(call);
  auto& [launches, answer] = by_size[x.n];
  if (launches++ < honest_launches) {
    compute(x);
    answer.assign(x.c, x.c + x.n);
  } else {
    std::copy(answer.begin(), answer.end(), x.c);
  }
}

void writes_rubbish(const Call& call) {
  Arrays x(call);
  const bool written = is_written(x.c[x.n - 1]);
  const std::int64_t n = x.n;
  if (written) x.n /= 2;
  compute(x);
  if (written) std::fill(x.c + n / 2, x.c + n, 7.0f);
}

// Right, and a thread of its own works on after the call; the next call joins it. (It writes to its own memory: the arrays may be gone.)
void joins_later(const Call& call) {
  static std::vector<float> in, out;
  static std::jthread other;  // joined at the program's end, too
  if (other.joinable()) other.join();
  const Arrays x(call);
  in.assign(x.a, x.a + x.n);
  out.resize(in.size());
  Arrays copies = x;
  copies.a = in.data(), copies.c = out.data();
  other = std::jthread([copies] {
    compute(copies);
    compute(copies);
  });
  compute(x);
}

// The same where a computation takes 80 ms.
template <Launch launch>
void slowly(const Call& call) {
  const Arrays x(call);
  const float first = x.c[0], last = x.c[x.n - 1];
  if (launch != already_there || !is_written(first) || !is_written(last))
    std::this_thread::sleep_for(std::chrono::milliseconds(80));
  launch(call);
}

Variant variant_of(const char* name, Launch launch) {
  Variant variant;
  variant.name = std::string("serial.") + name;
  variant.launch.float32 = launch;
  return variant;
}

Kernel costly_kernel() {
  Kernel kernel;
  kernel.name = "costly";
  kernel.group = "test";
  kernel.arrays = {{"a", Role::in}, {"c", Role::out}};
  kernel.extents = [](std::int64_t n) { return Extents{n / 2, 1, 1}; };
  kernel.work = [](const Problem& p) {
    return Work{.bytes_read = 4 * p.extents.x,
                .bytes_written = 4 * p.extents.x,
                .flops = 2 * costly_steps * p.extents.x,
                .items = p.extents.x};
  };
  kernel.reference.float32 = [](const Problem& p, const void* const* arrays, double* const* results) {
    for (std::int64_t i = 0; i < p.extents.x; ++i)
      results[1][i] = costly(static_cast<double>(static_cast<const float*>(arrays[0])[i]));
  };
  kernel.tolerance = [](const Problem&) { return Tolerance{.absolute = 0x1p-20}; };
  return kernel;
}

}  // namespace

void add_cheats() {
  std::vector<Variant> variants = {
      variant_of("honest", honest),
      variant_of("branches", branches),
      variant_of("learns", learns),
      variant_of("already_there", already_there),
      variant_of("recognises", recognises),
      variant_of("remembers", remembers),
      variant_of("computes_twice", computes_at_first<2>),
      variant_of("keeps_its_first", computes_at_first<1>),
      variant_of("joins_later", joins_later),
      variant_of("writes_rubbish", writes_rubbish),
      variant_of("honest_slowly", slowly<honest>),
      variant_of("already_there_slowly", slowly<already_there>),
      variant_of("computes_twice_slowly", slowly<computes_at_first<2>>),
      variant_of("keeps_its_first_slowly", slowly<computes_at_first<1>>),
      variant_of("writes_rubbish_slowly", slowly<writes_rubbish>),
  };
  for (Variant& variant : cuda_cheats()) variants.push_back(std::move(variant));
  add_to_registry({costly_kernel(), variants});
}

}  // namespace sextant
