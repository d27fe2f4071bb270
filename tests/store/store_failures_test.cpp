// Tests that file errors are reported with a remedy, and that no data are lost or changed.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdarg>
#include <fstream>
#include <functional>
#include <random>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "base/plural.hpp"
#include "golden.hpp"
#include "older_versions.hpp"
#include "record/json_text.hpp"
#include "sample_results.hpp"
#include "store/checksum.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using test::full_description;
using test::full_measurement;
using test::make_session;
using test::TemporaryFolder;
using Mode = ResultsFile::Mode;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

void store_cases(const std::string& path, int count) {
  ResultsFile file(path, Mode::write);
  Session described = make_session();
  described.kernels["triad"] = full_description();
  const std::int64_t session = file.begin_session(described);
  for (int n = 0; n < count; ++n) {
    Measurement measurement = full_measurement();
    measurement.what.problem_class.clear();
    measurement.what.problem.n = n;
    file.add(session, measurement);
  }
}

// Returns the message of the UserError that `action` throws; empty if it throws none.
std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code, ExitCode::usage);
    return error.what();
  }
  return "";
}

std::string read_error(const std::string& path) {
  return error_of([&] { ResultsFile(path, Mode::read).load(); });
}

constexpr const char* written_by_another =
    " is being written by another `sextant`, so only its results so far are read";

// Returns "2 cases; " followed by the note that a reader gets.
std::string seen_by_reader(const std::string& path) {
  const ResultsFile file(path, Mode::read);
  return plural(file.load().measurements.size(), "case") + "; " + file.note();
}

std::string write_error(const std::string& path) {
  return error_of([&] { store_cases(path, 1); });
}

// Compares the messages with a section of the golden file, without the folder's path.
void expect_said(const std::string& section, const TemporaryFolder& folder,
                 const std::vector<std::string>& said) {
  test::expect_golden(test::replaced(test::lines(said), folder / "", ""), "store/failures:" + section);
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "`" << part << "` is not in: " << text;
}

// Runs `action` in a child process, which may change its user or limits. Returns its result.
std::string in_child(const std::function<std::string()>& action) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    std::string text;
    try {
      text = action();
    } catch (const std::exception& error) {
      text = std::string("another exception: ") + error.what();
    }
    if (write(ends[1], text.data(), text.size()) < 0) _exit(1);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  return text;
}

TEST(StoreFailures, AMissingFileIsNotMadeByReading) {
  const TemporaryFolder folder;
  expect_said("missing", folder, {read_error(folder / "none")});
  EXPECT_FALSE(std::filesystem::exists(folder / "none"));
}

TEST(StoreFailures, AMissingDirectoryIsNamed) {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "x");
  expect_said("directories", folder,
              {write_error(folder / "no/where/r"), write_error(folder / "file/r"), write_error(folder / "."),
               read_error(folder / ".")});
}

TEST(StoreFailures, ATextIsNoResultsFile) {
  const TemporaryFolder folder;
  std::vector<std::string> said;
  for (const std::string text : {"kernel,variant\n", "x", "SQLite format 4 and then some more text"}) {
    write_bytes(folder / "t", text);
    said.insert(said.end(), {read_error(folder / "t"), write_error(folder / "t")});
    EXPECT_EQ(bytes_of(folder / "t"), text);
  }
  said.push_back(read_error("/dev/null"));
  expect_said("texts", folder, said);
}

TEST(StoreFailures, AnEmptyFileIsWrittenButNotRead) {
  const TemporaryFolder folder;
  write_bytes(folder / "e", "");
  expect_said("empty", folder, {read_error(folder / "e")});
  EXPECT_EQ(write_error(folder / "e"), "");
  EXPECT_EQ(read_error(folder / "e"), "");
}

void execute(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

TEST(StoreFailures, AnotherProgramsDatabaseIsLeftAlone) {
  const TemporaryFolder folder;
  execute(folder / "db", "CREATE TABLE bookmarks (url TEXT)");
  const std::string before = bytes_of(folder / "db");
  expect_said("another program's", folder, {read_error(folder / "db"), write_error(folder / "db")});
  EXPECT_TRUE(bytes_of(folder / "db") == before);
}

TEST(StoreFailures, ANewerFileIsSaidToBeSoAndLeftAlone) {
  const TemporaryFolder folder;
  store_cases(folder / "r", 2);
  execute(folder / "r", "PRAGMA user_version = 12");
  const std::string before = bytes_of(folder / "r");
  expect_said("newer", folder, {read_error(folder / "r"), write_error(folder / "r")});
  EXPECT_TRUE(bytes_of(folder / "r") == before);
}

// Removes the data that format versions 6 to 10 added.
void forget_states(Measurement* measurement) {
  measurement->states.clear();
  measurement->gap = 0;
  measurement->gap_times.clear();
  measurement->gap_device_times.clear();
  measurement->energies.clear();
  measurement->energy_times.clear();
  measurement->energy_window = 0;
  measurement->idle_power.reset();
  measurement->steady_after.reset();
  measurement->what.fill = InputFill::uniform;
}

void forget_parts(Measurement* measurement) {
  forget_states(measurement);
  measurement->visits.clear();
  measurement->seen_times.clear();
  measurement->isolation.reset();
  measurement->each.clear();
  measurement->nodes.reset();
  measurement->work.bytes_sent = 0;
  measurement->compute_times.clear();
  measurement->exchange_times.clear();
  measurement->balance.reset();
  measurement->cores.reset();
}

// Returns a measurement with only the data that format version 2 could store.
Measurement measurement_of_version_2() {
  Measurement measurement = full_measurement();
  measurement.standard_tuning.reset();
  measurement.calls_per_sample = 1;
  measurement.clock_step = 0;
  measurement.prepare_times.clear();
  measurement.first_call.reset();
  measurement.work.integer_operations = 0;
  forget_parts(&measurement);
  return measurement;
}

TEST(StoreFailures, AFileOfVersion1IsReadAndBroughtUpToDateWhenWrittenTo) {
  const TemporaryFolder folder;
  {
    ResultsFile file(folder / "r", Mode::write);
    Measurement measurement = measurement_of_version_2();
    for (KernelLaunch& launch : measurement.launches) launch.count = 1;  // version 1 stored no launch counts
    measurement.counters.clear();
    file.add(file.begin_session(make_session()), measurement);
  }
  execute(folder / "r", to_version_1);
  const std::string before = bytes_of(folder / "r");
  EXPECT_EQ(ResultsFile(folder / "r", Mode::read).load().measurements.size(), 1u);
  EXPECT_TRUE(bytes_of(folder / "r") == before) << "reading must not change it";
  {
    ResultsFile file(folder / "r", Mode::write);
    Measurement measurement = full_measurement();
    measurement.what.problem.n += 1;
    measurement.what.problem_class.clear();
    measurement.launches.at(0).count = 5000;
    file.add(file.begin_session(make_session()), measurement);
  }
  const Results results = ResultsFile(folder / "r", Mode::read).load();
  ASSERT_EQ(results.measurements.size(), 2u);
  EXPECT_EQ(results.measurements[0].measurement.launches.at(0).count, 1);
  EXPECT_EQ(results.measurements[1].measurement.launches.at(0).count, 5000);
  EXPECT_EQ(results.measurements[1].measurement.counters, full_measurement().counters);
}

TEST(StoreFailures, AFileOfVersion2IsReadAndBroughtUpToDateWhenWrittenTo) {
  const TemporaryFolder folder;
  const Measurement old = measurement_of_version_2();
  {
    ResultsFile file(folder / "r", Mode::write);
    file.add(file.begin_session(make_session()), old);
  }
  execute(folder / "r", to_version_2);
  const std::string before = bytes_of(folder / "r");
  const Results read = ResultsFile(folder / "r", Mode::read).load();
  EXPECT_TRUE(bytes_of(folder / "r") == before) << "reading must not change it";
  ASSERT_EQ(read.measurements.size(), 1u);
  EXPECT_TRUE(read.sessions.at(0).kernels.empty());
  EXPECT_FALSE(read.measurements[0].measurement.standard_tuning);
  {
    ResultsFile file(folder / "r", Mode::write);
    Session session = make_session("alpha", "2024-06-01T10:00:00Z");
    session.kernels["triad"] = full_description();
    Measurement measurement = full_measurement();
    measurement.what.problem.n += 1;
    measurement.what.problem_class.clear();
    measurement.standard_tuning = false;
    file.add(file.begin_session(session), measurement);
  }
  const Results results = ResultsFile(folder / "r", Mode::read).load();
  ASSERT_EQ(results.sessions.size(), 2u);
  EXPECT_TRUE(results.sessions[0].kernels.empty());
  EXPECT_EQ(results.sessions[1].kernels.at("triad").group, "stream");
  ASSERT_EQ(results.measurements.size(), 2u);
  EXPECT_EQ(store::checksum(results.measurements[0].measurement), store::checksum(old));
  EXPECT_EQ(results.measurements[1].measurement.standard_tuning, false);
}

// Creates a file with `old` and downgrades it by the SQL text `downgrade`. Then adds full_measurement() in
// another size with this version. Returns the contents of the file.
Results brought_up_to_date(const Measurement& old, const char* downgrade) {
  const TemporaryFolder folder;
  {
    ResultsFile file(folder / "r", Mode::write);
    file.add(file.begin_session(make_session()), old);
  }
  execute(folder / "r", downgrade);
  EXPECT_EQ(ResultsFile(folder / "r", Mode::read).load().measurements.size(), 1u);
  {
    ResultsFile file(folder / "r", Mode::write);
    Measurement measurement = full_measurement();
    measurement.what.problem.n += 1;
    measurement.what.problem_class.clear();
    file.add(file.begin_session(make_session()), measurement);
  }
  Results results = ResultsFile(folder / "r", Mode::read).load();
  if (!results.measurements.empty()) {
    EXPECT_EQ(store::checksum(results.measurements[0].measurement), store::checksum(old));
  }
  return results;
}

TEST(StoreFailures, AFileOfVersion4IsReadAndBroughtUpToDateWhenWrittenTo) {
  Measurement old = full_measurement();
  old.work.integer_operations = 0;
  forget_parts(&old);
  const Results results = brought_up_to_date(old, to_version_4);
  ASSERT_EQ(results.measurements.size(), 2u);
  EXPECT_EQ(results.measurements[1].measurement.work.integer_operations, 7);
}

TEST(StoreFailures, AFileOfVersion5IsReadAndBroughtUpToDateWhenWrittenTo) {
  Measurement old = full_measurement();
  forget_parts(&old);
  const Results results = brought_up_to_date(old, to_version_5);
  ASSERT_EQ(results.measurements.size(), 2u);
  EXPECT_EQ(results.measurements[1].measurement.work.bytes_sent, 9);
  EXPECT_EQ(results.measurements[1].measurement.compute_times, full_measurement().compute_times);
  EXPECT_EQ(results.measurements[1].measurement.exchange_times, full_measurement().exchange_times);
  EXPECT_EQ(results.measurements[1].measurement.balance, 0.9);
  EXPECT_EQ(results.measurements[1].measurement.cores, 3.5);
}

TEST(StoreFailures, AFileOfVersion6IsReadAndBroughtUpToDateWhenWrittenTo) {
  Measurement old = full_measurement();
  forget_states(&old);
  old.nodes.reset();
  old.isolation.reset();
  old.visits.clear();
  old.seen_times.clear();
  old.each.clear();
  const Results results = brought_up_to_date(old, to_version_6);
  ASSERT_EQ(results.measurements.size(), 2u);
  EXPECT_FALSE(results.measurements[0].measurement.nodes);
  EXPECT_EQ(results.measurements[1].measurement.nodes, 2);
}

TEST(StoreFailures, AFileOfVersion7IsReadAndBroughtUpToDateWhenWrittenTo) {
  Measurement old = full_measurement();
  forget_states(&old);
  old.isolation.reset();
  old.visits.clear();
  old.seen_times.clear();
  old.each.clear();
  const Results results = brought_up_to_date(old, to_version_7);
  ASSERT_EQ(results.measurements.size(), 2u);
  EXPECT_FALSE(results.measurements[0].measurement.isolation);
  EXPECT_EQ(results.measurements[1].measurement.isolation, Isolation::calls_alone);
  EXPECT_TRUE(results.measurements[0].measurement.each.empty());
  EXPECT_EQ(results.measurements[1].measurement.each.size(), full_measurement().each.size());
}

TEST(StoreFailures, AFileOfVersion8HasNoTimesOnSeenInputs) {
  Measurement old = full_measurement();
  forget_states(&old);
  old.visits.clear();
  old.seen_times.clear();
  const Results results = brought_up_to_date(old, to_version_8);
  ASSERT_EQ(results.measurements.size(), 2u);
  EXPECT_TRUE(results.measurements[0].measurement.seen_times.empty());
  EXPECT_EQ(results.measurements[1].measurement.seen_times, full_measurement().seen_times);
}

TEST(StoreFailures, AFileOfVersion9HasNoVisits) {
  Measurement old = full_measurement();
  forget_states(&old);
  old.visits.clear();
  const Results results = brought_up_to_date(old, to_version_9);
  ASSERT_EQ(results.measurements.size(), 2u);
  EXPECT_TRUE(results.measurements[0].measurement.visits.empty());
  const std::vector<Visit>& visits = results.measurements[1].measurement.visits;
  ASSERT_EQ(visits.size(), 2u);
  EXPECT_EQ(visits[1].process, 3);
  EXPECT_EQ(visits[1].call_times, full_measurement().visits[1].call_times);
}

TEST(StoreFailures, AFileOfVersion10HasNoStatesAndNoPauses) {
  Measurement old = full_measurement();
  forget_states(&old);
  const Results results = brought_up_to_date(old, to_version_10);
  ASSERT_EQ(results.measurements.size(), 2u);
  EXPECT_TRUE(results.measurements[0].measurement.states.empty());
  EXPECT_EQ(results.measurements[0].measurement.gap, 0);
  EXPECT_TRUE(results.measurements[0].measurement.energies.empty());
  EXPECT_FALSE(results.measurements[0].measurement.steady_after);
  EXPECT_EQ(results.measurements[1].measurement.energies, full_measurement().energies);
  ASSERT_EQ(results.measurements[1].measurement.states.size(), 2u);
  EXPECT_EQ(results.measurements[1].measurement.states[0].groups.size(), 2u);
  EXPECT_EQ(results.measurements[1].measurement.gap_times, full_measurement().gap_times);
}

TEST(StoreFailures, AChangedClockIsSaidToBeDamaged) {
  const TemporaryFolder folder;
  {
    ResultsFile file(folder / "r", Mode::write);
    file.add(file.begin_session(make_session()), full_measurement());
  }
  execute(folder / "r", "UPDATE state SET clocks = samples WHERE process = 0");
  EXPECT_NE(read_error(folder / "r").find("was changed after it was stored"), std::string::npos);
  execute(folder / "r", "UPDATE state SET clocks = NULL WHERE process = 0");
  EXPECT_NE(read_error(folder / "r").find("groups of samples without their state"), std::string::npos);
}

TEST(StoreFailures, AChangedEnergyIsSaidToBeDamaged) {
  const TemporaryFolder folder;
  {
    ResultsFile file(folder / "r", Mode::write);
    file.add(file.begin_session(make_session()), full_measurement());
  }
  for (const char* change : {"energies = energy_times", "idle_power = 1", "steady_after = NULL"}) {
    const std::string statement = std::string("UPDATE measurement SET ") + change;
    execute(folder / "r", statement.c_str());
    EXPECT_NE(read_error(folder / "r").find("was changed after it was stored"), std::string::npos) << change;
  }
}

TEST(StoreFailures, AChangedDescriptionIsSaidToBeDamaged) {
  const TemporaryFolder folder;
  {
    ResultsFile file(folder / "r", Mode::write);
    Session session = make_session();
    session.kernels["triad"] = full_description();
    file.begin_session(session);
  }
  execute(folder / "r", "UPDATE kernel SET description = replace(description, 'stream', 'strean')");
  const std::string other_group = read_error(folder / "r");
  execute(folder / "r", "UPDATE kernel SET description = replace(description, 'strean', 'stream')");
  EXPECT_EQ(read_error(folder / "r"), "");
  execute(folder / "r", "UPDATE kernel SET name = 'copy'");
  expect_said("description", folder, {other_group, read_error(folder / "r")});
}

TEST(StoreFailures, ATruncatedFileIsSaidToBeDamaged) {
  const TemporaryFolder folder;
  store_cases(folder / "r", 30);
  const std::string whole = bytes_of(folder / "r");
  for (const std::size_t size : {whole.size() - 1, whole.size() - 4096, whole.size() / 2, std::size_t{4096},
                                 std::size_t{1000}, std::size_t{100}, std::size_t{50}}) {
    write_bytes(folder / "t", whole.substr(0, size));
    expect_has(read_error(folder / "t"), "damaged");
    expect_has(write_error(folder / "t"), "damaged");
    EXPECT_TRUE(bytes_of(folder / "t") == whole.substr(0, size)) << size;
  }
}

std::string values_of(const Results& results) {
  std::string text;
  for (const StoredMeasurement& stored : results.measurements) {
    const Measurement& m = stored.measurement;
    text += std::to_string(m.what.problem.n) + m.what.kernel + m.what.variant + m.reason + m.timestamp;
    for (const double time : m.call_times) text += std::to_string(time * 1e6) + ",";
    for (const Transfer& transfer : m.transfers) text += transfer.array + std::to_string(transfer.bytes);
    for (const std::string& warning : m.warnings) text += warning;
  }
  for (const Session& session : results.sessions)
    for (const auto& [key, value] : session.environment) text += key + value;
  for (const Session& session : results.sessions)
    for (const auto& [name, description] : session.kernels) text += name + to_json(description);
  return text;
}

// Flips bytes of a file. Some bytes hold no data. If reading gives no error, the data must be unchanged.
TEST(StoreFailures, FlippedBytesNeverGiveOtherValues) {
  const TemporaryFolder folder;
  store_cases(folder / "r", 20);
  const std::string whole = bytes_of(folder / "r");
  const std::string want = values_of(ResultsFile(folder / "r", Mode::read).load());
  std::mt19937 random(11);
  int noticed = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::string bytes = whole;
    const std::size_t position = random() % bytes.size();
    bytes[position] = static_cast<char>(bytes[position] ^ (1 << random() % 8));
    write_bytes(folder / "f", bytes);
    std::string got;
    const std::string error =
        error_of([&] { got = values_of(ResultsFile(folder / "f", Mode::read).load()); });
    noticed += !error.empty();
    if (error.empty()) {
      EXPECT_TRUE(got == want) << "byte " << position;
    }
  }
  EXPECT_GT(noticed, 40);
}

TEST(StoreFailures, ASecondWriterIsRefused) {
  const TemporaryFolder folder;
  ResultsFile first(folder / "r", Mode::write);
  const std::int64_t session = first.begin_session(make_session());
  first.add(session, full_measurement());
  const std::string error = in_child([&] { return write_error(folder / "r"); });
  expect_has(error, folder / "r");
  expect_has(error, "is being written by another `sextant`");
  expect_has(error, "-o");
  EXPECT_EQ(first.load().measurements.size(), 1u);
}

// Replaces fcntl, which SQLite calls for locking, and simulates a file system without locks.
int no_locks(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  if (command != F_SETLK && command != F_GETLK) return fcntl(file, command, argument);
  errno = ENOLCK;
  return -1;
}

class WithoutLocks {
 public:
  WithoutLocks() { set(reinterpret_cast<sqlite3_syscall_ptr>(&no_locks)); }
  ~WithoutLocks() { set(nullptr); }

 private:
  static void set(sqlite3_syscall_ptr call) {
    sqlite3_initialize();
    sqlite3_vfs* system = sqlite3_vfs_find("unix");
    ASSERT_EQ(system->xSetSystemCall(system, "fcntl", call), SQLITE_OK);
  }
};

TEST(StoreFailures, WhereThereAreNoLocksAFolderKeepsOthersOut) {
  const TemporaryFolder folder;
  const WithoutLocks none;
  const std::string path = folder / "r";
  {
    ResultsFile first(path, Mode::write);
    expect_has(first.note(), "without locks");
    const std::int64_t session = first.begin_session(make_session());
    first.add(session, full_measurement());
    EXPECT_TRUE(std::filesystem::is_directory(path + ".lock"));
    const std::string error = in_child([&] { return write_error(path); });
    expect_has(error, "is in use by another `sextant`, or was in use when one was killed");
    expect_has(error, "rmdir " + path + ".lock");
    EXPECT_EQ(in_child([&] { return seen_by_reader(path); }), "1 case; " + path + written_by_another);
    EXPECT_EQ(first.load().measurements.size(), 1u);
  }
  EXPECT_FALSE(std::filesystem::exists(path + ".lock"));
  EXPECT_EQ(ResultsFile(path, Mode::read).load().measurements.size(), 1u);
  store_cases(path, 2);
  EXPECT_EQ(ResultsFile(path, Mode::read).load().measurements.size(), 3u);
}

TEST(StoreFailures, AWriterThatWasKilledWhereThereAreNoLocksIsNamed) {
  const TemporaryFolder folder;
  const WithoutLocks none;
  const std::string path = folder / "r";
  const pid_t child = fork();
  if (child == 0) {
    ResultsFile file(path, Mode::write);
    const std::int64_t session = file.begin_session(make_session());
    file.add(session, full_measurement());
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  expect_has(write_error(path), "rmdir " + path + ".lock");
  std::filesystem::remove(path + ".lock");
  store_cases(path, 2);
  EXPECT_EQ(ResultsFile(path, Mode::read).load().measurements.size(), 3u);
}

TEST(StoreFailures, WithLocksThereIsNothingToNote) {
  const TemporaryFolder folder;
  ResultsFile file(folder / "r", Mode::write);
  EXPECT_EQ(file.note(), "");
  EXPECT_FALSE(std::filesystem::exists(folder / "r.lock"));
}

TEST(StoreFailures, AReaderGetsWhatTheWriterHasSoFarAndAllAfterIt) {
  const TemporaryFolder folder;
  const std::string path = folder / "r";
  {
    ResultsFile writer(path, Mode::write);
    const std::int64_t session = writer.begin_session(make_session());
    writer.add(session, full_measurement());
    EXPECT_EQ(in_child([&] { return seen_by_reader(path); }), "1 case; " + path + written_by_another);
    Measurement second = full_measurement();
    second.what.kernel = "copy";
    writer.add(session, second);
    EXPECT_EQ(in_child([&] { return seen_by_reader(path); }), "2 cases; " + path + written_by_another);
  }
  EXPECT_EQ(seen_by_reader(path), "2 cases; ");
}

// Replaces SQLite's writes. Each write stops this process until it receives SIGCONT.
ssize_t stopping_write(int file, const void* bytes, std::size_t size) {
  raise(SIGSTOP);
  return write(file, bytes, size);
}

ssize_t stopping_pwrite(int file, const void* bytes, std::size_t size, off_t offset) {
  raise(SIGSTOP);
  return pwrite(file, bytes, size, offset);
}

void stop_at_every_write() {
  sqlite3_vfs* system = sqlite3_vfs_find("unix");
  system->xSetSystemCall(system, "write", reinterpret_cast<sqlite3_syscall_ptr>(&stopping_write));
  for (const char* name : {"pwrite", "pwrite64"})
    system->xSetSystemCall(system, name, reinterpret_cast<sqlite3_syscall_ptr>(&stopping_pwrite));
}

// At any moment of a commit, a reader gets complete cases, and never fewer than before.
TEST(StoreFailures, AReaderGetsWholeCasesWhateverItsWriterIsAt) {
  const TemporaryFolder folder;
  const std::string path = folder / "r";
  store_cases(path, 20);
  const pid_t writer = fork();
  if (writer == 0) {
    ResultsFile file(path, Mode::write);
    const std::int64_t session = file.begin_session(make_session());
    Measurement measurement = full_measurement();
    measurement.what.problem_class.clear();
    stop_at_every_write();
    for (int n = 20; n < 22; ++n) {
      measurement.what.problem.n = n;
      file.add(session, measurement);
    }
    _exit(0);
  }
  std::size_t known = 20, stops = 0;
  int status = 0;
  while (waitpid(writer, &status, WUNTRACED) == writer && WIFSTOPPED(status)) {
    ++stops;
    std::size_t cases = 0;
    EXPECT_EQ(error_of([&] { cases = ResultsFile(path, Mode::read).load().measurements.size(); }), "")
        << "at write " << stops;
    EXPECT_GE(cases, known) << "at write " << stops;
    known = cases;
    kill(writer, SIGCONT);
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_GE(known, 21u);
  EXPECT_GT(stops, 10u);
  EXPECT_EQ(ResultsFile(path, Mode::read).load().measurements.size(), 22u);
}

TEST(StoreFailures, AReaderLeavesNoCopyBehind) {
  const TemporaryFolder folder;
  ResultsFile writer(folder / "r", Mode::write);
  writer.add(writer.begin_session(make_session()), full_measurement());
  std::filesystem::create_directory(folder / "temporary");
  EXPECT_EQ(in_child([&] {
              setenv("TMPDIR", (folder / "temporary").c_str(), 1);
              return seen_by_reader(folder / "r");
            }),
            "1 case; " + (folder / "r") + written_by_another);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "temporary"));
  expect_has(in_child([&] {
               setenv("TMPDIR", (folder / "none").c_str(), 1);
               return read_error(folder / "r");
             }),
             "is being written by another `sextant`");
}

TEST(StoreFailures, ReadersDoNotDisturbEachOther) {
  const TemporaryFolder folder;
  store_cases(folder / "r", 2);
  const ResultsFile one(folder / "r", Mode::read);
  EXPECT_EQ(in_child([&] { return read_error(folder / "r"); }), "");
  EXPECT_EQ(one.load().measurements.size(), 2u);
}

// Permissions do not restrict root, so the child process changes its user.
std::string as_nobody(const std::function<std::string()>& action) {
  return in_child([&]() -> std::string {
    if (geteuid() == 0 && setuid(65534) != 0) return "cannot change the user";
    return action();
  });
}

TEST(StoreFailures, MissingPermissionsAreSaid) {
  const TemporaryFolder folder;
  const auto permit = [](const std::string& path, int mode) {
    std::filesystem::permissions(path, static_cast<std::filesystem::perms>(mode));
  };
  store_cases(folder / "r", 2);
  permit(folder / "", 0555);
  permit(folder / "r", 0444);
  EXPECT_EQ(as_nobody([&] { return read_error(folder / "r"); }), "");
  expect_has(as_nobody([&] { return write_error(folder / "r"); }), "no permission to write");
  expect_has(as_nobody([&] { return write_error(folder / "new"); }), "you may write");
  expect_has(as_nobody([&] { return write_error(folder / "new"); }), "Permission denied");
  EXPECT_FALSE(std::filesystem::exists(folder / "new"));
  permit(folder / "r", 0666);  // the file is writable, but not its folder, which must hold SQLite's journal
  expect_has(as_nobody([&] { return write_error(folder / "r"); }), "directory");
  permit(folder / "r", 0000);
  expect_has(as_nobody([&] { return read_error(folder / "r"); }), "no permission to read");
  permit(folder / "", 0000);
  expect_has(as_nobody([&] { return read_error(folder / "r"); }), "no permission to reach");
  permit(folder / "", 0755);
  permit(folder / "r", 0644);
  EXPECT_EQ(read_error(folder / "r"), "");
}

TEST(StoreFailures, AFileWhoseWriterWasKilledIsReadWithoutPermissionToWrite) {
  const TemporaryFolder folder;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    ResultsFile file(folder / "r", Mode::write);
    file.add(file.begin_session(make_session()), full_measurement());
    if (write(ends[1], "x", 1) != 1) _exit(1);
    pause();
  }
  close(ends[1]);
  char told = 0;
  ASSERT_EQ(read(ends[0], &told, 1), 1);
  close(ends[0]);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_TRUE(std::filesystem::exists(folder / "r-journal"));  // the killed writer left an empty journal
  std::filesystem::permissions(folder / "r", static_cast<std::filesystem::perms>(0444));
  std::filesystem::permissions(folder / "", static_cast<std::filesystem::perms>(0555));
  EXPECT_EQ(as_nobody([&] { return read_error(folder / "r"); }), "");
  std::filesystem::permissions(folder / "", static_cast<std::filesystem::perms>(0755));
  std::filesystem::permissions(folder / "r", static_cast<std::filesystem::perms>(0644));
  store_cases(folder / "r", 1);
  EXPECT_FALSE(std::filesystem::exists(folder / "r-journal"));
}

// A limit on the file size simulates a full disk.
TEST(StoreFailures, AFullDiskLosesNothingThatWasStored) {
  const TemporaryFolder folder;
  store_cases(folder / "r", 5);
  const std::string error = in_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlim_t limit = std::filesystem::file_size(folder / "r") + 40000;
    const rlimit file_size{limit, limit};
    setrlimit(RLIMIT_FSIZE, &file_size);
    return error_of([&] {
      ResultsFile file(folder / "r", Mode::write);
      const std::int64_t session = file.begin_session(make_session("alpha", "2024-06-01T10:00:00Z"));
      for (int n = 100; n < 10000; ++n) {
        Measurement measurement = full_measurement();
        measurement.what.problem_class.clear();
        measurement.what.problem.n = n;
        file.add(session, measurement);
      }
    });
  });
  expect_has(error, "no space left");
  expect_has(error, "repeat the command to continue");
  const std::size_t stored = ResultsFile(folder / "r", Mode::read).load().measurements.size();
  EXPECT_GT(stored, 10u);
  EXPECT_LT(stored, 1000u);
  store_cases(folder / "r", 6);  // with space again, writing continues
  EXPECT_EQ(ResultsFile(folder / "r", Mode::read).load().measurements.size(), stored + 1);
}

TEST(StoreFailures, AFullDiskAtTheStartLeavesNoDebris) {
  const TemporaryFolder folder;
  const std::string error = in_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit file_size{2000, 2000};
    setrlimit(RLIMIT_FSIZE, &file_size);
    return write_error(folder / "r");
  });
  expect_has(error, "no space left");
  EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
}

// Sessions and measurements with impossible values are rejected, even if their checksums are right.
TEST(StoreFailures, WhatCannotBeIsSaidToBeDamaged) {
  const TemporaryFolder folder;
  store_cases(folder / "r", 2);
  std::set<std::string> said;
  for (const char* sql : {"UPDATE measurement SET session = 77", "DELETE FROM session"}) {
    std::filesystem::copy_file(folder / "r", folder / "other");
    execute(folder / "other", sql);
    said.insert(read_error(folder / "other"));
    std::filesystem::remove(folder / "other");
  }
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  const std::vector<std::function<void(Measurement&)>> changes = {
      [](Measurement& m) { m.what.problem.n = -1; },
      [](Measurement& m) { m.what.problem.n = huge; },
      [](Measurement& m) {
        m.what.problem.extents = {huge, 4, 1};
      },
      [](Measurement& m) {
        m.what.problem.extents = {-4, -4, 1};
      },
      [](Measurement& m) { m.what.problem.extents.z = huge; },
      [](Measurement& m) { m.what.problem.type = static_cast<ElementType>(7); },
      [](Measurement& m) { m.what.cache = static_cast<CacheMode>(2); },
      [](Measurement& m) { m.what.fill = static_cast<InputFill>(4); },
      [](Measurement& m) { m.status = static_cast<Status>(6); },
      [](Measurement& m) { m.isolation = static_cast<Isolation>(5); },
      [](Measurement& m) { m.calls_per_sample = 0; },
      [](Measurement& m) { m.work.bytes_written = huge; },
      [](Measurement& m) { m.work.items = -1; },
      [](Measurement& m) { m.transfers.at(0).bytes = -1; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::string path = folder / std::to_string(i);
    {
      ResultsFile file(path, Mode::write);
      Measurement measurement = full_measurement();
      changes[i](measurement);
      file.add(file.begin_session(make_session()), measurement);
    }
    said.insert(test::replaced(read_error(path), path, "r"));
  }
  expect_said("what cannot be", folder, {said.begin(), said.end()});
}

// A results file must not contain SQL objects that run code, such as triggers and views.
TEST(StoreFailures, ViewsAndTriggersAreRefused) {
  for (const char* sql : {"CREATE TRIGGER odd AFTER INSERT ON measurement BEGIN DELETE FROM measurement; END",
                          "CREATE VIEW odd AS SELECT 1", "CREATE VIRTUAL TABLE odd USING fts5(a)"}) {
    const TemporaryFolder folder;
    store_cases(folder / "r", 2);
    execute(folder / "r", sql);
    expect_said("odd tables", folder, {read_error(folder / "r"), write_error(folder / "r")});
  }
}

// Rows of unknown origin have the keys that new rows need.
TEST(StoreFailures, ARowThatIsInTheWayIsSaidToBeDamage) {
  const TemporaryFolder folder;
  store_cases(folder / "r", 0);
  execute(folder / "r", "DELETE FROM session");
  expect_said("row in the way", folder, {write_error(folder / "r")});
}

// While a run measures, its file is removed, replaced, truncated or overwritten. The run ends and stores its
// measurements in a second file.
TEST(StoreFailures, AFileLostInMidRunIsRescued) {
  const std::vector<std::pair<std::string, std::function<void(const std::string&)>>> losses = {
      {"was removed", [](const std::string& path) { std::filesystem::remove(path); }},
      {"was removed", [](const std::string& path) { std::filesystem::rename(path, path + ".old"); }},
      {"was replaced",
       [](const std::string& path) {
         std::ofstream(path + ".new") << "text";
         std::filesystem::rename(path + ".new", path);
       }},
      {"was cut short", [](const std::string& path) { std::filesystem::resize_file(path, 4096); }},
      {"was cut short", [](const std::string& path) { std::ofstream(path, std::ios::trunc) << "x"; }},
      {"was overwritten", [](const std::string& path) {
         std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
         file.seekp(24);  // SQLite's change counter
         file.write("\x7f\x7f\x7f\x7f", 4);
       }}};
  for (const auto& [what, lose] : losses) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "r.sextant";
    ResultsFile file(path, ResultsFile::Mode::write);
    const std::int64_t session = file.begin_session(test::make_session());
    file.add(session, test::make_measurement(test::make_case("triad", "serial.baseline", 1000), 1e-6));
    lose(path);
    std::string message;
    try {
      file.add(session, test::make_measurement(test::make_case("triad", "serial.baseline", 2000), 1e-6));
    } catch (const UserError& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(what), std::string::npos) << what << ": " << message;
    EXPECT_NE(message.find("r.rescue.sextant"), std::string::npos) << message;
    const Results kept = ResultsFile(folder / "r.rescue.sextant", ResultsFile::Mode::read).load();
    EXPECT_EQ(kept.measurements.size(), 2u) << what;
    EXPECT_EQ(kept.sessions.size(), 1u);
  }
}

TEST(StoreFailures, AFileThatWasLeftAloneIsKept) {
  const test::TemporaryFolder folder;
  ResultsFile file(folder / "r.sextant", ResultsFile::Mode::write);
  const std::int64_t session = file.begin_session(test::make_session());
  file.add(session, test::make_measurement(test::make_case("triad", "serial.baseline", 1000), 1e-6));
  EXPECT_NO_THROW(file.require_kept(session));
}

}  // namespace
}  // namespace sextant
