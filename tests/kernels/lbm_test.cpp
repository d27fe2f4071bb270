// Tests of the lattice Boltzmann program beyond kernels_test: all scenes, odd shapes, up to a hundred steps,
// and analytic solutions. lbm_gpu_test is built from the same source for variants on a GPU.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <stdexcept>

#include "../../programs/lbm_d3q15/boxes.hpp"
#include "engine/case/check.hpp"
#include "plan/plan.hpp"
#include "refusal.hpp"
#include "registry/registry.hpp"
#include "suite/extents.hpp"

namespace sextant {
namespace {

#ifdef SEXTANT_TEST_GPU
constexpr int offload_device = 0;
bool belongs_here(const Variant& variant) { return variant.memory_space != MemorySpace::host; }
#else
constexpr int offload_device = -1;  // runs on the host
bool belongs_here(const Variant& variant) { return variant.memory_space != MemorySpace::cuda; }
#endif

enum Scene : std::int64_t { rough_duct, duct, plates, box, porous };

// The D3Q15 velocities: rest, faces, corners. Opposite directions are next to each other.
constexpr int directions = 15;
constexpr int e[directions][3] = {{0, 0, 0},   {1, 0, 0},  {-1, 0, 0},  {0, 1, 0},    {0, -1, 0},
                                  {0, 0, 1},   {0, 0, -1}, {1, 1, 1},   {-1, -1, -1}, {1, 1, -1},
                                  {-1, -1, 1}, {1, -1, 1}, {-1, 1, -1}, {1, -1, -1},  {-1, 1, 1}};
double weight(int k) { return k == 0 ? 2.0 / 9 : k < 7 ? 1.0 / 9 : 1.0 / 72; }

const RegisteredKernel& program() { return *find_kernel("lbm_d3q15"); }

std::vector<const Variant*> variants() {
  std::vector<const Variant*> list;
  for (const Variant& variant : program().variants)
    if (belongs_here(variant) && !is_partitioned(variant.memory_space)) list.push_back(&variant);
  return list;
}

Problem problem_of(ElementType type, Extents size, std::int64_t steps, std::int64_t tau_milli,
                   std::int64_t force_micro, std::int64_t scene) {
  return {size.count(), type, size, {steps, tau_milli, force_micro, scene}};
}

std::vector<int> tuning_of(const Variant& variant, const Problem& problem) {
  std::vector<int> values;
  for (const auto& [name, value] : default_tuning(variant, problem)) values.push_back(value);
  return values;
}

Device* device_for(MemorySpace home, std::string* why_not) {
  static std::unique_ptr<Device> devices[memory_space_count];
  std::unique_ptr<Device>& device = devices[static_cast<int>(home)];
  if (!device) device = open_device(home, home == MemorySpace::cuda ? 0 : offload_device, why_not);
  return device.get();
}

class Lbm : public testing::TestWithParam<const Variant*> {
 protected:
  void SetUp() override {
    std::string why_not;
    device_ = device_for(variant().memory_space, &why_not);
    if (!device_) GTEST_SKIP() << why_not;
#ifdef SEXTANT_TEST_GPU
    if (variant().model == Model::openacc && !device_for(MemorySpace::openacc, &why_not))
      GTEST_SKIP() << why_not;
    if (variant().model == Model::target && !device_for(MemorySpace::target, &why_not))
      GTEST_SKIP() << why_not;
#endif
  }

  const Variant& variant() const { return *GetParam(); }

  // Calls the variant once with f and flags in its memory space. Returns an error text if its preparation
  // fails.
  std::string run(const Problem& problem, std::vector<double>* f, std::vector<double> flags) {
    std::vector<double>* host[] = {f, &flags};
    ArrayAt arrays[2];
    for (int i = 0; i < 2; ++i) {
      arrays[i] = device_->map(host[i]->data(), host[i]->size() * sizeof(double));
      device_->copy_in(arrays[i].base, host[i]->data(), host[i]->size() * sizeof(double));
    }
    const std::vector<int> tuning = tuning_of(variant(), problem);
    Call call{problem, tuning.data(), arrays, device_->stream(), nullptr};
    const char* reason = variant().prepare(call, &call.state);
    if (!reason) {
      variant().launch.float64(call);
      device_->synchronise();
      variant().release(call.state);
    }
    const std::string text = reason ? reason : "";
    device_->copy_out(f->data(), arrays[0].base, f->size() * sizeof(double));
    for (int i = 0; i < 2; ++i) device_->unmap(arrays[i].base, host[i]->size() * sizeof(double));
    return text;
  }

  // Compares the variant with the reference as the engine does. Returns an empty string or the error.
  std::string checked(const Problem& problem, std::uint64_t seed) {
    Workset workset(program().kernel, problem, seed);
    workset.compute_reference();  // before the preparation, whose state must be released
    DeviceCopies device_copies(*device_, workset);
    device_copies.copy_in(DeviceCopies::Which::all, 0xFF);
    const std::vector<int> tuning = tuning_of(variant(), problem);
    if (const char* reason = variant().constraint ? variant().constraint(problem, tuning.data()) : nullptr)
      return std::string("refused: ") + reason;  // an error, because every variant must accept these problems
    Call call{problem, tuning.data(), device_copies.arrays(), device_->stream(), nullptr};
    if (const char* reason = variant().prepare(call, &call.state)) return reason;
    const CheckResult result = check(variant(), call, *device_, workset, device_copies);
    variant().release(call.state);
    return result.reason;
  }

  Device* device_ = nullptr;
};

std::size_t index_of(const Extents& size, std::int64_t x, std::int64_t y, std::int64_t z) {
  return static_cast<std::size_t>((z * size.y + y) * size.x + x);
}

// Returns a fluid at equilibrium. `flow(x, y, z, u)` returns the density and sets the velocity u.
template <typename Flow>
std::vector<double> equilibrium(const Extents& size, Flow flow) {
  const auto nodes = static_cast<std::size_t>(size.count());
  std::vector<double> f(directions * nodes);
  for (std::int64_t z = 0; z < size.z; ++z)
    for (std::int64_t y = 0; y < size.y; ++y)
      for (std::int64_t x = 0; x < size.x; ++x) {
        double u[3] = {};
        const double rho = flow(x, y, z, u);
        for (std::size_t k = 0; k < directions; ++k) {
          const double c = e[k][0] * u[0] + e[k][1] * u[1] + e[k][2] * u[2];
          f[k * nodes + index_of(size, x, y, z)] =
              weight(static_cast<int>(k)) * rho *
              (1 + 3 * c + 4.5 * c * c - 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
        }
      }
  return f;
}

std::vector<double> at_rest(const Extents& size) {
  return equilibrium(size, [](std::int64_t, std::int64_t, std::int64_t, double*) { return 1.0; });
}

// Returns the density (axis -1) or the momentum along an axis at one node.
double moment(const std::vector<double>& f, std::size_t node, int axis) {
  const std::size_t nodes = f.size() / directions;
  double sum = 0;
  for (std::size_t k = 0; k < directions; ++k) sum += (axis < 0 ? 1 : e[k][axis]) * f[k * nodes + node];
  return sum;
}

double total(const std::vector<double>& f, const std::vector<double>& flags, int axis) {
  double sum = 0;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i] == 0) sum += moment(f, i, axis);
  return sum;
}

std::vector<double> flags_of(const Problem& problem) {
  std::vector<double> flags(static_cast<std::size_t>(problem.extents.count()));
  program().kernel.initialise.float64(problem, 1, 7, flags.data());
  return flags;
}

// ---- comparison with the reference

TEST_P(Lbm, MatchesTheReferenceInEveryScene) {
  for (const Extents size : {Extents{2, 2, 2}, Extents{7, 5, 6}, Extents{33, 3, 4}, Extents{131, 6, 5}})
    for (const ElementType type : {ElementType::float32, ElementType::float64})
      for (std::int64_t scene = rough_duct; scene <= porous; ++scene)
        for (const std::int64_t steps : {1, 2, 5})
          ASSERT_EQ(checked(problem_of(type, size, steps, 700, 1000, scene), 11), "")
              << size.x << "x" << size.y << "x" << size.z << " " << name_of(type) << " scene " << scene
              << ", " << steps << " steps";
}

TEST_P(Lbm, MatchesTheReferenceAfterAHundredSteps) {
  for (const ElementType type : {ElementType::float32, ElementType::float64})
    for (const std::int64_t steps : {100, 101})
      ASSERT_EQ(checked(problem_of(type, {13, 7, 11}, steps, 600, 100, porous), 12), "")
          << name_of(type) << ", " << steps << " steps";
}

// ---- physics

TEST_P(Lbm, KeepsMass) {
  const Problem problem = problem_of(ElementType::float64, {9, 8, 7}, 201, 800, 1000, porous);
  const std::vector<double> flags = flags_of(problem);
  ASSERT_LT(0, std::count(flags.begin(), flags.end(), 1.0));
  std::vector<double> f(static_cast<std::size_t>(directions * problem.extents.count()));
  program().kernel.initialise.float64(problem, 0, 8, f.data());
  const double before = total(f, flags, -1);
  ASSERT_EQ(run(problem, &f, flags), "");
  EXPECT_NEAR(total(f, flags, -1) / before, 1, 201 * 4 * 0x1p-53);
}

TEST_P(Lbm, GainsTheForcesMomentum) {
  const Problem problem = problem_of(ElementType::float64, {6, 5, 4}, 50, 800, 100, box);
  const std::vector<double> flags = flags_of(problem);
  std::vector<double> f = at_rest(problem.extents);
  ASSERT_EQ(run(problem, &f, flags), "");
  EXPECT_NEAR(total(f, flags, 0), 50 * 100e-6 * 120, 1e-12);
  EXPECT_NEAR(total(f, flags, 1), 0, 1e-12);
  EXPECT_NEAR(total(f, flags, 2), 0, 1e-12);
}

// At the magic relaxation time, (tau - 1/2)^2 = 3/16, the walls lie exactly halfway between nodes (Ginzburg
// and d'Humières, "Multireflection boundary conditions for lattice Boltzmann models", 2003).
TEST_P(Lbm, ReachesPoiseuillesParabola) {
  constexpr int height = 9;
  const Problem problem = problem_of(ElementType::float64, {2, 3, height + 2}, 1200, 933, 1, plates);
  std::vector<double> f = at_rest(problem.extents);
  ASSERT_EQ(run(problem, &f, flags_of(problem)), "");
  const double viscosity = (0.933 - 0.5) / 3, force = 1e-6;
  for (int layer = 0; layer < height; ++layer) {
    const std::size_t node = index_of(problem.extents, 1, 1, layer + 1);
    const double z = layer + 0.5, want = force / (2 * viscosity) * z * (height - z);
    // The flow velocity is the mean of the velocities before and after the collision.
    const double got = (moment(f, node, 0) - force / 2) / moment(f, node, -1);
    EXPECT_NEAR(got / want, 1, 1e-5) << "layer " << layer;
  }
}

// Returns the velocity's relative error after a vortex has lost four fifths of its energy. Velocities scale
// as 1/n, so the compressibility error scales as 1/n^2, like the other errors.
double vortex_error(int n, const std::function<std::string(const Problem&, std::vector<double>*)>& run) {
  const std::int64_t steps = n * n / 8;
  const Problem problem = problem_of(ElementType::float64, {n, n, 2}, steps, 800, 0, box);
  const double k = 2 * std::numbers::pi / n, speed = 0.32 / n, viscosity = 0.1;
  const auto angle = [k](std::int64_t i) { return k * static_cast<double>(i); };
  std::vector<double> f =
      equilibrium(problem.extents, [&](std::int64_t x, std::int64_t y, std::int64_t, double* u) {
        u[0] = speed * std::cos(angle(x)) * std::sin(angle(y));
        u[1] = -speed * std::sin(angle(x)) * std::cos(angle(y));
        return 1 - 0.75 * speed * speed * (std::cos(2 * angle(x)) + std::cos(2 * angle(y)));
      });
  EXPECT_EQ(run(problem, &f), "");
  const double left = speed * std::exp(-2 * viscosity * k * k * static_cast<double>(steps));
  double error = 0, sum = 0;
  for (std::int64_t y = 0; y < n; ++y)
    for (std::int64_t x = 0; x < n; ++x) {
      const std::size_t node = index_of(problem.extents, x, y, 0);
      const double want = left * std::cos(angle(x)) * std::sin(angle(y));
      const double got = moment(f, node, 0) / moment(f, node, -1);
      error += (got - want) * (got - want), sum += want * want;
    }
  return std::sqrt(error / sum);
}

TEST_P(Lbm, DampsTheTaylorGreenVortexToSecondOrder) {
  const auto run_it = [this](const Problem& problem, std::vector<double>* f) {
    return run(problem, f, flags_of(problem));
  };
  const double coarse = vortex_error(16, run_it), fine = vortex_error(32, run_it);
  EXPECT_LT(coarse, 0.03);
  EXPECT_GT(std::log2(coarse / fine), 1.9) << coarse << " " << fine;
}

// ---- invalid input

TEST_P(Lbm, RefusesFluidOnAnOpenBoundary) {
  const Problem problem = problem_of(ElementType::float64, {5, 4, 6}, 2, 800, 0, duct);
  std::vector<double> flags = flags_of(problem), f = at_rest(problem.extents);
  flags[index_of(problem.extents, 2, 3, 4)] = 0;
  EXPECT_NE(run(problem, &f, flags).find("node (2, 3, 4) lies on an open boundary"), std::string::npos);
  flags = flags_of(problem);
  flags[index_of(problem.extents, 2, 1, 4)] = 0.5;
  EXPECT_NE(run(problem, &f, flags).find("the flag of node (2, 1, 4) is neither"), std::string::npos);
}

TEST_P(Lbm, FailsTheCheckWhenItTurnsUnstable) {
  const Problem unstable = problem_of(ElementType::float64, {6, 6, 6}, 600, 501, 10000, porous);
  EXPECT_THROW(checked(unstable, 5), std::runtime_error);
  EXPECT_NO_THROW(checked(problem_of(ElementType::float64, {6, 6, 6}, 60, 800, 1, porous), 5));
}

std::string title(const testing::TestParamInfo<const Variant*>& info) {
  std::string name = info.param->name;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Lbm, testing::ValuesIn(variants()), title);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Lbm);

#ifndef SEXTANT_TEST_GPU

std::string error_of(Selection selection) {
  selection.kernels = {"lbm_d3q15"};
  return test::refusal([&] { plan(selection); });
}

TEST(LbmInput, IsRefusedBeforeAnythingRuns) {
  const auto of_parameter = [](const char* name, std::int64_t value) {
    Selection selection;
    selection.parameters[name] = {value};
    return error_of(selection);
  };
  EXPECT_NE(of_parameter("steps", 0).find("steps of lbm_d3q15 cannot be 0"), std::string::npos);
  EXPECT_NE(of_parameter("steps", -5).find("cannot be -5"), std::string::npos);
  EXPECT_NE(of_parameter("tau_milli", 500).find("from 501"), std::string::npos);
  EXPECT_NE(of_parameter("scene", 5).find("cannot be 5"), std::string::npos);
  Selection flat;
  flat.shapes = {{1, 5, 5}};
  EXPECT_NE(error_of(flat).find("at least 2 nodes"), std::string::npos);
  Selection good;
  good.shapes = {{2, 5, 5}};
  EXPECT_EQ(error_of(good), "accepted");
}

TEST(LbmWork, CountsFluidNodes) {
  for (const std::int64_t scene : {rough_duct, duct, plates, box, porous}) {
    const Problem problem = problem_of(ElementType::float64, {40, 21, 34}, 3, 800, 0, scene);
    std::int64_t fluid = 0;
    for (const double flag : flags_of(problem)) fluid += flag == 0;
    const Work work = program().kernel.work(problem);
    const auto all = static_cast<double>(problem.extents.count());
    // The work counts random solid nodes by their expected number.
    EXPECT_NEAR(static_cast<double>(work.items) / 3, static_cast<double>(fluid),
                scene == duct || scene == plates || scene == box ? 0 : 0.02 * all)
        << scene;
    EXPECT_EQ(work.bytes_read, 15 * 8 * work.items);
    EXPECT_EQ(work.flops % work.items, 0);
  }
}

TEST(LbmInput, SizesBecomeNearlyCubicBoxes) {
  const Kernel& kernel = program().kernel;
  EXPECT_EQ(kernel.extents(16 * 8 - 1).count(), 0);
  EXPECT_EQ(kernel.extents(16 * 8), (Extents{2, 2, 2}));
  EXPECT_EQ(kernel.extents(16 * 97), (Extents{6, 4, 4}));
  EXPECT_EQ(kernel.extents(std::int64_t{1} << 28), (Extents{256, 256, 256}));
}

// There must be at most one box per multiprocessor. Otherwise a box could wait forever for a neighbour that
// cannot run.
TEST(LbmBoxes, AreNoMoreThanAreAskedFor) {
  std::int64_t before = 0;
  for (const int most : {1, 20, 84, 132, 144}) {
    const lbm_d3q15::BoxCounts counts = lbm_d3q15::cheapest_boxes({64, 32, 32}, most);
    const std::int64_t boxes = lbm_d3q15::cut({64, 32, 32}, counts).count.count();
    EXPECT_LE(boxes, most);
    EXPECT_GE(boxes, before) << most;
    before = boxes;
  }
  EXPECT_GT(before, 84);
}

TEST(LbmPhases, OfTheTwoKernelFormsAreTheTalks) {
  const Variant& variant = *find_variant(program(), "serial.baseline");
  const Problem problem = problem_of(ElementType::float64, {4, 4, 4}, 2, 800, 0, box);
  std::vector<double> f = at_rest(problem.extents), flags = flags_of(problem);
  ArrayAt arrays[] = {f.data(), flags.data()};
  std::string heard;
  Call call{problem, nullptr, arrays, nullptr, nullptr};
  call.listener = &heard;
  call.on_phase = [](void* listener, const char* name) {
    static_cast<std::string*>(listener)->append(name).append(" ");
  };
  ASSERT_EQ(variant.prepare(call, &call.state), nullptr);
  variant.launch.float64(call);
  variant.release(call.state);
  EXPECT_EQ(heard, "propagate collide propagate collide  ");
}

#endif

}  // namespace
}  // namespace sextant
