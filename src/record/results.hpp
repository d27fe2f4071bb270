// The contents of a results file in memory, which the store writes and the analysis reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/description.hpp"
#include "record/environment.hpp"
#include "record/measurement.hpp"
#include "record/search.hpp"

namespace sextant {

// One session: where, with what and by which command its measurements were made. Every measurement belongs to
// one session.
struct Session {
  std::int64_t id = 0;
  std::string started;  // ISO 8601, UTC.
  std::string command;
  std::string version;  // Version of Sextant.
  Environment environment;
  std::vector<Ceiling> ceilings;
  KernelDescriptions kernels;  // Kernels that the session measured.
};

// Returns the machine's name, or an empty text if it is unknown.
inline std::string machine_of(const Session& session) { return value_of(session.environment, "machine"); }

struct StoredMeasurement {
  Measurement measurement;
  std::int64_t session = 0;
};

struct Results {
  std::vector<Session> sessions;
  std::vector<StoredMeasurement> measurements;
  std::vector<Search> searches;
};

}  // namespace sextant
