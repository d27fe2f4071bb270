// Tests that a search visits the same tunings in the space of a T1 description as in the same space recorded
// by another tuner.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "own/description/asked.hpp"
#include "own/kernel/described_kernel.hpp"
#include "own_description.hpp"
#include "registry/registry.hpp"
#include "tuner/live_space.hpp"
#include "tuner/recorded_space.hpp"
#include "tuner/replay.hpp"
#include "tuner/search.hpp"

namespace sextant::tuner {
namespace {

// Returns the time of a tuning in milliseconds. The minimum lies inside the space.
double time_of(int block, int tile, int padding) {
  return 1 + 0.01 * std::abs(block - 64) + 0.3 * std::abs(tile - 3) + 0.1 * padding;
}

bool admits(int block, int tile, int padding) { return block / tile >= 16 && !(tile == 3 && padding == 1); }

// The T1 description of this space, and its results as another tuner records them (T4). The values are
// sorted, and the last axis varies fastest.
const std::string t1 = test::with(test::with(test::t1, "tile == 3 or padding", "tile == 3 and padding"),
                                  "[True, False]", "[False, True]");

std::string t4_of_t1() {
  std::string results;
  for (const int block : {32, 64, 128})
    for (const int tile : {1, 3, 5, 7})
      for (const int padding : {0, 1}) {
        if (!admits(block, tile, padding)) continue;
        results += (results.empty() ? "" : ",") + std::string(R"({"configuration": {"block_size_x": )") +
                   std::to_string(block) + ", \"tile\": " + std::to_string(tile) +
                   ", \"padding\": " + (padding ? "true" : "false") +
                   R"(}, "times": {}, "invalidity": "correct", "correctness": 1, "objectives": ["time"],
                      "measurements": [{"name": "time", "unit": "ms", "value": )" +
                   std::to_string(time_of(block, tile, padding)) + "}]}";
      }
  return R"({"schema_version": "1.0.0", "metadata": {"timeunit": "ms"}, "results": [)" + results + "]}";
}

// Creates the search space as `tune --load` does.
LiveSpace space_of_t1() {
  const auto folder = std::filesystem::temp_directory_path() / ("own_t1_space_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "scale.json") << t1;
  std::ofstream(folder / "scale.cu") << "// block_size_x tile padding\n";
  own::Description description = own::read_description(folder / "scale.json");
  own::Asked asked;
  asked.unchecked = true;
  complete(asked, &description);
  const RegisteredKernel kernel = own::described(description);
  std::filesystem::remove_all(folder);
  const std::int64_t n = kernel.kernel.sizes.at(0);
  return live_space(kernel.variants.at(0), {n, ElementType::float32, kernel.kernel.extents(n), {}}, {});
}

// Returns times from the formula instead of measuring, and records the tunings.
class Formula : public Objective {
 public:
  std::optional<SearchStep> evaluate(const Tuning& tuning, const SearchStep*) override {
    SearchStep step;
    step.tuning = tuning;
    step.status = Status::ok;
    step.time = 1e-3 * time_of(tuning[0].second, tuning[1].second, tuning[2].second);
    return step;
  }
};

TEST(T1Space, HasTheAxesAndPointsOfItsResults) {
  const LiveSpace live = space_of_t1();
  const RecordedSpace recorded = read_t4(t4_of_t1(), "T4");
  EXPECT_EQ(live.space.size(), 12u);
  EXPECT_EQ(live.refused, 12);
  ASSERT_EQ(recorded.space.size(), live.space.size());
  ASSERT_EQ(recorded.space.axes().size(), live.space.axes().size());
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_EQ(recorded.space.axes()[a].name, live.space.axes()[a].name);
    EXPECT_EQ(recorded.space.axes()[a].texts.size(), live.space.axes()[a].texts.size());
  }
  for (std::size_t point = 0; point < live.space.size(); ++point)
    EXPECT_TRUE(std::ranges::equal(live.space.choices(point), recorded.space.choices(point))) << point;
}

// Runs each strategy with three seeds. A live search starts at the default tuning; a replay has no default.
TEST(T1Space, IsSearchedAsAReplayOfItsResultsIs) {
  const LiveSpace live = space_of_t1();
  const RecordedSpace recorded = read_t4(t4_of_t1(), "T4");
  for (const std::string& name : strategy_names())
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Trajectory replayed = replay(recorded, name, nullptr, seed, 8);
      Formula formula;
      Search search;
      const auto strategy = make_strategy(name, live.space, nullptr, seed);
      search_on(live.space, *strategy, formula, {.evaluations = 8, .to_the_end = true},
                {{}, {}, [] { return 0.0; }}, &search);
      ASSERT_EQ(search.steps.size(), replayed.points.size()) << name;
      for (std::size_t i = 0; i < search.steps.size(); ++i)
        EXPECT_EQ(find(live.space, search.steps[i].tuning), replayed.points[i])
            << name << " " << seed << " " << i;
    }
}

// The recorded results have true and false where the search has 1 and 0.
TEST(T1Space, LearnsFromItsResults) {
  const LiveSpace live = space_of_t1();
  const RecordedSpace recorded = read_t4(t4_of_t1(), "T4");
  const RecordedSpace* const others[] = {&recorded};
  const Prior prior = prior_of(live.space, others);
  ASSERT_EQ(prior.sources.size(), 1u);
  EXPECT_EQ(prior.sources[0].at(*find(live.space, {{"block_size_x", 64}, {"tile", 3}, {"padding", 0}})), 0);
}

}  // namespace
}  // namespace sextant::tuner
