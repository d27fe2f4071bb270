// Tests of the profile of OpenACC and OpenMP regions: combining hand-made records, and `sextant profile` as a
// user calls it. Without a GPU, the regions run on the host.
#include "analysis/profile/profile.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli_process.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

using Json = nlohmann::json;
using Kind = ConstructRecord::Kind;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

ConstructRecord construct(Kind kind, const char* directive, double start, double end, std::uint64_t site = 0,
                          const char* function = "") {
  return {kind, start, end, directive, site, function, {}};
}

ActivityRecord kernel(double asked, double start, double end, const char* name = "k") {
  ActivityRecord record{};
  record.kind = ActivityRecord::Kind::kernel;
  record.asked = asked;
  record.start = start;
  record.end = end;
  record.name = name;
  record.grid = {10, 1, 1};
  record.block = {128, 1, 1};
  record.registers = 20;
  return record;
}

ActivityRecord copy(ActivityRecord::Direction direction, double asked, double start, double end,
                    std::int64_t bytes) {
  ActivityRecord record{};
  record.kind = ActivityRecord::Kind::copy;
  record.direction = direction;
  record.asked = asked;
  record.start = start;
  record.end = end;
  record.bytes = bytes;
  record.name = "copy";
  return record;
}

constexpr auto in = ActivityRecord::Direction::in, out = ActivityRecord::Direction::out;

TEST(Durations, KeepTotalExtremesAndAverage) {
  Durations durations;
  EXPECT_EQ(durations.average(), 0);
  for (const double seconds : {2.0, 1.0, 6.0}) durations.add(seconds);
  EXPECT_EQ(durations.count, 3);
  EXPECT_DOUBLE_EQ(durations.total, 9);
  EXPECT_DOUBLE_EQ(durations.longest, 6);
  EXPECT_DOUBLE_EQ(durations.shortest, 1);
  EXPECT_DOUBLE_EQ(durations.average(), 3);
}

// Two parallel loops with data clauses, each with a copy in and a copy out. GPU work may end after the
// construct that started it.
TEST(Profile, GivesEachRegionItsOwnCopies) {
  std::vector<ConstructRecord> constructs = {construct(Kind::call, "call", 0, 100)};
  std::vector<ActivityRecord> activities;
  for (const double at : {10.0, 50.0}) {
    const auto site = static_cast<std::uint64_t>(at);
    constructs.push_back(construct(Kind::compute, "parallel", at, at + 20, site));
    constructs.push_back(construct(Kind::enter_data, "parallel", at + 1, at + 5, site + 1));
    constructs.push_back(construct(Kind::launch, "parallel", at + 6, at + 7, site + 2));
    constructs.push_back(construct(Kind::exit_data, "parallel", at + 10, at + 19, site + 3));
    activities.push_back(copy(in, at + 2, at + 3, at + 4, 1000));
    activities.push_back(kernel(at + 6, at + 8, at + 9, "f(int) [region 0]"));
    activities.push_back(copy(out, at + 11, at + 12, at + 14, 500));
  }
  const Profile profile = make_profile(constructs, activities, true);
  ASSERT_EQ(profile.regions.size(), 3u);
  EXPECT_EQ(profile.regions[0].directive, "call");
  EXPECT_TRUE(profile.regions[0].kernels.empty());
  for (const std::size_t i : {1u, 2u}) {
    const ProfiledRegion& region = profile.regions[i];
    EXPECT_EQ(region.directive, "parallel");
    EXPECT_TRUE(region.computes);
    EXPECT_EQ(region.elapsed.count, 1);
    EXPECT_DOUBLE_EQ(region.elapsed.total, 20);
    EXPECT_EQ(region.function, "f(int)");
    ASSERT_EQ(region.kernels.size(), 1u);
    EXPECT_DOUBLE_EQ(region.kernels[0].device.total, 1);
    EXPECT_DOUBLE_EQ(region.kernels[0].elapsed.total, 3);
    EXPECT_EQ(region.kernels[0].registers, 20);
    EXPECT_EQ(region.in.device.count, 1);
    EXPECT_EQ(region.in.bytes, 1000);
    EXPECT_EQ(region.out.bytes, 500);
    EXPECT_DOUBLE_EQ(region.out.device.total, 2);
  }
}

// The same two loops inside one data region. The copies happen once and belong to the data region.
TEST(Profile, GivesADataRegionTheCopiesOfItsEnds) {
  const std::vector<ConstructRecord> constructs = {
      construct(Kind::enter_data, "data", 0, 10, 1), construct(Kind::compute, "parallel", 11, 15, 2),
      construct(Kind::enter_data, "parallel", 12, 13, 3), construct(Kind::compute, "parallel", 16, 20, 4),
      construct(Kind::exit_data, "data", 21, 26, 5)};
  const std::vector<ActivityRecord> activities = {
      copy(in, 5, 6, 7, 1000), kernel(14, 14, 15, "f() [region 0]"), kernel(17, 17, 19, "f() [region 1]"),
      copy(out, 22, 23, 25, 800)};
  const Profile profile = make_profile(constructs, activities, true);
  ASSERT_EQ(profile.regions.size(), 3u);
  const ProfiledRegion& data = profile.regions[0];
  EXPECT_EQ(data.directive, "data");
  EXPECT_FALSE(data.computes);
  EXPECT_EQ(data.elapsed.count, 1);
  EXPECT_DOUBLE_EQ(data.elapsed.total, 15);
  EXPECT_EQ(data.in.bytes, 1000);
  EXPECT_EQ(data.out.bytes, 800);
  EXPECT_EQ(data.function, "f()");  // the function of the inner region
  for (const std::size_t i : {1u, 2u}) {
    EXPECT_EQ(profile.regions[i].in.device.count, 0);
    EXPECT_EQ(profile.regions[i].out.device.count, 0);
    EXPECT_EQ(profile.regions[i].kernels.size(), 1u);
  }
}

TEST(Profile, PairsTheEndsOfNestedDataRegions) {
  const std::vector<ConstructRecord> constructs = {
      construct(Kind::enter_data, "data", 0, 1, 1), construct(Kind::enter_data, "data", 2, 4, 2),
      construct(Kind::exit_data, "data", 5, 8, 3), construct(Kind::exit_data, "data", 9, 13, 4)};
  const Profile profile = make_profile(constructs, {copy(out, 10, 10, 11, 7)}, true);
  ASSERT_EQ(profile.regions.size(), 2u);
  EXPECT_DOUBLE_EQ(profile.regions[0].elapsed.total, 5);  // 1 for the start, 4 for the end
  EXPECT_DOUBLE_EQ(profile.regions[1].elapsed.total, 5);  // 2 for the start, 3 for the end
  EXPECT_EQ(profile.regions[0].out.bytes, 7);
}

TEST(Profile, CountsHowOftenAPlaceWasReached) {
  std::vector<ConstructRecord> constructs;
  std::vector<ActivityRecord> activities;
  for (int i = 0; i < 4; ++i) {
    constructs.push_back(construct(Kind::compute, "parallel", 10 * i, 10 * i + 2 + i, 77));
    activities.push_back(kernel(10 * i + 1, 10 * i + 1, 10 * i + 2));
  }
  activities.push_back(kernel(31, 32, 33, "another"));
  const Profile profile = make_profile(constructs, activities, true);
  ASSERT_EQ(profile.regions.size(), 1u);
  EXPECT_EQ(profile.regions[0].elapsed.count, 4);
  EXPECT_DOUBLE_EQ(profile.regions[0].elapsed.shortest, 2);
  EXPECT_DOUBLE_EQ(profile.regions[0].elapsed.longest, 5);
  ASSERT_EQ(profile.regions[0].kernels.size(), 2u);
  EXPECT_EQ(profile.regions[0].kernels[0].device.count, 4);
  EXPECT_EQ(profile.regions[0].kernels[1].device.count, 1);
}

// A CUDA variant has no OpenACC or OpenMP constructs, so its GPU work belongs to the calls.
TEST(Profile, GivesTheCallWhatNoConstructAskedFor) {
  const std::vector<ConstructRecord> constructs = {construct(Kind::call, "call", 0, 10),
                                                   construct(Kind::call, "call", 10, 30)};
  const std::vector<ActivityRecord> activities = {copy(in, 1, 2, 3, 100), kernel(4, 5, 9),
                                                  copy(in, 11, 12, 13, 100), kernel(14, 31, 40),
                                                  kernel(-1, 45, 46)};
  const Profile profile = make_profile(constructs, activities, true);
  ASSERT_EQ(profile.regions.size(), 1u);
  EXPECT_EQ(profile.regions[0].elapsed.count, 2);
  EXPECT_EQ(profile.regions[0].in.bytes, 200);
  ASSERT_EQ(profile.regions[0].kernels.size(), 1u);
  EXPECT_EQ(profile.regions[0].kernels[0].device.count,
            2);  // no call launched the last kernel
  EXPECT_DOUBLE_EQ(profile.regions[0].kernels[0].elapsed.longest, 26);
}

TEST(Profile, WithoutDeviceRecordsShowsTheHostsLaunches) {
  std::vector<ConstructRecord> constructs = {
      construct(Kind::compute, "kernels", 0, 10, 1),
      construct(Kind::launch, "kernels", 2, 5, 2, "g(long) [region 1]")};
  constructs[1].shape = {264, 8, 32};
  const Profile profile = make_profile(constructs, {}, false);
  ASSERT_EQ(profile.regions.size(), 1u);
  EXPECT_EQ(profile.regions[0].function, "g(long)");
  ASSERT_EQ(profile.regions[0].kernels.size(), 1u);
  const ProfiledKernel& launched = profile.regions[0].kernels[0];
  EXPECT_EQ(launched.device.count, 0);
  EXPECT_DOUBLE_EQ(launched.elapsed.total, 3);
  EXPECT_EQ(launched.grid, (std::array{264, 1, 1}));
  EXPECT_EQ(launched.block, (std::array{32, 8, 1}));
}

TEST(Timeline, HasARowForTheHostAndOneAStream) {
  std::vector<ActivityRecord> activities = {kernel(1, 2, 3, "first"), kernel(1, 2, 4, "second"),
                                            copy(in, 0, 1, 2, 64)};
  activities[1].stream = 7;
  const Json trace = Json::parse(make_timeline({construct(Kind::compute, "parallel", 1, 5)}, activities));
  std::map<int, std::string> rows;
  std::map<std::string, Json> events;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "M")
      rows[event["tid"]] = event["args"]["name"];
    else
      events[event["name"]] = event;
  }
  EXPECT_EQ(rows,
            (std::map<int, std::string>{{0, "host"}, {1, "device, stream 0"}, {2, "device, stream 7"}}));
  EXPECT_EQ(events["parallel"]["tid"], 0);
  EXPECT_EQ(events["second"]["tid"], 2);
  EXPECT_EQ(events["second"]["ts"], 2e6);  // microseconds
  EXPECT_EQ(events["second"]["dur"], 2e6);
  EXPECT_EQ(events["copy"]["args"]["bytes"], 64);
}

bool has_openacc() {
  const RegisteredKernel* entry = find_kernel("increment2");
  return find_variant(*entry, "openacc.data_region") != nullptr;
}

// Returns the profiled regions of one case.
Json regions_of(const char* variant, const char* calls = "1") {
  const Ran ran = run_sextant({"profile", "-k", "increment2", "-v", variant, "--type", "int", "-n", "1000",
                               "--calls", calls, "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Json list = Json::parse(ran.out);
  EXPECT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0]["device_records"].get<bool>(), list[0]["without_records"].is_null());
  return list[0]["regions"];
}

std::vector<std::string> directives_of(const Json& regions) {
  std::vector<std::string> directives;
  for (const Json& region : regions) directives.push_back(region["directive"]);
  return directives;
}

TEST(ProfileCommand, ShowsTheRegionsOfEachForm) {
  if (!has_openacc()) GTEST_SKIP() << "no OpenACC in this build";
  EXPECT_EQ(directives_of(regions_of("openacc.parallel_loop")),
            (std::vector<std::string>{"call", "parallel", "parallel"}));
  EXPECT_EQ(directives_of(regions_of("openacc.data_region")),
            (std::vector<std::string>{"call", "data", "parallel", "parallel"}));
}

TEST(ProfileCommand, CountsCalls) {
  if (!has_openacc()) GTEST_SKIP() << "no OpenACC in this build";
  for (const Json& region : regions_of("openacc.data_region", "5")) {
    EXPECT_EQ(region["reached"], 5) << region;
    EXPECT_EQ(region["elapsed_time"]["count"], 5) << region;
    EXPECT_GT(region["elapsed_time"]["total"], 0) << region;
  }
}

TEST(ProfileCommand, PrintsAListing) {
  if (!has_openacc()) GTEST_SKIP() << "no OpenACC in this build";
  const Ran ran = run_sextant({"profile", "-k", "increment2", "-v", "openacc.data_region", "--type", "int"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "increment2 openacc.data_region, int, N = 1048576, vector_length=128\n"))
      << ran.out;
  EXPECT_TRUE(contains(ran.out, "  2. data region `data` reached once")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "  3. compute region `parallel` reached once")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "elapsed time: total ")) << ran.out;
}

TEST(ProfileCommand, WritesATimeline) {
  if (!has_openacc()) GTEST_SKIP() << "no OpenACC in this build";
  const Folder folder;
  const std::string file = folder.path("timeline.json");
  const Ran ran = run_sextant({"profile", "-k", "increment2", "-v", "openacc.parallel_loop", "--type", "int",
                               "-n", "1000", "--timeline", file});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  std::ifstream stream(file);
  const Json trace = Json::parse(stream);
  std::size_t parallel = 0;
  for (const Json& event : trace["traceEvents"]) parallel += event["name"] == "parallel";
  EXPECT_EQ(parallel, 2u);
}

TEST(ProfileCommand, RefusesWhatItCannotProfile) {
  const std::string old = std::string(SEXTANT_SOURCE_DIR) + "/tests/store/recorded/version_1.sextant";
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
      {{"profile", "-k", "triad"}, "`sextant profile` needs a kernel and a variant"},
      {{"profile", "-k", "triad", "-v", "serial.native"}, "runs on the CPU"},
      {{"profile", "-k", "triat", "-v", "openacc"}, "Did you mean `triad`"},
      // `-t tuned=` accepts a results file of an older version; `profile` and `explain` do not.
      {{"profile", "-k", "triad", "-v", "serial.native", "-t", "tuned=" + old}, "runs on the CPU"},
      {{"profile", old}, "`sextant profile` takes no results file. `sextant show " + old},
      {{"explain", old}, "`sextant explain` takes no results file. `sextant show " + old},
  };
  for (const auto& [arguments, message] : refused) {
    const Ran ran = run_sextant(arguments);
    EXPECT_EQ(ran.exit_code, 2) << ran.out;
    EXPECT_TRUE(contains(ran.err, message)) << ran.err;
    EXPECT_TRUE(ran.out.empty());
  }
  if (!has_openacc()) return;
  const Folder folder;
  const Ran two =
      run_sextant({"profile", "-k", "increment", "-v", "openacc.kernels", "--timeline", folder.path("t")});
  EXPECT_EQ(two.exit_code, 2);
  EXPECT_TRUE(contains(two.err, "--timeline needs exactly one case")) << two.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path("t")));
  EXPECT_EQ(run_sextant({"profile", "-k", "increment", "-v", "openacc.kernels", "--calls", "0"}).exit_code,
            2);
}

TEST(ProfileCommand, SaysThatCudaNeedsAGpu) {
  const RegisteredKernel* entry = find_kernel("dot");
  if (!find_variant(*entry, "cuda.fused")) GTEST_SKIP() << "no CUDA in this build";
  const Ran ran =
      run_sextant({"profile", "-k", "dot", "-v", "cuda.fused", "--type", "double", "-n", "1000", "--json"});
  if (ran.exit_code == 0) {
    const Json region = Json::parse(ran.out)[0]["regions"][0];
    EXPECT_EQ(region["directive"], "call");
    return;
  }
  EXPECT_EQ(ran.exit_code, 5);
  EXPECT_TRUE(contains(ran.err, "dot cuda.fused cannot be profiled here: no usable NVIDIA GPU")) << ran.err;
}

}  // namespace
}  // namespace sextant
