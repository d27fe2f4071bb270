#include "faults/planted.hpp"

#include <deque>
#include <optional>
#include <utility>

#include "registry/registry.hpp"
#include "suite/gpu_rank.hpp"

namespace sextant {
namespace {

// Calls that are honest: those of the check, one on other inputs and one whose result is compared.
constexpr int honest_calls = 2;

// Memory of a part that `scatter` has written.
struct Written {
  int part;
  void* at;
  std::int64_t bytes;
};

// A copy of a device group, or of a rank with its GPU, that notes what is written to the parts' memory.
struct Noting : parts::GpuRank {
  explicit Noting(const parts::GpuRank& from)
      : parts::GpuRank(from), real(*from.memory), noting(*from.memory) {
    noting.write = [](const parts::Team& team, int part, void* to, const void* host, std::int64_t bytes) {
      const auto& own = static_cast<const Noting&>(team);
      own.written.push_back({part, to, bytes});
      own.real.write(team, part, to, host, bytes);
    };
    memory = &noting;
  }
  Noting(const Noting&) = delete;
  Noting& operator=(const Noting&) = delete;

  // Returns the contents of the arrays of the parts from `first` on.
  std::vector<std::vector<char>> arrays(int first) const {
    std::vector<std::vector<char>> contents;
    for (const Written& one : written) {
      if (one.part < first) continue;
      contents.emplace_back(static_cast<std::size_t>(one.bytes));
      real.read(*this, one.part, contents.back().data(), one.at, one.bytes);
    }
    return contents;
  }
  void set_arrays(int first, const std::vector<std::vector<char>>& contents) const {
    auto from = contents.begin();
    for (const Written& one : written)
      if (one.part >= first) real.write(*this, one.part, one.at, (from++)->data(), one.bytes);
  }

  parts::Memory real, noting;
  mutable std::vector<Written> written;
};

// A copy of a variant. It cannot be moved, because the copy's functions have its address.
struct Planted {
  Variant real = {};
  Cheat cheat = Cheat::honest;
  void (*wait)(const parts::Team& team) = nullptr;
  std::optional<Noting> team = {};  // what the real variant gets; empty on ranks without a GPU
  int calls = 0;
  std::vector<std::vector<char>> answer = {};  // the arrays after the honest calls
};

Planted& planted(const void* context) { return *const_cast<Planted*>(static_cast<const Planted*>(context)); }

Call with_own_team(const Planted& one, Call call) {
  if (one.team) call.parts.ranks = &*one.team;
  return call;
}

void launch_real(const Planted& one, const Call& call) { one.real.launch[call.problem.type](call); }

void skip_a_part(const Planted& one, Call call) {
  const parts::Ranks& ranks = *call.parts.ranks;
  if (one.real.parts.needs_mpi) {
    const bool is_last = ranks.rank + 1 == ranks.size;
    if (is_last) call.parts.what = parts::Do::exchange;
    if (!is_last || one.real.parts.separable) launch_real(one, call);
    return;
  }
  const int last = one.team->parts - 1;
  const std::vector<std::vector<char>> before = one.team->arrays(last);
  launch_real(one, call);
  if (one.wait) one.wait(*one.team);
  one.team->set_arrays(last, before);
}

void launch(const void* context, const Call& of_engine) {
  Planted& one = planted(context);
  Call call = with_own_team(one, of_engine);
  const bool is_whole = call.parts.what == parts::Do::all;
  if (one.cheat == Cheat::honest || !is_whole || one.calls++ < honest_calls) return launch_real(one, call);
  switch (one.cheat) {
    case Cheat::skips_a_part:
      return skip_a_part(one, call);
    case Cheat::repeats_its_answer:
      if (one.answer.empty()) one.answer = one.team->arrays(0);
      return one.team->set_arrays(0, one.answer);
    case Cheat::leaves_out_exchange:
      call.parts.what = parts::Do::compute;
      return launch_real(one, call);
    case Cheat::honest:
    case Cheat::does_nothing:
      return;
  }
}

const char* prepare(const void* context, const Call& call, void** state) {
  Planted& one = planted(context);
  one.calls = 0;
  one.answer.clear();
  one.team.reset();
  if (needs_gpu(one.real)) one.team.emplace(parts::gpu_rank_of(call));
  return one.real.prepare(with_own_team(one, call), state);
}

void scatter(const void* context, const Call& call) {
  const Planted& one = planted(context);
  if (one.team) one.team->written.clear();
  one.real.parts.scatter(with_own_team(one, call));
}

Variant copy_of(const Variant& real, Cheat cheat, void (*wait)(const parts::Team& team)) {
  static std::deque<Planted> all;
  Planted& one = all.emplace_back();
  one.real = real, one.cheat = cheat, one.wait = wait;
  Variant copy = real;
  copy.name = std::string(name_of(real.model)) + "." + name_of(cheat);
  for (Function<void(const Call&)>* own : {&copy.launch.float32, &copy.launch.float64, &copy.launch.int32})
    if (*own) *own = {launch, &one};
  copy.prepare = {prepare, &one};
  copy.parts.scatter = {scatter, &one};
  return copy;
}

}  // namespace

const char* name_of(Cheat cheat) {
  switch (cheat) {
    case Cheat::honest:
      return "honest";
    case Cheat::skips_a_part:
      return "skips_a_part";
    case Cheat::does_nothing:
      return "does_nothing";
    case Cheat::repeats_its_answer:
      return "repeats_its_answer";
    case Cheat::leaves_out_exchange:
      return "leaves_out_exchange";
  }
  return "?";
}

bool plant(const Original& original, void (*wait)(const parts::Team& team)) {
  const RegisteredKernel* entry = find_kernel(original.kernel);
  const Variant* real = entry ? find_variant(*entry, original.variant) : nullptr;
  if (!real) return false;
  RegisteredKernel copies = *entry;
  copies.kernel.name = original.planted_kernel();
  copies.kernel.group = "faults";
  copies.variants.clear();
  for (const Cheat cheat : original.cheats) copies.variants.push_back(copy_of(*real, cheat, wait));
  add_to_registry(std::move(copies));
  return true;
}

Case planted_case(const Original& original, Cheat cheat, Case of_original) {
  of_original.variant = of_original.variant.substr(0, of_original.variant.find('.') + 1) + name_of(cheat);
  of_original.kernel = original.planted_kernel();
  return of_original;
}

std::string unexpected_end(Cheat cheat, const Measurement& measurement) {
  const bool is_honest = cheat == Cheat::honest;
  const std::string seen =
      std::string(name_of(cheat)) + " is " + name_of(measurement.status) + ": " + measurement.reason;
  if (measurement.status != (is_honest ? Status::ok : Status::wrong)) return seen;
  if (measurement.call_times.empty() == is_honest) return seen + ", and its times are not as they should be";
  const bool by_audit = measurement.reason.starts_with("right when first checked, wrong");
  return is_honest || by_audit ? "" : seen + ", but not by an audit";
}

}  // namespace sextant
