// The results file: one SQLite database, to which every case is committed. No other code uses SQLite.
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
  // In write mode, a missing file is created, and the file is locked until it is closed. A reader of a locked
  // file gets the contents at this moment. Throws UserError if the file is not a results file, comes from a
  // newer version, is damaged, is in use by another writer or lacks permission, or if the disk is full. Such
  // a file stays untouched.
  ResultsFile(const std::string& path, Mode mode);
  ~ResultsFile();
  ResultsFile(ResultsFile&&) noexcept;

  // A note for the user if another process is writing the file or the file system has no locks. Otherwise
  // empty.
  std::string note() const;
  // True if the file is open for reading and another process is writing it.
  bool in_use() const;

  // Returns the session's id; also stores the descriptions of its kernels.
  std::int64_t begin_session(const Session& session);
  void add_ceilings(std::int64_t session, const std::vector<Ceiling>& ceilings);
  // Adds entries to the environment of the session that was begun last.
  void add_environment(std::int64_t session, const Environment& more);
  // Adds a measurement and commits it. It replaces a measurement of the same case on this machine with the
  // same threads.
  void add(std::int64_t session, const Measurement& measurement);
  // Calls `add`, which adds several measurements, and commits them together. If `add` throws, none of them is
  // stored.
  void add_together(const std::function<void()>& add);
  // Stores a search with its current steps (evaluations). It replaces this session's search of the same
  // space.
  void add(std::int64_t session, const Search& search);
  // Adds the last step of a search that is already stored.
  void add_step(std::int64_t session, const Search& search);
  // Throws UserError if another process removed or replaced the file. begin_session, add_ceilings and add
  // throw it, too. The measurements of this process's last session are then stored in a new file next to it,
  // which the message names.
  void require_kept(std::int64_t session) const;
  void add_missing(const Results& results);  // used by merge; either everything is committed or nothing
  // The keys (key_of) of all cases that were measured on this machine.
  std::set<std::string> keys(const std::string& machine) const;
  Results load() const;  // everything as stored; data that older versions did not store are missing

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// True if the file is a results file, of this version or a newer one.
bool is_results_file(const std::string& path);

// Adds everything in `from` that `into` lacks, including sessions. A second call changes nothing.
void merge(const Results& from, ResultsFile& into);

}  // namespace sextant
