// Tests of the command line: help, version, wrong names, `list`, and invalid input to `run` and `verify`.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "cli_process.hpp"
#include "golden.hpp"
#include "present/format.hpp"
#include "registry/registry.hpp"
#include "tuner/file_text.hpp"

namespace sextant {
namespace {

using Arguments = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Expects this exit code, no standard output, and one short message with all of these parts.
void expect_refusal(const Arguments& arguments, int exit_code, const Arguments& parts) {
  const Ran ran = run_sextant(arguments);
  std::string shown;
  for (const std::string& argument : arguments) shown += " " + argument;
  EXPECT_EQ(ran.exit_code, exit_code) << shown << "\n" << ran.err;
  EXPECT_EQ(ran.out, "") << shown;
  EXPECT_TRUE(contains(ran.err, "sextant: ")) << shown << "\n" << ran.err;
  for (const std::string& part : parts) EXPECT_TRUE(contains(ran.err, part)) << shown << "\n" << ran.err;
}

TEST(Program, ShowsHelpAndVersion) {
  const Ran help = run_sextant({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* name : {"list", "run", "verify"})
    EXPECT_TRUE(contains(help.out, std::string("\n  ") + name)) << name;
  EXPECT_FALSE(contains(help.out, "worker"));  // an internal subcommand
  EXPECT_TRUE(contains(help.out, "Exit codes:\n  0     success\n"));
  EXPECT_TRUE(contains(run_sextant({"--version"}).out, "sextant "));
}

TEST(Program, OffersAFileOfTuningsWhereItIsRead) {
  for (const char* name : {"run", "submit", "profile"})
    EXPECT_TRUE(contains(run_sextant({name, "--help"}).out, "`tuned=FILE`")) << name;
  for (const char* name : {"verify", "tune", "advise", "predict", "show", "compare", "export"})
    EXPECT_FALSE(contains(run_sextant({name, "--help"}).out, "`tuned=FILE`")) << name;
}

// Returns the subcommands in the program's help. Their lines start with two spaces and a letter.
std::vector<std::string> subcommand_names() {
  std::vector<std::string> names;
  std::istringstream help(run_sextant({"--help"}).out);
  std::string line;
  while (std::getline(help, line))
    if (line.starts_with("  ") && std::islower(static_cast<unsigned char>(line[2])))
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
  return names;
}

TEST(Program, HasExamplesInTheHelpOfEverySubcommand) {
  const std::vector<std::string> names = subcommand_names();
  EXPECT_GE(names.size(), 15u);
  for (const std::string& name : names) {
    const Ran ran = run_sextant({name, "--help"});
    EXPECT_EQ(ran.exit_code, 0) << name;
    EXPECT_TRUE(contains(ran.out, "sextant " + name)) << name << " has no example";
  }
}

TEST(Program, BreaksHelpIntoLinesOfAHundredCharacters) {
  std::vector<Arguments> helps = {{"--help"}};
  for (const std::string& name : subcommand_names()) helps.push_back({name, "--help"});
  for (const Arguments& arguments : helps) {
    std::istringstream help(run_sextant(arguments).out);
    for (std::string line; std::getline(help, line);)
      EXPECT_LE(display_width(line), 100u) << arguments[0] << ": " << line;
  }
}

// Every help line must fit into 80 columns, except for commands to copy. Option types must be plain text.
TEST(Program, FitsHelpIntoATerminal) {
  for (const std::string& name : subcommand_names()) {
    std::istringstream help(run_on_terminal({name, "--help"}, {"TERM=xterm"}, 80).out);
    for (std::string line; std::getline(help, line);) {
      if (line.ends_with('\r')) line.pop_back();
      EXPECT_TRUE(display_width(line) <= 80 || (line.starts_with("  sextant ") && !contains(line, "   ")))
          << line;
      EXPECT_FALSE(contains(line, ":{") || contains(line, ":INT in") || contains(line, "… ...")) << line;
    }
  }
}

// Returns the arguments of each example in `sextant NAME --help`. Two spaces separate an example from its
// description.
std::vector<Arguments> examples_of(const std::string& name) {
  std::vector<Arguments> examples;
  std::istringstream help(run_sextant({name, "--help"}).out);
  for (std::string line; std::getline(help, line);) {
    if (!line.starts_with("  sextant " + name)) continue;
    line = line.substr(2, line.find("  ", 2) - 2);
    std::istringstream words(line);
    Arguments arguments;
    for (std::string word; words >> word;) {
      std::erase(word, '\'');
      arguments.push_back(word);
    }
    arguments.erase(arguments.begin());
    examples.push_back(arguments);
  }
  return examples;
}

TEST(Program, ExamplesOfRunNameWhatThereIs) {
  const std::vector<Arguments> examples = examples_of("run");
  EXPECT_GE(examples.size(), 5u);
  for (Arguments arguments : examples) {
    arguments.push_back("--dry-run");
    const Ran ran = run_sextant(arguments);
    EXPECT_TRUE(ran.exit_code == 0 || contains(ran.err, "left out of this build") ||
                contains(ran.err, "--devices needs GPUs, but this machine has no GPU"))
        << ran.err;
  }
}

TEST(Program, RefusesWrongNamesWithTheNearest) {
  expect_refusal({}, 2, {"subcommand is required", "sextant --help"});
  expect_refusal({"lst"}, 2, {"no subcommand `lst`", "`list`"});
  expect_refusal({"new"}, 2, {"NAME|FILE.cu|FILE.cpp is missing", "sextant new --help"});
  expect_refusal({"merge", "r.sextant"}, 2, {"--output FILE is missing. `sextant merge --help`"});
  expect_refusal({"export", "--format", "cvs", "r.sextant"}, 2,
                 {"`cvs` is none of csv, ndjson", "Did you mean `csv`? `sextant export --help`"});
  expect_refusal({"list", "--jsn"}, 2, {"no option `--jsn`", "`--json`", "sextant list --help"});
  expect_refusal({"run", "--kernel=copy"}, 2, {"no option `--kernel`", "`--kernels`"});
  expect_refusal({"run", "copy"}, 2, {"unexpected argument `copy`", "sextant run --help"});
  expect_refusal({"run", "-n"}, 2, {"--sizes", "sextant run --help"});
}

TEST(List, NamesKernelsAndVariants) {
  const Ran kernels = run_sextant({"list"});
  EXPECT_EQ(kernels.exit_code, 0) << kernels.err;
  EXPECT_TRUE(kernels.out.starts_with("kernel"));
  EXPECT_TRUE(contains(kernels.out, "c[i] = a[i] + s*b[i]"));
  EXPECT_EQ(kernels.out, run_sextant({"list", "kernels"}).out);
  EXPECT_TRUE(contains(run_sextant({"list", "variants", "-k", "triad"}).out, "[in brackets]: the default"));
  const Ran variants = run_sextant({"list", "variants", "-k", "triad", "--json"});
  EXPECT_EQ(variants.exit_code, 0) << variants.err;
  EXPECT_TRUE(
      contains(variants.out,
               R"({"kernel":"triad","variant":"serial.baseline","model":"serial","memory_space":"host")"));
  EXPECT_TRUE(contains(variants.out, R"("file":"kernels/triad/serial.cpp")"));
  EXPECT_TRUE(
      contains(variants.out, R"("file":"kernels/triad/cuda.cu")"));  // listed even if the build lacks CUDA
  EXPECT_TRUE(
      contains(variants.out,
               R"("variant":"cuda.elementwise","model":"cuda")"));  // listed even if the build lacks CUDA
  EXPECT_FALSE(contains(variants.out, R"("kernel":"copy")"));
}

TEST(List, SaysWhichSuiteAKernelIsOf) {
  const Ran list = run_sextant({"list", "--suite", "npb", "--json"});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_TRUE(contains(list.out, R"({"kernel":"npb_ep","suite":"npb",)"));
  EXPECT_FALSE(contains(list.out, R"("suite":"kernels")"));
}

TEST(List, PrintsTheKernelsAsTheyAre) {
  const auto listed = [](const std::vector<std::string>& arguments) {
    return test::without_numbers(run_sextant(arguments).out);
  };
  test::expect_golden(listed({"list", "-k", "copy,triad,matvec", "-v", "serial"}), "cli/list_kernels");
  test::expect_golden(listed({"list", "variants", "-k", "triad", "-v", "serial"}), "cli/list_variants");
}

TEST(List, ShowsWhatIsKnownOfKernelsWithoutRunningThem) {
  const Ran forms = run_sextant({"list", "forms", "-k", "stride4,npb_ep", "--json"});
  EXPECT_EQ(forms.exit_code, 0) << forms.err;
  EXPECT_TRUE(contains(forms.out, R"({"kernel":"stride4","family":"stride","type":"float","n":1048576,)"));
  EXPECT_TRUE(contains(forms.out, R"("stride_read":4)"));
  EXPECT_TRUE(contains(forms.out, R"("stride_read":null)"));  // NPB EP reads no data
  const Ran asked = run_sextant(
      {"list", "forms", "-k", "heat3d_r1", "-n", "8x8x8", "-p", "steps=3", "--type", "double", "--json"});
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_TRUE(contains(asked.out, R"("problem":"8x8x8 steps=3")")) << asked.out;
  EXPECT_TRUE(contains(asked.out, R"("launches":3)"));
  EXPECT_FALSE(contains(asked.out, "float"));
}

TEST(List, ShowsWhatIsKnownOfAMachine) {
  const std::string file = std::string(SEXTANT_SOURCE_DIR) + "/data/h200/study.sextant";
  const Ran profile = run_sextant({"list", "profile", file});
  EXPECT_EQ(profile.exit_code, 0) << profile.err;
  EXPECT_TRUE(contains(profile.out, "NVIDIA H200, 132 multiprocessors; PCIe 5 x16"));
  const Ran json = run_sextant({"list", "profile", file, "--json"});
  EXPECT_TRUE(
      json.out.starts_with(R"({"machine":"h200","processor":"Intel(R) Xeon(R) Processor","sockets":1)"))
      << json.out;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Export, WritesTheDataSetTheSameWheneverItIsWritten) {
  const Folder folder;
  const std::string kernels = std::string(SEXTANT_SOURCE_DIR) + "/data/h200/set-kernels-32.sextant",
                    sweep = std::string(SEXTANT_SOURCE_DIR) + "/data/h200/sweep.sextant";
  const std::string one = folder.path("one"), other = folder.path("other");
  EXPECT_EQ(run_sextant({"export", kernels, sweep, "--format", "data-set", "-o", one}).exit_code, 0);
  EXPECT_EQ(run_sextant({"export", sweep, kernels, "--format", "data-set", "-o", other}).exit_code, 0);
  const std::string checksums = content_of(one + "/checksums");
  EXPECT_EQ(std::count(checksums.begin(), checksums.end(), '\n'), 10);
  EXPECT_EQ(content_of(other + "/checksums"), checksums);
  EXPECT_TRUE(content_of(one + "/cases.csv").starts_with("machine,problem,option,model,variant,tuning,"));
  EXPECT_TRUE(contains(content_of(one + "/machines.csv"), "h200/16,"));
  EXPECT_TRUE(contains(content_of(one + "/folds/kernel-out.csv"), "product,product"));
}

TEST(Export, RefusesWhatMakesNoDataSet) {
  const std::string study = std::string(SEXTANT_SOURCE_DIR) + "/data/h200/study.sextant";
  expect_refusal({"export", study, "--format", "data-set"}, 2, {"several tables", "-o FOLDER"});
  expect_refusal({"export", study, "--format", "data-set", "-k", "triad", "-o", "x"}, 2,
                 {"Leave the options that select cases out"});
  expect_refusal({"export", study, study}, 2, {"reads only one results file", "sextant merge"});
}

// Uses a small results file, and a large one (study.sextant) for the table of missed crossovers.
TEST(Advise, ShowsWhatBaselinesGetOfTheBest) {
  const std::string data = std::string(SEXTANT_SOURCE_DIR) + "/data/h200/";
  const auto evaluate = [&](const std::vector<std::string>& more) {
    std::vector<std::string> asked = {"advise", "--evaluate", data + "set-kernels-32.sextant",
                                      data + "set-profile-32.sextant"};
    asked.insert(asked.end(), more.begin(), more.end());
    return run_sextant(asked);
  };
  const Ran ran = evaluate({"--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, R"({"times":"call","selector":"always serial","fraction":0.0)")) << ran.out;
  EXPECT_TRUE(contains(ran.out, R"("times":"whole","selector":"roofline","fraction":0.)"));
  const Ran families = evaluate({"--families", "--json"});
  EXPECT_TRUE(contains(families.out, R"({"times":"call","family":")")) << families.out;
  EXPECT_TRUE(contains(families.out, R"("off_openmp":)")) << families.out;
  const Ran losses = evaluate({"--residuals", "--json"});
  EXPECT_TRUE(
      contains(losses.out, R"({"split":"kernel-out","times":"call","machine":"h200x2/32","problem":")"))
      << losses.out;
  const Ran as_used = evaluate({"--as-used", "--json"});
  EXPECT_TRUE(contains(as_used.out, R"({"times":"call","way":"probed for a second","problems":)"))
      << as_used.out;
  EXPECT_TRUE(contains(as_used.out, R"({"times":"single use","way":"sizes 1, 2 probed","problems":)"))
      << as_used.out;
  const std::string loops = std::string(SEXTANT_SOURCE_DIR) + "/data/loops";
  const Ran seen = run_sextant({"advise", "--evaluate", loops, "--as-used", "--json"}),
            held_out = run_sextant({"advise", "--evaluate", loops, "--as-used", "--fit", "--json"});
  EXPECT_TRUE(contains(seen.out, R"({"times":"call","way":"nothing run","problems":275,)")) << seen.out;
  EXPECT_TRUE(contains(held_out.out, R"({"times":"call","way":"nothing run","problems":275,)"))
      << held_out.err;
  EXPECT_NE(seen.out, held_out.out);  // the constants are fitted to other kernels
  const Ran machines = evaluate({"--split", "machine-out"});
  EXPECT_TRUE(contains(machines.out, "nothing to learn from")) << machines.out;  // there is only one machine
  const std::string study = data + "study.sextant";
  const Ran residuals = run_sextant({"advise", "--evaluate", study, "--residuals"});
  for (const char* said :
       {"another run's best", "The problems that cost most", "Chosen and best options", "Errors by option",
        "Crossovers between CPU and GPU", "Crossovers that are missed"})
    EXPECT_TRUE(contains(residuals.out, said)) << said << residuals.out;
  expect_refusal({"advise", "--evaluate", study, "--split", "row-out"}, 2,
                 {"`row-out`", "kernel-out", "size-out"});
}

const std::string study_of_h200 = std::string(SEXTANT_SOURCE_DIR) + "/data/h200/study.sextant";

bool builds_cuda() {
  for (const ModelBuild& build : model_builds())
    if (build.model == Model::cuda) return build.built;
  return false;
}

TEST(Advise, AnswersForAnotherMachineWithItsEvidence) {
  const Folder folder;
  const std::string kept = folder.path("a.sextant");
  const Ran ran = run_sextant({"advise", "-k", "triad", "-n", "1Ki,9437184", "--type", "float", "--profile",
                               study_of_h200, "--from", study_of_h200, "-o", kept});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(
      contains(ran.out, "triad, float, N = 9437184 (3145728); data on the host, used once\n  Take openmp"))
      << ran.out;
  EXPECT_TRUE(contains(ran.out, "as fast as serial")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "\n  Sure: measured, 90 % interval ")) << ran.out;
  EXPECT_TRUE(contains(
      ran.out, builds_cuda() ? "\n  Why: bound by memory; copies cost " : "\n  Why: bound by memory.\n"))
      << ran.out;
  for (const char* inner : {"trees", "Rests on", "Xeon"}) EXPECT_FALSE(contains(ran.out, inner)) << ran.out;
  if (builds_cuda()) {
    EXPECT_TRUE(contains(ran.out, "Copies decide: without copies, take cuda.")) << ran.out;
    EXPECT_TRUE(contains(ran.out, "The GPU pays for its copies from about ")) << ran.out;
  }
  EXPECT_TRUE(contains(ran.out, "openmp overtakes serial at about N = ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "measured")) << ran.out;
  const Ran json =
      run_sextant({"advise", "-k", "triad", "-n", "9437184", "--type", "float", "--profile", study_of_h200,
                   "--from", study_of_h200, "-o", kept, "--json", "--reuse", "resident"});
  EXPECT_TRUE(contains(json.out, builds_cuda() ? "\"choice\": \"cuda\"" : "\"choice\": \"openmp\""))
      << json.out;
  EXPECT_TRUE(contains(json.out, "\"abstains\": false")) << json.out;
  EXPECT_TRUE(contains(json.out, "\"rests_on\": \"measured\"")) << json.out;
  EXPECT_FALSE(std::ifstream(kept).good());  // nothing was measured
}

TEST(Advise, SaysWhatAProcesssFirstCallOfALibraryCosts) {
  const Ran profile = run_sextant({"list", "profile", study_of_h200});
  EXPECT_TRUE(contains(profile.out, "first_use_cublas")) << profile.out;
  EXPECT_TRUE(contains(profile.out, "2.89 ms")) << profile.out;
  if (!builds_cuda()) GTEST_SKIP() << "the library is CUDA's";
  const std::vector<std::string> asked = {
      "advise",      "-k",      "matmul",      "-v",    "library.cublas,openacc,serial.native",
      "-n",          "9437184", "--type",      "float", "--profile",
      study_of_h200, "--from",  study_of_h200, "-o",    "none.sextant"};
  const Ran ran = run_sextant(asked);
  EXPECT_TRUE(contains(ran.out, "The best guess is library.cublas: ")) << ran.out;
  EXPECT_TRUE(contains(
      ran.out, "  A process's first call of cublas takes 2.89 ms more: for a single call take openacc."))
      << ran.out;
  std::vector<std::string> as_json = asked, often = asked;
  as_json.emplace_back("--json");
  EXPECT_TRUE(contains(run_sextant(as_json).out, "\"choice_at_first_use\": \"openacc\""));
  often.insert(often.end(), {"--reuse", "10000"});
  EXPECT_FALSE(contains(run_sextant(often).out, "A process's first call")) << run_sextant(often).out;
}

TEST(Advise, NamesLaunchesThatASearchFound) {
  if (!builds_cuda()) GTEST_SKIP() << "the search was of a CUDA variant";
  const std::string tuned = std::string(SEXTANT_SOURCE_DIR) + "/data/h200/tuned.sextant";
  std::vector<std::string> asked = {"advise",      "-k",      "stencil3d_7pt", "-v",    "cuda.direct",
                                    "-n",          "9437184", "--type",        "float", "--profile",
                                    study_of_h200, "--reuse", "resident",      "-o",    "none.sextant"};
  EXPECT_TRUE(contains(run_sextant(asked).out, "Take cuda.direct block_x=8 block_y=4 block_z=8: "));
  asked.insert(asked.end(), {"--from", tuned});
  EXPECT_TRUE(contains(run_sextant(asked).out, "Take cuda.direct block_x=8 block_y=8 block_z=4: "))
      << run_sextant(asked).out;
}

TEST(Advise, SaysThatThereIsNoGpuForWhatIsAskedFor) {
  if (!builds_cuda()) GTEST_SKIP() << "no variant needs a GPU";
  const Folder folder;
  const std::string kept = folder.path("cpu.sextant");
  const Ran measured =
      run_sextant({"run", "-k", "triad", "-v", "serial", "-n", "300", "--samples", "2:2", "-o", kept},
                  {"CUDA_VISIBLE_DEVICES="});
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  const Ran ran = run_sextant({"advise", "-k", "triad", "-n", "300", "-v", "cuda", "--profile", kept});
  EXPECT_EQ(ran.exit_code, 5) << ran.out;
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(contains(ran.err, "needs a GPU, and this machine has no GPU. --profile FILE gives advice"))
      << ran.err;
}

TEST(Advise, SaysThatItIsNotSureAndWhatToMeasure) {
  const Folder folder;
  const std::string kept = folder.path("a.sextant");
  const std::vector<std::string> asked = {"advise",      "-k",     "triad", "-n",  "65536",
                                          "--type",      "double", "-p",    "x=1", "--profile",
                                          study_of_h200, "-o",     kept};
  expect_refusal(asked, 2, {"x"});
  const Ran ran = run_sextant({"advise", "-k", "triad", "-n", "65536", "--type", "double", "--profile",
                               study_of_h200, "-o", kept, "--risk", "0.001"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "Not sure. The best guess is ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "    sextant run -k triad -v ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, " -n 65536 --type double -o " + kept)) << ran.out;
}

TEST(Advise, TakesAFormWithoutCode) {
  const Folder folder;
  const std::string form = folder.path("mine.toml");
  std::ofstream(form) << "bytes_read = 8\nbytes_written = 4\nflops = 2\nlaunches = 1\n";
  const Ran ran = run_sextant({"advise", "--form", form, "-n", "1Mi,64Mi", "--profile", study_of_h200});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "mine, float, 1048576 items; data on the host, used once")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "openacc")) << ran.out;
  expect_refusal({"advise", "--form", form, "--profile", study_of_h200}, 2, {"has no `extents`", "-n 1Mi"});
  expect_refusal({"advise", "--form", form, "-n", "1Mi", "-k", "triad"}, 2, {"so -k"});
  expect_refusal({"advise", "--form", form, "-n", "1Mi", "--measure", "1"}, 2,
                 {"--measure needs a kernel with code"});
}

TEST(Advise, SpeaksOfLoadedKernels) {
  const Folder folder;
  const std::string saxpy = std::string(SEXTANT_SOURCE_DIR) + "/examples/own/saxpy.cu";
  const Ran ran =
      run_sextant({"advise", "--load", saxpy, "-n", "16Ki", "--type", "float", "--risk", "0.001", "-v",
                   "serial,openmp", "--profile", study_of_h200, "-o", folder.path("a.sextant")},
                  {"SEXTANT_CACHE=" + folder.path("cache")});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "my_saxpy, float, N = 16384 (8192)")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "sextant run --load " + saxpy + " -k my_saxpy -v ")) << ran.out;
}

// After the measurement, the test replaces the machine profile. Otherwise, the answer's uncertainty would
// depend on the machine.
TEST(Advise, MeasuresWhatItNeedsAndAnswers) {
  const Folder folder;
  const std::string kept = folder.path("a.sextant"), cache = folder.path("cache");
  const auto advise = [&](const Arguments& more) {
    Arguments arguments = {"advise", "-k", "triad",         "-n",        "65536", "--type",
                           "float",  "-v", "serial,openmp", "--no-probe"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_sextant(arguments, {"SEXTANT_CACHE=" + cache});
  };
  const Ran first = advise({"-o", folder.path("b.sextant")});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_TRUE(
      contains(first.err, "measuring the profile of this machine (its speeds), which is needed only once"))
      << first.err;
  EXPECT_FALSE(contains(first.err, "measuring triad ")) << first.err;
  std::vector<std::filesystem::path> profiles(std::filesystem::directory_iterator(cache), {});
  ASSERT_EQ(profiles.size(), 1u);
  EXPECT_TRUE(content_of(profiles[0]).starts_with("{\"machine\":"));
  // Without its load: a profile that was measured under load is measured again.
  std::ofstream(profiles[0]) << std::regex_replace(
      run_sextant({"list", "profile", study_of_h200, "--json"}).out, std::regex(R"(,"load":[0-9.]+)"), "");
  const Ran ran = advise({"--risk", "0.001", "--measure", "1", "-o", kept});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(ran.err.starts_with("the profile of this machine (its measured speeds) is from 20")) << ran.err;
  EXPECT_TRUE(contains(ran.err, " UTC. --fresh measures the profile again")) << ran.err;
  EXPECT_FALSE(contains(ran.err, "at best")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "measuring triad ")) << ran.err;
  EXPECT_TRUE(contains(ran.out, "from other cases")) << ran.out;  // of a machine with another profile
  const Ran held = run_sextant({"export", kept});
  EXPECT_EQ(std::count(held.out.begin(), held.out.end(), '\n'), 2) << held.out;  // the header and one case
  EXPECT_TRUE(contains(run_sextant({"list", "profile", kept}).out, "cpu_copy_1Mi"));
  EXPECT_TRUE(contains(content_of(profiles[0]), "first_use_cublas"));
  EXPECT_FALSE(contains(run_sextant({"list", "ceilings", kept}).out, "first_use_"));
}

TEST(Advise, ProbesSmallSizesUnlessToldNotTo) {
  const Folder folder;
  const auto advise = [&](const Arguments& more) {
    Arguments arguments = {"advise", "--load", std::string(SEXTANT_SOURCE_DIR) + "/examples/own/saxpy.cu",
                           "-n",     "64Ki",   "--type",
                           "float",  "-v",     "serial,openmp",
                           "--json", "-o",     folder.path("a")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_sextant(arguments, {"SEXTANT_CACHE=" + folder.path("cache")});
  };
  const Ran probed = advise({}), not_probed = advise({"--no-probe"});
  EXPECT_EQ(probed.exit_code, 0) << probed.err;
  // Under load, the time suffices for small sizes only.
  EXPECT_TRUE(contains(probed.out, "\"rests_on\": \"measured\"") ||
              contains(probed.out, "\"rests_on\": \"nearby\""))
      << probed.out;
  EXPECT_TRUE(contains(not_probed.out, "\"rests_on\": \"physics\"")) << not_probed.out;
  EXPECT_FALSE(std::filesystem::exists(folder.path("a")));
  EXPECT_TRUE(contains(probed.out, "\"over_description\": ")) << probed.out;
  EXPECT_EQ(probed.err.find("profile of this machine"), probed.err.rfind("profile of this machine"))
      << probed.err;
}

TEST(Advise, RefusesWhatItCannotUse) {
  const Folder folder;
  const std::string text = folder.path("notes.txt");
  std::ofstream(text) << "notes";
  expect_refusal({"advise"}, 2, {"needs a kernel", "such as -k matmul -n 1Mi"});
  expect_refusal({"advise", "-k", "tirad", "-n", "1Mi"}, 2, {"`tirad`", "`triad`"});
  expect_refusal({"advise", "-k", "triad", "-n", "1Mi", "--reuse", "0"}, 2, {"--reuse", "resident"});
  expect_refusal({"advise", "-k", "triad", "-n", "1Mi", "--risk", "5x"}, 2, {"--risk"});
  expect_refusal({"advise", "-k", "triad", "-n", "1Mi", "--profile", text}, 2,
                 {text, "sextant list profile --json"});
  EXPECT_TRUE(run_sextant({"advise", "-k", "triad", "-n", "1Mi", "--profile", "no.json"})
                  .err.starts_with("sextant: no.json cannot be read (No such file or directory)"));
  expect_refusal({"advise", "-k", "triad", "-n", "1Mi", "--profile", study_of_h200, "--model-file", text}, 2,
                 {text, "not an advice model", "sextant train FILE.sextant… --model MODEL"});
  expect_refusal({"advise", "-k", "triad", "-n", "1Mi", "--profile", study_of_h200, "--measure", "1"}, 2,
                 {"--profile describes another"});
}

TEST(List, HasTheCpuAmongTheDevices) {
  const Ran devices = run_sextant({"list", "devices", "--json"});
  EXPECT_EQ(devices.exit_code, 0) << devices.err;
  EXPECT_TRUE(contains(devices.out, R"({"device":"cpu")"));
}

TEST(List, RefusesWhatCannotBeListed) {
  expect_refusal({"list", "kernel"}, 2, {"has no list `kernel`", "`kernels`", "`profile`"});
  expect_refusal({"list", "variants", "-k", "tirad"}, 2, {"`tirad`", "`triad`", "sextant list kernels"});
  expect_refusal({"list", "devices", "r.sextant"}, 2, {"takes no file"});
  expect_refusal({"list", "kernels", "-n", "1024"}, 2, {"takes no sizes", "sextant list forms"});
  expect_refusal({"list", "forms", "-n", "1x"}, 2, {"1x"});
  expect_refusal({"list", "ceilings", "/nonexistent/r.sextant"}, 2, {"/nonexistent/r.sextant"});
}

TEST(BadInput, IsRefusedBeforeAnythingRuns) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const auto run = [&](Arguments arguments) {
    arguments.insert(arguments.begin(), {"run", "-o", file});
    return arguments;
  };
  expect_refusal(run({"-k", "tirad"}), 2, {"`tirad`", "`triad`", "sextant list kernels"});
  expect_refusal(run({"-k", "triad", "-v", "serial.nativ"}), 2, {"`serial.native`", "sextant list variants"});
  expect_refusal(run({"-n", "12x"}), 2, {"`12x`", "1Ki:64Mi:x4"});
  expect_refusal(run({"-n", "S", "-k", "triad"}), 2, {"class `S`", "7936"});
  expect_refusal(run({"-k", "triad", "-n", "1"}), 2, {"N = 1 is too small", "The smallest N is 3"});
  expect_refusal(run({"-k", "triad", "-v", "serial", "-t", "block_size=1"}), 2, {"tunable `block_size`"});
  expect_refusal(run({"-k", "matmul", "-t", "depth=7"}), 2, {"depth cannot be 7. Its possible values are "});
  expect_refusal(run({"--type", "half"}), 2, {"no element type `half`", "Choose `float`, `double` or `int`"});
  expect_refusal(run({"-d", "gpux"}), 2, {"no device `gpux`", "sextant list devices"});
  expect_refusal(run({"-d", "gpu77"}), 5, {"gpu77"});
  expect_refusal(run({"--budget", "soon"}), 2, {"`soon` of --budget", "10m"});
  expect_refusal(run({"--timeout", "-3s"}), 2, {"--timeout"});
  expect_refusal(run({"--max-noise", "0.02x"}), 2, {"`0.02x` of --max-noise", "5, 5%"});
  expect_refusal(run({"--samples", "9:3"}), 2, {"`9:3` of --samples"});
  expect_refusal(run({"--shard", "3/2"}), 2, {"`3/2` of --shard"});
  expect_refusal(run({"--cache", "hot"}), 2, {"`hot`", "Choose `warm` or `cold`"});
  EXPECT_FALSE(std::ifstream(file).good()) << "a refused command left a file";
  expect_refusal({"run", "-o", folder.path("missing/r.sextant")}, 2, {"no folder", "mkdir -p"});
  expect_refusal({"run", "-o", folder.path("")}, 2, {"is a folder"});
  expect_refusal({"verify", "-k", "tirad"}, 2, {"`triad`"});
  expect_refusal({"verify", "-n", "0"}, 2, {"less than one element"});
}

TEST(WholeNumbers, MayBeginWithZeros) {
  for (const char* number : {"08", "8"}) {
    const Ran ran = run_sextant({"run", "--dry-run", "-k", "copy", "-n", "300", "--visits", number});
    EXPECT_EQ(ran.exit_code, 0) << number << ran.err;
  }
  // an octal 0144 would be 100, which is allowed
  EXPECT_EQ(run_sextant({"run", "--dry-run", "-k", "copy", "-n", "300", "--visits", "0144"}).exit_code, 2);
}

TEST(Lists, MayBeWrittenWithBlanksInEverySubcommand) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Arguments tuned = {"-k", "stencil2d_4pt", "-v", "openmp.simd", "--type", "float"};
  const auto with = [&](Arguments first, const Arguments& more) {
    first.insert(first.end(), tuned.begin(), tuned.end());
    first.insert(first.end(), more.begin(), more.end());
    return run_sextant(first);
  };
  const Ran ran = with({"run", "--no-ceilings", "--samples", "2:3"},
                       {"-n", "300", "3000", "-t", "rows_per_iteration=2", "-o", file});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "2 ok")) << ran.err;
  const Ran shown = with({"show", "--by", "study"},
                         {"-n", "300", "3000", "-t", "rows_per_iteration=2", "rows_per_iteration=2", file});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_TRUE(contains(shown.out, "stencil2d_4pt")) << shown.out;
}

TEST(Output, NamesAReadOnlyFileSystem) {
  const Folder folder;
  const std::string mount = "mount -t tmpfs -o ro none " + folder.path("");
  if (std::system(("unshare -rm sh -c '" + mount + "' 2>/dev/null").c_str()) != 0)
    GTEST_SKIP() << "nothing can be mounted here";
  const std::string said = folder.path("../") + "sextant-read-only-" + std::to_string(getpid());
  const auto message = [&](const std::string& arguments) {
    std::system(
        ("unshare -rm sh -c '" + mount + " && " SEXTANT_PROGRAM " " + arguments + "' 2>" + said).c_str());
    std::string text;
    std::getline(std::ifstream(said), text);
    std::remove(said.c_str());
    return text;
  };
  EXPECT_TRUE(contains(message("run -k triad -n 300 -v serial -o " + folder.path("r.sextant")),
                       "is on a read-only file system. Name a file"));
}

// If a file reaches the size limit, the run must end with a message, not with a signal.
TEST(Output, SaysThatAFileMayNotGrow) {
  const Folder folder;
  const std::string said = folder.path("said");
  const std::string run = "run -q -k triad -v serial -n 300,3000 --no-ceilings --visits 1 --samples 2:3 -o ";
  const int status = std::system(
      ("(ulimit -f 40; " SEXTANT_PROGRAM " " + run + folder.path("r.sextant") + ") >/dev/null 2>" + said)
          .c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  std::string text;
  std::getline(std::ifstream(said), text);
  EXPECT_TRUE(contains(text, "no space left to store results")) << text;
}

TEST(List, FitsInAHundredColumns) {
  for (const char* what : {"kernels", "variants"}) {
    std::istringstream text(run_sextant({"list", what}).out);
    for (std::string line; std::getline(text, line);)
      EXPECT_LE(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }), 100)
          << line;
  }
}

TEST(BadInput, LeavesAForeignFileUntouched) {
  const Folder folder;
  const std::string file = folder.path("notes.txt");
  std::ofstream(file) << "not results";
  expect_refusal({"run", "-k", "triad", "-n", "99", "-o", file}, 2, {"notes.txt"});
  std::string text;
  std::getline(std::ifstream(file), text);
  EXPECT_EQ(text, "not results");
}

TEST(Train, SaysWhatWasLeftOutOfWhichFilesWhereNothingIsLeft) {
  const Folder folder;
  const std::string bare = folder.path("bare.sextant"), skipped = folder.path("skipped.sextant"),
                    model = folder.path("m.model");
  ASSERT_EQ(run_sextant({"run", "-k", "triad", "-v", "serial.native", "-n", "99", "--type", "float", "-o",
                         bare, "-q", "--no-ceilings"})
                .exit_code,
            0);
  expect_refusal({"train", bare, "--model", model}, 2,
                 {"bare.sextant", "has 1 case: 1 of", "without ceilings", "--no-ceilings"});
  run_sextant({"run", "-k", "triad", "-v", "serial.native", "-n", "2^45", "--type", "float", "-o", skipped,
               "-q", "--no-ceilings"});
  expect_refusal({"train", skipped, "--model", model}, 2,
                 {"skipped.sextant", "The results files have 1 case", "skipped: 1", "sextant show"});
}

}  // namespace
}  // namespace sextant
