#include "cli/options/selection.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "cli/options/values.hpp"
#include "golden.hpp"
#include "record/keys.hpp"
#include "refusal.hpp"

namespace sextant {
namespace {

using Names = std::vector<std::string>;

// Options parsed from command-line arguments.
struct Parsed {
  SelectionOptions options;
  std::string file;
};

Parsed parse(std::vector<std::string> arguments, bool positionals = false) {
  Parsed parsed;
  CommandLine line;
  Command program = line.program();
  if (positionals) program.add_option("file", parsed.file);
  parsed.options.add_all(program, positionals);
  parsed.options.add_cache(program);
  parsed.options.add_fill(program);
  line.parse(std::move(arguments));
  return parsed;
}

std::string refusal(const std::vector<std::string>& arguments) {
  const Parsed parsed = parse(arguments);
  try {
    parsed.options.parse();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code, ExitCode::usage);
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

TEST(Selection, IsEmptyWithoutOptions) {
  const Selection selection = parse({}).options.parse();
  EXPECT_TRUE(selection.kernels.empty() && selection.variants.empty() && selection.sizes.empty());
  EXPECT_TRUE(selection.classes.empty() && selection.tunings.empty() && selection.types.empty());
  EXPECT_FALSE(selection.all_tunings);
  EXPECT_EQ(selection.device, "");
  EXPECT_EQ(selection.cache, CacheMode::warm);
  EXPECT_EQ(selection.fill, InputFill::uniform);
}

TEST(Selection, ReadsTheFill) {
  const auto fill = [](const char* text) { return parse({"--fill", text}).options.parse().fill; };
  EXPECT_EQ(fill("uniform"), InputFill::uniform);
  EXPECT_EQ(fill("normal"), InputFill::normal);
  EXPECT_EQ(fill("small-integers"), InputFill::small_integers);
  EXPECT_EQ(fill("zeros"), InputFill::zeros);
  EXPECT_EQ(
      refusal({"--fill", "zero"}),
      "`zero` is not a value of --fill. Did you mean `zeros`? Choose `uniform`, `normal`, `small-integers` "
      "or `zeros`.");
}

TEST(Selection, SplitsPatternsAtCommasOutsideOfBrackets) {
  const Selection selection =
      parse({"-k", "copy,stride[2,4]{1,2}", "-k", "rows", "--variants=cuda,(a,b)\\,c"}).options.parse();
  EXPECT_EQ(selection.kernels, (Names{"copy", "stride[2,4]{1,2}", "rows"}));
  EXPECT_EQ(selection.variants, (Names{"cuda", "(a,b)\\,c"}));
}

TEST(Selection, ReadsTuningsInAllTheirForms) {
  const AskedTunings want = {{"block_x", {32}}, {"block_y", {4, 8}}};
  EXPECT_EQ(parse({"-t", "block_x=32", "block_y=4,8,4"}).options.parse().tunings, want);
  EXPECT_EQ(parse({"-t", "block_x=32", "-t", "block_y=4,8"}).options.parse().tunings, want);
  EXPECT_EQ(parse({"-t", "block_x=32 block_y=4,8"}).options.parse().tunings, want);
  EXPECT_TRUE(parse({"-t", "all"}).options.parse().all_tunings);
}

TEST(Selection, LeavesTheFileBehindATuningAlone) {
  EXPECT_EQ(parse({"-t", "block_x=32", "r.sextant"}, true).file, "r.sextant");
  EXPECT_EQ(parse({"-k", "copy", "r.sextant"}, true).file, "r.sextant");
}

TEST(Selection, ReadsSizesTypesDeviceAndCache) {
  const Selection selection =
      parse({"-n", "64,S", "-n", "2^4", "--type", "double,float", "-d", "gpu1", "--cache", "cold"})
          .options.parse();
  EXPECT_EQ(selection.sizes, (std::vector<std::int64_t>{64, 16}));
  EXPECT_EQ(selection.classes, Names{"S"});
  EXPECT_EQ(selection.types, (std::vector<ElementType>{ElementType::float64, ElementType::float32}));
  EXPECT_EQ(selection.device, "gpu1");
  EXPECT_EQ(selection.cache, CacheMode::cold);
}

TEST(Selection, TakesTextsOfTunings) {
  const Selection selection =
      parse({"-t", "T=float,\"unsigned int\"", "-t", "flag.x=\"\"", "-t", "a=-3,99999999999"})
          .options.parse();
  const auto texts = [&](const std::string& name) {
    std::string all;
    for (const TunedValue& value : selection.tunings.at(name)) all += value_text(value) + ";";
    return all;
  };
  EXPECT_EQ(texts("T"), "float;\"unsigned int\";");
  EXPECT_EQ(texts("flag.x"), "\"\";");
  EXPECT_EQ(texts("a"), "-3;99999999999;");  // no tunable has the value 99999999999
}

TEST(Selection, TakesTuningsAsTheyArePrinted) {
  for (const char* text : {"-O3 -g", "say \"hi, you\"", "a\\b", "f(x", "\\", "\"", "-DNAME=\"a b\""}) {
    TunedValue value = 0;
    value.text = text;
    const std::string printed = tuning_text({{"flag", value}, {"block_size", 64}});
    const Selection selection = parse({"-t", printed}).options.parse();
    ASSERT_EQ(selection.tunings.size(), 2u) << printed;
    EXPECT_STREQ(selection.tunings.at("flag").front().text, text) << printed;
  }
  const Selection by_shell = parse({"-t", "flag=-O3 -g"}).options.parse();
  EXPECT_STREQ(by_shell.tunings.at("flag").front().text, "-O3 -g");
}

TEST(Selection, SaysWhatIsWrongAndWhatIsAllowed) {
  std::string all;
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{"-k", "copy,,add"},
                                                                                         {"-t", "128"},
                                                                                         {"-t", "=128"},
                                                                                         {"-t", "a="},
                                                                                         {"--type", "doulbe"},
                                                                                         {"--cache", "hot"},
                                                                                         {"-n", "4x3x2x1"},
                                                                                         {"-n", "12x"}})
    all += arguments[0] + " " + arguments[1] + ": " + refusal(arguments) + "\n";
  test::expect_golden(all, "cli/selection_refusals:options");
}

TEST(Values, ReadsDurations) {
  for (const auto& [text, seconds] : std::vector<std::pair<std::string, double>>{{"90", 90},
                                                                                 {"90s", 90},
                                                                                 {"500ms", 0.5},
                                                                                 {"10m", 600},
                                                                                 {"10min", 600},
                                                                                 {"1.5h", 5400},
                                                                                 {"1h30m", 5400},
                                                                                 {"2 m", 120}})
    EXPECT_DOUBLE_EQ(parse_duration(text, "--budget"), seconds) << text;
  for (const char* text : {"", "m", "-5s", "0", "10x", "1h30", "s5", "1e3", "nan", "inf", "5 5"}) try {
      parse_duration(text, "--budget");
      ADD_FAILURE() << text << " was accepted";
    } catch (const UserError& error) {
      EXPECT_EQ(error.what(), "`" + std::string(text) +
                                  "` of --budget is not a duration. Write numbers with ms, s, m or h, such "
                                  "as 500ms, 60s, 10m or 1h30m.");
    }
}

TEST(Selection, ReadsSizesByArrayInBytesAndWithBlanks) {
  const Selection selection =
      parse({"-n", "10M/array, 1Ki:4Ki:x2/array", "-n", "1GiB 1MB:4MB:x2,64Ki"}).options.parse();
  EXPECT_EQ(selection.array_sizes, (std::vector<std::int64_t>{10000000, 1024, 2048, 4096}));
  EXPECT_EQ(selection.byte_sizes, (std::vector<std::int64_t>{1 << 30, 1000000, 2000000, 4000000}));
  EXPECT_EQ(selection.sizes, std::vector<std::int64_t>{65536});
  for (const char* text : {"10M/arrays", "/array", "1GiBB", "1MB:64:x4", "1:64MB:x4", "8,,9", "8, ,9", " "})
    EXPECT_FALSE(refusal({"-n", text}).empty()) << text;
}

TEST(Values, ReadsSharesSamplesAndShards) {
  EXPECT_DOUBLE_EQ(parse_share("1%", "--max-noise"), 0.01);
  EXPECT_DOUBLE_EQ(parse_share("0.5 %", "--max-noise"), 0.005);
  EXPECT_DOUBLE_EQ(parse_share("5", "--threshold"), 0.05);  // a percentage, with or without the sign
  EXPECT_DOUBLE_EQ(parse_share("0.02", "--max-noise"), 0.0002);
  EXPECT_DOUBLE_EQ(parse_share("100", "--share"), 1);
  EXPECT_DOUBLE_EQ(parse_share("60", "--threshold", {.with_least = true, .most = 10}), 0.6);
  EXPECT_DOUBLE_EQ(parse_share("0", "--threshold", {.with_least = true, .most = 10}), 0);
  for (const char* text : {"", "0", "0%", "101", "101%", "-1%", "x", "1%%", "0.05x", "5x", "1/20", "5e0"})
    EXPECT_THROW(parse_share(text, "--max-noise"), UserError) << text;
  EXPECT_EQ(test::refusal([] { parse_share("0.8", "--share", {.ask_below_one = true}); }),
            "`0.8` of --share may mean 0.8 % or 80 %. Write the percentage with the sign %.");
  EXPECT_DOUBLE_EQ(parse_share("0.8%", "--share", {.ask_below_one = true}), 0.008);
  EXPECT_DOUBLE_EQ(parse_share("80", "--share", {.ask_below_one = true}), 0.8);
  EXPECT_EQ(understood_share("--threshold", 0.05), "--threshold: 5 %");
  test::expect_golden(
      test::refusal([] { parse_share("0.05x", "--threshold", {.with_least = true, .most = 10}); }),
      "cli/selection_refusals:share");
  EXPECT_EQ(parse_samples("20", 1000).minimum, 20);
  EXPECT_EQ(parse_samples("20", 1000).maximum, 1000);
  EXPECT_EQ(parse_samples("2000", 1000).maximum, 2000);
  EXPECT_EQ(parse_samples("5:7", 1000).maximum, 7);
  for (const char* text : {"", "0", "5:", ":5", "7:5", "5:6:7", "a", "1.5", "9999999"})
    EXPECT_THROW(parse_samples(text, 1000), UserError) << text;
  EXPECT_EQ(parse_shard("2/4").index, 2u);
  EXPECT_EQ(parse_shard("2/4").count, 4u);
  for (const char* text : {"", "0/4", "5/4", "2", "2/", "/2", "2/x", "-1/2"})
    EXPECT_THROW(parse_shard(text), UserError) << text;
}

}  // namespace
}  // namespace sextant
