// Tests of the model that predicts scaling to more parts (ranks or GPUs) than were measured: messages, the
// fit, the error band, and limits.
#include <gtest/gtest.h>

#include <cmath>

#include "golden.hpp"
#include "present/views.hpp"
#include "refusal.hpp"
#include "sample_results.hpp"
#include "scaling/model.hpp"
#include "scaling/network.hpp"

namespace sextant::scaling {
namespace {

using Pattern = Exchange::Pattern;

constexpr double alpha = 2e-6, beta = 1e10;
const Tier tier{alpha, 1 / beta};

TEST(Exchanges, OfPlanesGoToTwoNeighbours) {
  const Cut cut{.pattern = Pattern::planes, .rounds = 10, .bytes = 1e6};
  const auto seconds = [&](int parts) { return fastest(loads_of(cut, parts, 0), tier, {}); };
  EXPECT_EQ(seconds(1), 0);
  EXPECT_NEAR(seconds(2), 10 * (alpha + 1e6 / beta), 1e-12);
  EXPECT_NEAR(seconds(3), 20 * (alpha + 1e6 / beta), 1e-12);
  EXPECT_NEAR(seconds(4096), seconds(3), 1e-12) << "slabs have two neighbours, however many there are";
  EXPECT_NEAR(bytes_of_cut(cut, 2, 10e6), 1e6, 1e-6);
  EXPECT_NEAR(bytes_of_cut(cut, 5, 20e6), 1e6, 1e-6);
}

TEST(Exchanges, OfMorePartsThanPlanesAreThoseOfBlocks) {
  const Cut cut{.pattern = Pattern::planes, .bytes = 8e4, .planes = 64, .plane_points = 64 * 64};
  const Load slab = loads_of(cut, 64, 0).front(), block = loads_of(cut, 512, 0).front();
  EXPECT_EQ(slab.link.count, 2);
  EXPECT_EQ(block.link.count, 6);
  EXPECT_NEAR(block.link.bytes, 6 * 8e4 * 64 / 4096, 1e-6) << "512 blocks of 8 x 8 x 8 points";
}

TEST(Exchanges, OverTwoTiersUseTheNetworkAtTheEdgeOfANode) {
  const Cut cut{.pattern = Pattern::planes, .bytes = 1e6};
  const Load within = loads_of(cut, 4, 4).front(), across = loads_of(cut, 8, 4).front(),
             alone = loads_of(cut, 8, 1).front();
  EXPECT_EQ(within.network.count, 0);
  EXPECT_EQ(across.link.count, 1);
  EXPECT_EQ(across.network.count, 1);
  EXPECT_EQ(alone.link.count, 0);
  EXPECT_EQ(alone.network.count, 2);
}

TEST(Exchanges, OfSumsGoByATreeWhereSmallAndByARingWhereLarge) {
  const auto seconds = [&](double bytes, int parts) {
    return fastest(loads_of({.pattern = Pattern::all_reduce, .bytes = bytes}, parts, 0), tier, {});
  };
  EXPECT_NEAR(seconds(112, 1024), 20 * (alpha + 112 / beta), 1e-12);
  EXPECT_NEAR(seconds(112, 1000), 20 * (alpha + 112 / beta), 1e-12) << "a stage more than 512 have";
  EXPECT_NEAR(seconds(1e9, 8), 14 * alpha + 14.0 / 8 * 1e9 / beta, 1e-9);
  const Load stages = loads_of({.pattern = Pattern::all_reduce, .bytes = 1}, 64, 8).front();
  EXPECT_EQ(stages.link.count, 6);
  EXPECT_EQ(stages.network.count, 6);
}

TEST(Exchanges, OfAllWithAllAreBoundByTheSlowerTier) {
  const Cut cut{.pattern = Pattern::all_to_all, .bytes = 64e6};
  EXPECT_NEAR(bytes_of_cut(cut, 8, 64e6 * 7 / 64), 64e6, 1e-3);
  const Load load = loads_of(cut, 16, 4).front();
  EXPECT_EQ(load.link.count, 3);
  EXPECT_EQ(load.network.count, 12);
  EXPECT_NEAR(load.network.bytes, 4e6 * 12 / 16, 1e-6);
  const Tier slow{1e-5, 1e-9};
  EXPECT_NEAR(seconds_of(load, tier, slow), 3 * alpha + 12e-5 + 3e6 * 1e-9, 1e-9);
  const Cut fine{.pattern = Pattern::all_to_all, .bytes = 64e6, .planes = 32, .plane_points = 1};
  EXPECT_EQ(loads_of(fine, 64, 0).front().link.count, 14) << "pencils: twice among eight";
}

TEST(Fit, FindsLatencyAndBandwidth) {
  std::vector<TimedMessages> measured;
  for (const double bytes : {1e3, 1e5, 1e7})
    for (const int parts : {2, 4}) {
      const Cut cut{.pattern = Pattern::planes, .rounds = 3, .bytes = bytes};
      measured.push_back({loads_of(cut, parts, 0), fastest(loads_of(cut, parts, 0), tier, {})});
    }
  const FittedTier fitted = fit_tier(measured);
  EXPECT_FALSE(fitted.one_size);
  EXPECT_NEAR(fitted.tier.latency / alpha, 1, 1e-6);
  EXPECT_NEAR(fitted.tier.per_byte * beta, 1, 1e-6);
}

TEST(Fit, NeverMakesAPartOfAMessageNegative) {
  std::vector<TimedMessages> measured;
  for (const double bytes : {1e3, 1e6}) {  // the larger message is faster, which is impossible
    const Cut cut{.pattern = Pattern::planes, .bytes = bytes};
    measured.push_back({loads_of(cut, 2, 0), bytes > 1e4 ? 1e-6 : 2e-6});
  }
  const FittedTier fitted = fit_tier(measured);
  EXPECT_EQ(fitted.tier.per_byte, 0);
  EXPECT_GT(fitted.tier.latency, 0);
}

TEST(Fit, OfOneSizeSaysSo) {
  const Cut cut{.pattern = Pattern::planes, .bytes = 1e6};
  const FittedTier fitted = fit_tier({{loads_of(cut, 2, 0), 1e-4}, {loads_of(cut, 4, 0), 2e-4}});
  EXPECT_TRUE(fitted.one_size);
  EXPECT_NEAR(fitted.message, 1e6, 1);
  EXPECT_NEAR(fitted.tier.latency, 1e-4, 1e-9);
}

TEST(Imbalance, IsTheLargestOfSoManyDraws) {
  const std::vector<double> samples = {1, 2, 3, 4};
  EXPECT_NEAR(expected_largest(samples, 1), 2.5, 1e-12);
  EXPECT_NEAR(expected_largest(samples, 2), (1 * 1 + 2 * 3 + 3 * 5 + 4 * 7) / 16.0, 1e-12);
  EXPECT_NEAR(expected_largest(samples, 1e6), 4, 1e-9);
}

// Times of a kernel that is divided into planes of 100 x 100 doubles, for ten steps. They follow the model: 1
// ns per point and core, with half of each exchange hidden.
struct Made {
  std::vector<int> parts = {1, 2, 4, 8};
  std::vector<std::int64_t> planes = {800};  // in total, or per part for weak scaling
  bool weak = false;
  double at_most = 1;  // factor on the time at the largest number of parts
  Pattern pattern = Pattern::planes;
};

void add_made(const Made& made, int parts, std::int64_t planes, Results* results) {
  const std::int64_t all = planes * (made.weak ? parts : 1), points = 10'000 * all;
  Case what = test::make_case("heat", "openmp.mpi", points, ElementType::float64);
  what.device = std::to_string(parts) + "xcpu";
  what.problem.parts = parts;
  what.problem.extents = {100, 100, all};
  what.problem.parameters = {10, 0, 0, 0};
  if (made.weak && parts > 1) what.problem_class = std::to_string(points / parts) + " each";
  const Cut cut{.pattern = Pattern::planes, .rounds = 10, .bytes = 80'000};
  const double compute = 1e-9 * 10 * static_cast<double>(points) / parts;
  const double exchange = fastest(loads_of(cut, parts, 0), tier, {});
  const double slower = parts == made.parts.back() ? made.at_most : 1;
  Measurement m =
      test::make_measurement(what, slower * (compute + exchange - 0.5 * std::min(compute, exchange)));
  m.cores = parts;
  m.work = {.items = 10 * points, .bytes_sent = 10 * 80'000 * std::min(2, parts - 1)};
  if (parts > 1) {
    m.compute_times = test::samples_around(compute);
    m.exchange_times = test::samples_around(exchange);
  }
  results->measurements.push_back({m, 1});
}

Results made_results(const Made& made) {
  Results results;
  Session session = test::make_session();
  session.id = 1;
  KernelDescription description;
  description.parameters = {"steps"};
  description.exchange = {made.pattern, 0};
  session.kernels["heat"] = description;
  results.sessions = {session};
  for (const std::int64_t planes : made.planes)
    for (const int parts : made.parts) add_made(made, parts, planes, &results);
  return results;
}

const std::vector<int> doubling = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};

// Returns the model that is fitted for the largest problem.
Model model_of_made(const Made& made, const std::optional<Network>& network = {}) {
  const Results results = made_results(made);
  const std::vector<Summary> summaries = summarise(results);
  for (const ScalingCurve& curve : scaling_curves(summaries)) {
    const Case& last = curve.points.back()->measurement->what;
    if (last.problem.extents.z == made.planes.front() * (made.weak ? made.parts.back() : 1) &&
        curve.weak == made.weak)
      return model_of(curve, summaries, doubling, network);
  }
  ADD_FAILURE() << "no curve";
  return {};
}

TEST(Model, OfWeakScalingGoesOnToThousandsOfParts) {
  const Model model = model_of_made({.planes = {100}, .weak = true});
  ASSERT_EQ(model.why_not, "");
  EXPECT_EQ(model.left_out, 8);
  EXPECT_EQ(model.fitted_up_to, 4);
  EXPECT_NEAR(model.error, 0, 0.03) << "made by its own rules";
  EXPECT_NEAR(model.hidden, 0.5, 0.02);
  ASSERT_EQ(model.points.size(), doubling.size());
  const Predicted& most = model.points.back();
  EXPECT_EQ(most.parts, 4096);
  EXPECT_NEAR(most.exposed / most.exchange, 0.5, 0.02);
  EXPECT_NEAR(most.time, most.compute + most.exposed, 1e-12);
  EXPECT_GT(most.imbalance, 1.005) << "samples are within 1 %";
  EXPECT_LT(most.imbalance, 1.02);
  EXPECT_LE(most.low, most.time);
  EXPECT_GE(most.high, most.time);
  EXPECT_LT(most.low, most.high);
  EXPECT_LT(*most.efficiency, 1);
  EXPECT_GT(*most.efficiency, 0.9);
  EXPECT_EQ(model.stops, "");
}

TEST(Model, SaysHowFarOffItIsAtWhatItHasNotSeen) {
  EXPECT_NEAR(model_of_made({.planes = {100}, .weak = true, .at_most = 1.25}).error, 1 / 1.25 - 1, 0.03);
}

TEST(Model, StopsWherePartsWouldBeSmallerThanAnyMeasured) {
  const Model model = model_of_made({});
  ASSERT_EQ(model.why_not, "");
  EXPECT_EQ(model.points.back().parts, 8);
  test::expect_golden(model.stops, "scaling/models:stops");
  const Model further = model_of_made({.planes = {800, 80}});
  EXPECT_EQ(further.points.back().parts, 64) << "parts of ten planes were measured, too";
}

TEST(Model, SaysThatPartsHadUnlikeNumbersOfCores) {
  Results results = made_results({.planes = {100}, .weak = true});
  const auto assumed = [&](double cores_of_one) {
    results.measurements[0].measurement.cores = cores_of_one;
    const std::vector<Summary> summaries = summarise(results);
    for (const ScalingCurve& curve : scaling_curves(summaries))
      if (curve.weak) return test::lines(model_of(curve, summaries, doubling, {}).assumptions);
    return std::string();
  };
  // With 0.5 cores per rank, two ranks share a core, and each has one thread.
  test::expect_golden("== one\n" + assumed(1) + "== eight\n" + assumed(8) + "== half of one\n" + assumed(0.5),
                      "scaling/models:assumed of cores");
}

TEST(Model, NeedsThreeNumbersOfParts) {
  test::expect_golden(model_of_made({.parts = {1, 2}}).why_not, "scaling/models:too few parts");
  EXPECT_EQ(model_of_made({.parts = {1, 2, 4}}).why_not, "");
}

TEST(Model, IsNoneWhereTheFileDoesNotSayHowPartsExchange) {
  const std::string why = model_of_made({.pattern = Pattern::none}).why_not;
  test::expect_golden(why, "scaling/models:no pattern");
  EXPECT_EQ(model_of_made({.parts = {1, 2}, .pattern = Pattern::none}).why_not, why)
      << "more numbers of parts would not help";
}

TEST(Model, TakesANetworkAsAssumed) {
  const Network network = read_network("latency = 1e-3\nbandwidth = 1e9\ndevices_per_node = 4\n", "net.toml");
  const Made made{.planes = {100}, .weak = true};
  const Model near = model_of_made(made), far = model_of_made(made, network);
  const auto at = [](const Model& model, std::size_t i) { return model.points[i].exchange; };
  EXPECT_NEAR(at(far, 2), at(near, 2), 1e-12) << "four parts are one node";
  EXPECT_NEAR(at(far, 3), at(near, 3) / 2 + 10 * (1e-3 + 80'000 / 1e9), 1e-9)
      << "one neighbour on another node";
  EXPECT_EQ(*far.points[3].nodes, 2);
  EXPECT_FALSE(near.points[3].nodes);
  test::expect_golden(test::lines(far.assumptions), "scaling/models:assumed of a network");
}

TEST(Model, IsShownAsAModel) {
  const View view = model_view({model_of_made({.planes = {100}, .weak = true})});
  ASSERT_EQ(view.texts.size(), 1u);
  test::expect_golden(to_text(view.texts[0], false), "scaling/models:view");
  EXPECT_EQ(std::get<std::string>(view.rows.rows[0][0].value), "model");
}

TEST(Networks, AreRefusedWithTheLineOfWhatIsWrong) {
  std::string said;
  for (const char* text :
       {"latency = 1e-6\n", "latency = 1e-6\nbandwidth = -1\n", "latency = 1e-6\nbandwidth = 1\nspeed = 3\n",
        "latency = 1e-6\nbandwidth = 1\ndevices_per_node = 0\n"})
    said += test::refusal([&] { read_network(text, "net.toml"); }) + "\n";
  test::expect_golden(said, "scaling/models:refused networks");
}

}  // namespace
}  // namespace sextant::scaling
