// The results file: one SQLite database, committed after every case. No other code uses SQLite.
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
  // Write mode creates a missing file and locks it until it is closed. A reader of a locked file gets the
  // current contents. Throws UserError: not a results file, a newer one, damaged, in use by another writer,
  // no permission, disk full. Such a file stays untouched.
  ResultsFile(const std::string& path, Mode mode);
  ~ResultsFile();
  ResultsFile(ResultsFile&&) noexcept;

  // Note for the user: another process is writing the file, or the file system has no locks. Otherwise empty.
  std::string note() const;
  // For readers: true if another process is writing the file.
  bool in_use() const;

  std::int64_t begin_session(const Session& session);  // includes its kernels' descriptions; returns its id
  void add_ceilings(std::int64_t session, const std::vector<Ceiling>& ceilings);
  // Adds entries to the environment of the session that was begun last.
  void add_environment(std::int64_t session, const Environment& more);
  // Committed on return. Replaces an equal case of this machine with the same threads.
  void add(std::int64_t session, const Measurement& measurement);
  // Calls `add`, which adds measurements, and commits them together. If `add` throws, none of them is stored.
  void add_together(const std::function<void()>& add);
  // Stores a search with its current steps. Replaces this session's search of the same space.
  void add(std::int64_t session, const Search& search);
  // Adds the last step of a search that was added before.
  void add_step(std::int64_t session, const Search& search);
  // Throws UserError if the file is not the one that this process wrote, like begin_session, add_ceilings and
  // add. The measurements of this process's last session are then in a file next to it, which the message
  // names.
  void require_kept(std::int64_t session) const;
  void add_missing(const Results& results);                      // for merge: commits everything or nothing
  std::set<std::string> keys(const std::string& machine) const;  // key_of every case measured on that machine
  Results load() const;  // as stored: data that older versions lack are missing

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// True if the file is a results file, of this version or a newer one.
bool is_results_file(const std::string& path);

// Adds everything in `from` that `into` lacks, including sessions. A second call changes nothing.
void merge(const Results& from, ResultsFile& into);

}  // namespace sextant
