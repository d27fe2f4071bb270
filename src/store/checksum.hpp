// Checksums that detect changes of stored measurements and sessions.
#pragma once

#include <cstdint>

#include "store/results_file.hpp"

namespace sextant::store {

// Hash every stored field. NaN counts as unknown and -0 as 0, because SQLite stores neither.
std::uint64_t checksum(const Measurement& measurement);
std::uint64_t checksum(const Session& session);  // without id, ceilings and kernels
std::uint64_t checksum(const Ceiling& ceiling);
std::uint64_t checksum(const SearchStep& step);
std::uint64_t checksum(const std::string& kernel, const std::string& description);

}  // namespace sextant::store
