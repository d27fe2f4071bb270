// The results file: an SQLite database. Each case is committed as soon as it is measured. No other code uses
// SQLite.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "record/results.hpp"

namespace sextant {

class ResultsFile {
 public:
  enum class Mode { read, write };
  // In write mode, creates a missing file and locks it until it is closed. A reader of a locked file gets its
  // current contents. Throws UserError if the file is not a results file, comes from a newer version, is
  // damaged, is in use by another writer or lacks permission, or if the disk is full. The file then stays
  // unchanged.
  ResultsFile(const std::string& path, Mode mode);
  ~ResultsFile();
  ResultsFile(ResultsFile&&) noexcept;

  // Returns a note for the user if another process is writing the file, or if the file system has no locks.
  // Otherwise returns "".
  std::string note() const;
  // Returns true if the file is open for reading while another process is writing it.
  bool in_use() const;

  // Stores the session with its kernels' descriptions. Returns its id.
  std::int64_t begin_session(const Session& session);
  void add_ceilings(std::int64_t session, const std::vector<Ceiling>& ceilings);
  // Adds entries to the environment of the latest session.
  void add_environment(std::int64_t session, const Environment& more);
  // Adds and commits a measurement. It replaces the measurement of the same case on this machine with the
  // same threads.
  void add(std::int64_t session, const Measurement& measurement);
  // Calls `add`, which adds several measurements, and commits them together. If `add` throws, nothing is
  // stored.
  void add_together(const std::function<void()>& add);
  // Stores a search with its steps so far. It replaces this session's search for the same case.
  void add(std::int64_t session, const Search& search);
  // Adds the last step of a stored search.
  void add_step(std::int64_t session, const Search& search);
  // Throws UserError if another process removed or replaced the file, as begin_session, add_ceilings and add
  // do. First stores the session's measurements in a new file next to it, which the message names.
  void require_kept(std::int64_t session) const;
  void add_missing(const Results& results);  // for merging; commits everything or nothing
  // Returns the keys (key_of) of all cases that were measured on this machine.
  std::set<std::string> keys(const std::string& machine) const;
  Results load() const;  // data that older versions did not store are missing

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Returns true if the file is a results file, of this version or a newer one.
bool is_results_file(const std::string& path);

// Adds everything in `from` that `into` lacks, including sessions. A second call changes nothing.
void merge(const Results& from, ResultsFile& into);

}  // namespace sextant
