// Checksums that detect changes of stored measurements and sessions.
#pragma once

#include <cstdint>

#include "store/results_file.hpp"

namespace sextant::store {

// Covers every stored field. NaN counts as unknown and -0 as 0, because SQLite does not store either of them.
std::uint64_t checksum(const Measurement& measurement);
std::uint64_t checksum(const Session& session);  // without the id, the ceilings and the kernels' descriptions
std::uint64_t checksum(const Ceiling& ceiling);
std::uint64_t checksum(const SearchStep& step);
std::uint64_t checksum(const std::string& kernel, const std::string& description);

}  // namespace sextant::store
