// Compares the traits that kernels declare (loads, stores, strides) with their plain loops. The loops are
// templates and run on elements that record every access.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numbers>

#include "../../kernels/add/loop.hpp"
#include "../../kernels/alias/loop.hpp"
#include "../../kernels/copy/loop.hpp"
#include "../../kernels/dot/loop.hpp"
#include "../../kernels/heat3d/loop.hpp"
#include "../../kernels/increment/loop.hpp"
#include "../../kernels/matmul/loop.hpp"
#include "../../kernels/matmul_naive/loop.hpp"
#include "../../kernels/matvec/loop.hpp"
#include "../../kernels/reduction/loop.hpp"
#include "../../kernels/rows/loop.hpp"
#include "../../kernels/scale/loop.hpp"
#include "../../kernels/stencil1d_2pt/loop.hpp"
#include "../../kernels/stencil2d_4pt/loop.hpp"
#include "../../kernels/stencil3d_7pt/loop.hpp"
#include "../../kernels/stride/loop.hpp"
#include "../../kernels/triad/loop.hpp"
#include "../../patterns/all_reduce/loop.hpp"
#include "../../patterns/all_to_all/loop.hpp"
#include "../../patterns/blackscholes/loop.hpp"
#include "../../patterns/cholesky/loop.hpp"
#include "../../patterns/compact/loop.hpp"
#include "../../patterns/conv2d/loop.hpp"
#include "../../patterns/fft1d/loop.hpp"
#include "../../patterns/floyd_warshall/loop.hpp"
#include "../../patterns/gather/loop.hpp"
#include "../../patterns/gemm_batched/loop.hpp"
#include "../../patterns/halo3d/loop.hpp"
#include "../../patterns/histogram/loop.hpp"
#include "../../patterns/horner/loop.hpp"
#include "../../patterns/inclusive_scan/loop.hpp"
#include "../../patterns/map_chain/loop.hpp"
#include "../../patterns/mesh/loop.hpp"
#include "../../patterns/needleman_wunsch/loop.hpp"
#include "../../patterns/pointer_chase/loop.hpp"
#include "../../patterns/scatter/loop.hpp"
#include "../../patterns/segmented/loop.hpp"
#include "../../patterns/softmax/loop.hpp"
#include "../../patterns/spmv/loop.hpp"
#include "../../patterns/transpose/loop.hpp"
#include "../../patterns/tridiagonal/loop.hpp"
#include "../../programs/lbm_d3q15/serial.hpp"
#include "predict/form.hpp"
#include "registry/registry.hpp"
#include "traced.hpp"

namespace sextant {
namespace {

using predict::Form;
using predict::form_of;
using traced::Element;

const std::map<std::string, void (*)(const Call&)> loops = {
    {"add", add::loop<Element>},
    {"alias", alias::loop<Element>},
    {"all_reduce", all_reduce::loop<Element>},
    {"all_to_all", all_to_all::loop<Element>},
    {"blackscholes", blackscholes::loop<Element>},
    {"cholesky", cholesky::loop<Element>},
    {"compact", compact::loop<Element>},
    {"conv2d", conv2d::loop<Element>},
    {"copy", copy::loop<Element>},
    {"dot", dot::loop<Element>},
    {"fft1d", fft1d::loop<Element>},
    {"floyd_warshall", floyd_warshall::loop<Element>},
    {"gather_near", gather::loop<Element, Element>},
    {"gather_random", gather::loop<Element, Element>},
    {"gemm_batched", gemm_batched::loop<Element>},
    {"halo3d", halo3d::loop<Element>},
    {"heat3d_r1", heat3d::loop<Element>},
    {"heat3d_r2", heat3d::loop<Element>},
    {"heat3d_r3", heat3d::loop<Element>},
    {"heat3d_r4", heat3d::loop<Element>},
    {"histogram_skewed", histogram::loop<Element>},
    {"histogram_uniform", histogram::loop<Element>},
    {"histogram_wide", histogram::loop<Element>},
    {"horner", horner::loop<Element>},
    {"inclusive_scan", inclusive_scan::loop<Element>},
    {"increment", increment::loop<Element>},
    {"increment2", increment::loop<Element>},
    {"lbm_d3q15", lbm_d3q15::launch_two_loops<Element>},
    {"map_chain", map_chain::loop<Element>},
    {"matmul", matmul::loop<Element>},
    {"matmul_naive", matmul_naive::loop<Element>},
    {"matvec", matvec::loop<Element>},
    {"mesh_ordered", mesh::loop<Element, Element>},
    {"needleman_wunsch", needleman_wunsch::loop<Element>},
    {"pointer_chase", pointer_chase::loop<Element>},
    {"reduction", reduction::loop<Element>},
    {"rows", rows::loop<Element>},
    {"scale", scale::loop<Element>},
    {"scatter_near", scatter::loop<Element, Element>},
    {"scatter_random", scatter::loop<Element, Element>},
    {"segmented_ruler", segmented::loop<Element, Element>},
    {"segmented_short", segmented::loop<Element, Element>},
    {"softmax", softmax::loop<Element>},
    {"spmv_banded", spmv::loop<Element, Element>},
    {"spmv_powerlaw", spmv::loop<Element, Element>},
    {"spmv_uniform", spmv::loop<Element, Element>},
    {"stencil1d_2pt", stencil1d_2pt::loop<Element>},
    {"stencil2d_4pt", stencil2d_4pt::loop<Element>},
    {"stencil3d_7pt", stencil3d_7pt::loop<Element>},
    {"stride16", stride::loop<Element>},
    {"stride2", stride::loop<Element>},
    {"stride4", stride::loop<Element>},
    {"stride64", stride::loop<Element>},
    {"transpose", transpose::loop<Element>},
    {"triad", triad::loop<Element>},
    {"tridiagonal", tridiagonal::loop<Element>},
};

[[maybe_unused]] const auto variant_of_the_lattice =
    lbm_d3q15::two_loops;  // keeps the variant that is defined next to the loops from being reported as
                           // unused

// Kernels whose plain loop cannot run on another element type, with the reason.
const std::map<std::string, const char*> not_traced = {
    {"bfs_grid", "its places are whole numbers that a queue keeps, which no other element is"},
    {"bfs_rmat", "as bfs_grid"},
    {"dfa_converging", "goes through the bytes of words, which no other element has"},
    {"dfa_permuting", "as dfa_converging"},
    {"mandelbrot", "multiplies whole numbers of 32 and 64 bits, which no other element is"},
    {"mesh_shuffled", "the same loop as mesh_ordered, over two permutations at once"},
    {"nbody", "every body reads all others: more accesses than a test keeps"},
    {"npb_cg", "computes in double alone, on a matrix that it makes itself"},
    {"npb_cg_vector", "the same loops as npb_cg"},
    {"npb_ep", "computes in double alone, on numbers that it makes itself: no array is read"},
    {"npb_ft", "its lines are of complex doubles, transformed in blocks of its own"},
    {"npb_ft_field", "the same loops as npb_ft"},
    {"npb_sp", "computes in double alone, on fields that it makes itself: no array is read"},
    {"npb_sp_field", "the same loops as npb_sp"},
    {"npb_bt", "as npb_sp"},
    {"npb_bt_field", "as npb_sp"},
    {"npb_lu", "as npb_sp"},
    {"npb_lu_field", "as npb_sp"},
    {"nqueens", "works on the bits of words, which no other element has"},
    {"npb_mg", "adds rows up in lines of doubles of its own, whatever the element"},
    {"npb_mg_field", "the same loops as npb_mg"},
    {"npb_is", "its keys, which it makes itself, are places, and no array"},
    {"sha256", "works on the bits of words, which no other element has"},
    {"sort_keys", "std::sort: which keys meet is the library's own"},
    {"sort_pairs", "as sort_keys"},
    {"viterbi", "walks back along places of a type of their own, which are drawn from scores"},
};

// Kernels with fewer results than items, although no reduction combines the items. The text gives the reason.
const std::map<std::string, const char*> more_than_a_count = {
    {"bfs_grid", "vertices have levels, and edges none"},
    {"bfs_rmat", "as bfs_grid"},
    {"compact", "the elements it keeps are its result"},
    {"dfa_converging", "a state is kept of every 64th byte"},
    {"dfa_permuting", "as dfa_converging"},
    {"npb_ft", "a checksum adds a thousand points, whatever their number: the work is the field"},
    {"pointer_chase", "where a chain has come after many steps is its result"},
    {"npb_mg", "a norm adds the squares of a field, after operators on all of it: the work is the field"},
};

// Kernels whose loop accesses an array by indices from the data, with the number of that array. A declared
// stride is compared with the mean distance between accesses to this array. Otherwise, the strides of the
// other arrays are compared.
const std::map<std::string, std::size_t> places_by_data = {
    {"gather_near", 1},      {"gather_random", 1},     {"scatter_near", 2},   {"scatter_random", 2},
    {"histogram_skewed", 1}, {"histogram_uniform", 1}, {"histogram_wide", 1}, {"pointer_chase", 0},
    {"spmv_powerlaw", 3},    {"spmv_uniform", 3}};

// The arrays of a problem, with the workspace last, and the recorded accesses.
struct Run {
  std::vector<std::vector<Element>> arrays;
  std::vector<std::vector<std::int32_t>> indices;  // of arrays with their own type
  traced::Watch watch;
};

double filled(const Kernel& kernel, int index, std::int64_t i) {
  if (kernel.name == "lbm_d3q15" && index == 1) return -1;  // the caller fills in the flags
  return (i * 7 + index) % 10 < 5 ? 1.0 : -1.0;
}

// Fills the flags of a box with solid walls in y and z.
void fill_flags(const Extents& box, std::vector<Element>* flags) {
  for (std::int64_t z = 0; z < box.z; ++z)
    for (std::int64_t y = 0; y < box.y; ++y)
      for (std::int64_t x = 0; x < box.x; ++x)
        (*flags)[static_cast<std::size_t>((z * box.y + y) * box.x + x)] =
            y == 0 || y == box.y - 1 || z == 0 || z == box.z - 1 ? 1 : 0;
}

// Random values are no valid indices, so the kernel itself initialises this array.
void fill_places(const Kernel& kernel, const Problem& problem, int index, std::vector<Element>* places) {
  std::vector<std::int32_t> drawn(places->size());
  const auto& initialise = kernel.initialise.int32 ? kernel.initialise.int32 : kernel.initialise.float32;
  initialise(problem, index, 1, drawn.data());
  std::copy(drawn.begin(), drawn.end(), places->begin());
}

void watch_array(std::vector<Element>* array, Run* run) {
  run->watch.arrays.push_back(
      {array->data(), static_cast<std::int64_t>(array->size()), sizeof(Element), {}, {}});
}

std::unique_ptr<Run> traced_run(const Kernel& kernel, const Problem& problem) {
  auto run = std::make_unique<Run>();
  const int count = static_cast<int>(kernel.arrays.size());
  run->arrays.resize(static_cast<std::size_t>(count) + 1);
  run->indices.resize(static_cast<std::size_t>(count));
  std::vector<ArrayAt> pointers;
  for (int i = 0; i < count; ++i) {
    const auto elements = static_cast<std::size_t>(kernel.elements(problem, i));
    auto& array = run->arrays[static_cast<std::size_t>(i)];
    auto& indices = run->indices[static_cast<std::size_t>(i)];
    array.resize(elements);
    indices.resize(elements);
    for (std::size_t at = 0; at < elements; ++at)
      array[at] = filled(kernel, i, static_cast<std::int64_t>(at));
    if (kernel.name == "lbm_d3q15" && i == 1) fill_flags(problem.extents, &array);
    const ArraySpec& spec = kernel.arrays[static_cast<std::size_t>(i)];
    const bool indices_in = spec.role == Role::in && spec.type == ElementType::int32;  // also recorded
    if ((kernel.name.starts_with("histogram_") && i == 0) || indices_in)
      fill_places(kernel, problem, i, &array);
    const bool own_type = spec.type.has_value() && !indices_in;
    pointers.push_back(own_type ? static_cast<void*>(indices.data()) : array.data());
    watch_array(&array, run.get());
  }
  auto& workspace = run->arrays.back();
  workspace.assign(run->arrays[0].size(), Element(1));
  watch_array(&workspace, run.get());
  Call call;
  call.problem = problem;
  call.arrays = pointers.data();
  call.state = workspace.data();
  traced::watch = &run->watch;
  loops.at(kernel.name)(call);
  traced::watch = nullptr;
  return run;
}

// Estimates the stride of the innermost loop. The number of accesses per iteration is unknown, so distances
// of up to 30 accesses are tried. For each distance, the most frequent difference of indices is found. The
// most frequent one of all is returned.
double stride_of(const std::vector<std::int64_t>& accesses) {
  const std::size_t count = std::min<std::size_t>(accesses.size(), 20'000);
  double best_share = 0, stride = Traits::not_known;
  for (std::size_t lag = 1; lag <= 30 && 4 * lag < count; ++lag) {
    std::map<std::int64_t, double> ways;
    for (std::size_t i = lag; i < count; ++i) ++ways[accesses[i] - accesses[i - lag]];
    for (const auto& [way, times] : ways) {
      const double share = times / static_cast<double>(count - lag);
      if (way != 0 && share > best_share + 0.02)
        best_share = share, stride = std::abs(static_cast<double>(way));
    }
  }
  return stride;
}

struct Seen {
  double loads = 0, stores = 0, stride_read = Traits::not_known, stride_write = Traits::not_known;
};

// Summarizes the accesses to all arrays except array `without`.
Seen seen_in(const traced::Watch& watch, std::size_t without) {
  Seen seen;
  for (std::size_t i = 0; i < watch.arrays.size(); ++i) {
    const traced::Trace& one = watch.arrays[i];
    seen.loads += static_cast<double>(one.reads.size());
    seen.stores += static_cast<double>(one.writes.size());
    if (i == without) continue;
    seen.stride_read = std::max(seen.stride_read, stride_of(one.reads));
    seen.stride_write = std::max(seen.stride_write, stride_of(one.writes));
  }
  return seen;
}

// Returns the mean distance between successive accesses.
double mean_way(const std::vector<std::int64_t>& accesses) {
  double sum = 0;
  for (std::size_t i = 1; i < accesses.size(); ++i)
    sum += std::abs(static_cast<double>(accesses[i] - accesses[i - 1]));
  return sum / static_cast<double>(accesses.size() - 1);
}

Problem problem_of(const Kernel& kernel, std::int64_t n) {
  Problem problem = {n, ElementType::float32, kernel.extents(n), kernel.standard_parameters()};
  if (kernel.name == "lbm_d3q15") problem.parameters[lbm_d3q15::scene_index] = lbm_d3q15::duct;
  if (kernel.name == "pointer_chase")
    problem.parameters = {8, 500};  // several chains, which write adjacent results
  return problem;
}

class PlainLoop : public testing::TestWithParam<std::string> {};

TEST_P(PlainLoop, DoesWhatItsKernelSays) {
  const Kernel& kernel = find_kernel(GetParam())->kernel;
  ASSERT_TRUE(kernel.traits);
  for (const std::int64_t n : {6000, 40000}) {
    const Problem problem = problem_of(kernel, n);
    const Traits traits = kernel.traits(problem);
    const auto run = traced_run(kernel, problem);
    const auto by_data = places_by_data.find(kernel.name);
    const bool data_say = by_data != places_by_data.end();
    const Seen seen = seen_in(run->watch, data_say ? by_data->second : run->watch.arrays.size());
    const auto items = static_cast<double>(kernel.work(problem).items);
    EXPECT_NEAR(traits.loads, seen.loads / items, 1e-9 * traits.loads) << n;
    // Counts have their own type and are not recorded. One element less may be kept with these inputs.
    EXPECT_NEAR(traits.stores, seen.stores / items, 2.5 / items) << n;
    if (data_say && traits.stride_write != Traits::not_known) {
      const traced::Trace& places = run->watch.arrays[by_data->second];
      const bool are_read = !places.reads.empty(), are_written = !places.writes.empty();
      const double way = mean_way(are_read ? places.reads : places.writes);
      EXPECT_NEAR(are_read ? traits.stride_read : traits.stride_write, way, 0.05 * way) << n;
      if (are_read) {
        EXPECT_EQ(traits.stride_write, are_written ? traits.stride_read : seen.stride_write) << n;
      } else {
        EXPECT_EQ(traits.stride_read, seen.stride_read) << n;
      }
    } else {
      EXPECT_EQ(traits.stride_read, seen.stride_read) << n;
      EXPECT_EQ(traits.stride_write, seen.stride_write) << n;
    }
    EXPECT_EQ(traits.special_flops, static_cast<double>(run->watch.divisions) / items) << n;
  }
}

std::vector<std::string> names_of_loops() {
  std::vector<std::string> names;
  for (const auto& [name, loop] : loops)
    if (find_kernel(name)) names.push_back(name);  // a build may lack some kernels
  return names;
}

INSTANTIATE_TEST_SUITE_P(Kernels, PlainLoop, testing::ValuesIn(names_of_loops()),
                         [](const auto& tested) { return tested.param; });

TEST(Traits, AreSaidByEveryKernelAndHeldOrExcused) {
  for (const RegisteredKernel& entry : registry()) {
    const std::string& name = entry.kernel.name;
    EXPECT_TRUE(entry.kernel.traits) << name;
    EXPECT_NE(loops.contains(name), not_traced.contains(name)) << name;
  }
}

// A kernel is a reduction if it has fewer results than items.
TEST(Traits, OfReductionsFollowFromTheNumberOfResults) {
  for (const RegisteredKernel& entry : registry()) {
    const Kernel& kernel = entry.kernel;
    const Problem problem = kernel.extents ? problem_of(kernel, 40000) : kernel.classes.front().problem;
    const Form form = form_of(kernel, problem);
    const bool fewer =
        form.bytes_out / static_cast<std::int64_t>(element_size(form.type)) < form.work.items &&
        form.traits.launches == 1;
    EXPECT_EQ(form.traits.reduction, fewer && !more_than_a_count.contains(kernel.name) ? 1 : 0)
        << kernel.name;
    EXPECT_GE(form.traits.depth, 1) << kernel.name;
    EXPECT_GE(form.traits.launches, 1) << kernel.name;
    EXPECT_GE(form.traits.divergence, 0) << kernel.name;
    EXPECT_LE(form.traits.divergence, 0.5) << kernel.name;
  }
}

}  // namespace
}  // namespace sextant
