// What variants of teams keep: each part's array on its GPU, with guard zones around.
#pragma once

#include <algorithm>
#include <vector>

#include "messages.hpp"
#include "toolbox/cuda/peers.cuh"

namespace sextant::halo3d {

class TeamFields {
 public:
  explicit TeamFields(const Call& call)
      : problem_(call.problem),
        size_(static_cast<std::int64_t>(element_size(call.problem.type))),
        team_(parts::team_of(call)),
        memory_(team_),
        cut(parts_of(call.problem)) {}

  TeamFields(const TeamFields&) = delete;
  TeamFields& operator=(const TeamFields&) = delete;
  virtual ~TeamFields() = default;

  bool make() {
    if (!memory_.allocate(most_bytes() + 2 * guard_bytes)) return false;
    for (int part = 0; part < team_.parts; ++part)
      team_.memory->fill(team_, part, memory_.of<char>()[part], guard, most_bytes() + 2 * guard_bytes);
    return true;
  }
  template <typename T>
  T* data(int part) const {
    return reinterpret_cast<T*>(memory_.of<char>()[part] + guard_bytes);
  }
  const parts::Team& team() const { return team_; }

  void scatter(const char* whole) const {
    for (int part = 0; part < team_.parts; ++part)
      team_.memory->write(team_, part, data<char>(part), whole + first_byte(part), bytes(part));
  }
  // Where a guard zone was written to, the part is not what it was found to be: NaN.
  void gather(char* whole) const {
    for (int part = 0; part < team_.parts; ++part) {
      char* const to = whole + first_byte(part);
      team_.memory->read(team_, part, to, data<char>(part), bytes(part));
      if (!guards_hold(part)) std::fill_n(to, bytes(part), static_cast<char>(guard));
    }
  }

  static std::int64_t bytes_of_a_part(const Problem& problem) {
    return most_elements(problem, parts_of(problem)) * static_cast<std::int64_t>(element_size(problem.type)) +
           2 * guard_bytes;
  }

 private:
  static constexpr std::int64_t guard_bytes = 4096;
  static constexpr unsigned char guard = 0xFF;  // NaN, whatever is read of it

  const Part& part_at(int part) const { return cut[static_cast<std::size_t>(part)]; }
  std::int64_t most_bytes() const { return most_elements(problem_, cut) * size_; }
  std::int64_t first_byte(int part) const { return part_at(part).first * size_; }
  std::int64_t bytes(int part) const { return part_at(part).elements(problem_) * size_; }

  bool guards_hold(int part) const {
    std::vector<unsigned char> zone(static_cast<std::size_t>(guard_bytes));
    for (const char* from : {data<char>(part) - guard_bytes, data<char>(part) + bytes(part)}) {
      team_.memory->read(team_, part, zone.data(), from, guard_bytes);
      if (std::any_of(zone.begin(), zone.end(), [](unsigned char byte) { return byte != guard; }))
        return false;
    }
    return true;
  }

  Problem problem_;
  std::int64_t size_;
  const parts::Team& team_;
  peers::PartMemory memory_;

 public:
  const std::vector<Part> cut;
};

// Of a variant whose state is a TeamFields, or more of one.
inline void complete_fields(Variant& variant) {
  variant.home = Home::ranks;
  variant.release = [](void* state) { delete static_cast<TeamFields*>(state); };
  variant.scatter = [](const Call& call) {
    static_cast<const TeamFields*>(call.state)->scatter(call.array<const char>(0));
  };
  variant.gather = [](const Call& call) {
    static_cast<const TeamFields*>(call.state)->gather(call.array<char>(0));
  };
}

}  // namespace sextant::halo3d
