// Tests NPB CG beyond the published zeta: the matrix, zeta and x at other sizes, the tiles of the matrix, and
// that the verification detects tampered values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "../../npb/npb_cg/bands.hpp"
#include "../../npb/npb_cg/packed_tiles.hpp"
#include "../../npb/npb_cg/reference.hpp"
#include "../../npb/npb_cg/short_columns.hpp"
#include "engine/case/case_runner.hpp"
#include "engine/form/settings.hpp"
#include "npb_cg_checks.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant {
namespace {

using npb_cg::Matrix;

std::vector<const Variant*> host_variants() {
  std::vector<const Variant*> list;
  for (const Variant& variant : cg_verified().variants)
    if (variant.memory_space != MemorySpace::cuda && !(variant.unavailable && variant.unavailable()))
      list.push_back(&variant);
  return list;
}

class HostVariant : public testing::TestWithParam<const Variant*> {};

std::string title(const testing::TestParamInfo<const Variant*>& info) { return title_of(*info.param); }

INSTANTIATE_TEST_SUITE_P(NpbCg, HostVariant, testing::ValuesIn(host_variants()), title);

TEST_P(HostVariant, GivesThePublishedZeta) {
  for (const char* name : {"S", "W"}) {
    if (*name == 'W' && (address_sanitizer || is_offloaded(GetParam()->model))) continue;  // takes seconds
    const Problem problem = class_problem(cg_verified().kernel, name);
    const CheckResult result =
        run_checked(cg_verified().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem));
    EXPECT_TRUE(result.passed) << name << ": " << result.reason;
  }
}

TEST_P(HostVariant, GivesEveryZetaAndAllOfX) {
  for (const Problem& problem : cg_problems()) {
    const CheckResult result =
        run_checked(cg_whole().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem));
    EXPECT_TRUE(result.passed) << problem.extents.x << ": " << result.reason;
  }
}

// Returns x as the plain serial variant computes it. It is computed once.
const std::vector<double>& plain_x(const std::string& name) {
  static std::map<std::string, std::vector<std::vector<double>>> all;
  std::vector<std::vector<double>>& outputs = all[name];
  if (outputs.empty()) {
    const Problem problem = class_problem(cg_whole().kernel, name);
    EXPECT_TRUE(
        run_checked(cg_whole().kernel, *find_variant(cg_whole(), "serial.baseline"), problem, {}).passed);
    outputs = outputs_of(cg_whole().kernel, problem);
  }
  return outputs[npb_cg::eigenvector];
}

// The results differ from those of the serial variant only by rounding.
TEST_P(HostVariant, DiffersFromTheSerialFormByRoundingOnly) {
  for (const char* name : {"S", "W"}) {
    if (*name == 'W' && (address_sanitizer || is_offloaded(GetParam()->model))) continue;
    const Problem problem = class_problem(cg_whole().kernel, name);
    const std::vector<double> plain = plain_x(name);
    EXPECT_TRUE(
        run_checked(cg_whole().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem)).passed);
    const std::vector<std::vector<double>> ours = outputs_of(cg_whole().kernel, problem);
    for (std::size_t i = 0; i < plain.size(); ++i)
      ASSERT_NEAR(plain[i], ours[npb_cg::eigenvector][i], 1e-13) << name << ' ' << i;
  }
}

// ---- the matrix ----

Matrix matrix_of(const Problem& problem) {
  Matrix matrix;
  EXPECT_EQ(npb_cg::make_matrix(problem, &matrix), nullptr);
  return matrix;
}

TEST(NpbCgMatrix, IsTheOneThatIsMadeEntryByEntry) {
  for (const Problem& problem : cg_problems()) {
    const Matrix matrix = matrix_of(problem);
    const std::vector<npb_cg::SparseRow> rows = npb_cg::reference_matrix(problem);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(matrix.row[i + 1] - matrix.row[i], static_cast<std::int64_t>(rows[i].size())) << i;
      auto e = static_cast<std::size_t>(matrix.row[i]);
      for (const auto& [column, value] : rows[i]) {
        ASSERT_EQ(matrix.column[e], column) << i;
        ASSERT_EQ(matrix.value[e], value) << i << " " << column;
        ++e;
      }
    }
  }
}

struct Checkpoint {
  const char* name;
  std::int64_t entries, shortest, longest, in_first_row, second_column;
  double trace, sum, first, second;
};

// Known values of each class, computed by an independent program.
constexpr Checkpoint checkpoints[] = {
    {"S", 78148, 8, 127, 43, 1, -1.244607191798427e4, -4.796559321013316e3, -8.827405531242738,
     8.061892944739288e-2},
    {"W", 508402, 9, 168, 80, 60, -7.533517681716768e4, -2.632525601445810e4, -1.098906689855193e1,
     2.971024950433690e-2},
    {"A", 1853104, 12, 294, 155, 92, -2.571936459845110e5, -7.700156841583599e4, -1.820756912324870e1,
     2.473418934380522e-1},
    {"B", 13708072, 27, 404, 208, 145, -4.358053364034814e6, -3.022361433716716e6, -5.698928859452347e1,
     2.341041901210936e-2},
};

TEST(NpbCgMatrix, HasTheClassesCheckpoints) {
  for (const Checkpoint& want : checkpoints) {
    if (address_sanitizer && want.entries > 2'000'000) continue;
    const Matrix matrix = matrix_of(class_problem(cg_verified().kernel, want.name));
    EXPECT_EQ(matrix.entries(), want.entries) << want.name;
    std::int64_t shortest = matrix.n, longest = 0;
    double trace = 0, sum = 0;
    for (std::int64_t i = 0; i < matrix.n; ++i) {
      const std::int64_t begin = matrix.row[static_cast<std::size_t>(i)],
                         end = matrix.row[static_cast<std::size_t>(i) + 1];
      shortest = std::min(shortest, end - begin);
      longest = std::max(longest, end - begin);
      for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e) {
        sum += matrix.value[e];
        if (matrix.column[e] == i) trace += matrix.value[e];
      }
    }
    EXPECT_EQ(shortest, want.shortest) << want.name;
    EXPECT_EQ(longest, want.longest) << want.name;
    EXPECT_NEAR(trace, want.trace, 1e-14 * std::abs(want.trace)) << want.name;
    EXPECT_NEAR(sum, want.sum, 1e-12 * std::abs(want.sum)) << want.name;
    EXPECT_EQ(matrix.row[1], want.in_first_row) << want.name;
    EXPECT_EQ(matrix.column[0], 0) << want.name;
    EXPECT_EQ(matrix.column[1], want.second_column) << want.name;
    EXPECT_DOUBLE_EQ(matrix.value[0], want.first) << want.name;
    EXPECT_DOUBLE_EQ(matrix.value[1], want.second) << want.name;
  }
}

// Multiplies by p with the tiled matrix, which is read as the GPU does.
std::vector<double> product_by_tiles(const npb_cg::Blocks& blocks, const std::vector<double>& p) {
  const npb_cg::Cut& cut = blocks.cut;
  std::vector<double> q(p.size());
  std::vector<int> written(p.size() * static_cast<std::size_t>(cut.across));
  for (std::int64_t tile = 0; tile < cut.tiles(); ++tile)
    for (std::int64_t warp = 0; warp < cut.warps; ++warp) {
      const auto at = static_cast<std::size_t>(tile * cut.warps + warp);
      std::int64_t slice = blocks.warp_slices[at];
      const std::int64_t across = tile % cut.across;
      std::vector<double> sums(32);
      for (std::int64_t b = 0; b < blocks.warp_batches[at]; ++b)
        for (std::int64_t u = 0; u < cut.batch; ++u) {
          const std::int64_t step =
              (blocks.tile_batches[static_cast<std::size_t>(tile)] + b * cut.warps + warp) * cut.batch + u;
          bool ends = false;
          for (std::int64_t lane = 0; lane < 32; ++lane) {
            const auto place = static_cast<std::size_t>(32 * step + lane);
            const std::uint32_t both = blocks.places[place];
            const std::int64_t first = cut.first_column(across);
            const auto element = [&](std::uint32_t offset) {
              return p[static_cast<std::size_t>(first + offset)];
            };
            if (blocks.values[place].first != 0)
              sums[static_cast<std::size_t>(lane)] += blocks.values[place].first * element(both & 0x7fff);
            if (blocks.values[place].second != 0)
              sums[static_cast<std::size_t>(lane)] +=
                  blocks.values[place].second * element(both >> 16 & 0x7fff);
            EXPECT_TRUE(lane == 0 || ends == ((both & npb_cg::last_step) != 0)) << "lanes end together";
            ends = (both & npb_cg::last_step) != 0;
          }
          if (!ends) continue;
          for (std::int64_t lane = 0; lane < 32; ++lane) {
            const std::int32_t row =
                blocks.slice_rows[static_cast<std::size_t>(slice * cut.rows_a_slice() + lane / cut.lanes)];
            if (row < 0) continue;
            q[static_cast<std::size_t>(row)] += sums[static_cast<std::size_t>(lane)];
            if (lane % cut.lanes == 0)
              ++written[static_cast<std::size_t>(across) * p.size() + static_cast<std::size_t>(row)];
          }
          sums.assign(32, 0);
          ++slice;
        }
      EXPECT_EQ(slice, blocks.warp_slices[at + 1]) << "all slices of the warp have ended";
    }
  for (const int times : written) EXPECT_EQ(times, 1) << "each part of each row is written once";
  return q;
}

// Multiplies by p with the banded matrix, which is read as the GPU does.
std::vector<double> product_by_bands(const npb_cg::Bands& bands, const npb_cg::BandCut& cut,
                                     const std::vector<double>& p) {
  std::vector<double> q(p.size());
  for (std::int64_t warp = 0; warp < cut.bands * cut.warps; ++warp) {
    const auto at = static_cast<std::size_t>(warp), band = static_cast<std::size_t>(warp / cut.warps);
    std::int64_t slice = bands.warp_slices[at], block = 0;
    std::vector<double> sums(32);
    for (std::int64_t b = 0; b < bands.warp_batches[at]; ++b)
      for (std::int64_t u = 0; u < cut.batch; ++u)
        for (const int half : {0, 1}) {
          unsigned marks = 0;
          for (std::int64_t lane = 0; lane < 32; ++lane) {
            const std::int64_t pair =
                (bands.band_batches[band] + b * cut.warps + warp % cut.warps) * cut.batch + u;
            const auto place = static_cast<std::size_t>(32 * pair + lane);
            const unsigned column = bands.places[place] >> 16 * half & 0xFFFFU;
            const double value = half ? bands.values[place].second : bands.values[place].first;
            if (value != 0)
              sums[static_cast<std::size_t>(lane)] +=
                  value * p[static_cast<std::size_t>(block * cut.columns + (column & 0x3FFFU))];
            EXPECT_TRUE(lane == 0 || marks == (column & 0xC000U)) << "lanes end together";
            marks = column & 0xC000U;
          }
          if (marks & npb_cg::ends_slice) {
            for (std::size_t lane = 0; lane < 32; ++lane)
              if (const auto row = bands.rows[static_cast<std::size_t>(slice * 32) + lane];
                  row != npb_cg::no_row)
                q[static_cast<std::size_t>(bands.first_row[band]) + row] += sums[lane];
            sums.assign(32, 0);
            ++slice;
          }
          if (marks & npb_cg::ends_block) {
            EXPECT_EQ(half, 1) << "a block ends with a pair";
            ++block;
          }
        }
    EXPECT_EQ(slice, bands.warp_slices[at + 1]) << "all slices of the warp have ended";
    EXPECT_EQ(block, cut.blocks()) << "all blocks have ended";
  }
  return q;
}

std::vector<double> plain_product(const Matrix& matrix, const std::vector<double>& p) {
  std::vector<double> q;
  for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.n); ++i) {
    double sum = 0;
    for (std::int64_t e = matrix.row[i]; e < matrix.row[i + 1]; ++e)
      sum += matrix.value[static_cast<std::size_t>(e)] *
             p[static_cast<std::size_t>(matrix.column[static_cast<std::size_t>(e)])];
    q.push_back(sum);
  }
  return q;
}

TEST(NpbCgBands, HoldTheMatrix) {
  for (const Problem& problem : {cg_problem(4, 1, 1, 5, true), cg_problem(7, 1, 7, 20, true),
                                 cg_problem(257, 1, 9, 30, true), cg_problem(9001, 1, 5, 20, true)}) {
    const Matrix matrix = matrix_of(problem);
    std::vector<double> p;
    for (std::int64_t i = 0; i < matrix.n; ++i) p.push_back(1 + static_cast<double>(i % 17) / 16);
    const std::vector<double> want = plain_product(matrix, p);
    for (const int count : {1, 13})
      for (const std::int64_t columns : {100, 4096, 16384})
        for (const auto& [warps, batch] : {std::pair{16, 4}, {3, 2}}) {
          npb_cg::Bands bands;
          npb_cg::BandCut cut;
          cut.bands = count, cut.columns = columns, cut.warps = warps, cut.batch = batch, cut.n = matrix.n;
          ASSERT_EQ(npb_cg::make_bands(matrix, cut, &bands), nullptr);
          const std::vector<double> got = product_by_bands(bands, cut, p);
          for (std::size_t i = 0; i < want.size(); ++i)
            ASSERT_NEAR(got[i], want[i], 1e-12 * (1 + std::abs(want[i])))
                << count << " bands, " << columns << " columns, row " << i;
        }
  }
}

TEST(NpbCgBlocks, HoldTheMatrix) {
  for (const Problem& problem : {cg_problem(4, 1, 1, 5, true), cg_problem(7, 1, 7, 20, true),
                                 cg_problem(257, 1, 9, 30, true), cg_problem(9001, 1, 5, 20, true)}) {
    const Matrix matrix = matrix_of(problem);
    std::vector<double> p;
    for (std::int64_t i = 0; i < matrix.n; ++i) p.push_back(1 + static_cast<double>(i % 17) / 16);
    const std::vector<double> want = plain_product(matrix, p);
    for (const auto& [across, down] : {std::pair{1, 1}, {1, 13}, {3, 5}, {8, 2}})
      for (const int lanes : {1, 4, 16})
        for (const auto& [warps, batch] : {std::pair{16, 4}, {32, 2}}) {
          if (address_sanitizer && matrix.n > 1000 && lanes != 4) continue;
          npb_cg::Blocks blocks;
          npb_cg::Cut cut;
          cut.across = across, cut.down = down, cut.lanes = lanes, cut.warps = warps, cut.batch = batch;
          cut.n = matrix.n;
          ASSERT_EQ(npb_cg::make_blocks(matrix, cut, &blocks), nullptr);
          const std::vector<double> got = product_by_tiles(blocks, p);
          for (std::size_t i = 0; i < want.size(); ++i)
            ASSERT_NEAR(got[i], want[i], 1e-12 * (1 + std::abs(want[i])))
                << across << " x " << down << " row " << i;
        }
  }
}

std::vector<double> product_by_packed_tiles(const Matrix& matrix, std::int64_t columns,
                                            const std::vector<double>& p) {
  Matrix copy;
  copy.n = matrix.n;
  copy.row = allocate_host<std::int64_t>(matrix.n + 1);
  copy.column = allocate_host<std::int32_t>(matrix.entries());
  copy.value = allocate_host<double>(matrix.entries());
  std::copy_n(matrix.row.get(), matrix.n + 1, copy.row.get());
  std::copy_n(matrix.column.get(), matrix.entries(), copy.column.get());
  std::copy_n(matrix.value.get(), matrix.entries(), copy.value.get());
  npb_cg::PackedTiles tiles;
  tiles.columns = columns;
  EXPECT_EQ(tiles.take(std::move(copy)), nullptr);
  std::vector<double> q(p.size());
  for (std::size_t thread = 0; thread < tiles.bands.size(); ++thread)
    tiles.multiply(static_cast<int>(thread), p.data(), 0, tiles.p[thread].get(), q.data());
  return q;
}

// Packed nonzeros hold few bits. Some test matrices also have nonzeros whose sign or exponent does not fit.
TEST(NpbCgPackedTiles, HoldTheMatrix) {
  for (const Problem& problem : {cg_problem(4, 1, 1, 5, true), cg_problem(7, 1, 7, 20, true),
                                 cg_problem(257, 1, 9, 30, true), cg_problem(9001, 1, 5, 20, true),
                                 cg_problem(40009, 1, 2, 20, true), cg_problem(66001, 1, 1, 20, true)})
    for (const bool strange : {false, true}) {
      if (address_sanitizer && problem.extents.x > 10000 && !strange) continue;
      const Matrix matrix = matrix_of(problem);
      if (strange)
        for (std::int64_t e = 0; e < matrix.entries(); ++e) {
          double& value = matrix.value[static_cast<std::size_t>(e)];
          if (e % 5 == 1) value = -value;
          if (e % 7 == 2) value = 0;
          if (e % 11 == 3) value *= 0x1p-16;
          if (e % 13 == 4) value *= 0x1p-1000;
        }
      std::vector<double> p;
      for (std::int64_t i = 0; i < matrix.n; ++i) p.push_back(1 + static_cast<double>(i % 17) / 16);
      const std::vector<double> want = plain_product(matrix, p);
      for (const std::int64_t columns : {1024, 4096, 65536}) {
        const std::vector<double> got = product_by_packed_tiles(matrix, columns, p);
        for (std::size_t i = 0; i < want.size(); ++i)
          ASSERT_NEAR(got[i], want[i], 1e-14 * (1 + std::abs(want[i]))) << matrix.n << ", row " << i;
      }
    }
}

// ---- the verification values ----

double tampering = 1;  // factor on zeta

Kernel tampered_kernel(double factor) {
  static const Kernel& honest = cg_verified().kernel;
  tampering = factor;
  Kernel kernel = honest;
  kernel.name = "tampered " + std::to_string((factor - 1) * 1e13);
  kernel.reference = {
      .float64 = [](const Problem& problem, const void* const* arrays, double* const* results) {
        honest.reference.float64(problem, arrays, results);
        results[npb_cg::zetas][0] *= tampering;
      }};
  return kernel;
}

TEST(NpbCgVerification, FailsWithTamperedValues) {
  const Variant& variant = *find_variant(cg_verified(), "serial.baseline");
  const Problem problem = class_problem(cg_verified().kernel, "S");
  EXPECT_TRUE(run_checked(tampered_kernel(1), variant, problem, {}).passed);
  for (const double factor : {1 + 2e-10, 1 - 2e-10, 1.5, std::nan("")}) {
    const CheckResult result = run_checked(tampered_kernel(factor), variant, problem, {});
    EXPECT_FALSE(result.passed) << factor;
    EXPECT_NE(result.reason.find("zeta[0]"), std::string::npos) << result.reason;
  }
}

TEST(NpbCgVerification, FailsWhereNothingIsPublished) {
  const Variant& variant = *find_variant(cg_verified(), "serial.baseline");
  EXPECT_FALSE(run_checked(cg_verified().kernel, variant, cg_problem(1400, 14, 7, 20, false), {}).passed);
}

TEST(NpbCgVerification, ToleranceIsNpbs) {
  for (const npb_cg::Class& one : npb_cg::classes) {
    const Problem problem = class_problem(cg_verified().kernel, one.name);
    const Tolerance tolerance = cg_verified().kernel.tolerance_at(problem, npb_cg::zetas, 0);
    EXPECT_EQ(tolerance.absolute, 0);
    EXPECT_EQ(tolerance.relative, 1e-10);
  }
}

TEST(NpbCgReference, HasTheCheckpointsOfTheIterations) {
  const struct {
    const char* name;
    double zeta[3], last;
  } all[] = {{"S", {9.99864415791401, 8.57332792032217, 8.59545103740579}, 8.59717750786481},
             {"W", {11.99970037273809, 10.34572756640579, 10.36178801379625}, 10.36259508712401}};
  for (const auto& want : all) {
    const Problem problem = class_problem(cg_whole().kernel, want.name);
    std::vector<double> zeta(15), rnorm(15), x(static_cast<std::size_t>(problem.extents.x));
    npb_cg::reference_run(problem, zeta.data(), rnorm.data(), x.data());
    for (std::size_t it = 0; it < 3; ++it) EXPECT_NEAR(zeta[it], want.zeta[it], 1e-13) << want.name << it;
    EXPECT_NEAR(zeta[14], want.last, 1e-13) << want.name;
  }
}

// ---- problems ----

TEST(NpbCgProblem, ClassesAreNpbs) {
  std::string seen;
  for (const NamedProblem& one : cg_verified().kernel.classes) {
    seen += one.name + (' ' + std::to_string(one.problem.extents.x));
    for (int i = 0; i < 3; ++i)
      seen += ' ' + std::to_string(one.problem.parameters[static_cast<std::size_t>(i)]);
    seen += '\n';
    EXPECT_EQ(cg_verified().kernel.refuse(one.problem), nullptr);
  }
  EXPECT_EQ(seen,
            "S 1400 15 7 10\nW 7000 15 8 12\nA 14000 15 11 20\nB 75000 75 13 60\nC 150000 75 15 110\n"
            "D 1500000 100 21 500\n");
}

TEST(NpbCgProblem, CountsOperationsAsNpb) {
  const Problem problem = class_problem(cg_verified().kernel, "A");
  // 2 * 15 * 14000 * (3 + 132 + 25 * 137 + 3), computed by hand
  EXPECT_EQ(cg_verified().kernel.work(problem).flops, 1'496'460'000);
}

TEST(NpbCgProblem, RefusesWhatIsNoMatrixOfCg) {
  const Kernel& kernel = cg_whole().kernel;
  EXPECT_NE(kernel.refuse(cg_problem(6, 1, 7, 20, true)), nullptr) << "vectors longer than rows";
  EXPECT_NE(kernel.refuse(cg_problem(1400, 3, 7, 10, true)), nullptr) << "indefinite";
  EXPECT_NE(kernel.refuse(cg_problem(std::int64_t{1} << 31, 1, 7, 20, true)), nullptr);
  EXPECT_NE(kernel.refuse(cg_problem(3, 1, 1, 20, true)), nullptr) << "residuals of zero";
  EXPECT_EQ(kernel.refuse(cg_problem(7, 1, 7, 20, true)), nullptr);
}

// If a case makes only one call, that call also times the phases.
TEST(NpbCgProblem, ACallThatIsAllOfACaseIsTimedByPhase) {
  for (const double case_seconds : {1e-6, 1.0}) {
    std::vector<Stage> stages;
    CaseRunner runner([&](Stage stage) { stages.push_back(stage); });
    Case one;
    one.kernel = "npb_cg";
    one.variant = "serial.baseline";
    one.problem_class = "S";
    one.problem = class_problem(cg_verified().kernel, "S");
    one.device = "cpu";
    Settings settings;
    settings.min_samples = settings.max_samples = 1;
    settings.case_seconds = case_seconds;
    const Measurement m = runner.run(one, settings);
    ASSERT_EQ(m.status, Status::ok) << m.reason;
    ASSERT_EQ(m.phases.size(), 2u);
    EXPECT_EQ(m.phases[0].name, "conj_grad");
    const bool apart = std::find(stages.begin(), stages.end(), Stage::timing_phases) != stages.end();
    EXPECT_EQ(apart, case_seconds == 1.0);
    if (apart) continue;
    ASSERT_EQ(m.phases[1].times.size(), 1u);
    EXPECT_LT(m.phases[0].times[0] + m.phases[1].times[0], m.first_call.value_or(0));
  }
}

}  // namespace
}  // namespace sextant
