// Writes to a results file with prepared statements. The caller must begin a transaction first.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/results.hpp"
#include "store/database.hpp"

namespace sextant::store {

class Writer {
 public:
  explicit Writer(const Database& database) : database_(database) {}

  // Finds or adds the session and returns its id. Two sessions with the same start, machine and command are
  // the same.
  std::int64_t session_of(const Session& session);
  void add_ceilings(std::int64_t session, const std::vector<Ceiling>& ceilings);
  // `sum` is the checksum of the session with the entries in `more`.
  void add_environment(std::int64_t session, const Environment& more, std::uint64_t sum);
  // Adds a measurement. Replaces the one of the same case on the session's machine with the same threads.
  void add_replacing(std::int64_t session, const Measurement& m);
  // Adds a measurement, unless the session already has its case.
  void add_missing(std::int64_t session, const Measurement& m);

  // Returns the search's id in the file, or 0 if it is not there.
  std::int64_t find_search(std::int64_t session, const std::string& key);
  void insert_search(std::int64_t session, const Search& one);
  void add_replacing(std::int64_t session, const Search& one);
  void add_step(std::int64_t id, std::size_t index, const SearchStep& s);

 private:
  const Environment& environment_of(std::int64_t session);
  // Inserts a row with this id, or with the next free id.
  void insert(std::int64_t session, const std::string& key, const Measurement& m,
              std::optional<std::int64_t> id = {});
  void insert_state(std::int64_t id, int position, const SampledState& state);
  void remove(std::int64_t id);
  void add_kernels(std::int64_t session, const KernelDescriptions& kernels);

  const Database& database_;
  Statement equal_cases_{
      database_,
      "SELECT id, session FROM measurement WHERE key = ?1 AND session IN (SELECT id FROM session WHERE "
      "machine = (SELECT machine FROM session WHERE id = ?2))"};
  Statement same_case_{database_, "SELECT 1 FROM measurement WHERE key = ?1 AND session = ?2"};
  Statement measurement_{
      database_,
      "INSERT INTO measurement VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?, ?, ?, ?, ?)"};
  Statement tuning_{database_, "INSERT INTO tuning VALUES (?, ?, ?, ?)"};
  Statement transfer_{database_, "INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?, ?)"};
  Statement launch_{database_, "INSERT INTO launch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  Statement phase_{database_, "INSERT INTO phase VALUES (?, ?, ?, ?)"};
  Statement counter_{database_, "INSERT INTO counter VALUES (?, ?, ?, ?)"};
  Statement one_part_{database_, "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?)"};
  Statement visit_{database_, "INSERT INTO visit VALUES (?, ?, ?, ?)"};
  Statement state_{database_, "INSERT INTO state VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  Statement warning_{database_, "INSERT INTO warning VALUES (?, ?, ?)"};
  Statement ceiling_{database_, "INSERT OR IGNORE INTO ceiling VALUES (?, ?, ?, ?, ?, ?)"};
  Statement kernel_{database_, "INSERT OR IGNORE INTO kernel VALUES (?, ?, ?, ?)"};
  Statement search_of_{database_, "SELECT id FROM search WHERE key = ? AND session = ?"};
  Statement search_{database_, "INSERT INTO search VALUES (NULL, ?, ?, ?, ?)"};
  Statement search_step_{database_, "INSERT INTO search_step VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  // Environments by session id, read from the file on first use.
  std::map<std::int64_t, Environment> environments_;
};

}  // namespace sextant::store
