#include "store/results_file.hpp"

#include <filesystem>
#include <map>
#include <unordered_map>

#include "base/error.hpp"
#include "base/plural.hpp"
#include "record/keys.hpp"
#include "store/checksum.hpp"
#include "store/file_watch.hpp"
#include "store/loading.hpp"
#include "store/opening.hpp"
#include "store/schema.hpp"
#include "store/writing.hpp"

namespace sextant {

using store::Database;
using store::Statement;
using store::Transaction;
using store::Writer;

struct ResultsFile::Implementation {
  Implementation(const std::string& path, Mode mode) : file(store::open_file(path, mode == Mode::write)) {
    if (mode != Mode::write) return;
    writer = std::make_unique<Writer>(database());
    watch.remember();
  }

  ~Implementation() {
    if (!writer) return;
    writer.reset();                        // releases its statements before the database closes
    if (!watch.changed().empty()) return;  // another process changed the file, so do not touch it
    // The journal is no longer needed.
    try {
      database().execute("PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = DELETE");
    } catch (const std::exception&) {  // an empty journal that remains is harmless
    }
  }

  Database& database() const { return *file.database; }

  Writer& writable() {
    if (!writer) throw std::logic_error(database().path() + ": opened for reading");
    return *writer;
  }

  // If another process removed or replaced the file, stores this session's results in a new file next to it.
  // Then throws UserError, which ends the run.
  void require_unchanged() {
    const std::string what = watch.changed();
    if (what.empty()) return;
    const std::string rescue = rescue_name(database().path());
    {
      ResultsFile kept(rescue, Mode::write);
      const std::int64_t id = kept.begin_session(session);
      kept.add_ceilings(id, session.ceilings);
      for (const auto& [key, measurement] : measured) kept.add(id, measurement);
      for (const auto& [key, search] : searched) kept.add(id, search);
    }
    throw UserError(
        database().path() + " " + what + " while this command was writing it. The results of this run, " +
            plural(measured.size(), "case") + ", are kept in " + rescue +
            ". Join the files with `sextant merge`, or continue with the same command and -o " + rescue + ".",
        ExitCode::internal);
  }

  // Returns the name of the new file: results.rescue.sextant, or the first unused results.rescue-2.sextant, …
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

  store::OpenFile file;
  std::unique_ptr<Writer> writer;  // null if the file is open for reading
  store::FileWatch watch{database()};
  Session session;                              // the latest session
  std::map<std::string, Measurement> measured;  // measurements of the latest session, by key
  std::map<std::string, Search> searched;       // searches of the latest session, by case
  bool together = false;                        // true while add_together() has an open transaction
};

namespace {

// Keeps *flag true during its lifetime.
class Together {
 public:
  explicit Together(bool* flag) : flag_(flag) { *flag_ = true; }
  ~Together() { *flag_ = false; }
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;

 private:
  bool* flag_;
};

}  // namespace

ResultsFile::ResultsFile(const std::string& path, Mode mode)
    : implementation_(std::make_unique<Implementation>(path, mode)) {}
ResultsFile::~ResultsFile() = default;
ResultsFile::ResultsFile(ResultsFile&&) noexcept = default;

bool ResultsFile::in_use() const { return implementation_->file.snapshot != nullptr; }

std::string ResultsFile::note() const {
  const std::string& path = implementation_->database().path();
  if (in_use()) return path + " is being written by another `sextant`, so only its results so far are read";
  if (!implementation_->file.dot_file) return {};
  return path + " is on a file system without locks, so " + path +
         ".lock keeps other writers out during this run. If the run is killed, remove " + path + ".lock";
}

std::int64_t ResultsFile::begin_session(const Session& session) {
  implementation_->require_unchanged();
  Transaction transaction(implementation_->database());
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
  Transaction transaction(implementation_->database());
  implementation_->writable().add_ceilings(session, ceilings);
  implementation_->commit(transaction);
}

void ResultsFile::add_environment(std::int64_t session, const Environment& more) {
  Session& known = implementation_->session;
  for (const auto& [key, value] : more) known.environment[key] = value;
  implementation_->require_unchanged();
  Transaction transaction(implementation_->database());
  implementation_->writable().add_environment(session, more, store::checksum(known));
  implementation_->commit(transaction);
}

void ResultsFile::add(std::int64_t session, const Measurement& measurement) {
  implementation_->measured[key_of(measurement.what)] = measurement;
  if (implementation_->together) return implementation_->writable().add_replacing(session, measurement);
  implementation_->require_unchanged();
  Transaction transaction(implementation_->database());
  implementation_->writable().add_replacing(session, measurement);
  implementation_->commit(transaction);
}

void ResultsFile::add_together(const std::function<void()>& add) {
  implementation_->require_unchanged();
  Transaction transaction(implementation_->database());
  {
    const Together together(&implementation_->together);
    add();
  }
  implementation_->commit(transaction);
}

void ResultsFile::add(std::int64_t session, const Search& search) {
  implementation_->searched[key_of(search.space)] = search;
  implementation_->require_unchanged();
  Transaction transaction(implementation_->database());
  implementation_->writable().add_replacing(session, search);
  implementation_->commit(transaction);
}

void ResultsFile::add_step(std::int64_t session, const Search& search) {
  implementation_->searched[key_of(search.space)] = search;
  implementation_->require_unchanged();
  Transaction transaction(implementation_->database());
  Writer& writer = implementation_->writable();
  const std::int64_t id = writer.find_search(session, key_of(search.space));
  if (id == 0) throw std::logic_error("a step of a search that was not added");
  writer.add_step(id, search.steps.size() - 1, search.steps.back());
  implementation_->commit(transaction);
}

void ResultsFile::require_kept(std::int64_t session) const {
  implementation_->require_unchanged();
  Statement count(implementation_->database(), "SELECT count(*) FROM measurement WHERE session = ?");
  count.bind(session);
  count.step();
  if (static_cast<std::size_t>(count.integer(0)) < implementation_->measured.size())
    implementation_->database().damaged("cases that were stored are missing");
}

void ResultsFile::add_missing(const Results& results) {
  Writer& writer = implementation_->writable();
  Transaction transaction(implementation_->database());
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
  Statement query(implementation_->database(),
                  "SELECT key FROM measurement JOIN session ON session.id = session WHERE machine = ?");
  query.bind(machine);
  std::set<std::string> keys;
  while (query.step()) keys.insert(query.text(0));
  return keys;
}

Results ResultsFile::load() const {
  Transaction transaction(
      implementation_->database());  // one consistent state, even if another process writes
  return store::load(implementation_->database());
}

bool is_results_file(const std::string& path) {
  try {
    const store::FileKind kind = store::inspect(path, store::application_id, store::newest_version);
    return kind == store::FileKind::results || kind == store::FileKind::newer;
  } catch (const UserError&) {  // the file is not a results file
    return false;
  }
}

void merge(const Results& from, ResultsFile& into) { into.add_missing(from); }

}  // namespace sextant
