// Converts a profile to a row of features.
#include <limits>

#include "predict/first_uses.hpp"
#include "predict/profile.hpp"

namespace sextant::predict {
namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

double where_positive(double value) { return value > 0 ? value : not_measured; }

struct NamedSize {
  const char* name;
  std::int64_t bytes;
};
constexpr NamedSize footprints[] = {{"64Ki", std::int64_t{64} << 10},
                                    {"1Mi", std::int64_t{1} << 20},
                                    {"16Mi", std::int64_t{16} << 20},
                                    {"256Mi", std::int64_t{256} << 20}};

struct NamedShare {
  const char* name;
  double writes;
};
constexpr NamedShare patterns[] = {{"read", 0}, {"triad", 1.0 / 3}, {"copy", 0.5}, {"write", 1}};

// Libraries whose first use in a process takes additional time.
constexpr const char* libraries[] = {"cublas", "cudnn", "cufft", "cusolver", "cusparse", "openblas", "fftw"};

using Columns = std::vector<ProfileColumn>;

void add_roofline(const std::string& prefix, const Roofline& roofline, Columns* columns) {
  for (const NamedShare& pattern : patterns)
    for (const NamedSize& footprint : footprints)
      columns->push_back({prefix + pattern.name + "_" + footprint.name, "bytes/s",
                          roofline.bandwidth(footprint.bytes, pattern.writes).value_or(not_measured)});
  for (const ElementType type : {ElementType::float32, ElementType::float64})
    columns->push_back({prefix + (type == ElementType::float32 ? "fp32" : "fp64"), "FLOP/s",
                        roofline.flop_rate(type, false).value_or(not_measured)});
}

void add_costs(const std::string& prefix, const CostOverSize& costs, Columns* columns) {
  for (const NamedSize& size : footprints)
    columns->push_back({prefix + size.name, "s", costs.at(size.bytes).value_or(not_measured)});
}

}  // namespace

std::vector<ProfileColumn> profile_columns(const Profile& profile) {
  const GpuProfile gpu = profile.gpu.value_or(GpuProfile());
  Columns columns = {
      {"sockets", "", where_positive(profile.sockets)},
      {"cores", "", where_positive(profile.cores)},
      {"openmp_threads", "", where_positive(profile.threads)},
      {"l1_cache", "bytes", where_positive(profile.l1_cache)},
      {"l2_cache", "bytes", where_positive(profile.l2_cache)},
      {"last_level_cache", "bytes", where_positive(profile.last_level_cache)},
      {"memory", "bytes", where_positive(profile.memory)},
  };
  add_roofline("core_", profile.one_core, &columns);
  add_roofline("cpu_", profile.all_cores, &columns);
  columns.insert(columns.end(),
                 {{"launch_openmp", "s", profile.all_cores.launch_cost("openmp").value_or(not_measured)},
                  {"gpu_multiprocessors", "", where_positive(gpu.multiprocessors)},
                  {"gpu_l2_cache", "bytes", where_positive(gpu.l2_cache)},
                  {"gpu_memory", "bytes", where_positive(gpu.memory)},
                  {"gpu_pcie_generation", "", where_positive(gpu.pcie_generation)},
                  {"gpu_pcie_width", "", where_positive(gpu.pcie_width)}});
  add_roofline("gpu_", profile.on_gpu, &columns);
  for (const char* model : {"cuda", "openacc"})
    columns.push_back(
        {std::string("launch_") + model, "s", profile.on_gpu.launch_cost(model).value_or(not_measured)});
  add_costs("copy_in_", gpu.copy_in, &columns);
  add_costs("copy_out_", gpu.copy_out, &columns);
  add_costs("allocate_", gpu.allocate, &columns);
  add_costs("release_", gpu.release, &columns);
  for (const char* library : libraries)
    columns.push_back({std::string("first_use_") + library, "s",
                       first_use(profile, std::string("library.") + library).value_or(not_measured)});
  return columns;
}

}  // namespace sextant::predict
