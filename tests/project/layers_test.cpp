// Tests that each folder of src/ includes only itself and earlier folders in a fixed order.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sextant {
namespace {

const std::filesystem::path source = SEXTANT_SOURCE_DIR;

const std::vector<std::string> layers = {"base",   "suite",    "toolbox", "registry", "record",  "device",
                                         "own",    "trace",    "machine", "plan",     "cluster", "engine",
                                         "store",  "analysis", "tuner",   "predict",  "scaling", "present",
                                         "report", "run",      "cli",     "rank"};

// Forbidden includes that the order of folders would allow. `to` is the start of the included path.
struct Forbidden {
  std::string from, to, why;
};
const std::vector<Forbidden> forbidden = {
    {"record", "registry/", "a record outlives the build that made it"},
    {"device", "registry/", "a device runs what it is given"},
    {"own/description", "own/compile/", "a description is read where nothing compiles"},
    {"own/description", "own/kernel/", "a description is read where nothing runs"},
    {"own/compile", "own/kernel/", "what is compiled is told by its description"},
    {"store", "registry/", "results files describe themselves"},
    {"analysis", "registry/registry.hpp", "an old file is not judged by today's kernels"},
    {"analysis", "plan/plan.hpp", "an old file is not judged by today's kernels"},
    {"analysis", "plan/describe.hpp", "an old file is completed once, when it is loaded"},
    {"analysis", "device/", "analysis works where nothing can run"},
    {"analysis", "machine/", "analysis works where nothing can run"},
    {"analysis", "store/", "analysis reads records, wherever they were kept"},
    {"analysis", "engine/", "analysis works where nothing can run"},
    {"store", "engine/", "the store keeps records, whoever makes them"},
    {"tuner", "registry/", "a space is what a case's variant says, asked through plan"},
    {"predict", "registry/", "a form is made of the kernel that is given"},
    {"predict", "store/", "rows are made of records, wherever they were kept"},
    {"predict", "device/", "prediction works where nothing can run"},
    {"scaling", "registry/", "an old file is not judged by today's kernels"},
    {"scaling", "engine/", "a model is made of records"},
    {"scaling", "store/", "a model is made of records, and never one of them"},
    {"scaling", "predict/", "advice predicts strategies, this what more parts take"},
    {"present", "registry/registry.hpp", "an old file is not judged by today's kernels"},
    {"present", "plan/plan.hpp", "an old file is not judged by today's kernels"},
    {"present", "plan/describe.hpp", "an old file is completed once, when it is loaded"},
    {"present", "engine/", "tables are made of records"},
    {"present", "tuner/", "tables are made of records"},
    {"present", "predict/", "tables are made of records"},
    {"report", "registry/registry.hpp", "an old file is not judged by today's kernels"},
    {"report", "plan/plan.hpp", "an old file is not judged by today's kernels"},
    {"report", "plan/describe.hpp", "an old file is completed once, when it is loaded"},
    {"report", "store/", "the report is made of records"},
    {"report", "engine/", "the report is made of records"},
    {"report", "tuner/", "the report is made of records"},
    {"run", "tuner/", "tunings are chosen before a run"},
    {"run", "report/", "a run makes records"},
};

// The order of the subfolders of a folder of src/. Each subfolder includes only itself and earlier ones.
// Files in the folder itself may include all subfolders, but no subfolder includes these files.
struct Rooms {
  std::string folder;
  std::vector<std::string> order;
  std::size_t least_includes;  // minimum number of includes in these files, which shows that the test has
                               // read them
};
const std::vector<Rooms> rooms = {{"engine", {"form", "case", "parts", "process", "concurrent"}, 100},
                                  {"cli",
                                   {"files", "options", "help", "completion", "advise", "run", "tune",
                                    "compare", "export", "list", "new", "submit"},
                                   100}};

struct Include {
  std::string file, folder;  // path of the file ("src/…") and its folder in the order
  std::string target;        // path between the quotes
};

std::vector<Include> includes_below(const std::string& root) {
  std::vector<Include> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source / root)) {
    const std::string extension = entry.path().extension();
    if (extension != ".hpp" && extension != ".cpp" && extension != ".cu" && extension != ".cuh" &&
        extension != ".in")
      continue;
    const std::filesystem::path relative = std::filesystem::relative(entry.path(), source / root);
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("#include \"", 0) != 0) continue;
      const std::string target = line.substr(10, line.find('"', 10) - 10);
      found.push_back({root + "/" + relative.string(), relative.begin()->string(), target});
    }
  }
  return found;
}

std::string folder_of(const std::string& target) { return target.substr(0, target.find('/')); }

std::ptrdiff_t layer_of(const std::string& folder) {
  return std::find(layers.begin(), layers.end(), folder) - layers.begin();
}

TEST(Layers, EveryFolderOfTheSourceHasItsPlace) {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(source / "src"))
    if (entry.is_directory()) folders.push_back(entry.path().filename());
  std::sort(folders.begin(), folders.end());
  std::vector<std::string> expected = layers;
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(folders, expected);
}

TEST(Layers, AFolderIncludesOnlyFoldersBeforeIt) {
  const std::vector<Include> includes = includes_below("src");
  ASSERT_GT(includes.size(), 400u);
  for (const Include& one : includes) {
    EXPECT_NE(one.target.find('/'), std::string::npos) << one.file << " includes " << one.target;
    EXPECT_LE(layer_of(folder_of(one.target)), layer_of(one.folder))
        << one.file << " includes " << one.target << ", which lies after it";
    for (const Forbidden& rule : forbidden)
      EXPECT_FALSE(one.file.starts_with("src/" + rule.from + "/") && one.target.starts_with(rule.to))
          << one.file << " includes " << one.target << ": " << rule.why;
  }
}

// Returns the subfolder of a file: "options", or "" for the folder itself.
std::string room_of(const std::string& path) {
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

void expect_order_of(const Rooms& rooms_of_folder) {
  const auto& [folder, order, least_includes] = rooms_of_folder;
  const auto position_of = [&order = order](const std::string& room) {
    return room.empty() ? order.end() : std::find(order.begin(), order.end(), room);
  };
  for (const auto& entry : std::filesystem::directory_iterator(source / "src" / folder))
    EXPECT_TRUE(!entry.is_directory() || position_of(entry.path().filename()) != order.end()) << entry.path();
  std::size_t read = 0;
  for (const Include& one : includes_below("src/" + folder)) {
    if (folder_of(one.target) != folder) continue;
    const std::string from = room_of(one.file.substr(("src/" + folder + "/").size())),
                      to = room_of(one.target.substr((folder + "/").size()));
    EXPECT_LE(position_of(to), position_of(from))
        << one.file << " includes " << one.target << ", which lies after it";
    ++read;
  }
  EXPECT_GT(read, least_includes) << folder;
}

TEST(Layers, RoomsIncludeOnlyRoomsBeforeThem) {
  for (const Rooms& one : rooms) expect_order_of(one);
}

// External headers that only certain files may include, because they compile slowly or belong to one folder.
struct OnlyUser {
  std::string header, file;  // how the path between < and >, and the path of the file, must start
  std::string why;
};
const std::vector<OnlyUser> only_users = {
    {"CLI/", "src/cli/options/command.cpp",
     "subcommands see command.hpp beside it, which compiles in no time"},
    {"sqlite3.h", "src/store/", "the store alone knows how results are kept"},
    {"toml++/", "src/own/description/tree_toml.cpp", "a description is a tree, whatever it was written in"},
};

TEST(Layers, HeavyLibrariesHaveOneUser) {
  std::vector<bool> used(only_users.size(), false);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source / "src")) {
    if (!entry.is_regular_file()) continue;
    const std::string name = std::filesystem::relative(entry.path(), source);
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      for (std::size_t i = 0; i < only_users.size(); ++i) {
        if (!line.starts_with("#include <" + only_users[i].header)) continue;
        used[i] = true;
        EXPECT_TRUE(name.starts_with(only_users[i].file))
            << name << ": " << line << ": " << only_users[i].why;
      }
  }
  for (std::size_t i = 0; i < only_users.size(); ++i) EXPECT_TRUE(used[i]) << only_users[i].header;
}

// Kernels may include the headers that define kernels (suite), building blocks (toolbox), and the library
// loader.
TEST(Layers, KernelsSeeFormsAndBuildingBlocksAlone) {
  for (const char* root : {"kernels", "programs", "npb", "patterns"})
    for (const Include& one : includes_below(root)) {
      const std::string folder = folder_of(one.target);
      if (one.target.find('/') == std::string::npos || folder == "..")
        continue;  // a header of the same folder or of another kernel
      EXPECT_TRUE(folder == "suite" || folder == "toolbox" || one.target == "base/dynamic_library.hpp")
          << one.file << " includes " << one.target;
    }
}

// Returns the string literals in a line of code, except those in a comment at its end.
std::vector<std::string> literals_of(const std::string& line) {
  std::vector<std::string> literals;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line.compare(i, 2, "//") == 0) break;
    if (line.compare(i, 3, "'\"'") == 0) i += 2;
    if (line[i] != '"') continue;
    const std::size_t begin = ++i;
    while (i < line.size() && line[i] != '"') i += line[i] == '\\' ? 2 : 1;
    literals.push_back(line.substr(begin, i - begin));
  }
  return literals;
}

// Kernel names, taken from the names of their folders. `stride` also stands for `stride16`. Distinctive names
// (`heat3d`) and prefixes (`npb_`, `lbm_`) also stand for every name that begins with them.
struct KernelNames {
  std::vector<std::string> folders, beginnings;

  KernelNames() {
    for (const char* root : {"kernels", "programs", "npb", "patterns"})
      for (const auto& entry : std::filesystem::directory_iterator(source / root)) {
        const std::string name = entry.path().filename();
        folders.push_back(name);
        if (name.find_first_of("0123456789_") != std::string::npos) beginnings.push_back(name);
        if (std::string(root) == "programs" || std::string(root) == "npb")
          beginnings.push_back(name.substr(0, name.find('_') + 1));
      }
    std::erase(beginnings, "");
  }

  bool in(const std::string& text) const {
    const auto is = [&](const std::string& folder) {
      return text.starts_with(folder) &&
             text.find_first_not_of("0123456789", folder.size()) == std::string::npos;
    };
    const auto begins = [&](const std::string& beginning) { return text.starts_with(beginning); };
    return std::any_of(folders.begin(), folders.end(), is) ||
           std::any_of(beginnings.begin(), beginnings.end(), begins);
  }
};

TEST(Layers, KernelNamesAreTold) {
  const KernelNames names;
  for (const char* name :
       {"triad", "npb_ep", "npb_", "npb_xy", "lbm_", "heat3d_r4", "stride16", "matmul_naive"})
    EXPECT_TRUE(names.in(name)) << name;
  for (const char* name : {"", "copy_in", "copied", "stencil", "scale of", "stride in steps"})
    EXPECT_FALSE(names.in(name)) << name;
  EXPECT_EQ(literals_of(R"(  f("a", '"', "b\"c"); // of "d")"), (std::vector<std::string>{"a", "b\\\"c"}));
}

// String literals that equal a kernel's name but mean something else, such as a ceiling, a group of kernels,
// a trait, or the scale of a figure.
struct Namesake {
  std::string file, literal;
  bool operator==(const Namesake&) const = default;
};
const std::vector<Namesake> namesakes = {
    {"analysis/summary/roofline.cpp", "copy"}, {"analysis/summary/roofline.cpp", "triad"},
    {"report/roofline_section.cpp", "copy"},   {"report/roofline_section.cpp", "triad"},
    {"predict/profile_columns.cpp", "copy"},   {"predict/profile_columns.cpp", "triad"},
    {"predict/form.cpp", "reduction"},         {"predict/form_file.cpp", "reduction"},
    {"predict/data_reading.cpp", "reduction"}, {"present/advice_text.cpp", "reduction"},
    {"report/chart_spec.cpp", "scale"},        {"analysis/summary/data_set.cpp", "scale"},
    {"present/scaling_view.cpp", "scale"},     {"present/links.cpp", "copy"},
    {"present/links.cpp", "all_to_all"}};

// These files name the kernels with which a run tests the machine.
const std::vector<std::string> trials = {"run/cores.cpp", "run/sentinels.cpp"};

// Code that names a kernel may have to change if a kernel is added. The test leaves out cli, whose texts
// contain examples, and code that measures the machine.
TEST(Layers, NothingOutsideItsFolderKnowsAKernelByName) {
  const KernelNames names;
  std::size_t read = 0;
  for (const char* layer : {"suite", "registry", "record", "device", "plan", "engine", "store", "analysis",
                            "tuner", "predict", "present", "report", "run"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source / "src" / layer)) {
      const std::string extension = entry.path().extension();
      if (extension != ".hpp" && extension != ".cpp" && extension != ".cu" && extension != ".cuh") continue;
      const std::string name = std::filesystem::relative(entry.path(), source / "src");
      if (std::find(trials.begin(), trials.end(), name) != trials.end()) continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);)
        for (const std::string& literal : literals_of(line)) {
          ++read;
          const bool namesake =
              std::find(namesakes.begin(), namesakes.end(), Namesake{name, literal}) != namesakes.end();
          EXPECT_TRUE(namesake || !names.in(literal)) << name << " knows \"" << literal << "\"";
        }
    }
  EXPECT_GT(read, 1000u);
}

// src/CMakeLists.txt also lists the folders, in the order of building.
TEST(Layers, TheBuildHasTheSameOrder) {
  std::ifstream file(source / "src/CMakeLists.txt");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  std::size_t last = text.find("foreach(folder ");
  ASSERT_NE(last, std::string::npos);
  for (const std::string& layer : layers) {
    if (layer == "suite" || layer == "toolbox") continue;  // has only headers, so it is not built
    const std::size_t place = text.find(" " + layer, last);
    ASSERT_NE(place, std::string::npos) << layer;
    last = place;
  }
}

}  // namespace
}  // namespace sextant
