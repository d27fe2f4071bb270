#include "store/results_file.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <unordered_map>

#include "base/error.hpp"
#include "record/json_text.hpp"
#include "record/keys.hpp"
#include "record/threads.hpp"
#include "store/checksum.hpp"
#include "store/database.hpp"
#include "store/file_watch.hpp"
#include "store/loading.hpp"
#include "store/schema.hpp"
#include "store/snapshot.hpp"

namespace sextant {
namespace {

using store::Database;
using store::Locking;
using store::Statement;
using store::Transaction;

constexpr const char* parts[] = {"tuning", "transfer", "launch", "phase", "counter", "warning", "part"};

// Everything that writes, its statements prepared once.
struct Writer {
  explicit Writer(const Database& database_) : database(database_) {}

  const Database& database;
  Statement equal_cases{
      database,
      "SELECT id, session FROM measurement WHERE key = ?1 AND session IN (SELECT id FROM session WHERE "
      "machine = (SELECT machine FROM session WHERE id = ?2))"};
  Statement same_case{database, "SELECT 1 FROM measurement WHERE key = ?1 AND session = ?2"};
  Statement measurement{
      database,
      "INSERT INTO measurement VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  Statement tuning{database, "INSERT INTO tuning VALUES (?, ?, ?, ?)"};
  Statement transfer{database, "INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?, ?)"};
  Statement launch{database, "INSERT INTO launch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  Statement phase{database, "INSERT INTO phase VALUES (?, ?, ?, ?)"};
  Statement counter{database, "INSERT INTO counter VALUES (?, ?, ?, ?)"};
  Statement one_part{database, "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?)"};
  Statement warning{database, "INSERT INTO warning VALUES (?, ?, ?)"};
  Statement ceiling{database, "INSERT OR IGNORE INTO ceiling VALUES (?, ?, ?, ?, ?, ?)"};
  Statement kernel{database, "INSERT OR IGNORE INTO kernel VALUES (?, ?, ?, ?)"};

  std::map<std::int64_t, Environment> environments;  // by session, as far as they were asked for

  const Environment& environment_of(std::int64_t session) {
    const auto [found, fresh] = environments.try_emplace(session);
    if (!fresh) return found->second;
    Statement entry(database, "SELECT key, value FROM environment WHERE session = ?");
    entry.bind(session);
    while (entry.step()) found->second[entry.text(0)] = entry.text(1);
    return found->second;
  }

  Statement search_of{database, "SELECT id FROM search WHERE key = ? AND session = ?"};
  Statement search{database, "INSERT INTO search VALUES (NULL, ?, ?, ?, ?)"};
  Statement search_step{database, "INSERT INTO search_step VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};

  // The search's number in the file; 0: it is not there.
  std::int64_t find_search(std::int64_t session, const std::string& key) {
    search_of.bind(key, session);
    const std::int64_t id = search_of.step() ? search_of.integer(0) : 0;
    search_of.reset();
    return id;
  }

  void add_step(std::int64_t id, std::size_t index, const SearchStep& s) {
    search_step
        .bind(id, static_cast<std::int64_t>(index), to_json(s.tuning), s.known, static_cast<int>(s.effort),
              static_cast<int>(s.status), s.reason, s.time, s.low, s.high, s.samples, s.cost,
              store::checksum(s))
        .run();
  }

  void insert_search(std::int64_t session, const Search& one) {
    const std::string key = key_of(one.space), text = to_json(one);
    search.bind(session, key, text, store::checksum(key, text)).run();
    const std::int64_t id = database.last_row();
    for (std::size_t i = 0; i < one.steps.size(); ++i) add_step(id, i, one.steps[i]);
  }

  void add_replacing(std::int64_t session, const Search& one) {
    if (const std::int64_t id = find_search(session, key_of(one.space))) {
      Statement(database, "DELETE FROM search_step WHERE search = ?").bind(id).run();
      Statement(database, "DELETE FROM search WHERE id = ?").bind(id).run();
    }
    insert_search(session, one);
  }

  void remove(std::int64_t id) {
    for (const char* part : parts)
      Statement(database, std::string("DELETE FROM ") + part + " WHERE measurement = ?").bind(id).run();
    Statement(database, "DELETE FROM measurement WHERE id = ?").bind(id).run();
  }

  void insert(std::int64_t session, const std::string& key, const Measurement& m) {
    const Problem& p = m.what.problem;
    measurement
        .bind(session, key, m.what.kernel, m.what.variant, m.what.problem_class, p.n,
              static_cast<int>(p.type), p.extents.x, p.extents.y, p.extents.z, p.parameters[0],
              p.parameters[1], p.parameters[2], p.parameters[3], m.what.device,
              static_cast<int>(m.what.cache), static_cast<int>(m.status), m.reason, m.error, m.tolerance,
              m.seed, m.call_times, m.device_times, m.alloc_times, m.end_to_end_times, m.work.bytes_read,
              m.work.bytes_written, m.work.flops, m.work.items, m.clock, m.temperature, m.power, m.timestamp,
              store::checksum(m), m.standard_tuning, m.calls_per_sample,
              m.clock_step > 0 ? std::optional<double>(m.clock_step) : std::nullopt, m.prepare_times,
              m.first_call, m.work.integer_operations, m.work.bytes_sent, m.compute_times, m.exchange_times,
              m.balance, m.cores, m.nodes,
              m.isolation ? std::optional<int>(static_cast<int>(*m.isolation)) : std::nullopt)
        .run();
    const std::int64_t id = database.last_row();
    int position = 0;
    for (const auto& [name, value] : m.what.tuning) tuning.bind(id, position++, name, value.number).run();
    position = 0;
    for (const Transfer& t : m.transfers)
      transfer.bind(id, position++, t.array, t.to_device, t.method, t.bytes, t.times).run();
    position = 0;
    for (const KernelLaunch& l : m.launches)
      launch
          .bind(id, position++, l.name, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2],
                l.registers, l.shared_memory, l.occupancy, l.time, l.count)
          .run();
    position = 0;
    for (const Phase& p2 : m.phases) phase.bind(id, position++, p2.name, p2.times).run();
    position = 0;
    for (const auto& [name, value] : m.counters) counter.bind(id, position++, name, value).run();
    position = 0;
    for (const Part& p2 : m.each)
      one_part.bind(id, position++, p2.device, p2.compute, p2.exchange, p2.clock, p2.power).run();
    position = 0;
    for (const std::string& text : m.warnings) warning.bind(id, position++, text).run();
  }

  void add_replacing(std::int64_t session, const Measurement& m) {
    const std::string key = key_of(m.what);
    const std::string threads = text_of(threads_of(environment_of(session), m.what));
    std::vector<std::int64_t> old;
    equal_cases.bind(key, session);
    while (equal_cases.step())
      if (text_of(threads_of(environment_of(equal_cases.integer(1)), m.what)) == threads)
        old.push_back(equal_cases.integer(0));
    equal_cases.reset();
    for (const std::int64_t id : old) remove(id);
    insert(session, key, m);
  }

  void add_missing(std::int64_t session, const Measurement& m) {
    const std::string key = key_of(m.what);
    same_case.bind(key, session);
    const bool there = same_case.step();
    same_case.reset();
    if (!there) insert(session, key, m);
  }

  void add_ceilings(std::int64_t session, const std::vector<Ceiling>& ceilings) {
    for (const Ceiling& c : ceilings)
      ceiling.bind(session, c.device, c.name, c.footprint, c.value, store::checksum(c)).run();
  }

  void add_kernels(std::int64_t session, const KernelDescriptions& kernels) {
    for (const auto& [name, description] : kernels) {
      const std::string text = to_json(description);
      kernel.bind(session, name, text, store::checksum(name, text)).run();
    }
  }

  // A session of the same start, machine and command is the same session, wherever it was stored.
  std::int64_t session_of(const Session& session) {
    const std::string machine = machine_of(session);
    Statement find(database, "SELECT id FROM session WHERE started = ? AND machine = ? AND command = ?");
    find.bind(session.started, machine, session.command);
    if (find.step()) {
      const std::int64_t id = find.integer(0);
      add_kernels(id, session.kernels);
      return id;
    }
    Statement(database, "INSERT INTO session VALUES (NULL, ?, ?, ?, ?, ?)")
        .bind(session.started, machine, session.command, session.version, store::checksum(session))
        .run();
    const std::int64_t id = database.last_row();
    Statement environment(database, "INSERT INTO environment VALUES (?, ?, ?)");
    for (const auto& [key, value] : session.environment) environment.bind(id, key, value).run();
    add_ceilings(id, session.ceilings);
    add_kernels(id, session.kernels);
    return id;
  }

  // `checksum` is the session's with `more`.
  void add_environment(std::int64_t session, const Environment& more, std::uint64_t checksum) {
    Statement entry(database, "INSERT OR REPLACE INTO environment VALUES (?, ?, ?)");
    for (const auto& [key, value] : more) entry.bind(session, key, value).run();
    Statement(database, "UPDATE session SET checksum = ? WHERE id = ?").bind(checksum, session).run();
    environments.erase(session);
  }
};

// Throws UserError where the file holds what acts when it is read or written: views and triggers, which Sextant never
// makes, and tables that are programs.
void require_plain_tables(const Database& database) {
  Statement other(
      database,
      "SELECT name FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'");
  if (other.step()) database.damaged(other.text(0) + " is no table of a results file");
}

// Takes the file for this process alone and makes the tables if it is new. *made: it was new, and no more
// than an attempt to make it is lost with it.
void open_for_writing(const Database& database, bool* made) {
  // No write-ahead log: it needs shared memory, which network file systems lack. A killed process loses
  // nothing at any level of synchronous; NORMAL keeps the file whole, too, when the machine dies, as a GPU's
  // driver can make it. With a journal that is kept between commits it costs 0.7 ms a case on a quiet virtual
  // disk, where OFF costs 0.13.
  database.execute(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = PERSIST; PRAGMA synchronous = NORMAL;");
  const auto mark_version = [&] {
    database.execute(("PRAGMA user_version = " + std::to_string(store::newest_version)).c_str());
  };
  Transaction transaction(database, "BEGIN EXCLUSIVE");
  Statement tables(database, "SELECT count(*) FROM sqlite_master");
  tables.step();
  *made = tables.integer(0) == 0;
  tables.reset();
  require_plain_tables(database);
  if (*made) {
    for (const char* tables_of_it : {store::base_tables, store::counter_table, store::kernel_table,
                                     store::search_tables, store::part_table})
      database.execute(tables_of_it);
    database.execute(("PRAGMA application_id = " + std::to_string(store::application_id)).c_str());
    mark_version();
  } else if (const std::int64_t version = store::version_of(database); version < store::newest_version) {
    if (version < 2) database.execute(store::columns_of_version_2);
    if (version < 2) database.execute(store::counter_table);
    if (version < 3) database.execute(store::columns_of_version_3);
    if (version < 3) database.execute(store::kernel_table);
    if (version < 4) database.execute(store::search_tables);
    if (version < 5) database.execute(store::columns_of_version_5);
    if (version < 6) database.execute(store::columns_of_version_6);
    if (version < 7) database.execute(store::columns_of_version_7);
    database.execute(store::columns_of_version_8);
    database.execute(store::part_table);
    mark_version();
  }
  transaction.commit();
}

// Throws UserError where SQLite's own check finds the file's structure damaged, or its end missing.
void require_sound(const Database& database) {
  const auto value = [&](const char* pragma) {
    Statement statement(database, pragma);
    return statement.step() ? statement.text(0) : std::string();
  };
  const std::int64_t size = std::stoll(value("PRAGMA page_count")) * std::stoll(value("PRAGMA page_size"));
  if (database.file_size() < size) database.damaged("its end is missing");
  require_plain_tables(database);
  if (const std::string found = value("PRAGMA quick_check(1)"); found != "ok") database.damaged(found);
}

// What somebody else is writing, as it stands; throws `refusal` where that is not to be had.
std::unique_ptr<Database> open_copy(const std::string& path, const store::InUse& refusal,
                                    std::unique_ptr<store::Snapshot>* snapshot) {
  *snapshot = std::make_unique<store::Snapshot>(path);
  if ((*snapshot)->path().empty()) throw refusal;
  auto database = std::make_unique<Database>(path, false, Locking::none, (*snapshot)->path());
  require_sound(*database);
  return database;
}

// *dot_file: the file system has no locks. *snapshot: the copy that is read where somebody else is writing the file.
std::unique_ptr<Database> open(const std::string& path, ResultsFile::Mode mode, bool* dot_file,
                               std::unique_ptr<store::Snapshot>* snapshot) {
  const bool writable = mode == ResultsFile::Mode::write;
  if (writable) store::require_directory(path);
  const store::FileKind kind = store::inspect(path, store::application_id, store::newest_version);
  if (kind == store::FileKind::newer)
    throw UserError(path +
                    ": was written by a newer Sextant; it was left untouched: update this one to use it");
  if (!writable && kind == store::FileKind::missing)
    throw UserError(path + ": there is no such file: `sextant run -o " + path + "` makes one");
  if (!writable && kind == store::FileKind::empty)
    throw UserError(path + ": is empty, not a results file: `sextant run -o FILE` makes one");
  bool made = false;
  const auto open_by = [&](Locking locking) {
    auto database = std::make_unique<Database>(path, writable, locking);
    if (writable) open_for_writing(*database, &made);
    require_sound(*database);
    *dot_file = locking == Locking::dot_file;
    return database;
  };
  try {
    try {
      return open_by(Locking::system);
    } catch (const UserError&) {
      if (!store::lacks_locks(path)) throw;
      return open_by(Locking::dot_file);
    }
  } catch (const store::InUse& refusal) {
    if (writable) throw;
    return open_copy(path, refusal, snapshot);
  } catch (...) {
    std::error_code ignored;
    if (made) {  // leave nothing behind where there was nothing
      std::filesystem::remove(path, ignored);
      std::filesystem::remove(path + "-journal", ignored);
    } else if (kind == store::FileKind::missing && std::filesystem::file_size(path, ignored) == 0) {
      std::filesystem::remove(path, ignored);
      std::filesystem::remove(path + "-journal", ignored);
    }
    throw;
  }
}

}  // namespace

struct ResultsFile::Implementation {
  Implementation(const std::string& path, Mode mode) : database(open(path, mode, &dot_file, &snapshot)) {
    if (mode != Mode::write) return;
    writer = std::make_unique<Writer>(*database);
    watch.remember();
  }

  ~Implementation() {
    if (!writer) return;
    writer.reset();                        // its statements belong to the database
    if (!watch.changed().empty()) return;  // it is somebody else's now
    try {                                  // the journal was kept between commits; nobody needs it now
      database->execute("PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = DELETE");
    } catch (const std::exception&) {  // it is empty: harmless where it stays
    }
  }

  Writer& writable() {
    if (!writer) throw std::logic_error(database->path() + ": opened for reading");
    return *writer;
  }

  // What this process stored is in a file of its own beside the one that is lost, and the run ends.
  void require_unchanged() {
    const std::string what = watch.changed();
    if (what.empty()) return;
    const std::string rescue = rescue_name(database->path());
    {
      ResultsFile file(rescue, Mode::write);
      const std::int64_t id = file.begin_session(session);
      file.add_ceilings(id, session.ceilings);
      for (const auto& [key, measurement] : measured) file.add(id, measurement);
      for (const auto& [key, search] : searched) file.add(id, search);
    }
    throw UserError(database->path() + ": " + what + " while it was being written. What this run measured, " +
                        std::to_string(measured.size()) + " cases, is kept in " + rescue +
                        ": `sextant merge` joins files, and the same command with -o " + rescue +
                        " continues",
                    ExitCode::internal);
  }

  // results.rescue.sextant, or the first of results.rescue-2.sextant, … that is not there.
  static std::string rescue_name(const std::string& path) {
    const std::filesystem::path file(path);
    const std::string stem = (file.parent_path() / file.stem()).string() + ".rescue",
                      end = file.extension().string();
    std::string name = stem + end;
    for (int i = 2; std::filesystem::exists(name); ++i) name = stem + "-" + std::to_string(i) + end;
    return name;
  }

  void commit(Transaction& transaction) {
    transaction.commit();
    watch.remember();
  }

  bool dot_file = false;
  std::unique_ptr<store::Snapshot> snapshot;  // null: the file itself
  std::unique_ptr<Database> database;
  std::unique_ptr<Writer> writer;  // null when reading
  store::FileWatch watch{*database};
  Session session;                              // the last that was begun
  std::map<std::string, Measurement> measured;  // in it, by key
  std::map<std::string, Search> searched;       // in it, by the key of its space
};

ResultsFile::ResultsFile(const std::string& path, Mode mode)
    : implementation_(std::make_unique<Implementation>(path, mode)) {}
ResultsFile::~ResultsFile() = default;
ResultsFile::ResultsFile(ResultsFile&&) noexcept = default;

bool ResultsFile::in_use() const { return implementation_->snapshot != nullptr; }

std::string ResultsFile::note() const {
  const std::string& path = implementation_->database->path();
  if (in_use()) return path + " is being written by another sextant: this is what it has measured so far";
  if (!implementation_->dot_file) return {};
  return path + " lies on a file system without locks: " + path +
         ".lock keeps other writers out while this one has it, and stays if it is killed";
}

std::int64_t ResultsFile::begin_session(const Session& session) {
  implementation_->require_unchanged();
  Transaction transaction(*implementation_->database);
  const std::int64_t id = implementation_->writable().session_of(session);
  implementation_->commit(transaction);
  implementation_->session = session;
  implementation_->measured.clear();
  implementation_->searched.clear();
  return id;
}

void ResultsFile::add_ceilings(std::int64_t session, const std::vector<Ceiling>& ceilings) {
  std::vector<Ceiling>& known = implementation_->session.ceilings;
  known.insert(known.end(), ceilings.begin(), ceilings.end());
  implementation_->require_unchanged();
  Transaction transaction(*implementation_->database);
  implementation_->writable().add_ceilings(session, ceilings);
  implementation_->commit(transaction);
}

void ResultsFile::add_environment(std::int64_t session, const Environment& more) {
  Session& known = implementation_->session;
  for (const auto& [key, value] : more) known.environment[key] = value;
  implementation_->require_unchanged();
  Transaction transaction(*implementation_->database);
  implementation_->writable().add_environment(session, more, store::checksum(known));
  implementation_->commit(transaction);
}

void ResultsFile::add(std::int64_t session, const Measurement& measurement) {
  implementation_->measured[key_of(measurement.what)] = measurement;
  implementation_->require_unchanged();
  Transaction transaction(*implementation_->database);
  implementation_->writable().add_replacing(session, measurement);
  implementation_->commit(transaction);
}

void ResultsFile::add(std::int64_t session, const Search& search) {
  implementation_->searched[key_of(search.space)] = search;
  implementation_->require_unchanged();
  Transaction transaction(*implementation_->database);
  implementation_->writable().add_replacing(session, search);
  implementation_->commit(transaction);
}

void ResultsFile::add_step(std::int64_t session, const Search& search) {
  implementation_->searched[key_of(search.space)] = search;
  implementation_->require_unchanged();
  Transaction transaction(*implementation_->database);
  Writer& writer = implementation_->writable();
  const std::int64_t id = writer.find_search(session, key_of(search.space));
  if (id == 0) throw std::logic_error("a step of a search that was not added");
  writer.add_step(id, search.steps.size() - 1, search.steps.back());
  implementation_->commit(transaction);
}

void ResultsFile::require_kept(std::int64_t session) const {
  implementation_->require_unchanged();
  Statement count(*implementation_->database, "SELECT count(*) FROM measurement WHERE session = ?");
  count.bind(session);
  count.step();
  if (static_cast<std::size_t>(count.integer(0)) < implementation_->measured.size())
    implementation_->database->damaged("cases that were stored are not there");
}

void ResultsFile::add_missing(const Results& results) {
  Writer& writer = implementation_->writable();
  Transaction transaction(*implementation_->database);
  std::unordered_map<std::int64_t, std::int64_t> id_here;
  for (const Session& session : results.sessions) {
    id_here[session.id] = writer.session_of(session);
    writer.add_ceilings(id_here[session.id], session.ceilings);
  }
  for (const StoredMeasurement& stored : results.measurements)
    writer.add_missing(id_here.at(stored.session), stored.measurement);
  for (const Search& search : results.searches)
    if (writer.find_search(id_here.at(search.session), key_of(search.space)) == 0)
      writer.insert_search(id_here.at(search.session), search);
  implementation_->commit(transaction);
}

std::set<std::string> ResultsFile::keys(const std::string& machine) const {
  Statement query(*implementation_->database,
                  "SELECT key FROM measurement JOIN session ON session.id = session WHERE machine = ?");
  query.bind(machine);
  std::set<std::string> keys;
  while (query.step()) keys.insert(query.text(0));
  return keys;
}

Results ResultsFile::load() const {
  Transaction transaction(*implementation_->database);  // one state of the file, whoever writes it
  return store::load(*implementation_->database);
}

bool is_results_file(const std::string& path) {
  try {
    const store::FileKind kind = store::inspect(path, store::application_id, store::newest_version);
    return kind == store::FileKind::results || kind == store::FileKind::newer;
  } catch (const UserError&) {  // some other file
    return false;
  }
}

void merge(const Results& from, ResultsFile& into) { into.add_missing(from); }

}  // namespace sextant
