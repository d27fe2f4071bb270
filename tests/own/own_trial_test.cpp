// Tests of the trial runs with which `sextant new` corrects a draft.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "own/draft/draft.hpp"
#include "own/trial/size_fit.hpp"
#include "own/trial/trials.hpp"
#include "own/trial/watched_run.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant::own {
namespace {

using Numbers = std::vector<std::int64_t>;

// Returns observations of a number that depends on two sizes.
template <typename Of>
std::vector<Observation> observations(const Of& of) {
  std::vector<Observation> all;
  for (std::int64_t n = 3; n < 8; ++n)
    for (std::int64_t m = 3; m < 8; ++m)
      if (n != m) all.push_back({{4 * n + m, n + 7 * m}, of(4 * n + m, n + 7 * m)});
  return all;
}

const SizeFit two = {{"n", "m"}, {24}};

TEST(SizeFit, FindsThePolynomialThatGivesEveryNumber) {
  const auto fit = [](auto of) {
    const std::optional<Polynomial> found = exact_fit(two, observations(of));
    return found ? found->text() : "none";
  };
  EXPECT_EQ(fit([](auto n, auto m) { return n * m; }), "m * n");
  EXPECT_EQ(fit([](auto n, auto m) { return 2 * n * m - 7 * n; }), "2 * m * n - 7 * n");
  EXPECT_EQ(fit([](auto n, auto) { return n * n + 3; }), "n * n + 3");
  EXPECT_EQ(fit([](auto n, auto) { return 3 * n * n * n; }), "3 * n * n * n");
  EXPECT_EQ(fit([](auto, auto) { return 12; }), "12");
  EXPECT_EQ(fit([](auto n, auto m) { return n / 2 + m; }), "none");
  const std::vector<Observation> few = {{{1, 2}, 2}, {{2, 3}, 6}};
  EXPECT_FALSE(exact_fit(two, few));
}

TEST(SizeFit, FindsUsualLengthsOnOneSideOfTheNumbers) {
  const auto above = [](auto of) { return upper_fit(two, observations(of)).value_or("none"); };
  EXPECT_EQ(above([](auto n, auto) { return (n + 23) / 24 * 24; }), "24 * ceil_div(n, 24)");
  EXPECT_EQ(above([](auto n, auto) { return (n + 7) / 8; }), "ceil_div(n, 8)");
  EXPECT_EQ(above([](auto n, auto m) { return n * m - n % 3; }), "n * m");
  EXPECT_EQ(above([](auto n, auto) { return 4090 + n % 3; }), "4096");
  EXPECT_EQ(tight_fit(two, observations([](auto n, auto m) { return n * m - n % 3; })), std::nullopt);
  EXPECT_EQ(lower_fit(two, observations([](auto n, auto m) { return n * m + n % 3; })), "n * m");
}

class Trials : public testing::Test {
 protected:
  Trials() {
    folder_ = std::filesystem::temp_directory_path() / ("own_trial_test." + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    setenv("SEXTANT_CACHE", (folder_ / "cache").c_str(), 1);
  }
  ~Trials() override { std::filesystem::remove_all(folder_); }
  void SetUp() override {
    if (address_sanitizer) GTEST_SKIP() << "the build has a sanitizer itself";
  }
  std::string write(const std::string& text) const {
    std::ofstream(folder_ / "tried.cpp") << text;
    return folder_ / "tried.cpp";
  }
  // Returns the draft of a source, corrected by trial runs.
  std::string corrected(const std::string& source) const {
    const std::string file = folder_ / "tried.cpp";
    const SourceFunctions found = functions_of(source, file);
    DraftAsked asked;
    write(draft_of(source, file, found, asked) + source);
    asked.changes = changes_by_trials(source, file, found, asked);
    return draft_of(source, file, found, asked);
  }

  std::filesystem::path folder_;
};

// Returns a description of the function `f`, whose arrays have n elements.
std::string described(const std::string& body) {
  return "/* sextant\nname = \"tried\"\ntypes = [\"float\"]\nsizes = { n = \"N / 2\" }\narrays = [ { name = "
         "\"x\", role = \"in\", length = \"n\" }, { name = \"y\", role = \"out\", length = \"n\" } ]\n"
         "reference = \"serial.baseline\"\ntolerance = { relative = \"eps\", reason = \"one\" }\n"
         "[variant.\"serial.baseline\"]\nfunction = \"f\"\narguments = [\"n\", \"x\", \"y\"]\n*/\n"
         "#include <cstring>\nvoid f(long n, const T* x, T* y) { " +
         body + " }\n";
}

TEST_F(Trials, RecordTheElementsThatARunAccesses) {
  const auto run = [&](const std::string& body) {
    const Description description = read_description(write(described(body)));
    WatchedReference reference(description);
    EXPECT_EQ(reference.problem(), "");
    return reference.run(description, {20, 10});
  };
  const WatchedRun shifted = run("for (long i = 0; i < n; ++i) y[i] = x[i + 3];");
  EXPECT_TRUE(shifted.returned() && !shifted.in_bounds());
  EXPECT_EQ(shifted.arrays.at(0).length, 10);
  EXPECT_EQ(shifted.arrays.at(0).least, 3);
  EXPECT_EQ(shifted.arrays.at(0).most, 12);
  EXPECT_TRUE(shifted.arrays.at(1).in_bounds());
  EXPECT_EQ(shifted.accesses, 20);
  EXPECT_EQ(run("memset(y, 0, 12 * sizeof(T));").arrays.at(1).needed(), 12);
  EXPECT_EQ(run("memcpy(y, x + 1, n * sizeof(T));").arrays.at(0).needed(), 11);
  EXPECT_EQ(run("y[-2] = x[0];").arrays.at(1).least, -2);
  EXPECT_FALSE(run("y[-2] = x[0];").returned());
  const WatchedRun far = run("y[0] = x[n << 25];");
  EXPECT_EQ(far.ending, WatchedRun::Ending::too_far);
  EXPECT_EQ(far.arrays.at(0).most, 10LL << 25);
  EXPECT_EQ(run("while (n > 0) y[0] = x[0] * y[1];").ending, WatchedRun::Ending::too_long);
  EXPECT_EQ(run("volatile long i = 0; while (n > 0) ++i;").ending, WatchedRun::Ending::too_long);
  EXPECT_EQ(run("*(volatile int*)8 = 1;").ending, WatchedRun::Ending::crashed);
}

struct TrialCase {
  const char* what;
  const char* source;
  std::vector<std::string> found;  // texts of the corrected draft
};

const TrialCase cases[] = {
    {"lengths of computed offsets",
     "static void one(const unsigned char* in, long bytes, short* out) {\n  *out++ = in[0];\n"
     "  for (long i = 4; i < bytes; ++i) { *out++ = in[i] & 15; *out++ = in[i] >> 4; }\n}\n"
     "void blocks(const unsigned char* data, long count, long bytes, short* pcm) {\n"
     "  const long each = 1 + 2 * (bytes - 4);\n"
     "  for (long b = 0; b < count; ++b) one(data + b * bytes, bytes, pcm + b * each);\n}\n",
     {"length = \"2 * bytes * count - 7 * count\", type = \"short\" },  # length found by trial",
      "bytes = \"max(count, 4)\""}},
    {"whole blocks",
     "static int* put(int* to) { for (int t = 0; t < 96; ++t) *to++ = 1; return to; }\n"
     "void pad(const int* x, int* y, int n) {\n"
     "  int* to = y;\n  for (int base = 0; base < n; base += 96) to = put(to);\n  y[0] = x[n - 1];\n}\n",
     {"length = \"96 * ceil_div(n, 96)\""}},
    {"row offsets behind pointers",
     "static int sum(const char* s, unsigned long length) {\n  int all = 0;\n"
     "  for (unsigned long i = 0; i < length; ++i) all += s[i];\n  return all;\n}\n"
     "void lines(const char* text, const unsigned long* at, long count, int* out) {\n"
     "  for (long i = 0; i < count; ++i) out[i] = sum(text + at[i], at[i + 1] - at[i]);\n}\n",
     {"length = \"8 * count\"", "fill = { offsets = \"8 * count\" } },  # row offsets found by trial"}},
    {"row offsets of rows that are read from five elements on",
     "void least(const unsigned char* text, const unsigned* start, unsigned docs, unsigned* out) {\n"
     "  for (unsigned d = 0; d < docs; ++d) {\n    out[d] = 9;\n"
     "    for (unsigned p = start[d]; p + 5 <= start[d + 1]; ++p) {\n"
     "      unsigned h = 0;\n      for (int i = 0; i < 5; ++i) h += (text + p)[i];\n"
     "      if (h < out[d]) out[d] = h;\n    }\n  }\n}\n",
     {"type = \"unsigned int\", fill = { offsets"}},
    {"row offsets of two arrays that matter together",
     "static int pairs(const char* s, int n, const char* t, int m) {\n  int all = 0;\n"
     "  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < m; ++j) all += s[i] == t[j];\n  return all;\n}\n"
     "void pairs(const char* a, const int* a_off, const char* b, const int* b_off, int count, int* out) {\n"
     "  for (int p = 0; p < count; ++p)\n    out[p] = pairs(a + a_off[p], a_off[p + 1] - a_off[p], b + "
     "b_off[p], "
     "b_off[p + 1] - b_off[p]);\n}\n",
     {"name = \"a_off\", role = \"in\", length = \"count + 1\", type = \"int\", fill = { offsets",
      "name = \"b_off\", role = \"in\", length = \"count + 1\", type = \"int\", fill = { offsets"}},
    {"a number of buckets",
     "static unsigned mixed(unsigned k, unsigned mask) { k *= 0x7feb352du; k ^= k >> 15; return k & mask; }\n"
     "void probe(const unsigned* keys, int n, const float* heads, int buckets, float* out) {\n"
     "  for (int i = 0; i < n; ++i) out[i] = heads[mixed(keys[i], buckets - 1)];\n}\n",
     {"buckets = 8", "name = \"heads\", role = \"in\", length = \"buckets\""}},
    {"numbers that are scaled to indices",
     "static int place(int v, int size) { return v * (size - 1) / 255; }\n"
     "void grade(const unsigned char* in, int n, const float* lut, int size, float* out) {\n"
     "  for (int i = 0; i < n; ++i) out[i] = lut[place(in[i], size) * size + 1];\n}\n",
     {"length = \"size * size - size + 2\"", "size = 8",
      "fill = { low = 0, high = \"256\" } },  # all numbers"}},
    {"a number of neighbours",
     "void near(int n, int width, const float* x, const int* number, const int* which, float* y) {\n"
     "  for (int i = 0; i < n; ++i) {\n    float sum = 0;\n"
     "    for (int k = 0; k < number[i]; ++k) sum += x[which[i * width + k]];\n    y[i] = sum;\n  }\n}\n",
     {"width = 8", "fill = { low = 0, high = \"width + 1\" } },  # range found by trial",
      "length = \"n * width\""}},
    {"places of a square table",
     "void tours(int tours, int stops, const int* order, const float* far, float* cost) {\n"
     "  const int places = stops + 1;\n  for (int t = 0; t < tours; ++t) {\n    float sum = 0;\n"
     "    int at = 0;\n    for (int s = 0; s < stops; ++s) {\n      const int next = order[t * stops + s];\n"
     "      sum += far[at * places + next];\n      at = next;\n    }\n    cost[t] = sum;\n  }\n}\n",
     {"fill = { low = 0, high = \"stops + 1\" }", "length = \"stops * stops + 2 * stops + 1\""}},
    {"indices of a few bits",
     "static void low(const unsigned short* x, int i, unsigned to[2]) { to[0] = x[i] & 0x3ff, to[1] = x[i] "
     ">> 6; }\n"
     "void tones(const unsigned short* x, const float* tone, float* y, int n) {\n"
     "  for (int i = 0; i < n; ++i) { unsigned to[2]; low(x, i, to); y[i] = tone[to[0]] + tone[to[1]]; "
     "}\n}\n",
     {"length = \"1024\""}},
    {"an exponential length",
     "#include <cstring>\nvoid count(const unsigned char* x, long n, int k, unsigned* hits) {\n"
     "  memset(hits, 0, sizeof(unsigned) << (2 * k));\n"
     "  for (long i = 0; i < n; ++i) hits[x[i] & ((1u << (2 * k)) - 1)]++;\n}\n",
     {"k = 3", "length = \"4 ** k\""}},
    {"elements that must not choose themselves",
     "void forces(int n, const float* x, const int* near, float* f) {\n  for (int i = 0; i < n; ++i) {\n"
     "    const float d = x[near[i]] - x[i];\n    f[i] = d / (d * d);\n  }\n}\n",
     {"name = \"x\", role = \"in\", length = \"2 * n\"", "fill = { low = \"n\", high = \"2 * n\" }"}},
    {"results of which only the first are written",
     "void pack(const float* x, float* y, long n) { for (long b = 0; b < n; b += 512)\n  for (long k = 0; k "
     "< "
     "(n - b < 512 ? n - b : 512); ++k) y[2 * (b + k)] = y[2 * (b + k) + 1] = x[b + k]; }\n",
     {"length = \"2 * n\" },  # as many as the reference writes"}},
    {"numbers of iterations in a struct by value",
     "struct Deal { float spot; int steps; };\n"
     "void walk(Deal deal, float* out, int n) {\n  for (int i = 0; i < n; ++i) {\n    float s = deal.spot;\n"
     "    for (int k = 0; k < deal.steps; ++k) s = s * 0.5f + i;\n    out[i] = s;\n  }\n}\n",
     {"high = \"16\"", "larger numbers run long"}},
    {"numbers of iterations",
     "struct Bond { float worth; int payments; };\n"
     "static float worth(const Bond& b) {\n  float sum = 0;\n"
     "  for (int p = 0; p < b.payments; ++p) sum += b.worth / (p + 1);\n  return sum;\n}\n"
     "void price(const Bond* book, int n, float* out) {\n"
     "  for (int i = 0; i < n; ++i) out[i] = worth(book[i]);\n}\n",
     {"high = \"16\"", "larger numbers run long"}},
    {"results that shrink as sizes grow",
     "void shares(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = (2 + x[i]) / n; }\n",
     {"tolerance = { relative = \"8 * eps\", reason"}},
    {"divisors that are whole numbers",
     "void shares(const float* x, const int* by, float* y, int n) {\n"
     "  for (int i = 0; i < n; ++i) y[i] = x[i] / (float)by[i];\n}\n",
     {"fill = { low = 1, high = 17 } },  # a divisor", "tolerance = { absolute = "}},
    {"sizes that are all guesses",  // the remainders are those of quotients that are rounded up
     "void turn(const float* x, float* y, int width, int height) {\n  for (int i = 0; i < width * height; "
     "++i)\n"
     "    y[i] = x[i] * ((width + 15) / width + (height + 15) / height);\n}\n",
     {"width = 16, height = 16"}},
    {"wrapped indices",
     "void turn(const float* x, float* y, int width, int height) {\n  for (int r = 0; r < height; ++r)\n"
     "    for (int c = 0; c < width; ++c) y[r * width + c] = x[(r + 1) % height * width + (c + 1) % "
     "width];\n}\n",
     {"width = \"sqrt(N / 2)\", height = \"width\""}},
    {"room of an array of the code",
     "void label(const float* x, int n, const float* pal, int colors, int* to) {\n  unsigned sums[256][2];\n"
     "  for (int k = 0; k < colors; ++k) sums[k][0] = 0;\n  for (int i = 0; i < n; ++i) {\n    int best = "
     "0;\n"
     "    for (int k = 1; k < colors; ++k) best = pal[k] < x[i] ? k : best;\n    to[i] = best + "
     "++sums[best][0];\n  }\n}\n",
     {"colors = \"min(", ", 256)\"", "colors limited, as an array of the code has room for 256"}},
    {"right drafts stay",
     "void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }\n",
     {"sizes = { n = \"N / 2\" }  # from N, the elements of all arrays\n",
      "role = \"in\", length = \"n\" },\n"}},
};

TEST_F(Trials, CorrectDrafts) {
  for (const TrialCase& one : cases) {
    const std::string draft = corrected(one.source);
    for (const std::string& text : one.found)
      EXPECT_NE(draft.find(text), std::string::npos) << one.what << ": no " << text << " in\n" << draft;
  }
}

}  // namespace
}  // namespace sextant::own
