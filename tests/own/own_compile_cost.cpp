// Prints the compile time of CUDA files in seconds per tuning. It compiles each file's preferred tuning
// repeatedly without the cache, one at a time and several at once. Run by hand; needs no GPU:
//     own_compile_cost ARCH PROCESSES POINTS FILE…
//     own_compile_cost sm_90 8 32 examples/own/convolution.cu
// The first line is for an empty kernel: the cost of starting the compiler.
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "own/compile/compile_device.hpp"

namespace {

using namespace sextant;
using namespace sextant::own;

constexpr const char* nothing = R"(/* sextant
name = "nothing"
types = ["float"]
sizes = { n = "N" }
arrays = [ { name = "x", role = "out", length = "n" } ]
[variant."cuda.none"]
function = "none"
arguments = ["x"]
block = [32]
grid = [1]
*/
__global__ void none(float*) {}
)";

// Returns the seconds for `points` compilations, of which `processes` run at a time; negative if one failed.
double seconds_for(Description description, std::size_t index, const std::string& arch, int processes,
                   int points) {
  static int count = 0;
  std::vector<Description> each(static_cast<std::size_t>(points), description);
  std::vector<int> tuning;
  for (const DescribedTunable& one : description.variants[index].tunables) tuning.push_back(one.preferred);
  std::vector<Instance> instances;
  for (Description& one : each) {  // a unique macro, so that no image is reused
    one.variants[index].compilation.defines.push_back("SEXTANT_COUNT=" + std::to_string(++count));
    instances.push_back({one, one.variants[index], one.types[0], tuning.data()});
  }
  const double began = now();
  const std::vector<DeviceImage> images = compile_device(instances, arch, processes);
  const double seconds = now() - began;
  for (const DeviceImage& image : images)
    if (image.path.empty()) {
      std::fprintf(stderr, "%s\n", image.problem.c_str());
      return -1;
    }
  return seconds;
}

bool print_costs(const std::string& file, const std::string& arch, int processes, int points) {
  const Description description = read_description(file);
  for (std::size_t i = 0; i < description.variants.size(); ++i) {
    const DescribedVariant& variant = description.variants[i];
    if (variant.model != Model::cuda) continue;
    const double alone = seconds_for(description, i, arch, 1, points),
                 together = seconds_for(description, i, arch, processes, points);
    if (alone < 0 || together < 0) return false;
    std::printf("%-14s %-20s %-6s %8.3f s one at a time %8.3f s with %d at once\n", description.name.c_str(),
                variant.name.c_str(), variant.compilation.nvcc ? "nvcc" : "NVRTC", alone / points,
                together / points, processes);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "own_compile_cost ARCH PROCESSES POINTS FILE…\n");
    return 2;
  }
  char folder[] = "/tmp/own_compile_cost.XXXXXX";
  if (!mkdtemp(folder)) return 1;
  setenv("SEXTANT_CACHE", folder, 1);
  const std::string empty = std::string(folder) + "/nothing.cu";
  std::ofstream(empty) << nothing;
  bool well = print_costs(empty, argv[1], std::stoi(argv[2]), std::stoi(argv[3]));
  for (int i = 4; i < argc; ++i)
    well = print_costs(argv[i], argv[1], std::stoi(argv[2]), std::stoi(argv[3])) && well;
  std::filesystem::remove_all(folder);
  return well ? 0 : 1;
}
