// Tests of the heat stencils with several steps, odd boxes, many tile shapes and analytic solutions.
// heat3d_gpu_test is built from the same source for variants on a GPU.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "../../kernels/heat3d/loop.hpp"
#include "../../kernels/heat3d/steps.hpp"
#include "engine/case/check.hpp"
#include "record/keys.hpp"
#include "registry/registry.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant {
namespace {

#ifdef SEXTANT_TEST_GPU
constexpr int offload_device = 0;
bool belongs_here(const Variant& variant) { return needs_gpu(variant); }
#else
constexpr int offload_device = -1;  // runs on the host
bool belongs_here(const Variant& variant) { return variant.memory_space != MemorySpace::cuda; }
#endif

using heat3d::Weights;

struct Subject {
  const RegisteredKernel* entry;
  const Variant* variant;
  int radius() const { return heat3d::radius_of({0, ElementType::float32, {}, entry->kernel.parameters}); }
};

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.entry->kernel.name << " " << subject.variant->name;
}

std::vector<Subject> subjects() {
  std::vector<Subject> list;
  for (const RegisteredKernel& entry : registry())
    for (const Variant& variant : entry.variants)
      if (entry.folder == "heat3d" && belongs_here(variant)) list.push_back({&entry, &variant});
  return list;
}

Problem box_problem(const Subject& subject, ElementType type, Extents box, std::int64_t steps,
                    Weights weights = Weights::by_distance) {
  Problem problem{box.z, type, box, subject.entry->kernel.standard_parameters()};
  problem.parameters[0] = steps;
  problem.parameters[2] = weights == Weights::by_point;
  return problem;
}

std::vector<int> values_of(const Variant& variant, const Problem& problem) {
  std::vector<int> values;
  for (const Tunable& tunable : variant.tunables) values.push_back(tunable.preferred);
  if (variant.adapt) variant.adapt(problem, values.data());
  return values;
}

// Prepares the variant, calls `action` with the prepared call, and releases the variant.
template <typename Action>
void with_prepared(const Variant& variant, Call call, Action action) {
  if (variant.prepare) {
    const char* reason = variant.prepare(call, &call.state);
    ASSERT_EQ(reason, nullptr) << reason;
  }
  action(call);
  if (variant.release && call.state) variant.release(call.state);
}

class Heat : public testing::TestWithParam<Subject> {
 protected:
  void SetUp() override {
    const Variant& variant = *GetParam().variant;
    std::string why_not;
    device_ = open_device(variant.memory_space,
                          variant.memory_space == MemorySpace::cuda ? 0 : offload_device, &why_not);
    if (!device_) GTEST_SKIP() << why_not;
    if (variant.unavailable && variant.unavailable()) GTEST_SKIP() << variant.unavailable();
  }

  // Launches once on `u`. Values are converted from double to T and back.
  template <typename T>
  std::vector<double> advance(const std::vector<double>& u, Extents box, std::int64_t steps,
                              Weights weights = Weights::by_distance) {
    const Variant& variant = *GetParam().variant;
    const ElementType type = sizeof(T) == 8 ? ElementType::float64 : ElementType::float32;
    const Problem problem = box_problem(GetParam(), type, box, steps, weights);
    std::vector<T> in(u.begin(), u.end()), out(u.size(), static_cast<T>(std::nan("")));
    const std::size_t bytes = u.size() * sizeof(T);
    ArrayAt arrays[2] = {device_->map(in.data(), bytes), device_->map(out.data(), bytes)};
    device_->copy_in(arrays[0].base, in.data(), bytes);
    const std::vector<int> tuning = values_of(variant, problem);
    with_prepared(
        variant, {.problem = problem, .tuning = tuning.data(), .arrays = arrays, .stream = device_->stream()},
        [&](const Call& call) {
          variant.launch[problem.type](call);
          device_->synchronise();
        });
    device_->copy_out(out.data(), arrays[1].base, bytes);
    for (const ArrayAt& array : arrays) device_->unmap(array.base, bytes);
    return {out.begin(), out.end()};
  }

  void expect_right(const Problem& problem, const std::vector<int>& tuning, std::int64_t steps) {
    const Variant& variant = *GetParam().variant;
    Workset workset(GetParam().entry->kernel, problem, 7 + static_cast<std::uint64_t>(steps));
    DeviceCopies device_copies(*device_, workset);
    with_prepared(variant,
                  {.problem = problem,
                   .tuning = tuning.data(),
                   .arrays = device_copies.arrays(),
                   .stream = device_->stream()},
                  [&](const Call& call) {
                    const CheckResult result = check(variant, call, *device_, workset, device_copies);
                    EXPECT_TRUE(result.passed) << name_of(problem.type) << " " << shape_text(problem.extents)
                                               << ", " << steps << " steps: " << result.reason;
                  });
  }

  // Checks every choice of each tunable. The other tunables have their defaults.
  void expect_right_at_every_tuning(const Extents& box) {
    const Variant& variant = *GetParam().variant;
    const Problem problem = box_problem(GetParam(), ElementType::float32, box, 7);
    Workset workset(GetParam().entry->kernel, problem, 11);
    DeviceCopies device_copies(*device_, workset);
    const std::vector<int> standard = values_of(variant, problem);
    int checked = 0;
    for (std::size_t i = 0; i < standard.size(); ++i)
      for (const int choice : variant.tunables[i].choices) {
        std::vector<int> tuning = standard;
        tuning[i] = choice;
        if (variant.constraint && variant.constraint(problem, tuning.data())) continue;
        with_prepared(variant,
                      {.problem = problem,
                       .tuning = tuning.data(),
                       .arrays = device_copies.arrays(),
                       .stream = device_->stream()},
                      [&](const Call& call) {
                        const CheckResult result = check(variant, call, *device_, workset, device_copies);
                        EXPECT_TRUE(result.passed)
                            << variant.tunables[i].name << "=" << choice << ": " << result.reason;
                      });
        ++checked;
      }
    EXPECT_TRUE(standard.empty() || checked > 0);
  }

  std::unique_ptr<Device> device_;
};

// A sine mode: the product of sin(theta * index + phase) over the three axes. On an unbounded grid, a step
// multiplies it by decay(theta).
struct Mode {
  double theta[3], phase[3];

  double operator()(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return std::sin(theta[0] * static_cast<double>(x) + phase[0]) *
           std::sin(theta[1] * static_cast<double>(y) + phase[1]) *
           std::sin(theta[2] * static_cast<double>(z) + phase[2]);
  }
  // Returns the symbol of the stencil operator. A wave's two neighbours at distance k sum to 2 cos(k theta).
  double decay(int radius) const {
    double sum = heat3d::coefficient(radius, 0);
    for (int k = 1; k <= radius; ++k)
      for (const double angle : theta) sum += 2 * heat3d::coefficient(radius, k) * std::cos(k * angle);
    return sum;
  }
};

template <typename Action>
void for_points(const Extents& box, Action action) {
  for (std::int64_t z = 0, i = 0; z < box.z; ++z)
    for (std::int64_t y = 0; y < box.y; ++y)
      for (std::int64_t x = 0; x < box.x; ++x, ++i) action(static_cast<std::size_t>(i), x, y, z);
}

std::vector<double> sample(const Mode& mode, const Extents& box) {
  std::vector<double> u(static_cast<std::size_t>(box.count()));
  for_points(box, [&](std::size_t i, auto x, auto y, auto z) { u[i] = mode(x, y, z); });
  return u;
}

// Returns waves that vanish at both walls, which are the innermost points of the rim. The other rim points
// are mirror images with opposite sign, as for a cold wall.
Mode between_walls(const Extents& box, int radius) {
  const std::int64_t sides[] = {box.x, box.y, box.z};
  Mode mode{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto gaps = static_cast<double>(sides[axis] - 2 * radius + 1);
    mode.theta[axis] = (axis + 1) * M_PI / gaps;
    mode.phase[axis] = -mode.theta[axis] * (radius - 1);
  }
  return mode;
}

std::int64_t distance_to_edge(const Extents& box, std::int64_t x, std::int64_t y, std::int64_t z) {
  return std::min({x, y, z, box.x - 1 - x, box.y - 1 - y, box.z - 1 - z});
}

// Each call makes one step, after which the rim is scaled with the mode. The result is exact everywhere.
TEST_P(Heat, ASineModeBetweenColdWallsDecaysAtTheOperatorsRate) {
  const int radius = GetParam().radius();
  const Extents box{33, 21, 27};
  const Mode mode = between_walls(box, radius);
  const double decay = mode.decay(radius);
  ASSERT_GT(decay, 0.5);
  ASSERT_LT(decay, 0.999);
  const std::vector<double> start = sample(mode, box);
  std::vector<double> u = start;
  constexpr int steps = 12;
  double amplitude = 1;
  for (int step = 0; step < steps; ++step) {
    u = advance<double>(u, box, 1);
    amplitude *= decay;
    for_points(box, [&](std::size_t i, auto x, auto y, auto z) {
      if (distance_to_edge(box, x, y, z) < radius) u[i] = amplitude * start[i];
    });
  }
  double error = 0;
  for (std::size_t i = 0; i < u.size(); ++i) error = std::max(error, std::abs(u[i] - amplitude * start[i]));
  EXPECT_LT(error, steps * (6 * radius + 3) * 0x1p-53);
}

// One call makes all steps with constant rim values. For radius 1, the result is exact. For other radii, it
// is exact at points that the rim values have not yet reached.
TEST_P(Heat, ASineModeDecaysAtThatRateThroughSeveralStepsOfACall) {
  const int radius = GetParam().radius();
  constexpr int steps = 5;
  const Extents box{57, 51, 49};
  const Mode mode = between_walls(box, radius);
  const std::vector<double> start = sample(mode, box), u = advance<float>(start, box, steps);
  const double amplitude = std::pow(mode.decay(radius), steps);
  const std::int64_t from = radius == 1 ? 0 : std::int64_t{steps} * radius;
  double error = 0, largest = 0;
  for_points(box, [&](std::size_t i, auto x, auto y, auto z) {
    if (distance_to_edge(box, x, y, z) < from) return;
    error = std::max(error, std::abs(u[i] - amplitude * start[i]));
    largest = std::max(largest, std::abs(u[i]));
  });
  EXPECT_GT(largest, 0.5 * amplitude);
  EXPECT_LT(error, steps * (6 * radius + 3) * 0x1p-24);
}

// The change per step approximates the heat equation: halving the spacing divides the error by 2^(2R).
TEST_P(Heat, RefinementShowsTheOrderOfTheSecondDifferences) {
  const int radius = GetParam().radius();
  const Extents box{24, 23, 22};
  double errors[2];
  for (int halved = 0; halved < 2; ++halved) {
    const double theta = halved ? 0.35 : 0.7;
    const Mode mode{{theta, theta, theta}, {0.1, 0.2, 0.3}};
    const std::vector<double> u = sample(mode, box), v = advance<double>(u, box, 1);
    double vu = 0, uu = 0;
    for_points(box, [&](std::size_t i, auto x, auto y, auto z) {
      if (distance_to_edge(box, x, y, z) < radius) return;
      vu += (v[i] - u[i]) * u[i];
      uu += u[i] * u[i];
    });
    const double rate = vu / uu / heat3d::alpha, exact = -3 * theta * theta;
    errors[halved] = std::abs(rate / exact - 1);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2 * radius, 0.15);
}

// The standard inputs are at most 1. A variant may rely on this, but must then return NaN for larger inputs,
// not wrong values.
TEST_P(Heat, LargerValuesAreRightOrShownToBeRefused) {
  constexpr int steps = 6;
  const Extents box{64, 40, 19};
  const Mode mode = between_walls(box, GetParam().radius());
  std::vector<double> start = sample(mode, box), large = start;
  for (double& value : large) value *= 4;  // exact, because 4 is a power of two
  const std::vector<double> u = advance<float>(start, box, steps), v = advance<float>(large, box, steps);
  bool refused = false, differs = false;
  for (std::size_t i = 0; i < u.size(); ++i) {
    refused |= std::isnan(v[i]);
    differs |= !(std::abs(v[i] - 4 * u[i]) < 1e-30);  // exact except for subnormal numbers
  }
  EXPECT_TRUE(refused || !differs);
  EXPECT_EQ(refused, GetParam().variant->name == "cuda.resident");
}

// Thin, odd and prime boxes, and boxes smaller than the stencil. Some are as long as a tile with its halo
// (264 floats, 136 doubles), or longer than several tiles. The step counts are no multiples of the steps per
// pass.
TEST_P(Heat, ManyStepsMatchTheReferenceInAnyBox) {
  const Variant& variant = *GetParam().variant;
  const Extents boxes[] = {{1, 1, 1},     {9, 9, 9},     {8, 30, 30},   {67, 29, 23},  {300, 11, 13},
                           {20, 41, 97},  {64, 40, 19},  {36, 37, 32},  {100, 18, 64}, {136, 40, 19},
                           {264, 40, 19}, {257, 71, 11}, {509, 30, 12}, {66, 37, 21}};
  int checked = 0;
  for (const ElementType type : {ElementType::float32, ElementType::float64})
    for (const Extents& box : boxes)
      for (const std::int64_t steps : {type == ElementType::float32 ? 3 : 8}) {
        if (address_sanitizer && type == ElementType::float64 && box.count() > 150'000)
          continue;  // the float problem covers this box
        const Problem problem = box_problem(GetParam(), type, box, steps);
        const std::vector<int> tuning = values_of(variant, problem);
        if (variant.constraint && variant.constraint(problem, tuning.data())) {
          ASSERT_EQ(variant.name, "cuda.resident") << "the only one that large boxes do not fit";
          continue;
        }
        ++checked;
        expect_right(problem, tuning, steps);
        if (HasFailure()) return;
      }
  EXPECT_GE(checked, 10);
}

// False for variants that reject problems with a separate coefficient for each neighbour.
bool takes_points(const Variant& variant) {
  for (const char* name :
       {"cuda.march", "cuda.bulk", "cuda.skewed", "cuda.temporal", "cuda.resident", "cuda.peers", "cuda.nccl",
        "cuda.peers_resident", "cuda.peers_temporal", "cuda.mpi", "cuda.mpi_staged"})
    if (variant.name == name) return false;
  return true;
}

TEST_P(Heat, CoefficientsOfEachPointMatchTheReferenceOrAreRefused) {
  const Variant& variant = *GetParam().variant;
  int checked = 0;
  for (const ElementType type : {ElementType::float32, ElementType::float64})
    for (const Extents& box :
         {Extents{9, 9, 9}, Extents{67, 29, 23}, Extents{64, 40, 19}, Extents{66, 37, 21}})
      for (const std::int64_t steps : {1, 4}) {
        const Problem problem = box_problem(GetParam(), type, box, steps, Weights::by_point);
        const std::vector<int> tuning = values_of(variant, problem);
        const char* refused = variant.constraint ? variant.constraint(problem, tuning.data()) : nullptr;
        ASSERT_EQ(refused != nullptr, !takes_points(variant)) << (refused ? refused : "not refused");
        ++checked;
        if (refused) {
          EXPECT_NE(std::string(refused).find("per_point=0"), std::string::npos) << refused;
          continue;
        }
        expect_right(problem, tuning, steps);
      }
  EXPECT_EQ(checked, 16);
}

// From a single warm point, each neighbour receives its own coefficient, exact to the last bit.
TEST_P(Heat, AWarmPointGivesEachNeighbourItsOwnShare) {
  if (!takes_points(*GetParam().variant)) GTEST_SKIP() << "it takes one coefficient a distance";
  const int radius = GetParam().radius(), middle = 10;
  const Extents box{21, 21, 21};
  const auto at = [&](int x, int y, int z) { return static_cast<std::size_t>((z * box.y + y) * box.x + x); };
  std::vector<double> u(static_cast<std::size_t>(box.count()));
  u[at(middle, middle, middle)] = 1;
  const std::vector<double> v = advance<double>(u, box, 1, Weights::by_point);
  const auto share = [&](int direction, int k) { return heat3d::point_coefficient(radius, direction, k); };
  EXPECT_EQ(v[at(middle, middle, middle)], heat3d::centre_coefficient(radius, Weights::by_point));
  for (int k = 1; k <= radius; ++k) {  // for the point at x + k, the warm point is at distance -k
    EXPECT_EQ(v[at(middle + k, middle, middle)], share(0, k));
    EXPECT_EQ(v[at(middle - k, middle, middle)], share(1, k));
    EXPECT_EQ(v[at(middle, middle + k, middle)], share(2, k));
    EXPECT_EQ(v[at(middle, middle - k, middle)], share(3, k));
    EXPECT_EQ(v[at(middle, middle, middle + k)], share(4, k));
    EXPECT_EQ(v[at(middle, middle, middle - k)], share(5, k));
  }
}

// Tests every choice of every tunable with several steps. In one box, rows are whole vectors; in the other
// they are not.
TEST_P(Heat, ManyStepsMatchTheReferenceAtEveryTuning) {
  for (const Extents& box : {Extents{140, 37, 31}, Extents{131, 37, 29}}) expect_right_at_every_tuning(box);
}

std::string title(const testing::TestParamInfo<Subject>& info) {
  std::string name = info.param.entry->kernel.name + "_" + info.param.variant->name;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Heat, testing::ValuesIn(subjects()), title);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Heat);

#ifndef SEXTANT_TEST_GPU

// Replays the order of the slabs. Each plane that is read must hold the time step that the stencil needs.
TEST(HeatSlabs, EveryPlaneIsReadAsTheStepBeforeLeftIt) {
  for (const int radius : {1, 2, 4})
    for (const std::int64_t nz : {1, 5, 16, 61})
      for (const std::int64_t slab : {1, 3, 8, 100})
        for (const std::int64_t depth : {1, 2, 5}) {
          constexpr std::int64_t steps = 7;
          // The time step that each plane of the arrays u, v and w holds; -1 before the first.
          std::vector<std::int64_t> age[3];
          for (auto& ages : age) ages.assign(static_cast<std::size_t>(nz), -1);
          age[0].assign(static_cast<std::size_t>(nz), 0);
          const char u = 0;
          char v = 0, w = 0;
          const auto number = [&](const char* array) { return array == &u ? 0 : array == &v ? 1 : 2; };
          heat3d::sweep_in_slabs(
              nz, radius, steps, depth, slab, [&](std::int64_t step, auto first, auto last) {
                const auto [from, to] = heat3d::sweep_of<char>(&u, &v, &w, step, steps);
                ASSERT_NE(from, to);
                ASSERT_TRUE(0 <= first && first < last && last <= nz);
                for (auto z = std::max<std::int64_t>(0, first - radius); z < std::min(nz, last + radius); ++z)
                  ASSERT_EQ(age[number(from)][static_cast<std::size_t>(z)], step)
                      << "plane " << z << " of step " << step << ", radius " << radius << ", slab " << slab;
                for (auto z = first; z < last; ++z) age[number(to)][static_cast<std::size_t>(z)] = step + 1;
              });
          if (HasFatalFailure()) return;
          for (const std::int64_t of_v : age[1]) ASSERT_EQ(of_v, steps);
        }
}

// The rate counts 2p - 1 FLOP per point and step, as in the paper, and one read and one write of memory.
TEST(HeatWork, CountsFlopsAsThePaperDoes) {
  for (const int radius : {1, 2, 3, 4}) {
    const RegisteredKernel* entry = find_kernel("heat3d_r" + std::to_string(radius));
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->kernel.extents(2 * 16 * 16 * 16),
              (Extents{16, 16, 16}));  // N counts the elements of both arrays
    Problem problem{32, ElementType::float32, {256, 256, 32}, entry->kernel.standard_parameters()};
    problem.parameters[0] = 10;
    const Work work = entry->kernel.work(problem);
    const std::int64_t points = 256 * 256 * 32;
    EXPECT_EQ(work.items, 10 * points);
    EXPECT_EQ(work.flops, 10 * points * (12 * radius + 1));
    EXPECT_EQ(work.bytes_read, 4 * points);
    EXPECT_EQ(work.bytes_written, 4 * points);
  }
}

// The steps are stable: no wave grows.
TEST(HeatCoefficients, DampEveryWave) {
  for (const int radius : {1, 2, 3, 4})
    for (double x = 0; x <= M_PI; x += M_PI / 16)
      for (double y = 0; y <= M_PI; y += M_PI / 16) {
        const Mode mode{{x, y, M_PI}, {}};
        EXPECT_LT(std::abs(mode.decay(radius)), 1) << radius << " " << x << " " << y;
      }
}

// Each variant's constraint accepts or rejects a problem before a device is used.
TEST(HeatWeights, AreTakenOrRefusedByEveryVariant) {
  int asked = 0;
  for (const RegisteredKernel& entry : registry())
    for (const Variant& variant : entry.variants) {
      if (entry.folder != "heat3d") continue;
      for (const Weights weights : {Weights::by_distance, Weights::by_point}) {
        const Subject subject{&entry, &variant};
        const Problem problem = box_problem(subject, ElementType::float32, {64, 40, 32}, 3, weights);
        const std::vector<int> tuning = values_of(variant, problem);
        const char* refused = variant.constraint ? variant.constraint(problem, tuning.data()) : nullptr;
        EXPECT_EQ(refused != nullptr, weights == Weights::by_point && !takes_points(variant))
            << entry.kernel.name << " " << variant.name << ": " << (refused ? refused : "not refused");
        ++asked;
      }
    }
  EXPECT_GE(asked, 4 * 2 * 5);
}

// The coefficients of all neighbours differ, uniform heat stays uniform, and no wave grows.
TEST(HeatCoefficients, OfEachPointDiffer) {
  for (const int radius : {1, 2, 3, 4}) {
    std::set<double> seen = {heat3d::centre_coefficient(radius, Weights::by_point)};
    double sum = *seen.begin();
    for (int direction = 0; direction < heat3d::directions; ++direction)
      for (int k = 1; k <= radius; ++k) {
        const double c = heat3d::point_coefficient(radius, direction, k);
        EXPECT_TRUE(seen.insert(c).second) << "radius " << radius << " direction " << direction << " " << k;
        sum += c;
      }
    EXPECT_NEAR(sum, 1, 1e-15);
    EXPECT_EQ(heat3d::centre_coefficient(radius, Weights::by_distance), heat3d::coefficient(radius, 0));
  }
}

TEST(HeatCoefficients, OfEachPointDampEveryWave) {
  constexpr int parts = 24;
  for (const int radius : {1, 2, 3, 4})
    for (int i = 1; i < parts * parts * parts; ++i) {
      const double angle[] = {2 * M_PI * (i % parts) / parts, 2 * M_PI * (i / parts % parts) / parts,
                              2 * M_PI * (i / parts / parts) / parts};
      std::complex<double> symbol = heat3d::centre_coefficient(radius, Weights::by_point);
      for (int direction = 0; direction < heat3d::directions; ++direction)
        for (int k = 1; k <= radius; ++k)
          symbol += heat3d::point_coefficient(radius, direction, k) *
                    std::polar(1.0, (direction % 2 ? k : -k) * angle[direction / 2]);
      EXPECT_LT(std::abs(symbol), 1) << radius << " " << i;
    }
}

// A shape without a kernel is refused in terms of the variant's own tunables.
TEST(HeatRefusals, OfPeersTemporalNameItsTunables) {
  int refused = 0;
  for (const RegisteredKernel& entry : registry()) {
    const Variant* variant = find_variant(entry, "cuda.peers_temporal");
    if (!variant) continue;
    Problem problem{0, ElementType::float64, {512, 512, 512}, entry.kernel.parameters};
    std::vector<int> tuning;
    for (const Tunable& tunable : variant->tunables)
      tuning.push_back(std::string(tunable.name) == "steps_per_pass" ? 3 : tunable.preferred);
    const char* reason = variant->constraint(problem, tuning.data());
    if (!reason || !std::string(reason).starts_with("no kernel")) continue;
    ++refused;
    EXPECT_EQ(std::string(reason).find("rows"), std::string::npos) << entry.kernel.name << ": " << reason;
  }
  if (refused == 0) GTEST_SKIP() << "the program has no such variant";
}

#endif

}  // namespace
}  // namespace sextant
