// The results file: one SQLite database, committed after every case. The only user of SQLite.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

// One session of measuring: where, with what, by which command. Every measurement belongs to one.
struct Session {
  std::int64_t id = 0;
  std::string started;  // ISO 8601, UTC
  std::string command;
  std::string version;  // of Sextant
  Environment environment;
  std::vector<Ceiling> ceilings;
};

// The machine's name, empty where it is not known.
inline std::string machine_of(const Session& session) { return value_of(session.environment, "machine"); }

struct StoredMeasurement {
  Measurement measurement;
  std::int64_t session = 0;
};

// A results file in memory: what analysis, show, export and report read.
struct Results {
  std::vector<Session> sessions;
  std::vector<StoredMeasurement> measurements;
};

class ResultsFile {
 public:
  enum class Mode { read, write };
  // Write mode makes the file if it is not there and holds it alone until closed. Throws UserError: not a
  // results file, a newer one, damaged, in use by another writer, no permission, disk full. Such a file is
  // left untouched.
  ResultsFile(const std::string& path, Mode mode);
  ~ResultsFile();
  ResultsFile(ResultsFile&&) noexcept;

  std::int64_t begin_session(const Session& session);
  void add_ceilings(std::int64_t session, const std::vector<Ceiling>& ceilings);
  void add(
      std::int64_t session,
      const Measurement& measurement);  // committed when it returns; replaces an equal case of this machine
  void add_missing(const Results& results);  // what merge does: all of it is committed, or nothing
  std::set<std::string> keys(const std::string& machine) const;  // key_of every case measured on that machine
  Results load() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Adds to `into` what `from` has and it has not, sessions included: doing it twice changes nothing.
void merge(const Results& from, ResultsFile& into);

}  // namespace sextant
