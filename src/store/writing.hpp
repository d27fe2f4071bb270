// Everything that writes into a results file, its statements prepared once. Who calls has begun a
// transaction.
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

  // A session of the same start, machine and command is the same session, wherever it was stored.
  std::int64_t session_of(const Session& session);
  void add_ceilings(std::int64_t session, const std::vector<Ceiling>& ceilings);
  // `sum` is the session's checksum with `more`.
  void add_environment(std::int64_t session, const Environment& more, std::uint64_t sum);
  // In place of an equal case of the session's machine with equal threads.
  void add_replacing(std::int64_t session, const Measurement& m);
  // Unless the session has it.
  void add_missing(std::int64_t session, const Measurement& m);

  // The search's number in the file; 0: it is not there.
  std::int64_t find_search(std::int64_t session, const std::string& key);
  void insert_search(std::int64_t session, const Search& one);
  void add_replacing(std::int64_t session, const Search& one);
  void add_step(std::int64_t id, std::size_t index, const SearchStep& s);

 private:
  const Environment& environment_of(std::int64_t session);
  // At the place `id` in the file's order; empty: as the last.
  void insert(std::int64_t session, const std::string& key, const Measurement& m,
              std::optional<std::int64_t> id = {});
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
      "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  Statement tuning_{database_, "INSERT INTO tuning VALUES (?, ?, ?, ?)"};
  Statement transfer_{database_, "INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?, ?)"};
  Statement launch_{database_, "INSERT INTO launch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  Statement phase_{database_, "INSERT INTO phase VALUES (?, ?, ?, ?)"};
  Statement counter_{database_, "INSERT INTO counter VALUES (?, ?, ?, ?)"};
  Statement one_part_{database_, "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?)"};
  Statement visit_{database_, "INSERT INTO visit VALUES (?, ?, ?, ?)"};
  Statement warning_{database_, "INSERT INTO warning VALUES (?, ?, ?)"};
  Statement ceiling_{database_, "INSERT OR IGNORE INTO ceiling VALUES (?, ?, ?, ?, ?, ?)"};
  Statement kernel_{database_, "INSERT OR IGNORE INTO kernel VALUES (?, ?, ?, ?)"};
  Statement search_of_{database_, "SELECT id FROM search WHERE key = ? AND session = ?"};
  Statement search_{database_, "INSERT INTO search VALUES (NULL, ?, ?, ?, ?)"};
  Statement search_step_{database_, "INSERT INTO search_step VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  std::map<std::int64_t, Environment> environments_;  // by session, as far as they were asked for
};

}  // namespace sextant::store
