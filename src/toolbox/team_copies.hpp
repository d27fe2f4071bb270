// An array that is replicated on the device of every partition.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "toolbox/team_slab.hpp"

namespace sextant {

class TeamCopies {
 public:
  TeamCopies(const parts::Team& team, std::int64_t bytes)
      : bytes_(static_cast<std::size_t>(bytes)),
        all_(bytes_ * static_cast<std::size_t>(team.parts)),
        slab_(team, team.parts, bytes) {}

  bool is_there() const { return slab_.is_there(); }
  template <typename T>
  T* data(int part) const {
    return slab_.data<T>(part);
  }

  void scatter(const void* one) {
    for (std::size_t at = 0; at < all_.size(); at += bytes_) std::memcpy(&all_[at], one, bytes_);
    slab_.scatter(all_.data());
  }

  // Copies the result to the host. If the partitions' copies differ, the result becomes NaN.
  void gather(void* one) {
    slab_.gather(all_.data());
    std::memcpy(one, all_.data(), bytes_);
    for (std::size_t at = bytes_; at < all_.size(); at += bytes_)
      if (std::memcmp(&all_[at], all_.data(), bytes_) != 0) std::memset(one, 0xFF, bytes_);
  }

  // Returns the bytes that one partition needs, including guard zones.
  static std::int64_t bytes_of_part(std::int64_t bytes) { return bytes + 3 * 4096; }

 private:
  std::size_t bytes_;
  std::vector<char> all_;
  TeamSlab slab_;
};

}  // namespace sextant
