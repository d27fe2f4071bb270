#include "present/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "present/format.hpp"
#include "present/item_rate.hpp"

namespace sextant {
namespace {

Table sample() {
  return {.title = "",
          .columns = {{"kernel", "", Unit::text},
                      {"time", "call time", Unit::seconds},
                      {"n", "N", Unit::count},
                      {"raw", "-", Unit::count},
                      {"note", "", Unit::text}},
          .rows = {{"copy", 1.234e-6, 7936, 1, Cell("fine", Tone::good)}, {"stencil2d_4pt", {}, 12, 2, ""}},
          .note = ""};
}

TEST(Table, AlignsNumbersRightAndTextLeftWithoutTrailingBlanks) {
  EXPECT_EQ(to_text(sample(), false),
            "kernel         call time, µs     N  note\n"
            "copy                    1.23  7936  fine\n"
            "stencil2d_4pt              -    12\n");
}

TEST(Table, HasOneUnitAColumn) {
  const Table table{
      .title = "",
      .columns = {{"time", "", Unit::seconds}, {"size", "", Unit::bytes}, {"as", "", Unit::seconds}},
      .rows = {{3.25e-8, 360.0, Cell(1e-3).as("1 ms, noisy")}, {1.06e-2, 47677988.0, {}}, {0.0, {}, {}}},
      .note = ""};
  EXPECT_EQ(to_text(table, false),
            "time, µs  size, KiB           as\n"
            "  0.0325      0.352  1 ms, noisy\n"
            "   10600      46561            -\n"
            "       0          -            -\n");
}

TEST(Table, ColoursOnlyIfAsked) {
  EXPECT_EQ(to_text(sample(), false).find('\033'), std::string::npos);
  EXPECT_NE(to_text(sample(), true).find("\033[32mfine\033[0m"), std::string::npos);
}

TEST(Table, HasAColourForEachTone) {
  const auto shown = [](Tone tone) {
    return to_text({.title = "", .columns = {{"a", "-"}, {"b"}}, .rows = {{1, Cell("x", tone)}}, .note = ""},
                   true);
  };
  for (const auto& [tone, escape] : {std::pair(Tone::bad, "\033[31m"), std::pair(Tone::warning, "\033[33m"),
                                     std::pair(Tone::quiet, "\033[2m"), std::pair(Tone::strong, "\033[1m")})
    EXPECT_NE(shown(tone).find(std::string(escape) + "x\033[0m"), std::string::npos) << escape;
  EXPECT_EQ(shown(Tone::plain).find("x\033"), std::string::npos);
}

TEST(Table, OfShorterRowsHasNullsInJson) {
  EXPECT_EQ(to_json_rows({.title = "", .columns = {{"a"}, {"b"}}, .rows = {{"x"}}, .note = ""}),
            "[\n {\"a\":\"x\",\"b\":null}\n]");
}

TEST(Table, GivesTheSameRowsAsJsonWithRawValues) {
  EXPECT_EQ(to_json_rows(sample()),
            "[\n {\"kernel\":\"copy\",\"time\":1.234e-06,\"n\":7936,\"raw\":1,\"note\":\"fine\"},\n"
            " {\"kernel\":\"stencil2d_4pt\",\"time\":null,\"n\":12,\"raw\":2,\"note\":\"\"}\n]");
}

TEST(Table, HasNoNumberForInfinityInJsonAndSurvivesForeignBytes) {
  Table table{
      .title = "", .columns = {{"a", "", Unit::number}, {"b", "", Unit::text}}, .rows = {}, .note = ""};
  EXPECT_EQ(to_json_rows(table), "[]");
  table.rows.push_back({std::numeric_limits<double>::infinity(), "\xff"});
  EXPECT_EQ(to_json_rows(table), "[\n {\"a\":null,\"b\":\"\xEF\xBF\xBD\"}\n]");
}

TEST(Table, BreaksTextAndSparesColumnsWhereThereIsNoRoom) {
  const Table table{.title = "",
                    .columns = {{"name"},
                                {.name = "spared", .spare = 1},
                                {.name = "text", .breaks = true},
                                {.name = "first to go", .spare = 2}},
                    .rows = {{"a", "b", "words that take more than one line of the table", "c"}},
                    .note = ""};
  EXPECT_EQ(to_text(table, false, 46),
            "name  spared  text                 first to go\n"
            "a     b       words that take      c\n"
            "              more than one line\n"
            "              of the table\n");
  EXPECT_EQ(to_text(table, false, 24),
            "name  text\n"
            "a     words that take\n"
            "      more than one line\n"
            "      of the table\n");
  EXPECT_EQ(to_text(table, false).find("one\n"), std::string::npos);
}

TEST(Table, LeavesOutFromTheRightWhatHasNoRoomAndSaysSo) {
  Table table{.title = "a title of words that are too many",
              .columns = {{"name"}, {"first", "first column"}, {"second", "second column"}},
              .rows = {{"a", "b", "c"}},
              .note = "a note of words that are too many for it"};
  EXPECT_EQ(to_text(table, false, 22),
            "a title of words that\n"
            "  are too many\n"
            "name  first column\n"
            "a     b\n"
            "  columns left out:\n"
            "    second column (use a\n"
            "    wider terminal or\n"
            "    --json)\n"
            "a note of words that\n"
            "  are too many for it\n");
  table.keys = 3;  // key columns are never left out
  EXPECT_NE(to_text(table, false, 22).find("second column"), std::string::npos);
  table.keys = 1;
  table.columns[1].spare = 1;
  table.columns[1].missed = true;
  EXPECT_NE(to_text(table, false, 22).find("name  second column\n"), std::string::npos);
  EXPECT_NE(to_text(table, false, 22).find("left out:\n    first"), std::string::npos);
}

TEST(Table, TakesAnEmptyColumnOut) {
  Table table{
      .title = "", .columns = {{"a"}, {"threads"}, {"b"}}, .rows = {{"1", {}, "2"}}, .note = "", .keys = 2};
  drop_if_empty(&table, "threads");
  EXPECT_EQ(to_text(table, false), "a  b\n1  2\n");
  EXPECT_EQ(table.keys, 1u);
  drop_if_empty(&table, "b");
  EXPECT_EQ(table.columns.size(), 2u);
}

TEST(Table, HidesColumnsWithoutValues) {
  Table table{
      .title = "", .columns = {{"a"}, {"b"}, {"c"}}, .rows = {{"x", {}, "y"}, {"x", {}, {}}}, .note = ""};
  hide_empty_columns(&table);
  EXPECT_EQ(to_text(table, false), "a  c\nx  y\nx  -\n");
}

TEST(GrowingTable, EndsItsJsonArrayWhateverHappens) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  { GrowingTable table({{"a", "", Unit::count}}, true, false, out); }
  {
    GrowingTable table({{"a", "", Unit::count}}, true, false, out);
    table.add({1});
    table.add({2});
  }
  {
    GrowingTable table({{"a", "", Unit::count, 4}}, false, false, out);
    table.add({1});
    table.add({20});
  }
  std::fclose(out);
  EXPECT_EQ(std::string(text), "[]\n[\n {\"a\":1},\n {\"a\":2}\n]\n   a\n   1\n  20\n");
  std::free(text);
}

// Lines are cut only after the key columns, and never inside a number: 98.7 ns must not become 98.
TEST(GrowingTable, CutsNoNumber) {
  const auto shown = [](int room) {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* out = open_memstream(&text, &size);
    GrowingTable({{"kernel"}, {"time", "", Unit::seconds, 9}, {"result"}}, false, false, out, room, true)
        .add({"triad", 98.7e-9, "skipped: there is no GPU"});
    std::fclose(out);
    const std::string result(text);
    std::free(text);
    return result;
  };
  EXPECT_EQ(shown(25), "kernel       time  result\ntriad     98.7 ns  skippe\n");
  EXPECT_EQ(shown(14), "kernel       time  result\ntriad     98.7 ns  skipped: there is no GPU\n");
}

// Colour escape codes do not count towards the width at which a line is cut.
TEST(GrowingTable, CutsColouredLinesWhereItCutsPlainOnes) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  GrowingTable({{"a"}, {"b"}}, false, true, out, 8, true).add({"x", Cell("refused", Tone::bad)});
  std::fclose(out);
  EXPECT_NE(std::string(text).find("x  \033[31mrefus\033[0m\n"), std::string::npos) << text;
  std::free(text);
}

TEST(Table, WritesWhatRowsShareOnceAndKeepsItInJson) {
  Table table;
  table.columns = {{"kernel"}, {"size", "N", Unit::count}, {"model"}};
  table.keys = 2;
  table.rows = {{"triad", "8", "a"}, {"triad", "8", "b"}, {"triad", "9", "b"}, {"copy", "9", "b"}};
  EXPECT_EQ(to_text(table, false),
            "kernel  N  model\n"
            "triad   8  a\n"
            "           b\n"
            "        9  b\n"
            "copy    9  b\n");
  EXPECT_NE(to_json_rows(table).find(R"({"kernel":"triad","size":"8","model":"b"})"), std::string::npos);
}

TEST(Format, SaysHowWellAMedianIsKnown) {
  EXPECT_EQ(uncertainty_text({.low = 0.9, .median = 1, .high = 1.1, .minimum = 0.9, .samples = 10}),
            "10.0 %");
  EXPECT_EQ(uncertainty_text({.low = 0.5, .median = 1, .high = 4, .minimum = 0.4, .samples = 10}), "≤ 4.00x");
  EXPECT_EQ(uncertainty_text({.low = 0.02, .median = 1, .high = 4, .minimum = 0, .samples = 10}), "≤ 50.0x");
  EXPECT_EQ(uncertainty_text({.low = 1e-4, .median = 1, .high = 4, .minimum = 0, .samples = 10}), "> 1000x");
  EXPECT_EQ(uncertainty_text({.low = 0, .median = 1, .high = 4, .minimum = 0, .samples = 10}), "unknown");
  EXPECT_EQ(uncertainty_text({.low = 1, .median = 1, .high = 1, .minimum = 1, .samples = 3}), "few");
  EXPECT_EQ(uncertainty_text({}), "");
}

TEST(Format, KeepsThreeDigitsAcrossPrefixes) {
  EXPECT_EQ(format_seconds(0), "0.00 ns");
  EXPECT_EQ(format_seconds(9.996e-10), "1.00 ns");
  EXPECT_EQ(format_seconds(999.4e-9), "999 ns");
  EXPECT_EQ(format_seconds(999.6e-9), "1.00 µs");
  EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(format_seconds(0.99951), "1.00 s");
  EXPECT_EQ(format_seconds(125), "125 s");
  EXPECT_EQ(format_seconds(std::nan("")), "-");
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(31 * 1024), "31 KiB");
  EXPECT_EQ(format_bandwidth(4.35e12), "4.35 TB/s");
  EXPECT_EQ(format_flop_rate(67.1e9), "67.1 GFLOP/s");
  EXPECT_EQ(format_item_rate(2.5e6), "2.5 M items/s");
  EXPECT_EQ(format_significant(131072), "131072");
  EXPECT_EQ(format_significant(1234.5), "1.23e+03");
  EXPECT_EQ(format_ratio(12.34), "12.3x");
  EXPECT_EQ(format_percent(0.912), "91.2 %");
  EXPECT_EQ(format_duration(59.2), "1 min 00 s");
  EXPECT_EQ(format_duration(3.1), "4 s");
  EXPECT_EQ(format_duration(4200), "1 h 10 min");
  EXPECT_EQ(display_width("µs ±"), 4u);
}

}  // namespace
}  // namespace sextant
