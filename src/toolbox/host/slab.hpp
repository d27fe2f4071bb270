// One rank's slice of an array that is divided into whole planes along its slowest axis. The slice holds the
// rank's own planes, halo planes, and guard zones that detect writes out of bounds. Rank 0 scatters and
// gathers the whole array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "suite/parts.hpp"
#include "toolbox/share.hpp"

namespace sextant {

class Slab {
 public:
  // Allocates this rank's slice of `planes` planes of `plane_bytes` bytes, with `halo` planes on each side
  // that has a neighbour.
  Slab(const parts::Ranks& ranks, std::int64_t planes, std::int64_t plane_bytes, std::int64_t halo)
      : ranks_(&ranks),
        planes_(planes),
        plane_bytes_(plane_bytes),
        below_(ranks.rank > 0 ? halo : 0),
        above_(ranks.rank + 1 < ranks.size ? halo : 0),
        own_(share_of(planes, ranks.size, ranks.rank)) {
    const auto all = static_cast<std::size_t>(bytes_of(own_.count + below_ + above_));
    const std::size_t rounded = (all + page - 1) / page * page;
    base_ = static_cast<char*>(std::aligned_alloc(page, rounded + 2 * page));
    if (!base_) return;
    end_ = base_ + page + all;
    const auto pages = static_cast<std::int64_t>((rounded + 2 * page) / page);
    char* const base = base_;
    // NUMA first touch: each thread touches the pages that it will use (static schedule).
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < pages; ++i)
      std::memset(base + static_cast<std::size_t>(i) * page, guard, page);
  }
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;
  ~Slab() { std::free(base_); }

  bool is_there() const { return base_ != nullptr; }
  // Address of the lowest plane, including the halo. The planes are contiguous.
  template <typename T>
  T* data() const {
    return reinterpret_cast<T*>(base_ + page);
  }
  std::int64_t below() const { return below_; }  // number of halo planes on the lower side
  std::int64_t above() const { return above_; }
  const Share& own() const { return own_; }  // the rank's own planes, as an index range in the whole array
  std::int64_t planes() const { return below_ + own_.count + above_; }

  // Sends each rank its planes of the whole array, which rank 0 holds. Fills halos with NaN, so that a
  // missing halo exchange makes the result wrong.
  void scatter(const void* whole) {
    std::memset(base_ + page, 0xFF, static_cast<std::size_t>(bytes_of(planes())));
    if (ranks_->rank > 0) return receive_own();
    const char* const from = static_cast<const char*>(whole);
    std::vector<parts::Request> requests(static_cast<std::size_t>(ranks_->size - 1));
    for (int to = 1; to < ranks_->size; ++to) {
      const Share share = share_of(planes_, ranks_->size, to);
      ranks_->isend(from + bytes_of(share.first), bytes_of(share.count), to,
                    &requests[static_cast<std::size_t>(to - 1)]);
    }
    std::memcpy(own_planes(), from + bytes_of(own_.first), static_cast<std::size_t>(bytes_of(own_.count)));
    ranks_->waitall(ranks_->size - 1, requests.data());
  }

  // Sends the planes back to rank 0. If a guard zone was overwritten, sends NaN, so that the check of the
  // result fails.
  void gather(void* whole) {
    if (!guards_hold()) std::memset(own_planes(), 0xFF, static_cast<std::size_t>(bytes_of(own_.count)));
    if (ranks_->rank > 0) {
      parts::Request request;
      ranks_->isend(own_planes(), bytes_of(own_.count), 0, &request);
      ranks_->waitall(1, &request);
      return;
    }
    char* const into = static_cast<char*>(whole);
    std::vector<parts::Request> requests(static_cast<std::size_t>(ranks_->size - 1));
    for (int from = 1; from < ranks_->size; ++from) {
      const Share share = share_of(planes_, ranks_->size, from);
      ranks_->irecv(into + bytes_of(share.first), bytes_of(share.count), from,
                    &requests[static_cast<std::size_t>(from - 1)]);
    }
    std::memcpy(into + bytes_of(own_.first), own_planes(), static_cast<std::size_t>(bytes_of(own_.count)));
    ranks_->waitall(ranks_->size - 1, requests.data());
  }

  // Starts the halo exchange: receives this rank's halos, and sends own planes to the neighbours' halos.
  // Returns the number of requests, at most four. The planes must not change until the requests are complete.
  int exchange(parts::Request* requests) {
    char* const lowest = base_ + page;
    int count = 0;
    if (below_ > 0) {
      ranks_->irecv(lowest, bytes_of(below_), ranks_->rank - 1, &requests[count++]);
      ranks_->isend(own_planes(), bytes_of(below_), ranks_->rank - 1, &requests[count++]);
    }
    if (above_ > 0) {
      ranks_->irecv(lowest + bytes_of(below_ + own_.count), bytes_of(above_), ranks_->rank + 1,
                    &requests[count++]);
      ranks_->isend(lowest + bytes_of(below_ + own_.count - above_), bytes_of(above_), ranks_->rank + 1,
                    &requests[count++]);
    }
    return count;
  }

 private:
  static constexpr std::size_t page = 4096;
  static constexpr unsigned char guard = 0xFF;  // fills guard zones; a NaN in every floating-point type

  std::int64_t bytes_of(std::int64_t planes) const { return planes * plane_bytes_; }
  char* own_planes() const { return base_ + page + bytes_of(below_); }

  void receive_own() {
    parts::Request request;
    ranks_->irecv(own_planes(), bytes_of(own_.count), 0, &request);
    ranks_->waitall(1, &request);
  }

  bool guards_hold() const {
    for (std::size_t i = 0; i < page; ++i)
      if (static_cast<unsigned char>(base_[i]) != guard || static_cast<unsigned char>(end_[i]) != guard)
        return false;
    return true;
  }

  const parts::Ranks* ranks_;
  std::int64_t planes_, plane_bytes_, below_, above_;
  Share own_;
  char *base_ = nullptr, *end_ = nullptr;
};

}  // namespace sextant
