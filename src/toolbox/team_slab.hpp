// An array that is divided into whole planes along its slowest axis and distributed over several devices.
// Each device holds its own planes, halo planes, and guard zones that detect writes out of bounds.
// (toolbox/host/slab.hpp is the same for MPI ranks.)
#pragma once

#include <algorithm>
#include <vector>

#include "suite/team.hpp"
#include "toolbox/share.hpp"

namespace sextant {

class TeamSlab {
 public:
  // Allocates `planes` planes of `plane_bytes` bytes, with `halo` planes on each side that has a neighbour.
  // Check is_there().
  TeamSlab(const parts::Team& team, std::int64_t planes, std::int64_t plane_bytes, std::int64_t halo = 0)
      : team_(team), planes_(planes), plane_bytes_(plane_bytes), halo_(halo) {
    for (int part = 0; part < team.parts; ++part) {
      char* base =
          static_cast<char*>(team.memory->allocate(team, part, bytes_of_part(part) + 2 * guard_bytes));
      if (!base) return;
      bases_.push_back(base);
      team.memory->fill(team, part, base, guard, guard_bytes);
      team.memory->fill(team, part, base + guard_bytes + bytes_of_part(part), guard, guard_bytes);
    }
  }
  TeamSlab(const TeamSlab&) = delete;
  TeamSlab& operator=(const TeamSlab&) = delete;
  ~TeamSlab() {
    for (std::size_t part = 0; part < bases_.size(); ++part)
      team_.memory->release(team_, static_cast<int>(part), bases_[part]);
  }

  bool is_there() const { return bases_.size() == static_cast<std::size_t>(team_.parts); }
  // Address of the partition's lowest plane, including the halo. The planes are contiguous.
  template <typename T>
  T* data(int part) const {
    return reinterpret_cast<T*>(bases_[static_cast<std::size_t>(part)] + guard_bytes);
  }
  // Returns the planes that belong to the partition, as an index range in the whole array.
  Share own(int part) const { return share_of(planes_, team_.parts, part); }
  // Number of halo planes on the lower side.
  std::int64_t below(int part) const { return part > 0 ? halo_ : 0; }
  std::int64_t above(int part) const { return part + 1 < team_.parts ? halo_ : 0; }
  std::int64_t planes(int part) const { return below(part) + own(part).count + above(part); }

  // Copies each partition's planes from the whole array. Fills halos with NaN, so that a missing halo
  // exchange makes the result wrong.
  void scatter(const void* whole) {
    for (int part = 0; part < team_.parts; ++part) {
      const Share share = own(part);
      team_.memory->fill(team_, part, data<char>(part), 0xFF, bytes_of_part(part));
      team_.memory->write(team_, part, own_planes(part),
                          static_cast<const char*>(whole) + share.first * plane_bytes_,
                          share.count * plane_bytes_);
    }
  }

  // Copies the partitions' planes into the whole array. If a guard zone was overwritten, the partition's
  // planes become NaN, so that the check of the result fails.
  void gather(void* whole) const {
    for (int part = 0; part < team_.parts; ++part) {
      const Share share = own(part);
      char* const to = static_cast<char*>(whole) + share.first * plane_bytes_;
      team_.memory->read(team_, part, to, own_planes(part), share.count * plane_bytes_);
      if (!guards_hold(part)) std::fill_n(to, share.count * plane_bytes_, static_cast<char>(guard));
    }
  }

 private:
  static constexpr std::int64_t guard_bytes = 4096;
  static constexpr unsigned char guard = 0xFF;  // fills guard zones; a NaN in every floating-point type

  std::int64_t bytes_of_part(int part) const { return planes(part) * plane_bytes_; }
  char* own_planes(int part) const { return data<char>(part) + below(part) * plane_bytes_; }

  bool guards_hold(int part) const {
    std::vector<unsigned char> zone(static_cast<std::size_t>(guard_bytes));
    const char* const first = bases_[static_cast<std::size_t>(part)];
    for (const char* from : {first, first + guard_bytes + bytes_of_part(part)}) {
      team_.memory->read(team_, part, zone.data(), from, guard_bytes);
      if (std::any_of(zone.begin(), zone.end(), [](unsigned char byte) { return byte != guard; }))
        return false;
    }
    return true;
  }

  const parts::Team& team_;
  std::int64_t planes_, plane_bytes_, halo_;
  std::vector<char*> bases_;
};

}  // namespace sextant
