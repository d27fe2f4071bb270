// Tests of the interface of user kernel libraries: unsuitable libraries are rejected before their code runs,
// and every struct layout keeps its version number.
#include "suite/plugin.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "own/kernel/library.hpp"

namespace sextant {
namespace {

Plugin fit() {
  Plugin plugin = plugin_header();
  plugin.compiler = "GNU 1.2.3";
  plugin.folders = [] { return std::vector<KernelFolder>(); };
  return plugin;
}

std::string number(std::uint64_t value) { return std::to_string(value); }

TEST(Refusal, IsNoneOfWhatThisCompilerMade) { EXPECT_EQ(refusal(fit(), "x.so"), ""); }

TEST(Refusal, SaysWhichFieldIsAnother) {
  const Plugin here = fit();
  const struct {
    std::uint32_t Plugin::*field;
    std::string says;
  } fields[] = {
      {&Plugin::layout, "x.so was built for version " + number(here.layout + 1) +
                            " of Sextant's kernel interface, but this program has version " +
                            number(here.layout) +
                            ". Build the library again, as `sextant run --load FOLDER` does."},
      {&Plugin::size, "x.so has a header of " + number(here.size + 1) + " bytes, but this program expects "},
      {&Plugin::kernel, "x.so has a Kernel of " + number(here.kernel + 1) +
                            " bytes, but in this program it has " + number(here.kernel) +
                            " bytes. Build the library again"},
      {&Plugin::variant, "x.so has a Variant of " + number(here.variant + 1)},
      {&Plugin::call, "x.so has a Call of " + number(here.call + 1)},
      {&Plugin::problem, "x.so has a Problem of " + number(here.problem + 1)},
      {&Plugin::folder, "x.so has a KernelFolder of " + number(here.folder + 1)},
      {&Plugin::entry, "x.so has a VariantFile of " + number(here.entry + 1)},
      {&Plugin::cxx11_abi,
       "x.so was built by GNU 1.2.3 with _GLIBCXX_USE_CXX11_ABI=" + number(here.cxx11_abi + 1) +
           ", but this program has " + number(here.cxx11_abi)},
      {&Plugin::cxx_abi, "x.so was built by GNU 1.2.3 with the C++ ABI " + number(here.cxx_abi + 1)},
  };
  for (const auto& [field, says] : fields) {
    Plugin other = here;
    ++(other.*field);
    const std::string why = refusal(other, "x.so");
    EXPECT_TRUE(why.starts_with(says)) << why << "\n" << says;
  }
}

TEST(Refusal, LooksAtNothingBehindAnotherMagicOrLayout) {
  Plugin other = fit();
  other.layout = 99;
  other.kernel = 1;
  other.compiler = reinterpret_cast<const char*>(1);  // must not be dereferenced
  EXPECT_TRUE(refusal(other, "x.so").starts_with("x.so was built for version 99"));
  other.magic[0] = 'S';
  EXPECT_TRUE(refusal(other, "x.so").starts_with("x.so is not a kernel library"));
}

TEST(Refusal, WantsEveryTextAndFunction) {
  const std::string says = "x.so has an incomplete header";
  for (const char* Plugin::*text : {&Plugin::compiler, &Plugin::flags, &Plugin::version, &Plugin::parts}) {
    Plugin other = fit();
    other.*text = nullptr;
    EXPECT_TRUE(refusal(other, "x.so").starts_with(says));
  }
  Plugin other = fit();
  other.folders = nullptr;
  EXPECT_TRUE(refusal(other, "x.so").starts_with(says));
  other = fit();
  other.left_out_count = 1;
  EXPECT_TRUE(refusal(other, "x.so").starts_with(says));
}

const char* pending = nullptr;

TEST(ForeignGpuErrors, AreAskedOfEveryLibraryThatHasSome) {
  EXPECT_EQ(foreign_gpu_error(), nullptr);
  ask_for_gpu_errors([] { return static_cast<const char*>(nullptr); });
  ask_for_gpu_errors([] { return std::exchange(pending, nullptr); });
  EXPECT_EQ(foreign_gpu_error(), nullptr);
  pending = "too many threads";
  EXPECT_STREQ(foreign_gpu_error(), "too many threads");
  EXPECT_EQ(foreign_gpu_error(), nullptr);
}

// Returns the offsets of the members in bytes, and the size of the struct.
template <typename Form, typename... Members>
std::string places(const char* name, const Form& form, const Members&... members) {
  std::string text = name;
  for (const char* member : {reinterpret_cast<const char*>(&members)...})
    text += " " + std::to_string(member - reinterpret_cast<const char*>(&form));
  return text + " | " + std::to_string(sizeof(Form)) + "\n";
}

// Structured bindings name every member. If a member is added or removed, they do not compile, and the layout
// needs a new version number.
std::string layout_of_forms() {
  std::string text;
  {
    const Kernel form{};
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y] = form;
    text += places("Kernel", form, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y);
  }
  {
    const Variant form{};
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = form;
    text += places("Variant", form, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
  }
  {
    const Call form{};
    const auto& [a, b, c, d, e, f, g, h] = form;
    text += places("Call", form, a, b, c, d, e, f, g, h);
  }
  {
    const Problem form{};
    const auto& [a, b, c, d, e] = form;
    text += places("Problem", form, a, b, c, d, e);
  }
  {
    const parts::Ranks form{};
    const auto& [a, b, c] = form;
    text += places("Ranks", form, a, b, c);
  }
  {
    const parts::Messages form{};
    const auto& [a, b, c, d, e, f, g] = form;
    text += places("Messages", form, a, b, c, d, e, f, g);
  }
  {
    const Tunable form{};
    const auto& [a, b, c] = form;
    text += places("Tunable", form, a, b, c);
  }
  {
    const ArraySpec form{};
    const auto& [a, b, c] = form;
    text += places("ArraySpec", form, a, b, c);
  }
  {
    const Work form{};
    const auto& [a, b, c, d, e, f] = form;
    text += places("Work", form, a, b, c, d, e, f);
  }
  {
    const Traits form{};
    const auto& [a, b, c, d, e, f, g, h, i] = form;
    text += places("Traits", form, a, b, c, d, e, f, g, h, i);
  }
  {
    const Tolerance form{};
    const auto& [a, b, c] = form;
    text += places("Tolerance", form, a, b, c);
  }
  {
    const Parameter form{};
    const auto& [a, b, c, d, e] = form;
    text += places("Parameter", form, a, b, c, d, e);
  }
  {
    const NamedProblem form{};
    const auto& [a, b] = form;
    text += places("NamedProblem", form, a, b);
  }
  {
    const Exchange form{};
    const auto& [a, b] = form;
    text += places("Exchange", form, a, b);
  }
  {
    const UnitOfWork form{};
    const auto& [a, b] = form;
    text += places("UnitOfWork", form, a, b);
  }
  {
    const StudyPlace form{};
    const auto& [a, b, c] = form;
    text += places("StudyPlace", form, a, b, c);
  }
  {
    const ReportLayout form{};
    const auto& [a, b, c, d] = form;
    text += places("ReportLayout", form, a, b, c, d);
  }
  {
    const PublishedFigures form{};
    const auto& [a, b, c, d] = form;
    text += places("PublishedFigures", form, a, b, c, d);
  }
  {
    const KernelFolder form{};
    const auto& [a, b, c, d] = form;
    text += places("KernelFolder", form, a, b, c, d);
  }
  {
    const VariantFile form{};
    const auto& [a, b, c, d] = form;
    text += places("VariantFile", form, a, b, c, d);
  }
  {
    const ArrayAt form{};
    const auto& [a, b] = form;
    text += places("ArrayAt", form, a, b);
  }
  {
    const parts::CallInParts form{};
    const auto& [a, b] = form;
    text += places("CallInParts", form, a, b);
  }
  {
    const parts::VariantInParts form{};
    const auto& [a, b, c, d] = form;
    text += places("VariantInParts", form, a, b, c, d);
  }
  {
    const Presentation form{};
    const auto& [a, b, c] = form;
    text += places("Presentation", form, a, b, c);
  }
  return text;
}

// Struct layouts by version, for libstdc++ on 64 bits. Libraries of a version were built for its layout.
const char* const layouts[] = {
    "",
    // version 1
    "Kernel 0 32 64 96 120 152 176 184 200 216 232 280 328 344 352 368 392 416 432 496 536 616 | 640\n"
    "Variant 0 32 33 40 72 96 144 160 176 192 208 224 240 248 | 264\n"
    "Call 0 72 80 88 96 104 112 | 120\n"
    "Problem 0 8 16 40 | 72\n"
    "Tunable 0 8 32 | 40\n"
    "ArraySpec 0 8 | 16\n"
    "Work 0 8 16 24 | 32\n"
    "Tolerance 0 8 | 16\n"
    "Parameter 0 8 16 24 32 | 56\n"
    "NamedProblem 0 8 | 80\n"
    "UnitOfWork 0 8 | 40\n"
    "StudyPlace 0 32 40 | 64\n"
    "ReportLayout 0 32 64 68 | 72\n"
    "PublishedFigures 0 32 64 88 | 112\n"
    "KernelFolder 0 8 16 | 40\n"
    "VariantEntry 0 8 16 | 24\n",
    // version 2
    "Kernel 0 32 64 96 128 152 184 208 216 232 248 264 312 360 376 384 400 424 448 464 528 568 648 | 672\n"
    "Variant 0 32 33 40 72 96 144 160 176 192 208 224 240 248 | 264\n"
    "Call 0 72 80 88 96 104 112 | 120\n"
    "Problem 0 8 16 40 | 72\n"
    "Tunable 0 8 32 | 40\n"
    "ArraySpec 0 8 9 | 16\n"
    "Work 0 8 16 24 32 | 40\n"
    "Tolerance 0 8 | 16\n"
    "Parameter 0 8 16 24 32 | 56\n"
    "NamedProblem 0 8 | 80\n"
    "UnitOfWork 0 8 | 40\n"
    "StudyPlace 0 32 40 | 64\n"
    "ReportLayout 0 32 64 68 | 72\n"
    "PublishedFigures 0 32 64 88 | 112\n"
    "KernelFolder 0 8 16 40 | 48\n"
    "VariantEntry 0 8 16 | 24\n",
    // version 3
    "Kernel 0 32 64 96 128 160 184 216 240 248 264 280 296 312 360 408 424 432 448 472 496 512 576 616 696 | "
    "720\n"
    "Variant 0 32 33 40 72 96 144 160 176 192 208 224 240 248 | 264\n"
    "Call 0 72 80 88 96 104 112 | 120\n"
    "Problem 0 8 16 40 | 72\n"
    "Tunable 0 8 32 | 40\n"
    "ArraySpec 0 8 9 | 16\n"
    "Work 0 8 16 24 32 | 40\n"
    "Traits 0 8 16 24 32 40 48 56 64 | 72\n"
    "Tolerance 0 8 | 16\n"
    "Parameter 0 8 16 24 32 | 56\n"
    "NamedProblem 0 8 | 80\n"
    "UnitOfWork 0 8 | 40\n"
    "StudyPlace 0 32 40 | 64\n"
    "ReportLayout 0 32 64 68 | 72\n"
    "PublishedFigures 0 32 64 88 | 112\n"
    "KernelFolder 0 8 16 40 | 48\n"
    "VariantEntry 0 8 16 | 24\n",
    // version 4
    "Kernel 0 32 64 96 128 160 184 216 240 248 264 280 296 312 360 408 424 432 448 472 496 512 576 616 696 | "
    "720\n"
    "Variant 0 32 33 40 72 96 144 160 176 192 208 224 240 248 264 280 296 | 304\n"
    "Call 0 80 88 96 104 112 120 128 136 144 | 152\n"
    "Problem 0 8 16 40 72 | 80\n"
    "Team 0 8 16 24 32 | 40\n"
    "Ranks 0 4 8 12 16 24 | 32\n"
    "Messages 0 8 16 24 32 40 48 | 56\n"
    "Tunable 0 8 32 | 40\n"
    "ArraySpec 0 8 9 | 16\n"
    "Work 0 8 16 24 32 40 | 48\n"
    "Traits 0 8 16 24 32 40 48 56 64 | 72\n"
    "Tolerance 0 8 | 16\n"
    "Parameter 0 8 16 24 32 | 56\n"
    "NamedProblem 0 8 | 88\n"
    "UnitOfWork 0 8 | 40\n"
    "StudyPlace 0 32 40 | 64\n"
    "ReportLayout 0 32 64 68 | 72\n"
    "PublishedFigures 0 32 64 88 | 112\n"
    "KernelFolder 0 8 16 40 | 48\n"
    "VariantEntry 0 8 16 | 24\n",
    // version 5
    "Kernel 0 32 64 96 128 160 184 216 240 248 264 280 296 312 360 408 424 432 448 472 496 512 576 616 696 | "
    "720\n"
    "Variant 0 32 33 40 72 96 144 160 176 192 208 224 240 248 264 280 296 | 304\n"
    "Call 0 80 88 96 104 112 120 128 136 | 144\n"
    "Problem 0 8 16 40 72 | 80\n"
    "Ranks 0 4 8 | 16\n"
    "Messages 0 8 16 24 32 40 48 | 56\n"
    "Tunable 0 8 32 | 40\n"
    "ArraySpec 0 8 9 | 16\n"
    "Work 0 8 16 24 32 40 | 48\n"
    "Traits 0 8 16 24 32 40 48 56 64 | 72\n"
    "Tolerance 0 8 | 16\n"
    "Parameter 0 8 16 24 32 | 56\n"
    "NamedProblem 0 8 | 88\n"
    "UnitOfWork 0 8 | 40\n"
    "StudyPlace 0 32 40 | 64\n"
    "ReportLayout 0 32 64 68 | 72\n"
    "PublishedFigures 0 32 64 88 | 112\n"
    "KernelFolder 0 8 16 40 | 48\n"
    "VariantEntry 0 8 16 | 24\n",
    "Kernel 0 32 64 96 128 160 184 216 240 248 264 280 296 312 360 408 424 432 448 472 496 512 576 584 624 "
    "704 | 728\n"
    "Variant 0 32 33 40 72 96 144 160 176 192 208 224 240 248 264 280 296 | 304\n"
    "Call 0 80 88 96 104 112 120 128 136 | 144\n"
    "Problem 0 8 16 40 72 | 80\n"
    "Ranks 0 4 8 | 16\n"
    "Messages 0 8 16 24 32 40 48 | 56\n"
    "Tunable 0 8 32 | 40\n"
    "ArraySpec 0 8 9 | 16\n"
    "Work 0 8 16 24 32 40 | 48\n"
    "Traits 0 8 16 24 32 40 48 56 64 | 72\n"
    "Tolerance 0 8 | 16\n"
    "Parameter 0 8 16 24 32 | 56\n"
    "NamedProblem 0 8 | 88\n"
    "Exchange 0 4 | 8\n"
    "UnitOfWork 0 8 | 40\n"
    "StudyPlace 0 32 40 | 64\n"
    "ReportLayout 0 32 64 68 | 72\n"
    "PublishedFigures 0 32 64 88 | 112\n"
    "KernelFolder 0 8 16 40 | 48\n"
    "VariantEntry 0 8 16 | 24\n",
    // version 7
    "Kernel 0 32 64 96 128 160 184 216 240 248 264 280 296 312 360 408 424 432 448 472 496 512 552 560 | "
    "728\n"
    "Variant 0 32 64 72 96 144 160 176 192 200 216 232 248 264 265 272 312 | 320\n"
    "Call 0 80 88 96 104 112 120 128 | 144\n"
    "Problem 0 8 16 40 72 | 80\n"
    "Ranks 0 4 8 | 16\n"
    "Messages 0 8 16 24 32 40 48 | 56\n"
    "Tunable 0 8 32 | 40\n"
    "ArraySpec 0 8 9 | 16\n"
    "Work 0 8 16 24 32 40 | 48\n"
    "Traits 0 8 16 24 32 40 48 56 64 | 72\n"
    "Tolerance 0 8 | 16\n"
    "Parameter 0 8 16 24 32 | 56\n"
    "NamedProblem 0 8 | 88\n"
    "Exchange 0 4 | 8\n"
    "UnitOfWork 0 8 | 40\n"
    "StudyPlace 0 32 40 | 64\n"
    "ReportLayout 0 32 64 68 | 72\n"
    "PublishedFigures 0 32 64 88 | 112\n"
    "KernelFolder 0 8 16 40 | 48\n"
    "VariantFile 0 8 16 24 | 48\n"
    "ArrayAt 0 8 | 16\n"
    "CallInParts 0 8 | 16\n"
    "VariantInParts 0 16 32 33 | 40\n"
    "Presentation 0 64 144 | 168\n",
    // version 8
    "Kernel 0 32 64 96 128 160 184 216 240 248 264 280 296 312 360 408 424 432 448 472 496 512 552 560 | "
    "728\n"
    "Variant 0 32 64 72 96 144 160 176 192 200 216 232 248 264 265 272 312 313 | 320\n"
    "Call 0 80 88 96 104 112 120 128 | 144\n"
    "Problem 0 8 16 40 72 | 80\n"
    "Ranks 0 4 8 | 16\n"
    "Messages 0 8 16 24 32 40 48 | 56\n"
    "Tunable 0 8 32 | 40\n"
    "ArraySpec 0 8 9 | 16\n"
    "Work 0 8 16 24 32 40 | 48\n"
    "Traits 0 8 16 24 32 40 48 56 64 | 72\n"
    "Tolerance 0 8 16 | 24\n"
    "Parameter 0 8 16 24 32 | 56\n"
    "NamedProblem 0 8 | 88\n"
    "Exchange 0 4 | 8\n"
    "UnitOfWork 0 8 | 40\n"
    "StudyPlace 0 32 40 | 64\n"
    "ReportLayout 0 32 64 68 | 72\n"
    "PublishedFigures 0 32 64 88 | 112\n"
    "KernelFolder 0 8 16 40 | 48\n"
    "VariantFile 0 8 16 24 | 48\n"
    "ArrayAt 0 8 | 16\n"
    "CallInParts 0 8 | 16\n"
    "VariantInParts 0 16 32 33 | 40\n"
    "Presentation 0 64 144 | 168\n",
    // version 9
    "Kernel 0 32 64 96 128 160 184 216 240 248 264 280 296 312 360 376 424 440 448 464 488 512 528 568 576 | "
    "744\n"
    "Variant 0 32 64 72 96 144 160 176 192 200 216 232 248 264 265 272 312 313 | 320\n"
    "Call 0 80 88 96 104 112 120 128 | 144\n"
    "Problem 0 8 16 40 72 | 80\n"
    "Ranks 0 4 8 | 16\n"
    "Messages 0 8 16 24 32 40 48 | 56\n"
    "Tunable 0 8 32 | 40\n"
    "ArraySpec 0 8 9 | 16\n"
    "Work 0 8 16 24 32 40 | 48\n"
    "Traits 0 8 16 24 32 40 48 56 64 | 72\n"
    "Tolerance 0 8 16 | 24\n"
    "Parameter 0 8 16 24 32 | 56\n"
    "NamedProblem 0 8 | 88\n"
    "Exchange 0 4 | 8\n"
    "UnitOfWork 0 8 | 40\n"
    "StudyPlace 0 32 40 | 64\n"
    "ReportLayout 0 32 64 68 | 72\n"
    "PublishedFigures 0 32 64 88 | 112\n"
    "KernelFolder 0 8 16 40 | 48\n"
    "VariantFile 0 8 16 24 | 48\n"
    "ArrayAt 0 8 | 16\n"
    "CallInParts 0 8 | 16\n"
    "VariantInParts 0 16 32 33 | 40\n"
    "Presentation 0 64 144 | 168\n",
};

TEST(Layout, OfTheFormsHasTheNumberThatTheHeaderSays) {
  ASSERT_LT(forms_layout, std::size(layouts)) << "a new number needs its places here:\n" << layout_of_forms();
  EXPECT_EQ(layout_of_forms(), layouts[forms_layout])
      << "a member of a form changed its place: raise forms_layout and add its places here";
}

}  // namespace
}  // namespace sextant
