// Checksums that tell whether a stored measurement or session is still what was written.
#pragma once

#include <cstdint>

#include "store/results_file.hpp"

namespace sextant::store {

// Over every field that the file keeps. NaN counts as not known and -0 as 0, because SQLite keeps neither.
std::uint64_t checksum(const Measurement& measurement);
std::uint64_t checksum(const Session& session);  // without id, ceilings and kernels
std::uint64_t checksum(const Ceiling& ceiling);
std::uint64_t checksum(const SearchStep& step);
std::uint64_t checksum(const std::string& kernel, const std::string& description);

}  // namespace sextant::store
