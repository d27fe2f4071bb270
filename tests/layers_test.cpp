// The order of the folders of src/: each includes only itself and those before it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sextant {
namespace {

const std::filesystem::path source = SEXTANT_SOURCE_DIR;

const std::vector<std::string> layers = {"base",   "suite",    "toolbox", "registry", "record",
                                         "device", "trace",    "machine", "plan",     "engine",
                                         "store",  "analysis", "present", "report",   "cli"};

// What a folder must not include although it lies before it: paths that begin with `to`.
struct Forbidden {
  std::string from, to, why;
};
const std::vector<Forbidden> forbidden = {
    {"record", "registry/", "a record outlives the build that made it"},
    {"device", "registry/", "a device runs what it is given"},
    {"store", "registry/", "results files describe themselves"},
    {"analysis", "registry/registry.hpp", "an old file is not judged by today's kernels"},
    {"analysis", "device/", "analysis works where nothing can run"},
    {"analysis", "machine/", "analysis works where nothing can run"},
    {"analysis", "engine/", "analysis works where nothing can run"},
    {"store", "engine/", "the store keeps records, whoever makes them"},
    {"present", "registry/registry.hpp", "an old file is not judged by today's kernels"},
    {"present", "engine/", "tables are made of records"},
    {"report", "registry/registry.hpp", "an old file is not judged by today's kernels"},
    {"report", "engine/", "the report is made of records"},
};

struct Include {
  std::string file, folder;  // of the file: "src/…" and its layer
  std::string target;        // what stands between the quotes
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
      EXPECT_FALSE(rule.from == one.folder && one.target.starts_with(rule.to))
          << one.file << " includes " << one.target << ": " << rule.why;
  }
}

// What a kernel's author reads: the forms and the building blocks, and libraries that are opened at run time.
TEST(Layers, KernelsSeeFormsAndBuildingBlocksAlone) {
  for (const char* root : {"kernels", "programs"})
    for (const Include& one : includes_below(root)) {
      const std::string folder = folder_of(one.target);
      if (one.target.find('/') == std::string::npos || folder == "..") continue;  // of its own, or a kernel's
      EXPECT_TRUE(folder == "suite" || folder == "toolbox" || one.target == "base/dynamic_library.hpp")
          << one.file << " includes " << one.target;
    }
}

// The one list besides: the order in which src/CMakeLists.txt builds the libraries.
TEST(Layers, TheBuildHasTheSameOrder) {
  std::ifstream file(source / "src/CMakeLists.txt");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  std::size_t last = text.find("foreach(folder ");
  ASSERT_NE(last, std::string::npos);
  for (const std::string& layer : layers) {
    if (layer == "suite" || layer == "toolbox") continue;  // headers alone
    const std::size_t place = text.find(" " + layer, last);
    ASSERT_NE(place, std::string::npos) << layer;
    last = place;
  }
}

}  // namespace
}  // namespace sextant
