#include "report/published.hpp"

#include <array>
#include <cstdint>
#include <iterator>

namespace sextant::report {
namespace {

constexpr std::int64_t sizes[] = {7936, 130560, 1310720, 9437184};

struct Line {
  const char* kernel;
  const char* column;
  std::array<double, 4> values;  // at `sizes`
};

// Speed-up over serial, kernel time only.
constexpr Line speedups[] = {
    {"copy", "cuda", {0.44, 4.71, 39.39, 70.37}},
    {"copy", "openacc", {0.41, 3.72, 34.10, 73.10}},
    {"scale", "cuda", {0.31, 9.44, 58.08, 84.45}},
    {"scale", "openacc", {0.54, 7.05, 50.64, 86.43}},
    {"add", "cuda", {0.29, 6.69, 38.14, 73.23}},
    {"add", "openacc", {0.27, 4.59, 35.99, 70.35}},
    {"stencil1d_2pt", "cuda", {0.43, 9.35, 56.92, 93.85}},
    {"stencil1d_2pt", "openacc", {0.42, 7.35, 52.43, 93.67}},
    {"stencil2d_4pt", "cuda", {0.51, 13.49, 62.95, 108.91}},
    {"stencil2d_4pt", "openacc", {0.39, 11.46, 70.17, 115.36}},
    {"stencil3d_7pt", "cuda", {1.02, 16.95, 63.14, 78.11}},
    {"stencil3d_7pt", "openacc", {0.74, 11.24, 40.02, 55.49}},
    {"matvec", "cuda", {0.58, 14.03, 37.77, 46.21}},
    {"matvec", "openacc", {0.75, 9.64, 38.52, 65.16}},
    {"matmul", "cuda", {11.96, 243.08, 304.50, 330.63}},
    {"matmul", "openacc", {14.14, 273.12, 461.84, 472.06}},
    {"matmul_naive", "cuda", {12.88, 358.58, 1511.96, 2367.07}},
    {"matmul_naive", "openacc", {9.79, 294.00, 1187.21, 1827.90}},
    {"stride2", "openacc", {0.41, 5.89, 32.52, 87.22}},
    {"stride4", "openacc", {1.09, 16.03, 74.41, 96.41}},
    {"stride16", "openacc", {1.98, 23.37, 75.33, 71.96}},
    {"stride64", "openacc", {1.83, 31.47, 76.60, 132.23}},
};

constexpr Line speedups_with_transfers[] = {
    {"matvec", "cuda", {0.20, 1.09, 1.17, 1.34}},
    {"matvec", "openacc", {0.001, 0.02, 0.13, 0.44}},
    {"matmul", "cuda", {3.37, 53.20, 133.40, 234.03}},
    {"matmul", "openacc", {0.02, 1.26, 24.25, 167.63}},
    {"matmul_naive", "cuda", {3.23, 49.86, 327.53, 1066.52}},
    {"matmul_naive", "openacc", {0.02, 1.07, 43.79, 467.84}},
};

// Seconds; the same for every kernel.
constexpr Line transfer_times[] = {
    {"", "cuda", {0.04e-3, 0.16e-3, 1.18e-3, 6.97e-3}},
    {"", "openacc", {9.48e-3, 8.75e-3, 10.87e-3, 21.52e-3}},
};

struct Block {
  const char* kernel;
  const char* cuda;
  const char* openacc;
};

constexpr Block blocks[] = {
    {"copy", "1024", "128"},
    {"scale", "1024", "128"},
    {"add", "1024", "128"},
    {"triad", "1024", "128"},
    {"reduction", "128", "128"},
    {"stencil1d_2pt", "128", "128"},
    {"stencil2d_4pt", "16x16", "16x16"},
    {"stencil3d_7pt", "8x8x8", "16x4x32"},
    {"matvec", "64x4", "128"},
    {"matmul", "16x16", "8x8"},
    {"matmul_naive", "16x16", "16x16"},
    {"stride2", "1024", "128"},
    {"stride4", "1024", "128"},
    {"stride16", "1024", "128"},
    {"stride64", "1024", "128"},
    {"rows", "256", "1x128"},
};

template <std::size_t Count>
std::optional<double> find(const Line (&lines)[Count], const std::string& kernel, const std::string& column,
                           std::int64_t n) {
  for (const Line& line : lines) {
    if (kernel != line.kernel || column != line.column) continue;
    for (std::size_t i = 0; i < std::size(sizes); ++i)
      if (sizes[i] == n) return line.values[i];
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> published_speedup(const std::string& kernel, const std::string& column,
                                        std::int64_t n) {
  return find(speedups, kernel, column, n);
}

std::optional<double> published_speedup_with_transfers(const std::string& kernel, const std::string& column,
                                                       std::int64_t n) {
  return find(speedups_with_transfers, kernel, column, n);
}

std::optional<double> published_transfer_time(const std::string& column, std::int64_t n) {
  return find(transfer_times, "", column, n);
}

std::string published_block(const std::string& kernel, const std::string& column) {
  for (const Block& block : blocks)
    if (kernel == block.kernel)
      return column == "cuda" ? block.cuda : column == "openacc" ? block.openacc : "";
  return "";
}

}  // namespace sextant::report
