// One rank's planes of a partitioned array in GPU memory: its own planes, halos, and guard zones that detect
// writes out of bounds. The layout is that of toolbox/host/slab.hpp.
#pragma once

#include <memory>
#include <vector>

#include "toolbox/cuda/gpu_mail.hpp"
#include "toolbox/host/slab.hpp"

namespace sextant::gpu_ranks {

class GpuSlab {
 public:
  // Allocates this rank's slice of `planes` planes of `plane_bytes` bytes, with `halo` planes on each side
  // that has a neighbour.
  GpuSlab(const parts::GpuRank& rank, std::int64_t planes, std::int64_t plane_bytes, std::int64_t halo)
      : rank_(rank),
        all_planes_(planes),
        plane_bytes_(plane_bytes),
        halo_(halo),
        own_(share_of(planes, rank.size, rank.rank)),
        base_(static_cast<char*>(rank.memory->allocate(rank, 0, bytes() + 2 * guard_bytes))) {
    if (base_) rank.memory->fill(rank, 0, base_, guard, bytes() + 2 * guard_bytes);
  }
  GpuSlab(const GpuSlab&) = delete;
  GpuSlab& operator=(const GpuSlab&) = delete;
  ~GpuSlab() {
    if (base_) rank_.memory->release(rank_, 0, base_);
  }

  bool is_there() const { return base_ != nullptr; }
  // Address of the lowest plane, including the halo. The planes are contiguous.
  template <typename T>
  T* data() const {
    return reinterpret_cast<T*>(base_ + guard_bytes);
  }
  // Number of halo planes on the lower side.
  std::int64_t below() const { return rank_.rank > 0 ? halo_ : 0; }
  std::int64_t above() const { return rank_.rank + 1 < rank_.size ? halo_ : 0; }
  const Share& own() const { return own_; }  // the rank's own planes, as an index range in the whole array
  std::int64_t planes() const { return below() + own_.count + above(); }

  // Sends each rank its planes of the whole array, which rank 0 holds. Fills halos with NaN, so that a
  // missing halo exchange makes the result wrong.
  void scatter(const void* whole) const {
    Slab host = on_host();
    host.scatter(whole);
    rank_.memory->write(rank_, 0, data<char>(), host.data<char>(), bytes());
  }

  // Sends the planes back to rank 0. If a guard zone was overwritten, sends NaN, so that the check of the
  // result fails.
  void gather(void* whole) const {
    Slab host = on_host();
    if (guards_hold())
      rank_.memory->read(rank_, 0, host.data<char>(), data<char>(), bytes());
    else
      std::memset(host.data<char>(), guard, static_cast<std::size_t>(bytes()));
    host.gather(whole);
  }

  // Messages of a halo exchange. `received`: this rank's halos. `sent`: own planes that are the neighbours'
  // halos.
  std::vector<Message> received() const {
    std::vector<Message> messages;
    if (below() > 0) messages.push_back({plane(0), below() * plane_bytes_, rank_.rank - 1});
    if (above() > 0)
      messages.push_back({plane(below() + own_.count), above() * plane_bytes_, rank_.rank + 1});
    return messages;
  }
  std::vector<Message> sent() const {
    std::vector<Message> messages;
    if (below() > 0) messages.push_back({plane(below()), below() * plane_bytes_, rank_.rank - 1});
    if (above() > 0)
      messages.push_back({plane(below() + own_.count - above()), above() * plane_bytes_, rank_.rank + 1});
    return messages;
  }

 private:
  static constexpr std::int64_t guard_bytes = 4096;
  static constexpr unsigned char guard = 0xFF;  // fills guard zones; a NaN in every floating-point type

  std::int64_t bytes() const { return planes() * plane_bytes_; }
  char* plane(std::int64_t index) const { return data<char>() + index * plane_bytes_; }
  Slab on_host() const { return {rank_, all_planes_, plane_bytes_, halo_}; }

  bool guards_hold() const {
    std::vector<unsigned char> zone(static_cast<std::size_t>(guard_bytes));
    for (const char* from : {base_, base_ + guard_bytes + bytes()}) {
      rank_.memory->read(rank_, 0, zone.data(), from, guard_bytes);
      if (std::any_of(zone.begin(), zone.end(), [](unsigned char byte) { return byte != guard; }))
        return false;
    }
    return true;
  }

  const parts::GpuRank& rank_;
  std::int64_t all_planes_, plane_bytes_, halo_;
  Share own_;
  char* base_;
};

}  // namespace sextant::gpu_ranks
