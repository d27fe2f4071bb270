// Provides results for the tests of the report. The times of a CPU and a GPU are computed by formulas.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sample_results.hpp"

namespace sextant::test {

struct StudyOptions {
  std::vector<const char*> kernels = {"copy",   "triad",  "stencil1d_2pt", "stencil3d_7pt",
                                      "matvec", "matmul", "matmul_naive"};
  std::vector<std::int64_t> sizes = {7936, 130560, 1310720, 9437184};
  std::vector<ElementType> types = {ElementType::float32};
  bool gpu = true, serial = true;
  int tunings = 3;  // number of tunings of cuda.elementwise
  int samples = 11;
  std::string machine = "alpha";
};

// Returns the arithmetic intensity in FLOP per byte.
inline double intensity_of(const std::string& kernel, std::int64_t n) {
  if (kernel == "copy") return 0;
  if (kernel.starts_with("matmul")) return std::sqrt(static_cast<double>(n) / 3) / 6;
  return kernel == "triad" ? 1.0 / 6 : 0.5;
}

inline void set_work(Measurement* m) {
  const auto bytes = static_cast<std::int64_t>(element_size(m->what.problem.type)) * m->what.problem.n;
  m->work = {.bytes_read = bytes * 2 / 3,
             .bytes_written = bytes / 3,
             .flops = static_cast<std::int64_t>(static_cast<double>(bytes) *
                                                intensity_of(m->what.kernel, m->what.problem.n)),
             .items = m->what.problem.n / 3};
}

// Adds the times of one problem. The CPU reaches 10 GB/s with all cores and 50 GFLOP/s with one. After a
// launch, the GPU reaches 1 TB/s and 20 TFLOP/s.
inline void add_problem(const StudyOptions& options, const char* kernel, ElementType type, std::int64_t n,
                        std::vector<StoredMeasurement>* out) {
  const double bytes = static_cast<double>(n) * static_cast<double>(element_size(type));
  const double flops = bytes * intensity_of(kernel, n);
  const auto add = [&](const std::string& variant, double call, double device, Tuning tuning = {}) {
    Measurement m = make_measurement(make_case(kernel, variant, n, type, std::move(tuning)), call);
    m.call_times = samples_around(call, options.samples);
    set_work(&m);
    if (device > 0) {
      const bool openacc = variant.starts_with("openacc");
      const double copy = openacc ? 1e-3 + bytes / 1e10 : 1e-5 + bytes / 1e10;
      const auto size = static_cast<std::int64_t>(bytes);
      m.device_times = samples_around(device, options.samples);
      m.transfers = {{"a", true, openacc ? "directive" : "pageable", size * 2 / 3, samples_around(copy)},
                     {"c", false, openacc ? "directive" : "pageable", size / 3, samples_around(copy / 2)}};
      if (!openacc) {
        m.transfers.push_back({"a", true, "pinned", size * 2 / 3, samples_around(copy / 3)});
        m.transfers.push_back({"c", false, "pinned", size / 3, samples_around(copy / 6)});
      }
      m.alloc_times = samples_around(5e-5);
      m.end_to_end_times = samples_around(call + 1.5 * copy + 1e-4);
      m.launches = {{"kernel", {64, 1, 1}, {128, 1, 1}, 24, 0, 0.5, device}};
    }
    out->push_back({std::move(m), 1});
  };
  const double one_core = std::max(bytes / 4e9, flops / 5e10),
               all_cores = std::max(bytes / 1e10, flops / 8e11);
  if (options.serial) add("serial.baseline", 1.3 * one_core, 0);
  add("serial.native", one_core, 0);
  add("openmp.simd", 2e-6 + all_cores, 0);
  if (!options.gpu) return;
  const double on_gpu = 1e-6 + std::max(bytes / 1e12, flops / 2e13);
  add("openacc.parallel_loop", 1.3e-5 + 1.1 * on_gpu, 1.1 * on_gpu, {{"vector_length", 128}});
  for (int i = 0; i < options.tunings; ++i) {
    const double loss = 1 + 0.1 * std::abs(i - 1) * (n < 1000000 ? 1 : 2);
    add("cuda.elementwise", 4e-6 + loss * on_gpu, loss * on_gpu,
        {{"block_size", 64 << (i % 5)}, {"items", 1 + i / 5}});
  }
}

inline Results study_results(const StudyOptions& options = {}) {
  Results results;
  Session session = make_session(options.machine);
  session.id = 1;
  session.environment["git_revision"] = "0123456789abcdef";
  session.environment["compiler.serial"] = "GNU 12.2.0";
  session.environment["flags.serial"] = "-O2";
  for (std::int64_t footprint = 1 << 16; footprint <= 1 << 28; footprint *= 4) {
    const double host = footprint < 1 << 20 ? 2e11 : footprint < 1 << 25 ? 6e10 : 1.2e10;
    session.ceilings.push_back({"cpu", "triad", footprint, host});
    if (options.gpu)
      session.ceilings.push_back({"gpu0", "triad", footprint, footprint < 1 << 25 ? 4e12 : 1.2e12});
  }
  session.ceilings.push_back({"cpu", "fp32", 0, 1e12});
  session.ceilings.push_back({"cpu", "fp64", 0, 5e11});
  if (options.gpu) {
    session.ceilings.push_back({"gpu0", "fp32", 0, 2.5e13});
    session.ceilings.push_back({"gpu0", "fp64", 0, 1.2e13});
    session.ceilings.push_back({"gpu0", "h2d_pinned", 0, 2.5e10});
    session.ceilings.push_back({"gpu0", "launch_cuda", 0, 4e-6});
  }
  results.sessions = {session};
  for (const char* kernel : options.kernels)
    for (const ElementType type : options.types)
      for (const std::int64_t n : options.sizes) add_problem(options, kernel, type, n, &results.measurements);
  return results;
}

}  // namespace sextant::test
