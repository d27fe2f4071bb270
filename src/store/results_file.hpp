// The results file: one SQLite database, committed after every case. The only user of SQLite.
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
  // Write mode makes the file if it is not there and holds it alone until closed; readers of a file that is
  // held so get what it has so far. Throws UserError: not a results file, a newer one, damaged, in use by
  // another writer, no permission, disk full. Such a file is left untouched.
  ResultsFile(const std::string& path, Mode mode);
  ~ResultsFile();
  ResultsFile(ResultsFile&&) noexcept;

  // What whoever writes the file should know of how it is kept to this process, or reads it of who writes it;
  // empty: nothing.
  std::string note() const;
  // Of a reader: somebody else is writing the file.
  bool in_use() const;

  std::int64_t begin_session(const Session& session);  // with its kernels' descriptions
  void add_ceilings(std::int64_t session, const std::vector<Ceiling>& ceilings);
  // What was learnt of the last session that was begun, beside what its environment has.
  void add_environment(std::int64_t session, const Environment& more);
  void add(std::int64_t session,
           const Measurement& measurement);  // committed when it returns; replaces an equal case of this
                                             // machine and these threads
  // Calls `add`, which adds measurements, and commits them together: all, or none where it throws.
  void add_together(const std::function<void()>& add);
  // A search as it stands, with its steps: replaces this session's search of the same space.
  void add(std::int64_t session, const Search& search);
  // One more step of a search that was added before, after those it has.
  void add_step(std::int64_t session, const Search& search);
  // Throws UserError where the file is no longer the one that was written, as begin_session, add_ceilings and
  // add do: what this process measured in its last session is then in a file beside it, which the message
  // names.
  void require_kept(std::int64_t session) const;
  void add_missing(const Results& results);  // what merge does: all of it is committed, or nothing
  std::set<std::string> keys(const std::string& machine) const;  // key_of every case measured on that machine
  Results load() const;  // as stored: what older versions lack is not there

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Whether there is a results file under that name, of this version or a newer one.
bool is_results_file(const std::string& path);

// Adds to `into` what `from` has and it has not, sessions included: doing it twice changes nothing.
void merge(const Results& from, ResultsFile& into);

}  // namespace sextant
