// Tests of parsing the compiler's optimization notes, and of `sextant explain` as a user calls it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/profile/directives.hpp"
#include "cli_process.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool has_openacc() {
  for (const ModelBuild& build : model_builds())
    if (build.model == Model::openacc) return build.built;
  return false;
}

bool notes_are_kept() {  // true if GCC compiled the OpenACC variants
  for (const ModelBuild& build : model_builds())
    if (build.model == Model::openacc) return contains(build.flags, "-fopenacc");
  return false;
}

TEST(Notes, AreReadLineByLine) {
  const std::vector<CompilerNote> notes = parse_notes(
      "kernels/a/openacc.cpp:9:21: optimized: assigned OpenACC gang vector loop parallelism\n"
      "no note at all\n"
      "kernels/a/openacc.cpp: In function 'f':\n"
      "kernels/a/openacc.cpp:12:3: warning: something else\n"
      "src/suite/x.hpp:7:9: missed: not parallelized: data dependencies exist across iterations\n");
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].file, "kernels/a/openacc.cpp");
  EXPECT_EQ(notes[0].line, 9);
  EXPECT_EQ(notes[0].column, 21);
  EXPECT_EQ(notes[0].kind, "optimized");
  EXPECT_EQ(notes[0].text, "assigned OpenACC gang vector loop parallelism");
  EXPECT_EQ(notes[1].line, 7);
  EXPECT_EQ(notes[1].kind, "missed");
}

std::string meaning(const std::string& text) { return meaning_of({"f", 1, 1, "optimized", text}); }

TEST(Notes, SayWhatALoopRunsOn) {
  const auto levels = [](const char* names) {
    return meaning(std::string("assigned OpenACC ") + names + " loop parallelism");
  };
  EXPECT_EQ(levels("seq"), "runs on one thread, one iteration after another");
  EXPECT_EQ(levels("gang"), "runs in parallel over blocks, with one active thread each");
  EXPECT_EQ(levels("gang vector"), "runs in parallel over blocks and the threads of each");
  EXPECT_EQ(levels("gang worker"), "runs in parallel over blocks and the warps of a block");
  EXPECT_EQ(levels("gang worker vector"), "runs in parallel over blocks and all threads of a block");
  EXPECT_EQ(levels("vector"), "runs in parallel over threads of a block that run together");
  EXPECT_EQ(meaning("something new"), "");
}

TEST(Notes, SayWhyALoopStayedSequential) {
  EXPECT_TRUE(contains(meaning("not parallelized: data dependencies exist across iterations"), "reduction"));
  EXPECT_TRUE(contains(meaning("not parallelized: number of iterations not known"), "bound are in memory"));
  EXPECT_TRUE(contains(meaning("not parallelized: not searched"), "single loop nest"));
}

TEST(Notes, StandAtTheirLinesOfTheSource) {
  const std::string source =
      "// a\nint unrelated;\n\nvoid f() {\n#pragma acc kernels\n  loop;\n}\n\nvoid g();\n\nx\n";
  const auto parts = explain_source(source, "f.cpp",
                                    {{"f.cpp", 6, 3, "note", "here"},
                                     {"other.cpp", 9, 1, "note", "elsewhere"},
                                     {"f.cpp", 11, 1, "note", "last"},
                                     {"f.cpp", 99, 1, "note", "beyond the end"}});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].front().number, 4);
  EXPECT_EQ(parts[0].back().number, 7);
  EXPECT_EQ(parts[0][1].text, "#pragma acc kernels");
  ASSERT_EQ(parts[0][2].notes.size(), 1u);
  EXPECT_EQ(parts[0][2].notes[0].text, "here");
  EXPECT_EQ(parts[1].front().number, 11);
}

// Source lines of four variants. `plain` launches the loop of `rows`; the others have their own loops.
const char* const file_of_variants =
    "namespace {\n"                                                    // line 1
    "shared;\n"                                                        // 2
    "namespace rows {\n"                                               // 3
    "loop of rows;\n"                                                  // 4
    "}  // namespace rows\n"                                           // 5
    "namespace walk {\n"                                               // 6
    "loop of walk, not of dense_rows::loop;\n"                         // 7
    "}  // namespace walk\n"                                           // 8
    "}  // namespace\n"                                                // 9
    "  return {{.name = \"plain\", .launch = rows::loop},\n"           // 10
    "          named(\"rows\", rows::form()),\n"                       // 11
    "          {.name = \"walk\", .launch = walk::loop},\n"            // 12
    "          {.name = \"static\", .launch = static_form::loop}};\n"  // 13
    "namespace static_form {\n"                                        // 14
    "loop of static;\n"                                                // 15
    "}  // namespace static_form\n"                                    // 16
    "namespace helper {\n"                                             // 17
    "of all;\n"                                                        // 18
    "}  // namespace helper\n";                                        // 19
const std::vector<std::string> variants_of_file = {"plain", "rows", "static", "walk"};

std::vector<int> lines_of_notes(const std::string& variant) {
  const std::string source = source_of_variant(file_of_variants, variants_of_file, variant);
  std::vector<int> lines;
  for (const CompilerNote& note : notes_within(source, "f.cpp",
                                               {{"f.cpp", 2, 1, "note", "shared"},
                                                {"f.cpp", 4, 1, "note", "of rows"},
                                                {"f.cpp", 7, 1, "note", "of walk"},
                                                {"f.cpp", 15, 1, "note", "of static"},
                                                {"f.cpp", 18, 1, "note", "shared, too"},
                                                {"f.cpp", 99, 1, "note", "beyond the end"},
                                                {"header.hpp", 5, 1, "note", "of a header"}}))
    lines.push_back(note.line);
  return lines;
}

TEST(Notes, AreThoseOfTheVariantsLinesAndOfSharedCode) {
  EXPECT_EQ(lines_of_notes("rows"), (std::vector<int>{2, 4, 18, 5}));
  EXPECT_EQ(lines_of_notes("walk"), (std::vector<int>{2, 7, 18, 5}));
  EXPECT_EQ(lines_of_notes("static"), (std::vector<int>{2, 15, 18, 5}));
  EXPECT_EQ(lines_of_notes("plain"), (std::vector<int>{2, 4, 18, 5})) << "it launches what rows has";
}

TEST(Notes, KeepTheNumbersOfTheirLines) {
  const std::string source = source_of_variant(file_of_variants, variants_of_file, "walk");
  const auto parts = explain_source(source, "f.cpp", {{"f.cpp", 7, 1, "note", "here"}});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].front().number, 6);
  EXPECT_EQ(parts[0][1].text, "loop of walk, not of dense_rows::loop;");
  EXPECT_FALSE(contains(source, "loop of rows"));
  EXPECT_TRUE(contains(source, "shared;"));
}

// Returns the compiler's notes for the source line that contains `source`.
std::vector<std::string> notes_at(const Json& explanation, const std::string& source) {
  std::vector<std::string> texts;
  for (const Json& line : explanation["source"])
    if (contains(line["text"], source))
      for (const Json& note : explanation["notes"])
        if (note["line"] == line["line"] && note["file"] == line["file"]) texts.push_back(note["text"]);
  return texts;
}

bool has(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

TEST(Explain, SaysWhatBecameOfParallelLoops) {
  if (!notes_are_kept()) GTEST_SKIP() << "no OpenACC by GCC in this build";
  const Ran ran = run_sextant({"explain", "-k", "increment", "-v", "openacc.parallel_loop", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json list = Json::parse(ran.out);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0]["variant"], "openacc.parallel_loop");
  EXPECT_TRUE(
      has(notes_at(list[0], "#pragma acc parallel loop"), "assigned OpenACC gang vector loop parallelism"))
      << list[0]["notes"];
}

TEST(Explain, SaysWhyKernelsStaysSequential) {
  if (!notes_are_kept()) GTEST_SKIP() << "no OpenACC by GCC in this build";
  const Ran ran =
      run_sextant({"explain", "-k", "alias", "-v", "openacc.plain,openacc.independent", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  for (const Json& one : Json::parse(ran.out)) {
    const bool plain = one["variant"] == "openacc.plain";
    const std::vector<std::string> notes = notes_at(one, plain ? "#pragma acc kernels" : "#pragma acc loop");
    EXPECT_TRUE(has(notes, plain ? "assigned OpenACC seq loop parallelism"
                                 : "assigned OpenACC gang vector loop parallelism"))
        << one["notes"];
    bool reason = false;
    for (const std::string& note : notes_at(one, "for ("))
      reason = reason || contains(note, "not parallelized: ");
    EXPECT_EQ(reason, plain) << one["notes"];
  }
}

TEST(Explain, SaysThatARegionOfTwoLoopsWasNotSearched) {
  if (!notes_are_kept()) GTEST_SKIP() << "no OpenACC by GCC in this build";
  const Ran ran = run_sextant({"explain", "-k", "increment2", "-v", "openacc.kernels", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(has(notes_at(Json::parse(ran.out)[0], "for (i = 0"), "not parallelized: not searched"))
      << ran.out;
}

TEST(Explain, ShowsNotesBelowTheirLines) {
  if (!notes_are_kept()) GTEST_SKIP() << "no OpenACC by GCC in this build";
  const Ran ran = run_sextant({"explain", "-k", "increment", "-v", "openacc.parallel_loop"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out,
                       "#pragma acc parallel loop copy(a [0:n]) vector_length(vector_length_)\n"
                       "      > assigned OpenACC gang vector loop parallelism\n"
                       "      >   runs in parallel over blocks and the threads of each\n"))
      << ran.out;
  EXPECT_FALSE(contains(ran.out, "made addressable")) << ran.out;
}

TEST(Explain, ShowsNoOtherVariantOfTheFile) {
  if (!notes_are_kept()) GTEST_SKIP() << "no OpenACC by GCC in this build";
  for (const char* variant : {"kernels", "present"}) {
    const Ran ran = run_sextant({"explain", "-k", "increment", "-v", std::string("openacc.") + variant});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, "\nkernels/increment/openacc.cpp\n")) << ran.out;
    const bool present = variant == std::string("present");
    EXPECT_EQ(contains(ran.out, "#pragma acc kernels copy(a [0:n])"), !present) << ran.out;
    EXPECT_EQ(contains(ran.out, "#pragma acc parallel loop present(a [0:n])"), present) << ran.out;
    EXPECT_FALSE(contains(ran.out, "#pragma acc data")) << ran.out;
  }
}

TEST(Explain, ShowsTheSharedHeaderThatHoldsTheDirective) {
  if (!notes_are_kept()) GTEST_SKIP() << "no OpenACC by GCC in this build";
  const Ran ran = run_sextant({"explain", "-k", "triad", "-v", "openacc.packed"});
  EXPECT_TRUE(contains(ran.out, "\nsrc/toolbox/openacc/packed.hpp\n")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "#pragma acc parallel loop gang(static : 1)")) << ran.out;
}

TEST(Explain, ExplainsEveryOpenaccVariant) {
  if (!has_openacc()) GTEST_SKIP() << "no OpenACC in this build";
  const Ran ran = run_sextant({"explain", "-k", ".*", "-v", "openacc", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  std::size_t count = 0;
  for (const RegisteredKernel& entry : registry())
    for (const Variant& variant : entry.variants) count += variant.model == Model::openacc;
  const Json list = Json::parse(ran.out);
  EXPECT_EQ(list.size(), count);
  for (const Json& one : list) {  // a variant of another kernel has no directives here
    EXPECT_TRUE(!notes_are_kept() || one["notes"].empty() == one["source"].empty())
        << one["kernel"] << " " << one["variant"];
  }
}

TEST(Explain, RefusesWhatIsNotThere) {
  const Ran none = run_sextant({"explain"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(contains(none.err, "`sextant explain` needs a kernel")) << none.err;
  const Ran kernel = run_sextant({"explain", "-k", "incremant"});
  EXPECT_EQ(kernel.exit_code, 2);
  EXPECT_TRUE(contains(kernel.err, "Did you mean `increment`")) << kernel.err;
  EXPECT_TRUE(kernel.out.empty());
}

TEST(Explain, RefusesOtherModels) {
  if (!has_openacc()) GTEST_SKIP() << "no OpenACC in this build";
  const Ran ran = run_sextant({"explain", "-k", "increment", "-v", "serial.baseline"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_TRUE(contains(ran.err, "serial.baseline is not an OpenACC variant")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "openacc.kernels_independent")) << ran.err;
}

TEST(Explain, SaysThatABuildHasNoOpenacc) {
  if (has_openacc()) GTEST_SKIP() << "this build has OpenACC";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"explain", "-k", "increment"},
        {"explain", "-k", "increment", "-v", "openacc.kernels"}}) {
    const Ran ran = run_sextant(arguments);
    EXPECT_EQ(ran.exit_code, 5);
    EXPECT_TRUE(contains(ran.err, "sextant doctor")) << ran.err;
  }
}

}  // namespace
}  // namespace sextant
