// The contents of a results file in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/description.hpp"
#include "record/environment.hpp"
#include "record/measurement.hpp"
#include "record/search.hpp"

namespace sextant {

// One command that measured cases: when and where it ran, and with which software. Every measurement belongs
// to a session.
struct Session {
  std::int64_t id = 0;
  std::string started;  // start of the session in ISO 8601, UTC
  std::string command;
  std::string version;  // version of Sextant
  Environment environment;
  std::vector<Ceiling> ceilings;
  KernelDescriptions kernels;  // descriptions of the kernels that the session measured
};

// Returns the name of the session's machine, or "" if unknown.
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
