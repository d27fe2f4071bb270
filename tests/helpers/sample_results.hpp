// Provides hand-made results for tests of storing, analysing and showing them.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "record/threads.hpp"
#include "store/results_file.hpp"

namespace sextant::test {

// A temporary folder that is removed with the object.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::filesystem::path& place = {}) {
    std::string name =
        (place.empty() ? std::filesystem::temp_directory_path() : place) / "sextant-test-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline Case make_case(const std::string& kernel, const std::string& variant, std::int64_t n,
                      ElementType type = ElementType::float32, Tuning tuning = {}) {
  Case what;
  what.kernel = kernel;
  what.variant = variant;
  what.problem = {.n = n, .type = type, .extents = {n / 3, 1, 1}, .parameters = {}};
  what.tuning = std::move(tuning);
  what.thread_library = thread_library_by_name(variant);
  const std::string model = variant.substr(0, variant.find('.'));
  what.device = model == "cuda" || model == "openacc" || model == "target" ? "gpu0" : "cpu";
  return what;
}

// Returns `count` samples within 1 % of `median`, which is their median.
inline std::vector<double> samples_around(double median, int count = 11) {
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) samples.push_back(median * (1 + 0.002 * (i - count / 2)));
  return samples;
}

inline Measurement make_measurement(Case what, double call_time) {
  Measurement m;
  m.what = std::move(what);
  m.status = Status::ok;
  m.error = 1e-8;
  m.tolerance = 2e-7;
  m.call_times = samples_around(call_time);
  const std::int64_t bytes =
      m.what.problem.extents.count() * static_cast<std::int64_t>(element_size(m.what.problem.type));
  m.work = {.bytes_read = 2 * bytes,
            .bytes_written = bytes,
            .flops = 2 * m.what.problem.extents.count(),
            .items = m.what.problem.extents.count()};
  m.timestamp = "2024-05-01T10:00:00Z";
  return m;
}

// Returns a measurement in which every field differs from its default.
inline Measurement full_measurement() {
  Measurement m = make_measurement(make_case("triad", "cuda.tuned", 9437184, ElementType::float64,
                                             {{"block_size", 256}, {"items_per_thread", 4}}),
                                   1.25e-5);
  m.what.problem_class = "A";
  m.work.integer_operations = 7;
  m.work.bytes_sent = 9;
  m.seen_times = {0.5e-3, 0.25e-3};
  m.visits = {{1, {0.6e-3, 0.5e-3}}, {3, {0.7e-3}}};
  m.states = {{0, {{6, 1.98e9, false}, {4, 1.71e9, true}}, 350.5, 41.0, "power cap"},
              {3, {{1, {}, {}}}, {}, {}, ""}};
  m.gap = 0.01;
  m.gap_times = {5e-5, 4e-5};
  m.gap_device_times = {3.5e-5};
  m.energies = {0.025, 0.0251};
  m.energy_times = {4e-5, 4.01e-5};
  m.energy_window = 0.5;
  m.idle_power = 75.5;
  m.steady_after = 12.5;
  m.compute_times = {1e-6, 2e-6};
  m.exchange_times = {5e-7};
  m.balance = 0.9;
  m.cores = 3.5;
  m.nodes = 2;
  m.isolation = Isolation::calls_alone;
  m.each = {{"gpu0", 1e-6, 2e-6, 1.9e9, 500.0}, {"gpu1", 2e-6, {}, {}, 600.0}};
  m.what.problem.extents = {3, 5, 7};
  m.what.problem.parameters = {1, -2, 3, 1LL << 40};
  m.what.cache = CacheMode::cold;
  m.what.fill = InputFill::zeros;
  m.reason = "none";
  m.standard_tuning = true;
  m.calls_per_sample = 8;
  m.clock_step = 2e-8;
  m.prepare_times = {3e-3, 1e-3};
  m.first_call = 5e-4;
  m.seed = 0xFEDCBA9876543210u;
  m.device_times = samples_around(9e-6);
  m.transfers = {{"a", true, "pageable", 1000, {1e-5, 2e-5}}, {"c", false, "pinned", 1000, {3e-6}}};
  m.alloc_times = {1e-4, 2e-4};
  m.end_to_end_times = {1e-3};
  m.launches = {{"triad<double, 4>", {10, 2, 3}, {256, 4, 5}, 32, 1024, 0.75, 8.5e-6, 5000}};
  m.counters = {{"dram_bytes_read", 1.5e9}, {"l2_hit_rate", 0.25}};
  m.phases = {{"setup", {0.25, 0.5}}, {"solve", {}}};
  m.clock = 1.98e9;
  m.temperature = 41;
  m.power = 350.5;
  m.warnings = {"noise 3 %: close other programs", "ünïcode \"quoted\"\nand a second line"};
  return m;
}

// Returns a kernel description in which every field differs from its default.
inline KernelDescription full_description() {
  KernelDescription d;
  d.group = "stream";
  d.formula = "c[i] = a[i] + \"s\"*b[i], ünïcode";
  d.dwarf = "dense";
  d.parameters = {"steps", "scene"};
  d.arrays = {{"a", Role::in, "T"}, {"b", Role::inout, "uint8"}, {"c", Role::out, "int"}};
  d.unit = {UnitOfWork::Count::flops, "Mop/s"};
  d.problems = {"S", "W", "A"};
  d.excluded_from_ranking = {"cuda.reordered", "openmp.reordered"};
  d.thread_libraries = {{"library.blas", ThreadLibrary::openblas},
                        {"openmp.one_thread", ThreadLibrary::none},
                        {"openmp.simd", ThreadLibrary::openmp}};
  d.preparations = {{"cuda.tiles", DependsOn::structure}, {"library.blas", DependsOn::values}};
  d.study = {"micro-kernels", 4, {"without_reuse", "never_pays"}};
  d.report = {"EP", "Random numbers generated", true, 2};
  d.published = {{"cuda", "16x16", {{7936, 0.44}, {130560, 1.0 / 3}}, {{7936, 0.001}}}, {"openacc", "128"}};
  return d;
}

inline Session make_session(const std::string& machine = "alpha",
                            const std::string& started = "2024-05-01T10:00:00Z") {
  Session session;
  session.started = started;
  session.command = "sextant run -o results.sextant";
  session.version = "0.1.0";
  session.environment = {{"machine", machine}, {"cpu", "A CPU"}, {"gpu0.name", "A GPU"}};
  return session;
}

}  // namespace sextant::test
