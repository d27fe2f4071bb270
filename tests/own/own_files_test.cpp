// Tests of self-describing source files as a user works with them: drafting, verifying, tuning, running, and
// the examples.
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <thread>

#include "base/child.hpp"
#include "base/error.hpp"
#include "cli_process.hpp"
#include "engine/process/compile_pool.hpp"
#include "engine/process/worker_questions.hpp"
#include "machine/places.hpp"
#include "own/compile/cache.hpp"
#include "own/compile/nvcc.hpp"
#include "own_description.hpp"
#include "store/results_file.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant {
namespace {

using test::with;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const std::string scale = R"own(/* sextant
name = "scale_by"
types = ["float"]
sizes = { n = "N / 2" }
arrays = [ { name = "x", role = "in", length = "n" }, { name = "y", role = "out", length = "n" } ]
reference = "serial.baseline"
tolerance = { relative = "eps", reason = "one rounding" }
[variant."serial.baseline"]
function = "loop"
arguments = ["n", "x", "y"]
[variant."openmp.other"]
function = "other"
arguments = ["n", "x", "y"]
tune = { steps = [1, 2] }
*/
#include <stdlib.h>
void loop(long n, const T* x, T* y) { for (long i = 0; i < n; ++i) y[i] = 3 * x[i]; }
#ifdef steps
void other(long n, const T* x, T* y) { /* here */ for (long i = 0; i < n; ++i) y[i] = 3 * x[i]; }
#endif
)own";

class Files : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }
  Ran run(const std::vector<std::string>& arguments) const {
    return run_sextant(arguments, {"SEXTANT_CACHE=" + folder_.path("cache")});
  }
  // Runs `verify` on the variant openmp.other with `here` inserted in its body.
  Ran verified(const std::string& here)
      const {  // only one tuning, because each is compiled and a hang waits for its timeout
    return run({"verify", "--load", write("scale.cpp", with(scale, "/* here */", here)), "-v", "openmp", "-n",
                "1000", "-t", "steps=1", "--timeout", "10"});
  }
  Folder folder_;
};

TEST_F(Files, AreVerifiedRunAndTuned) {
  const std::string file = write("scale.cpp", scale), results = folder_.path("r.sextant");
  const Ran listed = run({"list", "variants", "--load", file});
  EXPECT_TRUE(contains(listed.out, "openmp.other")) << listed.out << listed.err;
  const Ran verified = run({"verify", "--load", file});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  const Ran ran =
      run({"run", "--load", file, "-n", "20000", "--no-ceilings", "--samples", "2:3", "-o", results});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const Ran tuned = run({"tune", "--load", file, "-v", "openmp", "-n", "20000", "--no-ceilings", "-o",
                         results, "--samples", "2:3"});
  EXPECT_EQ(tuned.exit_code, 0) << tuned.out << tuned.err;
  std::filesystem::remove(file);  // results files need no source
  const Ran shown = run({"show", results, "--by", "variants"});
  EXPECT_TRUE(contains(shown.out, "scale_by")) << shown.out << shown.err;
}

TEST_F(Files, SpacesWithoutAPointAreLeftOut) {
  const std::string file = write(
      "scale.cpp",
      with(scale, "tune = { steps = [1, 2] }",
           "tune = { steps = [1, 2] }\nconstraint = [{ condition = \"n > 99\", reason = \"too small\" }]"));
  const Ran tuned = run({"tune", "--load", file, "-v", "openmp", "-n", "20,2000", "-o",
                         folder_.path("r.sextant"), "--samples", "2:3"});
  EXPECT_EQ(tuned.exit_code, 0) << tuned.out << tuned.err;
  EXPECT_TRUE(contains(tuned.err,
                       "note: 1 of 2 searches is left out, because no tuning is valid. The first is scale_by "
                       "openmp.other float 20: "))
      << tuned.err;
  EXPECT_TRUE(contains(tuned.err, "too small")) << tuned.err;
  EXPECT_TRUE(contains(tuned.out, "scale_by openmp.other float 2000")) << tuned.out;
  const Ran none =
      run({"tune", "--load", file, "-v", "openmp", "-n", "20,30", "-o", folder_.path("r.sextant")});
  EXPECT_EQ(none.exit_code, 2) << none.out;
  EXPECT_TRUE(contains(none.err, "has no valid tuning for this size: too small")) << none.err;
}

// Each bug fails only its own case, with a specific message.
TEST_F(Files, BugsAreCaught) {
  setenv("ASAN_OPTIONS", "handle_segv=0", 0);  // a crash ends the process as it would without sanitizers
  const auto caught = [&](const std::string& here, const std::string& words) {
    const Ran ran = verified(here);
    EXPECT_EQ(ran.exit_code, 3) << here << ": " << ran.out << ran.err;
    EXPECT_TRUE(contains(ran.out + ran.err, words)) << here << ": " << ran.out << ran.err;
  };
  caught("n -= n % 64;", "y[448]");
  caught("y[n] = 0;", "past the end of array y");
  caught("const_cast<T*>(x)[0] = 7;", "x");
  caught("exit(0);", "exit");
  caught("for (volatile bool on = true; on;) {}", "killed while checking");
  caught("int* none = nullptr; *(volatile int*)none = 1;", "signal 11");
  caught("nonsense;", "does not compile: ");
}

// Tests of compiling tunings ahead in several processes. The kernel does not compile for steps = 2.
class Pool : public Files {
 protected:
  Pool() { setenv("SEXTANT_CACHE", folder_.path("cache").c_str(), 1); }
  ~Pool() override { unsetenv("SEXTANT_CACHE"); }
  static Case point(const std::string& variant, ElementType type, const Tuning& tuning,
                    const std::string& device) {
    return {"scale_by", variant, "", {20000, type, {10000, 1, 1}, {}}, tuning, device};
  }
  std::size_t images(const std::string& ending) const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path("cache")))
      count += entry.path().extension() == ending;
    return count;
  }
  const std::string text_ =
      with(with(with(scale, "openmp.other", "serial.other"), "steps = [1, 2]", "steps = [1, 2, 3, 4]"),
           "#ifdef steps", "#ifdef steps\n#if steps == 2\n#error no two\n#endif");
};

// OpenMP binds the first thread of a worker to one processor. Compilers must not inherit this binding, or all
// would share that processor.
TEST_F(Pool, LeavesCompilersAllProcessors) {
  if (!places_for_llvm({}).empty())
    GTEST_SKIP() << "two OpenMP run times: with OMP_PLACES set, GCC's binds a worker before LLVM's counts "
                    "its processors";
  const std::string compiler = write("cxx.sh", "#!/bin/sh\ngrep Cpus_allowed_list /proc/self/status >>\"" +
                                                   folder_.path("allowed") + "\"\nexec g++ \"$@\"\n");
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  setenv("CXX", compiler.c_str(), 1);
  setenv("OMP_PLACES", "threads", 1);
  {
    CompilePool pool({{SEXTANT_PROGRAM, "worker", "--load", write("scale.cpp", text_)}});
    std::vector<Case> cases;
    for (const int steps : {1, 3})
      cases.push_back(point("serial.other", ElementType::float32, {{"steps", steps}}, "cpu"));
    pool.expect(cases, 2);
    pool.finish({});
  }
  unsetenv("CXX");
  unsetenv("OMP_PLACES");
  std::ifstream status("/proc/self/status"), allowed(folder_.path("allowed"));
  std::string own, line;
  while (std::getline(status, own) && !contains(own, "Cpus_allowed_list")) {
  }
  std::size_t compilers = 0;
  for (; std::getline(allowed, line); ++compilers) EXPECT_EQ(line, own);
  EXPECT_GE(compilers, 2u);
}

TEST_F(Pool, CompilesAheadAndKeepsWhatTheCompilerSaid) {
  CompilePool pool({{SEXTANT_PROGRAM, "worker", "--load", write("scale.cpp", text_)}});
  std::vector<Case> cases;
  for (const int steps : {1, 2, 3})
    cases.push_back(point("serial.other", ElementType::float32, {{"steps", steps}}, "cpu"));
  EXPECT_FALSE(pool.knows(cases[0]));
  cases[2].tuning.emplace_back("threads", 1);  // this variant has no such tunable
  pool.expect(cases, 2);
  EXPECT_TRUE(pool.knows(cases[0]));
  pool.finish({});
  EXPECT_EQ(images(".so"), 2u);
  EXPECT_EQ(pool.problem_of(cases[0]), "");
  EXPECT_TRUE(contains(pool.problem_of(cases[1]), "no two")) << pool.problem_of(cases[1]);
  EXPECT_TRUE(pool.knows(cases[2]));
  pool.expect(cases, 2);  // everything is compiled already
  EXPECT_FALSE(pool.is_busy());
}

// A new list replaces compilations that have not started. A running one can still be waited for.
TEST_F(Pool, ForgetsWhatIsNoLongerExpected) {
  CompilePool pool({{SEXTANT_PROGRAM, "worker", "--load", write("scale.cpp", text_)}});
  std::vector<Case> cases;
  for (const int steps : {1, 3, 4})
    cases.push_back(point("serial.other", ElementType::float32, {{"steps", steps}}, "cpu"));
  pool.expect(std::span(cases).first(2), 1);
  pool.expect(std::span(cases).last(1), 1);
  pool.finish(cases[0], {});
  EXPECT_TRUE(pool.knows(cases[0]));
  EXPECT_FALSE(pool.knows(cases[1]));
  pool.finish({});
  EXPECT_TRUE(pool.knows(cases[2]));
  EXPECT_EQ(images(".so"), 2u);
}

TEST_F(Pool, SurvivesItsProcesses) {
  CompilePool pool({{"/bin/false"}});
  const Case one = point("serial.other", ElementType::float32, {{"steps", 1}}, "cpu");
  pool.expect({&one, 1}, 2);
  pool.finish({});
  EXPECT_EQ(pool.problem_of(one), "");
}

// Only the first process asks the driver for the GPU's architecture. The others receive it and need no
// driver.
TEST_F(Pool, AsksAGpuForItsArchitectureOnce) {
  const std::string asked = folder_.path("asked"), worker = write("worker", R"(#!/bin/sh
exec <&3 >&4
echo '{"ready":1}'
while read -r request; do
  echo "$request" >>)" + asked + R"(
  echo '{"arch":"sm_77"}'
  sleep 0.1
  echo '{"compiled":""}'
done
)");
  std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
  CompilePool pool({{worker}});
  std::vector<Case> cases;
  for (const int steps : {1, 2, 3, 4})
    cases.push_back(point("cuda.mine", ElementType::float32, {{"steps", steps}}, "gpu0"));
  pool.expect(cases, 4);
  pool.finish({});
  std::ifstream lines(asked);
  int told = 0, all = 0;
  for (std::string line; std::getline(lines, line); ++all) told += contains(line, "\"arch\":\"sm_77\"");
  EXPECT_EQ(all, 4);
  EXPECT_EQ(told, 3);
}

// All sizes of a tuning run the same code. The compiler's message holds for each of them.
TEST_F(Pool, CompilesTheCodeOfAllSizesOnce) {
  const std::string asked = folder_.path("asked"), worker = write("worker", R"(#!/bin/sh
exec <&3 >&4
echo '{"ready":1}'
while read -r request; do
  echo "$request" >>)" + asked + R"(
  echo '{"compiled":"no such thing"}'
done
)");
  std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
  CompilePool pool({{worker}});
  std::vector<Case> cases;
  for (const ElementType type : {ElementType::float32, ElementType::float64})
    for (const int steps : {1, 2})
      for (const std::int64_t n : {10, 20, 30}) {
        cases.push_back(point("serial.other", type, {{"steps", steps}}, "cpu"));
        cases.back().problem.n = n;
      }
  pool.expect(cases, 4);
  pool.finish({});
  for (const Case& one : cases) {
    EXPECT_TRUE(pool.knows(one));
    EXPECT_EQ(pool.problem_of(one), "no such thing");
  }
  std::ifstream lines(asked);
  int requests = 0;
  for (std::string line; std::getline(lines, line);) ++requests;
  EXPECT_EQ(requests, 4);
}

TEST_F(Files, AMachineTooBusyToAnswerIsSaidToBe) {
  const std::string worker = write("worker", "#!/bin/sh\nexec sleep 100\n");
  std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
  try {
    ask_environment({{worker}}, 0.1);
    FAIL() << "it answered";
  } catch (const UserError& error) {
    EXPECT_TRUE(contains(error.what(), "did not answer within 0.1 s")) << error.what();
    EXPECT_TRUE(contains(error.what(), "nvidia-smi")) << error.what();
  }
}

#if SEXTANT_HAVE_CUDA
// For a named architecture, NVRTC needs no GPU.
TEST_F(Pool, CompilesForAGpuThatIsElsewhere) {
  const std::string file = write("saxpy.cu", with(test::saxpy, "name = \"saxpy\"", "name = \"scale_by\""));
  CompilePool pool({{SEXTANT_PROGRAM, "worker", "--load", file}}, "sm_80");
  std::vector<Case> cases;
  for (const int items : {1, 2, 4})
    for (const int block : {64, 128})
      cases.push_back(point("cuda.mine", ElementType::float32,
                            {{"block_size", block}, {"items", items}, {"flag.math", 0}}, "gpu0"));
  pool.expect(cases, 3);
  pool.finish({});
  for (const Case& one : cases) EXPECT_EQ(pool.problem_of(one), "");
  EXPECT_EQ(images(".cubin"), 3u);  // the block size is passed at launch
  EXPECT_EQ(images(".lock"), 0u);
}
#endif

// The tuner tries one tuning. The pool compiles it and the next ones, one per processor.
TEST_F(Pool, ServesTheTuner) {
  const std::size_t processors = std::thread::hardware_concurrency();
  if (processors < 2) GTEST_SKIP() << "one processor: nothing is compiled besides";
  const std::string file = write("scale.cpp", with(text_, "steps == 2", "steps == 99"));
  const Ran one =
      run({"tune", "--load", file, "-v", "serial.other", "-n", "20000", "-o", folder_.path("r.sextant"),
           "--samples", "2:3", "--strategy", "exhaustive", "--budget", "1"});
  EXPECT_EQ(one.exit_code, 0) << one.out << one.err;
  EXPECT_EQ(images(".so"), 1 + std::min<std::size_t>(processors, 4));  // includes the reference
}

// A tuning that does not compile fails without affecting the others.
TEST_F(Pool, ServesSweeps) {
  const Ran ran = run({"run", "--load", write("scale.cpp", text_), "-v", "serial.other", "-n", "20000", "-t",
                       "all", "-o", folder_.path("r.sextant"), "--samples", "2:3", "--no-ceilings"});
  EXPECT_EQ(ran.exit_code, 3) << ran.out << ran.err;
  EXPECT_TRUE(contains(ran.err, "3 ok, 1 failed")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "does not compile: ") && contains(ran.err, "no two")) << ran.err;
}

TEST_F(Files, ARunMeasuresAgainWhatChanged) {
  const std::string results = folder_.path("r.sextant");
  const auto measure = [&](const std::string& text) {
    return run({"run", "--load", write("scale.cpp", text), "-v", "serial", "-n", "20000", "--no-ceilings",
                "--samples", "2:3", "-o", results});
  };
  EXPECT_EQ(measure(scale).exit_code, 0);
  EXPECT_TRUE(contains(measure(scale).err, "already"));
  const Ran changed = measure(with(scale, "y[i] = 3 * x[i]; }\n#ifdef", "y[i] = x[i] * 3; }\n#ifdef"));
  EXPECT_FALSE(contains(changed.err, "nothing")) << changed.err;
  EXPECT_EQ(changed.exit_code, 0) << changed.err;
}

// If the compiler crashes or is missing, only the cases that it had to compile fail.
TEST_F(Files, CompilersFail) {
  const std::string file = write("scale.cpp", scale), compiler = folder_.path("compiler");
  const auto verified_by = [&](const std::string& script) {
    std::ofstream(compiler) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
    return run_sextant({"verify", "--load", file, "-v", "openmp", "-n", "1000"},
                       {"SEXTANT_CACHE=" + folder_.path("cache"), "CXX=" + compiler});
  };
  const std::string for_two = "case $* in *-fopenmp\\ *) ";
  const Ran killed = verified_by(for_two + "kill -9 $$;; esac; exec g++ \"$@\"");
  EXPECT_EQ(killed.exit_code, 3) << killed.out << killed.err;
  EXPECT_TRUE(contains(killed.err, "was not compiled: the compiler was killed by signal 9")) << killed.err;
  const Ran silent = verified_by(for_two + "exit 1;; esac; exec g++ \"$@\"");
  EXPECT_TRUE(contains(silent.err, "does not compile: the compiler printed no message")) << silent.err;
  std::filesystem::remove(compiler);
  const Ran gone = run_sextant({"verify", "--load", file, "-v", "openmp", "-n", "1000"},
                               {"SEXTANT_CACHE=" + folder_.path("other"), "CXX=" + compiler});
  EXPECT_EQ(gone.exit_code, 2) << gone.out;
  EXPECT_TRUE(contains(gone.err, "there is no compiler " + compiler + " (set CXX to one, or install g++)"))
      << gone.err;
}

TEST_F(Files, CompilersMayHaveALauncher) {
  const Ran ran = run_sextant({"verify", "--load", write("scale.cpp", scale), "-n", "1000"},
                              {"SEXTANT_CACHE=" + folder_.path("cache"), "CXX=env g++"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
}

TEST_F(Files, FewFileDescriptorsAreToldOf) {
  const std::string file = write("scale.cpp", scale);
  const auto verified_with = [&](const std::string& descriptors) {
    return run_to_end(
        {"sh", "-c",
         "ulimit -n " + descriptors + "; SEXTANT_CACHE=" + folder_.path("cache") + " exec \"$0\" \"$@\"",
         SEXTANT_PROGRAM, "verify", "--load", file, "-n", "1000"},
        120);
  };
  const Ended few = verified_with("12");
  EXPECT_EQ(few.code, 2) << few.log;
  EXPECT_TRUE(contains(few.log, "the limit of open files is too low")) << few.log;
  EXPECT_TRUE(verified_with("64").well());
}

// If a kernel forks, the copy of the worker process must end without measuring.
TEST_F(Files, KernelsMayFork) {
  const std::string calls = folder_.path("calls");
  const std::string text =
      with(with(scale, "#ifdef steps", "#include <stdio.h>\n#include <unistd.h>\n#ifdef steps"), "/* here */",
           "static const int first = getpid();\n"
           "  if (getpid() != first) { FILE* f = fopen(\"" +
               calls +
               "\", \"a\"); fputs(\"again\", f); fclose(f); }\n"
               "  static int left = 2;\n"
               "  if (left > 0 && fork() == 0 && --left == 0) sleep(1000);\n"
               "  left = left > 0 ? left - 1 : 0;\n");
  const std::string file = write("scale.cpp", text);
  const Ran ran = run({"run", "--load", file, "-v", "openmp", "-n", "1000", "-t", "steps=1", "--samples",
                       "5:6", "--no-ceilings", "-o", folder_.path("r.sextant")});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_FALSE(std::filesystem::exists(calls));
  const auto rest = [&] { return run_to_end({"pgrep", "-f", "worker --load " + file}, 10).log; };
  for (int i = 0; i < 100 && !rest().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(rest(), "");
}

// This kernel is right only if it runs with two threads.
const std::string team = R"own(/* sextant
name = "team_of_two"
types = ["int"]
sizes = { n = "N / 2" }
arrays = [ { name = "x", role = "in", length = "n" }, { name = "y", role = "out", length = "n" } ]
reference = "serial.baseline"
[variant."serial.baseline"]
function = "two"
arguments = ["n", "x", "y"]
[variant."openmp.team"]
function = "team"
arguments = ["n", "x", "y"]
*/
#ifdef _OPENMP
#include <omp.h>
#endif
void two(long n, const int* x, int* y) { for (long i = 0; i < n; ++i) y[i] = 2; }
void team(long n, const int* x, int* y) {
#ifdef _OPENMP
#pragma omp parallel for
  for (long i = 0; i < n; ++i) y[i] = omp_get_num_threads();
#endif
}
)own";

TEST_F(Files, ClangsOpenMPHasAllThreads) {
  if (run_to_end({"clang++", "--version"}, 10).code != 0) GTEST_SKIP() << "there is no clang++";
  const std::string file = write("team.cpp", team), source = write("empty.cpp", "#include <omp.h>\n");
  if (!run_to_end({"clang++", "-fopenmp", "-fsyntax-only", source}, 30).well())
    GTEST_SKIP() << "it has no OpenMP";
  const Ran ran = run_sextant({"verify", "--load", file, "-n", "1000"},
                              {"SEXTANT_CACHE=" + folder_.path("cache"), "CXX=clang++", "OMP_NUM_THREADS=2"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
}

TEST_F(Files, RecordTheThreadsThatRan) {
  const std::string file = write("team.cpp", with(team, "y[i] = 2", "y[i] = 1"));
  const Ran ran =
      run_sextant({"run", "--load", file, "-n", "1000", "-v", "openmp", "--no-ceilings", "--samples", "2:3",
                   "--json", "-o", folder_.path("r.sextant")},
                  {"SEXTANT_CACHE=" + folder_.path("cache"), "OMP_NUM_THREADS=2", "OMP_THREAD_LIMIT=1"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const Results results = ResultsFile(folder_.path("r.sextant"), ResultsFile::Mode::read).load();
  EXPECT_EQ(results.sessions.at(0).environment.at("openmp.threads"), "1");
}

TEST_F(Files, CacheShowsAndClearsImages) {
  EXPECT_EQ(run({"verify", "--load", write("scale.cpp", scale), "-n", "1000"}).exit_code, 0);
  const std::string other = write("cache/profile.0123456789abcdef.json", "{}");
  const Ran shown = run({"cache"});
  EXPECT_TRUE(contains(shown.out, folder_.path("cache")) && !contains(shown.out, "\n0 images")) << shown.out;
  const Ran cleared = run({"cache", "--clear"});
  EXPECT_TRUE(contains(cleared.err, "removed ")) << cleared.err;
  EXPECT_TRUE(contains(run({"cache"}).out, "\n0 images"));
  EXPECT_EQ(content(other), "{}");
  const Ran wrong =
      run_sextant({"cache"}, {"SEXTANT_CACHE=" + folder_.path("cache"), "SEXTANT_CACHE_LIMIT=much"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(contains(wrong.err, "SEXTANT_CACHE_LIMIT=much is not a cache size")) << wrong.err;
}

// If the cache needs space, it removes the least recently used image (compiled kernel).
TEST_F(Files, CacheKeepsItsLimit) {
  std::filesystem::create_directories(folder_.path("cache"));
  const std::string old = write("cache/old.serial.a.0123456789abcdef.so", std::string(1000, 'x')),
                    newer = write("cache/new.serial.a.0123456789abcdef.so", std::string(1000, 'x'));
  const auto now = std::filesystem::file_time_type::clock::now();
  std::filesystem::last_write_time(old, now - std::chrono::hours(2));
  std::filesystem::last_write_time(newer, now - std::chrono::hours(1));
  const auto verify = [&](const std::string& limit) {
    return run_sextant({"verify", "--load", write("scale.cpp", scale), "-n", "1000", "-v", "serial"},
                       {"SEXTANT_CACHE=" + folder_.path("cache"), "SEXTANT_CACHE_LIMIT=" + limit})
        .exit_code;
  };
  EXPECT_EQ(verify("1G"), 0);
  EXPECT_TRUE(std::filesystem::exists(old));
  std::uintmax_t bytes = 0;
  for (const auto& one : std::filesystem::directory_iterator(folder_.path("cache"))) bytes += one.file_size();
  for (const auto& one : std::filesystem::directory_iterator(folder_.path("cache")))
    if (contains(one.path().filename(), "scale_by.serial.baseline")) std::filesystem::remove(one.path());
  EXPECT_EQ(verify(std::to_string(bytes - 500)), 0);
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(newer));
}

// A CUDA variant that nvcc compiles. The environment variable CUDACXX names nvcc.
const std::string on_gpu = R"own([variant."cuda.loop"]
function = "on_gpu"
arguments = ["n", "x", "y"]
block = ["64"]
grid = ["ceil_div(n, 64)"]
compiler = "nvcc"
*/
#ifdef __CUDACC__
__global__ void on_gpu(long n, const T* x, T* y) {
  const long i = blockIdx.x * 64L + threadIdx.x;
  if (i < n) y[i] = 3 * x[i];
}
#endif
)own";

TEST_F(Files, CudaVariantsAreCompiledWithoutAGpu) {
  const std::string file = write("scale.cu", with(scale, "*/\n#include", on_gpu + "#include"));
  const auto verify = [&](const std::string& nvcc, const std::string& cache) {
    return run_sextant({"verify", "--load", file, "-n", "1000"},
                       {"SEXTANT_CACHE=" + folder_.path(cache), "CUDACXX=" + nvcc, "CUDA_VISIBLE_DEVICES="});
  };
  const Ran gone = verify(folder_.path("gone"), "one");
  EXPECT_EQ(gone.exit_code, 0) << gone.out << gone.err;
  EXPECT_TRUE(contains(gone.err, "1 CUDA variant was neither run") && contains(gone.err, "there is no "))
      << gone.err;
  const std::string nvcc =
      write("nvcc", "#!/bin/sh\ncase $* in --version) echo 1;; *) echo error: bad; exit 1;; esac\n");
  std::filesystem::permissions(nvcc, std::filesystem::perms::owner_all);
  const Ran bad = verify(nvcc, "two");
  EXPECT_EQ(bad.exit_code, 3) << bad.out << bad.err;
  EXPECT_TRUE(contains(bad.out, "FAIL") && contains(bad.err, "does not compile: error: bad"))
      << bad.out << bad.err;
  if (!run_to_end({"nvcc", "--version"}, 10).well()) GTEST_SKIP() << "there is no nvcc";
  const Ran well = verify("nvcc", "three");
  EXPECT_EQ(well.exit_code, 0) << well.out << well.err;
  EXPECT_TRUE(contains(well.err, "1 CUDA variant was compiled for sm_80, but not run")) << well.err;
}

#if SEXTANT_HAVE_CUDA
// Tests similar bugs on a GPU.
TEST_F(Files, BugsOnAGpuAreCaught) {
  if (const Ran ran = run({"doctor", "--require", "gpu"}); ran.exit_code != 0) GTEST_SKIP() << ran.err;
  const auto caught = [&](const std::string& from, const std::string& to, const std::string& words) {
    const std::string own = with(test::saxpy, "name = \"saxpy\"", "name = \"my_saxpy\"");
    const Ran ran = run({"verify", "--load", write("saxpy.cu", with(own, from, to)), "-v", "cuda", "-n",
                         "10000", "--type", "float", "--timeout", "20"});
    EXPECT_EQ(ran.exit_code, 3) << to << ": " << ran.out << ran.err;
    EXPECT_TRUE(contains(ran.out + ran.err, words)) << to << ": " << ran.out << ran.err;
  };
  const std::string line = "if (i < n) y[i] = a * x[i] + y[i];";
  caught(line, "if (i < n - n % 64) y[i] = a * x[i] + y[i];", "y[4992]");
  caught(line, line + " if (i == 0) y[n] = 0;", "past the end of array y");
  caught(line, line + " if (i == 0) const_cast<U*>(x)[0] = 7;", "changed its input array x");
  caught("[\"int(n)\", \"a\"", "[\"n\", \"a\"",
         "n has 8 bytes, the function wants 4. Write int(n) for an int");
  caught(line, line + " if (i == 0) *(volatile int*)nullptr = 1;", "illegal");
  caught(line, line + " for (;;) asm volatile(\"\");", "killed while checking");
  caught(line, "nonsense;", "does not compile: ");
}
#endif

// An error that occurs at every size is reported once. If the kernel hangs, `verify` waits at one size only.
TEST_F(Files, ABugOfAllSizesIsToldOnce) {
  const auto told = [&](const std::string& bug, const std::string& line) {
    const Ran ran = run({"verify", "--load", write("scale.cpp", with(scale, "/* here */", bug)), "-n",
                         "100:600:+100", "-t", "steps=1", "--timeout", "2"});
    EXPECT_EQ(ran.exit_code, 3) << ran.out << ran.err;
    EXPECT_TRUE(contains(ran.err, line)) << ran.err;
    return ran;
  };
  told("nonsense;",
       "  scale_by openmp.other float N=100 steps=1 and 5 other cases: failed: does not compile: ");
  const Ran crash =
      told("abort();",
           "  scale_by openmp.other float N=100 steps=1 and 5 other cases: failed: the worker was killed");
  const std::string note = "A new worker process continues";
  EXPECT_EQ(crash.err.find(note), crash.err.rfind(note)) << crash.err;
  const Ran hang =
      told("for (volatile long k = 0;; k = k + 1) {}",
           "  scale_by openmp.other float N=100 steps=1 and 1 other case: timed_out: not done after 2 s");
  EXPECT_TRUE(contains(
      hang.err,
      "6 ok, 2 timed out, 4 skipped (not begun: at N=100 and N=200 it exceeded the time limit; increase "
      "--timeout)"))
      << hang.err;
}

TEST_F(Files, MistakesAreSaidBeforeAnythingRuns) {
  const auto said = [&](const std::string& from, const std::string& to, const std::string& words) {
    const Ran ran = run({"list", "variants", "--load", write("scale.cpp", with(scale, from, to))});
    EXPECT_EQ(ran.exit_code, 2) << ran.out;
    EXPECT_TRUE(contains(ran.err, words)) << ran.err;
  };
  said("length =", "legnth =",
       "sextant: scale.cpp:5:39: \"legnth\" is not a key of an array. Did you mean `length`?");
  said("scale_by", "triad", "`triad`, which this build already has");
  said("i < n; ++i) y[i] = 3", "i < n - 1; ++i) y[i] = 3", "reference left y[");
  said("relative = \"eps\"", "relative = \"-eps\"",
       "the kernel's `tolerance` is negative or not a number at N = 2");
  said("reference = \"serial.baseline\"\n", "",
       "scale.cpp names no reference, so its results cannot be checked");
  EXPECT_TRUE(contains(run({"list", "--load", write("a.txt", "")}).err,
                       "neither a kernel library (.so) nor a file with a description"));
  EXPECT_TRUE(contains(run({"list", "--load", write("a.cpp", "int a;")}).err, "sextant new"));
}

// A T1 file (a JSON description) has no reference, so the command line names one or skips the check.
class T1Files : public Files {
 protected:
  T1Files() {
    write("scale.json", with(test::t1, "\"Scale\"", "\"Scaling\""));
    write("scale.cu", R"own(
__constant__ float2 factors[8];
extern "C" __global__ void scale(int n, const float* source, float* out) {
  for (int k = 0; k < tile; ++k) {
    const int i = (blockIdx.x * tile + k) * blockDim.x + threadIdx.x;
    if (i < n) out[i] = source[i] * factors[i % 8].x;
  }
}
)own");
    write("right.cpp", R"own(
void scaled(int n, const T* source, T* out, const T* factors) {
  for (int i = 0; i < n; ++i) out[i] = source[i] * factors[2 * (i % 8)];
}
void halved(const T* source, T* out, int n) { for (int i = 1; i < n; ++i) out[i] = source[i] / 2; }
)own");
  }
  Ran with_options(const std::vector<std::string>& more, const std::string& command = "list") const {
    std::vector<std::string> arguments = {command, "--load", folder_.path("scale.json")};
    if (command == "list") arguments.insert(arguments.begin() + 1, "variants");
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  void expect_refused(const std::vector<std::string>& more, const std::string& words,
                      const std::string& command = "list") const {
    const Ran ran = with_options(more, command);
    EXPECT_EQ(ran.exit_code, 2) << ran.out;
    EXPECT_TRUE(contains(ran.err, words)) << ran.err;
  }
  const std::string right_ = folder_.path("right.cpp");
};

TEST_F(T1Files, HaveTheReferenceThatIsNamed) {
  expect_refused(
      {}, "scale.json names no reference, so its results cannot be checked. On the command line, name");
  expect_refused({"--reference", right_ + ":scaled"}, "--tolerance relative=1e-5");
  const Ran ran = with_options({"--reference", right_ + ":scaled", "--tolerance", "relative=eps"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "scaling ") && contains(ran.out, "cuda.t1")) << ran.out;
  expect_refused({"--reference", right_ + ":halved(source, out, n)", "--tolerance", "relative=eps"},
                 "the reference left out[0] unset");
  expect_refused({"--reference", right_ + ":scaled", "--tolerance", "relativ=eps"},
                 "--tolerance relativ=eps is not valid. Write relative=");
  expect_refused({"--reference", right_ + ":scaled", "--tolerance", "relative=epsilon"},
                 "relative uses the unknown name \"epsilon\"");
  expect_refused({"--reference", folder_.path("gone.cpp") + ":scaled"}, "--reference: there is no file ");
  expect_refused({"--reference", "cuda.t1"},
                 "--reference cuda.t1 is neither FILE:FUNCTION nor the name of a serial");
  expect_refused({"--reference", right_ + ":scaled(source", "--tolerance", "relative=eps"},
                 "closing bracket");
  expect_refused({"--reference", right_ + ":scaled(sorce)", "--tolerance", "relative=eps"}, "\"sorce\"");
}

TEST_F(T1Files, AreTimedUncheckedOnlyUnderThatName) {
  const Ran listed = with_options({"--unchecked"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_TRUE(contains(listed.out, "scaling_unchecked")) << listed.out;
  expect_refused({"--unchecked"}, "`sextant verify` needs a reference", "verify");
  expect_refused({"--unchecked", "--reference", right_ + ":scaled", "--tolerance", "relative=eps"},
                 "--unchecked is for files without a reference");
  const Ran ran = with_options({"--unchecked", "--dry-run"}, "run");
  EXPECT_TRUE(contains(ran.out, "scaling_unchecked")) << ran.out << ran.err;
}

TEST_F(T1Files, ListsTheNameThatIsAskedFor) {
  const Ran ran = with_options({"--as", "scale_v2", "--unchecked"});
  EXPECT_TRUE(contains(ran.out, "scale_v2_unchecked")) << ran.out << ran.err;
  expect_refused({"--as", "triad", "--reference", right_ + ":scaled", "--tolerance", "relative=eps"},
                 "scale.json defines `triad`, which this build already has");
  expect_refused({"--as", "a b", "--unchecked"}, "Use letters, digits and _ only");
  expect_refused({"--load", write("scale.cpp", scale), "--as", "b"},
                 "--as describes exactly one kernel of --load, and there are 2");
}

// A description without a reference is treated like a T1 file: it is timed without a check, or checked
// against a reference that the command line names.
TEST_F(Files, WithoutAReferenceAreTimedUnchecked) {
  const std::string none = with(with(scale, "reference = \"serial.baseline\"\n", ""),
                                "tolerance = { relative = \"eps\", reason = \"one rounding\" }\n", "");
  const std::string file = write("scale.cpp", none), results = folder_.path("r.sextant");
  const std::string right =
      write("right.cpp",
            "void right(long n, const T* x, T* y) { for (long i = 0; i < n; ++i) y[i] = 3 * x[i]; }\n");
  const Ran timed = run({"run", "--load", file, "--unchecked", "-n", "20000", "--no-ceilings", "--samples",
                         "2:3", "-o", results});
  EXPECT_EQ(timed.exit_code, 0) << timed.out << timed.err;
  EXPECT_TRUE(contains(timed.out, "scale_by_unchecked") && contains(timed.out, "not checked")) << timed.out;
  EXPECT_TRUE(contains(run({"show", results, "--by", "variants"}).out, "scale_by_unchecked"));
  EXPECT_EQ(run({"verify", "--load", file, "--unchecked"}).exit_code, 2);
  const Ran loose = run({"verify", "--load", file, "--reference", right + ":right"});
  EXPECT_TRUE(contains(loose.err, "gives no tolerance")) << loose.err;
  const Ran checked =
      run({"verify", "--load", file, "--reference", right + ":right", "--tolerance", "relative=eps"});
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
  EXPECT_FALSE(contains(checked.err, "a mistake of both passes")) << checked.err;
}

// `verify` reports what it compares results with, and results files store it.
TEST_F(Files, SayWhatTheyAreCheckedAgainst) {
  const std::string file = write("scale.cpp", scale), results = folder_.path("r.sextant");
  const Ran verified = run({"verify", "--load", file, "-n", "1000"});
  EXPECT_TRUE(
      contains(verified.err,
               "note: scale_by is checked against its own serial.baseline, run in double precision: a "
               "mistake of both passes"))
      << verified.err;
  EXPECT_FALSE(contains(run({"verify", "-k", "triad", "-v", "serial", "-n", "1000"}).err, "checked against"));
  ASSERT_EQ(run({"run", "--load", file, "-n", "20000", "--no-ceilings", "--samples", "2:3", "-o", results})
                .exit_code,
            0);
  const Results stored = ResultsFile(results, ResultsFile::Mode::read).load();
  EXPECT_TRUE(
      value_of(stored.sessions.at(0).environment, "plugin.scale_by")
          .ends_with(", compiled when it runs, checked against its serial.baseline in double precision"));
}

// Each result is within the tolerance, but two calls give different results.
TEST_F(Files, VerifySaysWhatIsNondeterministic) {
  const std::string odd = with(with(scale, "relative = \"eps\"", "relative = \"4 * eps\""), "/* here */",
                               "static int calls = 0; const T by = ++calls % 2 ? T(3) : T(3) + T(0x1p-22);\n"
                               "for (long i = 0; i < n; ++i) y[i] = by * x[i];\nreturn;");
  const Ran ran = run({"verify", "--load", write("scale.cpp", odd), "-n", "1000"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_TRUE(contains(ran.out, "pass, but nondeterministic: two executions on the same inputs")) << ran.out;
  const Ran same = run({"verify", "--load", write("scale.cpp", scale), "-n", "1000"});
  EXPECT_FALSE(contains(same.out, "nondeterministic")) << same.out;
}

// Different arrays must get different inputs. Otherwise, every difference between them would be 0.
TEST_F(Files, LoadWhereDifferencesOfArraysDivide) {
  const std::string close = with(with(scale, "n = \"N / 2\"", "n = \"N / 3\""), "arrays = [",
                                 "arrays = [ { name = \"z\", role = \"in\", length = \"n\" },");
  const std::string text =
      with(with(with(close, "[\"n\", \"x\", \"y\"]\n[variant", "[\"n\", \"x\", \"y\", \"z\"]\n[variant"),
                "void loop(long n, const T* x, T* y)", "void loop(long n, const T* x, T* y, const T* z)"),
           "y[i] = 3 * x[i]; }\n#ifdef", "y[i] = (x[i] - z[i]) / (x[i] - z[i]); }\n#ifdef");
  const Ran ran = run({"list", "variants", "--load", write("close.cpp", text)});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

// If nothing calls a function, the functions that it calls may be missing.
TEST_F(Files, LoadWithoutFunctionsThatNothingCalls) {
  const std::string more =
      with(scale, "#include <stdlib.h>", "void elsewhere();\nvoid unused() { elsewhere(); }");
  const Ran ran = run({"list", "variants", "--load", write("part.cpp", more)});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Ran calls =
      run({"list", "variants", "--load", write("calls.cpp", with(more, "y) { for", "y) { unused(); for"))});
  EXPECT_NE(calls.exit_code, 0);
  EXPECT_TRUE(contains(calls.err, "undefined symbol: _Z9elsewherev")) << calls.err;
}

// The smallest size is large here. A kernel loads if it accepts at least one of the sizes that are tried.
TEST_F(Files, LoadWhatHasNoSmallSize) {
  const std::string large = with(scale, "n = \"N / 2\"", "n = \"max(100000, N / 2)\"");
  const Ran ran = run({"list", "variants", "--load", write("large.cpp", large)});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Ran unset = run({"list", "variants", "--load",
                         write("unset.cpp", with(large, "y) { for", "y) { if (n > 99999) return; for"))});
  EXPECT_EQ(unset.exit_code, 2);
  EXPECT_TRUE(contains(unset.err, "left y[0] unset or wrote a value that is not a number")) << unset.err;
  const std::string huge = with(scale, "n = \"N / 2\"", "n = 100000000");
  EXPECT_TRUE(contains(run({"list", "variants", "--load", write("huge.cpp", huge)}).err,
                       "do not fit into N = 16777216"));
}

// The command line may replace a file's reference. The option --as then gives the results another name.
TEST_F(Files, TakeAnotherReferenceAndName) {
  const std::string file = write("scale.cpp", scale), results = folder_.path("r.sextant");
  const auto measured = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run",           "--load",    file,  "-n", "20000",
                                          "--no-ceilings", "--samples", "2:3", "-o", results};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  EXPECT_EQ(measured({}).exit_code, 0);
  const Ran other = measured({"--reference", "openmp.other", "--as", "scale_by_other"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_TRUE(contains(other.out, "scale_by_other")) << other.out;
  EXPECT_FALSE(contains(other.err, "already")) << other.err;
  const std::string wrong = write(
      "wrong.cpp", "void four(long n, const T* x, T* y) { for (long i = 0; i < n; ++i) y[i] = 4 * x[i]; }\n");
  const Ran ran = measured({"--reference", wrong + ":four", "--fresh"});
  EXPECT_EQ(ran.exit_code, 3) << ran.out << ran.err;
  EXPECT_TRUE(
      contains(measured({"--unchecked"}).err, "scale.cpp names a reference, so its results are checked"));
}

TEST_F(Files, TheDoctorLooksAtThem) {
  const Ran right = run({"doctor", "--json", "--load", write("scale.cpp", scale)});
  EXPECT_EQ(right.exit_code, 0) << right.err;
  EXPECT_TRUE(
      contains(right.out, "scale.cpp: scale_by (serial.baseline, openmp.other); its functions run at"))
      << right.out;
  EXPECT_TRUE(contains(right.out, "scale_by openmp.other compiles")) << right.out;
  const Ran wrong = run({"doctor", "--load", write("scale.cpp", with(scale, "/* here */", "nonsense;"))});
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_TRUE(contains(wrong.out, "scale_by serial.baseline compiles")) << wrong.out;
  EXPECT_TRUE(contains(wrong.out, "scale_by openmp.other does not compile: ")) << wrong.out;
  const Ran unread =
      run({"doctor", "--json", "--load", write("scale.cpp", with(scale, "length =", "legnth ="))});
  EXPECT_EQ(unread.exit_code, 3);
  EXPECT_TRUE(contains(unread.out, "Did you mean `length`?")) << unread.out;
#if SEXTANT_HAVE_CUDA
  const Ran device = run({"doctor", "--as", "my_saxpy", "--load", write("saxpy.cu", test::saxpy)});
  EXPECT_TRUE(contains(device.out, "my_saxpy cuda.mine compiles")) << device.out;
#endif
}

TEST_F(Files, NewDraftsADescription) {
  const std::string file = write("twice.cpp",
                                 "template <typename U>\nvoid twice(long n, const U* x, U* y) {\n  for (long "
                                 "i = 0; i < n; ++i) y[i] = 2 * x[i];\n}\n");
  const Ran drafted = run({"new", file});
  EXPECT_EQ(drafted.exit_code, 0) << drafted.err;
  EXPECT_TRUE(contains(content(file), "/* sextant\nname = \"twice\"")) << content(file);
  const Ran verified = run({"verify", "--load", file, "-n", "1000"});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  EXPECT_TRUE(contains(run({"new", file}).err, "already has a description"));
  EXPECT_TRUE(contains(run({"new", folder_.path("none.cu")}).err, "there is no file"));
  EXPECT_TRUE(contains(run({"new", folder_.path("none.py")}).err, "is not a source"));
  const std::string spaced =
      write("two words.cpp", "void f(long n, const T* x, T* y) { y[0] = x[n - 1]; }\n");
  EXPECT_TRUE(contains(run({"new", spaced}).err,
                       "verify --load '" + spaced + "'"));  // the command can be pasted into a shell
}

// The first draft's numbers lie in [-1, 1), for which this function gives no numbers.
TEST_F(Files, NewDraftsPositiveInputsForALogarithm) {
  const std::string file =
      write("logs.cpp",
            "#include <cmath>\nvoid logs(const double* x, double* y, int n) {\n  for (int "
            "i = 0; i < n; ++i) y[i] = std::log(x[i]);\n}\n");
  EXPECT_EQ(run({"new", file}).exit_code, 0);
  EXPECT_TRUE(contains(content(file), "fill = { low = 1, high = 2 } },  # negative")) << content(file);
  const Ran verified = run({"verify", "--load", file, "-n", "1000"});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
}

// Numbers above 1/6 grow until the difference of two infinities is no number.
TEST_F(Files, NewDraftsSmallInputsForFeedback) {
  const std::string file =
      write("feedback.cpp",
            "void feedback(const float* x, float* y, int n) {\n  for (int i = 0; i < n; "
            "++i) {\n    float s = x[i];\n    for (int k = 0; k < 40; ++k) s = 8 * s * s - "
            "2 * s * s;\n    y[i] = s;\n  }\n}\n");
  EXPECT_EQ(run({"new", file}).exit_code, 0);
  EXPECT_TRUE(contains(content(file), "fill = { low = -0.125, high = 0.125 } },  # larger")) << content(file);
}

// A host function of a .cu file that crashes with all numbers in its arrays stays, with the arrays to
// correct.
TEST_F(Files, NewNamesTheArraysOfAFunctionThatCrashes) {
  const std::string file = write("far.cu",
                                 "__global__ void far(const int* at, float* y, int n) { int i = blockIdx.x * "
                                 "blockDim.x + threadIdx.x; if "
                                 "(i < n) y[i] = y[at[i]]; }\nstatic float* volatile none;\nvoid "
                                 "far_host(const int* at, float* y, int n) "
                                 "{ for (int i = 0; i < n; ++i) y[i] = y[at[i]] + none[n]; }\n");
  const Ran made = run({"new", file});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_TRUE(contains(content(file), "[variant.\"serial.baseline\"]")) << content(file);
  EXPECT_TRUE(contains(content(file), "# it cannot be loaded yet: ")) << content(file);
  EXPECT_TRUE(contains(made.err, "the description cannot be loaded yet: ")) << made.err;
}

// The reference of a launcher has other arrays than its kernel, so the draft describes it alone.
TEST_F(Files, NewDescribesAReferenceWithoutItsKernels) {
  const std::string file =
      write("heat.cu",
            "__global__ void step(int n, const float* from, float* to) { int i = blockIdx.x * blockDim.x + "
            "threadIdx.x; if (i < n) to[i] = 0.5f * from[i]; }\n"
            "void heat(int n, float* d_a, float* d_b) { step<<<n / 256, 256>>>(n, d_a, d_b); }\n"
            "void heat_ref(int n, int steps, float* a) { for (int k = 0; k < 2 * steps; ++k) for (int i = 0; "
            "i < n; "
            "++i) a[i] *= 0.5f; }\n");
  EXPECT_EQ(run({"new", file}).exit_code, 0);
  EXPECT_TRUE(contains(content(file), "# left out: step: no function on the host has their arrays"))
      << content(file);
  EXPECT_TRUE(contains(content(file), "function = \"heat_ref\"")) << content(file);
  const std::string directive = "#pragma omp parallel for\n#endif";
  EXPECT_EQ(contains(content(file), "\n[variant.\"openmp.heat_ref\"]"), contains(content(file), directive));
  EXPECT_FALSE(contains(content(file), "_reference.cpp")) << content(file);
}

// Trial runs of the reference correct a length that the source does not show.
TEST_F(Files, NewCorrectsADraftByTrials) {
  if (address_sanitizer) GTEST_SKIP() << "the build has a sanitizer itself";
  const std::string file =
      write("near.cpp",
            "void near(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i ^ 7]; }\n");
  const Ran made = run({"new", file});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_TRUE(contains(content(file), "length = \"8 * ceil_div(n, 8)\" },  # length found by trial"))
      << content(file);
  EXPECT_FALSE(contains(content(file), "cannot be loaded")) << content(file);
  const Ran verified = run({"verify", "--load", file, "-n", "1000"});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
}

// Structs by value and references are elements of arrays.
TEST_F(Files, NewDescribesReferencesAndStructs) {
  const std::string file =
      write("moved.cpp",
            "struct Pose { float x, y; };\nstruct Font { int wide[256]; short pair[4][4]; };\n"
            "void moved(const unsigned char* text, int n, Pose by, const Font& font, const float& scale, "
            "float* to, "
            "long& total) {\n  for (int i = 0; i < n; ++i) {\n    to[i] = scale * (by.x + "
            "(float)font.wide[text[i]]);\n    "
            "total += font.pair[text[i] & 3][1];\n  }\n}\n");
  EXPECT_EQ(run({"new", file}).exit_code, 0);
  EXPECT_TRUE(contains(content(file),
                       "[\"text\", \"int(n)\", \"*by\", \"*font\", \"float(scale)\", \"to\", \"*total\"]"))
      << content(file);
  const Ran verified = run({"verify", "--load", file, "-n", "1000,5000"});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
}

// Numbers in structs decide how long the function runs, and a zero among them gives no number.
TEST_F(Files, NewLimitsTheNumbersOfStructs) {
  if (address_sanitizer) GTEST_SKIP() << "the build has a sanitizer itself";
  const std::string file = write(
      "bonds.cpp",
      "struct Bond { float worth; int payments; int yearly; };\nstatic float worth(const Bond& b) {\n  float "
      "sum = 0;\n  for (int p = 0; p < b.payments; ++p) sum += b.worth / (1.0f + (float)p / b.yearly);\n  "
      "return sum;\n}\nvoid price(const Bond* book, int n, float* out) {\n  for (int i = 0; i < n; ++i) "
      "out[i] = "
      "worth(book[i]);\n}\n");
  EXPECT_EQ(run({"new", file}).exit_code, 0);
  EXPECT_TRUE(contains(content(file), "high = \"16\", positive = true } },  # larger numbers run long"))
      << content(file);
  const Ran verified = run({"verify", "--load", file, "-n", "1000"});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
}

// A reference that reads behind an array is refused with the array and the index.
TEST_F(Files, AReferenceThatReadsBehindAnArrayIsRefused) {
  unsetenv("ASAN_OPTIONS");  // another test may have set it
  if (address_sanitizer) GTEST_SKIP() << "the build has a sanitizer itself";
  const std::string behind = with(scale, "y[i] = 3 * x[i]; }\n#ifdef", "y[i] = 3 * x[2 * i]; }\n#ifdef");
  const std::string by_nvcc = with(behind, "reference =", "compiler = \"nvcc\"\nreference =");
  for (const auto& [name, source] : {std::pair("behind.cpp", behind), {"behind.cu", by_nvcc}}) {
    if (source == by_nvcc && own::nvcc_version().empty()) continue;
    const Ran listed = run({"list", "variants", "--load", write(name, source)});
    EXPECT_NE(listed.exit_code, 0) << name << listed.out;
    EXPECT_TRUE(contains(listed.err, "the reference reads x[")) << name << listed.err;
  }
}

// The examples are right at tiny, odd and prime sizes in all their types. With a bug in the OpenMP variant,
// they are reported as wrong.
TEST_F(Files, ExamplesAreRightAndPlantedBugsInThemAreWrong) {
  setenv("ASAN_OPTIONS", "handle_segv=0", 0);  // a crash ends the process as it would without sanitizers
  const struct {
    const char *name, *from, *to, *words;
  } examples[] = {{"saxpy.cu", "parallel for simd\n  for (long long i = 0; i < n;",
                   "parallel for simd\n  for (long long i = 0; i < n - 1;", "y["},
                  {"convolution.cu", "parallel for\n  for (long long y = 0;",
                   "parallel for\n  for (long long y = 1;", "out[0]"},
                  {"jacobi.cpp", "parallel for\n  for (long long y = 1; y < h - 1;",
                   "parallel for\n  for (long long y = 1; y < h - 2;", "["},
                  {"histogram.cpp", "reduction(+ : bins[:256])\n  for (long long i = 0;",
                   "reduction(+ : bins[:256])\n  for (long long i = 1;", "bins["}};
  for (const auto& [name, from, to, words] : examples) {
    const std::string text = content(std::string(SEXTANT_SOURCE_DIR) + "/examples/own/" + name);
    const Ran right = run({"verify", "--load", write(name, text), "-v", "serial,openmp"});
    EXPECT_EQ(right.exit_code, 0) << name << right.out << right.err;
    const Ran wrong = run({"verify", "--load", write(name, with(text, from, to)), "-v", "openmp"});
    EXPECT_EQ(wrong.exit_code, 3) << name << wrong.out << wrong.err;
    EXPECT_TRUE(contains(wrong.out, words) && contains(wrong.out, "FAIL")) << name << wrong.out << wrong.err;
  }
}

TEST(OwnFiles, AFileThatCannotBeWrittenLeavesNoPart) {
  const Folder folder;
  std::filesystem::create_directories(folder.path("taken/by"));  // a folder, which a file cannot replace
  EXPECT_FALSE(own::write_file(folder.path("taken"), "text"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path(".")), {}), 1);
}

}  // namespace
}  // namespace sextant
