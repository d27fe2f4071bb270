// Tests of loading user kernels from hand-made libraries (own/library.cpp), as a user does.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "cli_process.hpp"
#include "own/kernel/library.hpp"
#include "own/kernel/load.hpp"
#include "refusal.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using Arguments = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string library(const std::string& bug) {
  return std::string(SEXTANT_OWN_LIBRARIES) + "/own_" + bug + ".so";
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Returns what `sextant list` prints for the library: the list, or the error message.
Ran listed(const std::string& path) { return run_sextant({"list", "variants", "--load", path}); }

std::string refused(const std::string& path) {
  const Ran ran = listed(path);
  EXPECT_EQ(ran.exit_code, 2) << ran.err << ran.out;
  EXPECT_EQ(ran.out, "");
  return ran.err;
}

Arguments quick(const std::string& file, const Arguments& more) {
  Arguments arguments = {"run",       "-o",  file,     "--no-ceilings", "--no-transfers",
                         "--samples", "2:3", "--type", "float"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Load, ListsWhatALibraryHolds) {
  const Ran ran = listed(library("none"));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "own_scale")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "made by hand")) << ran.out;
  EXPECT_FALSE(contains(ran.out, "triad")) << ran.out;
  const Ran kernels = run_sextant({"list", "--load", library("none"), "--json"});
  EXPECT_TRUE(contains(kernels.out, "\"group\":\"own\"")) << kernels.out;
}

TEST(Load, IsVerifiedInWorkersThatHaveItToo) {
  const Ran ran = run_sextant({"verify", "--load", library("none")});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "own_scale")) << ran.out;
  EXPECT_FALSE(contains(ran.out, "triad")) << ran.out;
}

TEST(Load, WithoutAKernelNamedIsTheSelectionAtThreeSizes) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Ran ran = run_sextant(quick(file, {"--load", library("none")}));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Results results = ResultsFile(file, ResultsFile::Mode::read).load();
  std::vector<std::int64_t> sizes;
  for (const StoredMeasurement& one : results.measurements) {
    EXPECT_EQ(one.measurement.what.kernel, "own_scale");
    EXPECT_EQ(one.measurement.status, Status::ok) << one.measurement.reason;
    sizes.push_back(one.measurement.what.problem.n);
  }
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{1 << 16, 1 << 20, 1 << 24}));
  ASSERT_EQ(results.sessions.size(), 1u);
  EXPECT_TRUE(results.sessions[0].kernels.at("own_scale").study.study.empty());  // its own setting is ignored
  const std::string plugin = value_of(results.sessions[0].environment, "plugin.own_scale");
  EXPECT_EQ(plugin, open_library(library("none")).code + " library own_none.so, by hand -O2");
}

TEST(Load, StandsBesideTheBuildsKernelsIfNamed) {
  const Ran ran = run_sextant(
      {"verify", "--load", library("none"), "-k", "own_scale|triad", "-v", "serial.baseline", "-n", "300"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "own_scale") && contains(ran.out, "triad")) << ran.out;
}

TEST(Load, ComesFromTheEnvironmentToo) {
  const Ran ran = run_sextant({"list"}, {"SEXTANT_KERNELS=" + library("none") + ":" + library("other")});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "own_scale") && contains(ran.out, "own_other")) << ran.out;
  const Ran stale = run_sextant({"list"}, {"SEXTANT_KERNELS=/nowhere/mine.so"});
  EXPECT_TRUE(contains(stale.err, "SEXTANT_KERNELS cannot be loaded: there is no file /nowhere/mine.so"))
      << stale.err;
}

TEST(Load, TakesTwoAndTheSameTwice) {
  const Ran two = run_sextant({"list", "--load", library("none"), "--load", library("other")});
  EXPECT_EQ(two.exit_code, 0) << two.err;
  EXPECT_TRUE(contains(two.out, "own_scale") && contains(two.out, "own_other")) << two.out;
  const Folder folder;
  std::filesystem::create_symlink(library("none"), folder.path("link.so"));
  const Ran twice = run_sextant({"list", "--load", library("none"), "--load", folder.path("link.so")});
  EXPECT_EQ(twice.exit_code, 0) << twice.err;
}

TEST(Load, RefusesNamesThatAreTaken) {
  EXPECT_TRUE(
      contains(refused(library("triad")),
               "own_triad.so defines `triad`, which this build already has. Name the kernel my_triad"));
  EXPECT_TRUE(contains(refused(library("twice")), "own_twice.so defines `own_scale`, and defines it twice"));
  EXPECT_TRUE(contains(refused(library("bad_name")), "own_bad_name.so names a kernel `own scale`"));
  const Folder folder;
  std::filesystem::copy(library("none"), folder.path("copy.so"));
  const Ran ran = run_sextant({"list", "--load", library("none"), "--load", folder.path("copy.so")});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "left out: copy.so defines `own_scale`, as does own_none.so")) << ran.err;
}

TEST(Load, OfSeveralThatIsBadCostsItselfAlone) {
  const std::string nowhere = "/nowhere/mine.so";
  for (const std::vector<std::string>& loads : {std::vector<std::string>{library("nothing"), library("none")},
                                                std::vector<std::string>{library("none"), nowhere}}) {
    const Ran ran = run_sextant({"list", "--load", loads[0], "--load", loads[1]});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, "own_scale")) << ran.out;
    EXPECT_TRUE(contains(ran.err, "left out: ")) << ran.err;
  }
  const Ran none = run_sextant({"list", "--load", library("nothing"), "--load", nowhere});
  EXPECT_EQ(none.exit_code, 2) << none.out;
  EXPECT_TRUE(contains(none.err, "own_nothing.so is not a kernel library")) << none.err;
}

TEST(Load, RefusesWhatIsNotThereOrNoLibraryOfKernels) {
  const Folder folder;
  EXPECT_TRUE(contains(refused(folder.path("none.so")), "there is no file " + folder.path("none.so")));
  std::ofstream(folder.path("text.so")) << "no library";
  EXPECT_TRUE(contains(refused(folder.path("text.so")), "text.so"));
  std::ofstream(folder.path("text.txt")) << "no library";
  EXPECT_TRUE(contains(refused(folder.path("text.txt")), "text.txt is neither a kernel library"));
  EXPECT_TRUE(contains(refused(library("nothing")),
                       "own_nothing.so is not a kernel library: it has no sextant_kernels"));
}

// A copy of the library with one byte of its header changed.
class Patched {
 public:
  explicit Patched(std::size_t offset) {
    std::string bytes = content(library("none"));
    const std::size_t header = bytes.find(std::string("sextant\0", 8));
    EXPECT_NE(header, std::string::npos);
    bytes[header + offset] = static_cast<char>(bytes[header + offset] + 1);
    std::ofstream(path(), std::ios::binary) << bytes;
  }
  std::string path() const { return folder_.path("patched.so"); }

 private:
  Folder folder_;
};

TEST(Load, RefusesALibraryWhoseHeaderIsAnotherInAnyField) {
  const std::string other_forms = "was built for version " + std::to_string(forms_layout + 1) +
                                  " of Sextant's kernel interface, but this program has version " +
                                  std::to_string(forms_layout) + ". Build the library again";
  const struct {
    std::size_t offset;
    std::string says;
  } fields[] = {{offsetof(Plugin, layout), other_forms},
                {offsetof(Plugin, size), "bytes, but this program expects"},
                {offsetof(Plugin, kernel), "has a Kernel of"},
                {offsetof(Plugin, variant), "has a Variant of"},
                {offsetof(Plugin, call), "has a Call of"},
                {offsetof(Plugin, problem), "has a Problem of"},
                {offsetof(Plugin, folder), "has a KernelFolder of"},
                {offsetof(Plugin, entry), "has a VariantFile of"},
                {offsetof(Plugin, cxx11_abi), "was built by by hand with _GLIBCXX_USE_CXX11_ABI="},
                {offsetof(Plugin, cxx_abi), "with the C++ ABI"},
                {0, "does not begin with the expected bytes"}};
  for (const auto& [offset, says] : fields) {
    const Patched patched(offset);
    const std::string why = refused(patched.path());
    EXPECT_TRUE(contains(why, std::string("patched.so ")) && contains(why, says)) << why;
  }
}

TEST(Load, SurvivesWhatEndsTheWorkerThatTriesIt) {
  EXPECT_TRUE(contains(
      refused(library("dies_in_constructor")),
      "own_dies_in_constructor.so cannot be loaded: the worker process that checks the loaded kernels "
      "was killed by signal 6"));
  EXPECT_TRUE(contains(refused(library("exits_in_folders")), "exited with status 7"));
}

TEST(Load, SaysWhatIsWrongWithTheForms) {
  const struct {
    const char *bug, *says;
  } bugs[] = {
      {"no_work", "own_no_work.so: own_scale: the kernel has no `work`"},
      {"negative_work", "the kernel's `work` is negative at N = 2"},
      {"moody_work", "the kernel's `work` differs between two calls at N = 2"},
      {"too_long", "the kernel's arrays hold 2 elements together at N = 1"},
      {"shrinks", "the kernel's `extents` shrink as N grows to 4099"},
      {"unset", "the kernel's reference leaves b[47] unset at N = 97"},
      {"moody_constraint",
       "serial.baseline: its function `constraint` gives two answers for the same tuning at N = 2"},
      {"bad_preferred", "serial.baseline width: the preferred value 3 is not one of the tunable's values"},
      {"bad_adapt",
       "serial.baseline: its function `adapt` sets width to 5, which is not one of the tunable's values, at "
       "N = 2"},
      {"no_output", "no array is an output"},
      {"no_problem", "the kernel's `extents` are zero up to N = "}};
  for (const auto& [bug, says] : bugs) {
    const std::string why = refused(library(bug));
    EXPECT_TRUE(contains(why, says)) << why;
  }
}

TEST(Load, IsMeasuredAgainWhenItsCodeIsAnother) {
  const Folder folder;
  const std::string file = folder.path("r.sextant"), kernels = folder.path("kernels.so");
  std::filesystem::copy(library("none"), kernels);
  const Arguments command = quick(file, {"--load", kernels, "-n", "300"});
  EXPECT_TRUE(contains(run_sextant(command).err, "1 ok; in "));
  EXPECT_TRUE(contains(run_sextant(command).err, "already holds 1 of the 1 cases"));
  std::filesystem::remove(kernels);
  std::this_thread::sleep_for(
      std::chrono::seconds(1));  // sessions are distinguished by the second of their start
  std::filesystem::copy(library("flags"), kernels);
  const Ran other = run_sextant(command);
  EXPECT_TRUE(contains(other.err, "1 of the cases in " + file +
                                      " are measured again, because the code of their kernel has changed"))
      << other.err;
  EXPECT_TRUE(contains(other.err, "1 ok; in ")) << other.err;
  const std::string then = run_sextant(command).err;
  EXPECT_TRUE(contains(then, "already holds 1 of the 1 cases")) << then;
}

TEST(Load, RefusesAFileThatChangedSinceTheCommandBegan) {
  EXPECT_EQ(test::refusal([] { load(library("other"), "0123456789abcdef"); }),
            "own_other.so changed while this command ran. Run the command again.");
}

TEST(Load, ItsResultsAreReadWithoutIt) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  ASSERT_EQ(run_sextant(quick(file, {"--load", library("none"), "-n", "300,3000"})).exit_code, 0);
  const std::string other = folder.path("s.sextant");
  ASSERT_EQ(run_sextant(quick(other, {"--load", library("flags"), "-n", "300,3000"})).exit_code, 0);
  for (const Arguments& command :
       {Arguments{"show", file, "--by", "variants", "-k", "own_scale"},
        Arguments{"export", file, "--format", "csv"}, Arguments{"report", file, "-o", folder.path("r.html")},
        Arguments{"compare", file, other}}) {
    const Ran ran = run_sextant(command);
    EXPECT_EQ(ran.exit_code, 0) << command[0] << ran.err;
    const std::string shown = command[0] == "report" ? content(folder.path("r.html")) : ran.out;
    EXPECT_TRUE(contains(shown, "own_scale")) << command[0] << shown.substr(0, 2000);
    const std::string codes = "plugin.own_scale: " + open_library(library("none")).code +
                              " library own_none.so, by hand -O2 -> " + open_library(library("flags")).code;
    EXPECT_EQ(contains(shown, codes), command[0] == "compare") << shown.substr(0, 2000);
  }
  const Ran study = run_sextant({"show", file, "--by", "study"});
  EXPECT_TRUE(contains(study.out, "own: own_scale")) << study.out << study.err;
}

TEST(Load, IsTunedAndLaidOutLikeAnyKernel) {
  const Folder folder;
  const Ran dry = run_sextant({"run", "--load", library("none"), "--dry-run"});
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  const Ran tuned = run_sextant({"tune", "--load", library("none"), "-n", "3000", "--type", "float", "--by",
                                 "call", "--samples", "2:3", "-o", folder.path("t.sextant")});
  EXPECT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_TRUE(contains(tuned.out, "width")) << tuned.out;
}

}  // namespace
}  // namespace sextant
