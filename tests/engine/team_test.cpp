// Tests of device groups (several GPUs in one process) that need no GPU: device names, plans, errors, and the
// engine with partitions in host memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "base/error.hpp"
#include "cheating.hpp"
#include "engine/case/sampling.hpp"
#include "engine/form/settings.hpp"
#include "engine/parts/rank_runner.hpp"
#include "faults/cheats.hpp"
#include "faults/planted.hpp"
#include "faults/rank_faults.hpp"
#include "golden.hpp"
#include "parts_cases.hpp"
#include "plan/memory_need.hpp"
#include "record/json.hpp"
#include "record/json_text.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "toolbox/team_copies.hpp"
#include "toolbox/team_slab.hpp"

namespace sextant {
namespace {

TEST(GpuIndex, IsThatOfASingleGpu) {
  EXPECT_EQ(gpu_index("cpu"), -1);
  EXPECT_EQ(gpu_index("gpu0"), 0);
  EXPECT_EQ(gpu_index("gpu12"), 12);
  for (const char* other : {"", "gpu", "gpu-1", "gpu1x", "GPU0", "cuda", "gpu0-1", "gpu0:2", "2xgpu"})
    EXPECT_EQ(gpu_index(other), -2) << other;
}

TEST(PlaceOfATeam, IsWhatItsTextSays) {
  const std::optional<Place> four = place_of("gpu0-3"), cut = place_of("gpu2:4"), one = place_of("gpu1:1");
  ASSERT_TRUE(four && cut && one);
  EXPECT_TRUE(four->on_gpu && four->is_team() && four->in_parts());
  EXPECT_EQ(four->device, 0);
  EXPECT_EQ(four->devices, 4);
  EXPECT_EQ(four->sharing, 1);
  EXPECT_EQ(cut->device, 2);
  EXPECT_EQ(cut->devices, 1);
  EXPECT_EQ(cut->sharing, 4);
  EXPECT_TRUE(one->is_team());
  EXPECT_EQ(parts_of("gpu0-3"), 4);
  EXPECT_EQ(parts_of("gpu2:4"), 4);
  EXPECT_EQ(parts_of("gpu1:1"), 1);
  EXPECT_EQ(parts_together_of("gpu1:1"), 1);
  EXPECT_EQ(parts_together_of("gpu1"), 0);
  EXPECT_EQ(parts_together_of("4xcpu"), 4);
  EXPECT_EQ(ranks_of("gpu0-3"), 0);
  EXPECT_FALSE(place_of("gpu3")->is_team());
  EXPECT_FALSE(is_on_cpu("gpu0-3"));
  for (const char* text : {"gpu0-0", "gpu3-1", "gpu0-16", "gpu0:17", "gpu0:0", "gpu0:", "gpu0-", "gpu-1",
                           "gpu:2", "gpu0:2:2", "gpu0-1:2", "gpu0-gpu1", "gpu0:02", "gpu00-1", "gpu0 -1"})
    EXPECT_FALSE(place_of(text)) << text;
}

TEST(PlanOfATeam, SaysWhichPlacesThereAre) {
  std::string all;
  for (const char* wrong : {"gpu0-0", "gpu3-1", "gpu0:99"})
    all = test::replaced(said(of_triad(wrong)), wrong, "PLACE") + "\n";
  for (const char* parted : {"gpu0-1", "2xgpu"}) {
    Selection serial = of_triad(parted);
    serial.variants = {"serial"};
    const std::string text = said(serial);
    all += text.substr(0, text.find(" such as ")) +
           "\n";  // drops the suggested variant, which depends on the build
  }
  test::expect_golden(all, "engine/teams:places");
}

// Memory functions that place the partitions in host memory.
const parts::Memory memory_of_host = {
    .allocate = [](const parts::Team&, int,
                   std::int64_t bytes) { return std::malloc(static_cast<std::size_t>(bytes)); },
    .release = [](const parts::Team&, int, void* memory) { std::free(memory); },
    .write = [](const parts::Team&, int, void* to, const void* host,
                std::int64_t bytes) { std::memcpy(to, host, static_cast<std::size_t>(bytes)); },
    .read = [](const parts::Team&, int, void* host, const void* from,
               std::int64_t bytes) { std::memcpy(host, from, static_cast<std::size_t>(bytes)); },
    .fill = [](const parts::Team&, int, void* to, unsigned char byte,
               std::int64_t bytes) { std::memset(to, byte, static_cast<std::size_t>(bytes)); },
};

class HostTeam : public DeviceTeam {
 public:
  explicit HostTeam(int parts, int sharing = 1, std::size_t free = std::size_t{1} << 30) : free_(free) {
    team_.parts = parts;
    team_.sharing = sharing;
    team_.memory = &memory_of_host;
  }
  const parts::Team& team() const override { return team_; }
  void synchronise() override {
    if (fails) throw DeviceError("running: it fails");
    ++waited;
  }
  void synchronise_all() override {
    if (leftover.joinable()) leftover.join();
  }
  std::size_t free_memory() const override { return free_; }
  void begin_times() override { ++begun; }
  std::vector<double> times_of_parts() override { return times; }
  bool fails = false;
  int waited = 0, begun = 0;
  std::vector<double> times;
  static inline std::jthread leftover;  // work that a launch leaves on a private stream

 private:
  parts::Team team_;
  std::size_t free_;
};

TEST(SlabOfATeam, IsOwnPlanesAndHalosThatNobodyFetchedAreNaN) {
  for (const int parts : {1, 2, 3, 4}) {
    const HostTeam host(parts);
    TeamSlab slab(host.team(), 11, 3 * sizeof(float), 2);
    ASSERT_TRUE(slab.is_there());
    std::vector<float> whole(33), back(33, -1);
    for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = static_cast<float>(i);
    slab.scatter(whole.data());
    for (int part = 0; part < parts; ++part) {
      const float* data = slab.data<float>(part);
      for (std::int64_t i = 0; i < 3 * slab.planes(part); ++i) {
        const std::int64_t plane = i / 3 - slab.below(part);
        if (plane >= 0 && plane < slab.own(part).count)
          EXPECT_EQ(data[i], static_cast<float>(3 * slab.own(part).first + i - 3 * slab.below(part)));
        else
          EXPECT_TRUE(data[i] != data[i]) << parts << " " << part << " " << i;
      }
    }
    slab.gather(back.data());
    EXPECT_EQ(back, whole);
  }
}

TEST(SlabOfATeam, APartThatWritesBesideItsPlanesIsLost) {
  const HostTeam host(2);
  TeamSlab slab(host.team(), 8, sizeof(float));
  std::vector<float> whole(8, 1), back(8);
  slab.scatter(whole.data());
  slab.data<float>(1)[slab.planes(1)] = 5;
  slab.gather(back.data());
  EXPECT_EQ(back[3], 1);
  EXPECT_TRUE(back[4] != back[4]);
}

TEST(CopiesOfATeam, AreWhatAllPartsHave) {
  for (const int parts : {1, 2, 4}) {
    const HostTeam host(parts);
    TeamCopies copies(host.team(), sizeof(double));
    ASSERT_TRUE(copies.is_there());
    double result = 3;
    copies.scatter(&result);
    for (int part = 0; part < parts; ++part) {
      EXPECT_EQ(*copies.data<double>(part), 3) << "not poisoned as the host's";
      *copies.data<double>(part) = 7;
    }
    copies.gather(&result);
    EXPECT_EQ(result, 7);
    for (int part = 0; part < parts; ++part) {
      *copies.data<double>(part) = 8;
      copies.gather(&result);
      EXPECT_EQ(result != result, parts > 1) << "part " << part << " of " << parts << " has another result";
      *copies.data<double>(part) = 7;
      copies.data<double>(part)[1] = 5;
      copies.gather(&result);
      EXPECT_TRUE(result != result) << "part " << part << " of " << parts << " wrote beside its copy";
      *(copies.data<unsigned long long>(part) + 1) = ~0ULL;
    }
  }
}

// The data of c = a + 1 in several partitions. Some launches below are faulty.
struct Halves {
  std::unique_ptr<TeamSlab> a, c;
  int calls = 0;
};

template <int parts_left_out, int short_of>
void add_one(const Call& call) {
  const auto* halves = static_cast<const Halves*>(call.state);
  for (int part = 0; part < parts::team_of(call).parts - parts_left_out; ++part)
    for (std::int64_t i = 0; i < halves->a->own(part).count - short_of; ++i)
      halves->c->data<float>(part)[i] = halves->a->data<float>(part)[i] + 1;
}

// Only the second call is slow. The check times the second call, because the first one uses other inputs.
void slow_when_checked(const Call& call) {
  add_one<0, 0>(call);
  if (++static_cast<Halves*>(call.state)->calls == 2)
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
}

void slow(const Call& call) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  add_one<0, 0>(call);
}

// Applies a cheat from cheating.hpp in each partition.
template <template <typename> class Cheat>
void cheats(const Call& call) {
  static std::array<Cheat<float>, 2> of_parts;
  const auto* halves = static_cast<const Halves*>(call.state);
  for (std::size_t i = 0; i < of_parts.size(); ++i) {
    const int part = static_cast<int>(i);
    of_parts[i]({halves->a->own(part).count, halves->a->data<float>(part), halves->c->data<float>(part)});
  }
}

// Imitates work on a private stream. Only a wait for the whole device includes this work, as on a real GPU.
void on_its_own_stream(const Call& call) {
  cheats<cheating::Honest>(call);
  if (HostTeam::leftover.joinable()) HostTeam::leftover.join();
  HostTeam::leftover = std::jthread([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
}

Variant team_variant(const char* name, void (*launch)(const Call&)) {
  Variant variant;
  variant.name = std::string("cuda.") + name;
  variant.model = Model::cuda;
  variant.memory_space = MemorySpace::partitioned;
  variant.launch.float32 = launch;
  variant.workspace = [](const Problem& problem, const int*) {
    return 8 * problem.extents.x / problem.parts;
  };
  variant.prepare = [](const Call& call, void** state) -> const char* {
    auto* halves = new Halves;
    for (std::unique_ptr<TeamSlab>* slab : {&halves->a, &halves->c})
      *slab = std::make_unique<TeamSlab>(parts::team_of(call), call.problem.extents.x, 4);
    *state = halves;
    return nullptr;
  };
  variant.release = [](void* state) { delete static_cast<Halves*>(state); };
  variant.parts.scatter = [](const Call& call) {
    static_cast<const Halves*>(call.state)->a->scatter(call.address(0));
    static_cast<const Halves*>(call.state)->c->scatter(call.address(1));
  };
  variant.parts.gather = [](const Call& call) {
    static_cast<const Halves*>(call.state)->c->gather(call.address(1));
  };
  return variant;
}

Case team_case(const std::string& variant, const std::string& device) {
  static const bool added = [] {
    Variant on_ranks = team_variant("whole", add_one<0, 0>);
    on_ranks.name = "openmp.whole";
    on_ranks.model = Model::openmp;
    on_ranks.parts.needs_mpi = true;
    Kernel sends = parts_kernel("team_parts_that_send");
    sends.work = [](const Problem& p) { return Work{.items = p.extents.x, .bytes_sent = 4}; };
    std::vector<Variant> separable = {team_variant("whole", add_one<0, 0>), team_variant("slow", slow)};
    for (Variant& one : separable) one.parts.separable = true;
    add_to_registry({sends, separable});
    add_to_registry({parts_kernel("team_parts"),
                     {team_variant("whole", add_one<0, 0>), team_variant("misses_a_part", add_one<1, 0>),
                      team_variant("last_element_off", add_one<0, 1>),
                      team_variant("slow_when_checked", slow_when_checked), on_ranks}});
    add_to_registry({costly_kernel(),
                     {team_variant("honest", cheats<cheating::Honest>),
                      team_variant("already_there", cheats<cheating::AlreadyThere>),
                      team_variant("recognises", cheats<cheating::Recognises>),
                      team_variant("computes_twice", cheats<cheating::ComputesTwice>),
                      team_variant("keeps_its_first", cheats<cheating::KeepsItsFirst>),
                      team_variant("writes_rubbish", cheats<cheating::WritesRubbish>),
                      team_variant("on_its_own_stream", on_its_own_stream)}});
    return true;
  }();
  (void)added;
  Case what;
  what.kernel = "team_parts";
  what.variant = variant;
  what.problem = {2002, ElementType::float32, {1001, 1, 1}, {}};
  what.device = device;
  what.problem.parts = parts_of(device);
  return what;
}

Measurement run_on(HostTeam& team, const Case& what, bool check_only = true) {
  RankRunner runner(team, [](Stage) {});
  Settings settings = checks();
  settings.check_only = check_only;
  settings.min_samples = 3;
  settings.max_samples = 5;
  settings.case_seconds = 0.01;
  return runner.run(what, settings);
}

// Returns null if the build lacks the variant.
const Variant* variant_of(const char* kernel, const char* variant) {
  const RegisteredKernel* entry = find_kernel(kernel);
  return entry ? find_variant(*entry, variant) : nullptr;
}

// The default tile must fit the planes of one partition, not those of the whole box. Without a GPU, the
// defaults are those of an H200.
TEST(PlanOfATeam, HasHeatsTileForAPart) {
  if (!variant_of("heat3d_r1", "cuda.peers_temporal")) GTEST_SKIP() << "not in this build";
  for (const std::int64_t planes : {64, 128, 256, 512})
    for (const auto& [device, parts] :
         {std::pair("gpu0:1", 1), std::pair("gpu0-1", 2), std::pair("gpu0-3", 4)}) {
      Selection selection;
      selection.kernels = {"heat3d_r1"};
      selection.variants = {"cuda.peers_temporal"};
      selection.types = {ElementType::float32};
      selection.parameters["steps"] = {24};
      selection.shapes = {{256, 256, parts * planes}};
      selection.device = device;
      std::map<std::string, std::int64_t> tuning;
      const std::vector<Case> cases = plan(selection);
      for (const auto& [name, value] : cases.front().tuning) tuning[name] = value.number;
      SCOPED_TRACE(std::to_string(planes) + " planes a part on " + device);
      EXPECT_EQ(tuning["block_y"] % 4, 0) << tuning["block_y"];
      EXPECT_EQ(tuning["steps_per_pass"], 3);
      EXPECT_EQ(tuning["points_per_lane"], 8);
    }
}

// The reported workspace includes message buffers and counters for each communication step.
TEST(PlanOfATeam, CountsTheMemoryOfPosts) {
  for (const auto& [kernel, posting] :
       {std::pair("all_reduce", "one_shot"), std::pair("all_to_all", "flags_with_data")}) {
    const Variant* peers = variant_of(kernel, "cuda.peers");
    if (!peers) GTEST_SKIP() << "not in this build";
    Problem problem{2048, ElementType::float32, {1024, 1, 1}, {}};
    problem.parts = 4;
    std::vector<int> values;
    for (const Tunable& tunable : peers->tunables) values.push_back(tunable.preferred);
    const auto bytes = [&, name = std::string(posting)](int posts) {
      for (std::size_t i = 0; i < values.size(); ++i)
        if (peers->tunables[i].name == name) values[i] = posts;
      return peers->workspace(problem, values.data());
    };
    const std::int64_t packets = kernel == std::string("all_reduce") ? 512 : 128;
    EXPECT_GE(bytes(1) - bytes(0), packets * (2 * 4 * 16 + 4)) << kernel;
  }
}

// Returns the default of the tunable `wanted`, or -1 if the variant has no such number.
std::int64_t by_default(const Variant& variant, const Problem& problem, std::string_view wanted) {
  for (const auto& [name, value] : default_tuning(variant, problem))
    if (name == wanted) return value.number;
  return -1;
}

// By default, FT keeps a third field per partition if GPUs with 80 GB of memory can hold it.
TEST(PlanOfATeam, HasFtsThirdFieldWhereThereIsRoom) {
  const Variant* peers = variant_of("npb_ft", "cuda.peers");
  if (!peers) GTEST_SKIP() << "not in this build";
  for (const NamedProblem& one : find_kernel("npb_ft")->kernel.classes) {
    Problem problem = one.problem;
    problem.parts = 4;
    EXPECT_EQ(by_default(*peers, problem, "concurrent_with_z"), one.name == std::string_view("E") ? 2 : 1)
        << one.name;
    const bool class_d = one.name == std::string_view("D");
    const int room = one.name == std::string_view("E") ? 60 : class_d ? 74 : 50;
    EXPECT_EQ(by_default(*peers, problem, "z_blocks_percent"), room) << one.name;
    EXPECT_EQ(by_default(*peers, problem, "depth"), class_d ? 4 : 2) << one.name;
    problem.parts = 1;
    EXPECT_EQ(by_default(*peers, problem, "concurrent_with_z"), 0) << one.name;
  }
}

// For fields of 256 MiB or more per partition, the default does not fuse the transforms along x and y. The
// fused kernel would leave too little of the GPU to the concurrent transform along z.
TEST(PlanOfATeam, HasFtInBricksWhereMuchIsAParts) {
  const Variant* peers = variant_of("npb_ft", "cuda.peers");
  if (!peers) GTEST_SKIP() << "not in this build";
  const std::map<std::string_view, int> from_parts = {
      {"A", 1}, {"B", 4}, {"C", 16}};  // smallest number of partitions above 1 that fuses x and y
  for (const NamedProblem& one : find_kernel("npb_ft")->kernel.classes)
    for (const int parts : {1, 2, 4, 8}) {
      if (!from_parts.contains(one.name)) continue;
      Problem problem = one.problem;
      problem.parts = parts;
      EXPECT_EQ(by_default(*peers, problem, "fuse_xy"), parts == 1 || parts >= from_parts.at(one.name))
          << one.name << " of " << parts;
    }
}

std::set<std::string> variants_on(const char* kernel, const char* device, std::int64_t n) {
  Selection selection = of_triad(device);
  selection.kernels = {kernel};
  selection.sizes = {n};
  std::set<std::string> names;
  for (const Case& one : plan(selection)) names.insert(one.variant);
  return names;
}

TEST(PlanOfATeam, HasSumsInPartsWithAndWithoutNccl) {
  if (!variant_of("dot", "cuda.peers")) GTEST_SKIP() << "not in this build";
  using Names = std::set<std::string>;
  for (const char* device : {"gpu0:1", "gpu0:4", "gpu0-1", "gpu0-3"}) {
    for (const char* kernel : {"dot", "reduction"})
      EXPECT_EQ(variants_on(kernel, device, 31193), (Names{"cuda.nccl", "cuda.peers"}))
          << kernel << " on " << device;
    EXPECT_EQ(variants_on("increment", device, 31193), Names{"cuda.team"}) << device;
    EXPECT_EQ(variants_on("increment2", device, 31193), Names{"cuda.team"}) << device;
  }
}

// By default, a partition is summed with the same launch grid as an array of that size on one GPU.
TEST(PlanOfATeam, HasSumsGridsForAPart) {
  if (!variant_of("dot", "cuda.peers")) GTEST_SKIP() << "not in this build";
  for (const char* kernel : {"dot", "reduction"})
    for (const ElementType type : {ElementType::float32, ElementType::float64})
      for (const int parts : {1, 2, 4, 7})
        for (std::int64_t each = 1; each < (std::int64_t{1} << 31); each *= 3) {
          Problem alone{0, type, {each, 1, 1}, {}}, whole = alone;
          whole.extents.x = parts * each - (parts - 1);  // one partition is longer than the others
          whole.parts = parts;
          for (const char* name : {"cuda.peers", "cuda.nccl"})
            EXPECT_EQ(default_tuning(*variant_of(kernel, name), whole),
                      default_tuning(*variant_of(kernel, "cuda.fused"), alone))
                << kernel << " " << name << ": " << each << " elements in each of " << parts;
        }
}

TEST(PlanOfATeam, RefusesFewerElementsThanParts) {
  if (!variant_of("dot", "cuda.peers")) GTEST_SKIP() << "not in this build";
  std::string all;
  for (const auto& [kernel, name] :
       {std::pair("dot", "cuda.peers"), std::pair("dot", "cuda.nccl"), std::pair("reduction", "cuda.peers"),
        std::pair("reduction", "cuda.nccl"), std::pair("triad", "cuda.team"),
        std::pair("increment", "cuda.team")}) {
    const Variant& variant = *variant_of(kernel, name);
    std::vector<int> tuning;
    for (const Tunable& one : variant.tunables) tuning.push_back(one.preferred);
    Problem problem{0, ElementType::float32, {3, 1, 1}, {}};
    problem.parts = 4;
    const char* reason = variant.constraint(problem, tuning.data());
    ASSERT_NE(reason, nullptr) << kernel << " " << name;
    all += std::string(kernel) + " " + name + ": " + reason + "\n";
    problem.extents.x = 4;
    EXPECT_EQ(variant.constraint(problem, tuning.data()), nullptr) << kernel << " " << name;
  }
  test::expect_golden(all, "engine/teams:few elements");
}

TEST(PlanOfATeam, SumsSendANumberWhereThereIsAnotherPart) {
  for (const char* kernel : {"dot", "reduction"})
    for (const ElementType type : {ElementType::float32, ElementType::float64})
      for (const int parts : {1, 2, 4}) {
        Problem problem{0, type, {4099, 1, 1}, {}};
        problem.parts = parts;
        EXPECT_EQ(find_kernel(kernel)->kernel.work(problem).bytes_sent,
                  parts > 1 ? static_cast<std::int64_t>(element_size(type)) : 0)
            << kernel;
      }
}

// The send and receive buffers need the memory of two fields, in addition to the fields U and w.
TEST(PlanOfATeam, CountsThePiecesOfFt) {
  const Variant* by_nccl = variant_of("npb_ft", "cuda.nccl");
  if (!by_nccl) GTEST_SKIP() << "not in this build";
  for (const NamedProblem& one : find_kernel("npb_ft")->kernel.classes) {
    Problem problem = one.problem;
    problem.parts = 4;
    std::vector<int> tuning;
    for (const auto& [name, value] : default_tuning(*by_nccl, problem)) tuning.push_back(value.number);
    const std::int64_t bytes = by_nccl->workspace(problem, tuning.data()),
                       part = 16 * problem.extents.count() / 4;
    EXPECT_GT(bytes, 4 * part) << one.name;
    EXPECT_LT(bytes, 4 * part + (std::int64_t{4} << 20)) << one.name;
    problem.parts = 3;
    const char* reason = by_nccl->constraint(problem, tuning.data());
    ASSERT_NE(reason, nullptr);
    test::expect_golden(reason, "engine/teams:parts of FT");
  }
}

TEST(PlanOfATeam, TakesTurnsInLongSumsOfMoreThanTwo) {
  const Variant* peers = variant_of("all_reduce", "cuda.peers");
  if (!peers) GTEST_SKIP() << "not in this build";
  for (const auto& [parts, mebi, turns] :
       {std::tuple(4, 256, 1), {4, 128, 1}, {4, 64, 0}, {2, 256, 0}, {4, 0, 0}}) {
    const std::int64_t count = std::max<std::int64_t>(mebi * (std::int64_t{1} << 18), 256);
    Problem problem{2 * count, ElementType::float32, {count, 1, 1}, {}};
    problem.parts = parts;
    EXPECT_EQ(by_default(*peers, problem, "one_peer_at_a_time"), turns) << mebi << " MiB among " << parts;
  }
}

TEST(RunnerOfATeam, ChecksAndTimesAllParts) {
  for (const auto& [device, parts] :
       {std::pair("gpu0:1", 1), std::pair("gpu0-2", 3), std::pair("gpu0-3", 4)}) {
    HostTeam team(parts);
    const Measurement m = run_on(team, team_case("cuda.whole", device), false);
    EXPECT_EQ(m.status, Status::ok) << m.reason;
    EXPECT_GE(m.call_times.size(), 3u);
    EXPECT_FALSE(m.cores) << "GPUs are no cores";
    EXPECT_GE(team.waited, m.calls_per_sample * static_cast<int>(m.call_times.size()))
        << "not waited for each call";
  }
}

// The load balance is computed from each GPU's compute time. It is known only if a call takes longer than the
// launches on all GPUs.
TEST(RunnerOfATeam, SaysHowEvenItsPartsAre) {
  constexpr int most = 5;  // on a busy machine, short calls may look long
  const std::vector<double> times = {3e-3, 1e-3, 2e-3};
  for (const auto& [variant, known] : {std::pair("cuda.slow", true), std::pair("cuda.whole", false)}) {
    Case what = team_case(variant, "gpu0-2");
    what.kernel = "team_parts_that_send";
    Measurement m;
    const int expected = known ? 10 : 0;  // five for computing and five for exchanging
    int begun = -1;
    for (int i = 0; i < most && begun != expected; ++i) {
      HostTeam team(3);
      team.times = times;
      m = run_on(team, what, false);
      begun = team.begun;
    }
    ASSERT_EQ(m.status, Status::ok) << m.reason;
    EXPECT_FALSE(m.compute_times.empty());
    EXPECT_EQ(begun, expected) << variant;
    ASSERT_EQ(m.balance.has_value(), known) << variant;
    ASSERT_EQ(m.each.size(), known ? 3u : 0u) << variant;
    if (!known) continue;
    EXPECT_NEAR(*m.balance, 2.0 / 3, 1e-12);
    for (std::size_t part = 0; part < 3; ++part) {
      EXPECT_EQ(m.each[part].device, "gpu" + std::to_string(part));
      EXPECT_EQ(m.each[part].compute, times[part]);
      EXPECT_FALSE(m.each[part].clock || m.each[part].power) << "these parts are in the host's memory";
    }
  }
  HostTeam team(3);  // without a launch that only computes, the balance is unknown
  const Measurement m = run_on(team, team_case("cuda.whole", "gpu0-2"), false);
  ASSERT_EQ(m.status, Status::ok) << m.reason;
  EXPECT_FALSE(m.balance.has_value());
}

TEST(RunnerOfATeam, CountsNoLongFirstCallWhereTheSecondIsShort) {
  HostTeam team(2);
  const Measurement m = run_on(team, team_case("cuda.slow_when_checked", "gpu0-1"), false);
  ASSERT_EQ(m.status, Status::ok) << m.reason;
  ASSERT_GT(m.first_call, 0.1);
  EXPECT_GE(m.call_times.size(), 3u);
  EXPECT_EQ(std::count(m.call_times.begin(), m.call_times.end(), *m.first_call), 0);
}

TEST(RunnerOfATeam, SeesWhatAPartDidNotDo) {
  for (const char* variant : {"cuda.misses_a_part", "cuda.last_element_off"}) {
    HostTeam team(3);
    const Measurement m = run_on(team, team_case(variant, "gpu0-2"));
    EXPECT_EQ(m.status, Status::wrong) << variant << ": " << m.reason;
    EXPECT_TRUE(m.reason.starts_with("c[")) << m.reason;
  }
}

// These variants skip work in timed calls. Timing can miss a cheat on a busy machine, so it gets several
// tries.
TEST(RunnerOfATeam, SeesWhatDoesNotDoItsWorkInEachCall) {
  const auto measured = [](const std::string& variant) {
    HostTeam team(2);
    Case what = team_case("cuda." + variant, "gpu0-1");
    what.kernel = "costly";
    what.problem.n = 20'002;
    what.problem.extents = find_kernel("costly")->kernel.extents(what.problem.n);
    return run_on(team, what, false);
  };
  const std::map<std::string, int> most_tries = {{"already_there", 1},   {"computes_twice", 1},
                                                 {"keeps_its_first", 1}, {"writes_rubbish", 1},
                                                 {"recognises", 10},     {"on_its_own_stream", 10}};
  for (const auto& [cheat, most] : most_tries) {
    Measurement m;
    for (int i = 0; i < most && m.status != Status::wrong; ++i) m = measured(cheat);
    EXPECT_EQ(m.status, Status::wrong) << cheat << ": " << m.reason;
    EXPECT_TRUE(m.call_times.empty() && m.seen_times.empty()) << cheat;
  }
  const Measurement honest = measured("honest");
  EXPECT_EQ(honest.status, Status::ok) << honest.reason;
}

// Copies that stop their work after the first calls, as team_gpu_test plants them in the build's variants.
TEST(RunnerOfATeam, SeesCopiesThatCheat) {
  const Case real = team_case("cuda.whole", "gpu0-2");
  const Original original = {"team_parts", "cuda.whole", cheats_without_exchange};
  ASSERT_TRUE(plant(original));
  for (const Cheat cheat : original.cheats) {
    Measurement m;
    for (int i = 0; i < (cheat == Cheat::honest ? 5 : 1) && m.status != Status::ok; ++i) {
      HostTeam team(3);
      m = run_on(team, planted_case(original, cheat, real), false);
    }
    EXPECT_EQ(unexpected_end(cheat, m), "");
  }
}

TEST(RunnerOfATeam, RefusesWhatIsNotForIt) {
  HostTeam team(3);
  const Measurement other = run_on(team, team_case("cuda.whole", "gpu0-1"));
  EXPECT_EQ(other.status, Status::skipped);
  const Measurement of_ranks = run_on(team, team_case("openmp.whole", "gpu0-2"));
  EXPECT_EQ(of_ranks.status, Status::skipped);
  Case cold = team_case("cuda.whole", "gpu0-2");
  cold.cache = CacheMode::cold;
  EXPECT_EQ(run_on(team, cold).status, Status::skipped);
  RankRunner ranks(one_rank(), [](Stage) {});
  const Measurement alone = ranks.run(team_case("cuda.whole", "1xcpu"), checks());
  EXPECT_EQ(alone.status, Status::skipped);
  test::expect_golden(test::lines({other.reason, of_ranks.reason, alone.reason}), "engine/teams:not for it");
}

TEST(RunnerOfATeam, SaysThatAGpuHasTooLittleMemory) {
  HostTeam roomy(2, 2, 9000), tight(2, 2, 8000);  // two partitions of 4000 bytes each per GPU
  EXPECT_EQ(run_on(roomy, team_case("cuda.whole", "gpu0:2")).status, Status::ok);
  const Measurement m = run_on(tight, team_case("cuda.whole", "gpu0:2"));
  EXPECT_EQ(m.status, Status::skipped);
  test::expect_golden(m.reason, "engine/teams:memory");
}

TEST(RunnerOfATeam, PassesOnWhatADeviceSays) {
  HostTeam team(2);
  team.fails = true;
  EXPECT_THROW(run_on(team, team_case("cuda.whole", "gpu0-1")), DeviceError);
}

TEST(CaseOfATeam, HasItsPartsAgainFromItsPlace) {
  const Case one = team_case("cuda.whole", "gpu0-3");
  EXPECT_EQ(case_from(parse_json(to_json(one))).problem.parts, 4);
  EXPECT_EQ(case_from(parse_json(to_json(one))).device, "gpu0-3");
}

}  // namespace
}  // namespace sextant
